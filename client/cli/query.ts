/** `dugong query`: the matches of a query, for people as lines to read, for programs as positions or a number. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import type { Block, Engine, Prepared, QueryOptions } from "../../ql/index.js";
import {
  type AskingOptions,
  addAskingOptions,
  queryOptions,
  sayNotices,
  showingPlaces,
  strategies,
  withCorpus,
} from "./asking.js";
import { failureOf } from "./failure.js";
import { grouped } from "./format.js";
import { type KwicLine, kwicLine, layOut } from "./kwic.js";
import { examples, wholeNumber, workers } from "./options.js";
import { write, writeJson, writeLines } from "./output.js";

interface Options extends AskingOptions {
  count?: boolean;
  positions?: boolean;
  limit?: number;
  from?: number;
  context: number;
  batch?: string;
  workers: number;
}

/** Lines that people are shown unless they ask for more. */
const linesDefault = 20;

export function addQuery(program: Command): void {
  const command = program
    .command("query")
    .description("Find what a query in CQL matches: lines to read, or with --json positions or a number.")
    .argument("<corpus>", "its name")
    .argument("[cql]", 'the query, for instance \'[lemma="make"] []{0,3} [tag="NN.*"] within <s/>\'')
    .option("--count", "only say how many matches there are")
    .option("--positions", "begin and end of each match, and what labels are bound to")
    .option(
      "--limit <n>",
      `at most so many matches (default: ${linesDefault} lines, all positions)`,
      wholeNumber,
    )
    .option("--from <n>", "leave out so many matches before the first (default: 0)", wholeNumber)
    .option("--context <n>", "tokens on each side of a match", wholeNumber, 10)
    .option(
      "--batch <file>",
      "queries from a file, or - for standard input: JSON lines {query, strategy?, count?, positions?, limit?}",
    )
    .option("--workers <n>", "threads", workers, 1);
  addAskingOptions(command)
    .addHelpText(
      "after",
      examples(
        [`dugong query brown '[lemma="make"] []{0,3} [tag="NN.*"] within <s/>'`, "lines to read"],
        [
          `dugong query brown '"spite"' --count --json`,
          'a number: {"hits":57,"exact":true,"corpus":"brown@1"}',
        ],
        [`dugong query brown '1:[] 2:[] & 1.word=2.word' --positions --json`, "every match, with its labels"],
        ["dugong query brown --batch queries.jsonl", "many queries, one answer a line"],
      ),
    )
    .action(query);
}

async function query(corpus: string, cql: string | undefined, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  if ((cql === undefined) === (options.batch === undefined)) {
    command.error(
      cql === undefined
        ? "give a query, or --batch with a file of them"
        : "give a query or --batch, not both",
    );
  }
  if (options.count && options.positions) command.error("give --count or --positions, not both");
  const { Engine } = await import("../../ql/index.js");
  await withCorpus(corpus, options, async (snapshot) => {
    const engine = new Engine(snapshot, options.workers);
    try {
      if (options.batch !== undefined) await batch(engine, options.batch, queryOptions(options));
      else await showingPlaces(cql!, options, () => one(engine, cql!, options));
    } finally {
      await engine.close();
    }
  });
}

async function one(engine: Engine, cql: string, options: Options): Promise<void> {
  const prepared = engine.prepare(cql, queryOptions(options));
  const { from = 0, limit } = options;
  if (options.count) {
    const hits = await engine.count(prepared);
    if (options.json)
      await writeJson(withNotices({ hits, exact: true, corpus: engine.snapshot.citation }, prepared));
    else await writeLines([grouped(hits)]);
  } else if (options.positions) {
    await positions(engine, prepared, from, limit ?? Number.POSITIVE_INFINITY, options.json ?? false);
  } else await concordance(engine, prepared, from, limit ?? linesDefault, options);
  if (!options.json) sayNotices(prepared);
}

function withNotices<Answer extends object>(answer: Answer, { notices }: Prepared): Answer {
  return notices.length > 0 ? { ...answer, notices } : answer;
}

interface Hit {
  begin: number;
  end: number;
  /** Where it comes from. */
  block: Block;
  i: number;
}

/** The matches [from, from + limit); all are counted, whether they are wanted or not. */
async function* wanted(
  engine: Engine,
  prepared: Prepared,
  from: number,
  limit: number,
  total: { hits: number },
): AsyncGenerator<Hit> {
  for await (const block of engine.run(prepared)) {
    const { base, begins, ends, count } = block;
    for (let i = Math.max(0, from - total.hits); i < count && total.hits + i < from + limit; i++) {
      yield { begin: base + begins[i], end: base + ends[i], block, i };
    }
    total.hits += count;
  }
}

