import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Segment } from "../corpus/segment.js";
import { Structure } from "../corpus/structure.js";
import { Arena } from "../kernels/arena.js";
import { Pool } from "../pool/pool.js";
import { Structures } from "./reader.js";
import { StructureWriter } from "./writer.js";

const arena = new Arena();
const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-structures-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Range {
  begin: number;
  end: number;
  parent: number;
}
const none = -1;

/** Ranges that nest, in the order in which they open, from a walk of opening (1), closing (2) and tokens (0). */
function rangesOf(steps: number[], nest: boolean): { ranges: Range[]; tokens: number } {
  const ranges: Range[] = [];
  const open: number[] = [];
  let tokens = 0;
  for (const step of steps) {
    if (step === 0) tokens++;
    else if (step === 1 && (nest || open.length === 0)) {
      open.push(ranges.length);
      ranges.push({ begin: tokens, end: -1, parent: open.at(-2) ?? none });
    } else if (step === 2) {
      const closed = open.at(-1);
      if (closed === undefined || (!nest && ranges[closed].begin === tokens)) continue;
      ranges[closed].end = tokens;
      open.pop();
    }
  }
  tokens++;
  for (const index of open) ranges[index].end = tokens;
  return { ranges, tokens };
}

async function stored(
  ranges: Range[],
  write: (writer: StructureWriter) => void = () => {},
): Promise<Structures> {
  arena.reset();
  const path = join(folder, `${serial++}.structure`);
  const writer = new StructureWriter(path, arena, {
    begins: Uint32Array.from(ranges, ({ begin }) => begin),
    ends: Uint32Array.from(ranges, ({ end }) => end),
    carriedIn: 0,
    carriedOut: [],
  });
  write(writer);
  await writer.finish();
  return new Structures(pool, path);
}

const steps = fc.array(fc.constantFrom(0, 0, 1, 2), { maxLength: 400, size: "max" });

describe("structures of one kind", () => {
  it("are found around every position, innermost first, whether they nest or not", async () => {
    const property = fc.asyncProperty(steps, fc.boolean(), async (walk, nest) => {
      const { ranges, tokens } = rangesOf(walk, nest);
      const structures = await stored(ranges);
      expect(structures.count).toBe(ranges.length);
      for (let position = 0; position <= tokens; position++) {
        const around = ranges.flatMap(({ begin, end }, i) =>
          begin <= position && position < end ? [i] : [],
        );
        expect(structures.containing(position)).toBe(around.at(-1) ?? -1);
        expect(structures.allContaining(position)).toEqual(around.reverse());
        const first = ranges.findIndex(({ begin }) => begin >= position);
        expect(structures.firstFrom(position)).toBe(first < 0 ? ranges.length : first);
      }
      ranges.forEach(({ begin, end, parent }, i) => {
        expect([structures.begin(i), structures.end(i)]).toEqual([begin, end]);
        if (begin < end) expect(structures.parent(i)).toBe(parent);
      });
      const [begins, ends] = [new Uint32Array(ranges.length), new Uint32Array(ranges.length)];
      structures.ranges(0, ranges.length, begins, ends);
      expect([...begins.keys()].map((i) => [begins[i], ends[i]])).toEqual(
        ranges.map(({ begin, end }) => [begin, end]),
      );
      structures.close();
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("have values, which lead back to them", async () => {
    const value = fc.option(fc.nat(6), { nil: undefined });
    const property = fc.asyncProperty(fc.array(value, { maxLength: 700, size: "max" }), async (ids) => {
      const ranges = ids.map((_, i) => ({ begin: i, end: i + 1, parent: none }));
      const structures = await stored(ranges, (writer) => {
        writer.attribute(
          "a",
          Uint32Array.from(ids, (id) => (id === undefined ? 0 : id + 1)),
        );
        writer.attribute("none", new Uint32Array(ids.length));
      });
      expect(ids.map((_, i) => structures.valueId(i, "a"))).toEqual(ids.map((id) => id ?? -1));
      const out = new Uint32Array(ids.length);
      structures.valueIds("a", 0, ids.length, out);
      expect([...out]).toEqual(ids.map((id) => (id === undefined ? 0 : id + 1)));
      for (let id = 0; id <= 8; id++) {
        const block = new Uint32Array(1000);
        const found = structures.withValue("a", id).fill(block);
        expect([...block.subarray(0, found)]).toEqual([...ids.keys()].filter((i) => ids[i] === id));
      }
      expect(structures.withValue("none", 0).next()).toBe(structures.withValue("other", 0).next());
      expect(ids.map((_, i) => structures.valueId(i, "none"))).toEqual(ids.map(() => -1));
      expect(structures.hasAttribute("other")).toBe(false);
      structures.close();
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it("have strings of their own, or none", async () => {
    const string = fc.option(
      fc.oneof(fc.string({ unit: fc.constantFrom(..."ab/é😀\0") }), fc.constant("x".repeat(500))),
      {
        nil: undefined,
      },
    );
    const property = fc.asyncProperty(fc.array(string, { maxLength: 60, size: "max" }), async (strings) => {
      const structures = await stored(
        strings.map((_, i) => ({ begin: i, end: i + 1, parent: none })),
        (writer) =>
          writer.unique(
            "url",
            strings.map((own) => (own === undefined ? undefined : Buffer.from(own))),
          ),
      );
      expect(strings.map((_, i) => structures.uniqueValue(i, "url"))).toEqual(strings);
      expect(strings.map((_, i) => structures.uniqueValue(i, "other"))).toEqual(strings.map(() => undefined));
      structures.close();
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it("keep attributes apart, whatever they are called", async () => {
    const names = [
      "value",
      "ids",
      "counts",
      "documents",
      "offsets",
      "lists",
      "begins",
      "table",
      "blocks",
      "absent",
      "ids:extents",
      "value:extents",
      "extents",
      "extents:ids",
    ];
    const ranges = [{ begin: 0, end: 1, parent: none }];
    const structures = await stored(ranges, (writer) => {
      for (const [i, name] of names.entries()) writer.attribute(name, Uint32Array.of(i + 1));
    });
    expect(names.map((name) => structures.valueId(0, name))).toEqual([...names.keys()]);
    structures.close();
  });
});

describe("a structure over several segments", () => {
  /** Segments of one token each, all of them inside one structure. */
  function around(count: number): Structure {
    const segments = Array.from({ length: count }, (_, i) => {
      const carriedOut = i === count - 1 ? [] : [0];
      const structures = { s: { count: 1, carriedIn: i === 0 ? 0 : 1, carriedOut } };
      const segment = new Segment(pool, folder, {
        id: String(i),
        start: i,
        tokens: 1,
        glue: 0,
        structures,
        files: [],
      });
      const piece = {
        meta: { carriedOut },
        begin: () => 0,
        end: () => 1,
        containing: () => 0,
      };
      return Object.assign(segment, { structures: () => piece as unknown as Structures });
    });
    return new Structure({ name: "s", attributes: [] }, segments, new Map());
  }

  it("is one, with one range", () => {
    const structure = around(5);
    expect(structure.count).toBe(1);
    expect(structure.range(0)).toEqual([0, 5]);
    expect([0, 2, 4, 5].map((position) => structure.containing(position))).toEqual([0, 0, 0, -1]);
  });

  it("may go over as many segments as there are", () => {
    const structure = around(30_000);
    expect(structure.range(0)).toEqual([0, 30_000]);
    expect(structure.containing(29_999)).toBe(0);
  });
});
