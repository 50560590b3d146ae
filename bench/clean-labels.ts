/**
 * How much of each block people marked as text: the words of the page and those of the marked text are laid side by side so that as many
 * as possible meet in order, those most of all that meet in a row.
 */
import { tokens } from "./clean-pages.js";

const cellsMax = 120_000_000;
const inARow = 0.6;

/** For each block: the share of its words that is marked. */
export function markedShares(
  blocks: readonly string[],
  gold: string,
): { share: Float32Array; words: Float32Array } {
  const ids = new Map<string, number>();
  const idOf = (token: string) => {
    let id = ids.get(token);
    if (id === undefined) ids.set(token, (id = ids.size));
    return id;
  };
  const perBlock = blocks.map((text) => tokens(text).map(idOf));
  const wanted = tokens(gold).map(idOf);
  const words = Float32Array.from(perBlock, ({ length }) => length);
  const share = new Float32Array(blocks.length);
  const page = perBlock.flat();
  const hit = page.length * wanted.length <= cellsMax ? aligned(page, wanted) : contained(page, wanted);
  let at = 0;
  perBlock.forEach((list, i) => {
    let marked = 0;
    for (let k = 0; k < list.length; k++) marked += hit[at++];
    share[i] = list.length > 0 ? marked / list.length : 0;
  });
  return { share, words };
}

function aligned(page: readonly number[], gold: readonly number[]): Uint8Array {
  const width = gold.length + 1;
  // What the best is made of: 1 a match in a row, 2 a match, 4 leave out the page's word, 8 leave out the gold's.
  const made = new Uint8Array((page.length + 1) * width);
  let best = new Float32Array(width);
  let ending = new Float32Array(width).fill(-1);
  for (let i = 1; i <= page.length; i++) {
    const nextBest = new Float32Array(width);
    const nextEnding = new Float32Array(width).fill(-1);
    const token = page[i - 1];
    for (let j = 1; j < width; j++) {
      let found = best[j];
      let how = 4;
      if (nextBest[j - 1] > found) {
        found = nextBest[j - 1];
        how = 8;
      }
      if (gold[j - 1] === token) {
        const row = ending[j - 1] >= 0 ? ending[j - 1] + 1 + inARow : -1;
        const fresh = best[j - 1] + 1;
        nextEnding[j] = Math.max(row, fresh);
        const isRow = row >= fresh ? 16 : 0;
        if (nextEnding[j] > found) {
          found = nextEnding[j];
          how = 2;
        }
        how |= isRow;
      }
      nextBest[j] = found;
      made[i * width + j] = how;
    }
    best = nextBest;
    ending = nextEnding;
  }
  const hit = new Uint8Array(page.length);
  let i = page.length;
  let j = gold.length;
  let mustMatch = false;
  while (i > 0 && j > 0) {
    const how = made[i * width + j];
    if (mustMatch || (how & 2) !== 0) {
      hit[i - 1] = 1;
      mustMatch = (how & 16) !== 0;
      i--;
      j--;
    } else if ((how & 4) !== 0) i--;
    else j--;
  }
  return hit;
}

/** For pages too long to be aligned: words in runs of three that the marked text has, too. */
function contained(page: readonly number[], gold: readonly number[]): Uint8Array {
  const runs = new Set<string>();
  for (let i = 0; i + 2 < gold.length; i++) runs.add(`${gold[i]} ${gold[i + 1]} ${gold[i + 2]}`);
  const hit = new Uint8Array(page.length);
  for (let i = 0; i + 2 < page.length; i++) {
    if (runs.has(`${page[i]} ${page[i + 1]} ${page[i + 2]}`)) hit.fill(1, i, i + 3);
  }
  return hit;
}
