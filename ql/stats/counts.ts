/**
 * How often, in how many documents, and how evenly each value of an attribute occurs: columns of numbers by id, for a
 * corpus or a subcorpus.
 *
 *   count      f: occurrences
 *   documents  documents with an occurrence. A document is what the corpus was encoded to have as one (`doc`).
 *   ARF        the average reduced frequency: with N tokens and v = N / f, (1/v) Σ min(dᵢ, v), where dᵢ are the distances
 *              from one occurrence to the next, and from the last one round to the first. f where a value is spread
 *              evenly, 1 where all its occurrences are in one place.
 *
 * In a subcorpus N, and distances, are those of its own tokens, one range behind the other.
 *
 * Counts of a whole corpus are read from its lexicon; else the stream is decoded once, range by range. A desk remembers
 * them (memory.ts).
 */
import { createHash } from "node:crypto";
import type { Attribute, Segment } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { structureIndex } from "../match/structures.js";
import { column, pieces } from "../pace.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { limits } from "./limits.js";
import { remembered } from "./memory.js";
import { type Numbering, type Types, typesOf } from "./types.js";

/** Of each number: occurrences, and documents with one. */
export interface Tally {
  counts: Float64Array;
  documents: Float64Array;
}

/** How often each id of an attribute occurs. Not to be written to. */
export async function attributeCounts(
  desk: Desk,
  attribute: Attribute,
  subcorpus?: Subcorpus,
): Promise<Float64Array> {
  return typeCounts(desk, await typesOf(desk, attribute.name), subcorpus);
}

/** In how many documents each id occurs: zeros in a corpus without documents. Not to be written to. */
export async function documentCounts(
  desk: Desk,
  attribute: Attribute,
  subcorpus?: Subcorpus,
): Promise<Float64Array> {
  return typeDocuments(desk, await typesOf(desk, attribute.name), subcorpus);
}

/** How often each type occurs. */
export async function typeCounts(desk: Desk, types: Types, subcorpus?: Subcorpus): Promise<Float64Array> {
  const { frequencies } = types.attribute.lexicon;
  const { ofIds } = types;
  if (subcorpus) return (await tallyOf(desk, types, subcorpus)).counts;
  if (!ofIds) return frequencies;
  const counts = new Float64Array(types.size);
  for (const [from, to] of pieces(frequencies.length, desk.checkpoint))
    for (let id = from; id < to; id++) counts[ofIds[id]] += frequencies[id];
  return counts;
}

/** In how many documents each type occurs. */
export async function typeDocuments(desk: Desk, types: Types, subcorpus?: Subcorpus): Promise<Float64Array> {
  if (subcorpus || types.ofIds) return (await tallyOf(desk, types, subcorpus)).documents;
  return remembered(
    desk,
    `documents ${types.name}`,
    () => column(types.attribute.lexicon.documentFrequencies, (documents) => documents, desk.checkpoint),
    ({ byteLength }) => byteLength,
  );
}

function tallyOf(desk: Desk, types: Types, subcorpus?: Subcorpus): Promise<Tally> {
  return remembered(
    desk,
    `tally ${types.name} ${subcorpus ? digestOf(subcorpus) : ""}`,
    () => tally(desk, types, subcorpus),
    ({ counts, documents }) => counts.byteLength + documents.byteLength,
  );
}

const digests = new WeakMap<Subcorpus, string>();

/** The same for subcorpora with the same ranges. */
function digestOf(subcorpus: Subcorpus): string {
  let digest = digests.get(subcorpus);
  if (digest === undefined) {
    digest = createHash("sha1").update(subcorpus.begins).update(subcorpus.ends).digest("hex");
    digests.set(subcorpus, digest);
  }
  return digest;
}

export function tokensOf(desk: Desk, subcorpus?: Subcorpus): number {
  return subcorpus ? subcorpus.tokens : desk.snapshot.tokens;
}

// ---- reading tokens in order

/** Some tokens one behind the other. */
export interface TokenBlock {
  /** Of each token. */
  numbers: Uint32Array;
  count: number;
  /** The first one's position, and how many tokens of the subcorpus come before it. */
  from: number;
  ordinal: number;
}

