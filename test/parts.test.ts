/** What subcorpora and alignments keep on disk: names, crashes, damage, corpora that change or go; and real parallel text. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  alignCorpora,
  alignedCorpus,
  alignedRanges,
  collect,
  createSubcorpus,
  Desk,
  listAlignments,
  listSubcorpora,
  removeSubcorpus,
  resolveSubcorpus,
  Subcorpus,
  type SubcorpusDefinition,
} from "../ql/index.js";
import { identify } from "../storage/catalog/process.js";
import { sweep } from "../storage/catalog/sweep.js";
import {
  Catalog,
  compactCorpus,
  type EncodeOptions,
  encodeCorpus,
  removeAlignment,
  removeCorpus,
  verifyCorpus,
} from "../storage/index.js";

const shared = join(import.meta.dirname, "../../shared/data/parallel");
/** Tests on real corpora are left out where there are none, but not where everything must be tested. */
const needsCorpora = { skip: !existsSync(shared) && process.env.CI !== "true" };

let data = "";
let serial = 0;

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), "dugong-parts-"));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

function file(text: string | Buffer, ending = "txt"): string {
  const path = join(data, `${serial++}.${ending}`);
  writeFileSync(path, text);
  return path;
}

/** Documents of three sentences of three tokens each: a0 b0 c0 … with ids. */
function text(documents: number, prefix = ""): string {
  const sentence = (n: number) => `<s id="${prefix}s${n}">\na${n}\tN\nb${n}\tV\nc${n}\tN\n</s>\n`;
  const lines = Array.from({ length: documents }, (_, d) => {
    const sentences = [0, 1, 2].map((i) => sentence(d * 3 + i));
    return `<doc id="d${d}" year="${1990 + (d % 10)}">\n${sentences.join("")}</doc>\n`;
  });
  return lines.join("");
}

async function encoded(documents: number, options: Partial<EncodeOptions> = {}): Promise<string> {
  const corpus = options.corpus ?? `c${serial++}`;
  const inputs = [file(text(documents))];
  await encodeCorpus({ data, corpus, inputs, attributes: ["word", "tag"], workers: 1, ...options });
  return corpus;
}

async function atDesk<Result>(corpus: string, ask: (desk: Desk) => Promise<Result>): Promise<Result> {
  const desk = Desk.open({ data, corpus });
  try {
    return await ask(desk);
  } finally {
    await desk.close();
  }
}

async function withCatalog<Result>(use: (catalog: Catalog) => Result): Promise<Result> {
  const catalog = Catalog.open(data);
  try {
    return use(catalog);
  } finally {
    await catalog.close();
  }
}

const parts = (corpus: string) => {
  const folder = join(data, corpus, "parts");
  return existsSync(folder) ? readdirSync(folder) : [];
};
const failing = (code: string) => expect.objectContaining({ code });
const years = (pattern: string): SubcorpusDefinition => ({
  kind: "query",
  query: `<doc year="${pattern}"/>`,
});
const tokensIn = async (desk: Desk, name: string) => (await resolveSubcorpus(desk, name)).tokens;
const problemsOf = (corpus: string) =>
  atDesk(corpus, async ({ snapshot }) => verifyCorpus(snapshot).problems);

describe("ranges in any order", () => {
  it("are the tokens that they cover", async () => {
    const corpus = await encoded(1);
    await atDesk(corpus, async ({ snapshot }) => {
      const ranges = fc.array(fc.tuple(fc.nat(40), fc.nat(5)), { maxLength: 20 });
      fc.assert(
        fc.property(ranges, (all) => {
          const columns = {
            begins: Uint32Array.from(all, ([begin]) => begin),
            ends: Uint32Array.from(all, ([begin, length]) => begin + length),
          };
          const wanted = new Set(all.flatMap(([b, n]) => Array.from({ length: n }, (_, i) => b + i)));
          const { begins, ends, tokens } = Subcorpus.ofAny(snapshot, columns);
          const got = [...begins].flatMap((b, i) => Array.from({ length: ends[i] - b }, (_, k) => b + k));
          expect(got).toEqual([...wanted].sort((a, b) => a - b));
          expect(tokens).toBe(wanted.size);
        }),
      );
    });
  });
});

