import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joinGenerations } from "../encode/join.js";
import { Arena } from "../kernels/arena.js";
import { Pool } from "../pool/pool.js";
import { DerivedMap } from "./derived.js";
import { type Automaton, Lexicon } from "./lexicon.js";
import { writeLexicon, writeMap, writeStatistics } from "./writer.js";

const arena = new Arena();
const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-lexicon-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = () => join(folder, String(serial++));
const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Writes strings as generations, ids in the order given; their frequencies are their ids times a billion. */
async function stored(
  generations: string[][],
): Promise<{ lexicon: Lexicon; strings: string[]; paths: string[] }> {
  const strings = generations.flat();
  const paths: string[] = [];
  let base = 0;
  for (const generation of generations) {
    arena.reset();
    const sorted = [...generation].sort(byteOrder);
    const bytes = sorted.map((string) => Buffer.from(string));
    let end = 0;
    const ends = Uint32Array.from(bytes, (own) => (end += own.length));
    const starts = ends.map((own, i) => own - bytes[i].length);
    const ids = Uint32Array.from(sorted, (string) => generation.indexOf(string));
    const path = newPath();
    await writeLexicon(path, arena, { heap: Buffer.concat(bytes), starts, ends }, ids, base);
    paths.push(path);
    base += generation.length;
  }
  const statistics = newPath();
  const frequency = BigUint64Array.from(strings, (_, id) => BigInt(id) * 1_000_000_000n);
  await writeStatistics(
    statistics,
    arena,
    strings.length,
    arena.putBytes(new Uint8Array(frequency.buffer)),
    arena.put(Uint32Array.from(strings, (_, id) => id)),
  );
  const lexicon = new Lexicon(pool, { size: strings.length, generations: paths, statistics });
  return { lexicon, strings, paths };
}

function check(lexicon: Lexicon, strings: string[]): void {
  const sorted = [...strings].sort(byteOrder);
  expect(strings.map((string) => lexicon.find(string))).toEqual([...strings.keys()]);
  expect(strings.map((_, id) => lexicon.string(id))).toEqual(strings);
  expect(strings.map((_, id) => lexicon.bytes(id).toString())).toEqual(strings);
  const inOrder: string[] = [];
  for (const { id, bytes } of lexicon.inOrder()) {
    expect(id).toBe(strings.indexOf(sorted[inOrder.length]));
    inOrder.push(Buffer.from(bytes).toString());
  }
  expect(inOrder).toEqual(sorted);
  const { idOfRank, rankOfId } = lexicon.order;
  expect([...idOfRank].map((id) => strings[id])).toEqual(sorted);
  expect([...idOfRank].map((id) => rankOfId[id])).toEqual([...sorted.keys()]);
}

const string = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abé😀\0"), maxLength: 4 }),
  fc.nat(999).map((number) => `w${number}`),
  fc.constantFrom(
    "",
    "x".repeat(127),
    "x".repeat(128),
    "x".repeat(300),
    `${"x".repeat(300)}y`,
    "\u{10ffff}",
    "\x7f",
    "\x80",
  ),
);
const generations = fc
  .tuple(fc.uniqueArray(string, { maxLength: 120, size: "max" }), fc.array(fc.nat(120), { maxLength: 3 }))
  .map(([strings, cuts]) => {
    const borders = [
      0,
      ...cuts.map((cut) => Math.min(cut, strings.length)).sort((a, b) => a - b),
      strings.length,
    ];
    return borders.slice(1).map((end, i) => strings.slice(borders[i], end));
  });

const automata: Record<string, { automaton: Automaton; accepts: (bytes: Buffer) => boolean }> = {
  everything: {
    automaton: { start: 0, dead: -1, step: () => 0, accepts: () => true },
    accepts: () => true,
  },
  nothing: {
    automaton: { start: 0, dead: 0, step: () => 0, accepts: () => false },
    accepts: () => false,
  },
  "an even number of bytes": {
    automaton: { start: 0, dead: -1, step: (state) => 1 - state, accepts: (state) => state === 0 },
    accepts: (bytes) => bytes.length % 2 === 0,
  },
  "no a before a b": {
    automaton: {
      start: 0,
      dead: -1,
      step: (state, byte) => (state === 1 || byte === 98 ? 1 : byte === 97 ? -1 : 0),
      accepts: () => true,
    },
    accepts: (bytes) => !bytes.subarray(0, bytes.includes(98) ? bytes.indexOf(98) : undefined).includes(97),
  },
  "x at least two hundred times, and nothing else": {
    automaton: {
      start: 0,
      dead: -1,
      step: (state, byte) => (byte === 120 ? state + 1 : -1),
      accepts: (state) => state >= 200,
    },
    accepts: (bytes) => /^x{200,}$/.test(bytes.toString("latin1")),
  },
};

