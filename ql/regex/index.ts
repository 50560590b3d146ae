/** Patterns over lexicons, as the rest of ql sees them. */
export { PatternError } from "./errors.js";
export type { IdSet } from "./ids.js";
export { regexLimits } from "./limits.js";
export { idsOfStrings } from "./literal.js";
export {
  type CompiledPattern,
  compilePattern,
  idsMatching,
  type MatchOptions,
  type PatternOptions,
} from "./match.js";
export { type PatternNode, parsePattern } from "./syntax.js";
