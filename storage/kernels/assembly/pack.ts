/**
 * Blocks of 128 unsigned 32-bit integers, bit-packed in vertical layout: value i lies in lane i & 3 of row
 * i >> 2, and row r of a lane occupies bits r·width … (r+1)·width of that lane. A block of width w takes 16·w bytes.
 * Unpacking reads up to 16 bytes behind the block: every buffer leaves that much room.
 */
export function unpack(source: usize, target: usize, width: i32): void {
  switch (width) {
    case 0: memory.fill(target, 0, 512); return;
    case 1: return unpackAt(source, target, 1);
    case 2: return unpackAt(source, target, 2);
    case 3: return unpackAt(source, target, 3);
    case 4: return unpackAt(source, target, 4);
    case 5: return unpackAt(source, target, 5);
    case 6: return unpackAt(source, target, 6);
    case 7: return unpackAt(source, target, 7);
    case 8: return unpackAt(source, target, 8);
    case 9: return unpackAt(source, target, 9);
    case 10: return unpackAt(source, target, 10);
    case 11: return unpackAt(source, target, 11);
    case 12: return unpackAt(source, target, 12);
    case 13: return unpackAt(source, target, 13);
    case 14: return unpackAt(source, target, 14);
    case 15: return unpackAt(source, target, 15);
    case 16: return unpackAt(source, target, 16);
    case 17: return unpackAt(source, target, 17);
    case 18: return unpackAt(source, target, 18);
    case 19: return unpackAt(source, target, 19);
    case 20: return unpackAt(source, target, 20);
    case 21: return unpackAt(source, target, 21);
    case 22: return unpackAt(source, target, 22);
    case 23: return unpackAt(source, target, 23);
    case 24: return unpackAt(source, target, 24);
    case 25: return unpackAt(source, target, 25);
    case 26: return unpackAt(source, target, 26);
    case 27: return unpackAt(source, target, 27);
    case 28: return unpackAt(source, target, 28);
    case 29: return unpackAt(source, target, 29);
    case 30: return unpackAt(source, target, 30);
    case 31: return unpackAt(source, target, 31);
    case 32: return unpackAt(source, target, 32);
  }
}

/** With a constant row and width, everything but the loads, two shifts and the store folds away. */
// @ts-ignore: decorator
@inline
export function rowOf(source: usize, width: i32, row: i32): v128 {
  const shift = (row * width) & 31;
  const word = <usize>(((row * width) >> 5) << 4);
  let value = v128.load(source + word);
  if (shift != 0) value = i32x4.shr_u(value, shift);
  if (shift + width > 32) value = v128.or(value, i32x4.shl(v128.load(source + word + 16), 32 - shift));
  if (shift + width != 32 && width != 32) value = v128.and(value, i32x4.splat(<i32>((<u32>1 << width) - 1)));
  return value;
}

// @ts-ignore: decorator
@inline
function row(source: usize, target: usize, width: i32, row: i32): void {
  v128.store(target + <usize>(row << 4), rowOf(source, width, row));
}

// @ts-ignore: decorator
@inline
function unpackAt(source: usize, target: usize, width: i32): void {
  row(source, target, width, 0);
  row(source, target, width, 1);
  row(source, target, width, 2);
  row(source, target, width, 3);
  row(source, target, width, 4);
  row(source, target, width, 5);
  row(source, target, width, 6);
  row(source, target, width, 7);
  row(source, target, width, 8);
  row(source, target, width, 9);
  row(source, target, width, 10);
  row(source, target, width, 11);
  row(source, target, width, 12);
  row(source, target, width, 13);
  row(source, target, width, 14);
  row(source, target, width, 15);
  row(source, target, width, 16);
  row(source, target, width, 17);
  row(source, target, width, 18);
  row(source, target, width, 19);
  row(source, target, width, 20);
  row(source, target, width, 21);
  row(source, target, width, 22);
  row(source, target, width, 23);
  row(source, target, width, 24);
  row(source, target, width, 25);
  row(source, target, width, 26);
  row(source, target, width, 27);
  row(source, target, width, 28);
  row(source, target, width, 29);
  row(source, target, width, 30);
  row(source, target, width, 31);
}

/** Packs the low `width` bits of 128 integers. */
export function pack(source: usize, target: usize, width: i32): void {
  if (width == 0) return;
  const mask = i32x4.splat(width == 32 ? -1 : (1 << width) - 1);
  let filled = i32x4.splat(0);
  let bit = 0;
  for (let row = 0; row < 32; row++) {
    const value = v128.and(v128.load(source), mask);
    source += 16;
    filled = v128.or(filled, i32x4.shl(value, bit));
    bit += width;
    if (bit >= 32) {
      v128.store(target, filled);
      target += 16;
      bit -= 32;
      filled = bit > 0 ? i32x4.shr_u(value, width - bit) : i32x4.splat(0);
    }
  }
}

// @ts-ignore: decorator
@inline
export function bitsOf(value: u32): i32 {
  return 32 - <i32>clz(value);
}

/** The bitwise or of 128 integers: its length in bits is the width of the widest. */
export function widest(source: usize): u32 {
  let any = v128.load(source);
  for (let row: usize = 16; row < 512; row += 16) any = v128.or(any, v128.load(source + row));
  return (
    i32x4.extract_lane(any, 0) | i32x4.extract_lane(any, 1) | i32x4.extract_lane(any, 2) | i32x4.extract_lane(any, 3)
  );
}
