/**
 * Matches by their length, for all starts at once: bits of positions, lowest first, in words of 64. Arrays have two
 * words more than positions need, and these are 0.
 */
import { ALL, DONE, FIRST, FULL } from "./match";

/** target |= test & (reach moved one position to the front); returns whether target has any bit. */
export function stepBits(test: usize, reach: usize, target: usize, words: u32): i32 {
  let some = i64x2.splat(0);
  for (let i: usize = 0; i < <usize>words << 3; i += 16) {
    const moved = v128.or(i64x2.shr_u(v128.load(reach + i), 1), i64x2.shl(v128.load(reach + i, 8), 63));
    const bits = v128.or(v128.load(target + i), v128.and(v128.load(test + i), moved));
    v128.store(target + i, bits);
    some = v128.or(some, bits);
  }
  return <i32>v128.any_true(some);
}

/** target = a | b; returns whether it has any bit. */
export function joinBits(a: usize, b: usize, target: usize, words: u32): i32 {
  let some = i64x2.splat(0);
  for (let i: usize = 0; i < <usize>words << 3; i += 16) {
    const bits = v128.or(v128.load(a + i), v128.load(b + i));
    v128.store(target + i, bits);
    some = v128.or(some, bits);
  }
  return <i32>v128.any_true(some);
}

/**
 * Writes matches down: bit b of array r − 1 is a match of r tokens from position b on. `run` is: arrays (addresses),
 * how many, starts, where to go on, begins, ends, found, capacity, mode, steps of a limit: where, limit, count, current.
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
  // Which lengths occur in a word at all: a few of them, nearly always.
  const live: usize = 64;
  for (let first: u32 = from & ~63; first < starts; first += 64) {
    const word = <usize>(first >> 6) << 3;
    let any: u64 = 0;
    let lives: u32 = 0;
    for (let r: u32 = 0; r < lengths; r++) {
      const bits = load<u64>(<usize>load<u32>(arrays + (<usize>r << 2)) + word);
      if (bits == 0) continue;
      any |= bits;
      store<u32>(live + (<usize>lives << 4), r + 1);
      store<u64>(live + (<usize>lives << 4), bits, 8);
      lives++;
    }
    if (from > first) any &= ~(<u64>0) << (from - first);
    if (starts - first < 64) any &= (<u64>1 << (starts - first)) - 1;
    while (any != 0) {
      const bit = <u32>ctz(any);
      any &= any - 1;
      const begin = first + bit;
      if (capacity - found < lives) {
        store<u32>(run, begin, 12);
        store<u32>(run, found, 24);
        store<u32>(run, step, 48);
        return FULL;
      }
      let limit: u32 = 0xffffffff;
      if (stepCount > 0) {
        while (step + 1 < stepCount && load<u32>(steps + (<usize>step << 2), 4) <= begin) step++;
        limit = load<u32>(stepLimits + (<usize>step << 2));
      }
      const before = found;
      for (let n: u32 = 0; n < lives; n++) {
        const at = live + (<usize>n << 4);
        const end = begin + load<u32>(at);
        // Written in any case, and counted where it is one: no branch to guess.
        store<u32>(begins + (<usize>found << 2), begin);
        store<u32>(ends + (<usize>found << 2), end);
        found += <u32>((load<u64>(at, 8) >> <u64>bit) & 1) & <u32>(end <= limit);
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
