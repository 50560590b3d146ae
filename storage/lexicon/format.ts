/**
 * Lexicon: the distinct strings of one attribute, each with an id. Ids are given once and never change; an append
 * adds a generation of new strings with the ids that follow. The first generation's ids are ranked by frequency
 * (then by string), so that frequent strings have small ids; so are those of each later one.
 *
 * Lexicon file (kind "lexicon"), one generation, strings in byte order:
 *   strings  blocks of 16 strings: varint length, bytes; then fifteen times varint bytes shared with the string
 *            before, varint length of the rest, rest
 *   blocks   ordered column: offset of each block in `strings`
 *   ids      column: rank in byte order → id − base
 *   ranks    column: id − base → rank
 *   meta     {base, count}
 *
 * Statistics file (kind "statistics"), all ids of a lexicon at one snapshot:
 *   frequency, frequencyHigh   columns: low and high half of how often each occurs
 *   documents                  column: in how many documents; of a structure's attribute: frequency once more
 *
 * Map file (kind "map"), for a lexicon that is derived from another (lower case, values of a multi-value
 * attribute): which derived ids each id of one generation of the base has:
 *   values   column: derived ids, one base id after the other
 *   starts   ordered column, only where a base id may have none or several: where each begins in `values`
 *   meta     {base, count}
 */
export const lexiconVersion = 2;
export const statisticsVersion = 2;
export const mapVersion = 2;
export const stringsPerBlock = 16;

/** Appends a varint (7 bits a byte, lowest first); returns the offset behind it. */
export function putVarint(target: Uint8Array, at: number, value: number): number {
  while (value >= 128) {
    target[at++] = (value & 127) | 128;
    value >>>= 7;
  }
  target[at++] = value;
  return at;
}
