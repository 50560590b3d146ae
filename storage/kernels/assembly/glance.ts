/**
 * One value of a column, read where it lies in the buffer pool without pinning it (pool/pool.ts says why that is
 * safe, and where). Layouts are those of pool.ts (frame records) and column.ts (extents).
 */
const controlAt: usize = 65536;
const headBytes: usize = 64;
const recordBytes: usize = 32;
const frameStride: usize = 65536 + 64;
export const PACKED: i32 = 0;
export const ORDERED: i32 = 1;
export const RAW8: i32 = 2;
export const RAW16: i32 = 3;

/**
 * The value at `place` of the extent that a frame held when it had `version`; `where` is the frame, and above its 24
 * bits the encoding. −1 if the frame has gone to another extent since, or if that is the value: whoever asks looks
 * again under a pin. One look at the version is enough, after all has been read.
 */
export function glance(firstFrame: usize, where: u32, version: i32, place: u32): i32 {
  const frame = <usize>(where & 0xffffff);
  const value = valueAt(firstFrame + frame * frameStride, place, where >> 24);
  const record = controlAt + headBytes + frame * recordBytes;
  const now = atomic.load<i32>(record, 28);
  // Not worth a write where it is set already: the line is shared by all threads.
  if (load<i32>(record, 20) == 0) store<i32>(record, 1, 20);
  return now == version ? value : -1;
}

/** Value number `place` of the extent at `extent`. */
export function valueIn(extent: usize, place: u32, encoding: i32): u32 {
  return valueAt(extent, place, encoding);
}

// @ts-ignore: decorator
@inline
function valueAt(extent: usize, place: u32, encoding: i32): u32 {
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
  const low = <u32>((both >> (bit & 31)) & ((<u64>1 << width) - 1));
  // No branch here either: which values are exceptions cannot be foreseen, and a wrong guess would wait for memory.
  // A block has fewer than 64 of them (choose in column.ts): all places are compared at once.
  const places = block + (<usize>width << 4);
  const wanted = i8x16.splat(<i8>inBlock);
  const hits = (
    <u64>i8x16.bitmask(i8x16.eq(v128.load(places), wanted)) |
    (<u64>i8x16.bitmask(i8x16.eq(v128.load(places, 16), wanted)) << 16) |
    (<u64>i8x16.bitmask(i8x16.eq(v128.load(places, 32), wanted)) << 32) |
    (<u64>i8x16.bitmask(i8x16.eq(v128.load(places, 48), wanted)) << 48)
  ) & ((<u64>1 << exceptions) - 1);
  const high = <u32>load<u8>(places + exceptions + (<usize>ctz(hits) & 63)) << width;
  const isException = <u32>((hits | (0 - hits)) >> 63);
  const value = low | (high & (0 - isException));
  return encoding == ORDERED ? value + load<u32>(entry, 4) : value;
}

/** Values number places[i] of one extent, one after the other, to `target`. */
export function valuesIn(extent: usize, places: usize, count: u32, encoding: i32, target: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(target + i, valueAt(extent, load<u32>(places + i), encoding));
  }
}
