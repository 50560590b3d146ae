/** What `wordlist`, `keywords`, `ngrams` and `terms` have in common: pages of rows, a part of the corpus, a reference. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import type { KeynessMeasure } from "../../ql/index.js";
import { problem } from "../errors.js";
import type { Notice, Rows } from "../index.js";
import { sayNotices } from "./asking.js";
import { grouped, table } from "./format.js";
import { limits } from "./limits.js";
import { wholeNumber } from "./options.js";
import { write, writeLines } from "./output.js";
import { addPartOptions, type PartOptions } from "./part.js";
import { addServerOptions, type SessionOptions } from "./session.js";

export interface ListOptions extends SessionOptions, PartOptions {
  limit?: number;
  from?: number;
}

/** Rows that people are shown unless they ask for more. */
const rowsDefault = 50;

export function addListOptions(command: Command): Command {
  addPartOptions(command)
    .option("--limit <n>", `at most so many rows (default: ${rowsDefault}; all with --json)`, wholeNumber)
    .option("--from <n>", "leave out so many rows before the first (default: 0)", wholeNumber)
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber);
  return addServerOptions(command);
}

/** Which rows are wanted. */
export function pageOf({ from = 0, limit, json }: ListOptions): { from: number; limit?: number } {
  const rows = limit ?? (json ? undefined : rowsDefault);
  return rows === undefined ? { from } : { from, limit: rows };
}

/** Words or other values from a file, one a line; - for standard input. */
export function linesOf(file: string): string[] {
  return readFileSync(file === "-" ? 0 : file, "utf8")
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

// ---- a reference

export interface ReferenceOptions extends ListOptions {
  reference?: string;
  referenceSubcorpus?: string;
  measure?: KeynessMeasure[];
  smoothing?: number;
}

const measures: KeynessMeasure[] = ["simple-maths", "log-likelihood", "log-ratio", "percent-diff"];

export function addReferenceOptions(command: Command): Command {
  return command
    .option("--reference <corpus>", "the corpus to compare with")
    .option("--reference-subcorpus <name>", "a part of it; without --reference, of the same corpus")
    .option(
      "--measure <names>",
      `what rows are sorted by, then what else is shown: ${measures.join(", ")} (default: simple-maths)`,
      measureNames,
    )
    .option(
      "--smoothing <n>",
      "what simple maths adds to both frequencies per million (default: 1)",
      aboveZero,
    );
}

function measureNames(text: string): KeynessMeasure[] {
  const list = text.split(",").map((name) => name.trim() as KeynessMeasure);
  if (!list.every((name) => measures.includes(name)))
    throw new InvalidArgumentError(`There are ${measures.join(", ")}.`);
  return list;
}

export function aboveZero(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number > 0 && Number.isFinite(number)))
    throw new InvalidArgumentError("It is not a number above 0.");
  return number;
}

/** What it is compared with, as it is asked. */
export function referenceOf({ reference, referenceSubcorpus, measure, smoothing }: ReferenceOptions) {
  return { reference, referenceSubcorpus, measures: measure, smoothing };
}

/** What rows say of a reference, for a table. */
export interface KeyCells {
  count: number;
  perMillion: number;
  referenceCount?: number;
  referencePerMillion?: number;
  scores?: Record<string, number>;
}

export function keyHeadings(names: readonly string[]): string[] {
  return [">count", ">per million", ">reference", ">per million", ...names.map((name) => `>${name}`)];
}

export function keyCells(row: KeyCells, names: readonly string[]): string[] {
  return [
    grouped(row.count),
    short(row.perMillion),
    grouped(row.referenceCount ?? 0),
    short(row.referencePerMillion ?? 0),
    ...names.map((name) => short(row.scores?.[name] ?? 0)),
  ];
}

/** The columns of scores that rows have. */
export function scoreNames(chosen: readonly KeynessMeasure[] = ["simple-maths"]): string[] {
  return chosen.flatMap((name) => (name === "log-likelihood" ? [name, "p"] : [name]));
}

