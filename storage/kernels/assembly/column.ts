/**
 * Columns of integers in extents. An extent is a table with one entry per block of 128, then the blocks:
 *
 *   entry   = u16 offset of the block in the extent, u8 width, u8 exceptions [, u32 base]   (base: ordered columns)
 *   block   = 16·width bytes of packed low bits, exceptions × u8 place, exceptions × u8 high byte, padding to 4
 *
 * A value of more than `width` bits is an exception: its higher bits (8 at most) stand behind the block.
 */
import { bitsOf, pack, unpack, widest } from "./pack";

/** Four of them, so that neighbours of one width do not wait for each other. */
const histogram = memory.data(4 * 144, 16);
const scratch = memory.data(512 + 64);
let chosenWidth = 0;
let chosenExceptions = 0;

/** Copies a block to `scratch`, less its base if ordered, zero-filled behind `count`; returns the base. */
function stage(source: usize, count: i32, ordered: bool): u32 {
  let base: u32 = 0;
  if (ordered) {
    base = load<u32>(source);
    for (let i = 1; i < count; i++) base = min(base, load<u32>(source + (<usize>i << 2)));
  }
  if (count == 128) {
    const subtract = i32x4.splat(base);
    for (let i: usize = 0; i < 512; i += 16) v128.store(scratch + i, i32x4.sub(v128.load(source + i), subtract));
  } else {
    memory.fill(scratch, 0, 512);
    for (let i = 0; i < count; i++) {
      store<u32>(scratch + (<usize>i << 2), load<u32>(source + (<usize>i << 2)) - base);
    }
  }
  return base;
}

/** Bytes that an exception is counted for beyond its own: each is undone by itself, when its block is decoded. */
const exceptionCost = 1;

/** Chooses the width that makes the block in `scratch` cheapest: small, and with few exceptions. Returns its bytes. */
function choose(): i32 {
  const zero = i32x4.splat(0);
  for (let i: usize = 0; i < 4 * 144; i += 16) v128.store(histogram + i, zero);
  for (let i: usize = 0; i < 512; i += 16) {
    countBits(histogram, load<u32>(scratch + i));
    countBits(histogram + 144, load<u32>(scratch + i, 4));
    countBits(histogram + 288, load<u32>(scratch + i, 8));
    countBits(histogram + 432, load<u32>(scratch + i, 12));
  }
  const most = bitsOf(widest(scratch));
  let bytesChosen = 16 * most;
  let best = bytesChosen;
  let exceptions = 0;
  chosenWidth = most;
  chosenExceptions = 0;
  const least = max(0, most - 8);
  for (let width = most - 1; width >= least; width--) {
    const slot = histogram + (<usize>(width + 1) << 2);
    exceptions += load<i32>(slot) + load<i32>(slot, 144) + load<i32>(slot, 288) + load<i32>(slot, 432);
    const bytes = 16 * width + ((2 * exceptions + 3) & ~3);
    const cost = bytes + exceptionCost * exceptions;
    if (cost < best) {
      best = cost;
      bytesChosen = bytes;
      chosenWidth = width;
      chosenExceptions = exceptions;
    }
  }
  return bytesChosen;
}

// @ts-ignore: decorator
@inline
function countBits(slots: usize, value: u32): void {
  const slot = slots + (<usize>bitsOf(value) << 2);
  store<u32>(slot, load<u32>(slot) + 1);
}

/**
 * Bytes that each block of a column takes, with its table entry, as u16 into `sizes`; the width and the exceptions that
 * were chosen for it, as two u8, into `shapes`.
 */
export function columnSizes(source: usize, count: i32, ordered: bool, sizes: usize, shapes: usize): void {
  const entry = ordered ? 8 : 4;
  for (let done = 0; done < count; done += 128) {
    stage(source, min(128, count - done), ordered);
    store<u16>(sizes, <u16>(choose() + entry));
    store<u8>(shapes, <u8>chosenWidth);
    store<u8>(shapes, <u8>chosenExceptions, 1);
    source += 512;
    sizes += 2;
    shapes += 2;
  }
}

/** Writes one extent of `count` values, whose blocks have the given shapes; returns its bytes. */
export function encodeExtent(source: usize, count: i32, ordered: bool, shapes: usize, target: usize): i32 {
  const entry: usize = ordered ? 8 : 4;
  const blocks = (count + 127) >> 7;
  let table = target;
  let at = target + <usize>blocks * entry;
  for (let done = 0; done < count; done += 128) {
    const base = stage(source, min(128, count - done), ordered);
    const width = <i32>load<u8>(shapes);
    const exceptions = <i32>load<u8>(shapes, 1);
    shapes += 2;
    store<u16>(table, <u16>(at - target));
    store<u8>(table, <u8>width, 2);
    store<u8>(table, <u8>exceptions, 3);
    if (ordered) store<u32>(table, base, 4);
    table += entry;
    pack(scratch, at, width);
    at += <usize>(width << 4);
    if (exceptions > 0) {
      let place = at;
      let high = at + <usize>exceptions;
      for (let i = 0; i < 128; i++) {
        const rest = load<u32>(scratch + (<usize>i << 2)) >> <u32>width;
        if (rest != 0) {
          store<u8>(place++, <u8>i);
          store<u8>(high++, <u8>rest);
        }
      }
      const end = (high + 3) & ~(<usize>3);
      while (high < end) store<u8>(high++, 0);
      at = end;
    }
    source += 512;
  }
  return <i32>(at - target);
}

