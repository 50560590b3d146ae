/**
 * What keys say of hits: for each hit a number that stands for a value, and the text of each number. 0: no value.
 * Plain attributes give the ids of the lexicon (plus 1); what is folded or has several tokens is numbered as it turns up.
 */
import type { Attribute, Lexicon, Snapshot, Structure, TokenStream } from "../../storage/index.js";
import { DugongError } from "../../storage/index.js";
import { looking } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import { checkStructureAttribute } from "../plan/names.js";
import { structureNumbers } from "./around.js";
import type { Hits, Ranges } from "./hits.js";
import { isSingle, type Key, type Place, printKey } from "./keys.js";
import { limits } from "./limits.js";
import { PairTable } from "./pairs.js";

export interface ValueReader {
  readonly key: Key;
  /** Numbers are below this, as far as values have turned up. */
  readonly size: number;
  /** The number of each hit's value; 0 where there is none. */
  read(hits: Hits, out: Uint32Array): void;
  text(value: number): string;
  /** If numbers are ids of this lexicon plus 1. */
  readonly lexicon?: Lexicon;
  /** Were there hits of which not all tokens were looked at (limit keyTokensMax)? */
  readonly cut?: boolean;
}

/** What is worth knowing about what a key said. */
export function keyNotices({ key, cut }: Pick<ValueReader, "key" | "cut">): Notice[] {
  if (!cut) return [];
  const most = limits.keyTokensMax.toLocaleString("en");
  const message = `${JSON.stringify(printKey(key))} has more than ${most} tokens in places: those beyond are not looked at (limit keyTokensMax)`;
  return [{ code: "limit_hit", message }];
}

/** A reader for a key; its errors name what the corpus has. */
export function valueReader(snapshot: Snapshot, key: Key): ValueReader {
  const plain = key.place ? placedReader(snapshot, key, key.place) : structureReader(snapshot, key);
  return key.ignoreCase || key.ignoreDiacritics ? new FoldedValues(plain, snapshot.pool.checkpoint) : plain;
}

function placedReader(snapshot: Snapshot, key: Key, place: Place): ValueReader {
  const attribute = snapshot.attribute(key.attribute);
  return isSingle(place)
    ? new TokenValues(snapshot, key, place, attribute)
    : new StretchValues(snapshot, key, place, attribute);
}

function rangesFor(hits: Hits, place: Place): Ranges {
  // No hits have no labels either.
  if (place.label === undefined || hits.count === 0) return hits;
  const ranges = hits.labels.get(place.label);
  if (ranges) return ranges;
  throw new DugongError(
    "unknown_label",
    `the query has no label ${JSON.stringify(place.label)}`,
    'Write one into it, as in 1:[tag="NN"], or name one that is there.',
  );
}

/** One token of each hit. */
class TokenValues implements ValueReader {
  readonly lexicon: Lexicon;
  readonly #stream: TokenStream;

  constructor(
    readonly snapshot: Snapshot,
    readonly key: Key,
    readonly place: Place,
    attribute: Attribute,
  ) {
    this.lexicon = attribute.lexicon;
    this.#stream = snapshot.stream(attribute);
  }

  get size(): number {
    return this.lexicon.size + 1;
  }

  read(hits: Hits, out: Uint32Array): void {
    const { tokens } = this.snapshot;
    const { begins, ends } = rangesFor(hits, this.place);
    const { of, tokens: offset } = this.place.from;
    const column = of === "begin" ? begins : ends;
    const shift = of === "begin" ? offset : offset - 1;
    const positions = new Float64Array(hits.count);
    // Positions outside the corpus are read at 0, and forgotten: they are few.
    const outside: number[] = [];
    for (let i = 0; i < hits.count; i++) {
      const position = column[i] + shift;
      if (position >= 0 && position < tokens && begins[i] < tokens) positions[i] = position;
      else outside.push(i);
    }
    if (tokens > 0) this.#stream.gather(positions, out, hits.count);
    for (let i = 0; i < hits.count; i++) out[i]++;
    for (const i of outside) out[i] = 0;
  }

  text(value: number): string {
    return value === 0 ? "" : this.lexicon.string(value - 1);
  }
}

/** Several tokens of each hit, as their values with a space between. Forward, or backward where a place says so. */
class StretchValues implements ValueReader {
  readonly #stream: TokenStream;
  readonly #lexicon: Lexicon;
  /** Rows as pairs of what comes before and the last id. */
  readonly #rows: PairTable;
  cut = false;

  constructor(
    readonly snapshot: Snapshot,
    readonly key: Key,
    readonly place: Place,
    attribute: Attribute,
  ) {
    this.#rows = new PairTable(snapshot.pool.checkpoint);
    this.#lexicon = attribute.lexicon;
    this.#stream = snapshot.stream(attribute);
  }

  get size(): number {
    return this.#rows.size + 1;
  }

  read(hits: Hits, out: Uint32Array): void {
    const { begins, ends } = rangesFor(hits, this.place);
    const { from, to } = this.place;
    const { tokens } = this.snapshot;
    const { checkpoint } = this.snapshot.pool;
    let ids = new Uint32Array(64);
    for (let i = 0; i < hits.count; i++) {
      if ((i & 0xff) === 0) checkpoint();
      out[i] = 0;
      if (begins[i] >= tokens) continue;
      const first = (from.of === "begin" ? begins[i] : ends[i] - 1) + from.tokens;
      const last = (to.of === "begin" ? begins[i] : ends[i] - 1) + to.tokens;
      const low = Math.max(0, Math.min(first, last));
      const high = Math.min(tokens - 1, Math.max(first, last));
      const count = Math.min(high - low + 1, limits.keyTokensMax);
      if (count <= 0) continue;
      if (count <= high - low) this.cut = true;
      if (count > ids.length) ids = new Uint32Array(count);
      this.#stream.read(first <= last ? low : high - count + 1, count, ids.subarray(0, count));
      let row = 0;
      for (let n = 0; n < count; n++) row = this.#rows.number(row, ids[first <= last ? n : count - 1 - n]);
      out[i] = row;
    }
  }

