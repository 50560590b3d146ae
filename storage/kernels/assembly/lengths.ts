/**
 * Matches by their length, for all starts at once: bits of positions, lowest first, in words of 64. Arrays have two
 * words more than positions need, and these are 0.
 */
import { ALL, DONE, FIRST, FULL } from "./match";

/** 128 bits of test & (reach moved one position to the front), written down. */
// @ts-ignore: decorator
@inline
function stepTwo(test: usize, reach: usize, target: usize): v128 {
  const moved = v128.or(i64x2.shr_u(v128.load(reach), 1), i64x2.shl(v128.load(reach, 8), 63));
  const bits = v128.and(v128.load(test), moved);
  v128.store(target, bits);
  return bits;
}

/** target = test & (reach moved one position to the front); returns whether it has any bit. */
export function stepBits(test: usize, reach: usize, target: usize, words: u32): i32 {
  const bytes = <usize>words << 3;
  let some = i64x2.splat(0);
  let i: usize = 0;
  // By fours: a round takes as long as what is done in it.
  for (; i + 64 <= bytes; i += 64) {
    const ab = v128.or(stepTwo(test + i, reach + i, target + i), stepTwo(test + i + 16, reach + i + 16, target + i + 16));
    const cd = v128.or(
      stepTwo(test + i + 32, reach + i + 32, target + i + 32), stepTwo(test + i + 48, reach + i + 48, target + i + 48),
    );
    some = v128.or(some, v128.or(ab, cd));
  }
  for (; i < bytes; i += 16) some = v128.or(some, stepTwo(test + i, reach + i, target + i));
  return <i32>v128.any_true(some);
}

/** target = a | b */
export function joinBits(a: usize, b: usize, target: usize, words: u32): void {
  const bytes = <usize>words << 3;
  let i: usize = 0;
  for (; i + 32 <= bytes; i += 32) {
    v128.store(target + i, v128.or(v128.load(a + i), v128.load(b + i)));
    v128.store(target + i, v128.or(v128.load(a + i, 16), v128.load(b + i, 16)), 16);
  }
  for (; i < bytes; i += 16) v128.store(target + i, v128.or(v128.load(a + i), v128.load(b + i)));
}

