/** What things take, in nanoseconds: measured (npm run bench -- query), and used to choose between ways. */
import type { Anchors } from "./anchors.js";
import type { Atom } from "./tests.js";

export const costs = {
  /** A token of a stream of single bytes, of a packed one: read and classified. */
  scanByte: 0.5,
  scanPacked: 1.6,
  /** A token that is fetched alone. */
  fetch: 7,
  /** A place of a list, read, and what comes with every place that is looked around. */
  posting: 1,
  place: 25,
  /** A list that is opened in a segment. */
  list: 1_500,
  /** A start of the automaton, and each token it reads. */
  start: 1.2,

  scan(atoms: readonly Atom[], tokens: number): number {
    return (
      tokens *
      (costs.start +
        attributesOf(atoms).reduce((sum, inBytes) => sum + (inBytes ? costs.scanByte : costs.scanPacked), 0))
    );
  },

  around(anchors: Anchors, atoms: readonly Atom[], reach: number): number {
    const attributes = attributesOf(atoms).length;
    let sum = 0;
    for (const { rows, lists, from, to } of anchors.parts) {
      const tokens = Math.min(reach + (to - from), 10_000);
      sum +=
        lists * costs.list +
        rows *
          (costs.posting + costs.place + tokens * attributes * costs.fetch + (to - from + 1) * costs.start);
    }
    return sum;
  },
};

/** Of each attribute that atoms ask: is its stream one of bytes? */
function attributesOf(atoms: readonly Atom[]): boolean[] {
  const attributes = new Map<string, boolean>();
  for (const atom of atoms) {
    if (atom.kind === "ids") attributes.set(atom.attribute.name, atom.attribute.lexicon.size <= 256);
    else if (atom.kind === "same") {
      attributes.set(`${atom.left.name} `, false);
      attributes.set(`${atom.right.name} `, false);
    } else attributes.set(atom.text, true);
  }
  return [...attributes.values()];
}
