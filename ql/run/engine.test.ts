/** The engine over one thread and several: the same matches, and what happens when a query ends before its time. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, Pool, type Snapshot } from "../../storage/index.js";
import type { Strategy } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import { planOf } from "../plan/explain.js";
import { Engine } from "./engine.js";
import { findAll } from "./find.js";
import { labelsOf } from "./local.js";
import type { Prepared, QueryOptions } from "./prepare.js";

const sentences = [
  "the/DT old/JJ cat/NN sees/VB a/DT dog/NN",
  "a/DT dog/NN and/CC a/DT dog/NN run/VB",
  "dogs/NN sleep/VB",
  "in/IN the/DT old/JJ old/JJ house/NN the/DT house/NN cat/NN sleeps/VB and/CC sees/VB the/DT house/NN",
];

let folder = "";
let snapshot: Snapshot;
let engines: Engine[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-engine-"));
  const lines: string[] = [];
  for (let i = 0; i < 400; i++) {
    if (i % 5 === 0) lines.push(`<doc n="${i % 3}">`);
    lines.push("<s>", ...sentences[(i * 7) % 4].split(" ").map((token) => token.replace("/", "\t")), "</s>");
    if (i % 5 === 4) lines.push("</doc>");
  }
  const path = join(folder, "text.vert");
  writeFileSync(path, `${lines.join("\n")}\n`);
  const attributes = ["word", "tag"];
  const data = join(folder, "data");
  await encodeCorpus({
    data,
    corpus: "c",
    inputs: [path],
    attributes,
    document: "doc",
    segmentBytes: 900,
    workers: 1,
  });
  snapshot = openCorpus({ data, corpus: "c", pool: Pool.create(8 << 20) });
  // However little there is to do, it is shared.
  engines = [1, 2, 3].map((threads) => new Engine(snapshot, threads, 0));
});

afterAll(async () => {
  for (const engine of engines) await engine.close();
  await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Range {
  begin: number;
  end: number;
  labels: Record<string, [number, number]>;
}

/** All matches that an engine gives, block by block, with what their labels are bound to. */
async function run(engine: Engine, prepared: Prepared): Promise<Range[]> {
  const ranges: Range[] = [];
  for await (const block of engine.run(prepared)) {
    for (let i = 0; i < block.count; i++) {
      const [begin, end] = [block.base + block.begins[i], block.base + block.ends[i]];
      ranges.push({ begin, end, labels: labelsOf(prepared, block, i) });
    }
  }
  return ranges;
}

function expected(query: string, options: QueryOptions): Range[] {
  const { count, begins, ends, labels } = findAll(snapshot, query, options);
  return Array.from({ length: count }, (_, i) => ({
    begin: begins[i],
    end: ends[i],
    labels: Object.fromEntries(
      Object.entries(labels)
        .filter(([, column]) => !Number.isNaN(column.begins[i]))
        .map(([label, column]) => [label, [column.begins[i], column.ends[i]]]),
    ),
  }));
}

const long = "[]{1,40} []{1,40}";

describe("a long match", () => {
  it("is found from a window that does not have its end", async () => {
    const data = join(folder, "short");
    const tokens = Array.from({ length: 40 }, (_, i) => (i === 23 ? "b" : "a"));
    writeFileSync(join(folder, "short.vert"), `${tokens.join("\n")}\n`);
    const inputs = [join(folder, "short.vert")];
    await encodeCorpus({ data, corpus: "c", inputs, attributes: ["word"], segmentBytes: 1, workers: 1 });
    const short = openCorpus({ data, corpus: "c" });
    try {
      expect([...findAll(short, '[]* [word=".*b"]').begins]).toEqual(Array.from({ length: 24 }, (_, i) => i));
      expect(findAll(short, '"a"* [word!="a"] []*').count).toBe(24 * 17);
    } finally {
      await short.close();
    }
  });
});

describe("a meet", () => {
  it("asks for boundaries at a place that several matches lead to", () => {
    const query = (other: string) => `(meet ([tag="DT"] []?) [${other}] -1 -1)`;
    const found = (other: string) => [...findAll(snapshot, query(other)).begins];
    // The same question, without and with something that holds everywhere: it is looked at in another way.
    expect(found("lbound(s) & word=word")).toEqual(found("lbound(s)"));
    expect(found("!lbound(s) & word=word")).toEqual(found("!lbound(s)"));
    expect(found("lbound(s)").length).toBeGreaterThan(100);
  });
});

