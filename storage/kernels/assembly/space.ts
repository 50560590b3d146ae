/**
 * Leaves of a space (storage/space/format.ts): codes of a fixed width, and Rice-coded gaps. Bits lie lowest first, from a bit behind an
 * address on. Both read up to 8 bytes behind what they need.
 */

/** `count` codes of `width` bits, 1 to 32. */
export function unpackCodes(source: usize, bit: u32, width: i32, count: i32, target: usize): void {
  const mask: u64 = (<u64>1 << width) - 1;
  const end = target + (<usize>count << 2);
  for (; target < end; target += 4) {
    store<u32>(target, <u32>((load<u64>(source + (bit >> 3)) >> (bit & 7)) & mask));
    bit += width;
  }
}

/**
 * Running sums of `count` gaps, the first of them behind `sum`. A gap is ones and a zero, then `parameter` bits; or 24 ones and 32 bits.
 */
export function unpackGaps(
  source: usize, bit: u32, parameter: i32, count: i32, sum: u32, target: usize,
): void {
  const mask: u64 = (<u64>1 << parameter) - 1;
  const end = target + (<usize>count << 2);
  // What is known of the bits from here on; behind it are zeros.
  let held: u64 = 0;
  let known: i32 = 0;
  for (; target < end; target += 4) {
    let ones = <i32>ctz(~held);
    // Ones up to the end of what is known may go on.
    if (ones + 1 + parameter > known || ones >= 24) {
      held = load<u64>(source + (bit >> 3)) >> (bit & 7);
      known = 64 - <i32>(bit & 7);
      ones = <i32>ctz(~held);
      if (ones >= 24) {
        sum += <u32>(held >> 24);
        bit += 56;
        known = 0;
        held = 0;
        store<u32>(target, sum);
        continue;
      }
    }
    const used = ones + 1 + parameter;
    sum += (<u32>ones << parameter) + <u32>((held >> (ones + 1)) & mask);
    held >>= used;
    known -= used;
    bit += used;
    store<u32>(target, sum);
  }
}