  text(value: number): string {
    const words: string[] = [];
    for (let row = value; row > 0; row = this.#rows.left(row))
      words.push(this.#lexicon.string(this.#rows.right(row)));
    return words.reverse().join(" ");
  }
}

/** An attribute of the structure around the first token of each hit. */
function structureReader(snapshot: Snapshot, key: Key): ValueReader {
  const dot = key.attribute.indexOf(".");
  const structure = snapshot.structure(key.attribute.slice(0, dot));
  const name = key.attribute.slice(dot + 1);
  checkStructureAttribute(snapshot, structure, name);
  const lexicon = structure.lexicon(name);
  return lexicon
    ? new StructureValues(snapshot, key, structure, name, lexicon)
    : new UniqueValues(snapshot, key, structure, name);
}

/** Hits in order are often in the same structure as the one before. */
function readStructures(
  snapshot: Snapshot,
  structure: Structure,
  hits: Hits,
  out: Uint32Array,
  valueAt: (number: number) => number,
): void {
  const { checkpoint } = snapshot.pool;
  const numbers = structureNumbers(snapshot, structure, hits, checkpoint);
  let [last, value] = [-1, 0];
  for (let i = 0; i < hits.count; i++) {
    if ((i & 0xfff) === 0) checkpoint();
    if (numbers[i] !== last) {
      last = numbers[i];
      value = last < 0 ? 0 : valueAt(last);
    }
    out[i] = value;
  }
}

class StructureValues implements ValueReader {
  /** Of each structure that was asked, the number of its value; so many bytes as there are structures. */
  readonly #known: Map<number, number> = new Map();

  constructor(
    readonly snapshot: Snapshot,
    readonly key: Key,
    readonly structure: Structure,
    readonly attribute: string,
    readonly lexicon: Lexicon,
  ) {}

  get size(): number {
    return this.lexicon.size + 1;
  }

  read(hits: Hits, out: Uint32Array): void {
    readStructures(this.snapshot, this.structure, hits, out, (number) => this.#valueOf(number));
  }

  #valueOf(number: number): number {
    let value = this.#known.get(number);
    if (value === undefined) {
      value = this.structure.valueId(number, this.attribute) + 1;
      if (this.#known.size < limits.keptStructuresMax) this.#known.set(number, value);
    }
    return value;
  }

  text(value: number): string {
    return value === 0 ? "" : this.lexicon.string(value - 1);
  }
}

/** An attribute without a lexicon: texts are numbered as they turn up. */
class UniqueValues implements ValueReader {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [""];

  constructor(
    readonly snapshot: Snapshot,
    readonly key: Key,
    readonly structure: Structure,
    readonly attribute: string,
  ) {}

  get size(): number {
    return this.#texts.length;
  }

  read(hits: Hits, out: Uint32Array): void {
    readStructures(this.snapshot, this.structure, hits, out, (number) => this.#valueOf(number));
  }

  #valueOf(number: number): number {
    const text = this.structure.value(number, this.attribute);
    if (text === undefined) return 0;
    let value = this.#numbers.get(text);
    if (value === undefined) {
      value = this.#texts.push(text) - 1;
      this.#numbers.set(text, value);
    }
    return value;
  }

  text(value: number): string {
    return this.#texts[value];
  }
}

/** Values that are the same but for case or diacritics have one number. */
class FoldedValues implements ValueReader {
  readonly key: Key;
  readonly #numbers = new Map<string, number>();
  /** By number; that of 0 stands for no value. */
  readonly #texts: string[] = [""];
  #folded: Uint32Array;
  readonly #look: () => void;

  constructor(
    readonly plain: ValueReader,
    checkpoint: () => void,
  ) {
    this.#look = looking(checkpoint);
    this.key = plain.key;
    this.#folded = new Uint32Array(plain.size).fill(unknown);
  }

  get cut(): boolean {
    return this.plain.cut ?? false;
  }

  get size(): number {
    return this.#texts.length;
  }

  read(hits: Hits, out: Uint32Array): void {
    this.plain.read(hits, out);
    this.#grow();
    const folded = this.#folded;
    for (let i = 0; i < hits.count; i++) {
      const value = out[i];
      if (folded[value] === unknown) folded[value] = this.#fold(value);
      out[i] = folded[value];
    }
  }

  #grow(): void {
    if (this.#folded.length >= this.plain.size) return;
    const larger = new Uint32Array(this.plain.size * 2).fill(unknown);
    larger.set(this.#folded);
    this.#folded = larger;
  }

  #fold(value: number): number {
    if (value === 0) return 0;
    this.#look();
    const text = foldText(this.plain.text(value), this.key);
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  text(value: number): string {
    return this.#texts[value];
  }
}

const unknown = 0xffffffff;

export function foldText(
  text: string,
  { ignoreCase, ignoreDiacritics }: Pick<Key, "ignoreCase" | "ignoreDiacritics">,
): string {
  let folded = ignoreCase ? text.toLowerCase() : text;
  if (ignoreDiacritics)
    folded = folded
      .normalize("NFD")
      .replace(/\p{M}+/gu, "")
      .normalize("NFC");
  return folded;
}
