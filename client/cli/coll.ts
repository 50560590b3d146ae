/** `dugong coll`: what stands near the hits of a query, and how much more than elsewhere. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CollocationOptions, Collocations, MeasureName } from "../../ql/index.js";
import type { Chain, Corpus, Notice } from "../index.js";
import { meaningOf, sayNotices, withNotices } from "./asking.js";
import { counted, grouped, table } from "./format.js";
import { limits } from "./limits.js";
import { examples, nameList, wholeNumber } from "./options.js";
import { write, writeJson, writeLines } from "./output.js";
import { queriesOf, showingPlaces } from "./places.js";
import { withCorpus } from "./session.js";
import { addChainOptions, type ChainOptions, chainOf } from "./steps.js";

// The table of measures, which the help is made of: a module of its own that loads no other.
const { measures } = await import("../../ql/stats/measures.js");

interface Options extends ChainOptions {
  window?: { from: number; to: number };
  attribute?: string;
  within?: string;
  skip?: string;
  every?: boolean;
  minCount: number;
  minTotal: number;
  measure: string[];
  order?: string;
  confidence?: number;
  limit: number;
  chains?: boolean;
  lines?: string;
}

const rowsDefault = 50;

export function addColl(program: Command): void {
  const command = program
    .command("coll")
    .summary("List the words that stand near the matches of a query.")
    .description(
      "List collocations: the words that stand near the matches of a query, with measures of how much they belong there. A word counts once for each match, however often it is near it.",
    )
    .argument("<corpus>", "its name")
    .argument("[cql]", "the query, for instance '[lemma=\"house\"]'")
    .option(
      "--window <from..to>",
      "places that are looked at: -1 is the token before a match, 1 the one behind it (default: -5..5)",
      window,
    )
    .option(
      "--attribute <name[/flags]>",
      'what words are told apart by; "lemma/i" ignores case, "lemma/d" diacritics (default: the default attribute)',
    )
    .option("--within <structure>", "windows end where this structure does")
    .option(
      "--skip <[condition]>",
      "tokens that neither count nor take up a place in the window: '[tag=\"PUNCT\"]'",
    )
    .option("--every", "count each occurrence in a window, not one for each match")
    .option("--min-count <n>", "leave out words that are in fewer windows", wholeNumber, 3)
    .option("--min-total <n>", "leave out words that are rarer in the corpus, or subcorpus", wholeNumber, 5)
    .addOption(
      new Option("--measure <names>", "measures to show; rows are ordered by the first")
        .argParser(nameList)
        .default(["logDice", "MI", "T"], "logDice,MI,T"),
    )
    .option("--order <name>", "order rows by another measure, by count or by total, the highest first")
    .option(
      "--confidence <share>",
      "leave out words whose logRatio may be 0; with so much confidence, all that stay are no accident (default: 0.95 where rows are ordered by logRatio, else 0: leave out none)",
      share,
    )
    .option("--limit <n>", "at most so many rows", wholeNumber, rowsDefault)
    .option("--chains", "with --json: for each row the chain that gives its lines")
    .option("--lines <value>", "instead of a table, the chain that gives the lines with this word, as JSON");
  addChainOptions(command)
    .addHelpText("after", measureHelp())
    .addHelpText(
      "after",
      examples(
        [`dugong coll demo '[lemma="war"]' --attribute lemma --within s`, "what stands near war"],
        [
          `dugong coll demo '[lemma="great"]' --window 1..3 --attribute lemma/i --skip '[tag="PUNCT|DET"]' --measure logRatio,logLikelihood`,
          "what is called great, with what is surely more frequent there than elsewhere first",
        ],
        [
          `dugong coll demo '[lemma="peace"]' --attribute lemma --measure logDice,MI,T --limit 15 --chains --json`,
          "for programs: rows with their scores, and where their lines are",
        ],
      ),
    )
    .action(coll);
}

function measureHelp(): string {
  const rows = Object.entries(measures).map(([name, { formula, about }]) => [`  ${name}`, formula, about]);
  const named = rows.flatMap(([name, formula, about]) => [`${name.padEnd(17)} ${formula}`, `      ${about}`]);
  return [
    "",
    "Measures, with fAB matches that have the word in their window, fA occurrences of the word, fB matches,",
    "N tokens, W tokens in all windows; E = fA·fB / N; x(v) = v·ln v:",
    ...named,
  ].join("\n");
}

function window(text: string): { from: number; to: number } {
  const [, from, to] = /^([+-]?\d{1,6})\.\.([+-]?\d{1,6})$/.exec(text.trim()) ?? [];
  if (from === undefined) throw new InvalidArgumentError("Write two places, as -5..5, 1..3 or -3..-1.");
  return { from: Number(from), to: Number(to) };
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number < 1))
    throw new InvalidArgumentError("Write a number from 0 to less than 1, as 0.95.");
  return number;
}

async function coll(corpus: string, cql: string | undefined, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  if (options.chains && (!options.json || options.lines !== undefined))
    command.error("--chains is for rows with --json: --lines gives the chain of one word");
  const chain = chainOf(command, cql, options);
  const { skip } = options;
  const suspects = [
    ...queriesOf(chain),
    ...(skip === undefined ? [] : [{ query: skip, ...meaningOf(options) }]),
  ];
  await withCorpus(command, corpus, options, (asked) =>
    showingPlaces(asked, suspects, options, () =>
      options.lines === undefined ? rows(asked, chain, options) : lines(asked, chain, options.lines, options),
    ),
  );
}

function askedOf({ measure, order, ...options }: Options): CollocationOptions {
  const { window, attribute, within, skip, every, minCount, minTotal, confidence, limit, chains } = options;
  return {
    ...{ window, attribute, within, skip, every, minCount, minTotal, confidence, limit, chains },
    // Names that are none are told with those there are.
    measures: measure as MeasureName[],
    order: order as MeasureName | undefined,
  };
}

type Found = Omit<Collocations, "rows" | "notices"> & { rows: Row[] };

interface Row {
  value: string;
  count: number;
  total: number;
  /** Null where a measure has none. */
  scores: Record<string, number | null>;
}

