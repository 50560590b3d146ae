/** Taggers: what they learn, what they write, and what becomes of streams when another program tags. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Warnings } from "../stream/report.js";
import { accuracyOf } from "./accuracy.js";
import { type GoldSentence, treebank } from "./conllu.js";
import { applyEdit, asItIs, caseOf, editOf, inSmall, inTitle, lemmaBy } from "./edits.js";
import {
  contextFeatures,
  FeatureList,
  neighbourFeatures,
  ownFeatures,
  sentenceOf,
  wordAt,
} from "./features.js";
import { LemmaLearning } from "./lemma-learning.js";
import { Lemmatiser } from "./lemmas.js";
import { Lexicon } from "./lexicon.js";
import { type Model, modelBytes, readModel } from "./model.js";
import { type TagOptions, tag } from "./tag.js";
import { Tagger } from "./tagger.js";
import { train } from "./train.js";
import { trainModel } from "./training.js";
import { wordOf } from "./words.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-tag-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** A language with nouns, verbs in two tenses, and a word that is both: the article before it says which. */
function treebankText(sentences: number, seed: number): string {
  let state = seed;
  const pick = (list: string[]) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)];
  };
  const stems = ["dog", "cat", "house", "tree", "walk", "bird", "lake", "stone"];
  const verbs = ["walk", "jump", "climb", "play", "look", "turn"];
  let text = "";
  for (let i = 0; i < sentences; i++) {
    const rows: string[][] = [["The", "the", "DET", "DT", "_"]];
    const noun = pick(stems);
    rows.push(
      pick(["s", ""]) === "s"
        ? [`${noun}s`, noun, "NOUN", "NNS", "Number=Plur"]
        : [noun, noun, "NOUN", "NN", "Number=Sing"],
    );
    const verb = pick(verbs);
    rows.push(
      pick(["ed", "s"]) === "ed"
        ? [`${verb}ed`, verb, "VERB", "VBD", "Tense=Past"]
        : [`${verb}s`, verb, "VERB", "VBZ", "Tense=Pres"],
    );
    rows.push([".", ".", "PUNCT", ".", "_"]);
    text += rows.map((row, at) => [at + 1, ...row, 0, "_", "_", "_"].join("\t")).join("\n") + "\n\n";
  }
  return text;
}

async function sentencesOf(text: string): Promise<GoldSentence[]> {
  const sentences: GoldSentence[] = [];
  for await (const one of treebank([file("made.conllu", text)], { warnings: new Warnings() }))
    sentences.push(one);
  return sentences;
}

let trained: Model | undefined;
async function model(): Promise<Model> {
  trained ??= await train(await sentencesOf(treebankText(400, 1)), { layers: ["xpos", "feats"], rounds: 3 });
  return trained;
}

describe("a treebank", () => {
  it("gives the tokens that text has: parts of words that give the word back, whole words otherwise", async () => {
    const rows = [
      "# newdoc id = a",
      "# newpar",
      "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
      "1\tdo\tdo\tAUX\tVB\tA=B\t0\t_\t_\t_",
      "2\tn't\tnot\tPART\tRB\t_\t0\t_\t_\t_",
      "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
      "3\tde\tde\tADP\t_\t_\t0\t_\t_\t_",
      "4\tle\tle\tDET\t_\tD=E\t0\t_\t_\t_",
      "4.1\tgone\tgo\tVERB\t_\t_\t0\t_\t_\t_",
      "5\t.\t.\tPUNCT\t.\t_\t0\t_\t_\t_",
      "what is this",
      "",
    ];
    const warnings = new Warnings();
    const sentences: GoldSentence[] = [];
    for await (const one of treebank([file("mwt.conllu", rows.join("\n"))], { warnings }))
      sentences.push(one);
    expect(sentences).toEqual([
      {
        startsDocument: true,
        startsParagraph: true,
        surface: [
          { form: "don't", glued: false },
          { form: "du", glued: false },
          { form: ".", glued: true },
        ],
        tokens: [
          { form: "do", lemma: "do", upos: "AUX", xpos: "VB", feats: "A=B", glued: false },
          { form: "n't", lemma: "not", upos: "PART", xpos: "RB", feats: "_", glued: true },
          { form: "du", lemma: "de+le", upos: "ADP+DET", xpos: "_", feats: "_+D=E", glued: false },
          { form: ".", lemma: ".", upos: "PUNCT", xpos: ".", feats: "_", glued: true },
        ],
      },
    ]);
    expect(warnings.list).toMatchObject([{ kind: "not_conllu", count: 1, places: [{ line: 11 }] }]);
  });
});

