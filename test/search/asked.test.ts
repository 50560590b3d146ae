/** Ranked retrieval and conditions as people and programs ask them: commands, a real server, the library, the shell; and what is asked in bad faith. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type PlanStep, type Session } from "../../client/index.js";
import { Shell } from "../../client/shell/shell.js";
import { Desk, planWhere, search } from "../../ql/index.js";
import { type RunningServer, startServer } from "../../server/index.js";
import { buildSpace, encodeCorpus } from "../../storage/index.js";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "dugong-search-asked-"));
const data = join(folder, "data");
let desk: Desk;
let server: RunningServer;
let session: Session;

const documents = 2000;
const day = (i: number) => new Date(Date.UTC(2000, 0, 1 + i)).toISOString().slice(0, 10);
const party = (i: number) => (i % 3 === 0 ? "Red" : "Green & Blue");

/** Document i has "economy" i % 7 times, "war" in every fifth, and one sentence with a phrase. */
function text(): string {
  const lines: string[] = [];
  for (let i = 0; i < documents; i++) {
    lines.push(
      `<doc id="d${i}" title="Report ${i}${i === 701 ? " on the economy" : ""}" url="http://x.example/${i}" year="${1900 + (i % 100)}" date="${day(i)}" party="${party(i)}">`,
    );
    lines.push("<s>", "Do\tdo", "n't\tnot", "go\tgo", "<g/>", ".\t.", "</s>", "<s>");
    for (let n = 0; n < i % 7; n++) lines.push("Economy\teconomy", `filler${n}\tfiller`);
    if (i % 5 === 0) lines.push("war\twar");
    if (i % 11 === 0) lines.push("plane\tplane", "of\tof", "immanence\timmanence");
    if (i % 13 === 0) lines.push("immanence\timmanence", "of\tof", "the\tthe", "economies\teconomy");
    lines.push("</s>", "</doc>");
  }
  return `${lines.join("\n")}\n`;
}

beforeAll(async () => {
  const file = join(folder, "reports.vert");
  writeFileSync(file, text());
  const attributes = ["word", "lemma"];
  await encodeCorpus({
    data,
    corpus: "reports",
    inputs: [file],
    attributes,
    segmentBytes: 20_000,
    workers: 1,
  });
  // One document, as long as a book of books.
  const long = join(folder, "long.vert");
  writeFileSync(long, `<doc>\n${"a\nb\nc\n".repeat(100_000)}needle\n</doc>\n`);
  await encodeCorpus({ data, corpus: "long", inputs: [long], attributes: ["word"], workers: 1 });
  desk = Desk.open({ data, corpus: "reports" });
  server = await startServer({ data, config: { port: 0, logLevel: "silent", threads: 1 }, version: "test" });
  session = await connect(server.address);
});
afterAll(async () => {
  await session.close();
  await server.close(0);
  await desk.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, DUGONG_DATA: data } });
  const ended = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (more: string) => {
      ended[name] += more;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...ended, code }));
  });
}