describe("a boundary before a rare token", () => {
  it("is found where it stands at the end of the segment before", async () => {
    const data = join(folder, "borders");
    const path = join(folder, "borders.vert");
    const wanted: number[] = [];
    const lines: string[] = [];
    for (let doc = 0; doc < 100; doc++) {
      const isWanted = doc % 10 === 9;
      if (isWanted) wanted.push(doc * 200);
      const words = [isWanted ? "x" : "a", ...Array.from({ length: 199 }, () => "a")];
      lines.push("<doc>", "<div>", "<div>", "<s>", ...words, "</s>", "</div>", "</div>", "</doc>");
    }
    writeFileSync(path, `${lines.join("\n")}\n`);
    await encodeCorpus({
      data,
      corpus: "c",
      inputs: [path],
      attributes: ["word"],
      segmentBytes: 300,
      workers: 1,
    });
    const borders = openCorpus({ data, corpus: "c", pool: Pool.create(8 << 20) });
    try {
      expect(borders.segments.length).toBeGreaterThan(50);
      expect([...findAll(borders, '</s> "x"').begins]).toEqual(wanted);
      expect([...findAll(borders, '</s> <s> "x" []').begins]).toEqual(wanted);
      expect([...findAll(borders, '"a" </s> "x"').begins]).toEqual(wanted.map((begin) => begin - 1));
      // Two divisions begin in one place.
      expect(findAll(borders, "<div> []").count).toBe(100);
      expect(findAll(borders, "</div> []").count).toBe(99);
      expect([...findAll(borders, '<div> "x"').begins]).toEqual(wanted);
      expect([...findAll(borders, '</div> "x"').begins]).toEqual(wanted);
      expect(findAll(borders, '[!rbound(s) & word="x"]').count).toBe(10);
    } finally {
      await borders.close();
    }
  });
});

/** The ranges of all matches. */
function positions(query: string, options: QueryOptions = {}): string[] {
  const { begins, ends } = findAll(snapshot, query, options);
  return [...begins].map((begin, i) => `${begin}-${ends[i]}`);
}

describe("a sequence with a part that is found on its own", () => {
  it("is joined of its parts, whatever stands before and behind", () => {
    const pairs = [
      ['"a" (meet "dog" "and" 1 1) []', '"a" "dog" "and"'],
      ['[tag="DT"]? ("dog" within <s/>) [tag="CC"]? [tag="DT"]', '[tag="DT"]? "dog" [tag="CC"]? [tag="DT"]'],
      ['<s> ("dogs" within <s/>) [] </s>', '<s> "dogs" [] </s>'],
      ['("old" containing "old"){2,3}', '"old"{2,3}'],
      ['(("cat" within <s/>) | "dog" "and") []', '("cat" | "dog" "and") []'],
    ];
    for (const [joined, plain] of pairs) {
      const prepared = engines[0].prepare(joined);
      expect(JSON.stringify(planOf(prepared.source)), joined).toContain('"operator":"join"');
      prepared.ground.release();
      expect(positions(joined), joined).toEqual(positions(plain));
      expect(positions(joined).length, joined).toBeGreaterThan(0);
    }
  });

  it("has an end tag that belongs to its start tag, and is bounded by it", () => {
    const sentences = positions("<s/>");
    expect(positions("(?longest) <s> []* </s>")).toEqual(sentences);
    expect(positions('(?standard) <s> "dogs" []* </s>')).toEqual(positions('<s/> containing "dogs"'));
    expect(positions("(?longest) <doc> []+ </doc>")).toEqual(positions("<doc/>"));
  });

  it("is walked where its automaton would be too large", () => {
    const walked = positions('(?longest) (<s> []{1,300} </s>){1,200} within <doc n="1"/>');
    expect(walked.length).toBeGreaterThan(0);
  });
});

describe("a repeat of a repeat", () => {
  it("is as long as one repeat may be, under every strategy", () => {
    for (const strategy of ["all", "longest", "standard", "shortest", "traditional"] as const) {
      const found = (query: string) => positions(query, { strategy });
      for (const [nested, one] of [
        ['([tag="JJ"]*)* [tag="NN"]', '[tag="JJ"]* [tag="NN"]'],
        ['(([tag="JJ"]+)*)+ [tag="NN"]', '[tag="JJ"]* [tag="NN"]'],
        ['([tag="JJ"]{2,})* [tag="NN"]', '([tag="JJ"]{2,})? [tag="NN"]'],
        ['([tag="JJ"]+){2} [tag="NN"]', '[tag="JJ"]{2,} [tag="NN"]'],
      ])
        expect(found(nested), `${strategy} ${nested}`).toEqual(found(one));
    }
  });
});