describe("lemmas", () => {
  const lexicon = new Lexicon(new Int32Array(), new Int32Array());

  it("come of the edits and the case that lead to them", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "e", "d", "A", "B", "é", "ß", "İ", "8", ","),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(word, word, (form, lemma) => {
        const edit = editOf(form.toLowerCase(), lemma.toLowerCase());
        if (edit === null) return;
        const kind = caseOf(form, edit, lemma);
        if (kind >= 0) expect(lemmaBy(form, edit, kind)).toBe(lemma);
        if (lemma === lemma.toLowerCase() && form.length === form.toLowerCase().length)
          expect(kind).toBe(inSmall);
      }),
    );
    expect(editOf("walked", "walk")).toBe("\t\ted\t");
    expect(editOf("gelaufen", "laufen")).toBe("ge\t\t\t");
    expect(editOf("8,000", "8000")).toBe(",");
    expect(applyEdit("38,000,000", ",")).toBe("38000000");
    expect(lemmaBy("NASAs", "\t\ts\t", asItIs)).toBe("NASA");
    expect(lemmaBy("CITIES", "\t\ties\ty", asItIs)).toBe("CITY");
    expect(lemmaBy("LONDON", "\t\t\t", inTitle)).toBe("London");
    expect(applyEdit("s", "\t\ts\t")).toBeNull();
    expect(applyEdit("walks", "\t\ted\t")).toBeNull();
  });

  it("begin as their words do, unless several words of the language say otherwise", () => {
    const lemmaOf = (pairs: string[][], form: string) => {
      const learning = new LemmaLearning(lexicon);
      for (const [word, lemma] of pairs) learning.add(word, "N", lemma, 0);
      return new Lemmatiser(learning.model(), lexicon).lemmaOf(form, "N", 0);
    };
    expect(lemmaOf([["mas", "christmas"]], "mas")).toBe("christmas");
    expect(lemmaOf([["mas", "christmas"]], "thomas")).toBe("thomas");
    const prefixed = ["laufen", "kaufen", "raufen"].map((lemma) => [`ge${lemma}`, lemma]);
    expect(lemmaOf(prefixed, "gesaufen")).toBe("saufen");
  });

  it("are right for all words seen, and by their endings for others", () => {
    const learning = new LemmaLearning(lexicon);
    for (const [form, tag, lemma] of [
      ["cities", "N", "city"],
      ["ladies", "N", "lady"],
      ["dogs", "N", "dog"],
      ["cats", "N", "cat"],
      ["mice", "N", "mouse"],
      ["was", "V", "be"],
      ["Dogs", "P", "Dogs"],
      ["a|b", "X", "a|b"],
      ["__proto__", "X", "constructor"],
    ])
      learning.add(form, tag, lemma, 0);
    const lemmatiser = new Lemmatiser(learning.model(), lexicon);
    const pairs = [
      ["mice", "N"],
      ["was", "V"],
      ["Dogs", "P"],
      ["berries", "N"],
      ["Cats", "N"],
      ["MICE", "N"],
      ["birds", "N"],
      ["a|b", "X"],
      ["__proto__", "X"],
      ["x", "unseen"],
    ];
    expect(pairs.map(([form, tag]) => lemmatiser.lemmaOf(form, tag, 0))).toEqual([
      "mouse",
      "be",
      "Dogs",
      "berry",
      "cat",
      "mouse",
      "bird",
      "a|b",
      "constructor",
      "x",
    ]);
  });
});

