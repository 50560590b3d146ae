/** Orders of integers: sorted, and turned round. */

const DIGIT: u32 = 11;
const places = memory.data(2048 * 4, 16);

/**
 * The indexes of `count` keys in rising or falling order of the keys, equal ones as they stand, to `order`: a counting
 * sort on 11 bits at a time, as often as the largest key needs. `scratch` is as large as `order`.
 */
export function sortKeys(keys: usize, count: u32, falling: bool, order: usize, scratch: usize): void {
  let most: u32 = 0;
  for (let i: u32 = 0; i < count; i++) most = max(most, load<u32>(keys + (<usize>i << 2)));
  const passes = max<u32>(1, (32 - clz(most) + DIGIT - 1) / DIGIT);
  let source: usize = 0;
  for (let pass: u32 = 0; pass < passes; pass++) {
    const target = ((passes - pass) & 1) == 1 ? order : scratch;
    sortDigit(keys, count, pass * DIGIT, falling ? 2047 : 0, source, target);
    source = target;
  }
}

/** `flip`: bits of the digit that are turned over. `source`: indexes; 0 for all in their order. */
function sortDigit(keys: usize, count: u32, shift: u32, flip: u32, source: usize, target: usize): void {
  memory.fill(places, 0, 2048 * 4);
  for (let i: u32 = 0; i < count; i++) {
    const at = digitAt(keys, i, shift, flip);
    store<u32>(at, load<u32>(at) + 1);
  }
  let before: u32 = 0;
  for (let at = places; at < places + 2048 * 4; at += 4) {
    const own = load<u32>(at);
    store<u32>(at, before);
    before += own;
  }
  for (let i: u32 = 0; i < count; i++) {
    const index = source == 0 ? i : load<u32>(source + (<usize>i << 2));
    const at = digitAt(keys, index, shift, flip);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(target + (<usize>place << 2), index);
  }
}

// @ts-ignore: decorator
@inline
function digitAt(keys: usize, index: u32, shift: u32, flip: u32): usize {
  return places + (<usize>(((load<u32>(keys + (<usize>index << 2)) >> shift) & 2047) ^ flip) << 2);
}

/** target[keys[i]] = base + i. */
export function turnRound(keys: usize, count: u32, base: u32, target: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(target + (<usize>load<u32>(keys + (<usize>i << 2)) << 2), base + i);
  }
}

/** Lengths of ranges that stand in order of their begins. Returns whether all are apart, and none is empty. */
export function lengthsOf(begins: usize, ends: usize, count: u32, target: usize): bool {
  let before: u32 = 0;
  let nested: u32 = 0;
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const begin = load<u32>(begins + i);
    const end = load<u32>(ends + i);
    store<u32>(target + i, end - begin);
    nested |= <u32>(begin < before) | <u32>(end == begin);
    before = max(before, end);
  }
  return nested == 0;
}

/** target[i] = the sum of the values before value i. */
export function sumBefore(values: usize, count: u32, target: usize): void {
  let sum: u32 = 0;
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const value = load<u32>(values + i);
    store<u32>(target + i, sum);
    sum += value;
  }
}

/**
 * Sorted keys as runs: the distinct ones, less `less`, to `distinct` and how often each stands there to `counts`;
 * keys[order[i]] must rise. Returns how many runs there are.
 */
export function findRuns(keys: usize, order: usize, count: u32, less: u32, distinct: usize, counts: usize): u32 {
  let runs: u32 = 0;
  let start: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u32>(keys + (<usize>load<u32>(order + (<usize>i << 2)) << 2));
    if (i + 1 < count && load<u32>(keys + (<usize>load<u32>(order + (<usize>(i + 1) << 2)) << 2)) == key) continue;
    store<u32>(distinct + (<usize>runs << 2), key - less);
    store<u32>(counts + (<usize>runs << 2), i + 1 - start);
    start = i + 1;
    runs++;
  }
  return runs;
}
