/**
 * The values that collocates are told by: those of an attribute, or what they are without case or diacritics. Of a
 * multi-value attribute they are its single values, as in queries. Values are numbers; a table leads from the ids of the
 * stored stream to them, also for derived attributes, so that only tokens that count are looked up.
 *
 * A folded value has the number of the id whose string it is, if there is one: most words are their own lower case, and
 * no string is made for those.
 */
import type { Attribute, Lexicon, Snapshot } from "../../storage/index.js";
import { DugongError } from "../../storage/index.js";
import { type Key, parseKey } from "../chain/keys.js";
import { foldText } from "../chain/values.js";
import { looking, pieces } from "../pace.js";

type Folding = Pick<Key, "ignoreCase" | "ignoreDiacritics">;

/** Ids → numbers of values: numbers[id]; with `starts`, numbers[starts[id]] up to numbers[starts[id + 1]]. */
export interface Mapping {
  numbers: Uint32Array;
  starts?: Uint32Array;
}

export interface CollocateValues {
  /** As it was asked for. */
  attribute: Attribute;
  /** Whose stream is read, and what its ids stand for; undefined: for themselves. */
  stored: Attribute;
  mapping?: Mapping;
  /** Numbers are below this. */
  size: number;
  /** In how many tokens each value is, given how often each id of the attribute occurs. */
  totals(counts: Float64Array): Float64Array;
  text(number: number): string;
  /** The number of a value, or −1. */
  find(text: string): number;
  /** The strings that have this value. */
  strings(number: number): string[];
  /** By code points. */
  compare(a: number, b: number): number;
}

/** "lemma", "lemma/i", "word/id". */
export function collocateValues(
  snapshot: Snapshot,
  text: string,
  checkpoint: () => void = () => {},
): CollocateValues {
  const { name, folding } = readAttribute(text);
  const attribute = snapshot.attribute(name);
  const { lexicon } = attribute.values ?? attribute;
  const single = attribute.values?.derived?.map.forward;
  const folded = folding && foldedLexicon(lexicon, folding, checkpoint);
  const size = lexicon.size + (folded?.others.length ?? 0);
  const own = joined(single && { numbers: single.values, starts: single.starts }, folded);
  const { stored, mapping } = fromStored(attribute, own);
  const textOf = (number: number) =>
    number < lexicon.size ? lexicon.string(number) : folded!.others[number - lexicon.size];
  let sources: Required<Mapping> | undefined;
  return {
    attribute,
    stored,
    ...(mapping && { mapping }),
    size,
    totals: (counts) => (own ? summed(counts, own, size, checkpoint) : counts),
    text: textOf,
    find: (value) => {
      if (!folding) return lexicon.find(value);
      const wanted = foldText(value, folding);
      return folded!.otherNumbers.get(wanted) ?? lexicon.find(wanted);
    },
    strings: (number) => {
      if (!folded) return [lexicon.string(number)];
      sources ??= inverted(folded.numbers, size);
      const { numbers: ids, starts } = sources;
      return Array.from(ids.subarray(starts[number], starts[number + 1]), (id) => lexicon.string(id));
    },
    compare: folded
      ? (a, b) => Buffer.compare(Buffer.from(textOf(a)), Buffer.from(textOf(b)))
      : (a, b) => lexicon.order.rankOfId[a] - lexicon.order.rankOfId[b],
  };
}

function readAttribute(text: string): { name: string; folding?: Folding } {
  const { attribute: name, place, ignoreCase, ignoreDiacritics, ...others } = parseKey(text);
  if (!place || /\s/.test(text.trim()) || Object.values(others).includes(true)) {
    throw new DugongError(
      "bad_attribute",
      `${JSON.stringify(text)} is not an attribute of tokens`,
      'Write its name, and /i to ignore case or /d to ignore diacritics, as in "lemma/i".',
    );
  }
  return { name, ...((ignoreCase || ignoreDiacritics) && { folding: { ignoreCase, ignoreDiacritics } }) };
}

// ---- from ids to numbers

