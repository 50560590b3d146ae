/** The addresses, as vertical text: nothing of them is lost, and everything that is said of them is well formed. */
import { describe, expect, it } from "vitest";
import { addressFiles, readAddress } from "./addresses.js";
import { englishTagger } from "./english.js";
import { verticalText } from "./vertical.js";

const files = addressFiles();
const addresses = files.map(readAddress);
const only = (id: string) => files[addresses.findIndex((address) => address.id === id)];

async function linesOf(paths: string[]): Promise<string[][]> {
  const documents: string[][] = [];
  for await (const chunk of verticalText(paths)) {
    expect(chunk.at(-1)).toBe(10);
    documents.push(chunk.toString().slice(0, -1).split("\n"));
  }
  return documents;
}

/** word/lemma/tag, "+" before those without a space before them, "|" between sentences. */
function tagged(text: string): string {
  const { words, lemmas, tags, glued, sentences } = englishTagger()(text);
  const tokens = words.map((word, i) => `${glued[i] ? "+" : ""}${word}/${lemmas[i]}/${tags[i]}`);
  return Array.from(sentences.subarray(0, -1), (first, s) =>
    tokens.slice(first, sentences[s + 1]).join(" "),
  ).join(" | ");
}

describe("the addresses", () => {
  it("are all there, in the order of time, each with a name of its own", () => {
    expect(addresses).toHaveLength(233);
    expect(new Set(addresses.map(({ id }) => id)).size).toBe(233);
    const ids = addresses.map(({ id }) => id);
    expect([ids[0], ids.at(-1)]).toEqual(["1790_washington", "2021_biden"]);
    expect(ids.filter((id) => /^19(53|61)/.test(id))).toEqual([
      "1953_truman",
      "1953_eisenhower",
      "1961_eisenhower",
      "1961_kennedy",
    ]);
    expect(ids).toEqual(expect.arrayContaining(["1837_van_buren", "1897_mckinley"]));
  });

  it("say who spoke, when, and for which party", () => {
    expect(readAddress(only("1961_kennedy"))).toMatchObject({
      year: 1961,
      president: "John F. Kennedy",
      party: "Democratic",
      title: "State of the Union Address, 1961 (John F. Kennedy)",
    });
    expect(readAddress(only("1897_mckinley")).president).toBe("William McKinley");
    for (const { id, president, party, title } of addresses) {
      expect(`${id}${president}${party}${title}`).not.toMatch(/["<>\n\t]/);
    }
  });
});

describe("the vertical text", () => {
  it("has addresses whole: documents of sentences, three columns a token, and the text as it was", async () => {
    // Every twelfth, and those with characters that are rare.
    const some = files.filter((_, i) => i % 12 === 0 || /[^ -~—]/.test(addresses[i].text));
    expect(some.length).toBeGreaterThan(20);
    const documents = await linesOf(some);
    expect(documents).toHaveLength(some.length);
    documents.forEach((lines, i) => {
      const { id, year, text } = readAddress(some[i]);
      expect(lines[0]).toMatch(
        new RegExp(`^<doc id="${id}" year="${year}" president="[^"]+" party="[^"]+" title=`),
      );
      expect(lines.at(-1)).toBe("</doc>");
      let together = "";
      let glue = true;
      let open = false;
      let sentence = 0;
      const wrong: string[] = [];
      for (const line of lines.slice(1, -1)) {
        if (line === "<s>" && !open) open = true;
        else if (line === "</s>" && open && sentence > 0) open = false;
        else if (line === "<g/>" && open && !glue) glue = true;
        else {
          const values = line.split("\t");
          const good = open && values.length === 3 && values.every((value) => /^[^\s\p{Cc}]+$/u.test(value));
          if (!good || !/^[A-Z]+$/.test(values[2])) wrong.push(line);
          together += (glue ? "" : " ") + values[0];
          glue = false;
          sentence++;
          continue;
        }
        if (line !== "<g/>") sentence = 0;
      }
      expect([id, open, wrong]).toEqual([id, false, []]);
      expect(together === text.replace(/[\s\p{Cc}]+/gu, " ").trim(), id).toBe(true);
    });
  });

  it("has the same of an address whatever came before it", async () => {
    // Where "America's" is met with a dash behind it, and where it is not.
    const some = ["1961_kennedy", "1999_clinton", "2020_trump", "1984_reagan"].map(only);
    const forth = await linesOf(some);
    const back = await linesOf([...some].reverse());
    expect(back.reverse()).toEqual(forth);
  });

  it("is told how far it is", async () => {
    const counts: number[] = [];
    const [file] = files;
    let tokens = 0;
    for await (const chunk of verticalText([file], (count) => counts.push(count))) {
      tokens += chunk.toString().match(/\t[A-Z]+$/gm)?.length ?? 0;
    }
    expect(counts).toEqual([tokens]);
  });
});

describe("tagging", () => {
  it.each([
    [
      "Some dogs ran. It rained.",
      "Some/some/DET dogs/dog/NOUN ran/run/VERB +././PUNCT | It/it/PRON rained/rain/VERB +././PUNCT",
    ],
    ["It's America's land", "It/it/PRON +'s/be/AUX America/America/PROPN +'s/'s/PART land/land/NOUN"],
    ["I’m being heard", "I/I/PRON +’m/be/AUX being/be/AUX heard/hear/VERB"],
    [
      "We cannot, and don't",
      "We/we/PRON can/can/AUX +not/not/PART +,/,/PUNCT and/and/CCONJ do/do/AUX +n't/not/PART",
    ],
    ["Peace--or war", "Peace/peace/NOUN +--/--/PUNCT +or/or/CCONJ war/war/NOUN"],
  ])("of %j", (text, expected) => expect(tagged(text)).toBe(expected));

  it("takes any white space and control characters for a space", () => {
    expect(tagged("\tfour  and\u00a0a\nhalf\u0002 per\r\ncent ")).toBe(tagged("four and a half per cent"));
  });

  it("finds nothing in nothing", () => {
    expect(tagged("")).toBe("");
    expect(tagged(" \n")).toBe("");
  });
});
