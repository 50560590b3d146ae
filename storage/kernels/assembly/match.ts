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

export const ALL: u32 = 0;
export const FIRST: u32 = 1;

/** Tables up to this length are looked up sixteen bytes at a time, part by part; longer ones byte by byte. */
const swizzledTypesMax: u32 = 128;

/** Sets `count` bytes to 0. (Filling a shared memory from outside takes many times as long.) */
export function clear(target: usize, count: u32): void {
  memory.fill(target, 0, count);
}

/** Sets `count` bytes to 255. */
export function fill(target: usize, count: u32): void {
  memory.fill(target, 255, count);
}

/** target[i] |= table[source[i]]; all of source are below `types`. Reads the table in whole sixteens. */
export function classifyBytes(source: usize, count: u32, table: usize, types: u32, target: usize): void {
  const end = source + count;
  if (types <= swizzledTypesMax) {
    while (source + 16 <= end) {
      const some = v128.load(source);
      let classes = v128.load(target);
      // A place in another part of the table is over 15 in this one, and gives 0.
      for (let part: u32 = 0; part < types; part += 16)
        classes = v128.or(classes, i8x16.swizzle(v128.load(table + part), i8x16.sub(some, i8x16.splat(<u8>part))));
      v128.store(target, classes);
      source += 16;
      target += 16;
    }
  }
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
  while (ids + 32 <= end) {
    const low = fourClasses(ids, table);
    const high = fourClasses(ids + 16, table);
    store<u64>(target, load<u64>(target) | (<u64>low) | (<u64>high << 32));
    ids += 32;
    target += 8;
  }
  while (ids < end) {
    store<u8>(target, load<u8>(target) | load<u8>(table + load<u32>(ids)));
    ids += 4;
    target++;
  }
}

// @ts-ignore: decorator
@inline
function fourClasses(ids: usize, table: usize): u32 {
  return <u32>load<u8>(table + load<u32>(ids)) |
    (<u32>load<u8>(table + load<u32>(ids, 4)) << 8) |
    (<u32>load<u8>(table + load<u32>(ids, 8)) << 16) |
    (<u32>load<u8>(table + load<u32>(ids, 12)) << 24);
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

/** Indexes i (plus `base`) with table[ids[i]] = 1, to `target`, which must hold `count` + 4; returns how many. */
export function selectIds(ids: usize, count: u32, table: usize, base: u32, target: usize): u32 {
  const start = target;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) {
    const four = ids + (<usize>i << 2);
    store<u32>(target, base + i);
    target += <usize>load<u8>(table + load<u32>(four)) << 2;
    store<u32>(target, base + i + 1);
    target += <usize>load<u8>(table + load<u32>(four, 4)) << 2;
    store<u32>(target, base + i + 2);
    target += <usize>load<u8>(table + load<u32>(four, 8)) << 2;
    store<u32>(target, base + i + 3);
    target += <usize>load<u8>(table + load<u32>(four, 12)) << 2;
  }
  for (; i < count; i++) {
    store<u32>(target, base + i);
    target += <usize>load<u8>(table + load<u32>(ids + (<usize>i << 2))) << 2;
  }
  return <u32>((target - start) >> 2);
}

/**
 * A set of bytes as two rows of 16: byte b is in it if bit (b >> 4) & 7 is set in the entry b & 15 of the first row
 * (b < 128) or the second. One instruction looks 16 bytes up in a row.
 */
// @ts-ignore: decorator
@inline
function members(bytes: v128, set: usize): i32 {
  const low = v128.and(bytes, i8x16.splat(15));
  const high = i8x16.shr_u(bytes, 4);
  const row = v128.bitselect(
    i8x16.swizzle(v128.load(set, 16), low), i8x16.swizzle(v128.load(set), low), i8x16.gt_u(high, i8x16.splat(7)),
  );
  const bit = i8x16.swizzle(i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128), high);
  return i8x16.bitmask(i8x16.ne(v128.and(row, bit), i8x16.splat(0)));
}

/** For each byte the places of its bits, lowest first, a byte each; written down when it is first needed. */
const places = memory.data(256 * 8, 16);
let placesKnown = false;

