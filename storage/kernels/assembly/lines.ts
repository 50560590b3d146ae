/**
 * Lines of vertical text become numbers: each distinct line is kept once, in a table, with its kind, its count and
 * where it was first met; the text becomes the sequence of line numbers of its tokens. What a line means
 * is worked out once per distinct line, so the work per token is one hash and one comparison.
 */
import { Table, fresh, hashOf, internHashed } from "./table";
import { allocate } from "./memory";

/** Asks the host what a line is that begins with "<" or a control character: one of the kinds below. */
// @ts-ignore: decorator
@external("host", "classify")
declare function classify(start: usize, length: u32): u32;

export const TOKEN: u32 = 0;
export const TAG: u32 = 1;
export const GLUE: u32 = 2;
export const COMMENT: u32 = 3;

@unmanaged
export class Lines {
  table: usize;
  /** u32 per distinct line: its kind, and which line of the segment's text it was first. */
  kinds: usize;
  firsts: usize;
  capacity: u32;
  /** u32 per token: its line. */
  tokens: usize;
  tokenCount: u32;
  /** Three u32 per tag: its distinct line, the number of tokens before it, and which line of the text it is. */
  events: usize;
  eventCount: u32;
  eventCapacity: u32;
  /** A bit per token: no space before it. */
  glue: usize;
  glueCount: u32;
  emptyLines: u32;
  firstEmpty: u32;
  carriageReturns: u32;
  firstReturn: u32;
  comments: u32;
  firstComment: u32;
  /** Not 0: a line that begins with byte 1 is a token, whatever it looks like, and the byte is not part of it. */
  marked: u32;
  /** Lines read so far. */
  lineCount: u32;
}

/** Newlines in a stretch of text. */
export function countNewlines(text: usize, length: u32): u32 {
  const newline = i8x16.splat(10);
  let count: u32 = 0;
  let at = text;
  const end = text + length;
  while (at + 16 <= end) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), newline)));
    at += 16;
  }
  while (at < end) if (load<u8>(at++) == 10) count++;
  return count;
}

/**
 * Reads the lines of text[start, end) into `lines`, which has room for their tokens. Reads up to 64 bytes behind the end.
 * Returns false when memory is exhausted.
 */
export function readLines(linesAt: usize, start: usize, end: usize): bool {
  const lines = changetype<Lines>(linesAt);
  const table = changetype<Table>(lines.table);
  const newline = i8x16.splat(10);
  let tokenAt = lines.tokens + (<usize>lines.tokenCount << 2);
  let at = start;
  while (at < end) {
    let stop = at;
    for (;;) {
      const low = i8x16.bitmask(i8x16.eq(v128.load(stop), newline));
      const high = i8x16.bitmask(i8x16.eq(v128.load(stop, 16), newline));
      const found = low | (high << 16);
      if (found != 0) {
        stop += ctz(found);
        break;
      }
      stop += 32;
      if (stop >= end) break;
    }
    if (stop > end) stop = end;
    const next = stop + 1;
    lines.lineCount++;
    if (stop > at && load<u8>(stop - 1) == 13) {
      if (lines.carriageReturns++ == 0) lines.firstReturn = lines.lineCount - 1;
      stop--;
    }
    const length = <u32>(stop - at);
    if (length == 0) {
      if (lines.emptyLines++ == 0) lines.firstEmpty = lines.lineCount - 1;
      at = next;
      continue;
    }
    const number = internHashed(table, at, length, hashOf(at, length));
    if (number < 0) return false;
    const lead = load<u8>(at);
    const plain = lead != 60 && lead >= 32;
    if (fresh) {
      if (<u32>number >= lines.capacity && !growKinds(lines, table.capacity)) return false;
      store<u32>(lines.kinds + (<usize>number << 2), plain ? TOKEN : classify(at, length));
      store<u32>(lines.firsts + (<usize>number << 2), lines.lineCount - 1);
    }
    const entry = table.entries + (<usize>number << 4);
    store<u32>(entry, load<u32>(entry, 8) + 1, 8);
    // Nearly all lines are told by their first byte: the kind of another one may have to be waited for.
    const kind = plain ? TOKEN : load<u32>(lines.kinds + (<usize>number << 2));
    if (kind == TOKEN) {
      store<u32>(tokenAt, number);
      tokenAt += 4;
    } else {
      const token = <u32>((tokenAt - lines.tokens) >> 2);
      if (kind == GLUE) {
        const byte = lines.glue + (token >> 3);
        const bit = <u8>(<u32>1 << (token & 7));
        const held = load<u8>(byte);
        if ((held & bit) == 0) {
          store<u8>(byte, held | bit);
          lines.glueCount++;
        }
      } else if (kind == TAG) {
        if (!addEvent(linesAt, number, token)) return false;
      } else {
        if (lines.comments++ == 0) lines.firstComment = lines.lineCount - 1;
      }
    }
    at = next;
  }
  lines.tokenCount = <u32>((tokenAt - lines.tokens) >> 2);
  return true;
}

