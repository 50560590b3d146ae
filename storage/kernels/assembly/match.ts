/**
 * Matching: tokens become classes (a byte each: which of a query's conditions hold), and an automaton runs over the
 * classes from each start.
 *
 * Automaton: rows of one u32 per class. An entry is the index of the next row (0: none), with flags:
 *   BEFORE  a match ends before the token that was read
 *   AFTER   a match ends after it
 * or UNKNOWN: the caller has to fill it in and call again.
 */
const BEFORE: u32 = 1 << 30;
const AFTER: u32 = 1 << 29;
const ROW: u32 = AFTER - 1;
const UNKNOWN: u32 = 0xffffffff;

export const DONE: i32 = 0;
export const MISSING: i32 = 1;
export const FULL: i32 = 2;

const ALL: u32 = 0;
const FIRST: u32 = 1;

/** target[i] |= table[source[i]] */
export function classifyBytes(source: usize, count: u32, table: usize, target: usize): void {
  const end = source + count;
  while (source + 4 <= end) {
    const four = load<u32>(source);
    const classes: u32 = <u32>load<u8>(table + (four & 255)) |
      (<u32>load<u8>(table + ((four >> 8) & 255)) << 8) |
      (<u32>load<u8>(table + ((four >> 16) & 255)) << 16) |
      (<u32>load<u8>(table + (four >> 24)) << 24);
    store<u32>(target, load<u32>(target) | classes);
    source += 4;
    target += 4;
  }
  while (source < end) {
    store<u8>(target, load<u8>(target) | load<u8>(table + load<u8>(source)));
    source++;
    target++;
  }
}

/** target[i] |= table[ids[i]] */
export function classifyIds(ids: usize, count: u32, table: usize, target: usize): void {
  const end = ids + (<usize>count << 2);
  while (ids + 16 <= end) {
    const classes: u32 = <u32>load<u8>(table + load<u32>(ids)) |
      (<u32>load<u8>(table + load<u32>(ids, 4)) << 8) |
      (<u32>load<u8>(table + load<u32>(ids, 8)) << 16) |
      (<u32>load<u8>(table + load<u32>(ids, 12)) << 24);
    store<u32>(target, load<u32>(target) | classes);
    ids += 16;
    target += 4;
  }
  while (ids < end) {
    store<u8>(target, load<u8>(target) | load<u8>(table + load<u32>(ids)));
    ids += 4;
    target++;
  }
}

/** target[i] |= bit where left[i] = right[i] */
export function markEqual(left: usize, right: usize, count: u32, bit: u32, target: usize): void {
  const end = left + (<usize>count << 2);
  const bits = i32x4.splat(bit);
  while (left + 16 <= end) {
    const equal = v128.and(i32x4.eq(v128.load(left), v128.load(right)), bits);
    const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(equal, equal), equal);
    store<u32>(target, load<u32>(target) | i32x4.extract_lane(bytes, 0));
    left += 16;
    right += 16;
    target += 4;
  }
  while (left < end) {
    if (load<u32>(left) == load<u32>(right)) store<u8>(target, load<u8>(target) | <u8>bit);
    left += 4;
    right += 4;
    target++;
  }
}

/** Indexes i (plus `base`) with table[classes[i]] = 1, to `target`, which must hold `count` + 4; returns how many. */
export function selectClasses(classes: usize, count: u32, table: usize, base: u32, target: usize): u32 {
  const start = target;
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(target, base + i);
    target += <usize>load<u8>(table + load<u8>(classes + i)) << 2;
  }
  return <u32>((target - start) >> 2);
}

/** How many of them there are. */
export function countClasses(classes: usize, count: u32, table: usize): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) found += load<u8>(table + load<u8>(classes + i));
  return found;
}

/**
 * Runs an automaton from each start. `run` is: classes, their count, table, row of the beginning, starts (or 0: all
 * from `at`), at, to, limits (u32 per start, or 0), mode, begins, ends, found, capacity, and what is missing: row, class.
 * A start whose matches do not all fit, or whose automaton is not complete, is given back whole.
 */
export function runAutomaton(run: usize): i32 {
  const classes = <usize>load<u32>(run, 0);
  const count = load<u32>(run, 4);
  const table = <usize>load<u32>(run, 8);
  const beginning = load<u32>(run, 12);
  const starts = <usize>load<u32>(run, 16);
  let at = load<u32>(run, 20);
  const to = load<u32>(run, 24);
  const limits = <usize>load<u32>(run, 28);
  const mode = load<u32>(run, 32);
  const begins = <usize>load<u32>(run, 36);
  const ends = <usize>load<u32>(run, 40);
  let found = load<u32>(run, 44);
  const capacity = load<u32>(run, 48);
  for (; at < to; at++) {
    const begin = starts == 0 ? at : load<u32>(starts + (<usize>at << 2));
    if (begin >= count) continue;
    let entry = load<u32>(table + (<usize>(beginning + load<u8>(classes + begin)) << 2));
    if (entry == 0) continue;
    const limit = limits == 0 ? count : load<u32>(limits + (<usize>at << 2));
    if (limit <= begin) continue;
    const before = found;
    let row = beginning;
    let i = begin;
    let last: u32 = 0;
    for (;;) {
      if (entry == UNKNOWN) {
        store<u32>(run, at, 20);
        store<u32>(run, before, 44);
        store<u32>(run, row, 52);
        store<u32>(run, load<u8>(classes + i), 56);
        return MISSING;
      }
      if ((entry & BEFORE) != 0 && i > begin) {
        if (mode == ALL) {
          if (found == capacity) return full(run, at, before);
          store<u32>(begins + (<usize>found << 2), begin);
          store<u32>(ends + (<usize>found << 2), i);
          found++;
        } else {
          last = i;
          if (mode == FIRST) break;
        }
      }
      i++;
      if (i > limit) break;
      if ((entry & AFTER) != 0) {
        if (mode == ALL) {
          if (found == capacity) return full(run, at, before);
          store<u32>(begins + (<usize>found << 2), begin);
          store<u32>(ends + (<usize>found << 2), i);
          found++;
        } else {
          last = i;
          if (mode == FIRST) break;
        }
      }
      row = entry & ROW;
      if (row == 0 || i >= count) break;
      entry = load<u32>(table + (<usize>(row + load<u8>(classes + i)) << 2));
      if (entry == 0) break;
    }
    if (last > 0) {
      if (found == capacity) return full(run, at, before);
      store<u32>(begins + (<usize>found << 2), begin);
      store<u32>(ends + (<usize>found << 2), last);
      found++;
    }
  }
  store<u32>(run, at, 20);
  store<u32>(run, found, 44);
  return DONE;
}

function full(run: usize, at: u32, found: u32): i32 {
  store<u32>(run, at, 20);
  store<u32>(run, found, 44);
  return FULL;
}