describe("a model", () => {
  it("learns, and says how much it gets right", async () => {
    const { tokens, right } = accuracyOf(await model(), await sentencesOf(treebankText(100, 7)));
    expect(tokens).toBe(400);
    expect(right).toEqual({ tag: 1, xpos: 1, feats: 1, lemma: 1 });
    const unknown = new Tagger(await model()).analyse(
      ["The", "frogs", "hopped", "."],
      new Set(["lemma", "xpos"]),
    );
    expect(unknown).toMatchObject({
      tag: ["DET", "NOUN", "VERB", "PUNCT"],
      xpos: ["DT", "NNS", "VBD", "."],
      lemma: ["the", "frog", "hopp", "."],
    });
  });

  it("is the same when it is trained again, and when it is read", async () => {
    const bytes = await modelBytes(await model());
    const again = await train(await sentencesOf(treebankText(400, 1)), {
      layers: ["xpos", "feats"],
      rounds: 3,
    });
    expect(Buffer.compare(await modelBytes(again), bytes)).toBe(0);
    const read = await readModel(file("a.model", bytes));
    expect(Buffer.compare(await modelBytes(read), bytes)).toBe(0);
    const forms = ["The", "walk", "walked", "slowly", "."];
    const wanted = new Set(["lemma", "xpos", "feats"]);
    expect(new Tagger(read).analyse(forms, wanted)).toEqual(new Tagger(await model()).analyse(forms, wanted));
  });

  it("scores as if nothing were kept with words", async () => {
    const made = await model();
    const [{ weights, labels }] = made.layers;
    const naive = (forms: string[]) => {
      const words = forms.map((form) => {
        const word = wordOf(form);
        return {
          ...word,
          known: made.lexicon.classOf(word.form),
          knownSmall: made.lexicon.classOf(word.small),
        };
      });
      const sentence = sentenceOf(words);
      const tags: number[] = [];
      for (let i = 0; i < words.length; i++) {
        const list = new FeatureList();
        ownFeatures(list, words[i]);
        [-1, -2, 1, 2].forEach((offset, at) => {
          neighbourFeatures(list, wordAt(sentence, i + offset), at + 1);
        });
        contextFeatures(
          list,
          sentence,
          i,
          words[i],
          tags[i - 1] ?? labels.length,
          tags[i - 2] ?? labels.length,
        );
        const scores = new Float32Array(labels.length);
        weights.score(list.values, list.count, scores);
        tags.push(scores.indexOf(Math.max(...scores)));
      }
      return tags.map((one) => labels[one]);
    };
    const word = fc.constantFrom(
      "The",
      "the",
      "walk",
      "walks",
      "walked",
      "dogs",
      "xyz",
      "Xed",
      ".",
      "9",
      "日本",
    );
    const tagger = new Tagger(made);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (forms) => {
        expect(tagger.analyse(forms, new Set()).tag).toEqual(naive(forms));
      }),
    );
  });

  it("takes marks, numbers and addresses that it has not seen for what their signs say", async () => {
    const row = (form: string, upos: string, at: number) => `${at}\t${form}\t_\t${upos}\t_\t_\t0\t_\t_\t_\n`;
    const sentence = (...tokens: string[]) =>
      `${tokens
        .map((token, at) => {
          const [form, upos] = token.split("|");
          return row(form, upos, at + 1);
        })
        .join("")}\n`;
    const made = (names: Record<string, string>) =>
      [
        sentence("Ein|NUM", "kom|VERB", "1990|NOUN", "a.fo|X", ".|PUNCT"),
        sentence("Hon|PRON", "fór|VERB", "og|CCONJ", "§|SYM", "!|PUNCT"),
      ]
        .join("")
        .repeat(20)
        .replace(/\t([A-Z]+)\t/g, (_, name: string) => `\t${names[name] ?? name}\t`);
    const forms = [
      ...["„", "Hon", "“", "–", "…", "(", "12:30", "3.5", "2020", "%", "€", ":-)"],
      ...["http://b.fo/", "x@b.fo", "."],
    ];
    const tags = (one: Model) => new Tagger(one).analyse(forms, new Set()).tag!;
    const found = tags(await train(await sentencesOf(made({})), { rounds: 3 }));
    expect(found.slice(0, 8)).toEqual(["PUNCT", "PRON", ...Array(4).fill("PUNCT"), "NUM", "NUM"]);
    // Training calls years nouns: that is its way.
    expect(found[8]).toBe("NOUN");
    expect(["PUNCT", "SYM"]).toContain(found[9]);
    expect(found[10]).toBe("SYM");
    expect(["PUNCT", "SYM"]).toContain(found[11]);
    for (const tag of found.slice(12, 14)) expect(["X", "SYM"]).toContain(tag);
    expect(found[14]).toBe("PUNCT");
    // Other tags mean other things.
    const others = { PUNCT: "$.", SYM: "XY", NUM: "CARD", X: "FM", NOUN: "NN", VERB: "VV", PRON: "PP" };
    const otherTags = new Set([...Object.values(others), "CCONJ"]);
    for (const tag of tags(await train(await sentencesOf(made(others)), { rounds: 3 })))
      expect(otherTags).toContain(tag);
  });

  it("that is damaged, of another version or something else is refused", async () => {
    const bytes = await modelBytes(await model());
    const changed = (at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
    await expect(readModel(file("b", changed(bytes.length >> 1)))).rejects.toThrow("checksum");
    await expect(readModel(file("b", changed(6)))).rejects.toThrow(
      "has version 3; this program reads version 2",
    );
    await expect(readModel(file("b", bytes.subarray(0, 1000)))).rejects.toThrow("damaged");
    await expect(readModel(file("b", "word\ttag\n"))).rejects.toThrow("not a tagger's model");
    await expect(readModel(join(folder, "nowhere"))).rejects.toMatchObject({ code: "model_not_found" });
  });

  it("has no lemmas where the treebank has none", async () => {
    const rows = "1\ta\t_\tX\t_\t_\n2\tb\t_\tY\t_\t_\n3\t.\t.\tPUNCT\t_\t_\n\n";
    const report = await trainModel([file("bare.conllu", rows.repeat(9))], join(folder, "bare.model"), {
      dev: join(folder, "bare.conllu"),
    });
    expect(report).toMatchObject({ columns: ["word", "tag"], sentences: 9, dev: { right: { tag: 1 } } });
    await expect(trainModel([file("empty.conllu", "\n")], join(folder, "x"), {})).rejects.toThrow(
      "no sentences",
    );
  });
});

