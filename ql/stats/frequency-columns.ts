/**
 * The columns of a frequency list: for each hit the number of a value, by one key. What has no value and what has an
 * empty one is the same here, number 0: in a list they look alike.
 *
 * An attribute that may have several values at once gives the number of the whole; `singles` says which ones that is.
 * A key of several tokens takes values as they are stored, and tells rows apart by them: a token "New York" is not two.
 */
import { DugongError, type Lexicon, type Snapshot, type Structure } from "../../storage/index.js";
import type { Hits } from "../chain/hits.js";
import { isSingle, type Key, printKey } from "../chain/keys.js";
import { compareCodePoints } from "../chain/sort.js";
import { foldText, type ValueReader, valueReader } from "../chain/values.js";
import { comparing, looking, mapped, sortNumbers, upTo } from "../pace.js";

export interface Column {
  readonly key: Key;
  read(hits: Hits, out: Uint32Array): void;
  text(value: number): string;
  /** For some values at least: a number that grows with their texts, by code points. */
  ranks(values: Uint32Array, checkpoint: () => void): (value: number) => number;
  /** Were there hits of which not all tokens were looked at? */
  readonly cut?: boolean;
  /** Where a value may stand for several: their numbers, each once, and at least one. */
  readonly singles?: (whole: number) => Uint32Array;
}

export function columnFor(snapshot: Snapshot, key: Key): Column {
  for (const [flag, name] of [
    ["retrograde", "r"],
    ["byFrequency", "f"],
    ["falling", "-"],
  ] as const) {
    if (!key[flag]) continue;
    throw new DugongError(
      "bad_key",
      `${JSON.stringify(printKey(key))} has the flag ${JSON.stringify(name)}, which is for sorting`,
      "Count without it; --order says how rows are sorted.",
    );
  }
  const values = singleValues(snapshot, key);
  if (values) return new SeveralValues(snapshot, key, values);
  const reader = valueReader(snapshot, key);
  if (reader.lexicon) return new LexiconValues(reader, reader.lexicon);
  if (!key.place && !isFolded(key)) return new SharedTexts(reader);
  return new TextValues(reader);
}

/** The structure that a key asks an attribute of. */
export function structureOf(snapshot: Snapshot, { attribute, place }: Key): Structure | undefined {
  return place ? undefined : snapshot.structure(attribute.slice(0, attribute.indexOf(".")));
}

interface Singles {
  lexicon: Lexicon;
  /** The ids of a whole value's single ones. */
  of(whole: number): Uint32Array;
}

function singleValues(snapshot: Snapshot, key: Key): Singles | undefined {
  const structure = structureOf(snapshot, key);
  if (structure) {
    const values = structure.values(key.attribute.slice(structure.name.length + 1));
    return values && { lexicon: values.lexicon, of: (whole) => values.map.of(whole) };
  }
  if (!isSingle(key.place!)) return undefined;
  const { values } = snapshot.attribute(key.attribute);
  return values?.derived && { lexicon: values.lexicon, of: (whole) => values.derived!.map.of(whole) };
}

function isFolded({ ignoreCase, ignoreDiacritics }: Key): boolean {
  return ignoreCase || ignoreDiacritics;
}

/** Ids of a lexicon, plus 1. */
class LexiconValues implements Column {
  readonly key: Key;
  /** The number of the empty string; 0 if the lexicon has none. */
  readonly #empty: number;

  constructor(
    readonly reader: ValueReader,
    readonly lexicon: Lexicon,
  ) {
    this.key = reader.key;
    this.#empty = lexicon.find("") + 1;
  }