describe("a lexicon of several generations", () => {
  it("finds strings by id and ids by string, in byte order over all of them", async () => {
    const property = fc.asyncProperty(generations, async (own) => {
      const { lexicon, strings } = await stored(own);
      check(lexicon, strings);
      for (const absent of ["nothing", "x", `${"x".repeat(300)}z`, "\uffff"]) {
        if (!strings.includes(absent)) expect(lexicon.find(absent)).toBe(-1);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("knows frequencies beyond 32 bits", async () => {
    const { lexicon, strings } = await stored([["a", "b", "c", "d", "e"], ["f"]]);
    expect(strings.map((_, id) => lexicon.frequency(id))).toEqual(strings.map((_, id) => id * 1e9));
    expect(strings.map((_, id) => lexicon.documentFrequency(id))).toEqual([...strings.keys()]);
  });

  it("finds all strings with a prefix, in the order of their ids", async () => {
    const property = fc.asyncProperty(generations, string, async (own, prefix) => {
      const { lexicon, strings } = await stored(own);
      const wanted = [...strings.keys()].filter((id) => strings[id].startsWith(prefix));
      expect([...lexicon.idsWithPrefix(prefix)]).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("finds all strings that an automaton accepts", async () => {
    const property = fc.asyncProperty(generations, async (own) => {
      const { lexicon, strings } = await stored(own);
      for (const [name, { automaton, accepts }] of Object.entries(automata)) {
        const wanted = [...strings.keys()].filter((id) => accepts(Buffer.from(strings[id])));
        expect([name, ...lexicon.idsMatching(automaton)]).toEqual([name, ...wanted]);
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("finds numbers by their value", async () => {
    const own = [
      ["10", "9", "-1", "1.5", "1.50", "x", "", "+2", "1e3", " 7"],
      ["007", "-0.5", "3.", ".5", "12345678901234567890", "٣"],
    ];
    const { lexicon, strings } = await stored(own);
    const between = (low: number, high: number) =>
      [...lexicon.idsBetween(low, high)].map((id) => strings[id]);
    expect(between(-1, 9)).toEqual(["-1", "-0.5", "1.5", "1.50", "+2", "007", "9"]);
    expect(between(9.5, Number.POSITIVE_INFINITY)).toEqual(["10", "12345678901234567890"]);
    expect(between(2, 2)).toEqual(["+2"]);
    expect(between(5, 4)).toEqual([]);
    expect(Number.isNaN(lexicon.numbers.values[strings.indexOf("1e3")])).toBe(true);
  });

  it("says of an id that it does not have that it has none such", async () => {
    for (const own of [[["a", "b"]], [["a"], ["b"]]]) {
      const { lexicon } = await stored(own);
      expect(() => lexicon.string(2)).toThrow(RangeError);
      expect(() => lexicon.string(-1)).toThrow(RangeError);
    }
  });

  it("joined to one has the same strings with the same ids", async () => {
    const property = fc.asyncProperty(generations, async (own) => {
      const { strings, paths, lexicon } = await stored(own);
      const lexiconPath = newPath();
      await joinGenerations(arena, { generations: paths, lexiconPath, mapPath: newPath() });
      const { statistics } = lexicon.files;
      check(new Lexicon(pool, { size: strings.length, generations: [lexiconPath], statistics }), strings);
    });
    await fc.assert(property, { numRuns: 25 });
  });
});

describe("a map from one lexicon to another", () => {
  it("over several generations leads there and back", async () => {
    const several = fc.array(fc.array(fc.uniqueArray(fc.nat(9), { maxLength: 4 }), { maxLength: 30 }), {
      minLength: 1,
      maxLength: 4,
    });
    const property = fc.asyncProperty(several, fc.boolean(), async (parts, single) => {
      const own = parts.map((part) => part.map((ids) => (single ? [ids[0] ?? 0] : ids)));
      const paths: string[] = [];
      let base = 0;
      for (const part of own) {
        let end = 0;
        const starts = Uint32Array.from([0, ...part.map((ids) => (end += ids.length))]);
        const path = newPath();
        arena.reset();
        await writeMap(path, arena, base, Uint32Array.from(part.flat()), single ? undefined : starts);
        paths.push(path);
        base += part.length;
      }
      const map = new DerivedMap(pool, paths, base, 10);
      const all = own.flat();
      expect(all.map((_, id) => [...map.of(id)])).toEqual(all);
      for (let derived = 0; derived < 10; derived++) {
        expect([...map.from(derived)]).toEqual([...all.keys()].filter((id) => all[id].includes(derived)));
      }
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
