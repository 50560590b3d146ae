/** `dugong space-info`, `space-query`, `space-verify`, `space-dump`: looks into a space that was built of a corpus. */
import { type Command, InvalidArgumentError } from "commander";
import type { Box, Points, Snapshot, Space, SpaceInfo } from "../../storage/index.js";
import { counted, grouped, size, table } from "./format.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { write, writeJson, writeLines } from "./output.js";
import { reportProblems } from "./verify.js";

interface Options extends GlobalOptions {
  name?: string;
  snapshot?: number;
}

interface QueryOptions extends Options {
  where?: string;
  words?: string[];
  order?: Record<string, number>;
  limit: number;
  count?: boolean;
}

export function addSpace(program: Command): void {
  const command = (name: string, what: string) =>
    program
      .command(name)
      .description(what)
      .argument("<corpus>", "its name")
      .option("--name <name>", "which space (default: default)")
      .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber);
  command("space-info", "Say what a space of a corpus consists of.")
    .addHelpText(
      "after",
      examples(
        ["dugong space-info demo", "dimensions, scales, sizes"],
        ["dugong space-info demo --json", "for a program"],
      ),
    )
    .action((corpus: string, _: Options, own: Command) => withSpace(corpus, own, info));
  command("space-query", "Find units in a space: those in a box, the nearest to the origin first.")
    .option("--where <conditions>", 'as "year>=1990 and genre=fiction" (default: everything)')
    .option("--words <words>", "units that have all of these, with blanks between them", wordList)
    .option(
      "--order <weights>",
      'what is near: "rank", or "rank:1,year:-0.5" (default: any order)',
      weightList,
    )
    .option("--limit <n>", "how many (default: 10)", wholeNumber, 10)
    .option("--count", "only how many there are (default: off)")
    .addHelpText(
      "after",
      examples(
        ['dugong space-query demo --words "economy" --order year:-1', "the newest with a word"],
        ['dugong space-query demo --words "war peace" --where "year<1900" --count', "how many have both"],
        [
          'dugong space-query demo --where "length<=2000" --order length --json',
          "the shortest, for a program",
        ],
      ),
    )
    .action((corpus: string, _: QueryOptions, own: Command) => withSpace(corpus, own, query));
  command("space-verify", "Check a space from the bytes up; ends with 1 if anything is wrong.")
    .addHelpText("after", examples(["dugong space-verify demo", "checksums, then every leaf"]))
    .action(verify);
  command("space-dump", "Write all points of a space, one per line.")
    .addHelpText(
      "after",
      examples(
        ["dugong space-dump demo | head", "unit, tab, the value of each dimension"],
        ["dugong space-dump demo --json | head", "with coordinates, for programs"],
      ),
    )
    .action((corpus: string, _: Options, own: Command) => withSpace(corpus, own, dump));
}

function wordList(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) throw new InvalidArgumentError("It names no word.");
  return words;
}

function weightList(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [, name, weight = "1"] = /^\s*([^:\s]+)\s*(?::\s*([+-]?\d+(?:\.\d+)?)\s*)?$/.exec(part) ?? [];
      if (name === undefined) throw new InvalidArgumentError('Write "rank" or "rank:1,year:-0.5".');
      return [name, Number(weight)];
    }),
  );
}

async function withSpace(
  corpus: string,
  command: Command,
  work: (space: Space, options: QueryOptions, snapshot: Snapshot) => Promise<void>,
): Promise<void> {
  const options = command.optsWithGlobals<QueryOptions>();
  const { openCorpus, openSpace } = await import("../../storage/index.js");
  const snapshot = openCorpus({ data: dataFolder(options), corpus, snapshot: options.snapshot });
  try {
    const space = openSpace(snapshot, options.name);
    try {
      await work(space, options, snapshot);
    } finally {
      space.close();
    }
  } finally {
    await snapshot.close();
  }
}

async function info(space: Space, { json }: Options): Promise<void> {
  if (json) return writeJson({ ...space.info, bytesPerPoint: bytesPerPoint(space.info) });
  const { corpus, snapshot, name, unit, dimensions, points, units, segments, bytes } = space.info;
  await writeLines([
    `${corpus}@${snapshot}: space ${name}, ${grouped(points)} points of ${grouped(units)} ${unit}`,
    `${counted(segments, "segment")}, ${size(bytes)}, ${bytesPerPoint(space.info).toFixed(2)} bytes a point`,
    ...table(
      ["dimension", "scale", ">cells", "first", "last", "of a unit", "from"],
      dimensions.map((one, d) => [
        one.name,
        one.kind,
        grouped(one.max),
        space.value(d, 0),
        space.value(d, one.max - 1),
        one.single ? "one" : "several",
        one.source,
      ]),
    ),
  ]);
}

