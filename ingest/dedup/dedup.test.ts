/** De-duplication: as onion recorded it, as the rule says in words, and the same for any number of threads. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Document, documentsOf, documentText } from "../stream/documents.js";
import { Warnings } from "../stream/report.js";
import { blocksOf, rereadable } from "./blocks.js";
import { type DedupOptions, dedup } from "./dedup.js";
import { formatOf } from "./format.js";
import { Hashes, pushGrams, pushText, pushWord } from "./hash.js";
import { pushWords } from "./words.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-dedup-test-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string | Buffer, options: DedupOptions = {}) {
  const input = join(folder, "input");
  const output = join(folder, "output");
  writeFileSync(input, text);
  const report = await dedup({ inputs: [input], output }, { temp: folder, ...options });
  return { text: readFileSync(output, "utf8"), report };
}

/** The rule in its own words, with sets of strings, in one pass. Paragraphs are lists of words; true: dropped. */
function naive(
  documents: string[][][],
  { ngram = 7, threshold = 0.5, stub = 20, smoothing = true, unit = "paragraph", exact = true }: DedupOptions,
): boolean[][] {
  const seen = new Set<string>();
  const texts = new Set<string>();
  return documents.map((document) => {
    const words = document.flat();
    const text = words.join(" ");
    if (exact && words.length > 0 && texts.has(text)) return document.map(() => true);
    texts.add(text);
    const units = unit === "document" ? [words] : document;
    const inDocument = new Set<string>();
    let start = 0;
    const grams: string[][] = [];
    const flags = units.map(({ length }) => {
      const own: string[] = [];
      const covered = new Set<number>();
      for (let end = start; end < start + length; end++) {
        if (end + 1 < ngram) continue;
        const gram = words.slice(end + 1 - ngram, end + 1).join(" ");
        if (seen.has(gram) || inDocument.has(gram)) {
          for (let i = Math.max(start, end + 1 - ngram); i <= end; i++) covered.add(i);
        }
        inDocument.add(gram);
        own.push(gram);
      }
      grams.push(own);
      start += length;
      return length > 0 && Math.fround(covered.size / length) > Math.fround(threshold);
    });
    if (smoothing) {
      const decided = [...flags];
      for (let from = 0; from < units.length; from++) {
        if (decided[from] || (from > 0 && !decided[from - 1])) continue;
        let to = from;
        let sum = 0;
        while (to < units.length && !decided[to]) sum += units[to++].length;
        if (sum <= stub) flags.fill(true, from, to);
      }
    }
    for (const [i, own] of grams.entries()) if (!flags[i]) for (const gram of own) seen.add(gram);
    const isGone = !units.some(({ length }, i) => length > 0 && !flags[i]);
    return document.map((_, i) => isGone || flags[unit === "document" ? 0 : i]);
  });
}

