/**
 * One value of a column, read where it lies in the buffer pool without pinning it (pool/pool.ts says why that is
 * safe, and where). Layouts are those of pool.ts (frame records) and column.ts (extents).
 */
const controlAt: usize = 65536;
const headBytes: usize = 64;
const recordBytes: usize = 32;
const frameStride: usize = 65536 + 64;
const READY: i32 = 2;

export const PACKED: i32 = 0;
export const ORDERED: i32 = 1;
export const RAW8: i32 = 2;
export const RAW16: i32 = 3;

/** The value, or −1 if the frame does not hold the extent (any more). */
export function glance(
  firstFrame: usize, frame: u32, keyA: i32, keyB: i32, unit: i32, place: u32, encoding: i32,
): f64 {
  const record = controlAt + headBytes + <usize>frame * recordBytes;
  const version = atomic.load<i32>(record, 28);
  if (
    atomic.load<i32>(record, 12) != READY ||
    load<i32>(record, 8) != unit || load<i32>(record) != keyA || load<i32>(record, 4) != keyB
  ) return -1;
  const value = valueIn(firstFrame + <usize>frame * frameStride, place, encoding);
  if (atomic.load<i32>(record, 28) != version) return -1;
  // Not worth a write where it is set already: the line is shared by all threads.
  if (load<i32>(record, 20) == 0) store<i32>(record, 1, 20);
  return <f64>value;
}

/** Value number `place` of the extent at `extent`. */
export function valueIn(extent: usize, place: u32, encoding: i32): u32 {
  if (encoding == RAW8) return load<u8>(extent + place);
  if (encoding == RAW16) return load<u16>(extent + (<usize>place << 1));
  const entry = extent + (<usize>(place >> 7) << (encoding == ORDERED ? 3 : 2));
  const head = load<u32>(entry);
  const width = (head >> 16) & 255;
  const exceptions = head >> 24;
  const block = extent + (head & 0xffff);
  const inBlock = place & 127;
  // Both words at once, as 64 bits, so that a value that lies across them needs no branch.
  const bit = (inBlock >> 2) * width;
  const word = block + (<usize>(bit >> 5) << 4) + (<usize>(inBlock & 3) << 2);
  const both = <u64>load<u32>(word) | (<u64>load<u32>(word, 16) << 32);
  let value = <u32>((both >> (bit & 31)) & ((<u64>1 << width) - 1));
  if (exceptions > 0) {
    const places = block + (<usize>width << 4);
    for (let e: u32 = 0; e < exceptions; e += 16) {
      let hits = i8x16.bitmask(i8x16.eq(v128.load(places + e), i8x16.splat(<i8>inBlock)));
      if (exceptions - e < 16) hits &= (1 << (exceptions - e)) - 1;
      if (hits != 0) {
        value |= <u32>load<u8>(places + exceptions + e + ctz(hits)) << width;
        break;
      }
    }
  }
  return encoding == ORDERED ? value + load<u32>(entry, 4) : value;
}

/** Values number places[i] of one extent, one after the other, to `target`. */
export function valuesIn(extent: usize, places: usize, count: u32, encoding: i32, target: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(target + i, valueIn(extent, load<u32>(places + i), encoding));
  }
}
