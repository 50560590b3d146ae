/** The strings of a table in byte order (which for UTF-8 is the order of code points). */
import { Table } from "./table";

/** Scratch while sorting: {u64 first eight bytes, big-endian; u32 number; u32 length}, 16 bytes each. */
let heap: usize = 0;
let entries: usize = 0;

/** Writes the numbers of strings `from` … of the table to `order`, sorted; `scratch` has 16 bytes for each. */
export function sortTable(tableAt: usize, from: u32, scratch: usize, order: usize): void {
  const table = changetype<Table>(tableAt);
  heap = table.heap;
  entries = table.entries;
  const count = table.count - from;
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + (<usize>(from + i) << 4);
    const item = scratch + (<usize>i << 4);
    const length = load<u32>(entry, 4);
    store<u64>(item, prefix(heap + load<u32>(entry), length));
    store<u32>(item, from + i, 8);
    store<u32>(item, length, 12);
  }
  if (count > 1) sortItems(scratch, scratch + (<usize>(count - 1) << 4), 64);
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(order + (<usize>i << 2), load<u32>(scratch + (<usize>i << 4), 8));
  }
}

function prefix(start: usize, length: u32): u64 {
  let word = load<u64>(start);
  if (length < 8) word &= length == 0 ? 0 : (<u64>1 << (length << 3)) - 1;
  return bswap<u64>(word);
}

function before(a: usize, b: usize): bool {
  const left = load<u64>(a);
  const right = load<u64>(b);
  if (left != right) return left < right;
  const la = load<u32>(a, 12);
  const lb = load<u32>(b, 12);
  if (la <= 8 || lb <= 8) return la < lb;
  const sa = heap + load<u32>(entries + (<usize>load<u32>(a, 8) << 4));
  const sb = heap + load<u32>(entries + (<usize>load<u32>(b, 8) << 4));
  const common = min(la, lb);
  let i: u32 = 8;
  while (i + 8 <= common) {
    const x = load<u64>(sa + i);
    const y = load<u64>(sb + i);
    if (x != y) return bswap<u64>(x) < bswap<u64>(y);
    i += 8;
  }
  while (i < common) {
    const x = load<u8>(sa + i);
    const y = load<u8>(sb + i);
    if (x != y) return x < y;
    i++;
  }
  return la < lb;
}

// @ts-ignore: decorator
@inline
function swap(a: usize, b: usize): void {
  const x = v128.load(a);
  v128.store(a, v128.load(b));
  v128.store(b, x);
}

/** Quicksort with the median of three; a bad run of pivots falls back to heapsort. */
function sortItems(low: usize, high: usize, depth: i32): void {
  while (high - low > 16 * 16) {
    if (depth-- == 0) {
      heapSort(low, <u32>((high - low) >> 4) + 1);
      return;
    }
    const middle = low + ((((high - low) >> 4) >> 1) << 4);
    if (before(middle, low)) swap(middle, low);
    if (before(high, low)) swap(high, low);
    if (before(high, middle)) swap(high, middle);
    swap(middle, low);
    let i = low;
    let j = high + 16;
    for (;;) {
      do i += 16; while (i <= high && before(i, low));
      do j -= 16; while (before(low, j));
      if (i >= j) break;
      swap(i, j);
    }
    swap(low, j);
    if (j - low < high - j) {
      if (j > low) sortItems(low, j - 16, depth);
      low = j + 16;
    } else {
      sortItems(j + 16, high, depth);
      if (j == low) return;
      high = j - 16;
    }
  }
  for (let i = low + 16; i <= high; i += 16) {
    const item = v128.load(i);
    v128.store(held, item);
    let j = i;
    while (j > low && before(held, j - 16)) {
      v128.store(j, v128.load(j - 16));
      j -= 16;
    }
    v128.store(j, item);
  }
}

const held = memory.data(16, 16);

function heapSort(base: usize, count: u32): void {
  for (let i = <i32>(count >> 1) - 1; i >= 0; i--) sift(base, <u32>i, count);
  for (let end = count - 1; end > 0; end--) {
    swap(base, base + (<usize>end << 4));
    sift(base, 0, end);
  }
}

function sift(base: usize, root: u32, count: u32): void {
  for (;;) {
    let child = root * 2 + 1;
    if (child >= count) return;
    if (child + 1 < count && before(base + (<usize>child << 4), base + (<usize>(child + 1) << 4))) child++;
    if (!before(base + (<usize>root << 4), base + (<usize>child << 4))) return;
    swap(base + (<usize>root << 4), base + (<usize>child << 4));
    root = child;
  }
}