describe("a subcorpus with a name", () => {
  it("is refused under a name that cannot be one, or that is taken, and not found under another", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, async (desk) => {
      for (const name of ["", "a b", "-a", ".a", "a/b", "x".repeat(101)])
        await expect(createSubcorpus(desk, name, years("199."))).rejects.toThrow(failing("bad_name"));
      await createSubcorpus(desk, "early", years("199[0-4]"));
      await expect(createSubcorpus(desk, "early", years("199."))).rejects.toThrow(
        failing("subcorpus_exists"),
      );
      await expect(resolveSubcorpus(desk, "erly")).rejects.toThrow(
        expect.objectContaining({ code: "no_subcorpus", hint: "Did you mean early?" }),
      );
      const bad = { kind: "sum", of: [] } as unknown as SubcorpusDefinition;
      await expect(createSubcorpus(desk, "x", bad)).rejects.toThrow(failing("bad_subcorpus"));
      await expect(
        createSubcorpus(desk, "x", { kind: "values", structure: "doc", attribute: "yer", values: [] }),
      ).rejects.toThrow(failing("unknown_attribute"));
      expect(listSubcorpora(desk).map(({ name }) => name)).toEqual(["early"]);
      expect(parts(corpus)).toHaveLength(1);
    });
  });

  it("stays what it is when one that it was made of is replaced or removed", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, async (desk) => {
      await createSubcorpus(desk, "a", years("199[0-4]"));
      await createSubcorpus(desk, "b", years("199[4-9]"));
      await createSubcorpus(desk, "both", { kind: "intersection", of: ["a", "b"] });
      const inside = {
        kind: "hits",
        chain: [{ step: "query", query: '[word="a.*"]', subcorpus: "a" }],
      } as const;
      const chain: SubcorpusDefinition = { ...inside, chain: [...inside.chain] };
      await createSubcorpus(desk, "inside", chain);
      const { hits: before } = await collect(desk, [{ step: "query", query: "[]", subcorpus: "a" }]);
      expect(before.count).toBe(45);
      await createSubcorpus(desk, "a", years("1990"), { replace: true });
      removeSubcorpus(desk, "b");
      const { hits: after } = await collect(desk, [{ step: "query", query: "[]", subcorpus: "a" }]);
      expect(after.count).toBe(9);
      expect([await tokensIn(desk, "both"), await tokensIn(desk, "inside")]).toEqual([9, 15]);
      expect(listSubcorpora(desk).map(({ description }) => description)).toEqual([
        '<doc year="1990"/>',
        "intersection of a, b",
        'hits of [word="a.*"]',
      ]);
      expect(parts(corpus)).toHaveLength(3);
    });
  });

  it("that another has given another meaning is asked anew where results are kept", async () => {
    const corpus = await encoded(4);
    await atDesk(corpus, async (desk) => {
      const of = years;
      const ask = async () =>
        (await collect(desk, [{ step: "query", query: "[]", subcorpus: "some" }])).hits.count;
      await createSubcorpus(desk, "some", of("1990"));
      expect(await ask()).toBe(9);
      await atDesk(corpus, (other) => createSubcorpus(other, "some", of("199[01]"), { replace: true }));
      expect(await ask()).toBe(18);
    });
  });

  it("is the hits of a chain, whatever order they are in", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, async (desk) => {
      const hits: SubcorpusDefinition = {
        kind: "hits",
        chain: [{ step: "query", query: '[tag="N"]' }, { step: "shuffle" }],
      };
      await createSubcorpus(desk, "nouns", hits);
      expect(await tokensIn(desk, "nouns")).toBe(60);
      const { hits: found } = await collect(desk, [{ step: "query", query: "[]", subcorpus: "nouns" }]);
      const wanted = await collect(desk, [{ step: "query", query: '[tag="N"]' }]);
      expect(found.begins).toEqual(wanted.hits.begins);
    });
  });

  it("takes a list of a hundred thousand values, and says which of them nothing has", async () => {
    const ids = Array.from({ length: 100_000 }, (_, i) => `x${i}`);
    const input = file(ids.map((id, i) => `<doc id="${id}" key="${id}">\nw${i}\n</doc>\n`).join(""));
    const corpus = `c${serial++}`;
    await encodeCorpus({
      data,
      corpus,
      inputs: [input],
      attributes: ["word"],
      unique: ["doc.key"],
      workers: 1,
    });
    await atDesk(corpus, async (desk) => {
      for (const attribute of ["id", "key"]) {
        const values = [...ids.filter((_, i) => i % 2 === 0), "nowhere"];
        const definition: SubcorpusDefinition = { kind: "values", structure: "doc", attribute, values };
        const { size, notices } = await createSubcorpus(desk, attribute, definition);
        expect(size).toMatchObject({ tokens: 50_000, documents: 50_000, ranges: 50_000, share: 0.5 });
        expect(notices).toEqual([
          { code: "unknown_values", message: `1 of 50,001 values are of no doc.${attribute}: "nowhere"` },
        ]);
      }
    });
    await atDesk(corpus, async (desk) => expect(await tokensIn(desk, "key")).toBe(50_000));
  });

  it("is made again when the corpus is encoded anew, and what it was before is removed", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, async (desk) => {
      await createSubcorpus(desk, "early", years("199[0-4]"));
      await createSubcorpus(desk, "late", years("199[5-9]"));
    });
    await encoded(20, { corpus, replace: true });
    expect(parts(corpus)).toEqual([]);
    await atDesk(corpus, async (desk) => {
      expect(listSubcorpora(desk).map(({ size }) => size)).toEqual([null, null]);
      expect(await tokensIn(desk, "early")).toBe(90);
      expect(listSubcorpora(desk).map(({ size }) => size?.tokens)).toEqual([90, undefined]);
    });
    expect(parts(corpus)).toHaveLength(1);
    await removeCorpus({ data, corpus });
    await encoded(10, { corpus });
    await atDesk(corpus, async (desk) => expect(listSubcorpora(desk)).toEqual([]));
  });

  it("that was damaged is told of by verify, and not used", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, (desk) => createSubcorpus(desk, "early", years("199[0-4]")));
    expect(await problemsOf(corpus)).toEqual([]);
    const path = join(data, corpus, "parts", parts(corpus)[0]);
    const good = readFileSync(path);
    for (const at of [70, 90]) {
      const bad = Buffer.from(good);
      bad[at] ^= 4;
      writeFileSync(path, bad);
      expect(await problemsOf(corpus)).toHaveLength(1);
      await atDesk(corpus, (desk) =>
        expect(resolveSubcorpus(desk, "early")).rejects.toThrow(failing("broken_file")),
      );
    }
    rmSync(path);
    expect(await problemsOf(corpus)).toEqual([`${path} is missing`]);
  });

  it("leaves nothing behind when its writer dies, and its file alone while it lives", async () => {
    const corpus = await encoded(10);
    await atDesk(corpus, (desk) => createSubcorpus(desk, "early", years("199[0-4]")));
    const folder = join(data, corpus, "parts");
    const [named] = parts(corpus);
    await withCatalog((catalog) => {
      const { database } = catalog;
      database.putSync(["writing", corpus, 101], identify());
      database.putSync(["writing", corpus, 102], { pid: process.pid, started: "another" });
    });
    for (const name of ["101.ranges", "102.ranges", "103.ranges"]) writeFileSync(join(folder, name), "");
    await withCatalog((catalog) => sweep(catalog, corpus));
    expect(parts(corpus).sort()).toEqual([named, "101.ranges"].sort());
    expect(await withCatalog(({ database }) => database.doesExist(["writing", corpus, 102]))).toBe(false);
    await compactCorpus({ data, corpus });
    await atDesk(corpus, async (desk) => expect(await tokensIn(desk, "early")).toBe(45));
  });
});

