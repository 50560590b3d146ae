/**
 * Sorted positions as gaps: the gap before position p after position q is p − q − 1. Full blocks of 128 gaps are
 * packed as in pack.ts; a tail of fewer is a width byte and then the gaps, lowest bit first, one behind the other.
 */
import { bitsOf, pack, unpack, widest } from "./pack";

const gaps = memory.data(512 + 64);

/** Packs 128 positions that follow `previous` (−1 before the first); returns the width. */
export function packPositions(source: usize, previous: u32, target: usize): i32 {
  for (let i: usize = 0; i < 512; i += 4) {
    const position = load<u32>(source + i);
    store<u32>(gaps + i, position - previous - 1);
    previous = position;
  }
  const width = bitsOf(widest(gaps));
  pack(gaps, target, width);
  return width;
}

/** Writes `count` < 128 positions as a tail; returns its bytes. */
export function packTail(source: usize, count: i32, previous: u32, target: usize): i32 {
  let any: u32 = 0;
  let last = previous;
  for (let i = 0; i < count; i++) {
    const position = load<u32>(source + (<usize>i << 2));
    any |= position - last - 1;
    last = position;
  }
  const width = bitsOf(any);
  let at = target;
  store<u8>(at++, <u8>width);
  let held: u64 = 0;
  let bits = 0;
  last = previous;
  for (let i = 0; i < count; i++) {
    const position = load<u32>(source + (<usize>i << 2));
    held |= (<u64>(position - last - 1)) << bits;
    bits += width;
    last = position;
    while (bits >= 8) {
      store<u8>(at++, <u8>held);
      held >>= 8;
      bits -= 8;
    }
  }
  if (bits > 0) store<u8>(at++, <u8>held);
  return <i32>(at - target);
}

/** Reads a tail of `count` positions. */
export function unpackTail(source: usize, count: i32, previous: u32, target: usize): void {
  const width = <i32>load<u8>(source++);
  const mask: u64 = (<u64>1 << width) - 1;
  let bit: u32 = 0;
  for (let i = 0; i < count; i++) {
    const gap = <u32>((load<u64>(source + (bit >> 3)) >> (bit & 7)) & mask);
    previous += gap + 1;
    store<u32>(target, previous);
    target += 4;
    bit += width;
  }
}

/** Reads one block of 128 positions that follow `previous`: the gaps first, then their running sum in place. */
export function unpackPositions(source: usize, previous: u32, width: i32, target: usize): void {
  unpack(source, target, width);
  let carry = i32x4.splat(previous);
  // Several rows a round: a round by itself takes as long as a row.
  for (let rows = target; rows < target + 512; rows += 128) {
    carry = sumRow(rows, carry);
    carry = sumRow(rows + 16, carry);
    carry = sumRow(rows + 32, carry);
    carry = sumRow(rows + 48, carry);
    carry = sumRow(rows + 64, carry);
    carry = sumRow(rows + 80, carry);
    carry = sumRow(rows + 96, carry);
    carry = sumRow(rows + 112, carry);
  }
}

/** Four gaps to positions, in place. Only one addition waits for the row before. */
// @ts-ignore: decorator
@inline
function sumRow(row: usize, carry: v128): v128 {
  const zero = i32x4.splat(0);
  let sum = i32x4.add(v128.load(row), i32x4.splat(1));
  // Neighbouring lanes of zeros and the row: one instruction each.
  sum = i32x4.add(sum, v128.shuffle<i32>(zero, sum, 3, 4, 5, 6));
  sum = i32x4.add(sum, v128.shuffle<i32>(zero, sum, 2, 3, 4, 5));
  v128.store(row, i32x4.add(sum, carry));
  return i32x4.add(carry, v128.shuffle<i32>(sum, sum, 3, 3, 3, 3));
}

/**
 * Reads `blocks` blocks of a chunk from block `first` on. A chunk is blocks × {u32 last position, u8 width}, split
 * into all the lasts and then all the widths, then the packed blocks. Returns the number of positions.
 */
export function unpackChunk(chunk: usize, total: i32, first: i32, blocks: i32, previous: u32, target: usize): i32 {
  const widths = chunk + (<usize>total << 2);
  let block = widths + <usize>total;
  for (let b = 0; b < first; b++) block += <usize>load<u8>(widths + <usize>b) << 4;
  if (first > 0) previous = load<u32>(chunk + (<usize>(first - 1) << 2));
  for (let b = first; b < first + blocks; b++) {
    const width = <i32>load<u8>(widths + <usize>b);
    unpackPositions(block, previous, width, target);
    block += <usize>width << 4;
    previous = load<u32>(chunk + (<usize>b << 2));
    target += 512;
  }
  return blocks << 7;
}
