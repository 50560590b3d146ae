/** Scans of one-byte streams: frequent values of small attributes are found here rather than in postings. */

/** Positions (plus `base`) of `value` among `count` bytes; `target` must hold `count` integers. Returns how many. */
export function scanBytes(source: usize, count: i32, value: i32, base: u32, target: usize): i32 {
  const start = target;
  const wanted = i8x16.splat(<i8>value);
  let i = 0;
  for (; i + 16 <= count; i += 16) {
    let hits = i8x16.bitmask(i8x16.eq(v128.load(source + <usize>i), wanted));
    while (hits != 0) {
      store<u32>(target, base + <u32>i + <u32>ctz(hits));
      target += 4;
      hits &= hits - 1;
    }
  }
  for (; i < count; i++) {
    if (load<u8>(source + <usize>i) == <u8>value) {
      store<u32>(target, base + <u32>i);
      target += 4;
    }
  }
  return <i32>((target - start) >> 2);
}