describe("an alignment", () => {
  const sentences = async (rows: string, options: object = {}) => {
    const [a, b] = [await encoded(2), await encoded(2)];
    const mapping = file(rows);
    const result = await alignCorpora({
      data,
      corpus: a,
      other: b,
      structure: "s",
      file: mapping,
      ...options,
    });
    return { a, b, result };
  };

  it("is read as Manatee writes it, with what is odd counted and placed", async () => {
    const rows = [
      "0\t0",
      "1,2\t1",
      "-1\t2",
      "3:4\t3:4",
      "5\t9",
      "x\t1",
      "5",
      "0\t5",
      "3:4\t3:5",
      "4,2\t1",
      "",
    ];
    const { a, b, result } = await sentences(rows.join("\r\n"));
    expect(result).toMatchObject({ beads: 7, pairs: 5, aligned: [6, 6], total: [6, 6] });
    expect(result.warnings).toEqual([
      {
        kind: "unknown_number",
        corpus: b,
        message: `numbers of s that ${b} does not have (it has 6)`,
        count: 1,
        places: [{ line: 5, what: "9" }],
      },
      {
        kind: "bad_row",
        message: "rows that say nothing; they are left out",
        count: 4,
        places: [
          { line: 6, what: "x\t1" },
          { line: 7, what: "5" },
          { line: 9, what: "3:4\t3:5" },
          { line: 10, what: "4,2\t1" },
        ],
      },
      {
        kind: "overlap",
        message: "structures stand in several rows; they are aligned with all that those name",
        count: 1,
        places: [{ line: 8, what: "s 0" }],
      },
    ]);
    await atDesk(a, async (desk) => {
      expect(alignedCorpus(desk, b).citation).toBe(`${b}@1`);
      expect(alignedRanges(desk, b, 0, 1)).toEqual([
        [0, 3],
        [15, 18],
      ]);
      expect(alignedRanges(desk, b, 5, 7)).toEqual([[3, 6]]);
      expect(alignedRanges(desk, b, 9, 18)).toEqual([[9, 15]]);
      expect(alignedRanges(desk, b, 15, 18)).toEqual([]);
    });
    await atDesk(b, async (desk) => {
      expect(alignedRanges(desk, a, 4, 5)).toEqual([[3, 9]]);
      expect(alignedRanges(desk, a, 6, 9)).toEqual([]);
    });
  });

  it("is read by the values of an attribute, one, several or from one to another", async () => {
    const rows = gzipSync("s0\ts1\ns1,s2\ts0\ns3..s5\ts3,nowhere\n");
    const [a, b] = [await encoded(2), await encoded(2)];
    const result = await alignCorpora({
      data,
      corpus: a,
      other: b,
      structure: "s",
      attribute: "id",
      file: file(rows, "gz"),
    });
    expect(result).toMatchObject({ beads: 3, pairs: 3, aligned: [6, 3] });
    expect(result.warnings).toMatchObject([
      { kind: "unknown_value", corpus: b, count: 1, places: [{ line: 3, what: '"nowhere"' }] },
    ]);
    await atDesk(b, async (desk) => expect(alignedRanges(desk, a, 9, 10)).toEqual([[9, 18]]));
  });

  it("is refused where nothing is aligned, a file is missing, or there is one already", async () => {
    const { a, b } = await sentences("0\t0\n");
    const again = { data, corpus: b, other: a, structure: "s" };
    await expect(alignCorpora({ ...again, attribute: "id" })).rejects.toThrow(failing("alignment_exists"));
    const nothing = alignCorpora({ ...again, file: file("77\t88\n"), replace: true });
    await expect(nothing).rejects.toThrow(failing("nothing_aligned"));
    const missing = alignCorpora({ ...again, file: join(data, "none"), replace: true });
    await expect(missing).rejects.toThrow(/ENOENT/);
    await expect(alignCorpora({ ...again, other: b })).rejects.toThrow(failing("bad_option"));
    await expect(alignCorpora({ ...again, structure: "sx", replace: true })).rejects.toThrow(
      failing("unknown_structure"),
    );
    // The one there was is untouched; and then the other takes its place, in the folder of the corpus named first.
    await atDesk(a, async (desk) => expect(alignedRanges(desk, b, 0, 9)).toEqual([[0, 3]]));
    await atDesk(a, async (desk) => {
      expect(alignedRanges(desk, b, 0, 9)).toEqual([[0, 3]]);
      await alignCorpora({ ...again, attribute: "id", replace: true });
      expect(alignedRanges(desk, b, 0, 9)).toEqual([[0, 9]]);
    });
    expect([parts(a), parts(b)].map((names) => names.length)).toEqual([0, 1]);
    await withCatalog((catalog) => removeAlignment(catalog, a, b));
    expect(parts(b)).toEqual([]);
    await atDesk(a, async (desk) =>
      expect(() => alignedRanges(desk, b, 0, 9)).toThrow(failing("no_alignment")),
    );
  });

  it("of a corpus that was encoded anew is made again by matching, and refused from a file", async () => {
    const { a, b } = await sentences("0\t0\n");
    const c = await encoded(2);
    await alignCorpora({ data, corpus: a, other: c, structure: "s", attribute: "id" });
    const inputs = [file(text(3).replace("<doc", "<doc>\nx\tN\n</doc>\n<doc"))];
    await encodeCorpus({ data, corpus: a, inputs, attributes: ["word", "tag"], replace: true });
    await atDesk(a, async (desk) => {
      expect(() => alignedRanges(desk, b, 0, 9)).toThrow(failing("alignment_outdated"));
      expect(alignedRanges(desk, c, 1, 2)).toEqual([[0, 3]]);
    });
    const stored = (await listAlignments(data, c)).map(({ sides }) => sides.map(({ snapshot }) => snapshot));
    expect(stored).toEqual([[2, 1]]);
    expect(await problemsOf(a)).toEqual([]);
  });

  it("goes with either of its corpora", async () => {
    for (const removed of [0, 1]) {
      const { a, b } = await sentences("0\t0\n");
      const [gone, stays] = removed === 0 ? [a, b] : [b, a];
      await removeCorpus({ data, corpus: gone });
      expect(await listAlignments(data, stays)).toEqual([]);
      expect(parts(stays)).toEqual([]);
      await expect(listAlignments(data, gone)).rejects.toThrow(failing("no_corpus"));
    }
  });

  it("that was damaged is told of by verify", async () => {
    const { a } = await sentences("0\t0\n1\t1,2\n");
    const path = join(data, a, "parts", parts(a)[0]);
    const bad = readFileSync(path);
    bad[80] ^= 1;
    writeFileSync(path, bad);
    expect(await problemsOf(a)).toHaveLength(1);
  });
});

