/**
 * `dugong freq`: how often, where and how evenly. By keys a list of rows; otherwise what there is of all matches, their
 * distribution over the corpus, or over time.
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import type {
  Distribution,
  FrequencyList,
  FrequencyOrder,
  GroupedChain,
  GroupStep,
  TotalsResult,
  TrendResult,
} from "../../ql/index.js";
import type { Chain, Corpus, Notice, Rows } from "../index.js";
import { sayNotices, withNotices } from "./asking.js";
import { distributionLines, frequencyLines, totalsLines, trendLines } from "./freq-tables.js";
import { limits } from "./limits.js";
import { examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { queriesOf, showingPlaces } from "./places.js";
import { withCorpus } from "./session.js";
import { addChainOptions, type ChainOptions, chainOf } from "./steps.js";

interface Options extends ChainOptions {
  by?: string;
  minCount?: number;
  maxCount?: number;
  limit?: number;
  from?: number;
  order?: FrequencyOrder;
  rising?: boolean;
  falling?: boolean;
  dispersion?: boolean;
  parts?: number;
  distribution?: number;
  over?: string;
  bin?: number;
}

/** Rows that people are shown unless they ask for more. */
const rowsDefault = 20;

const windows = { windowRows: limits.windowRows };

/** As ql names them: what it has is not loaded for --help. */
const orders: FrequencyOrder[] = [
  "count",
  "value",
  "perMillion",
  "documents",
  "textTypeTokens",
  "density",
  "arf",
  "aldf",
  "juillandD",
  "dp",
  "dpNorm",
];

export function addFreq(program: Command): void {
  const command = program
    .command("freq")
    .description(
      "Count the matches of a query: by what they have at some keys, or as a whole, over the corpus, over time.",
    )
    .argument("<corpus>", "its name")
    .argument("[cql]", "the query")
    .option(
      "--by <keys>",
      'a row for each combination: "word 0", "lemma/i -1, tag 1R", "word node", "doc.year", "lemma 2:0" for label 2',
    )
    .option("--min-count <n>", "only rows with at least so many matches", wholeNumber)
    .option("--max-count <n>", "only rows with at most so many matches", wholeNumber)
    .option("--limit <n>", `at most so many rows (default: ${rowsDefault}; with --json all)`, wholeNumber)
    .option("--from <n>", "leave out so many rows before the first (default: 0)", wholeNumber)
    .addOption(new Option("--order <column>", "what rows are ordered by (default: count)").choices(orders))
    .option("--rising", "the smallest first (default: only with --order value)")
    .option("--falling", "the largest first (default: but for --order value)")
    .option("--dispersion", "for each row too: ARF, ALDF, Juilland's D, DP and DPnorm")
    .option("--parts <n>", "measure D and DP over so many equal parts (default: documents)", wholeNumber)
    .option("--distribution <n>", "matches in each of so many equal parts of the corpus", wholeNumber)
    .option("--over <structure.attribute>", "matches over time: an attribute with numbers, as doc.year")
    .option("--bin <n>", "so many units of time in a point (default: each value for itself)", binWidth);
  addChainOptions(command)
    .addHelpText(
      "after",
      examples(
        [`dugong freq demo '[lemma="war"]' --by "lemma -1" --limit 10`, "what stands before a word"],
        [`dugong freq demo '[lemma="freedom"]' --by doc.party --order perMillion`, "by party, relative"],
        [`dugong freq demo '[lemma="economy"]' --over doc.year --bin 10`, "decade by decade, with a trend"],
        [
          `dugong freq demo '1:[tag="ADJ"] 2:[tag="NOUN"]' --by "lemma 1:0, lemma 2:0" --json`,
          "for a program",
        ],
      ),
    )
    .action(freq);
}

function binWidth(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !(number > 0) || !Number.isFinite(number))
    throw new InvalidArgumentError("It is not a number above 0.");
  return number;
}

