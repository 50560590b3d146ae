/** `dugong thesaurus-compute`: finds, for all frequent words at once, the words that are used like them. */
import type { Command } from "commander";
import type { ThesaurusComputeResult, ThesaurusProgress } from "../../ql/index.js";
import { counted, duration, grouped, size } from "./format.js";
import { resumable } from "./interrupt.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { stepsOn } from "./progress.js";
import { atLeastOne } from "./sketch.js";

interface Options extends GlobalOptions {
  sketches?: string;
  minCount?: number;
  limit?: number;
  workers?: number;
}

export function addThesaurusCompute(program: Command): void {
  program
    .command("thesaurus-compute")
    .summary("Compute the thesaurus of all frequent words by their sketches.")
    .description(
      'Compute, for all words that are frequent enough, the words that are used like them, by the sketches of the corpus; `dugong thesaurus` and ~10"king-n" in queries look them up from then on. A run that was stopped goes on where it was when the same command is given again.',
    )
    .argument("<corpus>", "its name")
    .option("--sketches <name>", "by the sketches that were computed under this name (default: default)")
    .option(
      "--min-count <n>",
      "of words that are so often in relations (default: the 20,000 most frequent ones)",
      wholeNumber,
    )
    .option("--limit <n>", "similar words of each that are kept (default: 100)", atLeastOne)
    .option("--workers <n>", "threads (default: as many as there are cores)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong thesaurus-compute demo", "of the most frequent words"],
        [
          "dugong thesaurus-compute demo --min-count 50 --limit 200",
          "of those that are 50 times in relations",
        ],
        ["dugong thesaurus demo war", "looks it up"],
      ),
    )
    .action(compute);
}

async function compute(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { availableParallelism } = await import("node:os");
  const { computeThesaurus } = await import("../../ql/index.js");
  const json = options.json ?? false;
  const steps = stepsOn(process.stderr, json);
  const report = (progress: ThesaurusProgress) => {
    if (json) process.stderr.write(`${JSON.stringify({ progress })}\n`);
    else steps.report(progress.fraction, 1, described(progress));
  };
  const { sketches: name, minCount, limit, workers = availableParallelism() } = options;
  const data = dataFolder(options);
  const result = await resumable({ report: () => {}, done: steps.done }, json, () =>
    computeThesaurus({ data, corpus, name, minCount, limit, workers, onProgress: report }),
  );
  if (json) return writeJson(result);
  await writeLines(resultLines(result));
}

const doing: Record<ThesaurusProgress["phase"], string> = {
  contexts: "weighing contexts",
  neighbours: "comparing words",
  write: "writing",
  done: "done",
};

function described({ phase, tasks, tasksTotal, secondsLeft }: ThesaurusProgress): string {
  const what = `${doing[phase]}: ${tasks} of ${tasksTotal}`;
  return secondsLeft !== undefined && secondsLeft >= 1 ? `${what}  ${duration(secondsLeft)} left` : what;
}

function resultLines({ corpus, name, record, known, seconds }: ThesaurusComputeResult): string[] {
  const { heads, minCount, limit, neighbours, bytes } = record;
  if (known) return [`${corpus}: the thesaurus of sketches ${name} is computed already; nothing to do`];
  return [
    `${corpus}: thesaurus of sketches ${name} in ${duration(seconds)}`,
    `${counted(heads, "word")} that ${heads === 1 ? "is" : "are"} ${grouped(minCount)} times in relations, up to ${grouped(limit)} neighbours of each, ${grouped(neighbours)} in all, ${size(bytes)}`,
  ];
}
