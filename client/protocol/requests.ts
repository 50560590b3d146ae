/** Is it something that a client may send? What it means is for the verb to say. */
import type { ClientMessage, Credit, ErrorBody, Request, RequestId, Seek } from "./messages.js";

export type Read = { message: ClientMessage } | { problem: ErrorBody; id?: RequestId };

const natural = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Unknown fields are left as they are. */
export function readClientMessage(value: Record<string, unknown>): Read {
  const { id, verb } = value;
  if (!natural(id)) return wrong("a message needs an id: a whole number that is not negative");
  if (typeof verb !== "string" || verb === "") return wrong("a message needs a verb", id);
  switch (verb) {
    case "credit":
      return natural(value.rows)
        ? { message: value as unknown as Credit }
        : wrong("credit needs rows: how many more may be sent", id);
    case "seek":
      if (!natural(value.row)) return wrong("seek needs a row: the one that is to come next", id);
      return isOptional(value.credit)
        ? { message: value as unknown as Seek }
        : wrong("credit is a whole number of rows", id);
    default:
      return wrongRequest(value, id) ?? { message: value as unknown as Request };
  }
}

function isOptional(value: unknown): boolean {
  return value === undefined || value === null || natural(value);
}

function wrongRequest(
  { corpus, credit, timeoutMs }: Record<string, unknown>,
  id: RequestId,
): Read | undefined {
  if (corpus !== undefined && corpus !== null && typeof corpus !== "string")
    return wrong('corpus is a name, as "brown" or "brown@3"', id);
  if (!isOptional(credit)) return wrong("credit is a whole number of rows", id);
  if (!isOptional(timeoutMs)) return wrong("timeoutMs is a whole number", id);
  return undefined;
}

function wrong(message: string, id?: RequestId): Read {
  return { problem: { code: "bad_message", message, retryable: false }, id };
}