/** The sum of 16-bit values. */
export function sumShorts(values: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let at = values; at < values + (<usize>count << 1); at += 2) sum += <u32>load<u16>(at);
  return sum;
}

/** As many blocks as fit an extent of so many bytes, whichever extent it is; `sizes` has the bytes of each block. */
export function blocksPerExtent(sizes: usize, count: u32, extentBytes: u32): u32 {
  const total = sumShorts(sizes, count);
  if (total <= extentBytes) return max<u32>(1, count);
  let blocks = <u32>(<f64>extentBytes / (<f64>total / <f64>count));
  while (!fitsAll(sizes, count, blocks, extentBytes)) blocks = <u32>max<i32>(1, <i32>(<f64>blocks * 0.98) - 1);
  return blocks;
}

function fitsAll(sizes: usize, count: u32, blocks: u32, extentBytes: u32): bool {
  for (let start: u32 = 0; start < count; start += blocks) {
    if (sumShorts(sizes + (<usize>start << 1), min(blocks, count - start)) > extentBytes) return false;
  }
  return true;
}

/** Reads blocks `first` … `first + blocks` of an extent into `target`, whole blocks. */
export function decodeExtent(extent: usize, first: i32, blocks: i32, ordered: bool, target: usize): void {
  const entryBytes: usize = ordered ? 8 : 4;
  let entry = extent + <usize>first * entryBytes;
  for (let b = 0; b < blocks; b++) {
    const width = <i32>load<u8>(entry, 2);
    const exceptions = <usize>load<u8>(entry, 3);
    const block = extent + <usize>load<u16>(entry);
    unpack(block, target, width);
    if (exceptions > 0) {
      const places = block + <usize>(width << 4);
      const highs = places + exceptions;
      let e: usize = 0;
      // By fours: a round by itself takes as long as an exception.
      for (; e + 4 <= exceptions; e += 4) {
        raise(target, places + e, highs + e, width);
        raise(target, places + e + 1, highs + e + 1, width);
        raise(target, places + e + 2, highs + e + 2, width);
        raise(target, places + e + 3, highs + e + 3, width);
      }
      for (; e < exceptions; e++) raise(target, places + e, highs + e, width);
    }
    if (ordered) {
      const base = i32x4.splat(load<u32>(entry, 4));
      for (let i: usize = 0; i < 512; i += 16) v128.store(target + i, i32x4.add(v128.load(target + i), base));
    }
    entry += entryBytes;
    target += 512;
  }
}

/** An exception's higher bits. */
// @ts-ignore: decorator
@inline
function raise(target: usize, place: usize, high: usize, width: i32): void {
  const value = target + (<usize>load<u8>(place) << 2);
  store<u32>(value, load<u32>(value) | (<u32>load<u8>(high) << width));
}

/** The low byte of each integer; `target` has room for whole sixteens. */
export function narrow8(source: usize, count: i32, target: usize): void {
  const mask = i32x4.splat(255);
  for (let done = 0; done < count; done += 16) {
    const low = i16x8.narrow_i32x4_u(v128.and(v128.load(source), mask), v128.and(v128.load(source, 16), mask));
    const high = i16x8.narrow_i32x4_u(v128.and(v128.load(source, 32), mask), v128.and(v128.load(source, 48), mask));
    v128.store(target, i8x16.narrow_i16x8_u(low, high));
    source += 64;
    target += 16;
  }
}

/** The low half of each integer; `target` has room for whole eights. */
export function narrow16(source: usize, count: i32, target: usize): void {
  const mask = i32x4.splat(65535);
  for (let done = 0; done < count; done += 8) {
    v128.store(target, i16x8.narrow_i32x4_u(v128.and(v128.load(source), mask), v128.and(v128.load(source, 16), mask)));
    source += 32;
    target += 16;
  }
}

/** Widens bytes to integers. */
export function widen8(source: usize, count: i32, target: usize): void {
  const end = source + <usize>count;
  while (source + 16 <= end) {
    const bytes = v128.load(source);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(target, i32x4.extend_low_i16x8_u(low));
    v128.store(target, i32x4.extend_high_i16x8_u(low), 16);
    v128.store(target, i32x4.extend_low_i16x8_u(high), 32);
    v128.store(target, i32x4.extend_high_i16x8_u(high), 48);
    source += 16;
    target += 64;
  }
  while (source < end) {
    store<u32>(target, <u32>load<u8>(source++));
    target += 4;
  }
}

/** Widens 16-bit values to integers. */
export function widen16(source: usize, count: i32, target: usize): void {
  const end = source + ((<usize>count) << 1);
  while (source + 16 <= end) {
    const shorts = v128.load(source);
    v128.store(target, i32x4.extend_low_i16x8_u(shorts));
    v128.store(target, i32x4.extend_high_i16x8_u(shorts), 16);
    source += 16;
    target += 32;
  }
  while (source < end) {
    store<u32>(target, <u32>load<u16>(source));
    source += 2;
    target += 4;
  }
}
