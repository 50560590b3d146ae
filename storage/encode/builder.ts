/**
 * Structures, built from the tags of all segments in order, as if the input were one text. The rules, for input
 * that is not well-formed:
 *
 * - Each kind of structure has its own stack: structures of different names may overlap. An end tag closes the
 *   innermost open structure of its name.
 * - A structure whose enclosing structure has ended is left waiting for its end tag (it may overlap). When another
 *   of its name opens, or a document, or the file ends, it is taken to have ended with what enclosed it, or with
 *   the last of its own name inside it.
 * - Documents do not nest: a document that opens closes one that is open. (So do the paragraphs of CoNLL-U.)
 * - What is open at the end of a file ends there.
 *
 * Segments whose tags nest properly, which is nearly all of them, need none of this where nothing is open before them:
 * their structures were found when they were parsed (tagged.ts).
 *
 * A structure belongs to the segment in which it opens. Where it ends in a later one, it is `late`: it is cut into
 * pieces, one for each segment (carry.ts).
 */
import { limits } from "../limits.js";
import type { WarningKind } from "./warnings.js";

/** What a tag event is: its code is the structure's number × 4 plus one of these. */
export const [OPEN, CLOSE, EMPTY, FILE_END] = [0, 1, 2, 3];
/** Words of an event: code, number of tokens before it, line in the segment's text. */
export const eventWords = 3;

/** Ranges of one kind of structure in one segment, in the order in which they open. */
export class StructureRanges {
  begins = new Uint32Array(64);
  ends = new Uint32Array(64);
  count = 0;

  constructor(readonly name: string) {}

  add(position: number): number {
    if (this.count === this.begins.length) {
      for (const column of ["begins", "ends"] as const) {
        const larger = new Uint32Array(this.count * 2);
        larger.set(this[column]);
        this[column] = larger;
      }
    }
    const index = this.count++;
    this.begins[index] = position;
    this.ends[index] = position;
    return index;
  }
}

/** A structure that ends in another segment than it began in; `end` is a position in the whole input. */
export interface LateStructure {
  structure: string;
  segment: number;
  index: number;
  end: number;
  /** Structures in the order in which they open. */
  order: number;
}

interface Open {
  kind: Kind;
  segment: number;
  index: number;
  /** Its line in the text of its segment. */
  place: number;
  order: number;
  /** Where it ended if its end tag does not come: where what encloses it ended. NaN while that is open. */
  impliedEnd: number;
}

/** One kind of structure over all segments. */
interface Kind {
  name: string;
  flat: boolean;
  /** Outermost first. */
  open: Open[];
  ranges: StructureRanges;
}

export class StructureBuilder {
  readonly late: LateStructure[] = [];
  readonly #kinds = new Map<string, Kind>();
  /** All that is open, outermost first. */
  readonly #stack: Open[] = [];
  #segment = 0;
  #base = 0;
  #order = 0;

  constructor(
    /** Structures that do not nest. */
    readonly flat: readonly string[],
    readonly warn: (kind: WarningKind, segment: number, place: number) => void,
  ) {}

  /** Nothing is open: what comes next stands by itself. */
  get idle(): boolean {
    return this.#stack.length === 0;
  }

  /** Passes over a segment whose tags nest properly, and leave nothing open. */
  skipSegment(tokens: number): void {
    this.#segment++;
    this.#base += tokens;
  }

