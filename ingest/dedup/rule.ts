/**
 * What is a duplicate, decided document by document in the order of the input, as onion 1.2 decides it.
 *
 * A window of n words runs over a document, across its paragraphs. An n-gram is seen if it stood in a kept paragraph of an
 * earlier document, or anywhere earlier in this one; it belongs to the paragraph in which it ends. A word was seen if a
 * seen n-gram of its own paragraph covers it. A unit (a paragraph, or the document) is a duplicate if more than the threshold of
 * its words were seen, in 32-bit floats. Then smoothing: a run of kept paragraphs with at most `stub` words in all,
 * between duplicates or the edges of the document, goes too; so a document of so few words always does.
 * A document with no words left goes as a whole.
 *
 * Here an n-gram is the slot of its hash among those that occur more than once; others cannot have been seen.
 */
import type { ReadBlock } from "./performer.js";
import { pieceFields, pieceHashes } from "./reader.js";

export interface Rule {
  ngram: number;
  threshold: number;
  /** Words of a run that is dropped between duplicates; -1: none is. */
  stub: number;
  unit: "paragraph" | "document";
  /** Is a document that is an exact copy dropped before all else? */
  exact: boolean;
  /** Seen lines are duplicates, and nothing else is. */
  lines: boolean;
  /** Are clusters asked for? */
  clusters: boolean;
}

export const kept = 0;
export const duplicate = 1;
export const stub = 2;

/** What was decided of a document. */
export interface Decision {
  /** The number of the document of which it is an exact copy. */
  copyOf: number;
  /** Does nothing remain of it? */
  isDropped: boolean;
  /** Its words as they are compared, and how many of them were seen. */
  words: number;
  seen: number;
  /** The document that stands for all that are like it. */
  cluster: number;
}

/** The n-gram is in this document, and in none before. */
const here = 0x8000_0000;

export class Decider {
  /** For each slot the number of the document that had it first, and kept it; 0 if there was none. */
  readonly #owners: Uint32Array;
  /** Clusters of documents that are in that of another. */
  readonly #clusters = new Map<number, number>();
  readonly #votes = new Map<number, number>();
  /** For each piece of the block: kept, duplicate or stub; and how much of it was seen. */
  verdicts = new Uint8Array(0);
  shares = new Float32Array(0);
  /** In line mode, for each line of the block: was it seen? */
  seenLines = new Uint8Array(0);
  #number = 0;

  constructor(
    slots: number,
    readonly rule: Rule,
  ) {
    this.#owners = new Uint32Array(slots);
  }

  begin(block: ReadBlock): void {
    const count = block.pieces.length / pieceFields;
    this.verdicts = new Uint8Array(count);
    this.shares = new Float32Array(count);
    if (this.rule.lines) this.seenLines = new Uint8Array(block.slots.length);
  }

  /**
   * Decides on the next document: the one whose pieces are pieces[from…to - 1] (in numbers) and whose first slot is
   * slots[first]. Fills in verdicts and shares of its pieces.
   */
  decide(block: ReadBlock, document: number, from: number, to: number, first: number): Decision {
    const number = ++this.#number;
    const { pieces, slots, textSlots } = block;
    let words = 0;
    for (let at = from; at < to; at += pieceFields) words += Math.max(0, pieces[at + pieceHashes]);
    const decision = { copyOf: 0, isDropped: false, words, seen: 0, cluster: number };
    const textSlot = this.rule.exact && words > 0 ? textSlots[document] : -1;
    if (textSlot >= 0) {
      const owner = this.#owners[textSlot];
      if (owner !== 0) {
        this.#all(from, to, 1);
        const cluster = this.#clusters.get(owner) ?? owner;
        return { copyOf: owner, isDropped: true, words, seen: words, cluster };
      }
      this.#owners[textSlot] = number;
    }
    this.#votes.clear();
    if (this.rule.lines) decision.seen = this.#lines(pieces, slots, from, to, first);
    else if (this.rule.unit === "document") {
      decision.seen = this.#seen(slots, first, first + words);
      this.#all(from, to, words === 0 ? 0 : decision.seen / words);
    } else {
      let start = first;
      for (let at = from; at < to; at += pieceFields) {
        const count = pieces[at + pieceHashes];
        if (count <= 0) continue;
        const seen = this.#seen(slots, start, start + count);
        this.#one(at / pieceFields, seen / count);
        decision.seen += seen;
        start += count;
      }
    }
    if (!this.rule.lines && this.rule.stub >= 0) this.#smooth(pieces, from, to);
    decision.isDropped = this.#commit(pieces, slots, from, to, first, number);
    // Clusters are of documents, whatever the unit: those of which more than the threshold was seen elsewhere.
    if (this.rule.clusters && this.#votes.size > 0 && Math.fround(decision.seen / words) > this.#threshold) {
      decision.cluster = this.#elected();
      this.#clusters.set(number, decision.cluster);
    }
    return decision;
  }

