/**
 * Matches by their length, for all starts at once: bits of positions, lowest first, in words of 64. Arrays have two
 * words more than positions need, and these are 0.
 */
import { ALL, DONE, FIRST, FULL } from "./match";

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

/** target = a & b */
export function meetBits(a: usize, b: usize, target: usize, words: u32): void {
  for (let i: usize = 0; i < <usize>words << 3; i += 16)
    v128.store(target + i, v128.and(v128.load(a + i), v128.load(b + i)));
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

/** Sets bits [from, to). */
function setBits(bits: usize, from: u32, to: u32): void {
  while (from < to) {
    const own = min(to - (from & ~63), 64);
    const word = bits + (<usize>(from >> 6) << 3);
    const upTo = own == 64 ? ~(<u64>0) : (<u64>1 << own) - 1;
    store<u64>(word, load<u64>(word) | (upTo & (~(<u64>0) << (from & 63))));
    from = (from & ~63) + 64;
  }
}

/**
 * What may not be exceeded, as bits of the tokens up to `count`: `inside` where a token may be a match, `on` where it and the
 * next may. The limit is limits[s] from steps[s] on. False if limits reach over the next step: then there is more to it.
 */
export function limitBits(
  steps: usize, limits: usize, stepCount: u32, count: u32, inside: usize, on: usize,
): i32 {
  for (let s: u32 = 0; s < stepCount; s++) {
    const at = load<u32>(steps + (<usize>s << 2));
    const limit = load<u32>(limits + (<usize>s << 2));
    if (s + 1 < stepCount && limit > load<u32>(steps + (<usize>s << 2), 4)) return 0;
    if (at >= count || limit <= at) continue;
    setBits(inside, at, min(limit, count));
    setBits(on, at, min(limit - 1, count));
  }
  return 1;
}

/** For each byte the places of its bits, lowest first, as integers: the first four of all bytes, then the others. */
const fourPlaces = memory.data(2 * 256 * 16, 16);
const otherPlaces: usize = 256 * 16;
let placesKnown = false;

function knowPlaces(): void {
  if (placesKnown) return;
  for (let mask: u32 = 0; mask < 256; mask++) {
    let n: u32 = 0;
    for (let bit: u32 = 0; bit < 8; bit++) {
      if ((mask & (1 << bit)) == 0) continue;
      const half = n < 4 ? <usize>0 : otherPlaces;
      store<u32>(fourPlaces + half + (<usize>mask << 4) + (<usize>(n & 3) << 2), bit);
      n++;
    }
  }
  placesKnown = true;
}

/** For each eight lengths: for each of 64 starts a byte, whose bits say which of these lengths it has. */
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

/** 64 bits of the array of a length, at a word; 0 where there is no such array. */
// @ts-ignore: decorator
@inline
function bitsOf(arrays: usize, lengths: u32, length: u32, word: usize): v128 {
  return length < lengths ? v128.load64_zero(<usize>load<u32>(arrays + (<usize>length << 2)) + word) : i64x2.splat(0);
}

/** Bits [k, i] of two squares of eight by eight become bits [i, k]. */
// @ts-ignore: decorator
@inline
function turnSquares(squares: v128): v128 {
  let swap = v128.and(v128.xor(squares, i64x2.shr_u(squares, 7)), i64x2.splat(0x00aa00aa00aa00aa));
  let turned = v128.xor(squares, v128.xor(swap, i64x2.shl(swap, 7)));
  swap = v128.and(v128.xor(turned, i64x2.shr_u(turned, 14)), i64x2.splat(0x0000cccc0000cccc));
  turned = v128.xor(turned, v128.xor(swap, i64x2.shl(swap, 14)));
  swap = v128.and(v128.xor(turned, i64x2.shr_u(turned, 28)), i64x2.splat(0x00000000f0f0f0f0));
  return v128.xor(turned, v128.xor(swap, i64x2.shl(swap, 28)));
}

/** Turns the bits of eight lengths from `first` on round: `lengthsOfStarts` has those of each start then. */
// @ts-ignore: decorator
@inline
function turn(arrays: usize, lengths: u32, first: u32, word: usize): void {
  const a = firstHalves(bitsOf(arrays, lengths, first, word), bitsOf(arrays, lengths, first + 4, word));
  const b = firstHalves(bitsOf(arrays, lengths, first + 1, word), bitsOf(arrays, lengths, first + 5, word));
  const c = firstHalves(bitsOf(arrays, lengths, first + 2, word), bitsOf(arrays, lengths, first + 6, word));
  const d = firstHalves(bitsOf(arrays, lengths, first + 3, word), bitsOf(arrays, lengths, first + 7, word));
  const even = firstHalves(a, c);
  const odd = firstHalves(b, d);
  const evenToo = secondHalves(a, c);
  const oddToo = secondHalves(b, d);
  const to = lengthsOfStarts + (<usize>first << 3);
  v128.store(to, turnSquares(firstHalves(even, odd)));
  v128.store(to, turnSquares(secondHalves(even, odd)), 16);
  v128.store(to, turnSquares(firstHalves(evenToo, oddToo)), 32);
  v128.store(to, turnSquares(secondHalves(evenToo, oddToo)), 48);
}

/** The matches of a start for up to eight lengths, of which the first is one more than `before`; returns how many. */
// @ts-ignore: decorator
@inline
function emitEight(mask: u32, begin: u32, before: u32, begins: usize, ends: usize): u32 {
  const places = fourPlaces + (<usize>mask << 4);
  const own = i32x4.splat(begin);
  const more = i32x4.splat(begin + before + 1);
  const count = popcnt(mask);
  v128.store(begins, own);
  v128.store(ends, i32x4.add(v128.load(places), more));
  if (count > 4) {
    v128.store(begins, own, 16);
    v128.store(ends, i32x4.add(v128.load(places + otherPlaces), more), 16);
  }
  return count;
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
  const plain = stepCount == 0 && mode == ALL;
  knowPlaces();
  for (let first: u32 = from & ~63; first < starts; first += 64) {
    const word = <usize>(first >> 6) << 3;
    let any: u64 = 0;
    for (let r: u32 = 0; r < lengths; r++) any |= load<u64>(<usize>load<u32>(arrays + (<usize>r << 2)) + word);
    if (from > first) any &= ~(<u64>0) << (from - first);
    if (starts - first < 64) any &= (<u64>1 << (starts - first)) - 1;
    if (any == 0) continue;
    for (let group: u32 = 0; group < lengths; group += 8) turn(arrays, lengths, group, word);
    if (plain && lengths <= 8 && capacity - found >= 512) {
      do {
        const bit = <u32>ctz(any);
        any &= any - 1;
        const mask = <u32>load<u8>(lengthsOfStarts + bit);
        const at = <usize>found << 2;
        found += emitEight(mask, first + bit, 0, begins + at, ends + at);
      } while (any != 0);
      continue;
    }
    while (any != 0) {
      const bit = <u32>ctz(any);
      any &= any - 1;
      const begin = first + bit;
      if (capacity - found < lengths) {
        store<u32>(run, begin, 12);
        store<u32>(run, found, 24);
        store<u32>(run, step, 48);
        return FULL;
      }
      // Tokens that a match may have.
      let room: u32 = 64;
      if (stepCount > 0) {
        while (step + 1 < stepCount && load<u32>(steps + (<usize>step << 2), 4) <= begin) step++;
        const limit = load<u32>(stepLimits + (<usize>step << 2));
        room = limit <= begin ? 0 : min(64, limit - begin);
      }
      const before = found;
      for (let group: u32 = 0; group < lengths; group += 8) {
        let mask = <u32>load<u8>(lengthsOfStarts + (<usize>group << 3) + bit);
        if (room < group + 8) mask &= room <= group ? 0 : (1 << (room - group)) - 1;
        const at = <usize>found << 2;
        found += emitEight(mask, begin, group, begins + at, ends + at);
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
