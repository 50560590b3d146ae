/**
 * What a query runs on in one thread: a snapshot, memory for the kernels, and islands of tokens.
 *
 * An island is a stretch of the corpus that is looked at; islands lie one behind the other in memory, ascending and
 * apart. A scan has one island, a look around the places of a rare word has many small ones.
 */
import type { Attribute, Snapshot } from "../../storage/index.js";
import { Arena } from "../../storage/kernels/arena.js";

export class Islands {
  /** Global position of each island's first token, and where that lies behind the others. */
  readonly froms: Float64Array;
  readonly places: Uint32Array;
  count = 0;
  size = 0;
  /** Set where islands lie over each other: then their tokens do not ascend. */
  overlap = false;

  constructor(capacity: number) {
    this.froms = new Float64Array(capacity);
    this.places = new Uint32Array(capacity + 1);
  }

  static one(from: number, to: number): Islands {
    const islands = new Islands(1);
    islands.add(from, to - from);
    return islands;
  }

  add(from: number, length: number): void {
    this.froms[this.count] = from;
    this.places[this.count] = this.size;
    this.size += length;
    this.places[++this.count] = this.size;
  }

  length(island: number): number {
    return this.places[island + 1] - this.places[island];
  }

  to(island: number): number {
    return this.froms[island] + this.length(island);
  }
}

/** Below this length, the tokens of an island are fetched one by one. */
const stretchTokens = 192;

/** Memory that queries of this thread have used before. */
const spare: Arena[] = [];

export class Ground {
  readonly arena: Arena;

  constructor(
    readonly snapshot: Snapshot,
    /** Called once a block; what it throws ends the query. */
    readonly checkpoint: () => void = () => {},
  ) {
    this.arena = spare.pop() ?? new Arena();
    this.arena.reset();
  }

  /** Gives its memory to the next query: nothing may be asked of it any more. */
  release(): void {
    if (this.arena.memory.buffer.byteLength <= spareBytesMax && spare.length < 4) spare.push(this.arena);
  }

  get tokens(): number {
    return this.snapshot.tokens;
  }