describe("the rule", () => {
  const oracle = join(import.meta.dirname, "../../../shared/oracle/onion");
  const isThere = existsSync(oracle);
  if (!isThere && process.env.CI === "true") throw new Error(`no recorded decisions at ${oracle}`);
  const settings: Record<string, DedupOptions> = {
    default: {},
    n5: { ngram: 5 },
    t03: { threshold: 0.3 },
    t09: { threshold: 0.9 },
    nosmooth: { smoothing: false },
    stub5: { stub: 5 },
    doclevel: { unit: "document" },
  };
  let compared = 0;

  for (const [name, options] of Object.entries(isThere ? settings : {})) {
    it(`decides as onion did: ${name}`, async () => {
      const read = (file: string) => gunzipSync(readFileSync(join(oracle, file))).toString();
      const lines = read("input.vert.gz").split("\n").filter(Boolean);
      const flags = read(`flags.${name}.gz`).replaceAll("\n", "");
      expect(flags).toHaveLength(lines.length);
      // Each line says which it is, in a column that is not compared.
      const numbered = lines.map((line, i) =>
        line.startsWith("<") ? line.replace(/^<([a-z]+)/, `<$1 n="${i}"`) : `${line}\t${i}`,
      );
      const { text } = await run(numbered.join("\n"), { exact: false, format: "vertical", ...options });
      const got = Array.from(lines, () => "1");
      // Closing tags have no number: they follow what they close, so each is kept if its opening is.
      const open: number[] = [];
      const pairs = new Map<number, number>();
      for (const [i, line] of lines.entries()) {
        if (line.startsWith("</")) pairs.set(open.pop()!, i);
        else if (line.startsWith("<")) open.push(i);
      }
      for (const line of text.split("\n")) {
        const number = /^<[a-z]+ n="(\d+)"/.exec(line)?.[1] ?? /\t(\d+)$/.exec(line)?.[1];
        if (number === undefined) continue;
        got[Number(number)] = "0";
        const pair = pairs.get(Number(number));
        if (pair !== undefined) got[pair] = "0";
      }
      expect(text.split("\n").length - 1).toBe(got.filter((flag) => flag === "0").length);
      const wrong = got.flatMap((flag, i) => (flag === flags[i] ? [] : [`${i}: ${lines[i]}`]));
      expect(wrong).toEqual([]);
      compared += lines.length;
    });
  }
  afterAll(() =>
    console.log(`compared with onion: ${compared} lines in ${Object.keys(settings).length} settings`),
  );

  it("is kept, for any text, setting and number of threads", async () => {
    // Few words, so that much is seen again; whole documents and paragraphs come again.
    const paragraph = fc.array(fc.constantFrom("a", "b", "c", "é", "𝒳d"), { maxLength: 9 });
    const document = fc.array(paragraph, { maxLength: 5 });
    const documents = fc
      .tuple(fc.array(document, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(), { maxLength: 8 }))
      .map(([made, again]) => [...made, ...again.map((i) => made[i % made.length])]);
    const options = fc.record({
      ngram: fc.integer({ min: 1, max: 4 }),
      threshold: fc.constantFrom(0, 0.3, 0.5, 2 / 3, 0.9, 1),
      stub: fc.integer({ min: 0, max: 8 }),
      smoothing: fc.boolean(),
      unit: fc.constantFrom("paragraph" as const, "document" as const),
      exact: fc.boolean(),
      format: fc.constantFrom("text" as const, "vertical" as const),
    });
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(
        documents,
        options,
        fc.constantFrom(...Array.from({ length: 30 }, () => 0), 1, 2),
        async (all, how, workers) => {
          const isText = how.format === "text";
          const stream = (flags?: boolean[][]) =>
            all
              .map((one, d) => {
                const paragraphs = one.map((words, p) =>
                  flags?.[d][p]
                    ? ""
                    : `<p>\n${words.map((word) => word + (isText ? " " : "\n")).join("")}${isText && words.length > 0 ? "\n" : ""}</p>\n`,
                );
                const isGone = flags && !one.some((words, p) => words.length > 0 && !flags[d][p]);
                return isGone ? "" : `<doc n="${d}">\n${paragraphs.join("")}</doc>\n`;
              })
              .join("");
          const flags = naive(all, how);
          dropped += flags.flat().filter(Boolean).length;
          const { text, report } = await run(stream(), { ...how, workers });
          expect(text).toBe(stream(flags));
          expect(report.documentsIn).toBe(all.length);
          expect(report.wordsIn).toBe(all.flat(2).length);
          const left = all.flatMap((one, d) => one.filter((_, p) => !flags[d][p])).flat();
          expect(report.wordsOut).toBe(left.length);
        },
      ),
      { numRuns: 250 },
    );
    expect(dropped).toBeGreaterThan(1000);
  });

  it("gives the same bytes with any number of threads, where blocks are many", async () => {
    const random = fc.sample(
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 60, maxLength: 90 }),
      60,
    );
    const pick = [0, 7, 3, 3, 21, 40, 12, 59, 30, 2];
    const made = Array.from({ length: 9000 }, (_, i) => {
      const words = i % 3 === 0 ? random[pick[i % 10]] : random[i % 60].map((word) => word * (i + 1));
      return `<doc id="${i}">\n<p>\n${words.join(" ")}\n</p>\n</doc>\n`;
    }).join("");
    expect(made.length).toBeGreaterThan(3 * 1024 * 1024);
    const results = [];
    for (const workers of [0, 1, 3]) results.push(await run(gzipSync(made, { level: 1 }), { workers }));
    const [first, ...others] = results;
    for (const { text, report } of others) {
      expect(text === first.text).toBe(true);
      expect(report.details).toMatchObject({ copies: first.report.details!.copies });
    }
    expect(first.report.documentsOut).toBeLessThan(6100);
    expect(readdirSync(folder).filter((name) => name.startsWith("dugong-dedup-"))).toEqual([]);
  });
});

