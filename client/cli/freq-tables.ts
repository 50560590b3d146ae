/** Frequencies as people read them: tables that fit the terminal, with bars where a shape says more than numbers. */
import type {
  Dispersion,
  Distribution,
  FrequencyList,
  FrequencyRow,
  Totals,
  TotalsResult,
  TrendResult,
} from "../../ql/index.js";
import { grouped, table } from "./format.js";

const measures: [keyof Dispersion, string][] = [
  ["arf", "ARF"],
  ["aldf", "ALDF"],
  ["juillandD", "D"],
  ["dp", "DP"],
  ["dpNorm", "DPnorm"],
];

/** 1234.5678 → 1,234.57 */
function decimal(number: number | null | undefined, digits: number): string {
  if (number === null || number === undefined) return "–";
  const [whole, rest] = Math.abs(number).toFixed(digits).split(".");
  return `${number < 0 ? "−" : ""}${grouped(Number(whole))}.${rest}`;
}

interface NumberColumn {
  heading: string;
  cell(row: FrequencyRow): string;
}

export function frequencyLines(list: FrequencyList, from: number, citation: string, width: number): string[] {
  const { rows, by, hits, rowsTotal } = list;
  const numbers = numberColumns(list);
  const cells = rows.map((row) => numbers.map(({ cell }) => cell(row)));
  const taken = numbers.reduce(
    (sum, { heading }, at) => sum + 2 + Math.max(heading.length, ...cells.map((row) => row[at].length)),
    0,
  );
  const room = Math.max(8, Math.floor((width - taken - 2 * (by.length - 1)) / by.length));
  const lines = table(
    [...by.map((key) => cut(key, room)), ...numbers.map(({ heading }) => `>${heading}`)],
    rows.map(({ values }, i) => [...values.map((value) => cut(value || "(none)", room)), ...cells[i]]),
  );
  const which =
    rows.length === 0 || rows.length === rowsTotal
      ? ""
      : `, ${grouped(from + 1)} to ${grouped(from + rows.length)} shown`;
  return [
    ...(rows.length > 0 ? lines : []),
    `${matches(hits)} in ${citation}; ${grouped(rowsTotal)} ${rowsTotal === 1 ? "row" : "rows"}${which}`,
  ];
}

function numberColumns({ documents, rows, arf }: FrequencyList): NumberColumn[] {
  const hasTypes = rows.some(({ textTypeTokens }) => textTypeTokens !== undefined);
  return [
    { heading: "count", cell: ({ count }) => grouped(count) },
    { heading: "per million", cell: ({ perMillion }) => decimal(perMillion, 2) },
    ...(documents === null
      ? []
      : [{ heading: "documents", cell: (row: FrequencyRow) => grouped(row.documents ?? 0) }]),
    ...(hasTypes
      ? [
          { heading: "tokens", cell: (row: FrequencyRow) => grouped(row.textTypeTokens ?? 0) },
          { heading: "density %", cell: (row: FrequencyRow) => decimal(row.density, 1) },
        ]
      : []),
    ...(arf === undefined
      ? []
      : measures.map(([measure, heading]) => ({
          heading,
          cell: (row: FrequencyRow) => decimal(row[measure], 3),
        }))),
  ];
}

function cut(text: string, room: number): string {
  const letters = [...text];
  return letters.length > room ? `${letters.slice(0, room - 1).join("")}…` : text;
}

function matches(hits: number): string {
  return `${grouped(hits)} ${hits === 1 ? "match" : "matches"}`;
}

export function totalsLines(totals: TotalsResult, citation: string): string[] {
  const { parts } = totals;
  const over =
    parts === null
      ? ""
      : parts.kind === "documents"
        ? " (over documents)"
        : ` (over ${grouped(parts.count)} parts)`;
  return table(
    ["", ">"],
    [...totalRows(totals), ...measures.map(([measure, name]) => [name, decimal(totals[measure], 3)])],
  )
    .slice(1)
    .concat(`in ${citation}, ${grouped(totals.tokens)} tokens${over}`);
}

function totalRows({ hits, perMillion, documents }: Totals): string[][] {
  return [
    ["matches", grouped(hits)],
    ["per million", decimal(perMillion, 2)],
    ...(documents === null ? [] : [["documents", grouped(documents)]]),
  ];
}

/** Numbers in columns, and a bar for the last of them in what is left of the line. */
function withBars(headings: string[], rows: { cells: string[]; height: number }[], width: number): string[] {
  const lines = table(
    headings.map((heading) => `>${heading}`),
    rows.map(({ cells }) => cells),
  );
  const room = Math.min(60, Math.max(0, width - lines[0].length - 2));
  const most = rows.reduce((largest, { height }) => Math.max(largest, height), 0);
  return lines.map((line, i) => {
    const height = i > 0 && most > 0 ? Math.round((rows[i - 1].height / most) * room) : 0;
    return height > 0 ? `${line}  ${"▇".repeat(height)}` : line;
  });
}

export function distributionLines(
  { distribution, hits, tokens }: Distribution,
  citation: string,
  width: number,
): string[] {
  const rows = distribution.map((part) => ({
    cells: [grouped(part.from), grouped(part.tokens), grouped(part.hits), decimal(part.perMillion, 2)],
    height: part.perMillion,
  }));
  return [
    ...withBars(["from token", "tokens", "matches", "per million"], rows, width),
    `${matches(hits)} in ${citation}, ${grouped(tokens)} tokens`,
  ];
}

export function trendLines(
  { points, trend, over, bin, hits }: TrendResult,
  citation: string,
  width: number,
): string[] {
  const rows = points.map((point) => ({
    cells: [String(point.value), grouped(point.tokens), grouped(point.hits), decimal(point.perMillion, 2)],
    height: point.perMillion,
  }));
  const way = trend && trend.p < 0.05 && trend.slope !== 0 ? (trend.slope > 0 ? "it rises" : "it falls") : "";
  return [
    ...withBars([bin === null ? over : `${over} from`, "tokens", "matches", "per million"], rows, width),
    `${matches(hits)} in ${citation}`,
    ...(trend
      ? [
          `trend: ${slopeText(trend.slope)} per million for each 1 of ${over} (Theil–Sen), p = ${trend.p.toPrecision(2)} (Mann–Kendall)${way && `: ${way}`}`,
        ]
      : []),
  ];
}

function slopeText(slope: number): string {
  const size = Math.abs(slope);
  return `${slope < 0 ? "−" : "+"}${size >= 100 ? decimal(size, 1) : size.toPrecision(3)}`;
}
