/** One step of a chain over blocks of hits. */
import type { Desk } from "../desk.js";
import { comparing, pieces, upTo } from "../pace.js";
import { firstOfEach, outermost } from "./choose.js";
import { bestExamples } from "./examples.js";
import { type Hits, join, keepMarked, pick } from "./hits.js";
import { type Decided, inside, near } from "./near.js";
import { addNotices, blocksOf, gathered, queryBlocks, type Running } from "./run.js";
import { sampleCount, samplePercent, shuffled } from "./sample.js";
import { sortedOrder } from "./sort.js";
import type { FilterStep, Step } from "./steps.js";
import { WindowFinder } from "./windows.js";

export function applyStep(
  desk: Desk,
  step: Step,
  blocks: AsyncGenerator<Hits>,
  running: Running,
  /** Told what came in, by a step that has to see all of it. */
  seen: (hits: Hits) => void = () => {},
): AsyncGenerator<Hits> {
  const { snapshot, checkpoint } = desk;
  const atOnce = (apply: (hits: Hits) => Hits | Promise<Hits>) =>
    lazily(async () => {
      const hits = await gathered(desk, blocks);
      seen(hits);
      return apply(hits);
    });
  switch (step.step) {
    case "filter":
      return filtered(desk, blocks, (ordered) =>
        near(desk, ordered, step, queryBlocks(desk, step, [], running), boundedFinder(desk, step)),
      );
    case "within":
      return filtered(desk, blocks, (ordered) =>
        inside(desk, ordered, step.drop ?? false, queryBlocks(desk, step, [], running)),
      );
    case "first":
      return firstOfEach(snapshot, blocks, step);
    case "outermost":
      return atOnce((hits) => outermost(hits, checkpoint));
    case "sample":
      return step.percent !== undefined
        ? samplePercent(blocks, step.percent, step.seed ?? 1)
        : lazily(() => sampleCount(desk, blocks, step.count!, step.seed ?? 1));
    case "shuffle":
      return atOnce((hits) =>
        pick(hits, shuffled(hits.count, step.seed ?? 1, checkpoint), false, checkpoint),
      );
    case "sort":
      return atOnce(async (hits) => {
        const { order, notices } = await sortedOrder(desk, hits, step.keys, step.collation);
        addNotices(running.notices, notices);
        return pick(hits, order, false, checkpoint);
      });
    case "examples":
      return atOnce((hits) => bestExamples(desk, hits, step));
  }
}

/** What finds windows that end at structures or skip tokens; others are reckoned. */
function boundedFinder(desk: Desk, { window, lists }: FilterStep): WindowFinder | undefined {
  if (!window || "structure" in window) return undefined;
  return window.within === undefined && window.skip === undefined
    ? undefined
    : new WindowFinder(desk, window, lists);
}

async function* lazily(make: () => Promise<Hits>): AsyncGenerator<Hits> {
  yield* blocksOf(await make());
}

/** Hits that are kept, in the order they came in. What decides gets them in the order of the corpus. */
async function* filtered(
  desk: Desk,
  blocks: AsyncGenerator<Hits>,
  decide: (ordered: AsyncGenerator<Hits>) => AsyncGenerator<Decided>,
): AsyncGenerator<Hits> {
  const first = await blocks.next();
  if (first.done) return;
  const all = from(first.value, blocks);
  if (first.value.ascending) {
    for await (const { hits, marks } of decide(all)) yield keepMarked(hits, marks);
    return;
  }
  const { checkpoint } = desk;
  const hits = await gathered(desk, all);
  await desk.turn();
  const order = corpusOrder(hits, checkpoint);
  const decided: Hits[] = [];
  const marks = new Uint8Array(hits.count);
  let done = 0;
  for await (const part of decide(blocksOf(pick(hits, order, true, checkpoint)))) {
    decided.push(part.hits);
    for (let i = 0; i < part.hits.count; i++) marks[order[done + i]] = part.marks[i];
    done += part.hits.count;
  }
  const back = new Uint32Array(hits.count);
  for (const [from, to] of pieces(order.length, checkpoint))
    for (let i = from; i < to; i++) back[order[i]] = i;
  const again = pick(join(desk.snapshot, decided, checkpoint), back, false, checkpoint);
  yield* blocksOf(keepMarked(again, marks, checkpoint));
}

async function* from(first: Hits, rest: AsyncGenerator<Hits>): AsyncGenerator<Hits> {
  yield first;
  yield* rest;
}

function corpusOrder({ begins, ends, count }: Hits, checkpoint: () => void): Uint32Array {
  return upTo(count).sort(comparing((a, b) => begins[a] - begins[b] || ends[a] - ends[b], checkpoint));
}
