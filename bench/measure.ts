/** What the benches of queries measure, and how. */
import type { Engine, PlanStep, Prepared } from "../ql/index.js";

/** All matches, begins and ends. */
export async function listAll(engine: Engine, query: string): Promise<{ ms: number; count: number }> {
  const began = performance.now();
  const prepared = engine.prepare(query);
  let count = 0;
  for await (const block of engine.run(prepared)) {
    // Ends that follow from begins are written down here: they are part of what was asked.
    void block.ends;
    count += block.count;
  }
  const ms = performance.now() - began;
  prepared.ground.release();
  return { ms, count };
}

export async function countAll(engine: Engine, query: string): Promise<number> {
  const began = performance.now();
  const prepared = engine.prepare(query);
  await engine.count(prepared);
  const ms = performance.now() - began;
  prepared.ground.release();
  return ms;
}

export async function firstFifty(engine: Engine, query: string): Promise<number> {
  const began = performance.now();
  const prepared: Prepared = engine.prepare(query);
  let count = 0;
  for await (const block of engine.run(prepared)) {
    count += block.count;
    if (count >= 50) break;
  }
  prepared.ground.release();
  return performance.now() - began;
}

/**
 * Of at least nine runs, and as many as half a second has room for; warm. Runs in which the system gave a processor to
 * others are left out, unless nearly all were so.
 */
export async function median(work: () => Promise<number>): Promise<number> {
  const warm = performance.now();
  for (let i = 0; i < 5 || performance.now() - warm < 300; i++) await work();
  const all: number[] = [];
  const undisturbed: number[] = [];
  const start = performance.now();
  while (all.length < 9 || (all.length < 200 && performance.now() - start < 500)) {
    const before = process.resourceUsage().involuntaryContextSwitches;
    const time = await work();
    all.push(time);
    if (process.resourceUsage().involuntaryContextSwitches === before) undisturbed.push(time);
  }
  const times = (undisturbed.length >= 5 ? undisturbed : all).sort((a, b) => a - b);
  return times[times.length >> 1];
}

export function shortPlan(step: PlanStep): string {
  const inputs = (step.inputs ?? []).map(shortPlan);
  return inputs.length > 0 ? `${step.operator}(${inputs.join(", ")})` : step.operator;
}

export const ms = (value: number) =>
  value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : value.toFixed(0);
