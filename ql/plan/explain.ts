/** A plan as people and programs see it: a tree of steps, with what was estimated and what was measured. */
import type { Source } from "../match/source.js";

export interface PlanStep {
  operator: string;
  detail?: string;
  why?: string;
  /** About how many ranges come out, and what that takes. */
  estimatedRows: number;
  estimatedMs: number;
  /** What came out, and what it took, this step's inputs included. */
  rows?: number;
  ms?: number;
  calls?: number;
  inputs?: PlanStep[];
}

interface Measured {
  rows: number;
  ms: number;
  calls: number;
}

const measurements = new WeakMap<Source, Measured>();

/** From now on, whatever is asked of the source and its inputs is counted. */
export function measure(source: Source): void {
  if (measurements.has(source)) return;
  const measured = { rows: 0, ms: 0, calls: 0 };
  measurements.set(source, measured);
  const spans = source.spans.bind(source);
  source.spans = (...asked) => {
    const before = performance.now();
    const found = spans(...asked);
    measured.ms += performance.now() - before;
    measured.rows += found.count;
    measured.calls++;
    return found;
  };
  for (const input of source.inputs) measure(input);
}

export function isMeasured(source: Source): boolean {
  return measurements.has(source);
}

export function planOf(source: Source): PlanStep {
  const { operator, detail, why } = source.describe();
  // A query without filters is its expression.
  if (operator === "filter" && !detail) return planOf(source.inputs[0]);
  const step: PlanStep = {
    operator,
    ...(detail && { detail }),
    ...(why && { why }),
    estimatedRows: Math.round(source.rows),
    estimatedMs: Number((source.cost / 1e6).toPrecision(3)),
  };
  const measured = measurements.get(source);
  if (measured)
    Object.assign(step, { rows: measured.rows, ms: Number(measured.ms.toFixed(3)), calls: measured.calls });
  if (source.inputs.length > 0) step.inputs = source.inputs.map(planOf);
  return step;
}
