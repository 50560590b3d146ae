/** What is wrong with a query, or what it cannot have: with the place in its text. */
import { DugongError } from "../../storage/index.js";
import type { Span } from "../cql/ast.js";
import type { Diagnostic } from "../cql/parse.js";

export class QueryError extends DugongError {
  constructor(
    code: string,
    message: string,
    hint?: string,
    readonly span?: Span,
    /** All that is wrong with it, where there is more than one thing. */
    readonly diagnostics: Diagnostic[] = [],
  ) {
    super(code, message, hint);
  }
}

/** Something worth knowing about a result: a limit that was hit, a condition that nothing meets. */
export interface Notice {
  code: string;
  message: string;
  span?: Span;
}
