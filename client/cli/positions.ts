/** Matches as positions, with what labels are bound to: for programs. */
import type { Chain, Corpus, Notice, PositionRow, Rows } from "../index.js";
import { limits } from "./limits.js";
import { write } from "./output.js";

export interface Position {
  begin: number;
  end: number;
  labels: Record<string, { begin: number; end: number }>;
}

/** What is known when all has been gone through. */
export interface Total {
  hits: number;
  notices: Notice[];
}

type Bound = NonNullable<PositionRow["labels"]>;

/** Matches [from, from + limit); all are counted, whether they are wanted or not. */
export async function positions(
  corpus: Corpus,
  chain: Chain,
  from: number,
  limit: number,
): Promise<Total & { items: Position[] }> {
  const items: Position[] = [];
  const rows = corpus.positions(chain, { windowRows: limits.windowRows });
  for await (const { columns, count } of rows.part(from, limit)) {
    const { begin, end, labels } = columns as { begin: number[]; end: number[]; labels?: Bound[] };
    for (let i = 0; i < count; i++)
      items.push({ begin: begin[i], end: end[i], labels: rangesOf(labels?.[i]) });
  }
  return { ...totalOf(rows), items };
}

function totalOf({ known }: Rows<PositionRow>): Total {
  return { hits: known.total?.value ?? 0, notices: known.end?.notices ?? [] };
}

function rangesOf(bound: Bound = {}): Position["labels"] {
  return Object.fromEntries(Object.entries(bound).map(([label, [begin, end]]) => [label, { begin, end }]));
}

/** {"items":[…],"hits":N}, written as they are found: the number is known last. */
export async function writePositions(
  corpus: Corpus,
  chain: Chain,
  from: number,
  limit: number,
  json: boolean,
): Promise<Total> {
  let text = json ? '{"items":[' : "";
  let separator = "";
  const rows = corpus.positions(chain, { windowRows: limits.windowRows });
  for await (const { columns, count } of rows.part(from, limit)) {
    const { begin, end, labels } = columns as { begin: number[]; end: number[]; labels?: Bound[] };
    for (let i = 0; i < count; i++) {
      if (json) {
        const shown = labels ? JSON.stringify(rangesOf(labels[i])) : "{}";
        text += `${separator}{"begin":${begin[i]},"end":${end[i]},"labels":${shown}}`;
      } else {
        const shown = Object.entries(labels?.[i] ?? {}).map(([label, [a, b]]) => ` ${label}:${a}-${b}`);
        text += `${begin[i]}-${end[i]}${shown.join("")}\n`;
      }
      separator = ",";
    }
    if (text.length > 1 << 16) {
      await write(text);
      text = "";
    }
  }
  const total = totalOf(rows);
  const { hits, notices } = total;
  if (json) text += `],"hits":${hits}${notices.length > 0 ? `,"notices":${JSON.stringify(notices)}` : ""}}\n`;
  await write(text);
  return total;
}
