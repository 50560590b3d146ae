/**
 * Structures of one segment, built from its tags in order. The rules, for input that is not well-formed:
 *
 * - Each kind of structure has its own stack: structures of different names may overlap. An end tag closes the
 *   innermost open structure of its name.
 * - A structure whose enclosing structure has ended is left waiting for its end tag (it may overlap). When another
 *   of its name opens, or a document, or the file ends, it is taken to have ended with what enclosed it.
 * - Documents do not nest: a document that opens closes one that is open. (So do the paragraphs of CoNLL-U.)
 * - What is open at the end of a file ends there.
 * - What is open at the end of a segment (but not of a file) continues in the next: it is `open`, and end tags
 *   that have nothing to close are `orphans`, which close what came in from the segments before.
 */
import type { Tag } from "../input/tags.js";
import { limits } from "../limits.js";
import type { WarningKind } from "./warnings.js";

const none = 0xffffffff;
const pending = 0xffffffff;

/** Ranges of one kind of structure, in the order in which they open. */
export class StructureRanges {
  begins = new Uint32Array(64);
  ends = new Uint32Array(64);
  /** The nearest enclosing structure of the same kind, or `none`. */
  parents = new Uint32Array(64);
  /** Which distinct tag line it came from: its attributes. */
  tags = new Uint32Array(64);
  /** Which line of the segment it opens in. */
  places = new Uint32Array(64);
  count = 0;
  /** Indexes of those that are open, outermost first. */
  readonly open: number[] = [];
  nested = false;

  constructor(readonly name: string) {}

  add(begin: number, end: number, tag: number, place: number): number {
    if (this.count === this.begins.length) {
      for (const column of ["begins", "ends", "parents", "tags", "places"] as const) {
        const larger = new Uint32Array(this.count * 2);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    const index = this.count++;
    const parent = this.open.length > 0 ? this.open[this.open.length - 1] : none;
    if (parent !== none || begin === end) this.nested = true;
    this.begins[index] = begin;
    this.ends[index] = end;
    this.parents[index] = parent;
    this.tags[index] = tag;
    this.places[index] = place;
    return index;
  }
}

interface Open {
  ranges: StructureRanges;
  index: number;
  /** Where it ended if its end tag does not come: where what encloses it ended. */
  impliedEnd: number;
}

/** A structure that goes on in the next segment. */
export interface OpenStructure {
  structure: string;
  index: number;
}

/** An end tag that nothing in its segment matches; `place` is its line in the text. */
export interface Orphan {
  structure: string;
  position: number;
  place: number;
}

export class StructureBuilder {
  readonly structures = new Map<string, StructureRanges>();
  readonly orphans: Orphan[] = [];
  /** Where the first of each kind opens that does not nest: it closes one that came in from before. */
  readonly firstOpened = new Map<string, number>();
  /** All that is open, outermost first. */
  #stack: Open[] = [];

  constructor(
    /** Structures that do not nest. */
    readonly flat: readonly string[],
    readonly warn: (kind: WarningKind, place: number) => void,
  ) {}

  #rangesOf(name: string): StructureRanges {
    let ranges = this.structures.get(name);
    if (!ranges) {
      ranges = new StructureRanges(name);
      this.structures.set(name, ranges);
    }
    return ranges;
  }

  /** Takes a tag that stands before token `position`; `line` is its distinct tag line, `place` its line in the text. */
  tag(tag: Tag, line: number, position: number, place: number): void {
    if (tag.kind === "close") {
      this.#close(tag.name, place, position);
      return;
    }
    const ranges = this.#rangesOf(tag.name);
    if (this.flat.includes(tag.name)) this.#beginFlat(tag.name, position);
    else if (ranges.open.length > 0) this.#giveUp((open) => open.ranges === ranges);
    if (tag.kind === "empty") {
      ranges.add(position, position, line, place);
      return;
    }
    if (ranges.open.length >= limits.structureDepthMax) {
      this.#end(this.#innermost(ranges) as Open, position);
      this.warn("too_deep", place);
    }
    const index = ranges.add(position, position, line, place);
    ranges.open.push(index);
    this.#stack.push({ ranges, index, impliedEnd: pending });
  }

  /** Those that wait for their end tags will not get them any more. */
  #giveUp(which: (open: Open) => boolean): void {
    for (const open of [...this.#stack]) {
      if (open.impliedEnd === pending || !which(open)) continue;
      this.warn("not_closed", open.ranges.places[open.index]);
      this.#end(open, open.impliedEnd);
    }
  }

  #innermost(ranges: StructureRanges): Open | undefined {
    for (let i = this.#stack.length - 1; i >= 0; i--)
      if (this.#stack[i].ranges === ranges) return this.#stack[i];
    return undefined;
  }

  #close(name: string, place: number, position: number): void {
    const ranges = this.structures.get(name);
    const top = this.#stack.length - 1;
    if (!ranges || ranges.open.length === 0) {
      this.#rangesOf(name);
      this.orphans.push({ structure: name, position, place });
      return;
    }
    let at = top;
    while (this.#stack[at].ranges !== ranges) {
      if (this.#stack[at].impliedEnd === pending) this.#stack[at].impliedEnd = position;
      at--;
    }
    const closed = this.#stack[at];
    this.#end(closed, position);
  }

  #end(open: Open, position: number): void {
    open.ranges.ends[open.index] = position;
    open.ranges.open.splice(open.ranges.open.lastIndexOf(open.index), 1);
    const at = this.#stack.lastIndexOf(open);
    if (at === this.#stack.length - 1) this.#stack.pop();
    else this.#stack.splice(at, 1);
  }

  #beginFlat(name: string, position: number): void {
    if (!this.firstOpened.has(name)) this.firstOpened.set(name, position);
    const ranges = this.structures.get(name);
    if (ranges && ranges.open.length > 0) {
      const open = this.#innermost(ranges) as Open;
      this.warn("document_not_closed", ranges.places[open.index]);
      for (const inside of this.#stack.slice(this.#stack.indexOf(open) + 1)) {
        if (inside.impliedEnd === pending) inside.impliedEnd = position;
      }
      this.#end(open, open.impliedEnd === pending ? position : open.impliedEnd);
    }
    this.#giveUp(() => true);
  }

  /** The file ends here, and everything in it. */
  endFile(position: number): void {
    for (const open of [...this.#stack].reverse()) {
      this.warn("not_closed", open.ranges.places[open.index]);
      this.#end(open, open.impliedEnd === pending ? position : open.impliedEnd);
    }
  }

  /** The segment ends here: returns what continues in the next, outermost first. */
  endSegment(position: number): OpenStructure[] {
    const open = this.#stack.filter((entry) => entry.impliedEnd === pending);
    for (const entry of [...this.#stack]) {
      if (entry.impliedEnd !== pending) this.warn("not_closed", entry.ranges.places[entry.index]);
      this.#end(entry, entry.impliedEnd === pending ? position : entry.impliedEnd);
    }
    return open.map(({ ranges, index }) => ({ structure: ranges.name, index }));
  }
}
