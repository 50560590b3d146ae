/** How a part of a corpus is found, and how a query is run inside it: for `explain`. */
import type { Desk } from "../desk.js";
import { type PlanStep, planOf } from "../plan/explain.js";
import type { Prepared } from "../run/prepare.js";
import { planWhere } from "../where/where.js";
import { wayInside } from "./ask.js";
import { describeDefinition, type SubcorpusDefinition } from "./definition.js";
import { resolveSubcorpus } from "./resolve.js";

/** The part alone. Subcorpora with names are stored, so that finding them takes next to nothing. */
export async function planOfPart(desk: Desk, subcorpus: string | SubcorpusDefinition): Promise<PlanStep> {
  const before = performance.now();
  const part = await resolveSubcorpus(desk, subcorpus);
  const found = { rows: part.begins.length, ms: Number((performance.now() - before).toFixed(3)) };
  const rest = { estimatedRows: found.rows, estimatedMs: 0, ...found };
  if (typeof subcorpus === "string") return { operator: "subcorpus", detail: subcorpus, ...rest };
  if (subcorpus.kind === "where") return { ...planWhere(desk.snapshot, subcorpus.where).plan(), ...found };
  if (!("of" in subcorpus)) return { operator: "subcorpus", detail: describeDefinition(subcorpus), ...rest };
  const inputs: PlanStep[] = [];
  for (const one of subcorpus.of) inputs.push(await planOfPart(desk, one));
  return { operator: subcorpus.kind, ...rest, inputs };
}

/** A query inside a part: only its ranges are looked at, or everything, whichever is cheaper. */
export async function planInside(
  desk: Desk,
  prepared: Prepared,
  subcorpus: string | SubcorpusDefinition,
): Promise<PlanStep> {
  const part = await resolveSubcorpus(desk, subcorpus);
  const { why, cost } = wayInside(desk.engine, prepared, part);
  const { tokens } = desk.snapshot;
  const share = part.tokens / Math.max(1, tokens);
  return {
    operator: "inside",
    detail: `${part.tokens.toLocaleString("en")} of ${tokens.toLocaleString("en")} tokens`,
    why,
    estimatedRows: Math.round(prepared.source.rows * share),
    estimatedMs: Number((cost / 1e6).toPrecision(3)),
    inputs: [await planOfPart(desk, subcorpus), planOf(prepared.source)],
  };
}