  get #threshold(): number {
    return Math.fround(this.rule.threshold);
  }

  #one(piece: number, share: number): void {
    this.shares[piece] = share;
    if (Math.fround(share) > this.#threshold) this.verdicts[piece] = duplicate;
  }

  #all(from: number, to: number, share: number): void {
    for (let at = from; at < to; at += pieceFields) this.#one(at / pieceFields, share);
  }

  /** How many of the words slots[from…to - 1] are covered by seen n-grams that end among them. */
  #seen(slots: Int32Array, from: number, to: number): number {
    const owners = this.#owners;
    const { ngram, clusters } = this.rule;
    let seen = 0;
    let covered = from;
    for (let i = from; i < to; i++) {
      const slot = slots[i];
      if (slot < 0) continue;
      const owner = owners[slot];
      if (owner === 0) {
        owners[slot] = here;
        continue;
      }
      if (clusters && owner !== here) this.#votes.set(owner, (this.#votes.get(owner) ?? 0) + 1);
      seen += i + 1 - Math.max(covered, i + 1 - ngram);
      covered = i + 1;
    }
    return seen;
  }

  /** Lines that were seen, in documents before or in this one; what remains of a document counts as kept. */
  #lines(pieces: Int32Array, slots: Int32Array, from: number, to: number, first: number): number {
    const owners = this.#owners;
    let start = first;
    let all = 0;
    for (let at = from; at < to; at += pieceFields) {
      const count = pieces[at + pieceHashes];
      if (count <= 0) continue;
      let seen = 0;
      for (let i = start; i < start + count; i++) {
        const slot = slots[i];
        if (slot < 0) continue;
        if (owners[slot] !== 0) {
          this.seenLines[i] = 1;
          seen++;
        } else owners[slot] = here;
      }
      this.shares[at / pieceFields] = seen / count;
      if (seen === count) this.verdicts[at / pieceFields] = duplicate;
      all += seen;
      start += count;
    }
    return all;
  }

  #smooth(pieces: Int32Array, from: number, to: number): void {
    const { verdicts } = this;
    const end = (run: number, at: number, words: number) => {
      if (words > this.rule.stub) return;
      for (let i = run; i < at; i += pieceFields) {
        if (pieces[i + pieceHashes] >= 0) verdicts[i / pieceFields] = stub;
      }
    };
    if (this.rule.unit === "document") {
      let words = 0;
      for (let at = from; at < to; at += pieceFields) words += Math.max(0, pieces[at + pieceHashes]);
      if (verdicts[from / pieceFields] === kept) end(from, to, words);
      return;
    }
    let run = from;
    let words = 0;
    for (let at = from; at < to; at += pieceFields) {
      if (verdicts[at / pieceFields] === kept) words += Math.max(0, pieces[at + pieceHashes]);
      else {
        end(run, at, words);
        run = at + pieceFields;
        words = 0;
      }
    }
    end(run, to, words);
  }

  /** What is kept has now been seen by all that follow. Returns whether nothing is. */
  #commit(
    pieces: Int32Array,
    slots: Int32Array,
    from: number,
    to: number,
    first: number,
    number: number,
  ): boolean {
    const owners = this.#owners;
    let isDropped = true;
    for (const isKept of [true, false]) {
      let start = first;
      for (let at = from; at < to; at += pieceFields) {
        const count = pieces[at + pieceHashes];
        if (count <= 0) continue;
        if ((this.verdicts[at / pieceFields] === kept) === isKept) {
          if (isKept) isDropped = false;
          const owner = isKept ? number : 0;
          for (let i = start; i < start + count; i++) {
            if (slots[i] >= 0 && owners[slots[i]] === here) owners[slots[i]] = owner;
          }
        }
        start += count;
      }
    }
    return isDropped;
  }

  /** The document that first had most of the seen n-grams; of several the first. */
  #elected(): number {
    let best = 0;
    let most = 0;
    for (const [owner, votes] of this.#votes) {
      if (votes > most || (votes === most && owner < best)) {
        best = owner;
        most = votes;
      }
    }
    return this.#clusters.get(best) ?? best;
  }
}
