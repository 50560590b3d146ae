/** Tables of statistics, as wide as the terminal: what is too wide is cut in the columns of text. */
import { grouped, table } from "../cli/format.js";
import { cells, first, harmless } from "../cli/width.js";
import type { Cell } from "../cli/xlsx.js";

export interface Column<Row> {
  heading: string;
  value(row: Row): Cell | undefined;
  /** Digits behind the point; whole numbers, if nothing is said. */
  digits?: number;
}

/** No column of text is cut to less. */
const textCellsMin = 8;

export function headings<Row>(columns: Column<Row>[]): string[] {
  return columns.map(({ heading }) => heading);
}

/** 1234.5678 → 1,234.57 */
function decimal(number: number, digits: number): string {
  const [whole, rest] = Math.abs(number).toFixed(digits).split(".");
  return `${number < 0 ? "−" : ""}${grouped(Number(whole))}${rest === undefined ? "" : `.${rest}`}`;
}

function cellText(value: Cell | undefined, digits = 0): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? decimal(value, digits) : harmless(value);
}

export function layOutTable<Row>(
  columns: Column<Row>[],
  rows: readonly Row[],
  width: number,
  bold: (text: string) => string,
): string[] {
  const texts = rows.map((row) => columns.map(({ value, digits }) => cellText(value(row), digits)));
  const numeric = columns.map(({ value }) => rows.every((row) => typeof value(row) !== "string"));
  const wide = columns.map(({ heading }, at) =>
    texts.reduce((most, row) => Math.max(most, cells(row[at])), cells(heading)),
  );
  const gaps = 2 * (columns.length - 1);
  let over = wide.reduce((sum, one) => sum + one, gaps) - width;
  // The widest column of text gives way first.
  while (over > 0) {
    const widest = wide.reduce(
      (best, own, at) => (!numeric[at] && own > textCellsMin && (best < 0 || own > wide[best]) ? at : best),
      -1,
    );
    if (widest < 0) break;
    wide[widest]--;
    over--;
  }
  const cut = (text: string, at: number) =>
    cells(text) <= wide[at] ? text : `${first(text, wide[at] - 1)}…`;
  const [heading, ...lines] = table(
    columns.map((column, at) => `${numeric[at] ? ">" : ""}${cut(column.heading, at)}`),
    texts.map((row) => row.map(cut)),
  );
  return [bold(heading), ...lines];
}
