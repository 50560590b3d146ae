/**
 * More text of the kind that there is little of: the eLife sample several times over. As in text that goes on there are new words in each
 * copy: a quarter of the lemmas of nouns, verbs, adjectives and adverbs are other ones there (a letter stands before word and lemma, so
 * that they end as before). Pairs of words grow with that as they do in more text, which copies of the same words would not.
 */
import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createGunzip } from "node:zlib";

const tags = new Set(["NOUN", "PROPN", "VERB", "ADJ", "ADV"]);
const letters = "qxzwj";

/** Writes `copies` of a compressed vertical file with word, lemma and tag. */
export async function grow(sample: string, path: string, copies: number): Promise<void> {
  const fd = openSync(path, "w");
  try {
    for (let copy = 0; copy < copies; copy++) {
      const known = new Map<string, string>();
      let rest = "";
      for await (const chunk of createReadStream(sample).pipe(createGunzip().setEncoding("utf8"))) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop()!;
        let text = "";
        for (const line of lines) {
          let own = known.get(line);
          if (own === undefined) {
            own = `${renamed(line, copy)}\n`;
            // Those of documents come once.
            if (line[0] !== "<") known.set(line, own);
          }
          text += own;
        }
        writeSync(fd, text);
      }
      writeSync(fd, rest === "" ? "" : `${renamed(rest, copy)}\n`);
    }
  } finally {
    closeSync(fd);
  }
}

function renamed(line: string, copy: number): string {
  if (copy === 0) return line;
  if (line.startsWith("<doc ")) return line.replace(' id="', ` id="${copy}-`);
  const [word, lemma, tag] = line.split("\t");
  if (tag === undefined || !tags.has(tag) || lemma.length < 3 || hash(`${lemma}${copy}`) % 4 > 0) return line;
  const letter = letters[copy % letters.length];
  return `${letter}${word}\t${letter}${lemma}\t${tag}`;
}

function hash(text: string): number {
  let sum = 2_166_136_261;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16_777_619);
  // Its lowest bits alone are not mixed well.
  return (sum ^ (sum >>> 15)) >>> 3;
}