/** All tokens, or those of a subcorpus, in order. A block, and its numbers, are good until the next one. */
export async function* tokenBlocks(
  desk: Desk,
  numbering: Numbering,
  subcorpus?: Subcorpus,
): AsyncGenerator<TokenBlock> {
  const { tokens } = desk.snapshot;
  const { blockTokens } = limits;
  const numbers = new Uint32Array(Math.min(blockTokens, tokens));
  const block: TokenBlock = { numbers, count: 0, from: 0, ordinal: 0 };
  let ordinal = 0;
  for (const [begin, end] of subcorpus ? subcorpus.within(0, tokens) : [[0, tokens]]) {
    for (let from = begin; from < end; from += block.count) {
      block.from = from;
      block.ordinal = ordinal;
      block.count = Math.min(blockTokens, end - from);
      numbering.read(from, block.count, numbers);
      ordinal += block.count;
      yield block;
      desk.checkpoint();
      const wait = desk.turn();
      if (wait) await wait;
    }
  }
}

/** Which document a position is in; positions are asked in ascending order. */
export class DocumentWalk {
  /** The document's number, or −1. */
  number = -1;
  /** Up to here, everything is in the same document or in none. */
  until = 0;
  readonly #index: ReturnType<typeof structureIndex> | undefined;
  #segment = -1;
  #piece = 0;

  constructor(readonly desk: Desk) {
    const { snapshot } = desk;
    const name = snapshot.config.document;
    const structure = snapshot.structures.find((one) => one.name === name);
    this.#index = structure && structureIndex(snapshot, structure);
  }

