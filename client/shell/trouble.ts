/** What went wrong, as people are told: the sentence, and where there is a place, the query with the place marked. */
import { harmless, wrap } from "../cli/width.js";
import type { Span } from "../index.js";

export async function troubleLines(error: unknown, query: string, width: number): Promise<string[]> {
  const {
    message,
    hint,
    span,
    code = "",
    name,
  } = error as Error & {
    hint?: string;
    span?: Span;
    code?: string;
  };
  if (name === "AbortError") return ["stopped"];
  const said = wrap(
    harmless(hint ? `${message}${/[.?!]$/.test(message) ? "" : "."} ${hint}` : message),
    width,
  );
  if (!span || query === "" || span[0] > query.length) return said;
  const { renderDiagnostics } = await import("../../ql/cql/diagnose.js");
  const drawn = renderDiagnostics(query, [{ code, severity: "error", message: "", span }]);
  return [...said, ...drawn.split("\n").slice(1)];
}
