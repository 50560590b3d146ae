/**
 * Errors in queries, shown to people with the place under the text of the query that has it. Whoever is asked says where
 * the first error of a request is; which of its queries that is, and what else is wrong there, `prepare` says.
 */
import type { Chain, Corpus, Meaning, Prepared, Span } from "../index.js";
import type { AskingOptions } from "./asking.js";
import { tell } from "./failure.js";

/** A query that may have been wrong, or the formula of a step. */
export type Suspect = (Meaning & { query: string }) | { formula: string };

type Diagnostic = Prepared["diagnostics"][number];

/** Asks; an error in one of these queries is shown where it is. */
export async function showingPlaces<Result>(
  corpus: Corpus,
  suspects: readonly Suspect[],
  { json }: AskingOptions,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const { span, code } = error as { span?: Span; code?: string };
    if (!json && span && code !== "bad_where" && suspects.length > 0)
      await showPlaces(corpus, suspects, error as Wrong);
    throw error;
  }
}

interface Wrong extends Error {
  code: string;
  hint?: string;
  span: Span;
}

/** The queries of a chain, and its formulas. What somebody wrote may be anything. */
export function queriesOf(chain: Chain): Suspect[] {
  return chain.flatMap((step): Suspect[] => {
    if (typeof step !== "object" || step === null) return [];
    if ("formula" in step && typeof step.formula === "string") return [{ formula: step.formula }];
    if (!("query" in step) || typeof step.query !== "string") return [];
    const { query, strategy, lists, gapMax } = step;
    return [{ query, strategy, lists, gapMax }];
  });
}

async function showPlaces(corpus: Corpus, suspects: readonly Suspect[], error: Wrong): Promise<void> {
  const { code, message, hint, span } = error;
  let diagnostics: Diagnostic[] = [{ code, severity: "error", message, span, ...(hint && { hint }) }];
  const formulas = suspects.flatMap((one) => ("formula" in one ? [one.formula] : []));
  if (code === "bad_formula") return showDiagnostics(formulas[0] ?? "", diagnostics, error);
  const queries = suspects.flatMap((one) => ("query" in one ? [one] : []));
  let text = queries[0]?.query ?? "";
  for (const { query, ...meaning } of queries) {
    const prepared = await corpus.prepare(query, meaning).catch(() => undefined);
    if (!prepared?.diagnostics.some((one) => one.message === message)) continue;
    text = query;
    diagnostics = prepared.diagnostics;
    break;
  }
  await showDiagnostics(text, diagnostics, error);
}

/** Tells people what is wrong with a query, instead of what would be said at the end. */
export async function showDiagnostics(
  text: string,
  diagnostics: readonly Diagnostic[],
  error: object,
): Promise<void> {
  const { renderDiagnostics } = await import("../../ql/cql/diagnose.js");
  const placed = diagnostics.map((one) => ({ ...one, span: one.span ?? ([0, text.length] as Span) }));
  tell(error, renderDiagnostics(text, placed));
}