  /** Sets `number` and `until` for a position. */
  moveTo(position: number): void {
    if (position < this.until) return;
    const { segments, tokens } = this.desk.snapshot;
    const index = this.#index;
    if (!index) {
      this.until = tokens;
      return;
    }
    let segment: Segment | undefined = segments[this.#segment];
    while (!segment || position >= segment.start + segment.tokens) {
      segment = segments[++this.#segment];
      this.#piece = 0;
    }
    const { start, begins, ends, count } = index.pieces(this.#segment);
    const local = position - start;
    while (this.#piece < count && ends[this.#piece] <= local) this.#piece++;
    if (this.#piece < count && begins[this.#piece] <= local) {
      this.number = index.numberOf(this.#segment, this.#piece);
      this.until = start + ends[this.#piece];
    } else {
      this.number = -1;
      this.until = start + (this.#piece < count ? begins[this.#piece] : segment.tokens);
    }
  }
}

// ---- counting

/** Counts tokens by their numbers, in one pass. */
export async function tally(desk: Desk, numbering: Numbering, subcorpus?: Subcorpus): Promise<Tally> {
  const stateOf = (size: number) =>
    desk.snapshot.tokens < 2 ** 32 ? new Uint32Array(size * 4) : new Float64Array(size * 4);
  // Of each number, side by side as they are needed together: its count, the document where it was seen last (plus 1),
  // and how many documents it was seen in.
  let state = stateOf(numbering.size);
  const walk = new DocumentWalk(desk);
  for await (const { numbers, count, from } of tokenBlocks(desk, numbering, subcorpus)) {
    if (numbering.size * 4 > state.length) {
      const larger = stateOf(numbering.size * 2);
      larger.set(state);
      state = larger;
    }
    for (let i = 0; i < count; ) {
      walk.moveTo(from + i);
      const end = Math.min(count, walk.until - from);
      tallyDocument(state, numbers, i, end, walk.number + 1);
      i = end;
    }
  }
  const counts = new Float64Array(numbering.size);
  const documents = new Float64Array(numbering.size);
  for (const [from, to] of pieces(numbering.size, desk.checkpoint)) {
    for (let number = from; number < to; number++) {
      counts[number] = state[number * 4];
      documents[number] = state[number * 4 + 2];
    }
  }
  return { counts, documents };
}

/** Tokens [from, to) of one document; of none where it is 0. */
function tallyDocument(
  state: Uint32Array | Float64Array,
  numbers: Uint32Array,
  from: number,
  to: number,
  document: number,
): void {
  for (let i = from; i < to; i++) {
    const at = numbers[i] * 4;
    state[at]++;
    if (state[at + 1] !== document && document > 0) {
      state[at + 1] = document;
      state[at + 2]++;
    }
  }
}

/**
 * ARF by number, in one pass over the tokens; of those with a mark, if marks are given, and 0 for the others. `counts`
 * are those of the same tokens.
 */
export async function reducedFrequencies(
  desk: Desk,
  numbering: Numbering,
  counts: Float64Array,
  subcorpus?: Subcorpus,
  marks?: Uint8Array,
): Promise<Float64Array> {
  const tokens = tokensOf(desk, subcorpus);
  // Of each number, side by side as they are needed together: where it was last and first, v, and the sum so far.
  const state = new Float64Array(counts.length * 4);
  for (const [from, to] of pieces(counts.length, desk.checkpoint)) {
    for (let number = from; number < to; number++) {
      state[number * 4] = -1;
      if (counts[number] > 0 && (!marks || marks[number])) state[number * 4 + 2] = tokens / counts[number];
    }
  }
  for await (const block of tokenBlocks(desk, numbering, subcorpus)) addDistances(state, block);
  return column(
    counts,
    (_, number) => {
      const at = number * 4;
      const v = state[at + 2];
      return v > 0 ? (state[at + 3] + Math.min(state[at + 1] + tokens - state[at], v)) / v : 0;
    },
    desk.checkpoint,
  );
}

/** Distances of a block's tokens to those of the same number before them. */
function addDistances(state: Float64Array, { numbers, count, ordinal }: TokenBlock): void {
  for (let i = 0; i < count; i++) {
    const at = numbers[i] * 4;
    const place = ordinal + i;
    const last = state[at];
    state[at] = place;
    if (last < 0) state[at + 1] = place;
    else {
      const v = state[at + 2];
      const distance = place - last;
      state[at + 3] += Math.min(distance, v);
    }
  }
}

/**
 * ARF of some types, in the order in which they are given. Few of a whole corpus are followed through their lists of
 * positions; else all tokens are read.
 */
export async function reducedFrequenciesOf(
  desk: Desk,
  types: Types,
  wanted: Uint32Array,
  subcorpus?: Subcorpus,
): Promise<Float64Array> {
  const { checkpoint } = desk;
  const counts = await typeCounts(desk, types, subcorpus);
  let occurrences = 0;
  for (let i = 0; i < wanted.length; i++) occurrences += counts[wanted[i]];
  const { segments, tokens } = desk.snapshot;
  const costOfLists = wanted.length * segments.length * nsPerList + occurrences * nsPerListed;
  if (!subcorpus && !types.ofIds && !types.attribute.derived && costOfLists < tokens * nsPerToken) {
    const block = new Uint32Array(4096);
    const reduced = new Float64Array(wanted.length);
    for (let i = 0; i < wanted.length; i++) {
      reduced[i] = reducedOfList(desk, types.attribute, wanted[i], counts[wanted[i]], block);
      const wait = desk.turn();
      if (wait) await wait;
    }
    return reduced;
  }
  const marks = new Uint8Array(counts.length);
  for (let i = 0; i < wanted.length; i++) marks[wanted[i]] = 1;
  const reduced = await reducedFrequencies(desk, types, counts, subcorpus, marks);
  return column(wanted, (type) => reduced[type], checkpoint);
}

/** What it takes to begin a list, to read a position of it, and to read a token of the stream. */
const nsPerList = 2000;
const nsPerListed = 2;
const nsPerToken = 8;

function reducedOfList(
  desk: Desk,
  attribute: Attribute,
  id: number,
  count: number,
  block: Uint32Array,
): number {
  if (count === 0) return 0;
  const { segments, tokens } = desk.snapshot;
  const v = tokens / count;
  let [first, last, sum] = [-1, -1, 0];
  for (const segment of segments) {
    const cursor = segment.positions(attribute, id);
    for (let got = cursor.fill(block); got > 0; got = cursor.fill(block)) {
      desk.checkpoint();
      for (let i = 0; i < got; i++) {
        const place = segment.start + block[i];
        if (last < 0) first = place;
        else sum += Math.min(place - last, v);
        last = place;
      }
    }
    desk.checkpoint();
  }
  return (sum + Math.min(first + tokens - last, v)) / v;
}
