/** What the benches of queries measure, and how. */
import { readFileSync } from "node:fs";
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
  await warm(work);
  const all: number[] = [];
  const undisturbed: number[] = [];
  const start = performance.now();
  while (all.length < 9 || (all.length < 200 && performance.now() - start < 500)) {
    const before = process.resourceUsage().involuntaryContextSwitches;
    const time = await work();
    all.push(time);
    if (process.resourceUsage().involuntaryContextSwitches === before) undisturbed.push(time);
  }
  return middle(undisturbed.length >= 5 ? undisturbed : all);
}

/**
 * How many times as fast `two` is as `one`, where `two` needs all processors of the machine: the middle of many pairs, one
 * run right behind the other, as the machine is not equally fast at all times. It says nothing while another process has
 * one of the processors: pairs are made some at a time, and kept if others used next to nothing meanwhile; for some
 * seconds, until there are enough.
 */
export async function gainOf(one: () => Promise<number>, two: () => Promise<number>): Promise<number> {
  await warm(one);
  await warm(two);
  const all: number[] = [];
  const undisturbed: number[] = [];
  const start = performance.now();
  while (undisturbed.length < pairsMin && performance.now() - start < patienceMs) {
    const some: number[] = [];
    const others = othersMs();
    const began = performance.now();
    while (performance.now() - began < batchMs) some.push((await one()) / (await two()));
    const took = performance.now() - began;
    all.push(...some);
    if (othersMs() - others < took * othersShareMax) undisturbed.push(...some);
  }
  if (undisturbed.length < 5) disturbed.push(all.length);
  return middle(undisturbed.length >= 5 ? undisturbed : all);
}

/** Of each `gainOf` that was taken while others used the processors: its runs. */
export const disturbed: number[] = [];

const pairsMin = 41;
const batchMs = 250;
const patienceMs = 12_000;
/** Of one processor. The system counts in hundredths of a second. */
const othersShareMax = 0.15;

async function warm(work: () => Promise<number>): Promise<void> {
  const start = performance.now();
  for (let i = 0; i < 5 || performance.now() - start < 300; i++) await work();
}

function middle(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Processor time that other processes have had since the machine was started; 0 where the system does not say. */
function othersMs(): number {
  try {
    const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "utf8")
      .split("\n", 1)[0]
      .split(/ +/)
      .map(Number);
    const own = process.cpuUsage();
    return (user + nice + system + irq + softirq + steal) * 10 - (own.user + own.system) / 1000;
  } catch {
    return 0;
  }
}

export function shortPlan(step: PlanStep): string {
  const inputs = (step.inputs ?? []).map(shortPlan);
  return inputs.length > 0 ? `${step.operator}(${inputs.join(", ")})` : step.operator;
}

export const ms = (value: number) =>
  value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : value.toFixed(0);
