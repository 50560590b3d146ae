/**
 * A table of distinct byte strings, numbered from 0 in the order in which they were met.
 *
 *   Table   = slots mask count entries capacity heap heapLength heapCapacity   (8 × u32)
 *   slot    = u32 high half of the hash, u32 number + 1 (0: free); open addressing, at most half full
 *   entry   = u32 offset in the heap, u32 length, u32 count, u32 low half of the hash
 *   heap    = the strings, one behind the other
 */
import { allocate } from "./memory";

@unmanaged
export class Table {
  slots: usize;
  mask: u32;
  count: u32;
  entries: usize;
  capacity: u32;
  heap: usize;
  heapLength: u32;
  heapCapacity: u32;
}

/** A new table with room for `expected` strings before it first grows; 0 when memory is exhausted. */
export function newTable(expected: u32): usize {
  const at = allocate(offsetof<Table>());
  if (at == 0) return 0;
  const table = changetype<Table>(at);
  let size: u32 = 64;
  while (size < expected * 2) size <<= 1;
  table.mask = size - 1;
  table.slots = allocate(<usize>size << 3);
  table.capacity = size >> 1;
  table.entries = allocate(<usize>table.capacity << 4);
  table.heapCapacity = max<u32>(4096, expected * 16);
  table.heap = allocate(table.heapCapacity);
  if (table.slots == 0 || table.entries == 0 || table.heap == 0) return 0;
  memory.fill(table.slots, 0, <usize>size << 3);
  table.count = 0;
  table.heapLength = 0;
  return at;
}

/** 32 bytes of ones, then 32 of zeros: what lies n bytes before the zeros masks the first n bytes of 32. */
const masks = memory.data<u64>([-1, -1, -1, -1, 0, 0, 0, 0], 16);
const SHORT: u32 = 32;

/** Nearly all strings are short: they are hashed and compared without a branch, which could not be foretold. */
// @ts-ignore: decorator
@inline
export function hashOf(start: usize, length: u32): u64 {
  return length <= SHORT ? hashShort(start, length) : hashLong(start, length);
}

// @ts-ignore: decorator
@inline
function hashShort(start: usize, length: u32): u64 {
  const mask = masks + <usize>(SHORT - length);
  const a = (load<u64>(start) & load<u64>(mask)) ^ (<u64>length * 0x9e3779b97f4a7c15);
  const b = load<u64>(start, 8) & load<u64>(mask, 8);
  const c = load<u64>(start, 16) & load<u64>(mask, 16);
  const d = load<u64>(start, 24) & load<u64>(mask, 24);
  const first = (a * 0xd6e8feb86659fd93) ^ rotl<u64>(b * 0xa0761d6478bd642f, 31);
  const second = (c * 0xe7037ed1a0b428db) ^ rotl<u64>(d * 0x8ebc6af09c88c6e3, 33);
  return mixed(rotl<u64>(first, 29) ^ rotl<u64>(second, 17));
}

function hashLong(start: usize, length: u32): u64 {
  let hash: u64 = <u64>length * 0x9e3779b97f4a7c15;
  let at = start;
  let left = length;
  while (left >= 8) {
    hash = rotl<u64>((hash ^ load<u64>(at)) * 0xd6e8feb86659fd93, 29);
    at += 8;
    left -= 8;
  }
  if (left > 0) {
    const rest = load<u64>(at) & ((<u64>1 << (left << 3)) - 1);
    hash = rotl<u64>((hash ^ rest) * 0xd6e8feb86659fd93, 29);
  }
  return mixed(hash);
}

// @ts-ignore: decorator
@inline
function mixed(hash: u64): u64 {
  hash ^= hash >> 32;
  hash *= 0xd6e8feb86659fd93;
  return hash ^ (hash >> 29);
}

// @ts-ignore: decorator
@inline
function sameBytes(a: usize, b: usize, length: u32): bool {
  if (length > SHORT) return sameLong(a, b, length);
  const mask = masks + <usize>(SHORT - length);
  const low = v128.and(v128.xor(v128.load(a), v128.load(b)), v128.load(mask));
  const high = v128.and(v128.xor(v128.load(a, 16), v128.load(b, 16)), v128.load(mask, 16));
  return !v128.any_true(v128.or(low, high));
}

function sameLong(a: usize, b: usize, length: u32): bool {
  let left = length;
  while (left >= 8) {
    if (load<u64>(a) != load<u64>(b)) return false;
    a += 8;
    b += 8;
    left -= 8;
  }
  if (left == 0) return true;
  return ((load<u64>(a) ^ load<u64>(b)) & ((<u64>1 << (left << 3)) - 1)) == 0;
}

