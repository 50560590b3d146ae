/** From "which id at each position" to "which positions of each id". */

/** target[i] = values[keys[i]]. */
export function gather(keys: usize, count: u32, values: usize, target: usize): void {
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    store<u32>(target + i, load<u32>(values + (<usize>load<u32>(keys + i) << 2)));
  }
}

/**
 * Scatters positions by id: `starts[id]` is where the id's list begins in `positions`, and is moved to its end.
 * `bounds` cuts the positions into stretches, outside and inside documents by turns (the first is outside);
 * documents[id] counts the inside ones in which the id occurs. `seen` is scratch, one zeroed u32 per id.
 */
export function invert(
  ids: usize, count: u32, starts: usize, positions: usize, bounds: usize, boundCount: u32, documents: usize, seen: usize,
): void {
  let position: u32 = 0;
  for (let d: u32 = 0; d <= boundCount; d++) {
    const end = d < boundCount ? load<u32>(bounds + (<usize>d << 2)) : count;
    const mark = d + 1;
    if ((d & 1) == 0) {
      for (; position < end; position++) {
        const id = <usize>load<u32>(ids + (<usize>position << 2)) << 2;
        const at = load<u32>(starts + id);
        store<u32>(positions + (<usize>at << 2), position);
        store<u32>(starts + id, at + 1);
      }
    } else {
      for (; position < end; position++) {
        const id = <usize>load<u32>(ids + (<usize>position << 2)) << 2;
        const at = load<u32>(starts + id);
        store<u32>(positions + (<usize>at << 2), position);
        store<u32>(starts + id, at + 1);
        if (load<u32>(seen + id) != mark) {
          store<u32>(seen + id, mark);
          store<u32>(documents + id, load<u32>(documents + id) + 1);
        }
      }
    }
  }
}
