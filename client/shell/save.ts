/** Rows written to a file, as many as there are: they are made and written some at a time. */
import { formatOf } from "../cli/export.js";
import { grouped } from "../cli/format.js";
import { fileSink, type Sink } from "../cli/sink.js";
import { XlsxWriter } from "../cli/xlsx.js";
import { problem } from "../errors.js";
import { plain } from "./colours.js";
import { limits } from "./limits.js";
import { type Format, printedHeadings, printedRow, type RowsView } from "./views.js";

/** Writes what a view shows; resolves to a sentence about it. */
export async function save(view: RowsView, path: string, signal?: AbortSignal): Promise<string> {
  const format = formatOf(path);
  if (!format)
    throw problem(
      "unknown_format",
      `what format ${path} is to have cannot be told by its name`,
      "It may end in .csv, .tsv, .jsonl, .xlsx or .txt.",
    );
  const sink = await fileSink(path);
  let count: number;
  try {
    count =
      format === "xlsx"
        ? await writeSheet(view, sink, signal)
        : await writeRows(view, sink, format, {}, signal);
    await sink.close();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  return `${grouped(count)} ${view.noun[count === 1 ? 0 : 1]} written to ${path}`;
}

/** Writes rows, at most so many; resolves to their number. */
export async function writeRows(
  view: RowsView,
  sink: Pick<Sink, "write">,
  format: Format,
  { limit = Number.POSITIVE_INFINITY, width = limits.widthDefault }: { limit?: number; width?: number },
  signal?: AbortSignal,
): Promise<number> {
  // Headings come with the first rows, or when it is known that there are none: not before an error.
  let count = 0;
  for await (const page of pagesOf(view, limit, signal)) {
    const isFirst = count === 0;
    if (isFirst) await sink.write(printedHeadings(view, format));
    count += page.length;
    if (format !== "text") await sink.write(page.map((row) => printedRow(view, row, format)).join(""));
    else {
      const lines = view.draw(page, { width, height: limits.blockRows }, plain);
      await sink.write(
        lines
          .slice(isFirst ? 0 : view.headingLines)
          .map((line) => `${line}\n`)
          .join(""),
      );
    }
  }
  if (count === 0) await sink.write(printedHeadings(view, format));
  return count;
}

async function* pagesOf({ rows }: RowsView, limit: number, signal?: AbortSignal): AsyncGenerator<unknown[]> {
  let page: unknown[] = [];
  let count = 0;
  if (limit === 0) return;
  for await (const row of rows) {
    signal?.throwIfAborted();
    page.push(row);
    if (++count === limit) break;
    if (page.length < limits.blockRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function writeSheet(view: RowsView, sink: Sink, signal?: AbortSignal): Promise<number> {
  const { corpus = view.noun[1] } = view.rows.request;
  const writer = new XlsxWriter(sink, String(corpus), view.headings);
  let count = 0;
  for await (const row of view.rows) {
    signal?.throwIfAborted();
    await writer.row(view.cellsOf(row));
    count++;
  }
  await writer.finish();
  return count;
}