describe("dugong search", () => {
  it("answers programs with hits and items, pages, and agrees with the server", async () => {
    const words = "plane of immanence";
    const { code, stdout } = await run(
      "search",
      "reports",
      words,
      "--where",
      "year>=1950",
      "--limit",
      "5",
      "--json",
    );
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(["hits", "items"]));
    expect(Object.keys(found.items[0])).toEqual(expect.arrayContaining(["id", "score", "parts", "snippet"]));
    expect(found.items[0].snippet).toContain("[plane of immanence]");
    const corpus = session.corpus("reports");
    const asked = await corpus.search(words, { where: "year>=1950", limit: 5 });
    expect(asked.items).toEqual(found.items);
    expect(asked.corpus).toBe("reports@1");
    const next = await corpus.search(words, { where: "year>=1950", limit: 2, from: 3 });
    expect(next.items).toEqual(found.items.slice(3));
    expect(next.hits).toBe(found.hits);
    expect(await corpus.search(words, { where: "year>=1950", limit: 0 })).toMatchObject({
      hits: found.hits,
      items: [],
    });
    for (const { id } of found.items) expect(Number(id.slice(1)) % 100).toBeGreaterThanOrEqual(50);
  });

  it("shows people snippets, and with --explain what scores are made of", async () => {
    const { code, stdout } = await run(
      "search",
      "reports",
      '"of immanence" economy',
      "--explain",
      "--limit",
      "3",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\. d\d+ {2}Report/);
    expect(stdout).toContain("[of immanence");
    expect(stdout).toMatch(/bm25 0\.\d+ \+ .*terms 0\.500/);
    expect(stdout).toMatch(/1 to 3 of \d+ doc in reports@1/);
    expect(stdout).toContain("from the rarest word of the phrases");
  });

  it("reads weights from a file, and refuses names that are none", async () => {
    const weights = join(folder, "weights.yaml");
    writeFileSync(weights, "title: 100\nbm25: 0\npairs: 0\n");
    const { stdout } = await run(
      "search",
      "reports",
      "economy",
      "--weights",
      weights,
      "--json",
      "--limit",
      "1",
    );
    expect(JSON.parse(stdout).items[0].id).toBe("d701");
    writeFileSync(weights, '{"titel": 1}');
    const refused = await run("search", "reports", "economy", "--weights", weights);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('no weight "titel"');
    expect(refused.stderr).toContain("Did you mean title?");
    writeFileSync(weights, "title: [");
    expect((await run("search", "reports", "economy", "--weights", weights)).code).toBe(2);
  });

  it("says where a condition or a query is wrong, and what was perhaps meant", async () => {
    const where = await run("query", "reports", '"war"', "--where", "yeer>=1950 and party=Red", "--count");
    expect(where.code).toBe(1);
    expect(where.stderr).toContain("Did you mean year?\n  yeer>=1950 and party=Red\n  ^^^^\n");
    const quote = await run("search", "reports", 'war "plane of');
    expect(quote.code).toBe(1);
    expect(quote.stderr).toContain('never closed. Add a ".\n  war "plane of\n      ^\n');
    const unknown = await run("search", "reports", "economi war");
    expect(unknown.code).toBe(0);
    expect(unknown.stderr).toContain("economi is not in the corpus (did you mean economy?)");
  });
});

describe("words", () => {
  const ask = (query: string, options = {}) => search(desk, { query, ...options });

  it("are cut as the corpus cuts them", async () => {
    const { terms } = await ask("Don't, (economy)");
    expect(terms.map(({ term }) => term)).toEqual(["do", "n't", "economy"]);
    expect((await ask("Don’t")).terms.map(({ term }) => term)).toEqual(["do", "n't"]);
    const { items } = await ask("don't", { limit: 1 });
    expect(items[0].snippet.startsWith("[Do n't] go.")).toBe(true);
    // In quotes signs count.
    expect((await ask('"go ."')).hits).toBe(documents);
    expect((await ask('"go war"')).hits).toBe(0);
  });

  it("stand for their lemmas if that is wanted", async () => {
    const forms = await ask("economies");
    const lemmas = await ask("economies", { attribute: "lemma" });
    expect(lemmas.terms).toMatchObject([{ term: "economy" }]);
    expect(lemmas.hits).toBeGreaterThan(forms.hits);
    expect(forms.hits).toBe(Math.ceil(documents / 13));
  });

  it("that the corpus does not have are named, and find nothing alone", async () => {
    const found = await ask("xyzzy plugh");
    expect(found).toMatchObject({
      hits: 0,
      exact: true,
      items: [],
      unknown: [{ term: "xyzzy" }, { term: "plugh" }],
    });
    expect((await ask('"plane xyzzy" war')).hits).toBe(0);
    expect((await ask("war xyzzy")).hits).toBe(documents / 5);
  });
});

