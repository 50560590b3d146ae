/** Reads the places of anchors, and says which starts they allow. */
import { gallop } from "../../storage/cursor.js";
import type { AnchorPart, Anchors, Places } from "../plan/anchors.js";
import { type Atom, given } from "../plan/tests.js";
import type { PlaceTest } from "./fixed.js";
import type { Ground } from "./ground.js";
import type { Room } from "./room.js";

/** Intervals of starts [begins, ends), ascending and apart; positions count from the beginning of what was asked. */
export class Starts {
  constructor(
    readonly begins: Uint32Array,
    readonly ends: Uint32Array | undefined,
    readonly count: number,
  ) {}

  /** Each start. */
  all(): Uint32Array {
    const { begins, ends, count } = this;
    if (!ends) return begins;
    let total = 0;
    for (let i = 0; i < count; i++) total += ends[i] - begins[i];
    const all = new Uint32Array(total);
    let at = 0;
    for (let i = 0; i < count; i++) for (let start = begins[i]; start < ends[i]; start++) all[at++] = start;
    return all;
  }
}

export class AnchorReader {
  readonly lists: ListReader[];

  constructor(
    readonly ground: Ground,
    readonly anchors: Anchors,
  ) {
    this.lists = anchors.parts.map(({ places }) => new ListReader(ground, places));
  }

  /** Starts in [from, to) that an anchor allows. They may be written to a room: as its begins. */
  starts(from: number, to: number, room?: Room): Starts {
    const { parts } = this.anchors;
    if (parts.length === 1) return this.#startsOf(parts[0], 0, from, to, room);
    return mergeStarts(parts.map((part, i) => this.#startsOf(part, i, from, to)));
  }

  #startsOf(
    { places, from: near, to: far }: AnchorPart,
    part: number,
    from: number,
    to: number,
    room?: Room,
  ): Starts {
    const { ground } = this;
    const [low, high] = [from + near, Math.min(to + far, ground.tokens + 1)];
    if (places.kind === "positions") {
      const [a, b] = [Math.max(from, places.from - far), Math.min(to, places.to - near)];
      if (a >= b) return new Starts(new Uint32Array(0), new Uint32Array(0), 0);
      return new Starts(Uint32Array.of(a - from), Uint32Array.of(b - from), 1);
    }
    const { segments } = ground.snapshot;
    const found: { list: Uint32Array; first: number; last: number; start: number }[] = [];
    let total = 0;
    // Boundaries at the end of a segment belong to it, and stand before the next one's first token.
    const firstSegment = places.kind === "edge" ? ground.firstTouching(low) : ground.segmentAt(low);
    for (let at = firstSegment; at < segments.length && segments[at].start < high; at++) {
      const { start } = segments[at];
      const list = this.lists[part].placesNear(at, low - start, high - start);
      const first = gallop(list, Math.max(0, low - start), 0, list.length);
      const last = gallop(list, Math.max(0, high - start), first, list.length);
      if (first < last) found.push({ list, first, last, start });
      total += last - first;
    }
    let count = 0;
    if (near === far) {
      const [only] = found;
      room?.grow(total, 0);
      // All of one segment's list, as it lies there.
      if (
        found.length === 1 &&
        only.start - from === near &&
        low >= only.start &&
        to - from > only.list[only.last - 1]
      ) {
        const list = only.list.subarray(only.first, only.last);
        if (!room) return new Starts(list.slice(), undefined, total);
        room.begins.set(list);
        return new Starts(room.begins.subarray(0, total), undefined, total);
      }
      const begins = room?.begins ?? new Uint32Array(total);
      for (const { list, first, last, start } of found) {
        const shift = start - from - near;
        // A boundary between two segments may be in the lists of both.
        const known = count > 0 && list[first] + shift === begins[count - 1];
        for (let i = known ? first + 1 : first; i < last; i++)
          if (list[i] + shift >= 0 && list[i] + shift < to - from) begins[count++] = list[i] + shift;
      }
      return new Starts(begins.subarray(0, count), undefined, count);
    }
    const [begins, ends] = [new Uint32Array(total), new Uint32Array(total)];
    for (const { list, first, last, start } of found) {
      const shift = start - from;
      for (let i = first; i < last; i++) {
        const begin = Math.max(0, list[i] + shift - far);
        const end = Math.min(to - from, list[i] + shift - near + 1);
        if (begin >= end) continue;
        if (count > 0 && begin <= ends[count - 1]) {
          if (end > ends[count - 1]) ends[count - 1] = end;
        } else {
          begins[count] = begin;
          ends[count++] = end;
        }
      }
    }
    return new Starts(begins, ends, count);
  }
}

/** The places of an anchor, segment by segment; those of the last two are kept. */
export class ListReader {
  readonly #kept = new Map<number, Uint32Array>();

