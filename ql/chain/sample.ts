/**
 * Random choices of hits. Which hit is next to be taken is drawn as a number of hits to skip: those in between are not
 * looked at, and no more is kept than is chosen.
 */
import type { Desk } from "../desk.js";
import { comparing, pieces, upTo } from "../pace.js";
import { type Hits, join, pick } from "./hits.js";
import { Random } from "./random.js";

/** Each hit with the same chance, independently of the others: skips between those taken are geometric. */
export async function* samplePercent(
  blocks: AsyncIterable<Hits>,
  percent: number,
  seed: number,
): AsyncGenerator<Hits> {
  const share = percent / 100;
  if (share >= 1) {
    yield* blocks;
    return;
  }
  if (share <= 0) return;
  const random = new Random(seed);
  const scale = 1 / Math.log1p(-share);
  const skip = () => Math.floor(Math.log(random.fraction()) * scale);
  let next = skip();
  for await (const hits of blocks) {
    const taken: number[] = [];
    for (; next < hits.count; next += 1 + skip()) taken.push(next);
    next -= hits.count;
    if (taken.length > 0) yield pick(hits, Uint32Array.from(taken), hits.ascending);
  }
}

/**
 * So many hits, every choice of so many being equally likely, in the order they came in. One pass, without knowing how
 * many there are (Li's algorithm L): the first ones fill the places; after that, skips grow as chances fall, and each
 * hit that is taken puts out another.
 */
export async function sampleCount(
  { snapshot, checkpoint }: Pick<Desk, "snapshot" | "checkpoint">,
  blocks: AsyncIterable<Hits>,
  count: number,
  seed: number,
): Promise<Hits> {
  const random = new Random(seed);
  /** For each place: which hit stands there, and the number of the block that it was picked into. */
  const index = new Float64Array(count);
  const block = new Uint32Array(count);
  const inBlock = new Uint32Array(count);
  const picked: Hits[] = [];
  let taken = 0;
  let weight = 1;
  let next = 0;
  const advance = () => {
    weight *= Math.exp(Math.log(random.fraction()) / count);
    next += 1 + Math.floor(Math.log(random.fraction()) / Math.log1p(-weight));
  };
  let seen = 0;
  for await (const hits of blocks) {
    if (count === 0) break;
    const own: number[] = [];
    const put = (place: number, i: number) => {
      index[place] = seen + i;
      block[place] = picked.length;
      inBlock[place] = own.push(i) - 1;
    };
    let i = 0;
    for (; taken < count && i < hits.count; i++) put(taken++, i);
    if (taken === count && next === 0) {
      next = count - 1;
      advance();
    }
    if (taken === count) for (; next < seen + hits.count; advance()) put(random.below(count), next - seen);
    if (own.length > 0) picked.push(pick(hits, Uint32Array.from(own), hits.ascending));
    seen += hits.count;
  }
  const places = upTo(taken).sort(comparing((a, b) => index[a] - index[b], checkpoint));
  const all = join(snapshot, picked, checkpoint);
  const starts = new Float64Array(picked.length + 1);
  for (let n = 0; n < picked.length; n++) starts[n + 1] = starts[n] + picked[n].count;
  const order = places.map((place) => starts[block[place]] + inBlock[place]);
  return pick(all, order, all.ascending, checkpoint);
}

/** A random order of so many things (Fisher and Yates). */
export function shuffled(count: number, seed: number, checkpoint = () => {}): Uint32Array {
  const random = new Random(seed);
  const order = new Uint32Array(count);
  for (const [from, to] of pieces(count, checkpoint)) {
    for (let i = from; i < to; i++) {
      const j = random.below(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }
  return order;
}
