/**
 * Chains at random over corpora at random: filters, choices and orders give the hits that their naive meaning gives
 * (reference/chain.ts), in the same order and with the same labels, however the corpus is cut into segments.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Chain, collect, Desk, findAll, type Hits, type Step, stream } from "../ql/index.js";
import { encodeCorpus, removeCorpus } from "../storage/index.js";
import { encodeOptions, naiveCorpus, type RandomCorpus, randomCorpus, textOf } from "./query/corpora.js";
import { applyNaively, type NaiveHit } from "./reference/chain.js";
import { scale, seed } from "./seed.js";

const corporaCount = Math.max(1, Math.round(60 * scale));
const chainsEach = 60;

let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-chain-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const simple = fc.constantFrom(
  '"a"',
  '[word="a|b"]',
  '[tag="N"]',
  "[]",
  '[tag="V"] [tag="N"]',
  '"a" []{0,2} [tag="N"]',
  "[]{1,3}",
  "<s/>",
  '"none"',
);
const labelled = fc.constantFrom(
  '1:[tag="N"] 2:[]',
  'x:([word="a"] []?) 2:[tag="V"]',
  '1:[] []{0,3} 2:[word="b"]',
);
const around = fc.constantFrom(
  "<s/>",
  '<doc year="19.*"/>',
  "<x/>",
  '[tag="N"]{1,3}',
  "[]{2}",
  '<s type="t"/>',
);

const flags = fc
  .subarray(["i", "d", "r", "f", "-"])
  .map((list) => (list.length > 0 ? `/${list.join("")}` : ""));
const place = fc.constantFrom(
  "0",
  "-1",
  "1",
  "2R",
  "2L",
  "node",
  "last",
  "-3..-1",
  "-1..-2",
  "1..2",
  "-1..1",
);
const structureAttributes = fc.constantFrom("doc.id", "doc.year", "s.type", "doc.topic");
const key = (labels: string[]) =>
  fc.oneof(
    fc.tuple(fc.constantFrom("word", "tag", "lc"), flags, place).map(([a, f, p]) => `${a}${f} ${p}`),
    fc.tuple(structureAttributes, flags).map(([a, f]) => `${a}${f}`),
    ...(labels.length > 0
      ? [
          fc
            .tuple(fc.constantFrom(...labels), fc.constantFrom("0", "node", "-1", "1"))
            .map(([l, p]) => `word ${l}:${p}`),
        ]
      : []),
  );

function step(labels: string[]): fc.Arbitrary<Step> {
  const window = fc.oneof(
    fc
      .tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 5 }))
      .map(([from, more]) => ({ from, to: from + more })),
    fc.constantFrom("s", "doc", "x").map((structure) => ({ structure })),
  );
  return fc.oneof(
    fc.record(
      {
        step: fc.constant("filter" as const),
        query: simple,
        drop: fc.boolean(),
        window,
        node: fc.boolean(),
        occurrence: fc.constantFrom(1, 2, -1, -2),
        label: fc.constant("f"),
      },
      { requiredKeys: ["step", "query"] },
    ),
    fc.record({ step: fc.constant("within" as const), query: around, drop: fc.boolean() }),
    fc.record(
      {
        step: fc.constant("first" as const),
        structure: fc.constantFrom("s", "doc", "x"),
        count: fc.integer({ min: 1, max: 3 }),
      },
      { requiredKeys: ["step", "structure"] },
    ),
    fc.constant<Step>({ step: "outermost" }),
    fc.record({
      step: fc.constant("sort" as const),
      keys: fc.array(key(labels), { minLength: 1, maxLength: 3 }),
      collation: fc.constantFrom("", "bytes", "cs"),
    }),
  );
}

const randomChain: fc.Arbitrary<Chain> = fc.oneof(
  fc
    .tuple(simple, fc.array(step([]), { maxLength: 4 }))
    .map(([query, steps]): Chain => [{ step: "query", query }, ...steps]),
  labelled.chain((query) => {
    const labels = query.includes("x:") ? ["x", "2"] : ["1", "2"];
    return fc
      .array(step(labels), { maxLength: 3 })
      .map((steps): Chain => [{ step: "query", query }, ...steps]);
  }),
);

function shown(hits: Hits): string[] {
  return Array.from({ length: hits.count }, (_, i) => `${hits.begins[i]}-${hits.ends[i]}`);
}

async function withDesk<Result>(corpus: RandomCorpus, ask: (desk: Desk) => Promise<Result>): Promise<Result> {
  const name = `c${++serial}`;
  const input = join(folder, `${name}.vert`);
  writeFileSync(input, textOf(corpus));
  await encodeCorpus({ data: folder, corpus: name, inputs: [input], ...encodeOptions(corpus) });
  const desk = Desk.open({ data: folder, corpus: name });
  try {
    return await ask(desk);
  } finally {
    await desk.close();
    await removeCorpus({ data: folder, corpus: name });
    rmSync(input);
  }
}

describe("a chain at random", () => {
  it(`gives the hits of its naive meaning (seed ${seed})`, {
    timeout: 600_000 * Math.max(1, scale),
  }, async () => {
    let withHits = 0;
    for (let i = 0; i < corporaCount; i++) {
      const [corpus] = fc.sample(randomCorpus, { seed: seed + i, numRuns: 1 });
      const naive = naiveCorpus(corpus);
      await withDesk(corpus, async (desk) => {
        const find = (query: string): NaiveHit[] => {
          const found = findAll(desk.snapshot, query);
          return Array.from({ length: found.count }, (_, n) => ({
            begin: found.begins[n],
            end: found.ends[n],
            labels: Object.fromEntries(
              Object.entries(found.labels)
                .filter(([, { begins }]) => !Number.isNaN(begins[n]))
                .map(([label, { begins, ends }]) => [label, [begins[n], ends[n]]]),
            ),
          }));
        };
        for (const chain of fc.sample(randomChain, { seed: seed + i, numRuns: chainsEach })) {
          const [{ query }, ...steps] = chain;
          let expected = find(query as string);
          for (const one of steps) expected = applyNaively(naive, find, expected, one as Step);
          const { hits } = await collect(desk, chain);
          const told = () => `${JSON.stringify(chain)}\non\n${textOf(corpus)}\nseed ${seed}`;
          expect(shown(hits), told()).toEqual(expected.map(({ begin, end }) => `${begin}-${end}`));
          if (hits.count > 1) withHits++;
          if (i % 4 === 0) {
            desk.results.clear();
            const again: string[] = [];
            for await (const block of stream(desk, chain)) again.push(...shown(block));
            expect(again, told()).toEqual(shown(hits));
          }
        }
      });
    }
    expect(withHits).toBeGreaterThan((corporaCount * chainsEach) / 3);
  });
});
