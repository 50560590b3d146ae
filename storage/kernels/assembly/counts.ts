/** Sums of what segments count. */

/** Adds counts[i] to the u64 at frequency[ids[i]], and documents[i] to the u32 at inDocuments[ids[i]]. */
export function addCounts(
  ids: usize, counts: usize, documents: usize, count: u32, frequency: usize, inDocuments: usize,
): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const id = <usize>load<u32>(ids + i);
    const sum = frequency + (id << 3);
    store<u64>(sum, load<u64>(sum) + <u64>load<u32>(counts + i));
    const all = inDocuments + (id << 2);
    store<u32>(all, load<u32>(all) + load<u32>(documents + i));
  }
}

/** The low and the high half of each u64. */
export function splitHalves(values: usize, count: u32, low: usize, high: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(low + i, load<u32>(values + (i << 1)));
    store<u32>(high + i, load<u32>(values + (i << 1), 4));
  }
}

export function joinHalves(low: usize, high: usize, count: u32, values: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(values + (i << 1), load<u32>(low + i));
    store<u32>(values + (i << 1), load<u32>(high + i), 4);
  }
}