/** 1234.5 → 1,235 · 12.3456 → 12.35 · 0.00012345 → 0.00012 */
export function short(number: number): string {
  const size = Math.abs(number);
  if (size >= 1000) return number < 0 ? `-${grouped(size)}` : grouped(number);
  if (size >= 0.01 || size === 0) return number.toFixed(2);
  return size < 1e-6 ? number.toExponential(1) : String(Number(number.toPrecision(2)));
}

// ---- what is written

/** Sums that every list has. */
export interface Sums {
  corpus: string;
  types: number;
  tokens: number;
}

/** What is wanted of a list. */
export interface Listing<Row, Own extends Sums> {
  /** Asks for the rows of a page. */
  ask(page: { from: number; limit?: number; windowRows: number }): Rows<Row, object>;
  headings(sums: Own): string[];
  cellsOf(row: Row): string[];
  /** What the list is of, in a sentence. */
  summary(sums: Own): string;
}

/**
 * For programs: the whole document, however many rows it has, in pieces; for people: a table and what it is of. A server
 * gives so many rows of a list at a time; those that are wanted besides are asked for when these have come.
 */
export async function writeList<Row, Own extends Sums>(
  list: Listing<Row, Own>,
  options: ListOptions,
): Promise<void> {
  const page = pageOf(options);
  const shown: Row[] = [];
  const notices: Notice[] = [];
  let sums: Own | undefined;
  let citation: string | undefined;
  let text = "";
  let taken = 0;
  for (;;) {
    const limit = page.limit === undefined ? {} : { limit: page.limit - taken };
    const rows = list.ask({ from: page.from + taken, ...limit, windowRows: limits.windowRows });
    const before = taken;
    for await (const { columns, count } of rows.blocks()) {
      for (let i = 0; i < count; i++) {
        const row = rows.rowOf(columns, i);
        if (!options.json) shown.push(row);
        else {
          if (taken + i === 0) text = headOf(rows.known.summary as Own);
          text += `${taken + i > 0 ? "," : ""}${JSON.stringify(row)}`;
          if (text.length < 1 << 16) continue;
          await write(text);
          text = "";
        }
      }
      taken += count;
    }
    const { summary, end, corpus } = rows.known;
    citation ??= corpus;
    if (corpus !== citation)
      throw problem(
        "corpus_changed",
        `the corpus has changed while the list was read: ${citation}, then ${corpus}`,
        "Ask again, or name one --snapshot.",
      );
    if (sums === undefined) notices.push(...(end?.notices ?? []));
    sums ??= summary as Own;
    if (end?.limits?.tableRowsMax === undefined || taken === before || taken === page.limit) break;
  }
  if (options.json) {
    const told = notices.length > 0 ? `,"notices":${JSON.stringify(notices)}` : "";
    return write(`${taken === 0 ? headOf(sums) : text}]${told}}\n`);
  }
  if (shown.length > 0) await writeLines(fitted(list.headings(sums), shown.map(list.cellsOf)));
  await writeLines([`${list.summary(sums)}${shownText(shown.length, sums.types, options)}`]);
  sayNotices(notices);
}

/** All of the document but its rows. */
function headOf(sums: object): string {
  return `${JSON.stringify(sums).slice(0, -1)},"rows":[`;
}

/** A table no wider than the terminal: values, which stand first, are cut. */
function fitted(headings: string[], rows: string[][]): string[] {
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  const lines = table(headings, rows);
  const over = Math.max(...lines.map((line) => [...line].length)) - width;
  if (!(over > 0)) return lines;
  const longest = Math.max(...rows.map(([value]) => [...value].length));
  const room = Math.max(10, longest - over);
  return table(
    headings,
    rows.map(([value, ...others]) => {
      const characters = [...value];
      return [characters.length > room ? `${characters.slice(0, room - 1).join("")}…` : value, ...others];
    }),
  );
}

/** ", 1 to 50 shown" */
function shownText(rows: number, types: number, { from = 0 }: ListOptions): string {
  if (rows === 0 || rows === types) return "";
  return `, ${grouped(from + 1)} to ${grouped(from + rows)} shown`;
}