  read(hits: Hits, out: Uint32Array): void {
    this.reader.read(hits, out);
    if (this.#empty === 0) return;
    for (let i = 0; i < hits.count; i++) if (out[i] === this.#empty) out[i] = 0;
  }

  text(value: number): string {
    return this.reader.text(value);
  }

  ranks(): (value: number) => number {
    return ranksIn(this.lexicon);
  }
}

function ranksIn(lexicon: Lexicon): (value: number) => number {
  const { rankOfId } = lexicon.order;
  return (value) => (value === 0 ? -1 : rankOfId[value - 1]);
}

/** Ranks of what has to be written out to be compared. */
function ranksOf(column: Column, values: Uint32Array, checkpoint: () => void): (value: number) => number {
  const sorted = sortNumbers(values.slice(), checkpoint);
  let count = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[count - 1]) sorted[count++] = sorted[i];
  const distinct = sorted.subarray(0, count);
  const texts = mapped(distinct, (value) => column.text(value), checkpoint);
  const order = upTo(count).sort(comparing((a, b) => compareCodePoints(texts[a], texts[b]), checkpoint));
  const ranks = new Uint32Array(count === 0 ? 0 : distinct[count - 1] + 1);
  const look = looking(checkpoint);
  let rank = 0;
  order.forEach((own, i) => {
    look();
    if (i > 0 && texts[own] !== texts[order[i - 1]]) rank++;
    ranks[distinct[own]] = rank;
  });
  return (value) => ranks[value];
}

/** Values that are numbered as they turn up: folded ones, several tokens. */
class TextValues implements Column {
  readonly key: Key;

  constructor(readonly reader: ValueReader) {
    this.key = reader.key;
  }

  get cut(): boolean {
    return this.reader.cut ?? false;
  }

  read(hits: Hits, out: Uint32Array): void {
    this.reader.read(hits, out);
  }

  text(value: number): string {
    return this.reader.text(value);
  }

  ranks(values: Uint32Array, checkpoint: () => void): (value: number) => number {
    return ranksOf(this, values, checkpoint);
  }
}

/** Texts and their numbers, as they turn up; 0 is the empty one. */
class Texts {
  readonly #numbers = new Map<string, number>([["", 0]]);
  readonly #texts: string[] = [""];

  number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  text(number: number): string {
    return this.#texts[number];
  }
}

/** A value for each structure: those that are the same after all have one number. */
class SharedTexts implements Column {
  readonly key: Key;
  readonly #texts = new Texts();
  readonly #known = new Map<number, number>();

  constructor(readonly reader: ValueReader) {
    this.key = reader.key;
  }

  read(hits: Hits, out: Uint32Array): void {
    this.reader.read(hits, out);
    let [last, number] = [0, 0];
    for (let i = 0; i < hits.count; i++) {
      if (out[i] !== last) {
        last = out[i];
        number = this.#numberOf(last);
      }
      out[i] = number;
    }
  }

  #numberOf(value: number): number {
    let number = this.#known.get(value);
    if (number === undefined) {
      number = this.#texts.number(this.reader.text(value));
      this.#known.set(value, number);
    }
    return number;
  }

  text(value: number): string {
    return this.#texts.text(value);
  }

  ranks(values: Uint32Array, checkpoint: () => void): (value: number) => number {
    return ranksOf(this, values, checkpoint);
  }
}

const none = Uint32Array.of(0);

/** An attribute with several values at once. Numbers of wholes and of single ones are different things. */
class SeveralValues implements Column {
  readonly #whole: ValueReader;
  readonly #texts: Texts | undefined;
  readonly #empty: number;
  readonly #known = new Map<number, Uint32Array>([[0, none]]);

  constructor(
    snapshot: Snapshot,
    readonly key: Key,
    readonly values: Singles,
  ) {
    this.#whole = valueReader(snapshot, { ...key, ignoreCase: false, ignoreDiacritics: false });
    this.#texts = isFolded(key) ? new Texts() : undefined;
    this.#empty = values.lexicon.find("") + 1;
  }

  read(hits: Hits, out: Uint32Array): void {
    this.#whole.read(hits, out);
  }

  readonly singles = (whole: number): Uint32Array => {
    let numbers = this.#known.get(whole);
    if (!numbers) {
      const ids = this.values.of(whole - 1);
      numbers =
        ids.length === 0 ? none : Uint32Array.from(new Set(Array.from(ids, (id) => this.#numberOf(id))));
      this.#known.set(whole, numbers);
    }
    return numbers;
  };

  #numberOf(id: number): number {
    if (this.#texts) return this.#texts.number(foldText(this.values.lexicon.string(id), this.key));
    return id + 1 === this.#empty ? 0 : id + 1;
  }

  text(value: number): string {
    if (this.#texts) return this.#texts.text(value);
    return value === 0 ? "" : this.values.lexicon.string(value - 1);
  }

  ranks(values: Uint32Array, checkpoint: () => void): (value: number) => number {
    return this.#texts ? ranksOf(this, values, checkpoint) : ranksIn(this.values.lexicon);
  }
}
