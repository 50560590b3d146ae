/**
 * Tags of one segment. An event is three u32: a distinct line (`FILE_ENDS` for the end of a file), the number of tokens
 * before it, its line in the text. A code is the number of a structure × 4, plus what the tag does (encode/builder.ts).
 */
const OPEN: u32 = 0;
const CLOSE: u32 = 1;
const EMPTY: u32 = 2;
const FILE_END: u32 = 3;
const FILE_ENDS: u32 = 0xffffffff;
const DEPTH: u32 = 256;

/** {structure, place of its end} of all that is open. */
const stack = memory.data(256 * 8, 16);

/**
 * Puts codes[line] in the place of each event's line. What opens goes to the lists of its structure, at starts[structure],
 * which is moved on: its first token to `begins`, its line to `lines`.
 */
export function codeEvents(events: usize, count: u32, codes: usize, starts: usize, begins: usize, lines: usize): void {
  for (let e: u32 = 0; e < count; e++, events += 12) {
    const line = load<u32>(events);
    const code = line == FILE_ENDS ? FILE_END : load<u32>(codes + (<usize>line << 2));
    store<u32>(events, code);
    const act = code & 3;
    if (act != OPEN && act != EMPTY) continue;
    const start = starts + (<usize>(code >> 2) << 2);
    const at = <usize>load<u32>(start) << 2;
    store<u32>(start, load<u32>(start) + 1);
    store<u32>(begins + at, load<u32>(events, 4));
    store<u32>(lines + at, line);
  }
}

/**
 * Where each structure ends, to `ends`, if the tags of the segment nest properly and leave nothing open; false if
 * not. `flat` has a u32 per structure, not 0 if it may not stand in its like; `open` is scratch, a zeroed u32 each.
 */
export function nestEvents(events: usize, count: u32, starts: usize, flat: usize, open: usize, ends: usize): bool {
  let top = stack;
  for (let e: u32 = 0; e < count; e++, events += 12) {
    const code = load<u32>(events);
    const token = load<u32>(events, 4);
    const act = code & 3;
    if (act == FILE_END) {
      if (top != stack) return false;
      continue;
    }
    const structure = <usize>(code >> 2) << 2;
    if (act == CLOSE) {
      if (top == stack || load<u32>(top - 8) != <u32>structure) return false;
      top -= 8;
      store<u32>(ends + (<usize>load<u32>(top, 4) << 2), token);
      store<u32>(open + structure, load<u32>(open + structure) - 1);
      continue;
    }
    if (load<u32>(flat + structure) != 0 && load<u32>(open + structure) != 0) return false;
    const at = load<u32>(starts + structure);
    store<u32>(starts + structure, at + 1);
    if (act == EMPTY) {
      store<u32>(ends + (<usize>at << 2), token);
      continue;
    }
    if (top == stack + DEPTH * 8) return false;
    store<u32>(top, <u32>structure);
    store<u32>(top, at, 4);
    top += 8;
    store<u32>(open + structure, load<u32>(open + structure) + 1);
  }
  return top == stack;
}