export function placesOfBits(): usize {
  if (placesKnown) return places;
  for (let mask: u32 = 0; mask < 256; mask++) {
    let to = places + (<usize>mask << 3);
    for (let bit: u32 = 0; bit < 8; bit++) {
      if ((mask & (1 << bit)) != 0) store<u8>(to++, <u8>bit);
    }
  }
  placesKnown = true;
  return places;
}

/** Writes the places of the bits of a byte, plus `base`, to `target`: eight are written, the first ones count. */
// @ts-ignore: decorator
@inline
function spread(table: usize, mask: u32, base: u32, target: usize): usize {
  const bits = i16x8.extend_low_i8x16_u(v128.load64_zero(table + (<usize>mask << 3)));
  const more = i32x4.splat(base);
  v128.store(target, i32x4.add(i32x4.extend_low_i16x8_u(bits), more));
  v128.store(target, i32x4.add(i32x4.extend_high_i16x8_u(bits), more), 16);
  return target + (<usize>popcnt(mask) << 2);
}

/** The only member of a set, or -1. */
function onlyMember(set: usize): i32 {
  let only = -1;
  for (let place: u32 = 0; place < 32; place++) {
    const bits = <u32>load<u8>(set + place);
    if (bits == 0) continue;
    if (only >= 0 || popcnt(bits) > 1) return -1;
    only = <i32>(((place >> 4) << 7) | (ctz(bits) << 4) | (place & 15));
  }
  return only;
}

/** The only members of sets that have one, a byte each. */
const singles = memory.data(16);

/** Has each of the sets (eight at most) one member alone? That need not be looked up: `singles` has them then. */
function areSingle(sets: usize, setCount: u32): bool {
  for (let k: u32 = 0; k < setCount; k++) {
    const only = onlyMember(sets + (<usize>k << 5));
    if (only < 0) return false;
    store<u8>(singles + k, <u8>only);
  }
  return true;
}

/** A bit for each i below 16 with bytes[i + k] in set k, for all of the sets. */
// @ts-ignore: decorator
@inline
function hitsAt(bytes: usize, sets: usize, setCount: u32, single: bool): u32 {
  if (single) {
    let equal = i8x16.eq(v128.load(bytes), v128.load8_splat(singles));
    for (let k: u32 = 1; k < setCount; k++)
      equal = v128.and(equal, i8x16.eq(v128.load(bytes + k), v128.load8_splat(singles + k)));
    return <u32>i8x16.bitmask(equal);
  }
  let hits = <u32>members(v128.load(bytes), sets);
  for (let k: u32 = 1; k < setCount; k++) hits &= <u32>members(v128.load(bytes + k), sets + (<usize>k << 5));
  return hits;
}

/**
 * Indexes i (plus `base`) with bytes[i + k] in set k, for all of the sets (eight at most); returns how many. `target` must
 * hold eight more than there can be. Reads 16 bytes and the sets behind the end.
 */
export function selectSets(bytes: usize, count: u32, sets: usize, setCount: u32, base: u32, target: usize): u32 {
  const start = target;
  const table = placesOfBits();
  const single = areSingle(sets, setCount);
  for (let at: u32 = 0; at < count; at += 16) {
    let hits = hitsAt(bytes + at, sets, setCount, single);
    if (count - at < 16) hits &= (1 << (count - at)) - 1;
    if (hits == 0) continue;
    target = spread(table, hits & 255, base + at, target);
    target = spread(table, hits >> 8, base + at + 8, target);
  }
  return <u32>((target - start) >> 2);
}

/** values[i] += more. Writes whole fours. */
export function addToAll(values: usize, count: u32, more: u32): void {
  const each = i32x4.splat(more);
  const end = values + (<usize>count << 2);
  for (; values < end; values += 16) v128.store(values, i32x4.add(v128.load(values), each));
}

/** A bit for each of 16 bytes that is in a set, or is its only member. */
// @ts-ignore: decorator
@inline
function sixteen(bytes: usize, set: usize, only: i32, value: v128): u32 {
  const some = v128.load(bytes);
  return <u32>(only >= 0 ? i8x16.bitmask(i8x16.eq(some, value)) : members(some, set));
}

