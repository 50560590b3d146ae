/** Spaces of real corpora: what `space-build` makes of text, before and after an append, killed or not, and of files that are damaged. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appendToCorpus,
  buildSpace,
  Catalog,
  compactCorpus,
  dumpSpace,
  END,
  encodeCorpus,
  openCorpus,
  openSpace,
  pageRanks,
  parseConditions,
  readLinks,
  removeSpace,
  type Space,
  type SpaceBuildOptions,
  spaceRecords,
  verifyCorpus,
  verifySpace,
} from "../../storage/index.js";
import { dugong } from "../crash/command.js";

interface Doc {
  id: string;
  year?: number;
  date?: string;
  genre?: string;
  sentences: [word: string, tag: string][][];
}

let data = "";
const seed = Number(process.env.DUGONG_SEED ?? Date.now() % 1_000_000);
let state = seed + 1;
function below(count: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return Math.floor((state / 2_147_483_647) * count);
}

function makeDocs(first: number, count: number): Doc[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `d${first + i}`,
    ...(below(5) > 0 && { year: 1950 + below(70) }),
    ...(below(9) > 0 && { date: `20${10 + below(10)}-0${1 + below(9)}-1${below(10)}` }),
    ...(below(4) > 0 && { genre: ["news", "fiction", "law and order"][below(3)] }),
    sentences: Array.from({ length: 1 + below(6) }, () =>
      Array.from({ length: 1 + below(12) }, (): [string, string] => [
        `w${Math.floor(below(30) * (below(100) / 100))}`,
        "NVX"[below(3)],
      ]),
    ),
  }));
}

function vertical(docs: Doc[]): string {
  const attribute = (name: string, value: unknown) => (value === undefined ? "" : ` ${name}="${value}"`);
  return docs
    .map(({ id, year, date, genre, sentences }) => {
      const head = `<doc id="${id}"${attribute("year", year)}${attribute("date", date)}${attribute("genre", genre)}>`;
      const body = sentences.map((own) => `<s>\n${own.map((token) => token.join("\t")).join("\n")}\n</s>`);
      return `${head}\n${body.join("\n")}\n</doc>\n`;
    })
    .join("");
}

const docs = makeDocs(0, 120);
const more = makeDocs(120, 40);
const all = [...docs, ...more];

/** Documents by links: a chain towards d0, and some of elsewhere. */
const links = `${all.map(({ id }, i) => `${id}\td${Math.floor(i / 2)}`).join("\n")}\nelsewhere\td3\n`;

