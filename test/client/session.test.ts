/** The client library with a real server on a real socket, and with one in this process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, connect, type DugongClientError, type Session } from "../../client/index.js";
import { computeSketches, computeThesaurus } from "../../ql/index.js";
import { type RunningServer, startServer } from "../../server/index.js";
import { makeLarge, temporaryFolder } from "../server/corpora.js";
import { encodeTales } from "./corpus.js";

const { folder: data, remove } = temporaryFolder();
const config = { port: 0, logLevel: "silent", threads: 2, graceMs: 200 } as const;
/** Of the tales. */
const goes = '[lemma="go"]';
const hits = 4025;
/** Takes seconds. */
const slow = '[tag="A|C"] []{0,40} [tag="B"] []{0,40} [word="w7"] []{0,40} [tag="D"]';

/** About one. */
const shorter = '1:[tag="A|B"] []{0,4} 2:[tag="C|D"] & 1.word = 2.word';

const grammar = `*STRUCTLIMIT s
*DEFAULTATTR tag
*DUAL
=modifier/modifies
1:"NOUN" 2:"ADJ"
2:"ADJ" 1:"NOUN"
*DUAL
=object/object_of
1:"VERB" "DET" 2:"NOUN"
*UNARY
=plural
1:[word=".*s" & tag="NOUN"]`;

let server: RunningServer;
let session: Session;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const thrown = (promise: Promise<unknown>): Promise<DugongClientError> =>
  promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error) => error,
  );

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let i = 0; !(await holds()); i++) {
    if (i === 500) throw new Error("it did not come to that");
    await pause(10);
  }
}

beforeAll(async () => {
  await encodeTales(data, data);
  await computeSketches({ ...{ data, corpus: "tales", grammarName: "tales.wsdef" }, grammar });
  await computeThesaurus({ data, corpus: "tales" });
  await makeLarge(data, "large", 1_000_000);
  server = await startServer({ data, config, version: "test" });
  session = await connect(server.address);
});

afterAll(async () => {
  await session.close();
  await server.close(0);
  remove();
});