describe("streams", () => {
  it("of text come out whole if nothing is dropped, whatever is odd in them", async () => {
    const line = fc.constantFrom(
      ...["<doc>", '<doc id="1">', "</doc>", "<p>", '<p heading="1">', "</p>", "", "<x/>", "<doc/>"],
      ...["a b", "a &lt; b", "<3", "c\r", "日本", "<docs>"],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 25 }), async (lines) => {
        const input = lines.join("\n");
        const path = join(folder, "odd");
        writeFileSync(path, input);
        const warnings = new Warnings();
        const documents: Document[] = [];
        for await (const one of documentsOf([path], { warnings })) documents.push(one);
        const options = { format: "text" as const, threshold: 1, smoothing: false, exact: false };
        const { text, report } = await run(input, options);
        // A document without any words is not kept.
        const worded = documents.filter(({ paragraphs }) => paragraphs.some(({ text }) => text !== ""));
        expect(text).toBe(worded.map(documentText).join(""));
        expect(report.warnings).toEqual(
          warnings.list.map((warning) => ({
            ...warning,
            places: warning.places.map((place) => ({ ...place, source: join(folder, "input") })),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("of vertical text lose whole paragraphs and nothing else", async () => {
    const token = (i: number) => `w${i}\tw\tN`;
    const long = Array.from({ length: 30 }, (_, i) => token(i)).join("\n");
    const other = Array.from({ length: 30 }, (_, i) => token(100 + i)).join("\n");
    const input = `<corpus>\n<doc id="1">\n<div>\n<p>\n<s>\n${long}\n<g/>\n</s>\n</p>\n</div>\n</doc>\n<doc id="2">\n<div>\n<p>\n${long}\n</p>\n</div>\n<div>\n${other}\n</div>\n</doc>\n<doc id="3">\n<div>\n<p>\n${long}\n</p>\n</div>\n</doc>\n</corpus>`;
    const { text, report } = await run(input);
    expect(report.details).toMatchObject({ format: "vertical" });
    expect(text).toBe(
      `<corpus>\n<doc id="1">\n<div>\n<p>\n<s>\n${long}\n<g/>\n</s>\n</p>\n</div>\n</doc>\n<doc id="2">\n<div>\n</div>\n<div>\n${other}\n</div>\n</doc>\n</corpus>\n`,
    );
  });

  it("have the tags of documents and paragraphs that they are said to have", async () => {
    const words = Array.from({ length: 30 }, (_, i) => `w${i}`).join("\n");
    const input = `<text id="1">\n<q>\n${words}\n</q>\n</text>\n<text id="2">\n<q>\n${words}\n</q>\n</text>\n`;
    const { report } = await run(input, { format: "vertical", document: "text", paragraph: "q" });
    expect(report).toMatchObject({ documentsIn: 2, documentsOut: 1, details: { copies: 1 } });
  });

  it("are told apart by how they begin", () => {
    expect(formatOf("<doc>\n<p>\na b c\n</p>\n")).toBe("text");
    expect(formatOf("<doc>\n<s>\na\n")).toBe("vertical");
    expect(formatOf("a\tb\nb\tc\n")).toBe("vertical");
    expect(formatOf("the\nold\nman\n")).toBe("vertical");
    expect(formatOf("今日は天気がいいから散歩しましょう。\n今日は天気がいいから散歩しましょう。\n")).toBe(
      "text",
    );
    expect(formatOf("")).toBe("text");
  });

  it("are cut into blocks at documents only, whatever their size", async () => {
    const path = join(folder, "blocks");
    const text = Array.from(
      { length: 200 },
      (_, i) => `<doc n="${i}">\n${"x <doc ".repeat(i)}\n<doc\n</doc>\n`,
    ).join("");
    writeFileSync(path, text);
    const sources = await rereadable([path], folder);
    for (const size of [1, 100, 3000, 1 << 20]) {
      const blocks: string[] = [];
      for await (const { bytes } of blocksOf(sources, "doc", { warnings: new Warnings() }, size)) {
        blocks.push(Buffer.from(bytes).toString());
      }
      expect(blocks.join("")).toBe(text);
      for (const block of blocks) expect(block).toMatch(/^<doc n=/);
    }
  });
});

it("a document that is too long is cut in two with the same tag, at a line", async () => {
  const path = join(folder, "long");
  const lines = Array.from({ length: 400_000 }, (_, i) => `line ${i}`);
  const one = `<doc id="1">\n${lines.join("\n")}\n</doc>\n`;
  const two = '<doc id="2">\nshort\n</doc>\n';
  writeFileSync(path, one + two);
  const warnings = new Warnings();
  const sources = await rereadable([path], folder);
  const blocks: string[] = [];
  for await (const { bytes } of blocksOf(sources, "doc", { warnings }, 1000, 2_000_000)) {
    blocks.push(Buffer.from(bytes).toString());
  }
  expect(blocks.length).toBeGreaterThan(1);
  expect(warnings.list).toMatchObject([{ kind: "long_document" }]);
  let left: string[] = [];
  for (const block of blocks.slice(0, -1)) {
    expect(block).toMatch(/^<doc id="1">\nline \d+\n.*\n<\/doc>\n$/s);
    left = left.concat(block.split("\n").filter((line) => line.startsWith("line")));
  }
  const last = blocks.at(-1)!;
  expect(last.endsWith(two)).toBe(true);
  left = left.concat(last.split("\n").filter((line) => line.startsWith("line")));
  expect(left.join() === lines.join()).toBe(true);
  // A line that never ends is cut between characters.
  writeFileSync(path, "é".repeat(3_000_000));
  let text = "";
  for await (const { bytes } of blocksOf(
    await rereadable([path], folder),
    "doc",
    { warnings },
    1000,
    1_999_999,
  )) {
    const part = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    text += part;
  }
  expect(text === "é".repeat(3_000_000)).toBe(true);
});

describe("marks", () => {
  it("say how much was seen and which documents belong together, and drop nothing", async () => {
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `w${from + i}`).join(" ");
    const doc = (...paragraphs: string[]) =>
      `<doc>\n${paragraphs.map((p) => `<p>\n${p}\n</p>\n`).join("")}</doc>\n`;
    const a = doc(words(0, 40), words(100, 40));
    const b = doc(words(0, 40), words(200, 25));
    const c = doc(words(300, 40));
    // The second half of b is new with b, and so is b's; but b belongs to a.
    const d = doc(words(200, 25));
    const { text, report } = await run(a + b + c + d + a, { mark: true });
    expect(text.match(/<(doc|p)[ >].*/g)).toEqual([
      ...['<doc dup="0.00" cluster="1">', "<p>", "<p>"],
      ...['<doc dup="0.62" cluster="1">', '<p dup="1.00">', "<p>"],
      ...['<doc dup="0.00" cluster="3">', "<p>"],
      ...['<doc dup="1.00" cluster="1">', '<p dup="1.00">'],
      ...['<doc dup="1.00" cluster="1">', '<p dup="1.00">', '<p dup="1.00">'],
    ]);
    expect(report).toMatchObject({ documentsOut: 5, details: { copies: 1 } });
    // Marks of an earlier run are replaced.
    expect((await run(text, { mark: true })).text).toBe(text);
    const whole = await run(a + b + c + d + a, { mark: true, unit: "document" });
    expect(whole.text.match(/<doc .*/g)).toEqual([
      '<doc dup="0.00" cluster="1">',
      '<doc dup="0.62" cluster="1">',
      '<doc dup="0.00" cluster="3">',
      '<doc dup="0.00" cluster="4">',
      '<doc dup="1.00" cluster="1">',
    ]);
  });
});

describe("lines", () => {
  it("that were seen before are dropped, as a set of strings has it", async () => {
    const line = fc.constantFrom("a", "b c", "d", "e f g", "h");
    const documents = fc.array(fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 3 }), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async (all, exact) => {
        const text = (made: string[][][]) =>
          made
            .map((one) => `<doc>\n${one.map((p) => `<p>\n${p.join("\n")}\n</p>\n`).join("")}</doc>\n`)
            .join("");
        const seen = new Set<string>();
        const left = all
          .map((one) =>
            one.map((p) => p.filter((l) => !seen.has(l) && seen.add(l))).filter((p) => p.length > 0),
          )
          .filter((one) => one.length > 0);
        expect((await run(text(all), { lines: true, format: "text", exact })).text).toBe(text(left));
      }),
      { numRuns: 150 },
    );
  });
});

describe("hashes", () => {
  const pairs = ({ lanes, count }: Hashes) =>
    Array.from({ length: count }, (_, i) => `${lanes[2 * i]}.${lanes[2 * i + 1]}`);

  it("of words do not meet: all strings of three letters, all numbers to a hundred thousand", () => {
    const words = new Hashes();
    const strings = new Set<string>();
    const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ.,é中";
    for (const a of letters) for (const b of letters) for (const c of letters) strings.add(a + b + c);
    for (const a of letters) for (const b of letters) strings.add(a + b).add(a);
    for (let i = 0; i < 100_000; i++) strings.add(String(i));
    for (const text of strings) pushWord(words, text, 0, text.length);
    expect(new Set(pairs(words)).size).toBe(strings.size);
  });

  it("of n-grams do not meet, not where words change places either", () => {
    for (const n of [1, 2, 7]) {
      const letters = ["a", "b", "c", "d", "e"];
      const words = new Hashes();
      const texts: string[] = [];
      let state = 1;
      for (let i = 0; i < 60_000; i++) {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        texts.push(letters[(state >>> 16) % letters.length]);
        pushWord(words, texts[i], 0, 1);
      }
      const grams = new Hashes();
      pushGrams(grams, words, 0, n);
      const byText = new Map<string, string>();
      const hashes = pairs(grams);
      for (let i = n - 1; i < texts.length; i++) {
        const text = texts.slice(i + 1 - n, i + 1).join("");
        expect(byText.get(text) ?? hashes[i]).toBe(hashes[i]);
        byText.set(text, hashes[i]);
      }
      expect(new Set(byText.values()).size).toBe(byText.size);
      const whole = new Hashes();
      pushText(whole, words, 0, n);
      expect(pairs(whole)[0]).not.toBe(hashes[n - 1]);
    }
  });

  it("of running text are of words, and of characters where no spaces are written", () => {
    const words = new Hashes();
    const text = " a bc\u00a0d\u3000日本語、x 𠀋𠀋 ไทย 한국 ";
    expect(pushWords(words, text, 0, text.length)).toBe(7);
    // a bc d | 日 本 語 、x | 𠀋 𠀋 | ไ ท ย | 한국
    expect(words.count).toBe(3 + 4 + 2 + 3 + 1);
  });
});

it("a setting that makes no sense is refused", async () => {
  for (const options of [
    { ngram: 0 },
    { ngram: 2.5 },
    { threshold: 1.5 },
    { lines: true, mark: true },
    { lines: true, format: "vertical" as const },
    { document: "a b" },
  ]) {
    await expect(run("a b", options)).rejects.toMatchObject({ code: "bad_option" });
  }
});
