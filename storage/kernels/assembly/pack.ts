/**
 * Blocks of 128 unsigned 32-bit integers, bit-packed in vertical layout: value i lies in lane i & 3 of row
 * i >> 2, and row r of a lane occupies bits r·width … (r+1)·width of that lane. A block of width w takes 16·w bytes.
 * Unpacking reads up to 16 bytes behind the block: every buffer leaves that much room.
 *
 * Each width has a function of its own: who reads few widths waits for the compiler to optimise these, not all of them.
 */
export function unpack(source: usize, target: usize, width: i32): void {
  switch (width) {
    case 0: memory.fill(target, 0, 512); return;
    case 1: return unpack1(source, target);
    case 2: return unpack2(source, target);
    case 3: return unpack3(source, target);
    case 4: return unpack4(source, target);
    case 5: return unpack5(source, target);
    case 6: return unpack6(source, target);
    case 7: return unpack7(source, target);
    case 8: return unpack8(source, target);
    case 9: return unpack9(source, target);
    case 10: return unpack10(source, target);
    case 11: return unpack11(source, target);
    case 12: return unpack12(source, target);
    case 13: return unpack13(source, target);
    case 14: return unpack14(source, target);
    case 15: return unpack15(source, target);
    case 16: return unpack16(source, target);
    case 17: return unpack17(source, target);
    case 18: return unpack18(source, target);
    case 19: return unpack19(source, target);
    case 20: return unpack20(source, target);
    case 21: return unpack21(source, target);
    case 22: return unpack22(source, target);
    case 23: return unpack23(source, target);
    case 24: return unpack24(source, target);
    case 25: return unpack25(source, target);
    case 26: return unpack26(source, target);
    case 27: return unpack27(source, target);
    case 28: return unpack28(source, target);
    case 29: return unpack29(source, target);
    case 30: return unpack30(source, target);
    case 31: return unpack31(source, target);
    case 32: return unpack32(source, target);
  }
}

function unpack1(source: usize, target: usize): void { unpackAt(source, target, 1); }
function unpack2(source: usize, target: usize): void { unpackAt(source, target, 2); }
function unpack3(source: usize, target: usize): void { unpackAt(source, target, 3); }
function unpack4(source: usize, target: usize): void { unpackAt(source, target, 4); }
function unpack5(source: usize, target: usize): void { unpackAt(source, target, 5); }
function unpack6(source: usize, target: usize): void { unpackAt(source, target, 6); }
function unpack7(source: usize, target: usize): void { unpackAt(source, target, 7); }
function unpack8(source: usize, target: usize): void { unpackAt(source, target, 8); }
function unpack9(source: usize, target: usize): void { unpackAt(source, target, 9); }
function unpack10(source: usize, target: usize): void { unpackAt(source, target, 10); }
function unpack11(source: usize, target: usize): void { unpackAt(source, target, 11); }
function unpack12(source: usize, target: usize): void { unpackAt(source, target, 12); }
function unpack13(source: usize, target: usize): void { unpackAt(source, target, 13); }
function unpack14(source: usize, target: usize): void { unpackAt(source, target, 14); }
function unpack15(source: usize, target: usize): void { unpackAt(source, target, 15); }
function unpack16(source: usize, target: usize): void { unpackAt(source, target, 16); }
function unpack17(source: usize, target: usize): void { unpackAt(source, target, 17); }
function unpack18(source: usize, target: usize): void { unpackAt(source, target, 18); }
function unpack19(source: usize, target: usize): void { unpackAt(source, target, 19); }
function unpack20(source: usize, target: usize): void { unpackAt(source, target, 20); }
function unpack21(source: usize, target: usize): void { unpackAt(source, target, 21); }
function unpack22(source: usize, target: usize): void { unpackAt(source, target, 22); }
function unpack23(source: usize, target: usize): void { unpackAt(source, target, 23); }
function unpack24(source: usize, target: usize): void { unpackAt(source, target, 24); }
function unpack25(source: usize, target: usize): void { unpackAt(source, target, 25); }
function unpack26(source: usize, target: usize): void { unpackAt(source, target, 26); }
function unpack27(source: usize, target: usize): void { unpackAt(source, target, 27); }
function unpack28(source: usize, target: usize): void { unpackAt(source, target, 28); }
function unpack29(source: usize, target: usize): void { unpackAt(source, target, 29); }
function unpack30(source: usize, target: usize): void { unpackAt(source, target, 30); }
function unpack31(source: usize, target: usize): void { unpackAt(source, target, 31); }
function unpack32(source: usize, target: usize): void { unpackAt(source, target, 32); }

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
