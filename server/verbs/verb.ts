/**
 * What a verb is. All there are stand in table.ts; adding one is adding an entry there.
 *
 *   desk verbs      are answered by a thread, at the desk of a corpus
 *   catalogue verbs are answered at once, from what the catalogue and the server know; they compute nothing
 */
import type { Notice } from "../../client/protocol/messages.js";
import type { Desk } from "../../ql/index.js";
import type { Level } from "../access/levels.js";
import { refusal } from "../problems.js";
import type { Caps } from "../threads/messages.js";
import { narrowed } from "./narrow.js";
import type { Rows } from "./rows.js";

export type Parameters = Record<string, unknown>;

/** Is it a value that the parameter may have? */
export type Test = (value: unknown) => boolean;

interface Named {
  /** What one needs on the corpus, or where there is none on the whole server. */
  access: Level;
  /** Must a corpus be named, may it be? */
  corpus: "needed" | "optional" | "none";
  /** Those whose names end in "!" must be given. Others are ignored. */
  parameters: Record<string, Test>;
}

/** A question, at a desk. */
export interface Asking {
  desk: Desk;
  parameters: Parameters;
  /** The desk of another corpus that the verb's `others` named. */
  deskOf(corpus: string): Desk;
  notices: Notice[];
  /** Limits that were hit, by name. */
  limits: Record<string, number>;
  caps: Caps;
}

export interface ResultVerb extends Named {
  kind: "result";
  /** Does it always take long? */
  heavy?: boolean;
  /** Corpora that are read besides. */
  others?(parameters: Parameters): string[];
  answer(asking: Asking): unknown;
}

export interface StreamVerb extends Named {
  kind: "stream";
  heavy?: boolean;
  others?(parameters: Parameters): string[];
  open(asking: Asking): Promise<Rows> | Rows;
}

export type DeskVerb = ResultVerb | StreamVerb;

/** Values that parameters have. */
export const text: Test = (value) => typeof value === "string";
export const flag: Test = (value) => typeof value === "boolean";
export const whole: Test = (value) => Number.isSafeInteger(value);
export const natural: Test = (value) => whole(value) && (value as number) >= 0;
export const positive: Test = (value) => natural(value) && value !== 0;
export const number: Test = (value) => typeof value === "number" && Number.isFinite(value);
export const texts: Test = (value) => Array.isArray(value) && value.every(text);
export const textOrTexts: Test = (value) => text(value) || texts(value);
export const object: Test = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
export const list: Test = (value) => Array.isArray(value);
export const textOrObject: Test = (value) => text(value) || object(value);
export const oneOf =
  (...words: readonly string[]): Test =>
  (value) =>
    words.includes(value as string);

/** Throws if a verb cannot be asked so. null is as good as nothing: not every language can leave a field out. */
export function checkParameters(name: string, verb: Named, given: Parameters): Parameters {
  const taken: Parameters = {};
  // Whatever takes a subcorpus takes a condition, too.
  const tests = verb.parameters.subcorpus ? { ...verb.parameters, where: text } : verb.parameters;
  for (const [marked, test] of Object.entries(tests)) {
    const needed = marked.endsWith("!");
    const parameter = needed ? marked.slice(0, -1) : marked;
    const value = Object.hasOwn(given, parameter) ? given[parameter] : undefined;
    if (value === undefined || value === null) {
      if (needed) throw refusal("bad_parameter", `${name} needs ${parameter}`);
      continue;
    }
    if (!test(value)) {
      throw refusal(
        "bad_parameter",
        `${name} cannot have ${parameter} = ${JSON.stringify(value)?.slice(0, 100)}`,
        "docs/PROTOCOL.md says what it may be.",
      );
    }
    taken[parameter] = value;
  }
  return narrowed(taken);
}