/** All verbs, whoever is asked. */
function answers(opened: () => Session): void {
  const tales = () => opened().corpus("tales");

  it("describes corpora", async () => {
    const corpora = await opened().corpora();
    expect(corpora.map(({ name }) => name).sort()).toEqual(["large", "tales"]);
    const { tokens, attributes, structures } = await tales().describe();
    expect(tokens).toBe(64_810);
    expect(Object.keys(attributes)).toEqual(expect.arrayContaining(["word", "lemma", "tag"]));
    expect(Object.keys(structures.doc.attributes)).toEqual(["id", "year", "author"]);
    const values = await tales().values("lemma", { prefix: "ma" }).all();
    expect(values).toEqual([{ value: "make", frequency: 4008 }]);
    expect((await tales().snapshots()).current).toBe(1);
    expect(await opened().ping()).toBeGreaterThan(0);
  });

  it("sketches words, and finds those that are used alike", async () => {
    const { head, count, relations } = await tales().sketch("whale", { cluster: true });
    expect([head, count]).toEqual([
      "whale-n",
      await tales()
        .count('[lemma="whale"]')
        .then(({ hits: { value } }) => value),
    ]);
    expect(relations.map(({ name }) => name).sort()).toEqual(["modifier", "object_of"]);
    const [modifier] = relations.filter(({ name }) => name === "modifier");
    const [old] = modifier.items.filter(({ collocate }) => collocate === "old-j");
    expect(old.example).toContain("old whale");
    const lines = await tales().count('[ws("whale-n","modifier","old-j")]');
    expect(lines.hits.value).toBe(old.count);
    expect(modifier.clusters!.flat().sort()).toEqual(modifier.items.map(({ collocate }) => collocate).sort());
    const reverse = await tales().sketch("old", { reverse: true, relations: ["modifier"] });
    expect(reverse.relations[0].items).toContainEqual(
      expect.objectContaining({ collocate: "whale-n", count: old.count, score: old.score }),
    );
    const { relations: sailors } = await tales().sketch("sailor");
    expect(sailors.find(({ name }) => name === "plural")).toMatchObject({ kind: "unary", share: 1 });
    const near = await tales().thesaurus("whale", { limit: 3, cluster: true });
    expect(near).toMatchObject({ stored: true, minCount: 5, corpus: "tales@1" });
    expect(near.items).toHaveLength(3);
    const diff = await tales().sketchDiff("whale", { other: "ship", relations: ["modifier"] });
    expect(diff.relations[0].common.length).toBe(4);
    expect((await thrown(tales().sketch("whale", { sketches: "none" }))).code).toBe("no_sketches");
  });

  it("prepares, counts, and says where an error is", async () => {
    const prepared = await tales().prepare(goes);
    expect(prepared).toMatchObject({ canonical: goes, diagnostics: [], hits: { value: hits } });
    expect(await tales().analyze(goes)).toMatchObject({
      canonical: goes,
      hits: { value: hits, certainty: "exact" },
      plan: { rows: hits },
    });
    expect(await tales().count(goes)).toMatchObject({
      hits: { value: hits, certainty: "exact" },
      corpus: "tales@1",
    });
    const wrong = await tales().prepare('[lema="go"]');
    expect(wrong.diagnostics).toMatchObject([{ code: "unknown_attribute", span: [1, 5] }]);
    expect(await thrown(tales().query('[lema="go"]').all())).toMatchObject({
      name: "DugongClientError",
      code: "unknown_attribute",
      span: [1, 5],
      hint: "Did you mean lemma?",
      retryable: false,
    });
    expect(await thrown(opened().request("lins"))).toMatchObject({ code: "unknown_verb" });
    expect(await thrown(opened().corpus("tails").count(goes))).toMatchObject({ code: "no_corpus" });
  });

  it("gives lines in order, with the references that were asked for", async () => {
    const lines = tales().query(goes, { refs: ["doc.author", "#"], context: "3" });
    let count = 0;
    let before = -1;
    for await (const { begin, match, refs } of lines) {
      count++;
      expect(begin).toBeGreaterThan(before);
      expect(["go", "goes", "went"]).toContain(match);
      expect(refs["#"]).toBe(begin);
      before = begin;
    }
    expect(count).toBe(hits);
    expect(lines.known).toMatchObject({ total: { value: hits, certainty: "exact" }, corpus: "tales@1" });
    expect(lines.known.end).toMatchObject({ reason: "complete", statistics: { rows: hits } });
  });

  it("gives any page of a result", async () => {
    const all = await tales().positions(goes).all();
    const lines = tales().query(goes, { counting: true });
    for (const [from, count] of [
      [0, 20],
      [20, 20],
      [1000, 5],
      [3, 4],
      [hits - 3, 10],
      [hits, 10],
      [hits + 50, 10],
    ]) {
      const page = await lines.page(from, count);
      expect(page.rows.map(({ begin }) => begin)).toEqual(
        all.slice(from, from + count).map(({ begin }) => begin),
      );
    }
    await until(() => lines.total?.certainty === "exact");
    expect(lines.total?.value).toBe(hits);
    lines.close();
  });

  it("runs chains, and counts what comes out", async () => {
    const chain: Chain = [
      { step: "query", query: goes },
      { step: "filter", query: '[lemma="whale"]', window: { from: 1, to: 3 } },
      { step: "sort", keys: ["word 0"] },
    ];
    const lines = await tales().query(chain).all();
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.every(({ right }) => /whale/.test(right))).toBe(true);
    const words = lines.map(({ match }) => match);
    expect(words).toEqual([...words].sort());
    const rows = await tales()
      .freq(chain, { by: ["word 0", "doc.author"] })
      .all();
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(lines.length);
    expect(rows[0].values).toHaveLength(2);
  });

  it("has tables of all kinds", async () => {
    const freq = tales().freq(goes, { by: ["word 0"], dispersion: true });
    const [first] = await freq.all();
    expect(first).toMatchObject({ values: [expect.any(String)], arf: expect.any(Number) });
    expect(freq.known.summary).toMatchObject({ hits });
    const [near] = await tales()
      .coll(goes, { attribute: "lemma", measures: ["logDice", "MI"] })
      .all();
    expect(Object.keys(near.scores)).toEqual(["logDice", "MI"]);
    const words = await tales().wordlist({ attributes: "lemma", limit: 3 }).all();
    expect(words.map(({ value }) => value)).toEqual(["a", ".", "the"]);
    const pairs = await tales()
      .wordlist({ attributes: ["lemma", "tag"], limit: 1 })
      .all();
    expect(pairs[0].values).toEqual(["a", "DET"]);
    const grams = await tales()
      .ngrams({ attribute: "lemma", lengths: [2, 2], limit: 5 })
      .all();
    expect(grams[0]).toMatchObject({ values: [expect.any(String), expect.any(String)] });
    const keys = await tales()
      .keywords({
        attribute: "lemma",
        subcorpus: { kind: "values", structure: "doc", attribute: "author", values: ["Ann"] },
        limit: 3,
      })
      .all();
    expect(keys).toHaveLength(3);
    const years = await tales().trend(goes, { over: "doc.year", bin: 10 }).all();
    expect(years.map(({ value }) => value)).toEqual([1800, 1810, 1820, 1830, 1840]);
    const parts = await tales().distribution(goes, { parts: 4 }).all();
    expect(parts.reduce((sum, part) => sum + part.hits, 0)).toBe(hits);
    expect(await tales().totals(goes)).toMatchObject({ hits, documents: 500 });
  });

  it("shows more of a place", async () => {
    const line = await tales().context(10, 11, { structure: "s" });
    expect(line).toMatchObject({ begin: 10, end: 11, match: "went" });
    expect(line.left.length).toBeGreaterThan(0);
  });
}

