/**
 * What ignoring case and diacritics means, and the part of it that concerns the lexicon.
 *
 *   %c  Two characters are the same if Unicode's simple case folding says so: σ, ς and Σ; k, K and the Kelvin sign. One
 *       character is never the same as two: "ß" is "ẞ" but not "ss". The pattern's automaton knows all variants, so the
 *       lexicon is read as it is. The dotless ı and the dotted İ have no variants.
 *   %d  Combining marks do not count: the value is taken apart (NFD), loses everything of category M, and is put together
 *       again (NFC), as the derivation "undiacritic" does; so does each character of the pattern. é, e with U+0301, and e
 *       are the same; ø and o are not, because Unicode does not take ø apart. A class is the characters in it without
 *       their marks; a negated one, what its positive does not match: [^e] matches no é. "." is one character of
 *       the value without its marks.
 *   %cd Both: marks first, then case.
 *
 * Most values are the same without their marks. Those that are not are listed once for a lexicon, front-coded like it:
 * each distinct form, and the ids that have it. A pattern meets the lexicon and this list.
 */
import type { Lexicon } from "../../storage/index.js";
import { putVarint, stringsPerBlock } from "../../storage/lexicon/format.js";
import { withoutMarks } from "./codes.js";
import { decodedPieces, type SortedStrings } from "./strings.js";

export interface BareForms {
  /** 1 for each id whose string has marks. */
  hasMarks: Uint8Array;
  /** The distinct strings that are left without them; their "ids" are their ranks. */
  forms: SortedStrings;
  /** The ids behind a form: idsOf[starts[form]] … idsOf[starts[form + 1]]. */
  starts: Uint32Array;
  idsOf: Uint32Array;
}

const kept = new WeakMap<Lexicon, BareForms>();

/** The strings of a lexicon that lose marks, and what is left of them. Made on first use; time grows with the lexicon. */
export function bareForms(lexicon: Lexicon): BareForms {
  let forms = kept.get(lexicon);
  if (!forms) {
    forms = makeForms(lexicon);
    kept.set(lexicon, forms);
  }
  return forms;
}

function makeForms(lexicon: Lexicon): BareForms {
  const { checkpoint } = lexicon.pool;
  const hasMarks = new Uint8Array(lexicon.size);
  const idsByForm = new Map<string, number[]>();
  for (const generation of lexicon.generations) {
    for (const { firstRank, bytes, starts } of decodedPieces(generation, 0, generation.count)) {
      for (let i = 0; i < starts.length - 1; i++) {
        if ((i & 0xfff) === 0) checkpoint();
        const end = starts[i + 1] - 1;
        if (isAscii(bytes, starts[i], end)) continue;
        const string = bytes.toString("utf8", starts[i], end);
        const form = withoutMarks(string);
        if (form === string) continue;
        const id = generation.base + generation.ids[firstRank + i];
        hasMarks[id] = 1;
        const others = idsByForm.get(form);
        if (others) others.push(id);
        else idsByForm.set(form, [id]);
      }
    }
  }
  const sorted = [...idsByForm.keys()].map((form) => ({ form, bytes: Buffer.from(form) }));
  let compared = 0;
  sorted.sort((a, b) => {
    if ((++compared & 0xfff) === 0) checkpoint();
    return Buffer.compare(a.bytes, b.bytes);
  });
  const starts = new Uint32Array(sorted.length + 1);
  const ids: number[] = [];
  for (const [rank, { form }] of sorted.entries()) {
    for (const id of idsByForm.get(form)!) ids.push(id);
    starts[rank + 1] = ids.length;
  }
  return {
    hasMarks,
    forms: sortedStrings(sorted.map(({ bytes }) => bytes)),
    starts,
    idsOf: Uint32Array.from(ids),
  };
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] > 127) return false;
  return true;
}

/** Strings in byte order, front-coded in memory; the id of each is its rank. */
export function sortedStrings(sorted: Uint8Array[]): SortedStrings {
  const most = sorted.reduce((sum, string) => sum + string.length + 10, 0);
  const strings = new Uint8Array(most);
  const blocks = new Uint32Array(Math.ceil(sorted.length / stringsPerBlock));
  let at = 0;
  for (const [rank, string] of sorted.entries()) {
    let shared = 0;
    if (rank % stringsPerBlock === 0) blocks[rank / stringsPerBlock] = at;
    else {
      const before = sorted[rank - 1];
      while (shared < string.length && shared < before.length && string[shared] === before[shared]) shared++;
      at = putVarint(strings, at, shared);
    }
    at = putVarint(strings, at, string.length - shared);
    strings.set(string.subarray(shared), at);
    at += string.length - shared;
  }
  return {
    count: sorted.length,
    strings: strings.slice(0, at),
    blocks,
    base: 0,
    ids: Uint32Array.from(sorted.keys()),
  };
}