/** What belongs to one way of counting, and cannot be given to another. */
const belongs: { options: (keyof Options)[]; to: "by" | "over" }[] = [
  {
    options: ["minCount", "maxCount", "limit", "from", "order", "rising", "falling", "dispersion"],
    to: "by",
  },
  { options: ["bin"], to: "over" },
];

function check(command: Command, options: Options): void {
  const ways = (["by", "distribution", "over"] as const).filter((way) => options[way] !== undefined);
  if (ways.length > 1) command.error(`give ${ways.map((way) => `--${way}`).join(" or ")}, not both`);
  for (const { options: names, to } of belongs) {
    const given = names.find((name) => options[name] !== undefined);
    if (given !== undefined && options[to] === undefined) {
      const flag = given.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
      command.error(`--${flag} belongs to --${to}`);
    }
  }
  if (options.parts !== undefined && (ways[0] === "distribution" || ways[0] === "over"))
    command.error(`--parts does not go with --${ways[0]}`);
  if (options.rising && options.falling) command.error("give --rising or --falling, not both");
}

async function freq(corpus: string, cql: string | undefined, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  check(command, options);
  const chain = chainOf(command, cql, options);
  await withCorpus(command, corpus, options, (asked) =>
    showingPlaces(asked, queriesOf(chain), options, async () => {
      const { document, lines, citation, notices } = await answer(asked, chain, options);
      if (options.json) await writeJson(withNotices({ ...document, corpus: citation }, notices));
      else {
        await writeLines(lines(citation, process.stdout.columns ?? 120));
        sayNotices(notices);
      }
    }),
  );
}

interface Answer {
  document: object;
  citation: string;
  notices?: Notice[];
  lines: (citation: string, width: number) => string[];
}

async function answer(corpus: Corpus, asked: Chain, options: Options): Promise<Answer> {
  const { by, distribution: parts, over, bin } = options;
  const grouped = groupedChain(asked);
  if (grouped && by === undefined && parts === undefined && over === undefined) {
    const { from } = grouped.at(-1) as GroupStep;
    return frequencies(corpus.freq(grouped, windows), from);
  }
  if (by !== undefined) {
    const { minCount, maxCount, from, order, dispersion, parts } = options;
    const { limit = options.json ? undefined : rowsDefault } = options;
    const rising = options.rising ? true : options.falling ? false : undefined;
    const keys = { by, minCount, maxCount, from, limit, order, rising, dispersion, parts };
    return frequencies(corpus.freq(asked, { ...keys, ...windows }), from);
  }
  if (parts !== undefined) {
    const found = corpus.distribution(asked, { parts, ...windows });
    const distribution = await found.all();
    const document = { ...found.known.summary, distribution } as unknown as Distribution;
    return { document, ...toldOf(found), lines: (...how) => distributionLines(document, ...how) };
  }
  if (over !== undefined) {
    const found = corpus.trend(asked, { over, bin, ...windows });
    const points = await found.all();
    const document = { ...found.known.summary, points } as unknown as TrendResult;
    return { document, ...toldOf(found), lines: (...how) => trendLines(document, ...how) };
  }
  const { corpus: citation = "", notices, ...totals } = await corpus.totals(asked, { parts: options.parts });
  const lines = (citation: string) => totalsLines(totals as unknown as TotalsResult, citation);
  return { document: totals, citation, notices, lines };
}

async function frequencies(found: Rows<object, object>, from = 0): Promise<Answer> {
  const rows = await found.all();
  const document = { ...found.known.summary, rows } as unknown as FrequencyList;
  return { document, ...toldOf(found), lines: (...how) => frequencyLines(document, from, ...how) };
}

function toldOf({ known }: Rows<unknown, object>): { citation: string; notices?: Notice[] } {
  return { citation: known.corpus ?? "", notices: known.end?.notices };
}

/** A chain may end in a step that groups what the others give: that is a list of frequencies. */
function groupedChain(chain: Chain | GroupedChain): GroupedChain | undefined {
  return chain.at(-1)?.step === "group" ? (chain as GroupedChain) : undefined;
}
