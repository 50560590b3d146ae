/**
 * Lines written to a file or to standard output, as many as there are, with no more memory for a million than for a
 * thousand: they are made and written some at a time.
 *
 *   text    as people read them, each line whole
 *   csv     a table for spreadsheets      tsv   one for programs (cells.ts)
 *   xlsx    a spreadsheet (xlsx.ts)
 *   jsonl   one JSON object a line, with the fields that --json gives
 *
 * The columns of tables: begin, end, each reference, left, match, right, and each corpus that is aligned.
 */
import type { Line } from "../../ql/index.js";
import { csvRow, tsvRow } from "./cells.js";
import { alignedText, type Layout, layOut, layoutOf, type View } from "./kwic.js";
import type { Sink } from "./sink.js";
import { type Cell, XlsxWriter } from "./xlsx.js";

export const formats = ["text", "csv", "tsv", "jsonl", "xlsx"] as const;
export type Format = (typeof formats)[number];

const endings: Record<string, Format> = {
  txt: "text",
  text: "text",
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  xlsx: "xlsx",
};

/** The format that a file's name speaks of. */
export function formatOf(path: string): Format | undefined {
  return endings[/\.([a-z]+)$/i.exec(path)?.[1].toLowerCase() ?? ""];
}

export interface ExportOptions {
  format: Format;
  /** What the lines are of: the name of a sheet. */
  corpus: string;
  refs: readonly string[];
  aligned: readonly string[];
  /** For text: lines are cut to this width, or, where there is none, as long as they are. */
  view: View;
  width?: number;
}

export interface Exported {
  lines: number;
  sheets?: number;
  /** Cells whose text was cut. */
  cutCells?: number;
}

/** Writes all lines. Closes nothing. */
export async function exportLines(
  pages: AsyncIterable<readonly Line[]>,
  sink: Sink,
  options: ExportOptions,
): Promise<Exported> {
  if (options.format === "xlsx") return exportSheets(pages, sink, options);
  let lines = 0;
  if (options.format === "csv") await sink.write(csvRow(headings(options)));
  if (options.format === "tsv") await sink.write(tsvRow(headings(options)));
  const printed = printer(options);
  for await (const page of pages) {
    await sink.write(printed(page));
    lines += page.length;
  }
  return { lines };
}

function headings({ refs, aligned }: ExportOptions): string[] {
  return ["begin", "end", ...refs, "left", "match", "right", ...aligned];
}

function cellsOf(line: Line, { refs, aligned }: ExportOptions): Cell[] {
  return [
    line.begin,
    line.end,
    ...refs.map((name) => line.refs?.[name] ?? null),
    line.left,
    line.match,
    line.right,
    ...aligned.map((corpus) => alignedText(line, corpus)),
  ];
}

function printer(options: ExportOptions): (page: readonly Line[]) => string {
  const joined = (print: (line: Line) => string) => (page: readonly Line[]) => page.map(print).join("");
  switch (options.format) {
    case "csv":
      return joined((line) => csvRow(cellsOf(line, options)));
    case "tsv":
      return joined((line) => tsvRow(cellsOf(line, options)));
    case "jsonl":
      return joined((line) => `${JSON.stringify(line)}\n`);
    default: {
      // As wide as the first page needs: the others stand under it.
      let layout: Layout | undefined;
      return (page) => {
        layout ??= layoutOf(page, options.width ?? Number.POSITIVE_INFINITY, options.view);
        return layOut(page, layout)
          .map((line) => `${line}\n`)
          .join("");
      };
    }
  }
}

async function exportSheets(
  pages: AsyncIterable<readonly Line[]>,
  sink: Sink,
  options: ExportOptions,
): Promise<Exported> {
  const writer = new XlsxWriter(sink, options.corpus, headings(options));
  let lines = 0;
  for await (const page of pages) {
    for (const line of page) await writer.row(cellsOf(line, options));
    lines += page.length;
  }
  await writer.finish();
  return { lines, sheets: writer.sheets, ...(writer.cut > 0 && { cutCells: writer.cut }) };
}
