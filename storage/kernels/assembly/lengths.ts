/**
 * Matches by their length, for all starts at once: bits of positions, lowest first, in words of 64. Arrays have two
 * words more than positions need, and these are 0.
 */
import { ALL, DONE, FIRST, FULL, placesOfBits } from "./match";

/** target = test & (reach moved one position to the front); returns whether it has any bit. */
export function stepBits(test: usize, reach: usize, target: usize, words: u32): i32 {
  let some = i64x2.splat(0);
  for (let i: usize = 0; i < <usize>words << 3; i += 16) {
    const moved = v128.or(i64x2.shr_u(v128.load(reach + i), 1), i64x2.shl(v128.load(reach + i, 8), 63));
    const bits = v128.and(v128.load(test + i), moved);
    v128.store(target + i, bits);
    some = v128.or(some, bits);
  }
  return <i32>v128.any_true(some);
}

/** target = a | b; returns whether it has any bit. */
export function joinBits(a: usize, b: usize, target: usize, words: u32): i32 {
  let some = i64x2.splat(0);
  for (let i: usize = 0; i < <usize>words << 3; i += 16) {
    const bits = v128.or(v128.load(a + i), v128.load(b + i));
    v128.store(target + i, bits);
    some = v128.or(some, bits);
  }
  return <i32>v128.any_true(some);
}

/** How many of the first `count` bits are set. */
export function countBits(bits: usize, count: u32): u32 {
  let sum: u64 = 0;
  const whole = <usize>(count >> 6) << 3;
  for (let i: usize = 0; i < whole; i += 8) sum += popcnt(load<u64>(bits + i));
  const rest = count & 63;
  if (rest > 0) sum += popcnt(load<u64>(bits + whole) & ((<u64>1 << rest) - 1));
  return <u32>sum;
}

/** Lengths that occur in a word of 64 starts, a byte each, and their bits; both in whole eights. */
const liveLengths = memory.data(64, 16);
const liveBits = memory.data(64 * 8, 16);
/** For each eight of these lengths: for each eight of the starts a byte of every length, its bits those of the starts. */
const lengthsOfStarts = memory.data(8 * 64, 16);

/** Bytes of two vectors by turns: of their first halves, of their second ones. */
// @ts-ignore: decorator
@inline
function firstHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @ts-ignore: decorator
@inline
function secondHalves(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @ts-ignore: decorator
@inline
function bitsOfLives(first: usize, second: usize): v128 {
  return firstHalves(v128.load64_zero(liveBits + (first << 3)), v128.load64_zero(liveBits + (second << 3)));
}

/** Turns the bytes of eight lengths round: all that is known of eight starts lies together then. */
// @ts-ignore: decorator
@inline
function turn(group: usize): void {
  const a = bitsOfLives(group, group + 4);
  const b = bitsOfLives(group + 1, group + 5);
  const c = bitsOfLives(group + 2, group + 6);
  const d = bitsOfLives(group + 3, group + 7);
  const even = firstHalves(a, c);
  const odd = firstHalves(b, d);
  const evenToo = secondHalves(a, c);
  const oddToo = secondHalves(b, d);
  const to = lengthsOfStarts + (group << 3);
  v128.store(to, firstHalves(even, odd));
  v128.store(to, secondHalves(even, odd), 16);
  v128.store(to, firstHalves(evenToo, oddToo), 32);
  v128.store(to, secondHalves(evenToo, oddToo), 48);
}

/** The matches of 64 starts from `first` on that have four lengths at most: there is room for all of them. Returns `found`. */
// @ts-ignore: decorator
@inline
function emitFew(any: u64, first: u32, begins: usize, ends: usize, found: u32, table: usize): u32 {
  const lengths = v128.load64_zero(liveLengths);
  while (any != 0) {
    const bit = <u32>ctz(any);
    any &= any - 1;
    const lengthsHere = v128.load64_zero(lengthsOfStarts + (bit & 56));
    const mask = <u32>i8x16.bitmask(i64x2.shl(lengthsHere, 7 - (bit & 7)));
    const chosen = i8x16.swizzle(lengths, v128.load64_zero(table + (<usize>mask << 3)));
    const own = i32x4.splat(first + bit);
    const at = <usize>found << 2;
    v128.store(begins + at, own);
    v128.store(ends + at, i32x4.add(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(chosen)), own));
    found += popcnt(mask);
  }
  return found;
}

