/** Corpora for tests of the server: a small one with known words, and one that takes a while to scan. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeCorpus } from "../../storage/index.js";

export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "dugong-server-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Documents of three sentences; "rare" occurs in every tenth of them once. */
export function smallText(documents: number, first = 0): string {
  const lines: string[] = [];
  for (let i = first; i < first + documents; i++) {
    lines.push(`<doc id="d${i}" year="${1990 + (i % 30)}" genre="${i % 2 ? "news" : "letters"}">`);
    for (let s = 0; s < 3; s++) {
      lines.push(`<s id="${i}.${s}">`);
      const words = [
        "the",
        i % 10 === 0 && s === 0 ? "rare" : "old",
        `noun${i % 50}`,
        s % 2 ? "sees" : "has",
        "a",
        "cat",
      ];
      const tags = ["DT", "JJ", "NN", "VB", "DT", "NN"];
      words.forEach((word, n) => {
        lines.push(`${word}\t${tags[n]}`);
      });
      lines.push("</s>");
    }
    lines.push("</doc>");
  }
  return `${lines.join("\n")}\n`;
}

/** Tokens per document. */
export const documentTokens = 18;

export async function makeSmall(data: string, corpus: string, documents = 200): Promise<void> {
  const input = join(data, `${corpus}.vert`);
  writeFileSync(input, smallText(documents));
  await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "tag"], workers: 1 });
  rmSync(input);
}

/** Some million tokens of few types: every scan takes a while, and queries may have as many hits as one likes. */
export async function makeLarge(data: string, corpus: string, tokens: number): Promise<void> {
  const input = join(data, `${corpus}.vert`);
  const lines: string[] = [];
  let state = 1;
  for (let i = 0; i < tokens; i++) {
    if (i % 20 === 0) lines.push(i > 0 ? "</s>\n<s>" : "<s>");
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    lines.push(`w${(state >>> 16) % 300}\t${"ABCDEFGH"[(state >>> 8) % 8]}`);
  }
  writeFileSync(input, `<doc id="0">\n${lines.join("\n")}\n</s>\n</doc>\n`);
  await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "tag"], workers: 2 });
  rmSync(input);
}
