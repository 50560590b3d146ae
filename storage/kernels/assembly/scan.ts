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

/**
 * Numbers (plus `base`) of the bits that are set in `count` words, lowest first; `target` must hold two more than there are.
 * Returns how many. Of most words few bits are set: two are written in any case, as no branch could be guessed.
 */
export function placesOfWords(words: usize, count: u32, base: u32, target: usize): u32 {
  const start = target;
  const end = words + (<usize>count << 2);
  for (; words < end; words += 4) {
    let rest = load<u32>(words);
    const next = target + (<usize>popcnt(rest) << 2);
    store<u32>(target, base + ctz(rest));
    rest &= rest - 1;
    store<u32>(target, base + ctz(rest), 4);
    for (target += 8; target < next; target += 4) {
      rest &= rest - 1;
      store<u32>(target, base + ctz(rest));
    }
    target = next;
    base += 32;
  }
  return <u32>((target - start) >> 2);
}