/** Was the string of the last `intern` new? */
export let fresh: bool = false;

/** The number of a string, which is added if it is new; −1 when memory is exhausted. */
// @ts-ignore: decorator
@inline
export function internHashed(table: Table, start: usize, length: u32, hash: u64): i32 {
  const high = <u32>(hash >> 32);
  let slot = <u32>hash & table.mask;
  for (;;) {
    const at = table.slots + (<usize>slot << 3);
    const number = load<u32>(at, 4);
    if (number == 0) break;
    if (load<u32>(at) == high) {
      const entry = table.entries + (<usize>(number - 1) << 4);
      if (load<u32>(entry, 4) == length && sameBytes(start, table.heap + load<u32>(entry), length)) {
        fresh = false;
        return <i32>(number - 1);
      }
    }
    slot = (slot + 1) & table.mask;
  }
  return add(table, start, length, hash, slot);
}

function add(table: Table, start: usize, length: u32, hash: u64, slot: u32): i32 {
  fresh = true;
  const number = table.count;
  if (number == table.capacity) {
    if (!growSlots(table)) return -1;
    slot = <u32>hash & table.mask;
    while (load<u32>(table.slots + (<usize>slot << 3), 4) != 0) slot = (slot + 1) & table.mask;
  }
  if (<u64>table.heapLength + <u64>length > <u64>table.heapCapacity && !growHeap(table, length)) return -1;
  memory.copy(table.heap + table.heapLength, start, length);
  const entry = table.entries + (<usize>number << 4);
  store<u32>(entry, table.heapLength);
  store<u32>(entry, length, 4);
  store<u32>(entry, 0, 8);
  store<u32>(entry, <u32>hash, 12);
  table.heapLength += length;
  table.count = number + 1;
  const at = table.slots + (<usize>slot << 3);
  store<u32>(at, <u32>(hash >> 32));
  store<u32>(at, number + 1, 4);
  return <i32>number;
}

function growHeap(table: Table, length: u32): bool {
  const wanted = max<u64>(<u64>table.heapCapacity * 2, <u64>table.heapLength + <u64>length + 64);
  if (wanted > 0xf0000000) return false;
  const heap = allocate(<usize>wanted);
  if (heap == 0) return false;
  memory.copy(heap, table.heap, table.heapLength);
  table.heap = heap;
  table.heapCapacity = <u32>wanted;
  return true;
}

function growSlots(table: Table): bool {
  const size = (table.mask + 1) << 1;
  if (size >= 0x20000000) return false;
  const entries = allocate(<usize>size << 3);
  const slots = allocate(<usize>size << 3);
  if (entries == 0 || slots == 0) return false;
  memory.copy(entries, table.entries, <usize>table.count << 4);
  memory.fill(slots, 0, <usize>size << 3);
  const mask = size - 1;
  // The old slots hold the high half of each hash, the entries the low half.
  const old = table.mask + 1;
  for (let s: u32 = 0; s < old; s++) {
    const at = table.slots + (<usize>s << 3);
    const number = load<u32>(at, 4);
    if (number == 0) continue;
    let slot = load<u32>(table.entries + (<usize>(number - 1) << 4), 12) & mask;
    while (load<u32>(slots + (<usize>slot << 3), 4) != 0) slot = (slot + 1) & mask;
    store<u64>(slots + (<usize>slot << 3), load<u64>(at));
  }
  table.slots = slots;
  table.mask = mask;
  table.entries = entries;
  table.capacity = size >> 1;
  return true;
}

export function intern(table: usize, start: usize, length: u32): i32 {
  return internHashed(changetype<Table>(table), start, length, hashOf(start, length));
}

/**
 * Adds strings 0 … count of a heap (their ends at `ends`) and their counts to the table, and writes the number of
 * each to `numbers`. Returns false when memory is exhausted.
 */
export function internAll(
  tableAt: usize, heap: usize, ends: usize, counts: usize, count: u32, numbers: usize,
): bool {
  const table = changetype<Table>(tableAt);
  let start: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const end = load<u32>(ends + (<usize>i << 2));
    const number = internHashed(table, heap + start, end - start, hashOf(heap + start, end - start));
    if (number < 0) return false;
    store<u32>(numbers + (<usize>i << 2), <u32>number);
    if (counts != 0) {
      const entry = table.entries + (<usize>number << 4);
      const sum = <u64>load<u32>(entry, 8) + <u64>load<u32>(counts + (<usize>i << 2));
      store<u32>(entry, <u32>min<u64>(sum, 0xffffffff), 8);
    }
    start = end;
  }
  return true;
}