beforeAll(async () => {
  console.log(`DUGONG_SEED=${seed}`);
  data = mkdtempSync(join(tmpdir(), "dugong-space-"));
  writeFileSync(join(data, "first.vert"), vertical(docs));
  writeFileSync(join(data, "more.vert"), vertical(more));
  writeFileSync(join(data, "links.tsv"), links);
  await encodeCorpus({
    ...{ data, corpus: "c", inputs: [join(data, "first.vert")], attributes: ["word", "tag"] },
    ...{ segmentBytes: 2000, workers: 1 },
  });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const build = (options: Partial<SpaceBuildOptions> & { dimensions: string }) =>
  buildSpace({ data, corpus: "c", ...options });

async function withSpace<Result>(name: string, work: (space: Space) => Result): Promise<Result> {
  const snapshot = openCorpus({ data, corpus: "c" });
  const space = openSpace(snapshot, name);
  try {
    return work(space);
  } finally {
    space.close();
    await snapshot.close();
  }
}

/** Units and values of all points, as lines, sorted. */
const pointsOf = (space: Space) =>
  [...dumpSpace(space)]
    .flat()
    .map(({ unit, values }) => [unit, ...Object.values(values)].join(" "))
    .sort();

const wordsOf = ({ sentences }: Doc) => [...new Set(sentences.flat().map(([word]) => word))];
const lengthOf = ({ sentences }: Doc) => sentences.flat().length;
/** The least length that has the same coordinate. */
const lengthCell = (length: number) => Math.floor(8 * Math.log2(length));

function documentLines(list: Doc[], first = 0): string[] {
  return list
    .flatMap((doc, i) => {
      let least = lengthOf(doc);
      while (least > 1 && lengthCell(least - 1) === lengthCell(lengthOf(doc))) least--;
      return wordsOf(doc).map((word) => [first + i, word, doc.year ?? "", least, doc.genre ?? ""].join(" "));
    })
    .sort();
}

describe("a space of documents", () => {
  const dimensions = "word,year,length,genre";

  it("has a point for each different word of each, with the document's values", async () => {
    const { record, known } = await build({ dimensions });
    expect(known).toBe(false);
    expect(record).toMatchObject({ unit: "doc", units: 120, beyond: [0, 0, 0, 0] });
    expect(record.dimensions.map(({ kind, single }) => [kind, single])).toEqual([
      ["word", false],
      ["linear", true],
      ["logarithmic", true],
      ["category", true],
    ]);
    await withSpace("default", (space) => expect(pointsOf(space)).toEqual(documentLines(docs)));
    expect((await build({ dimensions })).known).toBe(true);
  });

  it("answers conditions as a scan of the documents does", async () => {
    const asked: [string, (doc: Doc) => boolean][] = [
      ["year>=1990", ({ year }) => year !== undefined && year >= 1990],
      [
        "year<1990 and genre=news",
        ({ year, genre }) => year !== undefined && year < 1990 && genre === "news",
      ],
      [
        'genre="law and order", year>1960',
        ({ year, genre }) => genre === "law and order" && (year ?? 0) > 1960,
      ],
      ["year=1977 & length<=1000", ({ year }) => year === 1977],
      ["genre=poetry", () => false],
      ["year>3000", () => false],
    ];
    await withSpace("default", (space) => {
      for (const [text, fits] of asked) {
        const cursor = space.units(space.box(parseConditions(text)));
        const units: number[] = [];
        expect(cursor.position).toBe(-1);
        const { remaining } = cursor;
        for (let unit = cursor.next(); unit !== END; unit = cursor.next()) units.push(unit);
        expect([cursor.position, cursor.next(), cursor.seek(3)]).toEqual([END, END, END]);
        expect(units).toEqual([...docs.keys()].filter((i) => fits(docs[i])));
        expect(remaining).toBeGreaterThanOrEqual(units.length);
      }
      expect(() => space.box(parseConditions("yaer>1990"))).toThrow(/no dimension "yaer".*word, year/);
      expect(() => space.box(parseConditions("genre>news"))).toThrow(/with = alone/);
      expect(() => space.box(parseConditions("year>soon"))).toThrow(/no number/);
      expect(() => parseConditions("year>=1990 and and")).toThrow(/cannot read the condition at 1[56]/);
    });
  });

  it("gives units with several words, newest first, as a scan does", async () => {
    await withSpace("default", (space) => {
      for (let i = 0; i < 30; i++) {
        const words = Array.from({ length: 1 + below(3) }, () => `w${below(8)}`);
        const boxes = words.map((value) => space.box([{ dimension: "word", operator: "=", value }]));
        const fits = docs.filter((doc) => words.every((word) => wordsOf(doc).includes(word)));
        expect(space.countOfAll(boxes)).toBe(fits.length);
        const top = space.topOfAll(boxes, space.weights({ year: -1 }), 7);
        const years = [...top.units.subarray(0, top.count)].map((unit) => docs[unit].year);
        // Documents without a year have the last coordinate.
        const expected = fits.map(({ year }) => year ?? 3000).sort((a, b) => b - a);
        expect(years.map((year) => year ?? 3000)).toEqual(expected.slice(0, 7));
      }
      expect(() => space.topOfAll([], space.weights({ word: 1 }), 3)).toThrow(/one value of/);
      const years = space.coordinatesOfUnits(space.dimension("year"));
      expect([...years].map((at) => space.value(1, at))).toEqual(docs.map(({ year }) => String(year ?? "")));
    });
  });

  it("gets one more segment when text was appended, by the same scales, and goes on after compaction", async () => {
    await appendToCorpus({
      data,
      corpus: "c",
      inputs: [join(data, "more.vert")],
      workers: 1,
      compact: false,
    });
    const { record, kept } = await build({ dimensions });
    expect(kept).toBe(documentLines(docs).length);
    expect(record.segments.map(({ unitBase, units }) => [unitBase, units])).toEqual([
      [0, 120],
      [120, 40],
    ]);
    const years = docs.flatMap(({ year }) => (year === undefined ? [] : [year]));
    const [low, high] = [Math.min(...years), Math.max(...years)];
    const within = (doc: Doc) => ({
      ...doc,
      ...(doc.year && { year: Math.max(low, Math.min(high, doc.year)) }),
    });
    const lines = [...documentLines(docs), ...documentLines(more.map(within), 120)].sort();
    expect(record.beyond[1]).toBe(more.filter(({ year }) => year && (year < low || year > high)).length);
    await withSpace("default", (space) => expect(pointsOf(space)).toEqual(lines));
    const words = ["w0", "w1"];
    const both = all.filter((doc) => words.every((word) => wordsOf(doc).includes(word)));
    const countBoth = (space: Space) =>
      space.countOfAll(words.map((value) => space.box([{ dimension: "word", operator: "=", value }])));
    expect(await withSpace("default", countBoth)).toBe(both.length);
    await compactCorpus({ data, corpus: "c" });
    expect(await withSpace("default", countBoth)).toBe(both.length);
    expect((await build({ dimensions })).known).toBe(true);
  });
});

describe("spaces of other units and dimensions", () => {
  it("are of sentences, by words with their tags", async () => {
    const { record } = await build({ unit: "s", dimensions: "word+tag,doc.id:category", name: "s" });
    const lines = all
      .flatMap(({ id, sentences }) => sentences.map((own) => ({ id, own })))
      .flatMap(({ id, own }, unit) =>
        [...new Set(own.map((token) => token.join("/")))].map((word) => `${unit} ${word} ${id}`),
      );
    expect(record.units).toBe(all.flatMap(({ sentences }) => sentences).length);
    await withSpace("s", (space) => {
      expect(pointsOf(space)).toEqual(lines.sort());
      const box = space.box([{ dimension: "word+tag", operator: "=", value: "w1/N" }]);
      expect(space.count(box)).toBe(lines.filter((line) => line.split(" ")[1] === "w1/N").length);
    });
  });

  it("are of tokens, with what they lie in", async () => {
    await build({ unit: "token", dimensions: "word,tag,date", name: "t" });
    const lines = all
      .flatMap(({ date, sentences }) => sentences.flat().map((token) => [...token, date ?? ""]))
      .map((values, position) => [position, ...values].join(" "));
    await withSpace("t", (space) => {
      expect(pointsOf(space)).toEqual(lines.sort());
      const box = space.box(parseConditions("date>=2012-05 and date<2014"));
      const fits = ({ date = "" }: Doc) => date >= "2012-05" && date < "2014" && date !== "";
      expect(space.count(box)).toBe(all.filter(fits).reduce((sum, doc) => sum + lengthOf(doc), 0));
    });
  });

  it("have PageRank and recency near the origin", async () => {
    const { links: found } = await build({
      dimensions: "rank,recency",
      ...{ name: "r", links: join(data, "links.tsv"), linkAttribute: "id" },
    });
    expect(found).toMatchObject({ pages: 161, documents: 160, badLines: 0 });
    const table = await readLinks(join(data, "links.tsv"));
    const { ranks } = pageRanks(table.graph);
    await withSpace("r", (space) => {
      const best = space.top(space.everything(), space.weights({ rank: 1 }), 160);
      const order = [...best.units].map((unit) => ranks[table.numbers.get(all[unit].id)!]);
      expect(order[0]).toBe(Math.max(...ranks));
      // A cell of the scale has several ranks where there are more of them than cells; here there are not.
      expect(order).toEqual([...order].sort((a, b) => b - a));
      const newest = space.top(space.everything(), space.weights({ recency: 1 }), 1);
      const dates = all.flatMap(({ date }) => date ?? []).sort();
      expect(all[newest.units[0]].date).toBe(dates.at(-1));
    });
    await expect(build({ dimensions: "word,rank", name: "x" })).rejects.toThrow(/link table/);
    await expect(
      build({ dimensions: "word,rank", name: "x", links: join(data, "links.tsv"), linkAttribute: "genre" }),
    ).rejects.toThrow(/names no doc/);
  });

  it("say what is wrong with what was asked for", async () => {
    const wrong: [string, RegExp][] = [
      ["word", /2 to 8 dimensions/],
      ["word,year,word", /twice/],
      ["word,tag", /one dimension can be words/],
      ["word,yaer", /"yaer".*there are word/],
      ["word,year:line", /no scale "line"/],
      ["word,year:linear:0", /0 cells/],
      ["word,genre:linear", /no value of doc.genre is a number/],
      ["word:linear,year", /words have no scale/],
    ];
    for (const [dimensions, message] of wrong) await expect(build({ dimensions })).rejects.toThrow(message);
    await expect(build({ unit: "p", dimensions: "word,year" })).rejects.toThrow(/no structure "p"/);
  });
});

describe("a build of a space", () => {
  const args = ["space-build", "c", "--dimensions", "word,year,length", "--name", "killed", "--json"];

  it("that is killed goes on when it is asked for again, and ends in the same bytes", async () => {
    const bytes = async () => {
      const catalog = Catalog.open(data);
      const [record] = spaceRecords(catalog, "c").filter(({ name }) => name === "killed");
      const content = readFileSync(join(data, "c", "parts", record.segments[0].file));
      removeSpace(catalog, "c", "killed");
      await catalog.close();
      return content;
    };
    await build({ dimensions: "word,year,length", name: "killed" });
    const whole = await bytes();
    for (let killed = 0; killed < 4; ) {
      const from = ['"phase":"plan"', '"phase":"points"', '"phase":"order"'][below(3)];
      const outcome = await dugong([...args, "--data", data], { killAfterMs: below(25), from });
      if (outcome.code === null) killed++;
      else expect((await bytes()).equals(whole)).toBe(true);
    }
    const last = await dugong([...args, "--data", data]);
    expect(last.code, last.stderr).toBe(0);
    expect((await bytes()).equals(whole)).toBe(true);
    expect(readdirSync(join(data, "c", "spacing"))).toEqual([]);
  }, 60_000);
});

describe("a space that is damaged", () => {
  it("is refused or reported, wherever a byte was changed, and says what to do", async () => {
    await build({ dimensions: "word,year,genre", name: "bad" });
    const catalog = Catalog.open(data);
    const [record] = spaceRecords(catalog, "c").filter(({ name }) => name === "bad");
    await catalog.close();
    const path = join(data, "c", "parts", record.segments[0].file);
    const good = readFileSync(path);
    const snapshot = openCorpus({ data, corpus: "c" });
    expect(verifySpace(snapshot, "bad").problems).toEqual([]);
    for (let i = 0; i < 150; i++) {
      const bytes = Buffer.from(good);
      bytes[below(bytes.length)] ^= 1 << below(8);
      writeFileSync(path, bytes);
      const { problems } = verifySpace(snapshot, "bad");
      expect(problems.length).toBeGreaterThan(0);
      expect(problems[0]).toContain(path);
      // What is not refused may be wrong, but comes to an end.
      try {
        const space = openSpace(snapshot, "bad");
        space.top(space.everything(), space.weights({ year: 1 }), 5);
        space.units(space.box([{ dimension: "year", operator: ">", value: "1980" }])).next();
        space.close();
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/broken_file|wrong_version/) });
      }
    }
    writeFileSync(path, good);
    truncateSync(path, good.length - 100);
    expect(() => openSpace(snapshot, "bad")).toThrow(/should have/);
    expect(verifyCorpus(snapshot, { quick: true }).problems).toEqual([expect.stringContaining(path)]);
    rmSync(path);
    expect(verifySpace(snapshot, "bad").problems).toEqual([expect.stringContaining("is missing")]);
    writeFileSync(path, good);
    expect(verifyCorpus(snapshot).problems).toEqual([]);
    await snapshot.close();
  });
});
