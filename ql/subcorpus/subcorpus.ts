/**
 * A subcorpus: part of a corpus as sorted ranges of tokens that neither overlap nor touch. It is a set of tokens: a hit
 * is in it if all its tokens are.
 */
import type { Snapshot } from "../../storage/index.js";
import { type Hits, keepMarked, type Positions, positionColumn, type Ranges } from "../chain/hits.js";
import { firstAbove } from "../chain/search.js";
import { pieces, sortNumbers } from "../pace.js";

export class Subcorpus implements Ranges {
  readonly tokens: number;

  private constructor(
    readonly begins: Positions,
    readonly ends: Positions,
  ) {
    let tokens = 0;
    for (let i = 0; i < begins.length; i++) tokens += ends[i] - begins[i];
    this.tokens = tokens;
  }

  /** Of any ranges whose begins ascend: those that overlap or touch become one. */
  static of(snapshot: Snapshot, { begins, ends }: Ranges, count = begins.length): Subcorpus {
    const merged = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
    let own = 0;
    for (const [from, to] of pieces(count, snapshot.pool.checkpoint)) {
      for (let i = from; i < to; i++) {
        if (ends[i] <= begins[i]) continue;
        if (own > 0 && begins[i] <= merged.ends[own - 1]) {
          if (ends[i] > merged.ends[own - 1]) merged.ends[own - 1] = ends[i];
          continue;
        }
        merged.begins[own] = begins[i];
        merged.ends[own++] = ends[i];
      }
    }
    return new Subcorpus(merged.begins.slice(0, own), merged.ends.slice(0, own));
  }

  /** Of ranges in any order. Which begin belongs to which end does not matter to what they cover together. */
  static ofAny(snapshot: Snapshot, ranges: Ranges, count = ranges.begins.length): Subcorpus {
    const { checkpoint } = snapshot.pool;
    const begins = sortNumbers(ranges.begins.slice(0, count), checkpoint);
    const ends = sortNumbers(ranges.ends.slice(0, count), checkpoint);
    const merged = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
    let own = 0;
    for (let i = 0, open = 0, j = 0; j < count; j++) {
      if ((j & 0x3fff) === 0) checkpoint();
      for (; i < count && begins[i] <= ends[j]; i++) if (open++ === 0) merged.begins[own] = begins[i];
      if (--open === 0) merged.ends[own++] = ends[j];
    }
    return Subcorpus.of(snapshot, merged, own);
  }

  /** Of parts that were made one after the other, whether they lie so or not. */
  static ofParts(snapshot: Snapshot, parts: readonly Subcorpus[]): Subcorpus {
    if (parts.length === 1) return parts[0];
    const count = parts.reduce((sum, { begins }) => sum + begins.length, 0);
    const all = { begins: positionColumn(snapshot, count), ends: positionColumn(snapshot, count) };
    let own = 0;
    let ascending = true;
    for (const { begins, ends } of parts) {
      if (own > 0 && begins.length > 0 && begins[0] < all.begins[own - 1]) ascending = false;
      all.begins.set(begins, own);
      all.ends.set(ends, own);
      own += begins.length;
    }
    return ascending ? Subcorpus.of(snapshot, all) : Subcorpus.ofAny(snapshot, all);
  }

  get bytes(): number {
    return this.begins.byteLength + this.ends.byteLength;
  }

  /** The hits that lie in it as a whole. */
  keep(hits: Hits): Hits {
    const marks = new Uint8Array(hits.count);
    let at = 0;
    for (let i = 0; i < hits.count; i++) {
      const begin = hits.begins[i];
      if (at > 0 && this.begins[at - 1] > begin) at = 0;
      at = firstAbove(this.begins, begin, at);
      if (at > 0 && hits.ends[i] <= this.ends[at - 1]) marks[i] = 1;
    }
    return keepMarked(hits, marks);
  }

  /** Its ranges, cut at the ends of [from, to). */
  *within(from: number, to: number): Generator<[begin: number, end: number]> {
    let i = Math.max(0, firstAbove(this.begins, from, 0) - 1);
    for (; i < this.begins.length && this.begins[i] < to; i++) {
      const [begin, end] = [Math.max(from, this.begins[i]), Math.min(to, this.ends[i])];
      if (begin < end) yield [begin, end];
    }
  }

  /** Is some token of [begin, end) in it? */
  touches(begin: number, end: number): boolean {
    const at = firstAbove(this.begins, begin, 0);
    return (
      (at > 0 && this.ends[at - 1] > begin && begin < end) ||
      (at < this.begins.length && this.begins[at] < end)
    );
  }
}