async function rows(corpus: Corpus, chain: Chain, options: Options): Promise<void> {
  const list = corpus.coll(chain, { ...askedOf(options), windowRows: limits.windowRows });
  const found = { rows: (await list.all()) as Row[], ...list.known.summary } as Found;
  const { corpus: citation = "", end } = list.known;
  const notices: Notice[] = end?.notices ?? [];
  if (options.json) {
    const { hits, rows, ...sizes } = found;
    return writeJson(withNotices({ hits, rows, ...sizes, corpus: citation }, notices));
  }
  await writeLines([...drawn(found), summary(found, citation, options)]);
  sayNotices(notices);
}

function drawn({ rows }: Found): string[] {
  if (rows.length === 0) return [];
  const names = Object.keys(rows[0].scores);
  const cells = rows.map(({ count, total, scores }) => [
    grouped(count),
    grouped(total),
    ...names.map((name) => scores[name]?.toFixed(3) ?? "–"),
  ]);
  const headings = [">count", ">total", ...names.map((name) => `>${name}`)];
  const [heading] = table(headings, cells);
  const room = Math.max(8, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - heading.length - 2);
  const values = rows.map(({ value }) => shortened(value, room));
  return table(
    ["collocate", ...headings],
    cells.map((row, i) => [values[i], ...row]),
  );
}

function shortened(text: string, room: number): string {
  const characters = [...text];
  return characters.length <= room ? text : `${characters.slice(0, room - 1).join("")}…`;
}

function summary(found: Found, citation: string, { minCount, minTotal }: Options): string {
  const { hits, rows, collocates, uncertain } = found;
  const left = uncertain > 0 ? `, ${grouped(uncertain)} more may be there by chance` : "";
  const frequent = `${counted(collocates - uncertain, "collocate")} (count ${minCount} or more, total ${minTotal} or more)`;
  const shown = rows.length < collocates - uncertain ? `${grouped(rows.length)} of ` : "";
  return `${shown}${frequent}${left}; ${counted(hits, "hit")} in ${citation}`;
}

/** Where the lines with one collocate are: what `--chain` of other commands reads. */
async function lines(corpus: Corpus, chain: Chain, value: string, options: Options): Promise<void> {
  const { window, attribute, within, skip } = options;
  const longer = await corpus.collocateChain(chain, value, { window, attribute, within, skip });
  if (!options.json) return write(`${JSON.stringify(longer)}\n`);
  const { hits, corpus: citation } = await corpus.count(longer);
  await writeJson({ value, hits: hits.value, chain: longer, corpus: citation });
}
