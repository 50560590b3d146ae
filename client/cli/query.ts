/**
 * `dugong query`: what a query matches, and what a chain of steps makes of it: lines to read, one match closely, a file of all
 * of them; for programs positions or a number.
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Line } from "../../ql/index.js";
import { problem } from "../errors.js";
import type { Block, Chain, Context, Corpus, LineOptions, Notice, Rows } from "../index.js";
import { sayNotices, withNotices } from "./asking.js";
import { batch } from "./batch.js";
import { type Exported, exportLines, type Format, formatOf, formats } from "./export.js";
import { counted, grouped } from "./format.js";
import { layOut, layOutWhole, layoutOf, type View } from "./kwic.js";
import { limits } from "./limits.js";
import { examples, nameList, names, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { queriesOf, showingPlaces } from "./places.js";
import { writePositions } from "./positions.js";
import { withCorpus } from "./session.js";
import { fileSink, standardOutput } from "./sink.js";
import { addChainOptions, type ChainOptions, chainOf } from "./steps.js";

interface Options extends ChainOptions {
  count?: boolean;
  positions?: boolean;
  expand?: number;
  limit?: number;
  from?: number;
  view: View;
  structure?: string;
  context?: string;
  attributes?: string[];
  nodeAttributes?: string[];
  tags?: string[];
  refs?: string[];
  aligned?: string[];
  labels?: boolean;
  width?: number;
  format?: Format;
  output?: string;
  batch?: string;
}

export function addQuery(program: Command): void {
  const command = program
    .command("query")
    .description("Find what a query in CQL matches: lines to read or to export, positions, or a number.")
    .argument("<corpus>", "its name")
    .argument("[cql]", 'the query, for instance \'[lemma="make"] []{0,3} [tag="NN.*"] within <s/>\'')
    .option("--count", "only say how many matches there are")
    .option("--positions", "begin and end of each match, and what labels are bound to")
    .option(
      "--limit <n>",
      `at most so many matches (default: ${limits.linesDefault} lines; all positions, and all that is exported)`,
      wholeNumber,
    )
    .option("--from <n>", "leave out so many matches before the first (default: 0)", wholeNumber)
    .option("--expand <n>", "match number n (from 1) with 100 tokens, or --context, around it", ordinal)
    .addOption(
      new Option("--view <view>", "the match in the middle of its line, or in its sentence")
        .choices(["kwic", "sentence"])
        .default("kwic"),
    )
    .option("--structure <name>", "what --view sentence shows (default: s, where there is one)")
    .option(
      "--context <n>",
      'on each side: tokens, "10", characters, "40c", or whole structures, "1 s" (default: 10)',
    )
    .option("--attributes <names>", "what is shown of every token: word,tag (default: the words)", nameList)
    .option("--node-attributes <names>", "what is shown of the match's tokens (default: the same)", nameList)
    .option(
      "--tags <names>",
      "show where these structures begin and end: s,doc or, with one attribute, doc.id",
      names,
    )
    .option(
      "--refs <names>",
      "say where each match is: doc.id, doc (its number), # (the token's number)",
      nameList,
    )
    .option(
      "--aligned <corpora>",
      "show what belongs to each match in these corpora (`dugong align`)",
      nameList,
    )
    .option("--labels", "mark in the text what labels are bound to: {1:word}")
    .option(
      "--width <n>",
      "columns of lines (default: the terminal's; as many as they need where lines are exported)",
      width,
    )
    .addOption(
      new Option(
        "--format <format>",
        "write all lines in this format (default: what --output's name says)",
      ).choices(formats),
    )
    .option("--output <file>", "write them to a file (default: standard output)")
    .option(
      "--batch <file>",
      "queries from a file, or - for standard input: JSON lines {query, strategy?, subcorpus?, steps?, count?, positions?, limit?}",
    );
  addChainOptions(command)
    .addHelpText(
      "after",
      examples(
        [`dugong query demo '[lemma="make"] []{0,3} [tag="NOUN"] within <s/>'`, "lines to read"],
        [
          `dugong query demo '[lemma="freedom"]' --sort 'word 1R' --refs doc.president,doc.year --context '1 s'`,
          "sorted by the next word, in whole sentences, with who said it and when",
        ],
        [
          `dugong query demo '[lemma="tax"]' --where 'year>=1980 and year<1990' --count`,
          "in some of the documents",
        ],
        [`dugong query demo '"liberty"' --examples 10 --view sentence`, "the ten best examples"],
        [
          `dugong query demo '"liberty"' --expand 3 --context '3 s'`,
          "the third match, with the sentences around it",
        ],
        [
          `dugong query demo '[lemma="war"]' --refs doc.year --attributes word,tag --output war.xlsx`,
          "all matches as a spreadsheet",
        ],
        [
          `dugong query demo '1:[tag="ADJ"] 2:[lemma="peace"]' --positions --json`,
          "every match, with its labels",
        ],
        [
          "dugong query demo '\"peace\"' --count --json",
          'a number: {"hits":…,"exact":true,"corpus":"demo@1"}',
        ],
        ["dugong query demo --batch queries.jsonl", "many queries, one answer a line"],
      ),
    )
    .action(query);
}

function ordinal(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError("Matches are counted from 1.");
  return number;
}

function width(text: string): number {
  const number = wholeNumber(text);
  if (number < 20 || number > 10_000) throw new InvalidArgumentError("Use a number from 20 to 10000.");
  return number;
}

async function query(corpus: string, cql: string | undefined, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  checkUsage(cql, options, command);
  // What a batch does to every query's matches is asked for with any query.
  const chain = chainOf(command, options.batch === undefined ? cql : "", options);
  await withCorpus(command, corpus, options, async (asked) => {
    if (options.batch !== undefined) {
      // All are answered from one snapshot.
      const { snapshot } = await asked.describe();
      await batch(asked.at(snapshot), options.batch, { ...options, chain });
    } else await showingPlaces(asked, queriesOf(chain), options, () => one(asked, chain, options, command));
  });
}

function checkUsage(cql: string | undefined, options: Options, command: Command): void {
  if (options.batch !== undefined && (cql !== undefined || options.chain !== undefined))
    command.error("give a query or --batch, not both");
  if (cql === undefined && options.batch === undefined && options.chain === undefined)
    command.error("give a query, or --batch or --chain with a file");
  const exporting =
    options.output !== undefined ? "--output" : options.format !== undefined ? "--format" : false;
  const ways = [
    options.count && "--count",
    options.positions && "--positions",
    options.expand !== undefined && "--expand",
    exporting,
  ].filter((way) => way);
  if (ways.length > 1) command.error(`give ${ways.join(" or ")}, not both`);
  if (options.batch !== undefined && (exporting || options.expand !== undefined))
    command.error(`${ways[0]} is not for --batch`);
  if (options.structure !== undefined && options.view !== "sentence")
    command.error("--structure is for --view sentence");
  if (!exporting) return;
  if (options.output === undefined && options.json)
    command.error("give --json or --format, or an --output for it to speak of");
  const format = options.format ?? formatOf(options.output!);
  if (format === undefined)
    command.error(`the name ${options.output} does not say which --format it should have`);
  if (format === "xlsx" && options.output === undefined && process.stdout.isTTY)
    command.error("a spreadsheet is not for a terminal: give an --output");
  options.format = format;
}

async function one(corpus: Corpus, chain: Chain, options: Options, command: Command): Promise<void> {
  const { from = 0, limit = Number.POSITIVE_INFINITY, json = false } = options;
  let notices: Notice[];
  if (options.count) {
    const answer = await corpus.count(chain);
    notices = answer.notices ?? [];
    const hits = answer.hits.value;
    if (json) await writeJson(withNotices({ hits, exact: true, corpus: answer.corpus }, notices));
    else await writeLines([grouped(hits)]);
  } else if (options.positions) {
    ({ notices } = await writePositions(corpus, chain, from, limit, json));
  } else {
    const asked = await lineOptions(corpus, options);
    try {
      if (options.format !== undefined)
        notices = await exported(corpus, chain, options, options.format, asked);
      else if (options.expand !== undefined)
        notices = await expanded(corpus, chain, options, options.expand, asked);
      else notices = await concordance(corpus, chain, options, asked);
    } catch (error) {
      const { code, message, hint } = error as Error & { code?: string; hint?: string };
      if (code === "bad_context" && options.context !== undefined) command.error(`${message}\n(${hint})`);
      throw error;
    }
  }
  if (!json) sayNotices(notices);
}

async function lineOptions(corpus: Corpus, options: Options): Promise<LineOptions> {
  const { attributes, nodeAttributes, tags, refs, labels, aligned, context } = options;
  const asked = { attributes, nodeAttributes, tags, refs, marks: labels, aligned };
  const around = context ?? (await sentences(corpus, options));
  return { ...asked, ...(around !== undefined && { context: around }), windowRows: limits.windowLines };
}

/** What --view sentence shows, where there are sentences. */
async function sentences(corpus: Corpus, { view, structure }: Options): Promise<Context | undefined> {
  if (view !== "sentence") return undefined;
  if (structure !== undefined) return { structure };
  const { structures } = await corpus.describe();
  return "s" in structures ? { structure: "s" } : undefined;
}

