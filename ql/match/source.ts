/** The contract of everything that yields ranges: patterns, structures, filtered queries, meet, union and the rest. */
import type { Steps } from "./ceilings.js";
import type { Room } from "./room.js";

/** Ranges that begin in some interval, by begin then end, each once. Positions count from `base`. */
export class Spans {
  begins: Uint32Array;
  #ends: Uint32Array | undefined;
  /** Where all are as long as each other, ends are written down when they are asked for. */
  #length = 0;
  count = 0;
  /** Where they are written, if that is used again. */
  room: Room | undefined;

  constructor(
    readonly base: number,
    room: Room | number = 256,
  ) {
    if (typeof room === "number") this.begins = new Uint32Array(room);
    else {
      this.room = room;
      this.begins = room.begins;
      this.#ends = room.ends;
    }
  }

  /** Ranges of one length. `room`: where their begins are, and ends may be. */
  static ofLength(base: number, begins: Uint32Array, count: number, length: number, room?: Room): Spans {
    const spans = new Spans(base, 0);
    spans.begins = begins;
    spans.count = count;
    spans.#length = length;
    spans.room = room;
    return spans;
  }

  get ends(): Uint32Array {
    if (!this.#ends) {
      const ends = this.room?.ends ?? new Uint32Array(this.begins.length);
      fillEnds(this.begins, this.count, this.#length, ends);
      this.#ends = ends;
    }
    return this.#ends;
  }

  set ends(ends: Uint32Array) {
    this.#ends = ends;
  }

  /** Tokens of each range, if all have as many; else 0. */
  get fixedLength(): number {
    return this.#ends ? 0 : this.#length;
  }

  endOf(i: number): number {
    return this.#ends ? this.#ends[i] : this.begins[i] + this.#length;
  }

  /** Moves a range forward, over one that is not kept. */
  move(from: number, to: number): void {
    this.begins[to] = this.begins[from];
    if (this.#ends) this.#ends[to] = this.#ends[from];
  }

  push(begin: number, end: number): void {
    if (this.count === this.begins.length) this.reserve(1);
    const { ends } = this;
    this.begins[this.count] = begin;
    ends[this.count++] = end;
  }

  reserve(more: number): void {
    if (this.count + more <= this.begins.length) return;
    if (this.room) {
      this.room.grow(this.count + more, this.count);
      this.begins = this.room.begins;
      this.ends = this.room.ends;
      return;
    }
    const capacity = Math.max(this.begins.length * 2, this.count + more);
    const [begins, ends] = [new Uint32Array(capacity), new Uint32Array(capacity)];
    begins.set(this.begins.subarray(0, this.count));
    ends.set(this.ends.subarray(0, this.count));
    this.begins = begins;
    this.ends = ends;
  }

  append(begins: Uint32Array, ends: Uint32Array): void {
    if (this.count === 0 && begins.length > this.begins.length && !this.room) {
      // Nothing is there yet: no more room than these need, and no zeros to be written over.
      this.begins = begins.slice();
      this.ends = ends.slice();
      this.count = begins.length;
      return;
    }
    this.reserve(begins.length);
    this.begins.set(begins, this.count);
    this.ends.set(ends, this.count);
    this.count += begins.length;
  }

  /** Keeps those for which `test` holds. */
  filter(test: (begin: number, end: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) if (test(this.begins[i], this.endOf(i))) this.move(i, kept++);
    this.count = kept;
  }

  /** By begin then end, each once. */
  sort(): void {
    const { begins, ends, count } = this;
    let sorted = true;
    for (let i = 1; i < count && sorted; i++) {
      sorted = begins[i - 1] < begins[i] || (begins[i - 1] === begins[i] && ends[i - 1] < ends[i]);
    }
    if (sorted) return;
    // Both in one number: positions in an interval are below 2^32, and lengths nearly always below 2^20.
    const keys = new Float64Array(count);
    let long = false;
    for (let i = 0; i < count; i++) {
      if (ends[i] - begins[i] >= 1 << 20) long = true;
      keys[i] = begins[i] * (1 << 20) + (ends[i] - begins[i]);
    }
    if (long) {
      this.#sortLong();
      return;
    }
    keys.sort();
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (i > 0 && keys[i] === keys[i - 1]) continue;
      const begin = Math.floor(keys[i] / (1 << 20));
      begins[kept] = begin;
      ends[kept++] = begin + (keys[i] - begin * (1 << 20));
    }
    this.count = kept;
  }

  #sortLong(): void {
    const { begins, ends, count } = this;
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => begins[a] - begins[b] || ends[a] - ends[b],
    );
    const [b, e] = [begins.slice(0, count), ends.slice(0, count)];
    let kept = 0;
    for (const i of order) {
      if (kept > 0 && begins[kept - 1] === b[i] && ends[kept - 1] === e[i]) continue;
      begins[kept] = b[i];
      ends[kept++] = e[i];
    }
    this.count = kept;
  }
}

