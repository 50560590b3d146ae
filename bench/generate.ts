/**
 * A corpus of any size that looks like text to an index: words out of a million by Zipf's law in its two regimes
 * (exponent 1 for the first 5,000, 1.6 behind them, as in real text), each with a lemma and a tag; sentences,
 * paragraphs, documents with attributes, glue. The same seed gives the same bytes.
 */
import { closeSync, openSync, writeSync } from "node:fs";

const types = 1_000_000;
const tags = [
  "NN",
  "NNS",
  "IN",
  "DT",
  "JJ",
  "VB",
  "VBD",
  "VBZ",
  "RB",
  "PRP",
  "CC",
  "TO",
  "NNP",
  "CD",
  "MD",
  "VBN",
];
const genres = ["news", "fiction", "science", "blog", "law"];

/** Lines of every word type, one behind the other: "word\tlemma\ttag\n". */
function wordLines(): { bytes: Buffer; ends: Uint32Array } {
  const ends = new Uint32Array(types);
  const parts: string[] = [];
  let end = 0;
  for (let rank = 0; rank < types; rank++) {
    const line = `${spell(rank)}\t${spell(rank < 64 ? rank : rank & ~1)}\t${tags[(rank * 7) % tags.length]}\n`;
    parts.push(line);
    end += line.length;
    ends[rank] = end;
  }
  return { bytes: Buffer.from(parts.join("")), ends };
}

/** A pronounceable word for each rank; frequent ones are short. */
function spell(rank: number): string {
  const consonants = "tnsrhldcmfpgbvk";
  const vowels = "eaoiu";
  let word = "";
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 75)) {
    word += consonants[rest % 15] + vowels[Math.floor(rest / 15) % 5];
  }
  return word;
}

/** Writes `tokens` tokens as vertical text. */
export function generate(path: string, tokens: number, seed = 1): void {
  const { bytes, ends } = wordLines();
  const fd = openSync(path, "w");
  const buffer = Buffer.alloc(1 << 22);
  let filled = 0;
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const put = (text: string) => {
    filled += buffer.write(text, filled, "latin1");
  };
  // The two regimes meet at `kernel`; the head has weight ln(kernel), the tail the integral of what is behind it.
  const kernel = 5000;
  const slope = 0.6;
  const tailSpan = 1 - (types / kernel) ** -slope;
  const headShare = Math.log(kernel) / (Math.log(kernel) + tailSpan / slope);
  const drawRank = () => {
    const share = random();
    if (share < headShare) return Math.floor(Math.exp((share / headShare) * Math.log(kernel))) - 1;
    const within = (share - headShare) / (1 - headShare);
    return Math.min(types - 1, Math.floor(kernel * (1 - within * tailSpan) ** (-1 / slope)));
  };
  let done = 0;
  for (let document = 0; done < tokens; document++) {
    put(`<doc id="d${document}" year="${1950 + (document % 70)}" genre="${genres[document % 5]}">\n`);
    const paragraphs = 2 + Math.floor(random() * 20);
    for (let p = 0; p < paragraphs && done < tokens; p++) {
      put("<p>\n");
      for (let s = 0; s < 5 && done < tokens; s++) {
        put("<s>\n");
        const length = 4 + Math.floor(random() * 32);
        for (let i = 0; i < length && done < tokens; i++, done++) {
          if (i === length - 1) put("<g/>\n");
          const rank = drawRank();
          const start = rank === 0 ? 0 : ends[rank - 1];
          filled += bytes.copy(buffer, filled, start, ends[rank]);
        }
        put("</s>\n");
        if (filled > buffer.length - 65_536) {
          writeSync(fd, buffer, 0, filled);
          filled = 0;
        }
      }
      put("</p>\n");
    }
    put("</doc>\n");
  }
  writeSync(fd, buffer, 0, filled);
  closeSync(fd);
}