/** Twelve documents of a sentence or two, with structure that taggers know nothing of. */
const vertical = Array.from(
  { length: 12 },
  (_, i) =>
    `<doc id="${i}" title="a &lt;b&gt;">\n<p>\n<s>\nThe\nwalk${i}\n<name kind="x">\nwalked\n</name>\n<g/>\n.\n</s>\n${
      i % 2 ? "<s>\nThe\ndogs\nplayed\n</s>\n" : ""
    }</p>\n</doc>\n`,
).join("");

async function run(text: string, options: TagOptions) {
  const output = join(folder, "out.vert");
  const report = await tag({ inputs: [file("in.vert", text)], output }, options);
  return { text: readFileSync(output, "utf8"), report };
}

const structureOf = (text: string) => text.split("\n").filter((line) => line.startsWith("<"));
const wordsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("<"))
    .map((line) => line.split("\t")[0]);

describe("the step", () => {
  it("adds columns to tokens and leaves structure as it is, with threads as without", async () => {
    const path = file("step.model", await modelBytes(await model()));
    const one = await run(vertical, { model: path, workers: 1 });
    expect(one.text).toContain(
      '<s>\nThe\tthe\tDET\nwalk3\twalk3\tNOUN\n<name kind="x">\nwalked\twalk\tVERB\n</name>\n<g/>\n.\t.\tPUNCT\n</s>',
    );
    expect(structureOf(one.text)).toEqual(structureOf(vertical));
    expect(one.report).toMatchObject({ documentsIn: 12, documentsOut: 12, wordsIn: 66, wordsOut: 66 });
    const long = vertical.repeat(2500);
    const [plain, threads] = [
      await run(long, { model: path, workers: 1 }),
      await run(long, { model: path, workers: 3 }),
    ];
    expect(threads.text === plain.text).toBe(true);
    expect(threads.report.wordsOut).toBe(66 * 2500);
    const all = await run(one.text, { model: path, output: ["word", "tag", "feats"] });
    expect(all.text).toContain("\ndogs\tNOUN\tNumber=Plur\nplayed\tVERB\tTense=Past\n");
    expect(all.report.details).toMatchObject({ replaced: expect.stringContaining("66 tokens") });
  });

  it("takes text without any tag, and sentences of any length", async () => {
    const path = file("step.model", await modelBytes(await model()));
    const { text } = await run("The\ndogs\n".repeat(5000), { model: path });
    expect(wordsOf(text)).toHaveLength(10_000);
    expect((await run("", { model: path })).text).toBe("");
  });

  it("refuses columns that a model has not, and two taggers at once", async () => {
    const path = file("step.model", await modelBytes(await model()));
    await expect(run(vertical, { model: path, output: ["word", "sense"] })).rejects.toThrow(
      "has no sense (it has word, lemma, tag",
    );
    await expect(run(vertical, { model: path, output: ["tag", "word"] })).rejects.toThrow("first column");
    await expect(run(vertical, {})).rejects.toMatchObject({ code: "bad_option" });
    await expect(run(vertical, { model: path, command: "cat" })).rejects.toMatchObject({
      code: "bad_option",
    });
  });

  it("tags English out of the box, on the tokens that are given", async () => {
    const tokens = ["They", "did", "n't", "see", "well-known", "dogs", ":-)", "in", "the", "U.S.", "."];
    const { text } = await run(`<s>\n${tokens.join("\n")}\n</s>\n`, { model: "wink-english" });
    const rows = text
      .split("\n")
      .slice(1, -2)
      .map((line) => line.split("\t"));
    expect(rows.map(([word]) => word)).toEqual(tokens);
    expect(rows[5]).toEqual(["dogs", "dog", "NOUN"]);
    expect(rows[1]).toEqual(["did", "do", "AUX"]);
  });
});