/** Lines as they are made: what is not there is not said. */
function linesOf({ columns, count }: Block): Line[] {
  const names = Object.keys(columns).filter((name) => !alwaysThere.includes(name));
  const { begin, end, left, match, right } = columns as Record<string, never[]>;
  return Array.from({ length: count }, (_, i) => {
    const line: Record<string, unknown> = {
      begin: begin[i],
      end: end[i],
      left: left[i],
      match: match[i],
      right: right[i],
    };
    for (const name of names) {
      const value = columns[name][i];
      if (value !== null && value !== false) line[name] = value;
    }
    return line as unknown as Line;
  });
}

const alwaysThere = ["begin", "end", "left", "match", "right"];

/** What is said when all lines are there. */
function told({ known }: Rows<unknown>): { total: number; citation: string; notices: Notice[] } {
  const { total, end, corpus = "" } = known;
  return { total: total?.value ?? 0, citation: corpus, notices: [...(end?.notices ?? [])] };
}

const terminalWidth = ({ width }: Options) => width ?? process.stdout.columns ?? limits.widthDefault;

/** That text was left out is worth knowing. */
function cutNotices(lines: readonly Line[]): Notice[] {
  if (!lines.some(({ cut }) => cut)) return [];
  const message = "not all of the context is shown (limits lineTokensMax, contextTokensMax, matchTokensMax)";
  return [{ code: "context_limit", message }];
}