/** target = a & b */
export function meetBits(a: usize, b: usize, target: usize, words: u32): void {
  const bytes = <usize>words << 3;
  let i: usize = 0;
  for (; i + 32 <= bytes; i += 32) {
    v128.store(target + i, v128.and(v128.load(a + i), v128.load(b + i)));
    v128.store(target + i, v128.and(v128.load(a + i, 16), v128.load(b + i, 16)), 16);
  }
  for (; i < bytes; i += 16) v128.store(target + i, v128.and(v128.load(a + i), v128.load(b + i)));
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
/** The same for the first eight alone; a 65th start has none. */
const shortOfStarts = memory.data(64 + 16, 16);

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

/** 64 bits of the array of a length, at a word. */
// @ts-ignore: decorator
@inline
function bitsOf(arrays: usize, length: u32, word: usize): v128 {
  return v128.load64_zero(<usize>load<u32>(arrays + (<usize>length << 2)) + word);
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

/** Turns the bits of eight lengths from `first` on round: `to` has those of each start then. */
// @ts-ignore: decorator
@inline
function turn(arrays: usize, first: u32, word: usize, to: usize): void {
  const a = firstHalves(bitsOf(arrays, first, word), bitsOf(arrays, first + 4, word));
  const b = firstHalves(bitsOf(arrays, first + 1, word), bitsOf(arrays, first + 5, word));
  const c = firstHalves(bitsOf(arrays, first + 2, word), bitsOf(arrays, first + 6, word));
  const d = firstHalves(bitsOf(arrays, first + 3, word), bitsOf(arrays, first + 7, word));
  const even = firstHalves(a, c);
  const odd = firstHalves(b, d);
  const evenToo = secondHalves(a, c);
  const oddToo = secondHalves(b, d);
  v128.store(to, turnSquares(firstHalves(even, odd)));
  v128.store(to, turnSquares(secondHalves(even, odd)), 16);
  v128.store(to, turnSquares(firstHalves(evenToo, oddToo)), 32);
  v128.store(to, turnSquares(secondHalves(evenToo, oddToo)), 48);
}

/** For each eight of 64 starts: a byte of each of sixteen lengths, whose bits say which of these starts it has. */
const startsOfLengths = memory.data(8 * 16, 16);

/** Lengths i, i + 4, i + 8 and i + 12 by turns: of the first four bytes of starts, and of the others. */
// @ts-ignore: decorator
@inline
function firstFours(arrays: usize, i: u32, word: usize): v128 {
  return firstHalves(eights(arrays, i, word), eights(arrays, i + 4, word));
}

// @ts-ignore: decorator
@inline
function otherFours(arrays: usize, i: u32, word: usize): v128 {
  return secondHalves(eights(arrays, i, word), eights(arrays, i + 4, word));
}

// @ts-ignore: decorator
@inline
function eights(arrays: usize, i: u32, word: usize): v128 {
  return firstHalves(bitsOf(arrays, i, word), bitsOf(arrays, i + 8, word));
}

/** Four bytes of starts, each with all lengths, from those that have every fourth. */
// @ts-ignore: decorator
@inline
function storeFours(a: v128, b: v128, c: v128, d: v128, to: usize): void {
  const even = firstHalves(a, c);
  const odd = firstHalves(b, d);
  const evenToo = secondHalves(a, c);
  const oddToo = secondHalves(b, d);
  v128.store(to, firstHalves(even, odd));
  v128.store(to, secondHalves(even, odd), 16);
  v128.store(to, firstHalves(evenToo, oddToo), 32);
  v128.store(to, secondHalves(evenToo, oddToo), 48);
}

/** Lays the bytes of sixteen lengths side by side: where starts are few, the bits of each are taken from there. */
// @ts-ignore: decorator
@inline
function laySixteen(arrays: usize, word: usize): void {
  storeFours(
    firstFours(arrays, 0, word), firstFours(arrays, 1, word), firstFours(arrays, 2, word), firstFours(arrays, 3, word),
    startsOfLengths,
  );
  storeFours(
    otherFours(arrays, 0, word), otherFours(arrays, 1, word), otherFours(arrays, 2, word), otherFours(arrays, 3, word),
    startsOfLengths + 64,
  );
}

/** The matches of a start for up to eight lengths, of which the first is one more than `before`; returns how many. */
// @ts-ignore: decorator
@inline
function emitEight(mask: u32, begin: u32, before: u32, begins: usize, ends: usize): u32 {
  const places = fourPlaces + (<usize>mask << 4);
  const own = i32x4.splat(begin);
  const more = i32x4.add(own, i32x4.splat(before + 1));
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
 * arrays (addresses; behind the last one those of empty arrays, up to a multiple of sixteen), how many, starts, where to go on, begins, ends (both with room for eight more than their capacity),
 * found, capacity, mode, steps of a limit: where, limit, count, current; the starts that have one of the first eight lengths,
 * and those that have another one.
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
  const short = <usize>load<u32>(run, 52);
  const long = <usize>load<u32>(run, 56);
  const plain = stepCount == 0 && mode == ALL && lengths <= 16;
  knowPlaces();
  for (let first: u32 = from & ~63; first < starts; first += 64) {
    const word = <usize>(first >> 6) << 3;
    const more = load<u64>(long + word);
    let any = load<u64>(short + word) | more;
    if (from > first) any &= ~(<u64>0) << (from - first);
    if (starts - first < 64) any &= (<u64>1 << (starts - first)) - 1;
    if (any == 0) continue;
    if (plain && capacity - found >= 1024) {
      if (more == 0) {
        turn(arrays, 0, word, shortOfStarts);
        // Two a round: behind the last start there is one without matches.
        do {
          const one = <u32>ctz(any);
          any &= any - 1;
          const other = <u32>ctz(any);
          any &= any - 1;
          const at = <usize>found << 2;
          found += emitEight(<u32>load<u8>(shortOfStarts + one), first + one, 0, begins + at, ends + at);
          const behind = <usize>found << 2;
          found += emitEight(<u32>load<u8>(shortOfStarts + other), first + other, 0, begins + behind, ends + behind);
        } while (any != 0);
      } else {
        laySixteen(arrays, word);
        do {
          const bit = <u32>ctz(any);
          any &= any - 1;
          const bytes = v128.load(startsOfLengths + (<usize>(bit >> 3) << 4));
          // The bit of the start comes to stand first in each byte.
          const mask = <u32>i8x16.bitmask(i64x2.shl(bytes, 7 - (bit & 7)));
          const at = <usize>found << 2;
          found += emitEight(mask & 255, first + bit, 0, begins + at, ends + at);
          const behind = <usize>found << 2;
          found += emitEight(mask >> 8, first + bit, 8, begins + behind, ends + behind);
        } while (any != 0);
      }
      continue;
    }
    for (let group: u32 = 0; group < lengths; group += 8) turn(arrays, group, word, lengthsOfStarts + (<usize>group << 3));
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
