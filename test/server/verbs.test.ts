/** Every verb, on a real socket, in both sub-protocols. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subprotocols, type Welcome } from "../../client/protocol/messages.js";
import { alignCorpora, computeSketches, Desk, page } from "../../ql/index.js";
import { Tokens } from "../../server/index.js";
import { Catalog } from "../../storage/index.js";
import { TestClient } from "./client.js";
import { documentTokens, makeSmall, smallText, temporaryFolder } from "./corpora.js";
import { ServerProcess } from "./process.js";

const { folder: data, remove } = temporaryFolder();
let server: ServerProcess;
let token: string;
const documents = 200;
const tokens = documents * documentTokens;

beforeAll(async () => {
  await makeSmall(data, "small", documents);
  await makeSmall(data, "other", 50);
  await makeSmall(data, "twin", 20);
  await alignCorpora({ data, corpus: "small", other: "twin", structure: "s", attribute: "id" });
  await computeSketches({
    data,
    corpus: "small",
    grammarName: "small.wsdef",
    grammar:
      '*DUAL\n=modifier/modifies\n2:[tag="JJ"] 1:[tag="NN"]\n*DUAL\n=object/object_of\n1:[tag="VB"] [tag="DT"] 2:[tag="NN"]\n',
    heads: "word",
  });
  const catalog = Catalog.open(data);
  token = new Tokens(catalog).create("tester", { "*": "admin" }).token;
  await catalog.close();
  server = await ServerProcess.start(data, { threads: 2 });
});

afterAll(async () => {
  await server.close();
  remove();
});

const covered = new Set<string>();

describe.each(subprotocols)("over %s", (subprotocol) => {
  let client: TestClient;
  const corpus = "small";
  const ask = <Value = Record<string, unknown>>(request: Record<string, unknown>) => {
    covered.add(request.verb as string);
    return client.ask<Value>(request);
  };
  const stream = (request: Record<string, unknown>) => {
    covered.add(request.verb as string);
    return client.stream(request);
  };

  beforeAll(async () => {
    client = await TestClient.connect(server.address, {
      subprotocol,
      headers: { authorization: `Bearer ${token}` },
    });
  });
  afterAll(() => client.close());

  it("welcomes with versions, verbs, limits and who one is", () => {
    const welcome = client.messages[0] as Welcome;
    expect(welcome).toMatchObject({
      type: "welcome",
      protocol: 1,
      server: expect.stringMatching(/^dugong \d/),
      user: "tester",
    });
    expect(welcome.features).toContain("verb:lines");
    expect(welcome.limits.frameBytesMax).toBeGreaterThan(0);
  });

  it("says hello, and answers a ping", async () => {
    expect(await ask({ verb: "hello", token })).toMatchObject({ user: "tester", grants: { "*": "admin" } });
    expect(await ask({ verb: "ping" })).toEqual({});
  });

  it("lists and describes corpora", async () => {
    const { corpora } = await ask<{ corpora: { name: string }[] }>({ verb: "corpora" });
    expect(corpora.map(({ name }) => name)).toEqual(["other", "small", "twin"]);
    expect(corpora[1]).toMatchObject({ tokens, documents, snapshot: 1, access: "admin" });
    const { bytes } = await ask({ verb: "describe", corpus });
    expect(corpora[1]).toMatchObject({ bytes });
    expect(await ask({ verb: "describe", corpus })).toMatchObject({ name: corpus, tokens });
    expect(await ask({ verb: "describe", corpus: "small@1" })).toMatchObject({ snapshot: 1 });
    const { attributes, structures } = await ask({ verb: "attributes", corpus });
    expect(Object.keys(attributes as object)).toEqual(["word", "tag"]);
    expect(structures).toMatchObject({ doc: { count: documents } });
    expect(await ask({ verb: "snapshots", corpus })).toMatchObject({ current: 1, snapshots: [{ tokens }] });
  });

  it("completes values from the lexicon, of tokens and of structures", async () => {
    const { columns, totals } = await stream({ verb: "values", corpus, attribute: "word", prefix: "noun1" });
    expect(columns.value).toHaveLength(11);
    expect(columns.value).toContain("noun1");
    expect(totals[0]).toMatchObject({ rows: { value: 11, certainty: "exact" }, summary: { values: 11 } });
    const genres = await stream({ verb: "values", corpus, attribute: "doc.genre", order: "value" });
    expect(genres.columns.value).toEqual(["letters", "news"]);
    const folded = await stream({
      verb: "values",
      corpus,
      attribute: "word",
      prefix: "RAR",
      ignoreCase: true,
    });
    expect(folded.columns).toEqual({ value: ["rare"], frequency: [20] });
    expect(await client.refused({ verb: "values", corpus, attribute: "doc.colour" })).toMatchObject({
      code: "unknown_attribute",
    });
  });

  it("prepares a query: text, tree, plan, estimates; or says what is wrong and where", async () => {
    const query = '[word="rare"] [tag="NN"]';
    const prepared = await ask({ verb: "prepare", corpus, query });
    expect(prepared).toMatchObject({
      canonical: query,
      diagnostics: [],
      strategy: "all",
      hits: { certainty: "estimate" },
    });
    expect(prepared.plan).toHaveProperty("operator");
    expect(prepared.estimatedMs).toBeTypeOf("number");
    const analyzed = await ask({ verb: "analyze", corpus, query });
    expect(analyzed).toMatchObject({
      canonical: query,
      strategy: "all",
      hits: { value: 20, certainty: "exact" },
      plan: { operator: expect.any(String), rows: 20, ms: expect.any(Number) },
      planMs: expect.any(Number),
      runMs: expect.any(Number),
    });
    const again = await ask({ verb: "prepare", corpus, query: prepared.ast });
    expect(again.canonical).toBe(query);
    const one = await ask({ verb: "prepare", corpus, query: '"rare"' });
    expect(one.hits).toEqual({ value: 20, certainty: "exact" });
    const wrong = await ask({ verb: "prepare", corpus, query: '[word="rare"' });
    expect(wrong).toMatchObject({ diagnostics: [{ code: "unbalanced", span: [0, 1] }] });
    expect(wrong).not.toHaveProperty("plan");
    const unknown = await ask({ verb: "prepare", corpus, query: '[wrd="rare"]' });
    expect(unknown.diagnostics).toMatchObject([
      { code: "unknown_attribute", severity: "error", span: [1, 4] },
    ]);
  });

  it("counts hits, of a query and of a chain", async () => {
    const exact = (value: number) => ({ hits: { value, certainty: "exact" } });
    expect(await ask({ verb: "count", corpus, query: '"rare"' })).toEqual(exact(20));
    expect(await ask({ verb: "count", corpus, query: '"the" [] []' })).toEqual(exact(3 * documents));
    const chain = [
      { step: "query", query: '"cat"' },
      { step: "within", query: '<doc genre="news"/>' },
      { step: "sample", count: 7 },
    ];
    expect(await ask({ verb: "count", corpus, chain })).toEqual(exact(7));
    const subcorpus = { kind: "query", query: '<doc genre="news"/>' };
    expect(await ask({ verb: "count", corpus, query: '"cat"', subcorpus })).toEqual(exact(300));
  });

  it("gives positions and labels, exact totals, and what was asked", async () => {
    const { columns, end, totals, rows } = await stream({
      verb: "positions",
      corpus,
      query: '1:"rare" 2:[tag="NN"]',
    });
    expect(columns.begin).toEqual(Array.from({ length: 20 }, (_, i) => i * 10 * documentTokens + 1));
    expect(columns.labels[1]).toEqual({ "1": [181, 182], "2": [182, 183] });
    expect(rows[0].from).toBe(0);
    expect(totals.at(-1)?.rows).toEqual({ value: 20, certainty: "exact" });
    expect(end).toMatchObject({ reason: "complete", corpus: "small@1", statistics: { rows: 20 } });
  });

  it("gives the lines that the analysis layer makes, in order", async () => {
    const query = '[tag="NN"] "has"';
    const chain = [
      { step: "query", query },
      { step: "sort", keys: ["word 0"] },
    ];
    const { columns, end } = await stream({
      verb: "lines",
      corpus,
      chain,
      context: "1 s",
      refs: ["doc.id", "#"],
      attributes: ["word", "tag"],
      tags: ["s"],
    });
    const desk = Desk.open({ data, corpus });
    const { hits } = await page(desk, chain as never);
    expect(columns.begin).toEqual(Array.from(hits.begins));
    expect(columns.match[0]).toBe("noun0/NN has/VB");
    expect(columns.left[0]).toBe('<s id="0.0">the/DT rare/JJ');
    expect(columns.refs[0]).toEqual({ "doc.id": "d0", "#": 2 });
    expect(end.statistics.rows).toBe(2 * documents);
    await desk.close();
  });

  it("shows the context of a place", async () => {
    const context = await ask({ verb: "context", corpus, begin: 1, end: 2, structure: "s" });
    expect(context).toMatchObject({ from: 0, to: 6, left: "the", match: "rare", right: "noun0 has a cat" });
    expect(await client.refused({ verb: "context", corpus, begin: 5, end: 1e9 })).toMatchObject({
      code: "bad_parameter",
    });
  });

  it("shows what belongs to a place in an aligned corpus, and asks both at once", async () => {
    expect((await ask({ verb: "alignments", corpus })).alignments).toMatchObject([
      {
        corpora: ["small", "twin"],
        structures: ["s", "s"],
        attributes: ["id", "id"],
        snapshots: [1, 1],
        kind: "match",
        bytes: expect.any(Number),
      },
    ]);
    expect((await ask({ verb: "alignments" })).alignments).toHaveLength(1);
    expect((await ask({ verb: "alignments", corpus: "other" })).alignments).toEqual([]);
    const answer = await ask({ verb: "aligned", corpus, other: "twin", begin: 1, end: 2 });
    expect(answer).toEqual({
      other: "twin@1",
      ranges: [{ begin: 0, end: 6, text: "the rare noun0 has a cat" }],
    });
    const query = '"cat" within twin: "rare"';
    const { columns } = await stream({ verb: "lines", corpus, query, aligned: ["twin"], context: "1" });
    expect(columns.begin).toEqual([5, 185]);
    expect(columns.aligned[1]).toMatchObject({ twin: [{ text: "the rare noun10 has a cat" }] });
  });

  it("counts by keys, in all, in parts, over time", async () => {
    const freq = await stream({ verb: "freq", corpus, query: '"rare"', by: "doc.genre" });
    expect(freq.columns).toMatchObject({ values: [["letters"]], count: [20] });
    expect(freq.totals[0].summary).toMatchObject({ hits: 20, tokens, rowsTotal: 1 });
    const chain = [
      { step: "query", query: '"rare"' },
      { step: "group", by: "doc.genre" },
    ];
    const grouped = await stream({ verb: "freq", corpus, chain });
    expect([grouped.columns, grouped.totals[0].summary]).toEqual([freq.columns, freq.totals[0].summary]);
    expect(await client.refused({ verb: "freq", corpus, chain, by: "word" })).toMatchObject({
      code: "bad_parameter",
    });
    expect(await client.refused({ verb: "freq", corpus, query: '"rare"' })).toMatchObject({
      code: "bad_parameter",
    });
    expect(await ask({ verb: "totals", corpus, query: '"rare"' })).toMatchObject({ hits: 20, documents: 20 });
    const parts = await stream({ verb: "distribution", corpus, query: '"cat"', parts: 4 });
    expect(parts.columns.hits).toEqual([150, 150, 150, 150]);
    const trend = await stream({ verb: "trend", corpus, query: '"rare"', over: "doc.year", bin: 10 });
    expect(trend.columns.value).toEqual([1990, 2000, 2010]);
  });

  it("finds collocations, and leads to their lines", async () => {
    const coll = await stream({
      verb: "coll",
      corpus,
      query: '"rare"',
      attribute: "word",
      window: { from: 1, to: 1 },
    });
    expect(coll.columns.value).toContain("noun0");
    const asked = { corpus, query: '"rare"', attribute: "word", window: { from: 1, to: 1 } };
    const { chain } = await ask<{ chain: unknown[] }>({ verb: "collocateChain", ...asked, value: "noun0" });
    expect(await ask({ verb: "count", corpus, chain })).toEqual({ hits: { value: 4, certainty: "exact" } });
  });

  it("lists words, keywords and n-grams", async () => {
    const words = await stream({ verb: "wordlist", corpus, attributes: ["word"], limit: 3 });
    expect(words.columns.count).toEqual([600, 600, 600]);
    expect(words.totals[0].summary).toMatchObject({ tokens });
    const genres = await stream({ verb: "wordlist", corpus, attributes: ["doc.genre"] });
    expect(genres.columns.count).toEqual([100, 100]);
    const key = await stream({ verb: "keywords", corpus, attribute: "word", reference: "twin", limit: 5 });
    expect(key.totals[0].summary).toMatchObject({ corpus: "small@1", reference: "twin@1" });
    const ngrams = await stream({ verb: "ngrams", corpus, attribute: "word", lengths: [2, 3], limit: 1 });
    expect(ngrams.columns).toMatchObject({ value: ["a cat"], count: [600] });
    const grammar = 'pair = [tag="JJ"] [tag="NN"]';
    const terms = await stream({ verb: "terms", corpus, grammar, attribute: "word", limit: 1 });
    expect(terms.columns).toMatchObject({ value: ["old noun1"], count: [12], rules: [["pair"]] });
  });

  it("names subcorpora, uses them and forgets them", async () => {
    const name = `news_${subprotocol.at(-1)}`;
    const definition = { kind: "query", query: '<doc genre="news"/>' };
    expect(await ask({ verb: "createSubcorpus", corpus, name, definition })).toMatchObject({
      size: { tokens: 1800 },
    });
    expect(await ask({ verb: "count", corpus, query: '"cat"', subcorpus: name })).toMatchObject({
      hits: { value: 300 },
    });
    expect((await ask({ verb: "subcorpora", corpus })).subcorpora).toMatchObject([{ name }]);
    expect(await ask({ verb: "subcorpus", corpus, name })).toMatchObject({ definition });
    // The same name for something else: what was kept of it is not used, in whichever thread.
    const letters = { kind: "query", query: '<doc genre="letters" & year="1990"/>' };
    await ask({ verb: "createSubcorpus", corpus, name, definition: letters, replace: true });
    for (let i = 0; i < 4; i++)
      expect(await ask({ verb: "count", corpus, query: '"cat"', subcorpus: name })).toMatchObject({
        hits: { value: 21 },
      });
    expect(await ask({ verb: "removeSubcorpus", corpus, name })).toEqual({ removed: name });
    expect(await client.refused({ verb: "count", corpus, query: '"cat"', subcorpus: name })).toMatchObject({
      code: "no_subcorpus",
    });
  });

  it("lists what is running, kills it, and says how the server is", async () => {
    const id = client.open({ verb: "lines", corpus, query: "[]", credit: 5 });
    await client.first((message) => message.id === id && message.type === "rows");
    const { requests } = await ask<{ requests: { request: number; asked: string }[] }>({ verb: "running" });
    const own = requests.find(({ asked }) => asked === "[]")!;
    expect(own).toMatchObject({ verb: "lines", corpus: "small@1", user: "tester" });
    expect(await ask({ verb: "kill", request: own.request })).toEqual({ request: own.request });
    expect(await client.last(id)).toMatchObject({ reason: "cancelled", notices: [{ code: "killed" }] });
    expect(await client.refused({ verb: "kill", request: own.request })).toMatchObject({
      code: "no_request",
    });
    expect(await ask({ verb: "statistics" })).toMatchObject({ version: expect.stringMatching(/^\d/) });
  });

  it("appends text: who asks later sees it, who names the snapshot before does not", async () => {
    const before = (await ask<{ tokens: number; snapshot: number }>({
      verb: "describe",
      corpus: "other",
    })) as {
      tokens: number;
      snapshot: number;
    };
    const text = smallText(10, 1000);
    const appended = await ask({ verb: "append", corpus: "other", text });
    expect(appended).toMatchObject({
      addedTokens: 180,
      snapshot: before.snapshot + 1,
      tokens: before.tokens + 180,
    });
    const hits = async (of: string) =>
      (await ask<{ hits: { value: number } }>({ verb: "count", corpus: of, query: '"cat"' })).hits.value;
    expect(await hits("other")).toBe((before.tokens + 180) / 6);
    expect(await hits(`other@${before.snapshot}`)).toBe(before.tokens / 6);
    expect(await client.refused({ verb: "append", corpus: "other", file: "/etc/passwd" })).toMatchObject({
      code: "no_inbox",
    });
    expect(await client.refused({ verb: "append", corpus: "other" })).toMatchObject({
      code: "bad_parameter",
    });
  });

  it("finds the documents that words fit best", async () => {
    const found = await ask<{ hits: number; items: { id: string; snippet: string }[] }>({
      ...{ verb: "search", corpus, query: "rare cat", where: "genre=letters", limit: 3, marks: ["<", ">"] },
    });
    expect(found.hits).toBe(documents / 2);
    expect(found.items).toHaveLength(3);
    expect(found.items[0].snippet).toContain("<rare>");
    const wrong = await client.refused({ verb: "search", corpus, query: "cat", where: "genr=news" });
    expect(wrong).toMatchObject({ code: "bad_where", span: [0, 4], hint: "Did you mean genre?" });
    expect((await client.refused({ verb: "search", corpus, query: "cat", marks: ["<"] })).code).toBe(
      "bad_parameter",
    );
    expect(await ask({ verb: "count", corpus, query: '"cat"', where: "year>=2000" })).toMatchObject(
      await ask({ verb: "count", corpus, query: '"cat" within <doc year>="2000"/>' }),
    );
  });

  it("sketches words, compares them, and finds words that are used alike", async () => {
    expect(await ask({ verb: "sketch", corpus, word: "noun1" })).toMatchObject({
      head: "noun1",
      relations: [{ name: "modifier", count: 12, items: [{ collocate: "old", count: 12 }] }],
    });
    const cat = await ask<{ relations: { name: string; items: object[] }[] }>({
      verb: "sketch",
      corpus,
      word: "cat",
      subcorpus: { kind: "query", query: '<doc genre="letters"/>' },
    });
    expect(cat.relations).toMatchObject([{ name: "object_of", items: [{ count: 200 }, { count: 100 }] }]);
    expect(
      await ask({ verb: "sketchDiff", corpus, word: "noun0", other: "noun1", relations: ["modifier"] }),
    ).toMatchObject({ heads: ["noun0", "noun1"] });
    const { items } = await ask<{ items: { word: string }[] }>({ verb: "thesaurus", corpus, word: "noun1" });
    expect(items.length).toBeGreaterThan(10);
    const clustered = await ask<{ clusters: string[][]; minCount: number; stored: boolean }>({
      ...{ verb: "thesaurus", corpus, word: "noun1", cluster: 0.5, limit: 10 },
    });
    expect(clustered.clusters.flat()).toHaveLength(10);
    expect(clustered).toMatchObject({ minCount: 5, stored: false });
    expect(
      await ask({
        verb: "sketch",
        corpus,
        word: "old",
        reverse: true,
        relations: ["modifier"],
        cluster: true,
      }),
    ).toMatchObject({
      head: "old",
      reverse: true,
      relations: [{ name: "modifier", clusters: expect.any(Array) }],
    });
    const named = await client.refused({ verb: "sketch", corpus, word: "cat", sketches: "none" });
    expect(named).toMatchObject({ code: "no_sketches", message: expect.stringContaining("none") });
    expect((await client.refused({ verb: "sketch", corpus, word: "cat", cluster: 2 })).code).toBe(
      "bad_parameter",
    );
    expect((await client.refused({ verb: "sketch", corpus: "other", word: "cat" })).code).toBe("no_sketches");
    expect((await client.refused({ verb: "sketch", corpus, word: "nobody" })).code).toBe("no_head");
  });

  it("refuses verbs, parameters, ids and corpora that make no sense, each with its code", async () => {
    const code = async (request: Record<string, unknown>) => (await client.refused(request)).code;
    expect(await client.refused({ verb: "linse", corpus })).toMatchObject({
      code: "unknown_verb",
      hint: "Did you mean lines?",
      retryable: false,
    });
    expect(await code({ verb: "__proto__" })).toBe("unknown_verb");
    expect(await code({ verb: "constructor", corpus })).toBe("unknown_verb");
    expect(await code({ verb: "lines" })).toBe("bad_parameter");
    expect(await code({ verb: "lines", corpus })).toBe("bad_parameter");
    expect(await code({ verb: "lines", corpus, query: 3 })).toBe("bad_parameter");
    expect(await code({ verb: "lines", corpus, query: "[]", context: "1000000000" })).toBe("bad_context");
    expect(await code({ verb: "lines", corpus, chain: [{ step: "query" }] })).toBe("bad_chain");
    expect(await code({ verb: "count", corpus, query: { kind: "query", expression: 7 } })).toBe("bad_tree");
    expect(await code({ verb: "lines", corpus, query: '[wrd="x"]' })).toBe("unknown_attribute");
    expect(await code({ verb: "describe", corpus: "nobody" })).toBe("no_corpus");
    expect(await code({ verb: "describe", corpus: "small@99" })).toBe("no_snapshot");
    for (const name of [
      "../small",
      "small/../other",
      "/etc",
      "a\0b",
      ".",
      "..",
      "small@x",
      "@",
      "catalog.mdb",
    ])
      expect(await code({ verb: "count", corpus: name, query: "[]" }), name).toMatch(
        /^(bad_name|no_corpus)$/,
      );
  });
});

it("has a test for every verb there is", async () => {
  const client = await TestClient.connect(server.address);
  const { features } = client.messages[0] as Welcome;
  await client.close();
  expect(
    features.map((feature) => feature.replace("verb:", "")).filter((verb) => !covered.has(verb)),
  ).toEqual([]);
});