/** One table after the other; a number that an id would have twice counts once. */
function joined(
  first: Mapping | undefined,
  second: Pick<Mapping, "numbers"> | undefined,
): Mapping | undefined {
  if (!first || !second) return first ?? (second && { numbers: second.numbers });
  const { numbers, starts } = first;
  if (!starts) return { numbers: numbers.map((id) => second.numbers[id]) };
  const found = { numbers: new Uint32Array(numbers.length), starts: new Uint32Array(starts.length) };
  let count = 0;
  for (let id = 0; id + 1 < starts.length; id++) {
    const of = new Set(numbers.subarray(starts[id], starts[id + 1]).map((value) => second.numbers[value]));
    for (const number of of) found.numbers[count++] = number;
    found.starts[id + 1] = count;
  }
  return found;
}

/** The attribute whose ids are stored, and what these become. */
function fromStored(
  attribute: Attribute,
  own: Mapping | undefined,
): { stored: Attribute; mapping?: Mapping } {
  let stored = attribute;
  let mapping = own;
  while (stored.derived) {
    const { base, map } = stored.derived;
    mapping = joined({ numbers: map.forward.values }, mapping);
    stored = base;
  }
  return { stored, ...(mapping && { mapping }) };
}

function summed(
  counts: Float64Array,
  { numbers, starts }: Mapping,
  size: number,
  checkpoint: () => void,
): Float64Array {
  const sums = new Float64Array(size);
  for (const [from, to] of pieces(counts.length, checkpoint)) {
    for (let id = from; id < to; id++) {
      if (!starts) sums[numbers[id]] += counts[id];
      else for (let at = starts[id]; at < starts[id + 1]; at++) sums[numbers[at]] += counts[id];
    }
  }
  return sums;
}

/** The ids that each number stands for. */
function inverted(numbers: Uint32Array, size: number): Required<Mapping> {
  const starts = new Uint32Array(size + 1);
  for (const number of numbers) starts[number + 1]++;
  for (let number = 0; number < size; number++) starts[number + 1] += starts[number];
  const ids = new Uint32Array(numbers.length);
  const next = starts.slice();
  for (let id = 0; id < numbers.length; id++) ids[next[numbers[id]]++] = id;
  return { numbers: ids, starts };
}

// ---- folding

interface Folded {
  /** Id → number. */
  numbers: Uint32Array;
  /** Values that no id has for its string: their numbers follow those of ids. */
  others: string[];
  otherNumbers: Map<string, number>;
}

/** What a lexicon becomes is kept as long as the lexicon is. */
const known = new WeakMap<Lexicon, Map<string, Folded>>();

function foldedLexicon(lexicon: Lexicon, folding: Folding, checkpoint: () => void): Folded {
  const key = JSON.stringify([folding.ignoreCase, folding.ignoreDiacritics]);
  let ofLexicon = known.get(lexicon);
  if (!ofLexicon) {
    ofLexicon = new Map();
    known.set(lexicon, ofLexicon);
  }
  let folded = ofLexicon.get(key);
  if (!folded) {
    folded = foldLexicon(lexicon, folding, checkpoint);
    ofLexicon.set(key, folded);
  }
  return folded;
}

function foldLexicon(lexicon: Lexicon, folding: Folding, checkpoint: () => void): Folded {
  const numbers = new Uint32Array(lexicon.size);
  const others: string[] = [];
  const otherNumbers = new Map<string, number>();
  const decoder = new TextDecoder();
  const look = looking(checkpoint);
  for (const { id, bytes } of lexicon.inOrder()) {
    look();
    if (isFolded(bytes, folding)) {
      numbers[id] = id;
      continue;
    }
    const text = foldText(decoder.decode(bytes), folding);
    const own = lexicon.find(text);
    if (own >= 0) {
      numbers[id] = own;
      continue;
    }
    let number = otherNumbers.get(text);
    if (number === undefined) {
      number = lexicon.size + others.push(text) - 1;
      otherNumbers.set(text, number);
    }
    numbers[id] = number;
  }
  return { numbers, others, otherNumbers };
}

/** Is it sure, by its bytes alone, that folding leaves a string as it is? */
function isFolded(bytes: Uint8Array, { ignoreCase }: Folding): boolean {
  for (const byte of bytes) if (byte >= 0x80 || (ignoreCase && byte >= 0x41 && byte <= 0x5a)) return false;
  return true;
}
