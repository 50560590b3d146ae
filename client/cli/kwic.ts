/**
 * Lines for people, as wide as the terminal; or as wide as they are, with nothing cut (a width of Infinity).
 *
 *   kwic       where it is  …what stands before [the match] what stands behind…
 *   sentence   where it is  all of it, over several lines if need be, with [the match] in it
 */
import type { Line, Reference } from "../../ql/index.js";
import { cells, first, harmless, last, padEnd, padStart, wrap } from "./width.js";

export type View = "kwic" | "sentence";

/** How parts of a line look, where there are colours. */
export interface Paint {
  match(text: string): string;
  reference(text: string): string;
  /** Does the match stand in brackets? */
  brackets: boolean;
}

const unpainted: Paint = { match: (text) => text, reference: (text) => text, brackets: true };
/** Where a match begins and ends, while a line is laid out. No text has them (harmless). */
const [begins, ends] = ["\u0001", "\u0002"];

/** What lines have in common: so that those that come later stand under the first ones. */
export interface Layout {
  view: View;
  width: number;
  /** Cells of each reference. */
  refs: { name: string; cells: number; right: boolean }[];
  /** Cells for what stands before a match. */
  side: number;
  paint: Paint;
}

/** No reference takes more. */
const refCellsMax = 30;
/** What is left for text, however narrow the terminal and long the references. */
const sideMin = 10;
/** Where nothing is cut: what is wider before a match sticks out, instead of moving all the others. */
const sideMax = 200;

/** Of lines without references, where they begin is shown. */
function refsOf({ begin, refs }: Line): Record<string, Reference> {
  return refs ?? { "#": begin };
}

const shown = (ref: Reference) => harmless(String(ref ?? ""));

export function layoutOf(
  lines: readonly Line[],
  width: number,
  view: View,
  paint: Paint = unpainted,
): Layout {
  const names = lines.length > 0 ? Object.keys(refsOf(lines[0])) : [];
  const refs = names.map((name) => {
    const values = lines.map((line) => refsOf(line)[name]);
    const widest = values.reduce<number>((most, value) => Math.max(most, cells(shown(value))), 0);
    const right = values.every((value) => value === null || typeof value === "number");
    return { name, cells: width < Number.POSITIVE_INFINITY ? Math.min(refCellsMax, widest) : widest, right };
  });
  if (width === Number.POSITIVE_INFINITY) {
    const widest = lines.reduce((most, { left }) => Math.max(most, cells(harmless(left))), 0);
    return { view, width, refs, side: Math.min(sideMax, widest), paint };
  }
  const head = refs.reduce((sum, ref) => sum + ref.cells + 2, 0);
  const half = Math.floor(width / 2);
  const middle = lines.reduce((most, { match }) => Math.max(most, cells(harmless(match))), 0);
  const side = Math.max(sideMin, Math.floor((width - head - Math.min(middle, half) - 4) / 2));
  return { view, width, refs, side, paint };
}

export function layOut(lines: readonly Line[], layout: Layout): string[] {
  return lines.flatMap((line) =>
    layout.view === "kwic"
      ? [...painted([kwicLine(line, layout)], layout.paint), ...alignedLines(line, layout)]
      : sentence(line, layout),
  );
}

/** Lines of one match, which may go over several of them. */
function painted(lines: string[], { match, brackets }: Paint): string[] {
  const [opened, closed] = brackets ? ["[", "]"] : ["", ""];
  let inside = false;
  return lines.map((line) =>
    line
      .split(/([\u0001\u0002])/)
      .map((part) => {
        if (part !== begins && part !== ends) return inside && part !== "" ? match(part) : part;
        inside = part === begins;
        return inside ? opened : closed;
      })
      .join(""),
  );
}

function headOf(line: Line, { refs, width }: Layout): string {
  const values = refsOf(line);
  return refs
    .map((ref) => {
      const text = shown(values[ref.name]);
      const cut =
        width < Number.POSITIVE_INFINITY && cells(text) > ref.cells ? `${first(text, ref.cells - 1)}…` : text;
      return `${ref.right ? padStart(cut, ref.cells) : padEnd(cut, ref.cells)}  `;
    })
    .join("");
}

function kwicLine(line: Line, layout: Layout): string {
  const { width, side } = layout;
  const [left, match, right] = [harmless(line.left), harmless(line.match), harmless(line.right)];
  const half = Math.floor(width / 2);
  const shownLeft =
    width < Number.POSITIVE_INFINITY && cells(left) > side ? `…${last(left, side - 1)}` : left;
  const shownMatch =
    cells(match) > half
      ? `${first(match, Math.ceil((half - 1) / 2))}…${last(match, Math.floor((half - 1) / 2))}`
      : match;
  const head = headOf(line, layout);
  const begun = `${padStart(shownLeft, side)} ${begins}${shownMatch}${ends} `;
  const taken = cells(head) + Math.max(side, cells(shownLeft)) + cells(shownMatch) + 4;
  const room = Math.max(sideMin, width - taken);
  return layout.paint.reference(head) + begun + (cells(right) > room ? `${first(right, room - 1)}…` : right);
}

/** The text of a line as it was written. */
function wholeText({ left, match, right, gluedLeft, gluedRight }: Line): string {
  const before = left === "" || gluedLeft ? left : `${left} `;
  const after = right === "" || gluedRight ? right : ` ${right}`;
  return `${harmless(before)}${begins}${harmless(match)}${ends}${harmless(after)}`;
}

function sentence(line: Line, layout: Layout): string[] {
  const head = headOf(line, layout);
  const indent = Math.min(cells(head), Math.floor(layout.width / 2));
  const room = Math.max(sideMin, layout.width - indent);
  const { reference } = layout.paint;
  const lines = painted(wrap(wholeText(line), room), layout.paint);
  const indented = lines.map((text) => " ".repeat(indent) + text);
  const own =
    cells(head) <= indent
      ? [reference(head) + lines[0], ...indented.slice(1)]
      : [reference(head.trimEnd()), ...indented];
  return [...own, ...alignedLines(line, layout)];
}

/** What another corpus has for a line; where that is several stretches, with … between them. */
export function alignedText({ aligned }: Line, corpus: string): string {
  return (aligned?.[corpus] ?? []).map(({ text }) => text).join(" … ");
}

/** What other corpora have for a line, below it. */
function alignedLines(line: Line, { width, view }: Layout): string[] {
  return Object.keys(line.aligned ?? {}).flatMap((corpus) => {
    const text = `  ${corpus}: ${harmless(alignedText(line, corpus)) || "–"}`;
    if (view === "sentence")
      return wrap(text.trimStart(), Math.max(sideMin, width - 2)).map((one) => `  ${one}`);
    return [cells(text) > width ? `${first(text, width - 1)}…` : text];
  });
}

/** One match with much around it. */
export function layOutWhole(line: Line, width: number, paint: Paint = unpainted): string[] {
  const refs = Object.entries(refsOf(line)).map(([name, value]) => `${name} ${shown(value)}`);
  const own = painted(wrap(wholeText(line), width), paint);
  const aligned = Object.keys(line.aligned ?? {}).flatMap((corpus) => [
    "",
    ...wrap(`${corpus}: ${harmless(alignedText(line, corpus)) || "–"}`, width),
  ]);
  return [paint.reference(refs.join("  ")), "", ...own, ...aligned];
}
