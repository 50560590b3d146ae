/** The contract of everything that yields ranges: patterns, structures, filtered queries, meet, union and the rest. */
import type { Steps } from "./ceilings.js";

/** Ranges that begin in some interval, by begin then end, each once. Positions count from `base`. */
export class Spans {
  begins: Uint32Array;
  #ends: Uint32Array | undefined;
  /** Where all are as long as each other, ends are written down when they are asked for. */
  #length = 0;
  count = 0;

  constructor(
    readonly base: number,
    capacity = 256,
  ) {
    this.begins = new Uint32Array(capacity);
  }

  /** Ranges of one length. */
  static ofLength(base: number, begins: Uint32Array, count: number, length: number): Spans {
    const spans = new Spans(base, 0);
    spans.begins = begins;
    spans.count = count;
    spans.#length = length;
    return spans;
  }

  get ends(): Uint32Array {
    if (!this.#ends) {
      this.#ends = new Uint32Array(this.begins.length);
      for (let i = 0; i < this.count; i++) this.#ends[i] = this.begins[i] + this.#length;
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
    const capacity = Math.max(this.begins.length * 2, this.count + more);
    const [begins, ends] = [new Uint32Array(capacity), new Uint32Array(capacity)];
    begins.set(this.begins.subarray(0, this.count));
    ends.set(this.ends.subarray(0, this.count));
    this.begins = begins;
    this.ends = ends;
  }

  append(begins: Uint32Array, ends: Uint32Array): void {
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
  /** Ranges that begin in [from, to), none longer than the ceiling allows. */
  spans(from: number, to: number, ceiling?: Ceiling, choice?: Choice): Spans;
  /** If its matches are single tokens: a bit for each of [from, to) that is one, lowest first; undefined: not at hand. */
  tokenBits?(from: number, to: number): Uint32Array | undefined;
  /** The matches that begin at a position, in the order in which they are found left to right, shortest first. */
  at(position: number, limit: number): Iterable<Found>;
  /** The sources it is made of. */
  readonly inputs: readonly Source[];
  describe(): Description;
}