/** {"items":[…],"hits":N}, written as they are found: the number is known last. */
async function positions(
  engine: Engine,
  prepared: Prepared,
  from: number,
  limit: number,
  json: boolean,
): Promise<void> {
  const { labelsOf } = await import("../../ql/index.js");
  const hasLabels = prepared.source.labels.length > 0;
  const total = { hits: 0 };
  let text = "";
  let first = true;
  if (json) text = '{"items":[';
  for await (const { begin, end, block, i } of wanted(engine, prepared, from, limit, total)) {
    const labels = hasLabels ? labelsOf(prepared, block, i) : {};
    if (json) {
      text += `${first ? "" : ","}{"begin":${begin},"end":${end},"labels":${hasLabels ? JSON.stringify(shown(labels)) : "{}"}}`;
    } else {
      const bound = Object.entries(labels).map(([label, [a, b]]) => ` ${label}:${a}-${b}`);
      text += `${begin}-${end}${bound.join("")}\n`;
    }
    first = false;
    if (text.length > 1 << 16) {
      await write(text);
      text = "";
    }
  }
  if (json)
    text += `],"hits":${total.hits}${prepared.notices.length > 0 ? `,"notices":${JSON.stringify(prepared.notices)}` : ""}}\n`;
  await write(text);
}

function shown(labels: Record<string, [number, number]>): Record<string, { begin: number; end: number }> {
  return Object.fromEntries(Object.entries(labels).map(([label, [begin, end]]) => [label, { begin, end }]));
}

async function concordance(
  engine: Engine,
  prepared: Prepared,
  from: number,
  limit: number,
  options: Options,
): Promise<void> {
  const { snapshot } = engine;
  const lines: (KwicLine & { begin: number; end: number })[] = [];
  const total = { hits: 0 };
  for await (const { begin, end } of wanted(engine, prepared, from, limit, total)) {
    lines.push({ begin, end, ...kwicLine(snapshot, begin, end, options.context) });
  }
  if (options.json) {
    const answer = {
      hits: total.hits,
      exact: true,
      corpus: snapshot.citation,
      lines: lines.map(({ begin, end, left, match, right }) => ({ begin, end, left, match, right })),
    };
    await writeJson(withNotices(answer, prepared));
    return;
  }
  await writeLines(layOut(lines, process.stdout.columns ?? 120));
  const which =
    lines.length === 0 || (from === 0 && lines.length === total.hits)
      ? ""
      : `, ${grouped(from + 1)} to ${grouped(from + lines.length)} shown`;
  await writeLines([
    `${grouped(total.hits)} ${total.hits === 1 ? "match" : "matches"} in ${snapshot.citation}${which}`,
  ]);
}

// ---- many queries

interface BatchLine {
  query: string;
  strategy?: QueryOptions["strategy"];
  count?: boolean;
  positions?: boolean;
  limit?: number;
}

/** One answer a line, in the order of the questions; a bad one gets an error, and the next goes on. */
async function batch(engine: Engine, file: string, options: QueryOptions): Promise<void> {
  const lines = createInterface({
    input: file === "-" ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line.trim() === "") continue;
    await writeJson(await answered(engine, line, options));
  }
}

async function answered(engine: Engine, text: string, options: QueryOptions): Promise<object> {
  const line = readLine(text);
  const wrong = wrongIn(line);
  if (wrong) return { error: { code: "bad_line", message: wrong } };
  try {
    return await answerLine(engine, line as BatchLine, options);
  } catch (error) {
    const { exitCode: _, ...document } = failureOf(error);
    return { error: document };
  }
}

function readLine(text: string): Partial<Record<keyof BatchLine, unknown>> | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** What a line cannot mean. */
function wrongIn(line: Partial<Record<keyof BatchLine, unknown>> | undefined): string | undefined {
  if (typeof line?.query !== "string") return 'not a line of the form {"query":"…"}';
  const { strategy, count = false, positions = false, limit = 0 } = line;
  if (strategy !== undefined && !(strategies as unknown[]).includes(strategy))
    return `strategy is one of ${strategies.join(", ")}`;
  if (typeof count !== "boolean" || typeof positions !== "boolean")
    return "count and positions are true or false";
  if (count && positions) return "count or positions can be true, not both";
  if (!Number.isSafeInteger(limit) || (limit as number) < 0) return "limit is a whole number";
  return undefined;
}

async function answerLine(engine: Engine, line: BatchLine, options: QueryOptions): Promise<object> {
  const { labelsOf } = await import("../../ql/index.js");
  const asked = { ...options, ...(line.strategy && { strategy: line.strategy }) };
  const prepared = engine.prepare(line.query, asked);
  try {
    if (!line.positions) {
      const hits = await engine.count(prepared);
      return withNotices({ hits, exact: true, corpus: engine.snapshot.citation }, prepared);
    }
    const items: object[] = [];
    const total = { hits: 0 };
    const hasLabels = prepared.source.labels.length > 0;
    const limit = line.limit ?? Number.POSITIVE_INFINITY;
    for await (const { begin, end, block, i } of wanted(engine, prepared, 0, limit, total)) {
      items.push({ begin, end, labels: hasLabels ? shown(labelsOf(prepared, block, i)) : {} });
    }
    return withNotices({ hits: total.hits, items }, prepared);
  } finally {
    prepared.ground.release();
  }
}