/** A page of lines. */
async function concordance(
  corpus: Corpus,
  chain: Chain,
  options: Options,
  asked: LineOptions,
): Promise<Notice[]> {
  const { from = 0, limit = limits.linesDefault, json = false } = options;
  const rows = corpus.query(chain, { ...asked, labels: json || options.labels === true });
  const lines: Line[] = [];
  for await (const block of rows.part(from, limit)) lines.push(...linesOf(block));
  const { total, citation, notices } = told(rows);
  notices.push(...cutNotices(lines));
  if (json) {
    await writeJson(withNotices({ hits: total, exact: true, corpus: citation, lines }, notices));
    return notices;
  }
  await writeLines(layOut(lines, layoutOf(lines, terminalWidth(options), options.view)));
  const which =
    lines.length === 0 || (from === 0 && lines.length === total)
      ? ""
      : `, ${grouped(from + 1)} to ${grouped(from + lines.length)} shown`;
  await writeLines([`${grouped(total)} ${total === 1 ? "match" : "matches"} in ${citation}${which}`]);
  return notices;
}

/** One match with much around it. */
async function expanded(
  corpus: Corpus,
  chain: Chain,
  options: Options,
  number: number,
  asked: LineOptions,
): Promise<Notice[]> {
  const { context = { tokens: limits.expandTokens } } = asked;
  const labels = options.json || options.labels === true;
  const rows = corpus.query(chain, { ...asked, context, labels });
  let line: Line | undefined;
  for await (const block of rows.part(number - 1, 1)) [line] = linesOf(block);
  const { total, citation, notices } = told(rows);
  if (!line)
    throw problem(
      "no_hit",
      `there is no hit number ${number}: the result has ${total}`,
      "Hits are counted from 1.",
    );
  notices.push(...cutNotices([line]));
  if (options.json) {
    const answer = { hits: total, exact: true, corpus: citation, number, lines: [line] };
    await writeJson(withNotices(answer, notices));
    return notices;
  }
  await writeLines(layOutWhole(line, terminalWidth(options)));
  await writeLines(["", `match ${grouped(number)} of ${grouped(total)} in ${citation}`]);
  return notices;
}

/** All lines, or those that are wanted, written as they are made. */
async function exported(
  corpus: Corpus,
  chain: Chain,
  options: Options,
  format: Format,
  asked: LineOptions,
): Promise<Notice[]> {
  const { from = 0, limit = Number.POSITIVE_INFINITY, output, refs = [], aligned = [], view } = options;
  const rows = corpus.query(chain, { ...asked, labels: format === "jsonl" || options.labels === true });
  const blocks = rows.part(from, limit, { counted: false });
  const cut: Notice[] = [];
  // What cannot be asked leaves no file behind, and takes none away.
  const first = await blocks.next();
  const [name] = corpus.name.split("@");
  const sink = output === undefined ? standardOutput : await fileSink(output);
  let done: Exported;
  try {
    const shape = { format, corpus: name, refs, aligned, view, width: options.width };
    done = await exportLines(linePages(first, blocks, cut), sink, shape);
    await sink.close();
  } catch (error) {
    await sink.abandon();
    throw error;
  } finally {
    await blocks.return(undefined);
  }
  const { citation, notices } = told(rows);
  notices.unshift(...cut);
  notices.push(...cellNotices(done));
  if (output === undefined) return notices;
  const { lines, sheets } = done;
  if (options.json) {
    const answer = {
      written: lines,
      corpus: citation,
      format,
      output,
      ...(sheets !== undefined && { sheets }),
    };
    await writeJson(withNotices(answer, notices));
  } else {
    const where = sheets !== undefined && sheets > 1 ? ` in ${sheets} sheets` : "";
    await writeLines([`${counted(lines, "line")} of ${citation} written to ${output}${where}`]);
  }
  return notices;
}

async function* linePages(
  first: IteratorResult<Block>,
  later: AsyncGenerator<Block>,
  notices: Notice[],
): AsyncGenerator<Line[]> {
  for (let { value: block, done } = first; !done; { value: block, done } = await later.next()) {
    const lines = linesOf(block);
    if (notices.length === 0) notices.push(...cutNotices(lines));
    yield lines;
  }
}

function cellNotices({ cutCells = 0 }: Exported): Notice[] {
  if (cutCells === 0) return [];
  const message = `${counted(cutCells, "cell")} had more text than a spreadsheet takes (limit cellCharsMax), and it was cut`;
  return [{ code: "cell_limit", message }];
}