describe("what is asked in bad faith", () => {
  const code = (query: string, options = {}) =>
    search(desk, { query, ...options }).then(
      () => "answered",
      (error) => error.code,
    );

  it("gets a clear answer", async () => {
    expect(await code("")).toBe("empty_query");
    expect(await code(' " " ,,, ')).toBe("empty_query");
    expect(await code('"war')).toBe("unbalanced_quote");
    expect(await code("war\u0000economy \ud800")).toBe("answered");
    expect((await search(desk, { query: "war\u0000economy" })).terms).toHaveLength(2);
    expect(await code("war ".repeat(3000))).toBe("answered");
    expect(await code(Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(" "))).toBe("query_too_long");
    const numbers = Array.from({ length: 300 }, (_, i) => `report${i}`).join(" ");
    expect(await code(numbers)).toBe("answered");
    expect(await code("x".repeat(19_000))).toBe("answered");
    expect(await code(`${"(".repeat(5000)}war${")".repeat(5000)}`)).toBe("answered");
    expect(await code("war", { limit: 20_000 })).toBe("too_deep");
    expect(await code("war", { unit: "chapter" })).toBe("unknown_structure");
    expect(await code("war", { weights: { k1: -1 } })).toBe("bad_weights");
    expect(await code("war", { weights: { attributes: { title: "doc.nothing" } } })).toBe(
      "unknown_attribute",
    );
    expect(await code("war", { where: "(".repeat(1000) })).toBe("bad_where");
    expect(await code("war", { where: `${"year=1 or ".repeat(700)}year=2` })).toBe("bad_where");
    expect(await code("war", { where: "year~'('" })).toBe("bad_where");
    expect(await code("war", { where: "lemma=war" })).toBe("bad_where");
    expect(await code("war", { where: "year>=" })).toBe("bad_where");
    expect(await code("war", { where: "year>=1950 party=Red" })).toBe("bad_where");
    expect(await code("war", { where: "year>=1950)" })).toBe("bad_where");
    expect(await code("war", { where: 'party="Red' })).toBe("bad_where");
  });

  it("may be more terms than a query can have", async () => {
    const file = join(folder, "many.vert");
    writeFileSync(file, `<doc>\n${Array.from({ length: 400 }, (_, i) => `w${i}`).join("\n")}\n</doc>\n`);
    await encodeCorpus({ data, corpus: "many", inputs: [file], attributes: ["word"], workers: 1 });
    const many = Desk.open({ data, corpus: "many" });
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
    await expect(search(many, { query: words.join(" ") })).rejects.toMatchObject({ code: "too_many_terms" });
    const found = await search(many, { query: words.slice(0, 256).join(" ") });
    expect(found.items[0].parts.closeness).toBeCloseTo(0.25, 6);
    await many.close();
  });

  it("may be about a very long document", async () => {
    const long = Desk.open({ data, corpus: "long" });
    const { items, hits } = await search(long, { query: 'a b needle "c needle"' });
    expect(hits).toBe(1);
    expect(items[0].end - items[0].begin).toBe(300_001);
    expect(items[0].snippet.endsWith("c needle]")).toBe(true);
    expect(items[0].snippet.startsWith("… ")).toBe(true);
    expect(items[0].id).toBe("#0");
    await long.close();
  });

  it("ends when nobody wants it any more", async () => {
    const impatient = Desk.open({
      data,
      corpus: "reports",
      checkpoint: () => {
        throw new Error("nobody");
      },
    });
    await expect(search(impatient, { query: "economy" })).rejects.toThrow("nobody");
    await impatient.close();
  });
});

