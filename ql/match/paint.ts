/** Sets the bit of an atom that is not a set of ids in the classes of islands. */

import { gallop } from "../../storage/cursor.js";
import type { Attribute } from "../../storage/index.js";
import type { Atom } from "../plan/tests.js";
import type { Ground, Islands } from "./ground.js";

export function paint(ground: Ground, atom: Atom, islands: Islands, classes: number, bit: number): void {
  switch (atom.kind) {
    case "positions":
      paintRange(ground, islands, atom.from, Math.min(atom.to, ground.tokens), classes, bit);
      break;
    case "listed":
      paintListed(ground, islands, atom.positions, classes, bit);
      break;
    case "end":
      paintRange(ground, islands, ground.tokens, ground.tokens + 1, classes, bit);
      break;
    case "edge":
      paintEdges(ground, atom, islands, classes, bit);
      break;
    case "around":
      paintAround(ground, atom, islands, classes, bit);
      break;
    case "same":
      paintSame(ground, atom, islands, classes, bit);
      break;
    case "ids":
      throw new Error("ids have tables");
  }
}

/** The first island that ends behind a position. */
function islandBehind(islands: Islands, position: number): number {
  let low = 0;
  let high = islands.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (islands.to(middle) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function paintRange(
  ground: Ground,
  islands: Islands,
  from: number,
  to: number,
  classes: number,
  bit: number,
): void {
  const { u8 } = ground.arena;
  for (let i = islandBehind(islands, from); i < islands.count && islands.froms[i] < to; i++) {
    const base = classes + islands.places[i] - islands.froms[i];
    const end = base + Math.min(to, islands.to(i));
    for (let at = base + Math.max(from, islands.froms[i]); at < end; at++) u8[at] |= bit;
  }
}

function paintListed(
  ground: Ground,
  islands: Islands,
  positions: Uint32Array,
  classes: number,
  bit: number,
): void {
  const { u8 } = ground.arena;
  let next = 0;
  for (let i = 0; i < islands.count; i++) {
    const base = classes + islands.places[i] - islands.froms[i];
    next = gallop(positions, islands.froms[i], next, positions.length);
    // Islands may overlap: what one has passed, the next may have again.
    for (let at = next; at < positions.length && positions[at] < islands.to(i); at++)
      u8[base + positions[at]] |= bit;
  }
}

/** Calls back for each segment that some islands touch, or end with. */
function eachTouched(
  ground: Ground,
  islands: Islands,
  call: (at: number, firstIsland: number, lastIsland: number) => void,
): void {
  const { segments } = ground.snapshot;
  let island = 0;
  while (island < islands.count) {
    const from = islands.froms[island];
    // A structure that ends with a segment ends before the first token of the next: look into both.
    const at = ground.firstTouching(from);
    const { start, tokens } = segments[at];
    let last = island;
    while (last + 1 < islands.count && islands.froms[last + 1] <= start + tokens) last++;
    for (let s = at; s < segments.length && segments[s].start < islands.to(last); s++) {
      call(s, island, last);
    }
    island = last + 1;
  }
}

function paintEdges(
  ground: Ground,
  { edge, index, keep, filled }: Extract<Atom, { kind: "edge" }>,
  islands: Islands,
  classes: number,
  bit: number,
): void {
  paintList(ground, (at) => index.edges(at, edge, filled, keep), islands, classes, bit);
}

/** Sets the bit at places that are listed, segment by segment. */
export function paintList(
  ground: Ground,
  listOf: (at: number) => Uint32Array,
  islands: Islands,
  classes: number,
  bit: number,
): void {
  const { u8 } = ground.arena;
  eachTouched(ground, islands, (at, firstIsland, lastIsland) => {
    const { start } = ground.snapshot.segments[at];
    const list = listOf(at);
    let e = 0;
    let reached = 0;
    for (let i = firstIsland; i <= lastIsland; i++) {
      const from = Math.max(0, islands.froms[i] - start);
      // An island may begin before the end of the last, or be the same once more.
      if (from < reached) e = 0;
      e = gallop(list, from, e, list.length);
      const base = classes + islands.places[i] + start - islands.froms[i];
      const to = islands.to(i) - start;
      reached = to;
      for (; e < list.length && list[e] < to; e++) u8[base + list[e]] |= bit;
    }
  });
}

/** In the order in which they open: what an inner structure says rules inside it. */
function paintAround(
  ground: Ground,
  { index, keep }: Extract<Atom, { kind: "around" }>,
  islands: Islands,
  classes: number,
  bit: number,
): void {
  const { u8 } = ground.arena;
  eachTouched(ground, islands, (at, firstIsland, lastIsland) => {
    const [from, to] = [islands.froms[firstIsland], islands.to(lastIsland)];
    const { start, begins, ends, count, nested, carriedIn } = index.pieces(at);
    const kept = keep.ofSegment(at);
    const flat = !nested && carriedIn <= 1;
    let i = flat ? gallop(ends, Math.max(0, from - start) + 1, 0, count) : 0;
    let first = firstIsland;
    for (; i < count && start + begins[i] < to; i++) {
      const own = !kept || kept[i] === 1;
      // Where none lies inside another, one that is not kept says nothing.
      if (flat && !own) continue;
      const [a, b] = [start + begins[i], start + ends[i]];
      while (flat && first <= lastIsland && islands.to(first) <= a) first++;
      for (let island = first; island <= lastIsland && islands.froms[island] < b; island++) {
        const base = classes + islands.places[island] - islands.froms[island];
        const end = base + Math.min(b, islands.to(island));
        for (let place = base + Math.max(a, islands.froms[island]); place < end; place++) {
          if (own) u8[place] |= bit;
          else u8[place] &= ~bit;
        }
      }
    }
  });
}

function paintSame(
  ground: Ground,
  { left, right, distance }: Extract<Atom, { kind: "same" }>,
  islands: Islands,
  classes: number,
  bit: number,
): void {
  const { arena } = ground;
  const mark = arena.mark();
  const { size } = islands;
  const a = arena.allocate(size * 4 + 64);
  readIds(ground, left, islands, arena.integers(a, size));
  let b = a;
  if (right !== left) {
    b = arena.allocate(size * 4 + 64);
    readIds(ground, right, islands, arena.integers(b, size));
    const to = translation(left, right);
    const ids = arena.integers(a, size);
    for (let i = 0; i < size; i++) ids[i] = to[ids[i]];
  }
  for (let i = 0; i < islands.count; i++) {
    const place = islands.places[i];
    const count = Math.min(islands.to(i), ground.tokens) - islands.froms[i] - distance;
    if (count > 0)
      arena.kernels.markEqual(a + place * 4, b + (place + distance) * 4, count, bit, classes + place);
  }
  arena.release(mark);
}

function readIds(ground: Ground, attribute: Attribute, islands: Islands, out: Uint32Array): void {
  if (islands.size / islands.count < 192) {
    ground.gather(attribute, islands, out);
    return;
  }
  for (let i = 0; i < islands.count; i++) {
    const from = islands.froms[i];
    ground.eachSegment(from, islands.to(i), (at, a, b) => {
      const segment = ground.snapshot.segments[at];
      const place = islands.places[i] + segment.start + a - from;
      segment.stream(attribute).read(a, b - a, out.subarray(place, place + b - a));
    });
  }
}

const translations = new WeakMap<Attribute, WeakMap<Attribute, Uint32Array>>();

/** For each id of one attribute the id of another that has the same string; 0xffffffff if none has. */
export function translation(left: Attribute, right: Attribute): Uint32Array {
  let ofLeft = translations.get(left);
  if (!ofLeft) {
    ofLeft = new WeakMap();
    translations.set(left, ofLeft);
  }
  let table = ofLeft.get(right);
  if (!table) {
    table = new Uint32Array(left.lexicon.size).fill(0xffffffff);
    for (const { id, bytes } of left.lexicon.inOrder()) {
      const other = right.lexicon.findBytes(bytes);
      if (other >= 0) table[id] = other;
    }
    ofLeft.set(right, table);
  }
  return table;
}
