/**
 * Orders hits by keys. Values become ranks once for each different value; hits are then put in order by their ranks, the
 * last key first, by counting: stable, and no two hits are ever compared.
 */
import type { Desk } from "../desk.js";
import { comparing, looking, mapped, pieces, upTo } from "../pace.js";
import type { Notice } from "../plan/errors.js";
import { type Hits, slice } from "./hits.js";
import { parseKey } from "./keys.js";
import { keyNotices, type ValueReader, valueReader } from "./values.js";

/** The places of the hits in their new order, and what is worth knowing about it. */
export async function sortedOrder(
  { snapshot, checkpoint, turn }: Pick<Desk, "snapshot" | "checkpoint" | "turn">,
  hits: Hits,
  keys: readonly string[],
  collation = "",
): Promise<{ order: Uint32Array; notices: Notice[] }> {
  const notices: Notice[] = [];
  let [order, spare] = [upTo(hits.count), new Uint32Array(hits.count)];
  const column = new Uint32Array(hits.count);
  for (const text of [...keys].reverse()) {
    const reader = valueReader(snapshot, parseKey(text));
    for (let from = 0; from < hits.count; from += readHits) {
      checkpoint();
      reader.read(slice(hits, from, from + readHits), column.subarray(from, from + readHits));
      await turn();
    }
    const count = toRanks(reader, column, collation, checkpoint);
    await turn();
    [order, spare] = countingPasses(column, count, order, spare, checkpoint);
    notices.push(...keyNotices(reader));
    await turn();
  }
  return { order, notices };
}

/** Hits whose values are read at a time: the more, the fewer times each part of the corpus is looked at. */
const readHits = 1 << 15;

/** Ranks of 11 bits are counted at a time: the counters stay in the nearest cache. */
const digitBits = 11;
const digits = 1 << digitBits;

function countingPasses(
  ranks: Uint32Array,
  count: number,
  order: Uint32Array<ArrayBuffer>,
  spare: Uint32Array<ArrayBuffer>,
  checkpoint: () => void,
): [sorted: Uint32Array<ArrayBuffer>, free: Uint32Array<ArrayBuffer>] {
  const starts = new Uint32Array(digits + 1);
  for (let shift = 0; shift === 0 || 2 ** shift < count; shift += digitBits) {
    starts.fill(0);
    for (const [from, to] of pieces(ranks.length, checkpoint))
      for (let i = from; i < to; i++) starts[((ranks[i] >>> shift) & (digits - 1)) + 1]++;
    for (let d = 0; d < digits; d++) starts[d + 1] += starts[d];
    for (const [from, to] of pieces(order.length, checkpoint)) {
      for (let i = from; i < to; i++) {
        const hit = order[i];
        spare[starts[(ranks[hit] >>> shift) & (digits - 1)]++] = hit;
      }
    }
    [order, spare] = [spare, order];
  }
  return [order, spare];
}

/** Puts the rank of each value in its place; returns how many ranks there are. No value comes first. */
function toRanks(
  reader: ValueReader,
  column: Uint32Array,
  collation: string,
  checkpoint: () => void,
): number {
  const { key, size } = reader;
  const counts = new Uint32Array(size);
  for (const [from, to] of pieces(column.length, checkpoint))
    for (let i = from; i < to; i++) counts[column[i]]++;
  const values = present(counts, checkpoint);
  const ranks = new Uint32Array(size);
  const plain = collation === "bytes" && !key.retrograde && !key.byFrequency;
  let last =
    plain && reader.lexicon
      ? ranksOfBytes(reader, values, ranks, checkpoint)
      : ranksOfTexts(reader, values, ranks, collation, checkpoint);
  if (key.byFrequency) last = ranksOfCounts(values, counts, ranks, last + 1, checkpoint);
  if (key.falling)
    for (const [from, to] of pieces(values.length, checkpoint))
      for (let i = from; i < to; i++) ranks[values[i]] = last - ranks[values[i]];
  for (const [from, to] of pieces(column.length, checkpoint))
    for (let i = from; i < to; i++) column[i] = ranks[column[i]];
  return last + 1;
}

function present(counts: Uint32Array, checkpoint: () => void): Uint32Array {
  const values = new Uint32Array(counts.length);
  let count = 0;
  for (const [from, to] of pieces(counts.length, checkpoint))
    for (let value = from; value < to; value++) if (counts[value] > 0) values[count++] = value;
  return values.subarray(0, count);
}

/** The lexicon has its strings in the order of their bytes already. Ranks have gaps, and that does no harm. */
function ranksOfBytes(
  { lexicon }: ValueReader,
  values: Uint32Array,
  ranks: Uint32Array,
  checkpoint: () => void,
): number {
  const { rankOfId } = lexicon!.order;
  for (const [from, to] of pieces(values.length, checkpoint))
    for (let i = from; i < to; i++) ranks[values[i]] = values[i] === 0 ? 0 : rankOfId[values[i] - 1] + 1;
  return lexicon!.size;
}

function ranksOfTexts(
  reader: ValueReader,
  values: Uint32Array,
  ranks: Uint32Array,
  collation: string,
  checkpoint: () => void,
): number {
  const { retrograde } = reader.key;
  const texts = mapped(
    values,
    (value) => (retrograde ? backward(reader.text(value)) : reader.text(value)),
    checkpoint,
  );
  const compare = collation === "bytes" ? compareCodePoints : languageCompare(collation);
  // Values ascend: no value, which is 0, stands first, and stays there.
  const from = values[0] === 0 ? 1 : 0;
  const sorted = upTo(values.length)
    .subarray(from)
    .sort(comparing((a, b) => compare(texts[a], texts[b]), checkpoint));
  const look = looking(checkpoint);
  let rank = from;
  sorted.forEach((at, i) => {
    look();
    if (i > 0 && texts[sorted[i - 1]] !== texts[at]) rank++;
    ranks[values[at]] = rank;
  });
  return rank;
}

/** The most frequent first; those that are as frequent as each other by the ranks they had. */
function ranksOfCounts(
  values: Uint32Array,
  counts: Uint32Array,
  ranks: Uint32Array,
  had: number,
  checkpoint: () => void,
): number {
  const sums = new Float64Array(had);
  for (const value of values) sums[ranks[value]] += counts[value];
  const order = upTo(had).sort(comparing((a, b) => sums[b] - sums[a] || a - b, checkpoint));
  const place = new Uint32Array(had);
  order.forEach((rank, i) => {
    place[rank] = i;
  });
  for (const value of values) ranks[value] = place[ranks[value]];
  return had - 1;
}

/**
 * As a language orders strings; what it holds to be equal is told apart by code points, so that the order is always the
 * same. English orders as Unicode does for all languages, and is the one that engines compare short cuts with: four times
 * as fast where strings are plain letters.
 */
export function languageCompare(language: string): (a: string, b: string) => number {
  if (language === "" || language === "en")
    return (a, b) => a.localeCompare(b, "en") || compareCodePoints(a, b);
  const { compare } = new Intl.Collator(language, { numeric: false });
  return (a, b) => compare(a, b) || compareCodePoints(a, b);
}

/** The order of UTF-8 bytes: that of UTF-16 units, but for characters beyond the first 65,536. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const [highX, highY] = [x >= 0xd800 && x <= 0xdfff, y >= 0xd800 && y <= 0xdfff];
    return highX === highY ? x - y : highX ? 1 : -1;
  }
  return a.length - b.length;
}

/** From its last character to its first; marks stay behind the letter they are on. */
export function backward(text: string): string {
  return (text.match(/\P{M}\p{M}*|\p{M}/gu) ?? []).reverse().join("");
}