/** Notes that tag line `number` (or a mark of the host's own) stands before token `token`. */
export function addEvent(linesAt: usize, number: u32, token: u32): bool {
  const lines = changetype<Lines>(linesAt);
  if (lines.eventCount == lines.eventCapacity) {
    const capacity = max<u32>(1024, lines.eventCapacity << 1);
    const events = allocate(<usize>capacity * 12);
    if (events == 0) return false;
    memory.copy(events, lines.events, <usize>lines.eventCount * 12);
    lines.events = events;
    lines.eventCapacity = capacity;
  }
  const event = lines.events + <usize>lines.eventCount * 12;
  store<u32>(event, number);
  store<u32>(event, token, 4);
  store<u32>(event, lines.lineCount - 1, 8);
  lines.eventCount++;
  return true;
}

function growKinds(lines: Lines, capacity: u32): bool {
  const kinds = allocate(<usize>capacity << 2);
  const firsts = allocate(<usize>capacity << 2);
  if (kinds == 0 || firsts == 0) return false;
  memory.copy(kinds, lines.kinds, <usize>lines.capacity << 2);
  memory.copy(firsts, lines.firsts, <usize>lines.capacity << 2);
  lines.kinds = kinds;
  lines.firsts = firsts;
  lines.capacity = capacity;
  return true;
}

/**
 * Splits the distinct token lines at tabs: column c of line l gets its number in tables[c] at numbers[c] + 4·l (0 for
 * what is no token). A missing column is the empty string. Adds each line's count to its strings. Per line, `columnsOf`
 * receives the number of columns it had (0 for what is no token). Returns how many token lines have more or fewer; −1
 * when memory is exhausted.
 */
export function splitColumns(
  linesAt: usize, columns: u32, tables: usize, numbers: usize, columnsOf: usize,
): i32 {
  const lines = changetype<Lines>(linesAt);
  const table = changetype<Table>(lines.table);
  let odd = 0;
  for (let l: u32 = 0; l < table.count; l++) {
    if (load<u32>(lines.kinds + (<usize>l << 2)) != TOKEN) {
      store<u32>(columnsOf + (<usize>l << 2), 0);
      for (let c: u32 = 0; c < columns; c++)
        store<u32>(<usize>load<u32>(numbers + (<usize>c << 2)) + (<usize>l << 2), 0);
      continue;
    }
    const entry = table.entries + (<usize>l << 4);
    let at = table.heap + load<u32>(entry);
    const end = at + load<u32>(entry, 4);
    const count = load<u32>(entry, 8);
    if (lines.marked != 0 && at < end && load<u8>(at) == 1) at++;
    let found: u32 = 0;
    for (let c: u32 = 0; c < columns; c++) {
      let stop = at;
      if (at <= end) {
        while (stop < end && load<u8>(stop) != 9) stop++;
        found++;
      }
      const length = at <= end ? <u32>(stop - at) : 0;
      const column = changetype<Table>(<usize>load<u32>(tables + (<usize>c << 2)));
      const number = internHashed(column, at, length, hashOf(at, length));
      if (number < 0) return -1;
      const string = column.entries + (<usize>number << 4);
      store<u32>(string, load<u32>(string, 8) + count, 8);
      store<u32>(<usize>load<u32>(numbers + (<usize>c << 2)) + (<usize>l << 2), number);
      if (at <= end) at = stop + 1;
    }
    while (at <= end) {
      found++;
      while (at < end && load<u8>(at) != 9) at++;
      at++;
    }
    store<u32>(columnsOf + (<usize>l << 2), found);
    if (found != columns) odd++;
  }
  return odd;
}
