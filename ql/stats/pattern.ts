/** Patterns that lists are asked with: what is wrong with one is told with the pattern, and where in it. */
import { DugongError } from "../../storage/index.js";
import { compilePattern, PatternError } from "../regex/index.js";

export function patternOf(...asked: Parameters<typeof compilePattern>): ReturnType<typeof compilePattern> {
  try {
    return compilePattern(...asked);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const { code, message, offset, hint } = error;
    const where = `${JSON.stringify(asked[0].slice(0, 80))}, at character ${offset + 1}`;
    throw new DugongError(code, `the pattern ${where}: ${message}`, hint);
  }
}
