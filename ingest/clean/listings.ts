/**
 * Long listings that pass for text: forums that name thousands of threads with their dates and numbers, catalogues, directories. A
 * model that judges block by block sees short blocks among many of their kind, as in the table of an article. What tells them from
 * it is that nobody speaks for pages on end:
 *
 *   run       = blocks that are kept, with no sentence among them
 *   sentence  = a block of at least 10 words, most of them outside links
 *   listing   = a run of under 4 words a block that has 100 blocks, if a fifth of them are links; 300, if they are not
 *
 * Tables of articles end before that: of 1,495 pages that people have marked, the longest has 86 such blocks in a row, none of them
 * a link. Where a script writes no spaces, two of its characters are taken for a word.
 */
import { wordCount } from "../stream/documents.js";
import type { Block } from "./blocks.js";

const sentenceWords = 10;
const meanWordsMax = 4;
const linkedBlocks = 100;
const linkedShare = 0.2;
const unlinkedBlocks = 300;

/** The same choice without its listings; and whether there were any. */
export function withoutListings(
  blocks: readonly Block[],
  kept: readonly boolean[],
): { kept: boolean[]; found: boolean } {
  const rest = kept.slice();
  // Most pages are shorter than any listing.
  let count = 0;
  for (const one of kept) if (one) count++;
  if (count < linkedBlocks) return { kept: rest, found: false };
  let found = false;
  let run: number[] = [];
  let words = 0;
  let links = 0;
  const endRun = () => {
    const enough = links >= run.length * linkedShare ? linkedBlocks : unlinkedBlocks;
    if (run.length >= enough && words < run.length * meanWordsMax) {
      found = true;
      for (const i of run) rest[i] = false;
    }
    run = [];
    words = 0;
    links = 0;
  };
  for (const [i, { text, linkChars }] of blocks.entries()) {
    if (!kept[i]) continue;
    const own = wordsOf(text);
    const isLink = linkChars * 2 >= text.length;
    if (own >= sentenceWords && !isLink) {
      endRun();
      continue;
    }
    run.push(i);
    words += own;
    if (isLink) links++;
  }
  endRun();
  return { kept: rest, found };
}

/** Thai and its neighbours, kana, ideographs. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/g;

function wordsOf(text: string): number {
  const characters = text.match(unspaced)?.length ?? 0;
  return wordCount(text) + Math.floor(characters / 2);
}
