/**
 * Patterns with backreferences, which no automaton can decide. They are translated to a JavaScript expression and run in
 * a thread of their own over the strings that an automaton for a simpler pattern, which matches at least as much, has
 * left over. The caller waits. A run that takes too long is ended with the thread.
 *
 * What \1 means is JavaScript's: the text that the group matched last; where it took no part, the empty string.
 */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";
import { DugongError } from "../../storage/index.js";
import { type BackreferenceTask, DONE, FAILED, RUNNING, WAITING } from "./backreference-task.js";
import { type CodeSet, caseVariants, withoutMarks } from "./codes.js";
import { PatternError, shortened } from "./errors.js";
import { regexLimits } from "./limits.js";
import { onlyMarks, setCodes } from "./shape.js";
import type { PatternNode } from "./syntax.js";

export interface Expression {
  source: string;
  flags: string;
}

/** The same pattern for JavaScript's engine. */
export function translate(node: PatternNode, ignoreDiacritics: boolean): Expression {
  const ignoreCase = ignoresCase(node);
  if (ignoreCase === "mixed") {
    throw new PatternError(
      "a backreference that ignores case in a pattern that elsewhere does not is not supported",
      0,
      "Put (?i) in front of the whole pattern.",
    );
  }
  const flags = ignoreCase === "all" ? "iu" : "u";
  return { source: `^(?:${print(node, ignoreDiacritics)})$`, flags };
}

/** Does the engine have to ignore case? It can do so for all of a pattern or for nothing. */
function ignoresCase(node: PatternNode): "all" | "none" | "mixed" {
  let references = false;
  let minding = false;
  const look = (at: PatternNode): void => {
    if (at.kind === "backreference" && at.ignoreCase) references = true;
    else if ("ignoreCase" in at && !at.ignoreCase) minding = true;
    if ("items" in at) at.items.forEach(look);
    else if ("item" in at) look(at.item);
  };
  look(node);
  return !references ? "none" : minding ? "mixed" : "all";
}

function print(node: PatternNode, ignoreDiacritics: boolean): string {
  switch (node.kind) {
    case "literal": {
      const text = ignoreDiacritics ? withoutMarks(node.text) : node.text;
      return [...text]
        .map((character) => printCharacter(character.codePointAt(0)!, node.ignoreCase))
        .join("");
    }
    case "any":
      return "[^]";
    case "set":
      return onlyMarks(node, ignoreDiacritics) ? "(?:)" : printSet(setCodes(node, ignoreDiacritics));
    case "sequence":
      return node.items.map((item) => print(item, ignoreDiacritics)).join("");
    case "alternation":
      return `(?:${node.items.map((item) => print(item, ignoreDiacritics)).join("|")})`;
    case "repeat": {
      const { min, max } = node;
      const most = max === min ? "" : max === Number.POSITIVE_INFINITY ? "," : `,${max}`;
      return `(?:${print(node.item, ignoreDiacritics)}){${min}${most}}`;
    }
    case "group":
      return `(${print(node.item, ignoreDiacritics)})`;
    case "lookahead":
      return `(?${node.negated ? "!" : "="}${print(node.item, ignoreDiacritics)})`;
    case "anchor":
      return node.edge === "start" ? "^" : "$";
    case "backreference":
      return `(?:\\${node.group})`;
  }
}

function printCharacter(code: number, ignoreCase: boolean): string {
  // Half a character is in no text.
  if (code >= 0xd800 && code <= 0xdfff) return "[]";
  const variants = ignoreCase ? caseVariants(code) : [code];
  return variants.length === 1 ? codeEscape(code) : `[${variants.map(codeEscape).join("")}]`;
}

function printSet(codes: CodeSet): string {
  let ranges = "";
  for (let i = 0; i < codes.length; i += 2) ranges += `${codeEscape(codes[i])}-${codeEscape(codes[i + 1])}`;
  return `[${ranges}]`;
}

function codeEscape(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** Strings one after the other: string i is bytes [starts[i], starts[i + 1]). */
export interface Candidates {
  bytes: Uint8Array;
  starts: Uint32Array;
}

/** The thread, while it has nothing to do. */
let idle: Worker | undefined;

export interface Patience {
  /** What is promised to the user … */
  limitMs: number;
  /** … and what is left of it. The start of the thread does not count. */
  leftMs: number;
  checkpoint?: () => void;
}

/** Which of the strings match: 1 for each that does. */
export function testApart(
  pattern: string,
  expression: Expression,
  candidates: Candidates,
  { limitMs, leftMs, checkpoint }: Patience,
): Uint8Array {
  const count = candidates.starts.length - 1;
  if (count === 0) return new Uint8Array(0);
  const control = new Int32Array(new SharedArrayBuffer(8));
  const results = new Uint8Array(new SharedArrayBuffer(count));
  // Copies, because what is posted is a whole buffer, however little of it is meant.
  const bytes = new Uint8Array(candidates.bytes);
  const starts = new Uint32Array(candidates.starts);
  const worker = idle ?? startThread();
  idle = undefined;
  const task: BackreferenceTask = { ...expression, bytes, starts, control, results };
  try {
    worker.postMessage(task, [bytes.buffer, starts.buffer]);
    const ended = waitFor(control, leftMs, checkpoint);
    if (ended === DONE) idle = worker;
    else if (ended === FAILED) throw failed(pattern);
    else throw tookTooLong(pattern, limitMs, candidates, Atomics.load(control, 1));
  } finally {
    if (idle !== worker) void worker.terminate();
  }
  return results;
}

function startThread(): Worker {
  const worker = new Worker(builtFile("ql/regex/backreference-worker.js"));
  worker.unref();
  // Whoever waits for it sees that nothing comes.
  worker.on("error", () => {
    if (idle === worker) idle = undefined;
  });
  worker.on("exit", () => {
    if (idle === worker) idle = undefined;
  });
  return worker;
}

/** The state in which the task ended, or RUNNING if time is over. */
function waitFor(control: Int32Array, limitMs: number, checkpoint?: () => void): number {
  const posted = performance.now();
  let began: number | undefined;
  for (;;) {
    const state = Atomics.load(control, 0);
    if (state === DONE || state === FAILED) return state;
    const now = performance.now();
    if (state === WAITING && now - posted > regexLimits.threadStartMsMax) {
      throw new Error("the thread for backreferences does not start");
    }
    if (state === RUNNING) {
      began ??= now;
      if (now - began >= limitMs) return RUNNING;
    }
    checkpoint?.();
    Atomics.wait(control, 0, state, began === undefined ? 20 : Math.min(20, began + limitMs - now + 1));
  }
}

function tookTooLong(
  pattern: string,
  limitMs: number,
  { bytes, starts }: Candidates,
  at: number,
): DugongError {
  const value = Buffer.from(bytes.subarray(starts[at], starts[at + 1])).toString();
  const place = `value ${(at + 1).toLocaleString("en")} of ${(starts.length - 1).toLocaleString("en")}`;
  return new DugongError(
    "pattern_timeout",
    `the pattern ${shortened(pattern)} has a backreference and took longer than ${limitMs} ms; it had come to ${place}, ${shortened(value)}`,
    "Begin the pattern with letters, or repeat less inside repeats.",
  );
}

function failed(pattern: string): DugongError {
  return new DugongError(
    "pattern_too_large",
    `the pattern ${shortened(pattern)} has a backreference and is too large to be run`,
    "Make counted repeats smaller.",
  );
}
