/** What can be wrong with a pattern, and where. */
import { DugongError } from "../../storage/index.js";
import { regexLimits } from "./limits.js";

/** A pattern that cannot be read: `offset` counts UTF-16 units from the start of the pattern. */
export class PatternError extends DugongError {
  constructor(
    message: string,
    readonly offset: number,
    hint?: string,
    code: "bad_pattern" | "pattern_too_large" = "bad_pattern",
  ) {
    super(code, message, hint);
  }
}

/** A pattern that is over a limit: `limit` is its name. */
export function tooLarge(what: string, limit: keyof typeof regexLimits, offset = 0): PatternError {
  return new PatternError(
    `${what} (limit ${limit}: ${regexLimits[limit].toLocaleString("en")})`,
    offset,
    "Make the pattern smaller, or ask for its parts one by one.",
    "pattern_too_large",
  );
}

export function tooCostly(pattern: string): DugongError {
  const limit = regexLimits.visitsMax.toLocaleString("en");
  return new DugongError(
    "pattern_too_costly",
    `the pattern ${shortened(pattern)} takes too many steps over this lexicon (limit visitsMax: ${limit})`,
    "Make counted repeats smaller, or begin the pattern with letters.",
  );
}

/** A pattern or a value as a message quotes it. */
export function shortened(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 77)}...`);
}
