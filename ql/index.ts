/** What can be asked of a corpus, as other rooms see it. */
export type { Query, Span, Strategy } from "./cql/ast.js";
export { type Diagnostic, parse } from "./cql/parse.js";
export { print } from "./cql/print.js";
export { type Notice, QueryError } from "./plan/errors.js";
export { type FindOptions, type Found, findAll } from "./run/find.js";