describe("a condition", () => {
  it("narrows what a server is asked, as within does", async () => {
    const corpus = session.corpus("reports");
    const where = 'year<1950 and party="Green & Blue"';
    const within = '"economy" %c within <doc year<"1950" & party="Green & Blue"/>'.replace(
      '"economy" %c',
      '"(?i)economy"',
    );
    const narrow = await corpus.count('"(?i)economy"', { where });
    expect(narrow.hits).toEqual((await corpus.count(within)).hits);
    expect(narrow.hits.value).toBeGreaterThan(0);
    expect((await corpus.count([{ step: "query", query: '"(?i)economy"' }], { where })).hits).toEqual(
      narrow.hits,
    );
    const [row] = await corpus.wordlist({ attributes: "lemma", where, patterns: ["economy"] }).all();
    expect(row.count).toBeGreaterThan(0);
    await corpus.createSubcorpus("red", { kind: "where", where: "party=Red" }).catch(() => undefined);
    const plan = (await corpus.prepare('"war"', { where })).plan as PlanStep;
    expect(plan.operator).toBe("inside");
    expect(JSON.stringify(plan)).toContain("in one pass over the column");
  });

  it("is asked in the shell", async () => {
    const shell = new Shell(session, "reports");
    const view = await shell.execute('\\search "plane of" war --where party=Red and year<1950 --limit 2');
    expect(view?.kind).toBe("text");
    const { lines, document } = view as { lines: string[]; document: { items: unknown[] } };
    expect(document.items).toHaveLength(2);
    expect(lines[1]).toContain("plane of]");
    expect(lines.at(-1)).toMatch(/^\d+ doc in reports@1$/);
    await expect(shell.execute("\\search war --limit many")).rejects.toMatchObject({ code: "bad_usage" });
  });

  it("goes through a space where that is cheaper, to the same tokens", async () => {
    const where = "date>=2003-03 and date<2003-04-05";
    const before = planWhere(desk.snapshot, where);
    expect(JSON.stringify(before.plan())).not.toContain("through the space");
    const ranges = before.part();
    await buildSpace({ data, corpus: "reports", unit: "doc", dimensions: "date,length" });
    const other = Desk.open({ data, corpus: "reports" });
    const planned = planWhere(other.snapshot, "date=2003-03-09");
    expect(JSON.stringify(planned.plan())).toMatch(/through the space|by their lists/);
    const after = planWhere(other.snapshot, where);
    expect(after.part()).toEqual(ranges);
    const month = planWhere(other.snapshot, "date=2003-03");
    expect(JSON.stringify(month.plan())).toContain("through the space");
    const wanted = Array.from({ length: documents }, (_, i) => i).filter((i) => day(i).startsWith("2003-03"));
    const found = await search(other, { query: "do", where: "date=2003-03", limit: 100 });
    expect(found.items.map(({ number }) => number).sort((a, b) => a - b)).toEqual(wanted);
    // What the space computed can be asked for by its name.
    const longer = await search(other, { query: "do", where: "length>18", limit: 1 });
    const lengths = Array.from(
      { length: documents },
      (_, i) => 4 + (i % 7) * 2 + (i % 5 ? 0 : 1) + (i % 11 ? 0 : 3) + (i % 13 ? 0 : 4),
    );
    expect(longer.hits).toBe(lengths.filter((length) => length > 18).length);
    await other.close();
  });

  it("is not needed for a page rank that a space has computed", async () => {
    const lines = [
      "a\thttp://x.example/42",
      "b\thttp://x.example/42",
      "http://x.example/42\thttp://x.example/7",
    ];
    const links = join(folder, "links.tsv");
    writeFileSync(links, `${lines.join("\n")}\n`);
    const options = { data, corpus: "reports", unit: "doc", links, linkAttribute: "url" };
    await buildSpace({ ...options, dimensions: "year,rank:linear:1000" });
    const other = Desk.open({ data, corpus: "reports" });
    const weights = { ...{ bm25: 0, terms: 0, recency: 0, title: 0, url: 0 }, rank: 1 };
    const found = await search(other, { query: "go", weights, limit: 3, explain: true });
    expect(new Set(found.items.slice(0, 2).map(({ id }) => id))).toEqual(new Set(["d42", "d7"]));
    expect(found.items[0].parts.rank).toBe(1);
    expect(found.items[2].parts.rank).toBeLessThan(found.items[1].parts.rank);
    expect(found.plan?.why).toContain("dimension rank of the space");
    await other.close();
  });
});
