/** `dugong sketch-compute`: computes word sketches by a grammar; `dugong sketches`: which there are. */
import type { Command } from "commander";
import type { SketchComputeResult, SketchProgress } from "../../ql/index.js";
import { counted, duration, grouped, size, table } from "./format.js";
import { resumable } from "./interrupt.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { stepsOn } from "./progress.js";

interface ComputeOptions extends GlobalOptions {
  grammar: string;
  heads?: string;
  name?: string;
  workers?: number;
}

export function addSketchCompute(program: Command): void {
  program
    .command("sketch-compute")
    .summary("Compute word sketches by a sketch grammar.")
    .description(
      "Compute word sketches by a sketch grammar. A run that was stopped goes on where it was when the same command is given again.",
    )
    .argument("<corpus>", "its name")
    .requiredOption("--grammar <file>", "english, english-universal, ud, or a file; *.m4 has macros")
    .option(
      "--heads <attribute>",
      "what heads are: lempos, lemma, lemma+tag, another attribute (default: the first of these there is)",
    )
    .option("--name <name>", "what these sketches are called (default: default)")
    .option("--workers <n>", "threads (default: as many as there are cores)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong sketch-compute brown --grammar english", "for the current snapshot"],
        ["dugong sketch-compute ewt --grammar ud --heads lemma --name ud", "under a name of its own"],
        ["dugong sketches ewt", "which there are"],
      ),
    )
    .action(compute);
  program
    .command("sketches")
    .description("List the word sketches that were computed of a corpus, or remove some.")
    .argument("<corpus>", "its name")
    .option("--remove <name>", "forget the sketches of this name")
    .addHelpText(
      "after",
      examples(
        ["dugong sketches brown", "names, grammars, sizes"],
        ["dugong sketches brown --json", "for a program"],
        ["dugong sketches brown --remove ud", "those called ud, with their thesaurus"],
      ),
    )
    .action(list);
}

async function compute(corpus: string, _: ComputeOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<ComputeOptions>();
  const { availableParallelism } = await import("node:os");
  const { computeSketches, grammarText } = await import("../../ql/index.js");
  const json = options.json ?? false;
  const steps = stepsOn(process.stderr, json);
  const report = (progress: SketchProgress) => {
    if (json) process.stderr.write(`${JSON.stringify({ progress })}\n`);
    else steps.report(progress.fraction, 1, described(progress));
  };
  const { text: grammar, name: grammarName } = grammarText(options.grammar);
  const { heads, name, workers = availableParallelism() } = options;
  const result = await resumable({ report: () => {}, done: steps.done }, json, () =>
    computeSketches({
      data: dataFolder(options),
      corpus,
      grammar,
      grammarName,
      heads,
      name,
      workers,
      onProgress: report,
    }),
  );
  if (json) return writeJson(result);
  await writeLines(resultLines(result));
}

function described({ phase, tasks, tasksTotal, secondsLeft }: SketchProgress): string {
  const what = phase === "merge" ? "merging" : `relations in segments: ${tasks} of ${tasksTotal}`;
  return secondsLeft !== undefined && secondsLeft >= 1 ? `${what}  ${duration(secondsLeft)} left` : what;
}

function resultLines({ corpus, record, known, seconds }: SketchComputeResult): string[] {
  const { name, relations, triples, occurrences, bytes, heads } = record;
  if (known) return [`${corpus}: sketches ${name} are computed already, by the same grammar; nothing to do`];
  return [
    `${corpus}: sketches ${name} of ${heads} in ${duration(seconds)}`,
    `${counted(relations, "relation")}, ${counted(triples, "triple")}, ${counted(occurrences, "occurrence")}, ${size(bytes)}`,
  ];
}

async function list(corpus: string, _: GlobalOptions & { remove?: string }, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { remove?: string }>();
  const { Catalog, removeSketches, sketchesRecords } = await import("../../storage/index.js");
  const catalog = Catalog.open(dataFolder(options));
  try {
    const current = catalog.manifestOfAnyFormat(corpus).snapshot;
    if (options.remove !== undefined) {
      removeSketches(catalog, corpus, options.remove);
      if (options.json) return await writeJson({ removed: options.remove });
      return await writeLines([`sketches ${options.remove} of ${corpus} are removed`]);
    }
    const records = sketchesRecords(catalog, corpus);
    if (options.json) return await writeJson({ corpus, snapshot: current, sketches: records });
    const lines = records.some(({ snapshot }) => snapshot === current)
      ? []
      : [`no sketches computed for this snapshot: type dugong sketch-compute ${corpus} --grammar FILE`];
    if (records.length === 0) return await writeLines(lines);
    await writeLines([
      ...lines,
      ...table(
        [
          "name",
          "grammar",
          "heads",
          ">snapshot",
          ">relations",
          ">triples",
          ">occurrences",
          ">size",
          ">thesaurus",
          "created",
        ],
        records.map((one) => [
          one.name,
          one.grammar,
          one.heads,
          String(one.snapshot),
          grouped(one.relations),
          grouped(one.triples),
          grouped(one.occurrences),
          size(one.bytes),
          one.thesaurus ? counted(one.thesaurus.heads, "word") : "–",
          one.created.slice(0, 16).replace("T", " "),
        ]),
      ),
    ]);
  } finally {
    await catalog.close();
  }
}
