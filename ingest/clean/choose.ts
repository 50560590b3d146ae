/**
 * Which blocks to keep, given how likely each is text. Not those above a fixed mark, but the set whose F1, measured in words, is
 * expected to be best: where a page is all doubt, the least doubtful of it is kept, and where most is certain, doubtful parts are left
 * out. That set is always made of the most likely blocks (Ye et al., Optimizing F-measure, 2012), so it is enough to take them in order.
 */

/** What is four times as likely boilerplate is not text even on a page where nothing is more likely. */
const likelyMin = 0.2;

export function mostlyText(likely: Float32Array, words: Float32Array): boolean[] {
  const order = Array.from(likely.keys()).sort((a, b) => likely[b] - likely[a] || a - b);
  // How many words of text the page is expected to have.
  let expected = 0;
  for (let i = 0; i < likely.length; i++) expected += likely[i] * words[i];
  let found = 0;
  let size = 0;
  let best = 0;
  let bestF1 = 0;
  for (let k = 0; k < order.length; k++) {
    found += likely[order[k]] * words[order[k]];
    size += words[order[k]];
    const f1 = (2 * found) / (size + expected);
    // Blocks that are as likely as each other stay together.
    if (f1 >= bestF1 && likely[order[k]] !== likely[order[k + 1]]) [best, bestF1] = [k + 1, f1];
  }
  const kept: boolean[] = new Array(likely.length).fill(false);
  for (let k = 0; k < best; k++) kept[order[k]] = likely[order[k]] >= likelyMin;
  return kept;
}