  /** Takes the tags of the next segment; returns its ranges. `names[n]` is the structure with number n in the events. */
  addSegment(names: string[], events: Uint32Array, tokens: number): StructureRanges[] {
    const kinds = names.map((name) => this.#kindOf(name));
    for (const kind of this.#kinds.values()) kind.ranges = new StructureRanges(kind.name);
    for (let e = 0; e < events.length; e += eventWords) {
      const code = events[e];
      const position = events[e + 1];
      const kind = kinds[code >>> 2];
      switch (code & 3) {
        case OPEN:
          this.#begin(kind, position, events[e + 2]);
          break;
        case CLOSE:
          this.#close(kind, position, events[e + 2]);
          break;
        case EMPTY:
          this.#giveWay(kind, position);
          kind.ranges.add(position);
          break;
        default:
          this.#endFile(position);
      }
    }
    // What is still open reaches the end of the segment at least, as far as is known.
    for (const { segment, kind, index } of this.#stack)
      if (segment === this.#segment) kind.ranges.ends[index] = tokens;
    this.skipSegment(tokens);
    return kinds.map(({ ranges }) => ranges);
  }

  #kindOf(name: string): Kind {
    let kind = this.#kinds.get(name);
    if (!kind) {
      kind = { name, flat: this.flat.includes(name), open: [], ranges: new StructureRanges(name) };
      this.#kinds.set(name, kind);
    }
    return kind;
  }

  #begin(kind: Kind, position: number, place: number): void {
    this.#giveWay(kind, position);
    if (kind.open.length >= limits.structureDepthMax) {
      this.warn("too_deep", this.#segment, place);
      this.#end(kind.open.at(-1) as Open, this.#base + position);
    }
    const index = kind.ranges.add(position);
    const open = { kind, segment: this.#segment, index, place, order: this.#order++, impliedEnd: Number.NaN };
    kind.open.push(open);
    this.#stack.push(open);
  }

  /** Before one of its kind opens: what waits for its end in vain ends, and so does what cannot nest. */
  #giveWay(kind: Kind, position: number): void {
    if (!kind.flat) {
      if (kind.open.length > 0) this.#giveUp((open) => open.kind === kind);
      return;
    }
    const open = kind.open.at(-1);
    if (open) {
      this.warn("document_not_closed", open.segment, open.place);
      for (const inside of this.#stack.slice(this.#stack.indexOf(open) + 1)) {
        if (Number.isNaN(inside.impliedEnd)) inside.impliedEnd = this.#base + position;
      }
      this.#end(open, Number.isNaN(open.impliedEnd) ? this.#base + position : open.impliedEnd);
    }
    this.#giveUp(() => true);
  }

  /** Those that wait for their end tags will not get them any more. */
  #giveUp(which: (open: Open) => boolean): void {
    for (const open of [...this.#stack]) {
      if (Number.isNaN(open.impliedEnd) || !which(open)) continue;
      this.warn("not_closed", open.segment, open.place);
      this.#end(open, open.impliedEnd);
    }
  }

  #close(kind: Kind, position: number, place: number): void {
    const closed = kind.open[kind.open.length - 1];
    if (!closed) {
      this.warn("not_open", this.#segment, place);
      return;
    }
    for (let at = this.#stack.length - 1; this.#stack[at] !== closed; at--) {
      if (Number.isNaN(this.#stack[at].impliedEnd)) this.#stack[at].impliedEnd = this.#base + position;
    }
    this.#end(closed, this.#base + position);
    // An end tag inside it shows that an outer one of the same name was still open.
    for (const outer of kind.open)
      if (!Number.isNaN(outer.impliedEnd)) outer.impliedEnd = this.#base + position;
  }

  #end(open: Open, end: number): void {
    const { kind, segment, index, order } = open;
    if (segment === this.#segment) kind.ranges.ends[index] = end - this.#base;
    else this.late.push({ structure: kind.name, segment, index, end, order });
    remove(kind.open, open);
    remove(this.#stack, open);
  }

  /** The file ends here, and everything in it. */
  #endFile(position: number): void {
    for (const open of [...this.#stack].reverse()) {
      this.warn("not_closed", open.segment, open.place);
      this.#end(open, Number.isNaN(open.impliedEnd) ? this.#base + position : open.impliedEnd);
    }
  }
}

/** Takes an entry off a stack: nearly always its last. */
function remove(stack: Open[], open: Open): void {
  if (stack[stack.length - 1] === open) stack.pop();
  else stack.splice(stack.lastIndexOf(open), 1);
}
