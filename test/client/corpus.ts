/**
 * A made-up corpus for tests of clients: sentences of a small grammar, always the same. Words, lemmas and tags; documents
 * with an id, a year and an author; some words that are wide on a terminal.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeCorpus } from "../../storage/index.js";

const lexicon: Record<string, [word: string, lemma: string][]> = {
  DET: [
    ["the", "the"],
    ["a", "a"],
  ],
  ADJ: [
    ["old", "old"],
    ["grey", "grey"],
    ["happy", "happy"],
    ["small", "small"],
  ],
  NOUN: [
    ["whale", "whale"],
    ["ships", "ship"],
    ["harbour", "harbour"],
    ["sailors", "sailor"],
    ["mermaid", "mermaid"],
    ["鯨", "鯨"],
  ],
  VERB: [
    ["goes", "go"],
    ["went", "go"],
    ["saw", "see"],
    ["makes", "make"],
    ["made", "make"],
  ],
};
const shape = ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN"];

/** Tokens of a corpus of so many documents: each has 20 sentences of 6 or 7 tokens. */
export function vertical(documents: number): string {
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const lines: string[] = [];
  for (let d = 0; d < documents; d++) {
    lines.push(`<doc id="d${d}" year="${1800 + (d % 50)}" author="${["Ann", "Ben", "Cleo"][d % 3]}">`);
    for (let s = 0; s < 20; s++) {
      lines.push("<s>");
      for (const tag of shape) {
        if (tag === "ADJ" && random(2) === 0) continue;
        const [word, lemma] = lexicon[tag][random(lexicon[tag].length)];
        lines.push(`${word}\t${lemma}\t${tag}`);
      }
      lines.push("<g/>", ".\t.\tPUNCT", "</s>");
    }
    lines.push("</doc>");
  }
  return `${lines.join("\n")}\n`;
}

/** Makes the corpus `tales` in a folder. */
export async function encodeTales(folder: string, data: string, documents = 500): Promise<void> {
  const source = join(folder, "tales.vert");
  writeFileSync(source, vertical(documents));
  await encodeCorpus({
    data,
    corpus: "tales",
    inputs: [source],
    attributes: ["word", "lemma", "tag"],
    workers: 1,
  });
}
