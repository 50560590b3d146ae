/** Strings as files keep them: front-coded in blocks (lexicon/format.ts has the bytes). */
import { Table } from "./table";

const BLOCK: u32 = 16;

/**
 * Front-codes strings `from` … `count` (string i is lengths[i] bytes at heap + starts[i]) to `target`, as many as `room`
 * bytes hold. Each block's offset goes to `blocks`, counted from `written` bytes before this call. `state` receives
 * the string to go on with and the bytes written.
 */
export function frontCode(
  heap: usize, starts: usize, lengths: usize, from: u32, count: u32,
  target: usize, room: u32, blocks: usize, written: u32, state: usize,
): void {
  let at = target;
  const end = target + <usize>room;
  let i = from;
  for (; i < count; i++) {
    const length = load<u32>(lengths + (<usize>i << 2));
    if (<u64>at + <u64>length + 32 > <u64>end) break;
    const string = heap + load<u32>(starts + (<usize>i << 2));
    let shared: u32 = 0;
    if (i % BLOCK == 0) {
      store<u32>(blocks + (<usize>(i / BLOCK) << 2), written + <u32>(at - target));
    } else {
      const before = heap + load<u32>(starts + (<usize>(i - 1) << 2));
      shared = sharedBytes(before, string, min(length, load<u32>(lengths + (<usize>(i - 1) << 2))));
      at = putVarint(at, shared);
    }
    const rest = length - shared;
    at = putVarint(at, rest);
    const source = string + <usize>shared;
    // Nearly all are short: 16 bytes at once, of which what is too much is overwritten by the next.
    if (rest <= 16) v128.store(at, v128.load(source));
    else memory.copy(at, source, rest);
    at += <usize>rest;
  }
  store<u32>(state, i);
  store<u32>(state, <u32>(at - target), 4);
}

// @ts-ignore: decorator
@inline
function sharedBytes(a: usize, b: usize, most: u32): u32 {
  let shared: u32 = 0;
  while (shared + 8 <= most) {
    const differ = load<u64>(a + shared) ^ load<u64>(b + shared);
    if (differ != 0) return shared + <u32>(ctz(differ) >> 3);
    shared += 8;
  }
  while (shared < most && load<u8>(a + shared) == load<u8>(b + shared)) shared++;
  return shared;
}

// @ts-ignore: decorator
@inline
function putVarint(at: usize, value: u32): usize {
  while (value >= 128) {
    store<u8>(at++, <u8>(value & 127) | 128);
    value >>= 7;
  }
  store<u8>(at++, <u8>value);
  return at;
}

/**
 * What a table knows of its strings: offsets in its heap (and behind the last the end of the heap), lengths, counts.
 * A target of 0 is left out.
 */
export function tableColumns(tableAt: usize, starts: usize, lengths: usize, counts: usize): void {
  const table = changetype<Table>(tableAt);
  const end = table.entries + (<usize>table.count << 4);
  for (let entry = table.entries; entry < end; entry += 16) {
    if (starts != 0) {
      store<u32>(starts, load<u32>(entry));
      starts += 4;
    }
    if (lengths != 0) {
      store<u32>(lengths, load<u32>(entry, 4));
      lengths += 4;
    }
    if (counts != 0) {
      store<u32>(counts, load<u32>(entry, 8));
      counts += 4;
    }
  }
  if (starts != 0) store<u32>(starts, table.heapLength);
}