describe("over a socket", () => {
  answers(() => session);

  it("speaks JSON as well", async () => {
    const own = await connect(server.address, { subprotocol: "dugong.v1.json" });
    expect((await own.corpus("tales").query(goes).all()).length).toBe(hits);
    await own.close();
  });

  it("says that a request is too large for the server", async () => {
    const words = Array.from({ length: 300_000 }, (_, i) => `word number ${i}`);
    const counting = session.corpus("tales").count("[lemma=$words]", { lists: { words } });
    expect(await thrown(counting)).toMatchObject({ code: "frame_too_large" });
    expect((await session.corpus("tales").count(goes)).hits.value).toBe(hits);
  });

  it("runs many requests at once", async () => {
    const words = ["whale", "ship", "harbour", "sailor", "mermaid", "go", "see", "make"];
    const asked = Array.from({ length: 800 }, (_, i) =>
      session.corpus("tales").count(`[lemma="${words[i % words.length]}"]`),
    );
    const counts = await Promise.all(asked);
    expect(new Set(counts.map(({ hits: { value } }) => value)).size).toBe(words.length);
  });

  it("makes the server wait for a slow reader", async () => {
    const rows = session.corpus("large").positions("[]", { windowRows: 500 })[Symbol.asyncIterator]();
    for (let i = 0; i < 10; i++) await rows.next();
    const sent = async () => (await session.running()).find(({ verb }) => verb === "positions");
    await until(async () => (await sent())?.state === "standing");
    const before = (await sent())!.rows;
    expect(before).toBeLessThanOrEqual(500);
    await pause(200);
    expect((await sent())!.rows).toBe(before);
    for (let i = 0; i < 2000; i++) await rows.next();
    await until(async () => (await sent())?.state === "standing");
    expect((await sent())!.rows).toBeLessThanOrEqual(2010 + 500);
    await rows.return(undefined);
    await until(async () => (await sent()) === undefined);
  });

  it("ends what runs when its signal says so", async () => {
    const abort = new AbortController();
    const counting = session.corpus("large").count(slow, { signal: abort.signal });
    await until(async () => (await session.running()).length === 1);
    const began = performance.now();
    abort.abort();
    expect(await thrown(counting)).toMatchObject({ name: "AbortError" });
    await until(async () => (await session.running()).length === 0);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it("says why a stream did not come to its last row", async () => {
    const rows = session.corpus("large").positions(slow, { timeoutMs: 100 });
    expect(await thrown(rows.all())).toMatchObject({
      code: "timeout",
      limits: { timeoutMs: expect.any(Number) },
    });
    const killed = session.corpus("large").positions(slow).all();
    killed.catch(() => {});
    await until(async () => (await session.running()).length === 1);
    const [{ request }] = await session.running();
    await session.kill(request);
    expect(await thrown(killed)).toMatchObject({ code: "cancelled", notices: [{ code: "killed" }] });
  });

  it("refuses a token that is not known", async () => {
    expect(await thrown(connect(server.address, { token: "dgt_nobody" }))).toMatchObject({
      code: "unauthorised",
      retryable: false,
    });
  });

  it("goes on where it was when the server comes back on the same port", async () => {
    let own = await startServer({ data, config });
    const { port } = own;
    const states: string[] = [];
    const other = await connect(own.address, { onState: (state) => states.push(state) });
    const seen: number[] = [];
    const reading = (async () => {
      const rows = other.corpus("large").positions("[]", { windowRows: 2000 });
      for await (const { begin } of rows) {
        seen.push(begin);
        if (seen.length === 5000) break;
        if (seen.length % 500 === 0) await pause(10);
      }
    })();
    const pages = other.corpus("tales").query(goes);
    await pages.page(0, 10);
    await until(() => seen.length > 1000);
    await own.close(0);
    await until(() => states.includes("away"));
    const waiting = other.corpus("tales").count(goes);
    await pause(300);
    own = await startServer({ data, config: { ...config, port } });
    expect((await waiting).hits.value).toBe(hits);
    expect((await pages.page(10, 10)).rows).toHaveLength(10);
    await reading;
    expect(seen).toEqual(Array.from({ length: 5000 }, (_, i) => i));
    expect(states).toEqual(["open", "away", "open"]);
    await other.close();
    await own.close(0);
  });
});

describe("in this process, and in this thread", () => {
  let local: Session;
  beforeAll(async () => {
    local = await connect({ data, alone: true, config: { threads: 2 } });
  });
  afterAll(() => local.close());

  answers(() => local);

  it("gives a part of the rows, and says how many there are", async () => {
    const all = await local.corpus("tales").positions(goes).all();
    for (const [from, count] of [
      [0, 20],
      [4000, 100],
      [hits + 5, 3],
      [7, 0],
      [10, Number.POSITIVE_INFINITY],
    ]) {
      const rows = local.corpus("tales").positions(goes, { windowRows: 50 });
      const begins: unknown[] = [];
      for await (const { columns } of rows.part(from, count)) begins.push(...columns.begin);
      expect(begins).toEqual(all.slice(from, from + count).map(({ begin }) => begin));
      expect(rows.known).toMatchObject({ total: { value: hits, certainty: "exact" }, corpus: "tales@1" });
    }
  });

  it("is helped with a long query by another thread, and finds the same", async () => {
    const large = local.corpus("large");
    const counting = large.count(shorter);
    let helping = 0;
    const watching = (async () => {
      for (;;) {
        const { requests } = (await local.statistics()) as { requests: Record<string, number> };
        helping = Math.max(helping, requests.helping);
        if (requests.heavy === 0) return requests.helping;
        await pause(5);
      }
    })();
    const { hits: found } = await counting;
    expect(await watching).toBe(0);
    expect(helping).toBe(1);
    const alone = await connect({ data, alone: true, config: { threads: 1 } });
    expect((await alone.corpus("large").count(shorter)).hits).toEqual(found);
    await alone.close();
  });

  it("ends a long query when its signal says so", async () => {
    const abort = new AbortController();
    const counting = local.corpus("large").count(shorter, { signal: abort.signal });
    await until(async () => (await local.running()).length === 1);
    abort.abort();
    expect(await thrown(counting)).toMatchObject({ name: "AbortError" });
    await until(async () => (await local.running()).length === 0);
  });

  it("takes requests of any size, and has no limits on rows", async () => {
    const words = Array.from(
      { length: 300_000 },
      (_, i) => `${"a long word that nobody has written ".repeat(2)}${i}`,
    );
    const { hits: found } = await local.corpus("tales").count("[lemma=$words]", {
      lists: { words: [...words, "go"] },
    });
    expect(found.value).toBe(hits);
    expect(local.welcome.limits.rowsMax).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("in this process", () => {
  let local: Session;
  beforeAll(async () => {
    local = await connect({ data, config: { threads: 1 } });
  });
  afterAll(() => local.close());

  answers(() => local);

  it("may do everything", async () => {
    const tales = local.corpus("tales");
    const definition = { kind: "query", query: '<doc author="Ann"/>' } as const;
    const { size } = await tales.createSubcorpus("ann", definition);
    expect(size?.tokens).toBeGreaterThan(20_000);
    expect((await tales.subcorpora()).map(({ name }) => name)).toEqual(["ann"]);
    const { hits: inAnn } = await tales.count(goes, { subcorpus: "ann" });
    expect(inAnn.value).toBeLessThan(hits / 2);
    expect((await tales.subcorpus("ann")).definition).toMatchObject(definition);
    await tales.removeSubcorpus("ann");
    expect(await tales.subcorpora()).toEqual([]);
    expect(await local.statistics()).toMatchObject({ connections: 1 });
  });

  it("fails clearly when the session was closed", async () => {
    const own = await connect({ data, config: { threads: 1 } });
    const rows = own.corpus("large").positions("[]")[Symbol.asyncIterator]();
    await rows.next();
    await own.close();
    expect(
      await thrown(
        (async () => {
          for (let i = 0; i < 100_000; i++) await rows.next();
        })(),
      ),
    ).toMatchObject({ code: "closed" });
  });
});
