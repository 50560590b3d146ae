/** Concordance lines for people: what stands around each match, the match in the middle. */
import type { Snapshot } from "../../storage/index.js";

export interface KwicLine {
  position: number;
  left: string;
  match: string;
  right: string;
}

/** `context` tokens on each side, put together as they were written. */
export function kwicLine(snapshot: Snapshot, begin: number, end: number, context: number): KwicLine {
  const from = Math.max(0, begin - context);
  const to = Math.min(snapshot.tokens, end + context);
  return {
    position: begin,
    left: textOf(snapshot, from, begin),
    match: textOf(snapshot, begin, end),
    right: textOf(snapshot, end, to),
  };
}

/** The words of [from, to), without a space where none was. */
function textOf(snapshot: Snapshot, from: number, to: number): string {
  if (from >= to) return "";
  const { defaultAttribute } = snapshot;
  const ids = new Uint32Array(to - from);
  snapshot.ids(defaultAttribute, from, to - from, ids);
  let text = "";
  for (let i = 0; i < ids.length; i++) {
    const segment = snapshot.segmentAt(from + i);
    const glued = i === 0 || segment.glued(from + i - segment.start);
    text += `${glued ? "" : " "}${defaultAttribute.lexicon.string(ids[i])}`;
  }
  return text;
}

/** Lines as wide as the terminal, cut from the outside; matches that are longer than half of it, in their middle. */
export function layOut(lines: KwicLine[], width: number): string[] {
  const digits = String(Math.max(0, ...lines.map(({ position }) => position))).length;
  const half = Math.floor(width / 2);
  const middle = Math.min(Math.max(0, ...lines.map(({ match }) => length(match))), half);
  const side = Math.max(10, Math.floor((width - digits - middle - 6) / 2));
  return lines.map(({ position, left, match, right }) => {
    const shownLeft = length(left) > side ? `…${last(left, side - 1)}` : left;
    const shownRight = length(right) > side ? `${first(right, side - 1)}…` : right;
    const shownMatch =
      length(match) > half
        ? `${first(match, Math.ceil((half - 1) / 2))}…${last(match, Math.floor((half - 1) / 2))}`
        : match;
    return `${String(position).padStart(digits)}  ${" ".repeat(Math.max(0, side - length(shownLeft)))}${shownLeft} [${shownMatch}] ${shownRight}`;
  });
}

const length = (text: string) => [...text].length;
const first = (text: string, count: number) => [...text].slice(0, count).join("");
const last = (text: string, count: number) => [...text].slice(Math.max(0, length(text) - count)).join("");
