/** The phrase in which a pair typically stands, over a small corpus with glue and sentences. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../ql/sketch/limits.js";
import { Phrases } from "../../ql/sketch/phrase.js";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";

const sentences = [
  ["We", "won", "the", "civil", "war", "~,", "and", "rested"],
  ["They", "won", "the", "Civil", "War", "~,", "but", "wept"],
  ["After", "the", "civil", "war", "came", "rain"],
  ["No", "civil", "war"],
  ["civil", "and", "foreign", "war"],
  ["civil", "a", "b", "c", "d", "e", "f", "g", "h", "i", "war"],
];

let folder = "";
let snapshot: Snapshot;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-phrase-"));
  const lines = sentences.map(
    (sentence) => `<s>\n${sentence.map((word) => word.replace("~", "<g/>\n")).join("\n")}\n</s>\n`,
  );
  writeFileSync(join(folder, "text.vert"), `<doc>\n${lines.join("")}</doc>\n`);
  const data = join(folder, "data");
  await encodeCorpus({ data, corpus: "c", inputs: [join(folder, "text.vert")], attributes: ["word"] });
  snapshot = openCorpus({ data, corpus: "c" });
});

afterAll(async () => {
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Of the pair in these sentences: the head is the first token that is `head` in whatever case. */
function phrase(head: string, collocate: string, among: number[], structure: string | undefined = "s") {
  const positions: number[] = [];
  const collocates: number[] = [];
  for (const number of among) {
    const start = sentences.slice(0, number).reduce((sum, one) => sum + one.length, 0);
    const at = (word: string) => start + sentences[number].findIndex((one) => one.toLowerCase() === word);
    positions.push(at(head));
    collocates.push(at(collocate));
  }
  return new Phrases(snapshot, structure).of({
    positions: Uint32Array.from(positions),
    collocates: Uint32Array.from(collocates),
  });
}

describe("a typical phrase", () => {
  it("is the most common way from head to collocate, in whatever case and order", () => {
    expect(phrase("war", "civil", [3, 4])).toBe("civil war");
    expect(phrase("civil", "war", [3, 4])).toBe("civil war");
    expect(phrase("war", "civil", [4])).toBe("civil and foreign war");
  });

  it("grows by the words that a quarter of the occurrences share, two at least", () => {
    expect(phrase("war", "civil", [2])).toBe("civil war");
    expect(phrase("war", "civil", [0, 1, 2, 3])).toBe("won the civil war");
    expect(phrase("war", "civil", [1, 2, 3])).toBe("the Civil War");
  });

  it("ends with a word, and is written as the text is", () => {
    expect(phrase("war", "civil", [0, 1])).toBe("won the civil war");
    expect(phrase("war", "and", [0])).toBe("war, and");
  });

  it("stays in its sentence, and leaves out what is too far apart", () => {
    expect(phrase("war", "no", [3, 3])).toBe("No civil war");
    expect(phrase("war", "no", [3, 3], "")).toContain("No civil war civil");
    expect(phrase("war", "civil", [5])).toBeUndefined();
    expect(phrase("war", "civil", [5, 3])).toBe("civil war");
    expect(limits.phraseTokensMax).toBeLessThan(sentences[5].length);
  });
});