describe("another program", () => {
  const program = (name: string, code: string) =>
    `${process.execPath} ${file(`${name}.cjs`, `const lines=require("readline").createInterface({input:process.stdin});${code}`)}`;
  const tagged = (words: string[]) => words.map((word) => `${word}\t${word.length}`);
  const expected = (text: string) =>
    text
      .split("\n")
      .map((line) => (line === "" || line.startsWith("<") ? line : tagged([line])[0]))
      .join("\n");

  it("tags, whatever it does with tags", async () => {
    for (const [name, code] of [
      ["drops", `lines.on("line",l=>{if(l[0]!=="<")console.log(l+"\\t"+l.length)})`],
      ["echoes", `lines.on("line",l=>console.log(l[0]==="<"?l:l+"\\t"+l.length))`],
      ["mangles", `lines.on("line",l=>console.log(l+"\\t"+l.length+(l[0]==="<"?"\\n":"")))`],
    ]) {
      const { text, report } = await run(vertical, { command: program(name, code) });
      expect(text, name).toBe(expected(vertical));
      expect(report).toMatchObject({ documentsOut: 12, wordsOut: 66, warnings: [] });
    }
  });

  it("keeps the order with several processes, and answers at its end only", async () => {
    const code = `const all=[];lines.on("line",l=>{if(l[0]!=="<")all.push(l+"\\t"+l.length)}).on("close",()=>console.log(all.join("\\n")))`;
    const many = vertical.repeat(20);
    const { text } = await run(many, { command: program("late", code), processes: 2 });
    expect(text === expected(many)).toBe(true);
  });

  it("that dies is started again; the document that it dies of is passed on untagged", async () => {
    const code = `lines.on("line",l=>{if(l==="walk5")process.exit(3);if(l[0]!=="<")console.log(l+"\\t"+l.length)})`;
    const { text, report } = await run(vertical, { command: program("dies", code), processes: 2 });
    const documents = (whole: string) => whole.split(/(?<=<\/doc>\n)/);
    const right = documents(expected(vertical)).map((one, i) => (i === 5 ? documents(vertical)[5] : one));
    expect(documents(text)).toEqual(right);
    expect(report.warnings).toMatchObject([{ kind: "tagger_failed", count: 1, places: [{ line: 76 }] }]);
  });

  it("that dies once by chance loses nothing", async () => {
    const mark = join(folder, "died");
    const code = `const fs=require("fs");lines.on("line",l=>{if(l==="walk5"&&!fs.existsSync("${mark}")){fs.writeFileSync("${mark}","");process.exit(3)}if(l[0]!=="<")console.log(l+"\\t"+l.length)})`;
    const { text, report } = await run(vertical, { command: program("once", code) });
    expect(text).toBe(expected(vertical));
    expect(report.warnings).toEqual([]);
  });

  it("that writes other tokens than it was given is not believed", async () => {
    const code = `lines.on("line",l=>{if(l[0]==="<")return;if(l==="walk7")console.log("extra\\t1");console.log(l+"\\t"+l.length)})`;
    const { text, report } = await run(vertical, { command: program("extra", code) });
    expect(text).not.toContain("extra");
    expect(wordsOf(text)).toEqual(wordsOf(vertical));
    expect(structureOf(text)).toEqual(structureOf(vertical));
    expect(report.warnings).toMatchObject([{ kind: "tagger_failed", count: 1 }]);
  });

  it("that never works is an error, with what it said", async () => {
    await expect(run(vertical, { command: "no-such-tagger-anywhere" })).rejects.toThrow(
      /fails with every document.*not found/s,
    );
    // However little it was given.
    const one = "<doc>\n<s>\na\nb\n</s>\n</doc>\n";
    await expect(run(one, { command: "no-such-tagger-anywhere" })).rejects.toThrow(
      /every document.*not found/s,
    );
    await expect(run(one, { command: "cat > /dev/null" })).rejects.toThrow(/fails with every document/);
  });

  it("that keeps writing, whatever it is given, is ended and named", async () => {
    const one = "<doc>\n<s>\na\nb\n</s>\n</doc>\n";
    for (const command of ["yes", "yes ''", "yes '<s>'", "cat /dev/zero", "yes '<' | tr -d '\\n'"]) {
      await expect(run(one, { command }), command).rejects.toThrow("fails with every document");
      await expect(run(vertical, { command, processes: 2 }), command).rejects.toThrow(
        "fails with every document",
      );
    }
  });
});