/** The same for one set, as bits, lowest first. Writes whole pairs of bytes. */
export function selectBits(bytes: usize, count: u32, set: usize, target: usize): void {
  const only = onlyMember(set);
  const value = i8x16.splat(<i8>only);
  let at: u32 = 0;
  // By fours: a round takes as long as what is done in it.
  for (; at + 64 <= count; at += 64) {
    const low = sixteen(bytes + at, set, only, value) | (sixteen(bytes + at + 16, set, only, value) << 16);
    const high = sixteen(bytes + at + 32, set, only, value) | (sixteen(bytes + at + 48, set, only, value) << 16);
    store<u64>(target + (at >> 3), <u64>low | (<u64>high << 32));
  }
  for (; at < count; at += 16) {
    let hits = sixteen(bytes + at, set, only, value);
    if (count - at < 16) hits &= (1 << (count - at)) - 1;
    store<u16>(target + (at >> 3), <u16>hits);
  }
}

/**
 * Runs an automaton from each start. `run` is: classes, their count, table, row of the beginning, starts (or 0: all
 * from `at`), at, to, limits (u32 per start, or 0), mode, begins, ends, found, capacity, what is missing (row, class);
 * instead of limits steps: where they begin, the limit from there on, how many, and the current one; and sets that the
 * first classes of a match lie in, with their number. A start whose matches do not all fit, or whose automaton is not
 * complete, is given back whole.
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
  const steps = <usize>load<u32>(run, 60);
  const stepLimits = <usize>load<u32>(run, 64);
  const stepCount = load<u32>(run, 68);
  let step = load<u32>(run, 72);
  const sets = <usize>load<u32>(run, 76);
  const setCount = load<u32>(run, 80);
  const single = areSingle(sets, setCount);
  /** Starts among the 16 tokens from `block` on. */
  let hits: u32 = 0;
  let block: u32 = at;
  for (;;) {
    let begin: u32;
    if (setCount > 0) {
      while (hits == 0) {
        if (at >= to) {
          store<u32>(run, to, 20);
          store<u32>(run, found, 44);
          return DONE;
        }
        hits = hitsAt(classes + at, sets, setCount, single);
        if (to - at < 16) hits &= (1 << (to - at)) - 1;
        block = at;
        at += 16;
      }
      begin = block + <u32>ctz(hits);
      hits &= hits - 1;
    } else {
      if (at >= to) {
        store<u32>(run, to, 20);
        store<u32>(run, found, 44);
        return DONE;
      }
      block = at;
      begin = starts == 0 ? at : load<u32>(starts + (<usize>at << 2));
      at++;
    }
    if (begin >= count) continue;
    let entry = load<u32>(table + (<usize>(beginning + load<u8>(classes + begin)) << 2));
    if (entry == 0) continue;
    let limit = count;
    if (stepCount > 0) {
      while (step + 1 < stepCount && load<u32>(steps + (<usize>step << 2), 4) <= begin) step++;
      limit = load<u32>(stepLimits + (<usize>step << 2));
    } else if (limits != 0) limit = load<u32>(limits + (<usize>block << 2));
    if (limit <= begin) continue;
    const before = found;
    let row = beginning;
    let i = begin;
    let last: u32 = 0;
    let status = DONE;
    for (;;) {
      if (entry == UNKNOWN) {
        store<u32>(run, row, 52);
        store<u32>(run, load<u8>(classes + i), 56);
        status = MISSING;
        break;
      }
      if ((entry & BEFORE) != 0 && i > begin) {
        if (mode == ALL) {
          if (found == capacity) {
            status = FULL;
            break;
          }
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
          if (found == capacity) {
            status = FULL;
            break;
          }
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
    if (status == DONE && last > 0) {
      if (found == capacity) status = FULL;
      else {
        store<u32>(begins + (<usize>found << 2), begin);
        store<u32>(ends + (<usize>found << 2), last);
        found++;
      }
    }
    if (status != DONE) {
      // Steps only ascend: the one that is right for this start is not behind it.
      store<u32>(run, starts == 0 ? begin : block, 20);
      store<u32>(run, before, 44);
      store<u32>(run, step, 72);
      return status;
    }
  }
  // Never reached: the compiler wants it.
  return DONE;
}