  constructor(
    readonly ground: Ground,
    readonly source: Places,
  ) {}

  places(at: number): Uint32Array {
    if (this.source.kind === "positions") throw new Error("positions are not listed");
    let list = this.#kept.get(at);
    if (!list) {
      list = placesIn(this.ground, this.source, at);
      if (this.#kept.size > 1) this.#kept.delete(this.#kept.keys().next().value as number);
      this.#kept.set(at, list);
    }
    return list;
  }

  /**
   * All places of a segment from `from` to `to`, and perhaps others: of a small part of a segment whose lists are not at hand only
   * that is read. Matches reach over its border, and the thread that looks for them may have nothing else to do there.
   */
  placesNear(at: number, from: number, to: number): Uint32Array {
    const { source, ground } = this;
    const segment = ground.snapshot.segments[at];
    const tokens = Math.min(to, segment.tokens) - Math.max(from, 0);
    if (
      source.kind !== "ids" ||
      source.ids.length > cornerIdsMax ||
      source.attribute.derived ||
      tokens > segment.tokens * cornerShare ||
      this.#kept.has(at)
    )
      return this.places(at);
    const found: number[] = [];
    const postings = segment.postings(source.attribute);
    for (const id of source.ids) {
      const cursor = postings.cursor(id);
      for (let place = cursor.seek(Math.max(from, 0)); place < to; place = cursor.next()) found.push(place);
    }
    return Uint32Array.from(found).sort();
  }
}

/** Of a segment's tokens, the share that may be asked for without reading whole lists. */
const cornerShare = 1 / 16;
/** Ids whose lists are looked into one by one. */
const cornerIdsMax = 16;

/** All places in one segment, ascending. */
export function placesIn(
  ground: Ground,
  places: Exclude<Places, { kind: "positions" }>,
  at: number,
): Uint32Array {
  if (places.kind === "edge") return places.index.edges(at, places.edge, places.filled, places.keep);
  const segment = ground.snapshot.segments[at];
  if (places.kind === "listed") {
    const { positions } = places;
    const { start, tokens } = segment;
    const first = gallop(positions, start, 0, positions.length);
    const last = gallop(positions, start + tokens, first, positions.length);
    return positions.slice(first, last).map((position) => position - start);
  }
  return segment.listOfAny(places.attribute, places.ids);
}

/** What is left of the tests of a pattern where its anchors are: the anchor itself is there. */
export function besidesAnchors({ parts }: Anchors, tests: PlaceTest[], atoms: readonly Atom[]): PlaceTest[] {
  if (parts.length !== 1) return tests;
  const [{ from, text }] = parts;
  const anchor = atoms.findIndex((atom) => atom.text === text);
  return tests
    .map((place) => (place.offset === from ? { ...place, test: given(place.test, anchor, true) } : place))
    .filter(({ test }) => test.op !== "true");
}

function mergeStarts(lists: Starts[]): Starts {
  if (lists.every(({ ends }) => !ends)) return mergePlaces(lists);
  // Begin and length in one number; what is longer than fits there is taken in pieces.
  const lengthMax = 2 ** 21 - 1;
  let total = 0;
  for (const { begins, ends, count } of lists) {
    for (let i = 0; i < count; i++) total += ends ? Math.ceil((ends[i] - begins[i]) / lengthMax) : 1;
  }
  const keys = new Float64Array(total);
  let n = 0;
  for (const { begins, ends, count } of lists) {
    for (let i = 0; i < count; i++) {
      const last = ends ? ends[i] : begins[i] + 1;
      for (let begin = begins[i]; begin < last; begin += lengthMax) {
        keys[n++] = begin * 2 ** 21 + Math.min(last - begin, lengthMax);
      }
    }
  }
  keys.sort();
  const begins = new Uint32Array(total);
  const ends = new Uint32Array(total);
  let count = 0;
  for (let i = 0; i < total; i++) {
    const begin = Math.floor(keys[i] / 2 ** 21);
    const end = begin + (keys[i] - begin * 2 ** 21);
    if (count > 0 && begin <= ends[count - 1]) ends[count - 1] = Math.max(ends[count - 1], end);
    else {
      begins[count] = begin;
      ends[count++] = end;
    }
  }
  return new Starts(begins, ends, count);
}

function mergePlaces(lists: Starts[]): Starts {
  const all = new Uint32Array(lists.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const { begins } of lists) {
    all.set(begins, at);
    at += begins.length;
  }
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i];
  return new Starts(all.subarray(0, count), undefined, count);
}
