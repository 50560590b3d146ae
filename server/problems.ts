/** Errors as clients are told of them. What is not ours to tell stays in the log. */
import type { ErrorBody, Notice, Span } from "../client/protocol/messages.js";
import { DugongError } from "../storage/index.js";

/** Codes of what may go better later, with the same request. */
const retryable = new Set([
  "append_ended",
  "busy",
  "budget_spent",
  "corpus_busy",
  "draining",
  "thread_ended",
  "too_many_streams",
  "too_many_connections",
  "internal",
]);

export function problem(code: string, message: string, hint?: string): ErrorBody {
  return { code, message, ...(hint !== undefined && { hint }), retryable: retryable.has(code) };
}

/** To whom had a request that another has ended. */
export const killed: Notice = { code: "killed", message: "the request was ended by an administrator" };

/** Ends requests that were begun before. */
export const budgetSpent = problem(
  "budget_spent",
  "what you may use in an hour is used up (budgets rowsPerHour, cpuMsPerHour)",
);
export const tokenExpired = problem(
  "token_expired",
  "the token has expired, or was revoked, while the request was under way",
);

/** Was this thrown to be told? Otherwise it is a bug. */
export function isTold(error: unknown): error is DugongError {
  return error instanceof DugongError || (error as Error | undefined)?.name === "DugongError";
}

export function problemOf(error: unknown): ErrorBody {
  if (!isTold(error)) {
    return problem(
      "internal",
      "something went wrong on the server that should not",
      "Its log says what. The same request may go well later.",
    );
  }
  const { code, message, hint, span } = error as DugongError & { span?: Span };
  return { ...problem(code, message, hint), ...(span && { span }) };
}

/** A request that is refused: thrown where it is found out. */
export function refusal(code: string, message: string, hint?: string): DugongError {
  return new DugongError(code, message, hint);
}
