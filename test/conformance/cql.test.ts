/**
 * What Manatee and CQP answered, row by row: the engine gives as many hits, the same first five, and the same digest
 * of them all, on the two corpora that were asked.
 *
 * The facts lie beside the repository, in ../shared: without them the test is left out, but not where CI is true. Rows
 * that we hold to be wrong stand in disputed.json, each with its reason. Queries that must be errors here are below.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Strategy } from "../../ql/cql/ast.js";
import { type Found, findAll } from "../../ql/index.js";
import { encodeCorpus, openCorpus, type Snapshot } from "../../storage/index.js";

interface Row {
  id: string;
  corpus: "brown" | "ewt";
  dialect: string;
  strategy: Strategy;
  query: string;
  hits: number;
  first5: string[];
  digest: string;
  trusted: boolean;
  note?: string;
}

/** A row is told by its id, dialect and strategy. */
interface Dispute extends Pick<Row, "id" | "dialect" | "strategy"> {
  reason: string;
}

const shared = join(import.meta.dirname, "../../../shared");
const facts = join(shared, "oracle/cql.jsonl");
const isThere = existsSync(facts);
const columns = {
  brown: ["word", "tag", "lemma"],
  ewt: ["word", "lemma", "tag", "xpos", "deprel", "head"],
};

/** What the other systems answer, and what is an error here, with its code. */
const errors: { query: string; code: string }[] = [
  { query: '[tag="NP"]{2,1}', code: "bad_repeat" },
  { query: '1:[tag="JJ"] & 1.word=2.word', code: "unknown_label" },
  { query: '[lema="make"]', code: "unknown_attribute" },
  { query: "<sentence/>", code: "unknown_structure" },
  { query: '[word="("]', code: "bad_pattern" },
  { query: '[word="a"', code: "unbalanced" },
];

/** Rows that are not to be replayed, and what is true here instead. */
const own: { corpus: "brown" | "ewt"; query: string; hits: number }[] = [
  { corpus: "ewt", query: '[head<="-10"]', hits: 12_774 },
  { corpus: "brown", query: "<s>", hits: 57_340 },
  { corpus: "brown", query: "<<s>>", hits: 57_340 },
];

if (!isThere) {
  describe("the recorded facts", () => {
    const message = `there are no recorded facts at ${facts}`;
    it.skipIf(process.env.CI !== "true")("are there", () => expect.fail(message));
    console.warn(`${message}: conformance is not tested`);
  });
}

describe.skipIf(!isThere)("the engine and the recorded facts", () => {
  const rows: Row[] = isThere
    ? readFileSync(facts, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const disputed: Dispute[] = JSON.parse(readFileSync(join(import.meta.dirname, "disputed.json"), "utf8"));
  const isDisputed = (row: Row) =>
    disputed.some(({ id, dialect, strategy }) => {
      return row.id === id && row.dialect === dialect && row.strategy === strategy;
    });
  const trusted = rows.filter((row) => row.trusted && !isDisputed(row));
  const snapshots = {} as Record<Row["corpus"], Snapshot>;
  let folder = "";
  let replayed = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dugong-conformance-"));
    for (const corpus of ["brown", "ewt"] as const) {
      const inputs = [join(shared, `data/${corpus}.vert.gz`)];
      await encodeCorpus({ data: folder, corpus, inputs, attributes: columns[corpus] });
      snapshots[corpus] = openCorpus({ data: folder, corpus });
    }
  });
  afterAll(async () => {
    console.log(`${replayed} of ${rows.length} recorded rows replayed, ${disputed.length} disputed`);
    for (const snapshot of Object.values(snapshots)) await snapshot.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(trusted.map((row) => [`${row.corpus} ${row.strategy} ${row.query}`, row] as const))(
    "%s",
    (_, row) => {
      const found = findAll(snapshots[row.corpus], row.query, { strategy: row.strategy });
      replayed++;
      const ranges = rangesOf(found);
      expect({ hits: found.count, first5: ranges.slice(0, 5), digest: digestOf(ranges) }).toEqual({
        hits: row.hits,
        first5: row.first5,
        digest: row.digest,
      });
    },
  );

  it("agree on all rows that are trusted", () => {
    expect(trusted.length + disputed.length).toBe(rows.filter(({ trusted }) => trusted).length);
    expect(trusted.length).toBeGreaterThanOrEqual(300);
  });

  it.each(errors)("calls $query an error: $code", ({ query, code }) => {
    let thrown: { code?: string; message?: string } = {};
    try {
      findAll(snapshots.brown, query);
    } catch (error) {
      thrown = error as typeof thrown;
    }
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(/\S/) });
  });

  it.each(own)("finds $hits of $query, as the specification says", ({ corpus, query, hits }) => {
    expect(findAll(snapshots[corpus], query).count).toBe(hits);
  });
});

function rangesOf({ begins, ends }: Found): string[] {
  return Array.from(begins, (begin, i) => `${begin}-${ends[i]}`);
}

function digestOf(ranges: string[]): string {
  const lines = ranges.map((range) => `${range}\n`).join("");
  return createHash("sha1").update(lines).digest("hex").slice(0, 16);
}
