/**
 * Posting lists, laid one behind the other into pages of 64 KiB (postings/writer.ts has the format). An item that does
 * not fit what is left of a page begins the next; what is left is zero.
 */
import { allocate } from "./memory";
import { packPositions, packTail } from "./postings";

const PAGE: u32 = 65536;

/** Where the pages are, and how much of them is filled. */
let pages: usize = 0;
let filled: u32 = 0;
/** Scratch for one list: its blocks packed, the width of each, and {last position, offset, blocks} of each chunk. */
let packed: usize = 0;
let widths: usize = 0;
let chunks: usize = 0;

/**
 * Lays out lists 0 … `lists`, whose positions stand one behind the other; lists of `scanCount` positions or more are
 * left out (0: none is). `offsets` receives the offset of each list and, behind the last, the bytes of all. Returns
 * where the pages begin; 0 when memory is exhausted.
 */
export function layLists(positions: usize, counts: usize, lists: u32, scanCount: u32, offsets: usize): usize {
  let most: u32 = 0;
  let stored: u64 = 0;
  for (let i: u32 = 0; i < lists; i++) {
    const count = load<u32>(counts + (<usize>i << 2));
    if (scanCount > 0 && count >= scanCount) continue;
    most = max(most, count);
    stored += <u64>count * 4 + 16;
  }
  const blocksMax = <usize>(most >> 7);
  packed = allocate(blocksMax * 512 + 1024);
  widths = allocate(blocksMax);
  chunks = allocate(blocksMax * 12 + 16);
  // At most four blocks' worth is lost at the end of a page: far less than a sixteenth.
  const room = stored + (stored >> 4) + 2 * PAGE;
  if (room > 0xf0000000) return 0;
  pages = allocate(<usize>room);
  if (packed == 0 || widths == 0 || chunks == 0 || pages == 0) return 0;
  filled = 0;
  for (let i: u32 = 0; i < lists; i++) {
    const count = load<u32>(counts + (<usize>i << 2));
    const left = scanCount > 0 && count >= scanCount;
    store<u32>(offsets + (<usize>i << 2), left ? filled : layList(positions, count));
    positions += <usize>count << 2;
  }
  store<u32>(offsets + (<usize>lists << 2), filled);
  return pages;
}

// @ts-ignore: decorator
@inline
function roomLeft(): u32 {
  return PAGE - (filled & (PAGE - 1));
}

function zeroTo(end: u32): void {
  memory.fill(pages + filled, 0, end - filled);
  filled = end;
}

/** Makes room for an item of so many bytes: where it does not fit the page, the next begins. */
// @ts-ignore: decorator
@inline
function makeRoom(bytes: u32): void {
  if (bytes > roomLeft()) zeroTo(filled + roomLeft());
}

/** Lays out one list; returns its offset. */
function layList(positions: usize, count: u32): u32 {
  const blocks = count >> 7;
  if (blocks == 0) {
    const start = pages + filled;
    const bytes = <u32>packTail(positions, count, 0xffffffff, start);
    if (bytes > roomLeft()) {
      const end = filled + roomLeft();
      memory.copy(pages + end, start, bytes);
      zeroTo(end);
    }
    const offset = filled;
    filled += bytes;
    return offset;
  }
  packBlocks(positions, blocks);
  const chunkCount = layChunks(positions, blocks);
  const whole = <usize>blocks << 7;
  const rest = count - (blocks << 7);
  // The packed blocks are in their chunks: their scratch serves for the tail.
  let tailBytes: u32 = 0;
  if (rest > 0) {
    const previous = load<u32>(positions + ((whole - 1) << 2));
    tailBytes = <u32>packTail(positions + (whole << 2), rest, previous, packed);
  }
  zeroTo((filled + 3) & ~3);
  const headBytes = 4 + chunkCount * 12;
  makeRoom(headBytes + tailBytes);
  const offset = filled;
  store<u32>(pages + filled, chunkCount);
  memory.copy(pages + filled + 4, chunks, chunkCount * 12);
  memory.copy(pages + filled + headBytes, packed, tailBytes);
  filled += headBytes + tailBytes;
  return offset;
}

function packBlocks(positions: usize, blocks: u32): void {
  let target = packed;
  let previous: u32 = 0xffffffff;
  for (let b: u32 = 0; b < blocks; b++) {
    const width = packPositions(positions, previous, target);
    store<u8>(widths + b, <u8>width);
    target += <usize>width << 4;
    previous = load<u32>(positions, 508);
    positions += 512;
  }
}

/** Spreads the packed blocks over pages; returns the number of chunks. */
function layChunks(positions: usize, blocks: u32): u32 {
  let source = packed;
  let count: u32 = 0;
  for (let first: u32 = 0; first < blocks; ) {
    zeroTo((filled + 3) & ~3);
    const room = roomLeft();
    let fitting: u32 = 0;
    let bytes: u32 = 0;
    while (first + fitting < blocks) {
      const more = 5 + (<u32>load<u8>(widths + first + fitting) << 4);
      if (bytes + more > room) break;
      bytes += more;
      fitting++;
    }
    // Not worth a chunk of its own at the end of a page, unless it is all there is.
    if (fitting == 0 || (fitting < 4 && first + fitting < blocks && room < PAGE)) {
      zeroTo(filled + room);
      continue;
    }
    const entry = chunks + <usize>count * 12;
    count++;
    store<u32>(entry, lastOf(positions, first + fitting - 1));
    store<u32>(entry, filled, 4);
    store<u32>(entry, fitting, 8);
    const chunk = pages + filled;
    for (let b: u32 = 0; b < fitting; b++) store<u32>(chunk + (<usize>b << 2), lastOf(positions, first + b));
    memory.copy(chunk + (<usize>fitting << 2), widths + first, fitting);
    memory.copy(chunk + <usize>fitting * 5, source, bytes - fitting * 5);
    source += bytes - fitting * 5;
    filled += bytes;
    first += fitting;
  }
  return count;
}

// @ts-ignore: decorator
@inline
function lastOf(positions: usize, block: u32): u32 {
  return load<u32>(positions + (<usize>block << 9), 508);
}