describe("the parallel treebanks", needsCorpora, () => {
  /** Sentences by id, each as its lemmas. */
  function sentencesOf(language: string): Map<string, string[]> {
    const all = new Map<string, string[]>();
    let own: string[] = [];
    const gz = readFileSync(join(shared, `${language}_pud-ud-test.conllu.gz`));
    for (const line of gunzipSync(gz).toString().split("\n")) {
      const [, id] = /^# sent_id = (.*)/.exec(line) ?? [];
      if (id) {
        own = [];
        all.set(id, own);
      } else if (/^\d+\t/.test(line)) own.push(line.split("\t")[2]);
    }
    return all;
  }

  it("are asked together, sentence by sentence, in both directions and over threads", async () => {
    for (const corpus of ["en", "de", "cs", "fr"]) {
      const inputs = [join(shared, `${corpus}_pud-ud-test.conllu.gz`)];
      await encodeCorpus({ data, corpus, inputs, format: "conllu", workers: 1 });
    }
    for (const other of ["de", "cs", "fr"]) {
      const result = await alignCorpora({ data, corpus: "en", other, structure: "s", attribute: "id" });
      expect(result).toMatchObject({ beads: 1000, pairs: 1000, warnings: [] });
    }
    const [en, de, cs] = [sentencesOf("en"), sentencesOf("de"), sentencesOf("cs")];
    const count = (all: Map<string, string[]>, lemma: string, keep: (id: string) => boolean) =>
      [...all].reduce(
        (sum, [id, lemmas]) => sum + (keep(id) ? lemmas.filter((own) => own === lemma).length : 0),
        0,
      );
    const cases: [corpus: string, query: string, hits: number][] = [
      [
        "en",
        '[lemma=="city"] within de: [lemma=="Stadt"]',
        count(en, "city", (id) => de.get(id)!.includes("Stadt")),
      ],
      [
        "en",
        '[lemma=="city"] !within de: [lemma=="Stadt"]',
        count(en, "city", (id) => !de.get(id)!.includes("Stadt")),
      ],
      [
        "de",
        '[lemma=="Stadt"] within en: [lemma=="city"]',
        count(de, "Stadt", (id) => en.get(id)!.includes("city")),
      ],
      [
        "en",
        '[lemma=="year"] within de: [lemma=="Jahr"] within cs: [lemma=="rok"]',
        count(en, "year", (id) => de.get(id)!.includes("Jahr") && cs.get(id)!.includes("rok")),
      ],
      [
        "de",
        '[lemma=="Jahr"] within en: ([] within cs: [lemma=="rok"])',
        count(de, "Jahr", (id) => cs.get(id)!.includes("rok")),
      ],
    ];
    for (const workers of [1, 2]) {
      for (const [corpus, query, hits] of cases) {
        const desk = Desk.open({ data, corpus, workers });
        const prepared = desk.engine.prepare(query);
        expect([query, hits > 0, await desk.engine.count(prepared)]).toEqual([query, true, hits]);
        prepared.ground.release();
        await desk.close();
      }
    }
    await atDesk("de", async (desk) =>
      expect(() => desk.engine.prepare('"a" within cs: []')).toThrow(failing("no_alignment")),
    );
  });
});
