/**
 * Errors that people and programs can act on: a code for programs, a sentence that says what and where,
 * and a hint that says what to do. Anything else that is thrown is a bug.
 */
export class DugongError extends Error {
  override readonly name = "DugongError";

  constructor(
    /** Stable, lower_case_with_underscores: what a program switches on. */
    readonly code: string,
    message: string,
    /** What to do about it, as a sentence. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
