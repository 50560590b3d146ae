/** What went wrong, as a program can use it: a code to switch on, a sentence and a hint for people, a place in the query. */
import type { ErrorBody, Notice, Span } from "./protocol/messages.js";

export class DugongClientError extends Error {
  override readonly name = "DugongClientError";
  /** Stable. */
  readonly code: string;
  declare readonly hint?: string;
  /** Where in the query, in UTF-16 units. */
  declare readonly span?: Span;
  /** May the same succeed if it is asked again later? */
  readonly retryable: boolean;
  /** Limits that were hit, by name. */
  declare readonly limits?: Record<string, number>;
  declare readonly notices?: Notice[];

  constructor(
    { code, message, hint, span, retryable }: ErrorBody,
    also: { limits?: Record<string, number>; notices?: Notice[]; cause?: unknown } = {},
  ) {
    super(message, also.cause === undefined ? undefined : { cause: also.cause });
    this.code = code;
    this.retryable = retryable;
    if (hint != null) this.hint = hint;
    if (span != null) this.span = span;
    if (also.limits) this.limits = also.limits;
    if (also.notices) this.notices = also.notices;
  }
}

export function problem(code: string, message: string, hint?: string, cause?: unknown): DugongClientError {
  return new DugongClientError({ code, message, hint, retryable: false }, { cause });
}

/** The connection is gone, or does not come about: it may be there later. */
export function disconnected(message: string, hint?: string, cause?: unknown): DugongClientError {
  return new DugongClientError({ code: "disconnected", message, hint, retryable: true }, { cause });
}