/** The ends of ranges that have all the same length. */
function fillEnds(begins: Uint32Array, count: number, length: number, ends: Uint32Array): void {
  let i = 0;
  // By fours, and as signed integers: that takes two thirds of the time.
  for (; i + 3 < count; i += 4) {
    ends[i] = (begins[i] + length) | 0;
    ends[i + 1] = (begins[i + 1] + length) | 0;
    ends[i + 2] = (begins[i + 2] + length) | 0;
    ends[i + 3] = (begins[i + 3] + length) | 0;
  }
  for (; i < count; i++) ends[i] = begins[i] + length;
}

/** Takes ranges only to count them. */
export class Tally implements Pick<Spans, "append"> {
  count = 0;

  append(begins: Uint32Array): void {
    this.count += begins.length;
  }
}

/** What labels are bound to: global positions [begin, end). */
export type Bindings = Record<string, [begin: number, end: number]>;

export interface Found {
  end: number;
  labels: Bindings;
}

/** What a source does, as `explain` says it. */
export interface Description {
  operator: string;
  detail?: string;
  why?: string;
}

/** Where a match may end at the latest, for each place where it begins: never falling. */
export interface Ceiling {
  /** All of it over [from, to). */
  steps(from: number, to: number): Steps;
  /**
   * The same as bits of the tokens of [from, to), all 0 before: `inside` where a token may be a match, `on` where it and the
   * next may. False if ranges overlap: then there is more to it, and no bit says anything.
   */
  bits?(from: number, to: number, inside: Int32Array, on: Int32Array): boolean;
  /** Keeps of the spans those that end at their limit or before. */
  keep?(spans: Spans): void;
  /** At some begins, ascending; both begins and limits count from `base`. 0: no match may begin there. */
  limits(base: number, begins: Uint32Array, count: number, out: Uint32Array): void;
}

/** How one match is chosen of those that begin at the same place. */
export type Choice = "all" | "first" | "last";

export interface Source {
  /** The labels that its matches may bind. */
  readonly labels: readonly string[];
  /** Tokens of the longest match; Infinity where that is not known. */
  readonly lengthMax: number;
  /** About how many ranges it has, and what finding them takes, in nanoseconds. */
  readonly rows: number;
  readonly cost: number;
  /** How many tokens to look at in one go, so that the first matches come soon. */
  readonly window: number;
  /** Takes memory for tables: once, before anything is asked. */
  prepare(): void;
  /**
   * Ranges that begin in [from, to), none longer than the ceiling allows. They may be written to the room that is given:
   * it is theirs as long as somebody needs them.
   */
  spans(from: number, to: number, ceiling?: Ceiling, choice?: Choice, room?: Room): Spans;
  /** How many ranges `spans` would find, where that takes less than to write them down. */
  count?(from: number, to: number, ceiling?: Ceiling): number;
  /** If its matches are single tokens: a bit for each of [from, to) that is one, lowest first; undefined: not at hand. */
  tokenBits?(from: number, to: number): Uint32Array | undefined;
  /** The matches that begin at a position, in the order in which they are found left to right, shortest first. */
  at(position: number, limit: number): Iterable<Found>;
  /** What labels are bound to in one of its ranges, where the range alone says it. */
  readonly bind?: (begin: number, end: number) => Bindings;
  /** The sources it is made of. */
  readonly inputs: readonly Source[];
  describe(): Description;
}
