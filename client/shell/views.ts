/**
 * What a line of input leads to: some text, or rows that are shown a page at a time. What is drawn depends on nothing but
 * the rows, the size of the terminal and the style.
 */

import type { Line as FoundLine } from "../../ql/index.js";
import { csvRow, tsvRow } from "../cli/cells.js";
import { counted, grouped } from "../cli/format.js";
import { layOut, layoutOf } from "../cli/kwic.js";
import { cells, first } from "../cli/width.js";
import type { Cell } from "../cli/xlsx.js";
import type { Known, Rows } from "../index.js";
import type { Style } from "./colours.js";
import type { View as LineView } from "./state.js";
import { type Column, headings, layOutTable } from "./tables.js";

export type View = TextView | RowsView;

export interface TextView {
  kind: "text";
  lines: string[];
  /** For programs: what the lines say. */
  document?: object;
}

/** Rows, as people and as programs want them. */
export interface RowsView<Row = unknown> {
  kind: "rows";
  rows: Rows<Row>;
  /** Of a row: "match", "matches". */
  noun: [one: string, several: string];
  /** Lines of text for rows that stand on one page; headings among them. */
  draw(rows: readonly Row[], size: Size, style: Style): string[];
  /** How many lines of the page are headings. */
  headingLines: number;
  /** Of a table. */
  headings: string[];
  cellsOf(row: Row): Cell[];
  /** What else is known of all rows: "4,025 hits". */
  remark?(known: Known): string | undefined;
}

export interface Size {
  width: number;
  height: number;
}

export function text(...lines: string[]): TextView {
  return { kind: "text", lines };
}

/** Lines to read. */
export function linesView(
  rows: Rows<FoundLine>,
  { view, refs = [] }: { view: LineView; refs?: readonly string[] },
): RowsView<FoundLine> {
  return {
    kind: "rows",
    rows,
    noun: ["match", "matches"],
    draw: (page, { width }, style) => layOut(page, layoutOf(page, width, view, style)),
    headingLines: 0,
    headings: ["begin", "end", ...refs, "left", "match", "right"],
    cellsOf: ({ begin, end, left, match, right, refs: own }) => [
      begin,
      end,
      ...refs.map((name) => own?.[name] ?? null),
      left,
      match,
      right,
    ],
  };
}

/** A table. */
export function tableView<Row>(
  rows: Rows<Row>,
  columns: Column<Row>[],
  noun: [one: string, several: string],
  remark?: (known: Known) => string | undefined,
): RowsView<Row> {
  return {
    kind: "rows",
    rows,
    noun,
    draw: (page, { width }, style) => layOutTable(columns, page, width, style.heading),
    headingLines: 1,
    headings: headings(columns),
    cellsOf: (row) => columns.map(({ value }) => value(row) ?? null),
    remark,
  };
}

// ---- rows for programs

export const formats = ["text", "tsv", "csv", "jsonl"] as const;
export type Format = (typeof formats)[number];

export function printedHeadings(view: RowsView, format: Format): string {
  if (format === "csv") return csvRow(view.headings);
  return format === "tsv" ? tsvRow(view.headings) : "";
}

export function printedRow(view: RowsView, row: unknown, format: Format): string {
  if (format === "csv") return csvRow(view.cellsOf(row));
  return format === "tsv" ? tsvRow(view.cellsOf(row)) : `${JSON.stringify(row)}\n`;
}

// ---- the line below a page

/** "1 to 20 of at least 4,025 matches in tales@1" */
export function pageText({ noun, remark }: RowsView, known: Known, from: number, shown: number): string {
  const { total, hits, corpus } = known;
  const where = corpus === undefined ? "" : ` in ${corpus}`;
  const what = (count: number) => `${grouped(count)} ${noun[count === 1 ? 0 : 1]}`;
  const sure = total?.certainty === "exact";
  const least = Math.max(from + shown, hits?.value ?? 0, total?.certainty === "atLeast" ? total.value : 0);
  const amount = sure
    ? what(total.value)
    : total?.certainty === "estimate" && total.value > least
      ? `about ${what(total.value)}`
      : `at least ${what(least)}`;
  const said = remark?.(known);
  const end = `${where}${said ? `; ${said}` : ""}`;
  if (sure && (shown === 0 || (from === 0 && shown >= total.value))) return `${amount}${end}`;
  return `${grouped(from + 1)} to ${grouped(from + shown)} of ${amount}${end}`;
}

/** While there is nothing to show yet. */
export function waitingText({ noun }: RowsView, { done, of, hits }: Known): string {
  const part = done !== undefined && of ? ` ${Math.floor((100 * done) / of)}% looked at` : "";
  const found = hits && hits.value > 0 ? `, ${counted(hits.value, "hit")}` : "";
  return `looking for ${noun[1]} …${part}${found}`;
}

/** Not wider than the terminal: a line that wraps cannot be taken back. */
export function fitted(line: string, width: number): string {
  return cells(line) < width ? line : `${first(line, Math.max(0, width - 2))}…`;
}
