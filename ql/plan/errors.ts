/** What is wrong with a query, or what it cannot have: with the place in its text. */
import { DugongError } from "../../storage/index.js";
import type { Span } from "../cql/ast.js";
import type { Diagnostic } from "../cql/parse.js";

/** What is wrong, as programs are told it; a tree that was built by hand has no places. */
export type Told = Omit<Diagnostic, "span"> & { span?: Span };

export class QueryError extends DugongError {
  /** All that is wrong with the query, this first. */
  readonly diagnostics: Told[];

  constructor(
    code: string,
    message: string,
    hint?: string,
    readonly span?: Span,
    diagnostics?: Told[],
  ) {
    super(code, message, hint);
    const told: Told = { code, severity: "error", message, ...(span && { span }), ...(hint && { hint }) };
    this.diagnostics = diagnostics ?? [told];
  }
}

/** Something worth knowing about a result: a limit that was hit, a condition that nothing meets. */
export interface Notice {
  code: string;
  message: string;
  span?: Span;
}