function bytesPerPoint({ bytes, points }: SpaceInfo): number {
  return bytes / Math.max(1, points);
}

async function query(space: Space, options: QueryOptions, snapshot: Snapshot): Promise<void> {
  const { parseConditions } = await import("../../storage/index.js");
  const box = space.box(parseConditions(options.where ?? ""));
  const boxes = boxesOf(space, box, options.words ?? []);
  const several = boxes.length > 1;
  const began = performance.now();
  const count = several ? space.countOfAll(boxes) : space.count(boxes[0]);
  const weights = space.weights(options.order ?? {});
  const limit = options.count ? 0 : options.limit;
  const points = several ? space.topOfAll(boxes, weights, limit) : space.top(boxes[0], weights, limit);
  const ms = performance.now() - began;
  const items = itemsOf(space, points, snapshot);
  const exact = boxes.every((one) => one.exact !== false);
  const { corpus, snapshot: number, name, unit } = space.info;
  if (options.json)
    return writeJson({ corpus, snapshot: number, space: name, unit, count, exact, items, ms });
  const names = space.info.dimensions.map((dimension) => dimension.name);
  await writeLines([
    `${grouped(count)} ${several ? unit : "points"}${exact ? "" : ", some of which only nearly fulfil the conditions: cells have several values"}`,
    ...(items.length === 0
      ? []
      : table(
          [`>${unit}`, ">score", ...names, ...(items[0].id === undefined ? [] : ["id"])],
          items.map(({ unit: own, score, values, id }) => [
            String(own),
            String(Number(score.toPrecision(6))),
            ...names.map((dimension) => values[dimension]),
            ...(id === undefined ? [] : [id]),
          ]),
        )),
  ]);
}

/** A box for each word; one where no words are named. */
function boxesOf(space: Space, box: Box, words: string[]): Box[] {
  if (words.length === 0) return [box];
  const dimension = space.info.dimensions.find(({ kind }) => kind === "word");
  // The space says in its own words that there is none.
  const name = dimension?.name ?? "word";
  return words.map((value) => {
    const own = space.box([{ dimension: name, operator: "=", value }]);
    return {
      low: box.low.map((low, d) => Math.max(low, own.low[d])),
      high: box.high.map((high, d) => Math.min(high, own.high[d])),
      exact: box.exact,
    };
  });
}

interface Item {
  unit: number;
  score: number;
  id?: string;
  values: Record<string, string>;
}

function itemsOf(space: Space, points: Points, snapshot: Snapshot): Item[] {
  const { dimensions, unit } = space.info;
  const structure = snapshot.structures.find((one) => one.name === unit);
  const hasId = structure?.attributes.some(({ name }) => name === "id");
  return Array.from({ length: points.count }, (_, i) => {
    const values = dimensions.map(({ name }, d) => [name, space.value(d, points.coordinates[d][i])]);
    const id = hasId ? structure?.value(points.units[i], "id") : undefined;
    return {
      unit: points.units[i],
      score: points.scores[i],
      ...(id !== undefined && { id }),
      values: Object.fromEntries(values),
    };
  });
}

async function verify(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { verifySpace } = await import("../../storage/index.js");
  await reportProblems(
    corpus,
    options,
    (snapshot, onProgress) => verifySpace(snapshot, options.name, onProgress),
    (report) => `${report.corpus}, space ${report.space}`,
  );
}

async function dump(space: Space, { json }: Options): Promise<void> {
  const { dumpSpace } = await import("../../storage/index.js");
  const names = space.info.dimensions.map(({ name }) => name);
  if (!json) await write(`${[space.info.unit, ...names].join("\t")}\n`);
  for (const points of dumpSpace(space)) {
    let lines = "";
    for (const point of points)
      lines += json
        ? `${JSON.stringify(point)}\n`
        : `${[point.unit, ...names.map((name) => point.values[name])].join("\t")}\n`;
    await write(lines);
  }
}