/**
 * Writes matches down: bit b of array r − 1 is a match of r tokens from position b on, for up to 56 lengths. `run` is:
 * arrays (addresses), how many, starts, where to go on, begins, ends (both with room for eight more than their capacity),
 * found, capacity, mode, steps of a limit: where, limit, count, current.
 *
 * For each start the lengths that it has become a byte of bits, eight lengths at a time, and a table says which ends
 * follow from that: no branch has to guess how many there are.
 */
export function emitLengths(run: usize): i32 {
  const arrays = <usize>load<u32>(run, 0);
  const lengths = load<u32>(run, 4);
  const starts = load<u32>(run, 8);
  let from = load<u32>(run, 12);
  const begins = <usize>load<u32>(run, 16);
  const ends = <usize>load<u32>(run, 20);
  let found = load<u32>(run, 24);
  const capacity = load<u32>(run, 28);
  const mode = load<u32>(run, 32);
  const steps = <usize>load<u32>(run, 36);
  const stepLimits = <usize>load<u32>(run, 40);
  const stepCount = load<u32>(run, 44);
  let step = load<u32>(run, 48);
  const table = placesOfBits();
  for (let first: u32 = from & ~63; first < starts; first += 64) {
    const word = <usize>(first >> 6) << 3;
    let any: u64 = 0;
    let lives: u32 = 0;
    for (let r: u32 = 0; r < lengths; r++) {
      const bits = load<u64>(<usize>load<u32>(arrays + (<usize>r << 2)) + word);
      any |= bits;
      // Written in any case, and counted where there are some: no branch to guess.
      store<u8>(liveLengths + lives, <u8>(r + 1));
      store<u64>(liveBits + (<usize>lives << 3), bits);
      lives += <u32>(bits != 0);
    }
    if (from > first) any &= ~(<u64>0) << (from - first);
    if (starts - first < 64) any &= (<u64>1 << (starts - first)) - 1;
    if (any == 0) continue;
    const groups = (lives + 7) & ~7;
    for (let n = lives; n < groups; n++) store<u64>(liveBits + (<usize>n << 3), 0);
    for (let group: usize = 0; group < <usize>groups; group += 8) turn(group);
    if (lives <= 4 && stepCount == 0 && mode == ALL && capacity - found >= 256) {
      found = emitFew(any, first, begins, ends, found, table);
      continue;
    }
    while (any != 0) {
      const bit = <u32>ctz(any);
      any &= any - 1;
      const begin = first + bit;
      if (capacity - found < lives) {
        store<u32>(run, begin, 12);
        store<u32>(run, found, 24);
        store<u32>(run, step, 48);
        return FULL;
      }
      // Tokens that a match may have.
      let room: u32 = 255;
      if (stepCount > 0) {
        while (step + 1 < stepCount && load<u32>(steps + (<usize>step << 2), 4) <= begin) step++;
        const limit = load<u32>(stepLimits + (<usize>step << 2));
        room = limit <= begin ? 0 : min(255, limit - begin);
      }
      const own = i32x4.splat(begin);
      const before = found;
      for (let group: usize = 0; group < <usize>groups; group += 8) {
        const eight = v128.load64_zero(liveLengths + group);
        // The bit of the start comes to stand first in each byte.
        const lengthsHere = v128.load64_zero(lengthsOfStarts + (group << 3) + (bit & 56));
        let mask = <u32>i8x16.bitmask(i64x2.shl(lengthsHere, 7 - (bit & 7)));
        if (room < 255) mask &= <u32>i8x16.bitmask(i8x16.le_u(eight, i8x16.splat(<i8>room)));
        const chosen = i8x16.swizzle(eight, v128.load64_zero(table + (<usize>mask << 3)));
        const short = i16x8.extend_low_i8x16_u(chosen);
        const at = <usize>found << 2;
        v128.store(begins + at, own);
        v128.store(begins + at, own, 16);
        v128.store(ends + at, i32x4.add(i32x4.extend_low_i16x8_u(short), own));
        v128.store(ends + at, i32x4.add(i32x4.extend_high_i16x8_u(short), own), 16);
        found += popcnt(mask);
      }
      if (mode != ALL && found > before + 1) {
        if (mode != FIRST) store<u32>(ends + (<usize>before << 2), load<u32>(ends + (<usize>(found - 1) << 2)));
        found = before + 1;
      }
    }
  }
  store<u32>(run, starts, 12);
  store<u32>(run, found, 24);
  return DONE;
}
