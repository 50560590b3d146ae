/** What can be asked of a corpus, as other rooms see it. */
export type { Query, Span, Strategy } from "./cql/ast.js";
export { renderDiagnostics } from "./cql/diagnose.js";
export { type Diagnostic, parse } from "./cql/parse.js";
export { print } from "./cql/print.js";
export { type Notice, QueryError } from "./plan/errors.js";
export { measure, type PlanStep, planOf } from "./plan/explain.js";
export { Engine } from "./run/engine.js";
export { type FindOptions, type Found, findAll } from "./run/find.js";
export { labelsOf } from "./run/local.js";
export type { Prepared, QueryOptions } from "./run/prepare.js";
export type { Block } from "./run/strategy.js";
