/** `dugong space-build`: makes a space of a corpus, units as points in a few dimensions; `dugong spaces`: which there are. */
import type { Command } from "commander";
import type { SpaceBuildResult, SpaceProgress, SpaceRecord } from "../../storage/index.js";
import { counted, duration, grouped, size, table } from "./format.js";
import { resumable } from "./interrupt.js";
import { byteCount, dataFolder, examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { stepsOn } from "./progress.js";

interface BuildOptions extends GlobalOptions {
  unit?: string;
  dimensions: string;
  name?: string;
  links?: string;
  linkAttribute?: string;
  memory?: number;
  anew?: boolean;
}

export function addSpaceBuild(program: Command): void {
  program
    .command("space-build")
    .summary("Build a space: units of a corpus as points in a few dimensions.")
    .description(
      [
        "Build a space: units of a corpus (documents, sentences, tokens) as points in 2 to 8 dimensions, for boxes and the nearest first.",
        "A build that was stopped goes on where it was when the same command is given again; after an append it adds what is new.",
        "",
        "Dimensions: word, lemma (attributes of tokens, by frequency), word+tag (several together), length (tokens), rank (PageRank, by --links),",
        "recency (days before the newest), year or doc.year (attributes of the unit or its document); each with :linear, :logarithmic, :rank,",
        ":date or :category behind it if values should not decide, and :CELLS behind that.",
      ].join("\n"),
    )
    .argument("<corpus>", "its name")
    .option("--unit <structure>", "doc, s, another structure, or token (default: the corpus's documents)")
    .requiredOption("--dimensions <list>", 'as "word,year,length,rank"')
    .option("--name <name>", "what the space is called (default: default)")
    .option("--links <file>", "link table for rank: an address, a tab and an address in each line; also gzip")
    .option("--link-attribute <name>", "attribute of documents with their addresses (default: url, else id)")
    .option("--memory <bytes>", "for points on their way (default: 256M)", byteCount)
    .option("--anew", "build all of it, also where text was only appended (default: off)")
    .addHelpText(
      "after",
      examples(
        ["dugong space-build demo --dimensions word,year,length", "documents by word, year and length"],
        [
          "dugong space-build web --unit doc --dimensions word,date,rank --links links.tsv.gz",
          "with PageRank",
        ],
        [
          "dugong space-build brown --unit s --dimensions word+tag,length,doc.genre:category --name sentences",
          "sentences, under a name of their own",
        ],
        ["dugong spaces demo", "which there are"],
      ),
    )
    .action(build);
  program
    .command("spaces")
    .description("List the spaces that were built of a corpus, or remove one.")
    .argument("<corpus>", "its name")
    .option("--remove <name>", "forget the space of this name")
    .addHelpText(
      "after",
      examples(
        ["dugong spaces demo", "names, units, dimensions, sizes"],
        ["dugong spaces demo --json", "for a program"],
        ["dugong spaces demo --remove sentences", "the one called sentences"],
      ),
    )
    .action(list);
}

async function build(corpus: string, _: BuildOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<BuildOptions>();
  const { buildSpace } = await import("../../storage/index.js");
  const json = options.json ?? false;
  const steps = stepsOn(process.stderr, json);
  const onProgress = (progress: SpaceProgress) => {
    if (json) process.stderr.write(`${JSON.stringify({ progress })}\n`);
    else steps.report(progress.fraction, 1, described(progress));
  };
  const { unit, dimensions, name, links, linkAttribute, anew, memory: memoryBytes } = options;
  const result = await resumable({ report: () => {}, done: steps.done }, json, () =>
    buildSpace({
      ...{ data: dataFolder(options), corpus, unit, dimensions, name, links, linkAttribute },
      ...{ anew, memoryBytes, onProgress },
    }),
  );
  if (json) return writeJson(result);
  await writeLines(resultLines(result));
}

function described({ phase, points, secondsLeft }: SpaceProgress): string {
  const what = { plan: "measuring", points: `${grouped(points)} points`, order: "ordering", done: "done" }[
    phase
  ];
  return secondsLeft !== undefined && secondsLeft >= 1 ? `${what}  ${duration(secondsLeft)} left` : what;
}

function resultLines({ corpus, record, known, kept, links, seconds }: SpaceBuildResult): string[] {
  const { name, points, units, unit, dimensions, beyond } = record;
  if (known) return [`${corpus}: space ${name} is there already, of the same text; nothing to do`];
  const bytes = bytesOf(record);
  const lines = [
    `${corpus}: space ${name} in ${duration(seconds)}${kept > 0 ? `, ${grouped(kept)} points were there` : ""}`,
    `${grouped(points)} points of ${grouped(units)} ${unit}, ${size(bytes)}, ${(bytes / Math.max(1, points)).toFixed(2)} bytes a point`,
  ];
  if (links)
    lines.push(
      `PageRank of ${counted(links.pages, "page")} by ${counted(links.links, "link")} in ${counted(links.iterations, "iteration")}; ${grouped(links.documents)} of them are documents${links.badLines > 0 ? `; ${counted(links.badLines, "line")} could not be read` : ""}`,
    );
  dimensions.forEach(({ name: dimension }, d) => {
    if (beyond[d] > 0)
      lines.push(
        `${grouped(beyond[d])} units lie beyond the ends of ${dimension}, and have its first or last coordinate`,
      );
  });
  return lines;
}

function bytesOf({ segments }: SpaceRecord): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function list(corpus: string, _: GlobalOptions & { remove?: string }, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { remove?: string }>();
  const { Catalog, removeSpace, spaceRecords } = await import("../../storage/index.js");
  const catalog = Catalog.open(dataFolder(options));
  try {
    const current = catalog.manifestOfAnyFormat(corpus).snapshot;
    if (options.remove !== undefined) {
      removeSpace(catalog, corpus, options.remove);
      if (options.json) return await writeJson({ removed: options.remove });
      return await writeLines([`space ${options.remove} of ${corpus} is removed`]);
    }
    const records = spaceRecords(catalog, corpus);
    if (options.json) return await writeJson({ corpus, snapshot: current, spaces: records });
    const lines = records.some(({ snapshot }) => snapshot === current)
      ? []
      : [`no space of this snapshot: type dugong space-build ${corpus} --dimensions word,…`];
    if (records.length === 0) return await writeLines(lines);
    await writeLines([
      ...lines,
      ...table(
        ["name", "unit", "dimensions", ">snapshot", ">points", ">units", ">segments", ">size", "created"],
        records.map((one) => [
          one.name,
          one.unit,
          one.dimensions.map(({ name }) => name).join(","),
          String(one.snapshot),
          grouped(one.points),
          grouped(one.units),
          String(one.segments.length),
          size(bytesOf(one)),
          one.created.slice(0, 16).replace("T", " "),
        ]),
      ),
    ]);
  } finally {
    await catalog.close();
  }
}