describe("a label in a round that consumes nothing", () => {
  it("is bound as if there were no within in tokens", () => {
    const bound = (query: string) => {
      const { begins, ends, labels } = findAll(snapshot, query);
      const first = ends.findIndex((end, i) => begins[i] === 0 && end === 1);
      return [labels.b.begins[first], labels.b.ends[first]];
    };
    expect(bound("b:([]*)* within 1")).toEqual(bound("b:([]*)* within 5"));
    expect(bound("b:([]*)* within 1")).toEqual([0, 0]);
  });
});

describe("an engine with one, two and three threads", () => {
  it("has a corpus of many segments to ask", () => {
    expect(snapshot.segments.length).toBeGreaterThan(20);
  });

  it.each<[string, QueryOptions?]>([
    ['"dog"'],
    ['[tag="DT"] []{0,3} [tag="NN"]'],
    ['[tag="DT"] [tag="JJ"]* [tag="NN"] within <s/>'],
    ['1:[tag="NN"] []* 2:[tag="NN"] & 1.word = 2.word within <s/>'],
    ["a:[] b:[] & a.word = b.word"],
    ['(x:"cat" | y:"dog") [tag="VB"]'],
    ['<s> [] []* "house" </s>'],
    ['<doc n="1"/> containing "cat"'],
    ['<s/> !containing [tag="JJ"]'],
    ['"dog" !within <doc n="0"/>'],
    ['(meet [tag="VB"] "cat" -3 3)'],
    ['(union "cat" [tag="NN"] [tag="VB"])'],
    ['!("the")'],
    ['TAB "the" {0,2} [tag="NN"] * "house"', { gapMax: 10 }],
    ['"old"+ cut 17'],
    ['"nowhere"'],
    ["[] cut 0"],
    ['x:[tag="VB"] expand to s'],
    ['"cat" expand left to 2 s cut 5'],
    ["[word=$animals]", { lists: { animals: ["cat", "dog", "emu"] } }],
    ['"the" []* "the"', { gapMax: 30 }],
    ['[word="(.).*\\1"]'],
  ])("finds what there is: %s %j", async (query, options = {}) => {
    const wanted = expected(query, options);
    for (const engine of engines) {
      const prepared = engine.prepare(query, options);
      expect(await run(engine, prepared), `${engine.threads} threads`).toEqual(wanted);
      expect(await engine.count(engine.prepare(query, options))).toBe(wanted.length);
      expect(prepared.notices.map(({ code }) => code)).toEqual(
        findAll(snapshot, query, options).notices.map(({ code }) => code),
      );
    }
  });

  it.each<Strategy>(["all", "traditional", "standard", "shortest", "longest"])(
    "finds what the strategy %s keeps, across segments too",
    async (strategy) => {
      for (const query of [
        '[tag="DT"] []{0,60} [tag="NN"]',
        'a:[tag="JJ"]+ b:[]? "house"',
        '"dog" []{0,60} "cat" cut 40',
        '[tag="NN"]+ within <s/>',
      ]) {
        const wanted = expected(query, { strategy });
        expect(wanted.length).toBeGreaterThan(0);
        for (const engine of engines) {
          expect(await run(engine, engine.prepare(query, { strategy }))).toEqual(wanted);
          expect(await engine.count(engine.prepare(query, { strategy }))).toBe(wanted.length);
        }
      }
    },
  );

  it("answers queries that are under way at the same time, each its own", async () => {
    const queries = ['"dog"', '[tag="DT"] []{0,3} [tag="NN"]', "a:[] b:[] & a.word = b.word", "[] []"];
    for (const engine of engines) {
      const answers = await Promise.all(queries.map((query) => run(engine, engine.prepare(query))));
      expect(answers).toEqual(queries.map((query) => expected(query, {})));
      let inner = 0;
      for await (const { count } of engine.run(engine.prepare("[] []"))) {
        inner += count;
        if (inner === count)
          expect(await engine.count(engine.prepare('"dog" []'))).toBe(expected('"dog" []', {}).length);
      }
      expect(inner).toBe(snapshot.tokens - 1);
    }
  });
});

describe("the memory of a block", () => {
  it("is used again for the next, and not before that is asked for", async () => {
    for (const engine of engines) {
      for (const query of ['[word!="dog"]', "[] []{0,3} []", '"dog"', '[word="dog"] [tag="VB"]']) {
        const wanted = expected(query, {});
        for (let round = 0; round < 3; round++) {
          const buffers = new Set<ArrayBufferLike>();
          let blocks = 0;
          let at = 0;
          for await (const { base, begins, ends, count } of engine.run(engine.prepare(query))) {
            // Other threads have time to write what they find, if they would write it here.
            await new Promise((resolve) => setImmediate(resolve));
            for (let i = 0; i < count; i++, at++) {
              if (base + begins[i] !== wanted[at].begin || base + ends[i] !== wanted[at].end)
                expect([base + begins[i], base + ends[i]]).toEqual([wanted[at].begin, wanted[at].end]);
            }
            if (count > 0) blocks++;
            buffers.add(begins.buffer);
          }
          expect(at).toBe(wanted.length);
          if (engine.threads === 1) expect(buffers.size).toBeLessThan(Math.max(blocks, 2));
        }
      }
    }
  });
});