  /** Which segment has a position (the last one, behind the end). */
  segmentAt(position: number): number {
    const { segments } = this.snapshot;
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (segments[middle].start <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The first segment that has a position or ends right before it: boundaries behind its last token are its own. */
  firstTouching(position: number): number {
    const { segments } = this.snapshot;
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (segments[middle].start + segments[middle].tokens < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Calls back for each part of an interval that lies in one segment, with positions in it. */
  eachSegment(from: number, to: number, call: (segment: number, from: number, to: number) => void): void {
    const { segments } = this.snapshot;
    for (let at = this.segmentAt(from); at < segments.length && segments[at].start < to; at++) {
      const { start, tokens } = segments[at];
      const a = Math.max(from - start, 0);
      const b = Math.min(to - start, tokens);
      if (a < b) call(at, a, b);
    }
  }

  /** ORs table[id] of each token into its class. `table` and `classes` are addresses in the arena. */
  classify(attribute: Attribute, islands: Islands, table: number, classes: number): void {
    const { arena, snapshot } = this;
    const mark = arena.mark();
    if (islands.count === 1 || islands.size / islands.count >= stretchTokens) {
      const ids = arena.allocate(Math.min(islands.size, 1 << 16) * 4 + 512);
      for (let i = 0; i < islands.count; i++) {
        const from = islands.froms[i];
        this.eachSegment(from, islands.to(i), (at, a, b) => {
          const segment = snapshot.segments[at];
          const stream = segment.stream(attribute);
          for (let done = a; done < b; done += 1 << 16) {
            const count = Math.min(1 << 16, b - done);
            const target = classes + islands.places[i] + (segment.start + done - from);
            if (stream.inBytes) {
              stream.readBytes(done, count, arena.bytes(ids, count));
              arena.kernels.classifyBytes(ids, count, table, attribute.lexicon.size, target);
            } else {
              stream.read(done, count, arena.integers(ids, count));
              arena.kernels.classifyIds(ids, count, table, target);
            }
          }
        });
      }
    } else {
      const ids = arena.allocate(islands.size * 4 + 512);
      const covered = this.gather(attribute, islands, arena.integers(ids, islands.size));
      if (covered === islands.size) arena.kernels.classifyIds(ids, islands.size, table, classes);
      else this.#classifyTokens(islands, ids, table, classes);
    }
    arena.release(mark);
  }

  /** The ids of all tokens of the islands as bytes. For attributes of at most 256 types. */
  readBytes(attribute: Attribute, islands: Islands, target: number): void {
    const { arena, snapshot } = this;
    if (islands.count > 1 && islands.size / islands.count < stretchTokens) {
      const ids = new Uint32Array(islands.size);
      this.gather(attribute, islands, ids);
      arena.bytes(target, islands.size).set(ids);
      return;
    }
    for (let i = 0; i < islands.count; i++) {
      const from = islands.froms[i];
      this.eachSegment(from, islands.to(i), (at, a, b) => {
        const segment = snapshot.segments[at];
        const stream = segment.stream(attribute);
        const out = arena.bytes(target + islands.places[i] + (segment.start + a - from), b - a);
        if (stream.inBytes) stream.readBytes(a, b - a, out);
        else {
          const ids = new Uint32Array(b - a);
          stream.read(a, b - a, ids);
          out.set(ids);
        }
      });
    }
  }

  /** A bit for each token of [from, to) whose id is in a set (`packedSets`); undefined where ids are not stored as bytes. */
  memberBits(attribute: Attribute, from: number, to: number, set: Uint8Array): Uint32Array | undefined {
    const { snapshot } = this;
    const bits = new Uint32Array(((to - from) >>> 5) + 2);
    let inBytes = true;
    this.eachSegment(from, to, (at, a, b) => {
      const segment = snapshot.segments[at];
      const stream = segment.stream(attribute);
      inBytes &&= stream.inBytes;
      if (inBytes) stream.memberBits(a, b - a, set, bits, segment.start + a - from);
    });
    return inBytes ? bits : undefined;
  }

  /** The same where an island reaches behind the last token: that place has no id. */
  #classifyTokens(islands: Islands, ids: number, table: number, classes: number): void {
    for (let i = 0; i < islands.count; i++) {
      const place = islands.places[i];
      const count = Math.min(islands.to(i), this.tokens) - islands.froms[i];
      if (count > 0) this.arena.kernels.classifyIds(ids + place * 4, count, table, classes + place);
    }
  }

  /** The ids of all tokens of the islands, into `out`; returns how many there are. */
  gather(attribute: Attribute, islands: Islands, out: Uint32Array): number {
    const { snapshot } = this;
    const positions = new Uint32Array(Math.min(islands.size, gatherTokens + 1024));
    let island = 0;
    let offset = 0;
    let covered = 0;
    for (
      let at = this.segmentAt(islands.froms[0]);
      at < snapshot.segments.length && island < islands.count;
      at++
    ) {
      const segment = snapshot.segments[at];
      const { start, tokens } = segment;
      const stream = segment.stream(attribute);
      // Islands that begin at or behind the end of this segment are for the next.
      while (island < islands.count && islands.froms[island] + offset < start + tokens) {
        let count = 0;
        const first = islands.places[island] + offset;
        while (island < islands.count && count < gatherTokens) {
          const from = islands.froms[island] + offset - start;
          if (from >= tokens) break;
          const length = islands.length(island) - offset;
          const here = Math.min(length, tokens - from, positions.length - count);
          for (let i = 0; i < here; i++) positions[count + i] = from + i;
          count += here;
          if (here < length) {
            offset += here;
            break;
          }
          island++;
          offset = 0;
        }
        const target = out.subarray(first, first + count);
        if (islands.overlap) stream.gather(positions, target, count);
        else stream.gatherAscending(positions, count, target);
        covered += count;
      }
    }
    return covered;
  }
}

const gatherTokens = 1 << 15;
const spareBytesMax = 64 << 20;
