/**
 * Diagnostics as people read them in a terminal:
 *
 *     label 2 is never bound (there are 1). Put 2: before a token.
 *       1:[tag="JJ"] & 1.word = 2.word
 *                               ^^^^^^
 */
import { limits } from "./limits.js";
import type { Diagnostic } from "./parse.js";

const indent = "  ";

export function renderDiagnostics(text: string, diagnostics: Diagnostic[]): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(text, diagnostic)).join("\n\n");
}

function renderDiagnostic(text: string, { severity, message, hint, span }: Diagnostic): string {
  const sentence = hint ? `${message}. ${hint}` : message;
  const [line, marks] = marked(text, span);
  return `${severity === "warning" ? "warning: " : ""}${sentence}\n${indent}${line}\n${indent}${marks}`;
}

/** The line that a span begins in, and what marks the span below it. */
function marked(text: string, [start, end]: [number, number]): [line: string, marks: string] {
  const { from, to } = excerpt(text, start);
  const line = cells(text.slice(from, to));
  const begin = Math.min(start, to) - from;
  const stop = Math.max(Math.min(end, to) - from, begin);

  let shown = text[from - 1] === "\n" || from === 0 ? "" : "…";
  let blank = " ".repeat(shown.length);
  let carets = "";
  for (const cell of line) {
    shown += cell.shown;
    if (cell.end <= begin) blank += " ".repeat(cell.width);
    else if (cell.at < stop) carets += "^".repeat(cell.width);
  }
  if (to < text.length && !/[\r\n]/.test(text[to])) shown += "…";
  return [shown, blank + (carets || "^")];
}

/** The line around a place; of a long one, the part that is near. */
function excerpt(text: string, place: number): { from: number; to: number } {
  let from = place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
  const newline = text.indexOf("\n", place);
  let to = newline === -1 ? text.length : newline;
  if (text[to - 1] === "\r" && to > place) to--;
  const most = limits.renderedCharsMax;
  if (to - from > most) {
    from = Math.max(from, Math.min(place - (most >> 1), to - most));
    to = Math.min(to, from + most);
    // Not in the middle of a character.
    if (isLowSurrogate(text, from)) from++;
    if (isLowSurrogate(text, to)) to--;
  }
  return { from, to };
}

function isLowSurrogate(text: string, at: number): boolean {
  return text.charCodeAt(at) >> 10 === 0xdc00 >> 10;
}

/** One character as it is seen: with what combines with it. */
interface Cell {
  /** Offsets in the line. */
  at: number;
  end: number;
  shown: string;
  /** Columns in a terminal. */
  width: number;
}

function cells(line: string): Cell[] {
  const found: Cell[] = [];
  let at = 0;
  for (const character of line) {
    const end = at + character.length;
    const last = found.at(-1);
    if (last && /[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) {
      last.shown += character;
      last.end = end;
    } else if (/[\p{C}\p{Zl}\p{Zp}]/u.test(character)) {
      // Neither a tab nor what a terminal takes for a command may move the marks.
      found.push({ at, end, shown: character === "\t" ? " " : "\ufffd", width: 1 });
    } else found.push({ at, end, shown: character, width: isWide(character) ? 2 : 1 });
    at = end;
  }
  return found;
}

/** Characters that take two columns: East Asian wide and full-width ones, and emoji. */
function isWide(character: string): boolean {
  const code = character.codePointAt(0)!;
  return code >= 0x1100 && wide.some(([first, last]) => code >= first && code <= last);
}

const wide: [first: number, last: number][] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