describe("a query that ends before its time", () => {
  it("ends with the loop, and the next one is answered", async () => {
    for (const engine of engines) {
      for (let i = 0; i < 5; i++) {
        for await (const { count } of engine.run(engine.prepare(long))) {
          expect(count).toBeGreaterThan(0);
          break;
        }
        expect(await engine.count(engine.prepare('"dog" [tag="VB"]'))).toBe(
          expected('"dog" [tag="VB"]', {}).length,
        );
      }
    }
  });

  it("ends with what the checkpoint throws", async () => {
    for (const engine of engines) {
      let calls = 0;
      let most = 3;
      const checkpoint = () => {
        if (++calls > most) throw new QueryError("cancelled", "nobody wants to know");
      };
      const prepared = engine.prepare(long, { checkpoint });
      await expect(run(engine, prepared)).rejects.toMatchObject({ code: "cancelled" });
      expect(calls).toBe(4);
      calls = 0;
      // Others may be so quick that this thread has nothing more to count.
      most = 0;
      await expect(engine.count(engine.prepare(long, { checkpoint }))).rejects.toMatchObject({
        code: "cancelled",
      });
      expect(await engine.count(engine.prepare('"dog" []'))).toBe(expected('"dog" []', {}).length);
    }
  });

  it("says why, wherever it was computed", async () => {
    const query = '1:[]* 2:[]* 3:[]* & 1.word = "x" & 2.word = "y" & 3.word = "z"';
    for (const engine of engines) {
      const error = await run(engine, engine.prepare(query)).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({ code: "too_many_derivations", hint: expect.any(String) });
    }
  });
});

describe("a thread that ends", () => {
  /** So slow that a thread's end is heard of before the query's; and that thread ends before it has read anything. */
  const checkpoint = () => {
    const until = performance.now() + 15;
    while (performance.now() < until);
  };

  it("fails the query, which does not wait for ever, and is replaced", async () => {
    const engine = new Engine(snapshot, 3, 0);
    const counted = engine.count(engine.prepare("[] []", { checkpoint }));
    const [first, second] = engine.helpers;
    void first.terminate();
    await expect(counted).rejects.toMatchObject({ code: "thread_ended" });
    expect(engine.helpers).toEqual([second]);
    expect(await engine.count(engine.prepare("[] []"))).toBe(snapshot.tokens - 1);
    expect(engine.helpers).toHaveLength(2);
    await engine.close();
  });

  it("fails a query whose matches are being read", async () => {
    const engine = new Engine(snapshot, 2, 0);
    const blocks: number[] = [];
    const found = (async () => {
      for await (const { count } of engine.run(engine.prepare("[] []", { checkpoint }))) {
        if (blocks.push(count) === 1) await engine.helpers[0].terminate();
      }
    })();
    await expect(found).rejects.toMatchObject({ code: "thread_ended" });
    expect(blocks).toHaveLength(1);
    await engine.close();
  });

  it("gives its place in the pool back", async () => {
    const free = () => {
      const place = snapshot.pool.reserve();
      snapshot.pool.giveBack(place);
      return place.thread;
    };
    const before = free();
    const engine = new Engine(snapshot, 3, 0);
    expect(await engine.count(engine.prepare('"old" []'))).toBe(expected('"old" []', {}).length);
    expect(free()).not.toBe(before);
    await engine.close();
    expect(free()).toBe(before);
  });

  it("rests while nobody reads, and leaves a query that is given up then", async () => {
    const engine = new Engine(snapshot, 2, 0);
    for await (const { count } of engine.run(engine.prepare(long))) {
      expect(count).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      break;
    }
    expect(await engine.count(engine.prepare(long))).toBe(expected(long, {}).length);
    await engine.close();
  });

  it("is ended by closing, and so is what was under way", async () => {
    const engine = new Engine(snapshot, 2, 0);
    const counted = engine.count(engine.prepare(long)).catch((error) => error.code);
    await engine.close();
    expect(await counted).toBe("closed");
    expect(await engines[1].count(engines[1].prepare('"dog" []'))).toBe(expected('"dog" []', {}).length);
  });
});
