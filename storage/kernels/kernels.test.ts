import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventWords } from "../encode/builder.js";
import { field as word } from "../encode/parse.js";
import { Arena } from "./arena.js";
import { compiledKernels } from "./index.js";
import * as twins from "./twins.js";

const runs = { numRuns: 150 };
const tag = (line: string) =>
  line === "<g/>"
    ? twins.GLUE
    : line.startsWith("<!")
      ? twins.COMMENT
      : /^<.*>$/.test(line)
        ? twins.TAG
        : twins.TOKEN;

const arena: Arena = new Arena((start, length) =>
  tag(Buffer.from(arena.bytes(start >>> 0, length)).toString("latin1")),
);
const { kernels } = arena;

/** Runs with an empty arena; what lies behind every buffer is not zero. */
function fresh<Result>(run: () => Result): Result {
  arena.reset();
  const mark = arena.mark();
  const size = Math.min(arena.memory.buffer.byteLength - mark, 1 << 20);
  arena.u8.fill(0xa5, mark, mark + size);
  return run();
}

const width = fc.integer({ min: 0, max: 32 });
/** Values of up to `bits` bits, often the largest, with a few that are wider. */
const valuesOf = (count: { min: number; max: number }) =>
  fc
    .record({
      bits: width,
      wider: width,
      picks: fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(9)), {
        minLength: count.min,
        maxLength: count.max,
        size: "max",
      }),
    })
    .map(({ bits, wider, picks }) =>
      Uint32Array.from(picks, ([pick, choice]) => {
        const most = choice === 0 ? wider : bits;
        const largest = 2 ** most - 1;
        return choice === 1 ? largest : pick % (largest + 1);
      }),
    );
const block = valuesOf({ min: 128, max: 128 });
const column = fc.oneof(
  valuesOf({ min: 0, max: 700 }),
  fc.constantFrom(new Uint32Array(129), new Uint32Array(256).fill(0xffffffff), Uint32Array.of(0xffffffff, 0)),
);
/** Positions that follow `previous`; −1 before the first. */
const ascending = (count: { min: number; max: number }) =>
  fc
    .record({
      start: fc.constantFrom(-1, 0, 5, 1_000_000),
      gaps: valuesOf(count),
      bits: fc.constantFrom(0, 1, 3, 8, 20),
    })
    .map(({ start, gaps, bits }) => {
      let position = start;
      const positions = gaps.map((gap) => (position += (gap % 2 ** bits) + 1));
      return { previous: start, positions };
    });

describe("the kernels", () => {
  it("have names, by which a profile knows them", () => {
    const [names] = WebAssembly.Module.customSections(compiledKernels(), "name");
    const text = Buffer.from(names).toString("latin1");
    for (const name of ["readLines", "decodeExtent", "unpackChunk", "valuesIn"]) expect(text).toContain(name);
  });
});

describe("packing", () => {
  it("lays the low bits of 128 values out as the twin does", () => {
    fc.assert(
      fc.property(block, width, (values, bits) =>
        fresh(() => {
          const target = arena.allocate(512 + 16);
          kernels.pack(arena.put(values), target, bits);
          expect(arena.bytes(target, 16 * bits)).toEqual(twins.pack(values, bits));
        }),
      ),
      runs,
    );
  });

  it("is undone by unpacking, which touches nothing behind its block", () => {
    fc.assert(
      fc.property(block, width, (values, bits) =>
        fresh(() => {
          const packed = twins.pack(values, bits);
          const target = arena.allocate(512 + 64);
          kernels.unpack(arena.putBytes(packed), target, bits);
          expect(arena.integers(target, 128)).toEqual(twins.unpack(packed, bits));
          expect(arena.integers(target + 512, 16).every((word) => word === 0xa5a5a5a5)).toBe(true);
          const kept = bits === 32 ? values : values.map((value) => value & (2 ** bits - 1));
          expect(twins.unpack(packed, bits)).toEqual(kept);
        }),
      ),
      runs,
    );
  });
});

describe("columns", () => {
  it("are encoded to the same extents as the twin's, of the sizes foretold", () => {
    fc.assert(
      fc.property(column, fc.boolean(), (values, ordered) =>
        fresh(() => {
          const source = arena.put(values);
          const sizes = arena.allocate(Math.ceil(values.length / 128) * 2);
          const shapes = arena.allocate(Math.ceil(values.length / 128) * 2);
          kernels.columnSizes(source, values.length, ordered, sizes, shapes);
          const told = new Uint16Array(arena.memory.buffer, sizes, Math.ceil(values.length / 128));
          expect([...told]).toEqual(twins.columnSizes(values, ordered));
          const target = arena.allocate(1 << 16);
          const bytes = kernels.encodeExtent(source, values.length, ordered, shapes, target);
          expect(arena.bytes(target, bytes)).toEqual(twins.encodeExtent(values, ordered));
          expect(bytes).toBe([...told].reduce((sum, size) => sum + size, 0));
        }),
      ),
      runs,
    );
  });

  it("have as many blocks in each extent as fit any of them", () => {
    const sizes = fc.array(fc.integer({ min: 4, max: 524 }), { minLength: 1, maxLength: 300, size: "max" });
    fc.assert(
      fc.property(sizes, fc.constantFrom(524, 2000, 10_000, 65_536), (own, room) =>
        fresh(() => {
          const at = arena.putBytes(new Uint8Array(Uint16Array.from(own).buffer));
          const all = own.reduce((sum, size) => sum + size, 0);
          expect(kernels.sumShorts(at, own.length)).toBe(all);
          const blocks = kernels.blocksPerExtent(at, own.length, room);
          const extents = own.flatMap((_, i) => (i % blocks === 0 ? [own.slice(i, i + blocks)] : []));
          for (const extent of extents)
            expect(extent.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(room);
          if (all <= room) expect(blocks).toBe(own.length);
          expect(blocks).toBe(twins.blocksPerExtent(own, room));
        }),
      ),
      runs,
    );
  });

  it("are decoded from any block on as they were encoded", () => {
    fc.assert(
      fc.property(column, fc.boolean(), fc.nat(10), fc.nat(10), (values, ordered, from, most) =>
        fresh(() => {
          const extent = twins.encodeExtent(values, ordered);
          const blocks = Math.ceil(values.length / 128);
          const all = twins.decodeExtent(extent, blocks, ordered);
          expect(all.slice(0, values.length)).toEqual(values);
          const first = Math.min(from, blocks);
          const count = Math.min(most, blocks - first);
          const target = arena.allocate(count * 512 + 64);
          kernels.decodeExtent(arena.putBytes(extent), first, count, ordered, target);
          expect(arena.integers(target, count * 128)).toEqual(all.slice(first * 128, (first + count) * 128));
        }),
      ),
      runs,
    );
  });

  it("give any one value as they give all", () => {
    fc.assert(
      fc.property(
        column.filter((values) => values.length > 0),
        fc.boolean(),
        (values, ordered) =>
          fresh(() => {
            const extent = arena.putBytes(twins.encodeExtent(values, ordered));
            for (let place = 0; place < values.length; place++) {
              const value = kernels.valueIn(extent, place, ordered ? 1 : 0) >>> 0;
              if (value !== values[place]) expect([place, value]).toEqual([place, values[place]]);
            }
          }),
      ),
      runs,
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 2 }), (bytes) =>
        fresh(() => {
          const extent = arena.putBytes(bytes);
          expect([...bytes.keys()].map((place) => kernels.valueIn(extent, place, 2))).toEqual([...bytes]);
          expect(kernels.valueIn(extent, 0, 3)).toBe(bytes[0] + 256 * bytes[1]);
        }),
      ),
      runs,
    );
  });

  it("are narrowed to bytes and to pairs of bytes", () => {
    fc.assert(
      fc.property(valuesOf({ min: 0, max: 70 }), (values) =>
        fresh(() => {
          const source = arena.put(values);
          const target = arena.allocate(values.length * 2 + 16);
          kernels.narrow8(source, values.length, target);
          expect(arena.bytes(target, values.length)).toEqual(Uint8Array.from(values));
          kernels.narrow16(source, values.length, target);
          expect(new Uint16Array(arena.memory.buffer, target, values.length)).toEqual(
            Uint16Array.from(values),
          );
        }),
      ),
      runs,
    );
  });

  it("of bytes and of pairs of bytes are widened", () => {
    const widened = (put: () => number, count: number, kernel: typeof kernels.widen8) =>
      fresh(() => {
        const target = arena.allocate(count * 4 + 64);
        kernel(put(), count, target);
        expect(arena.u32[(target >>> 2) + count]).toBe(0xa5a5a5a5);
        return arena.integers(target, count).slice();
      });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), fc.uint16Array({ maxLength: 70 }), (bytes, pairs) => {
        expect(widened(() => arena.putBytes(bytes), bytes.length, kernels.widen8)).toEqual(
          twins.widen(bytes),
        );
        const pairsAsBytes = new Uint8Array(pairs.slice().buffer);
        expect(widened(() => arena.putBytes(pairsAsBytes), pairs.length, kernels.widen16)).toEqual(
          twins.widen(pairs),
        );
      }),
      runs,
    );
  });
});

describe("positions", () => {
  it("in blocks of 128 are packed and unpacked as by the twin", () => {
    fc.assert(
      fc.property(ascending({ min: 128, max: 128 }), ({ previous, positions }) =>
        fresh(() => {
          const wanted = twins.packPositions(positions, previous);
          const target = arena.allocate(1024);
          expect(kernels.packPositions(arena.put(positions), previous, target)).toBe(wanted.width);
          expect(arena.bytes(target, wanted.bytes.length)).toEqual(wanted.bytes);
          const out = arena.allocate(512 + 64);
          kernels.unpackPositions(target, previous, wanted.width, out);
          expect(arena.integers(out, 128)).toEqual(positions);
        }),
      ),
      runs,
    );
  });

  it("in tails of 1 to 127 are packed and unpacked as by the twin", () => {
    fc.assert(
      fc.property(ascending({ min: 1, max: 127 }), ({ previous, positions }) =>
        fresh(() => {
          const wanted = twins.packTail(positions, previous);
          const target = arena.allocate(1024);
          const bytes = kernels.packTail(arena.put(positions), positions.length, previous, target);
          expect(arena.bytes(target, bytes)).toEqual(wanted);
          const out = arena.allocate(512 + 64);
          kernels.unpackTail(target, positions.length, previous, out);
          expect(arena.integers(out, positions.length)).toEqual(positions);
          expect(twins.unpackTail(wanted, positions.length, previous)).toEqual(positions);
        }),
      ),
      runs,
    );
  });

  it.each([
    [[0xfffffffe], -1],
    [[0], -1],
    [[0, 0xfffffffe], -1],
  ])("at the extremes %j survive a tail", (list, previous) => {
    fresh(() => {
      const positions = Uint32Array.from(list);
      const target = arena.allocate(64);
      const bytes = kernels.packTail(arena.put(positions), positions.length, previous, target);
      expect(arena.bytes(target, bytes)).toEqual(twins.packTail(positions, previous));
      const out = arena.allocate(64);
      kernels.unpackTail(target, positions.length, previous, out);
      expect(arena.integers(out, positions.length)).toEqual(positions);
    });
  });

  it("in chunks are unpacked from any block on as by the twin", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }).chain((blocks) => ascending({ min: blocks * 128, max: blocks * 128 })),
        fc.nat(5),
        fc.nat(6),
        ({ previous, positions }, from, most) =>
          fresh(() => {
            const chunk = twins.packChunk(positions, previous);
            const total = positions.length / 128;
            const first = Math.min(from, total - 1);
            const blocks = Math.min(most, total - first);
            const target = arena.allocate(blocks * 512 + 64);
            const count = kernels.unpackChunk(arena.putBytes(chunk), total, first, blocks, previous, target);
            expect(count).toBe(blocks * 128);
            expect(arena.integers(target, count)).toEqual(
              positions.slice(first * 128, (first + blocks) * 128),
            );
            expect(twins.unpackChunk(chunk, total, first, blocks, previous)).toEqual(
              positions.slice(first * 128, (first + blocks) * 128),
            );
          }),
      ),
      runs,
    );
  });

  it("of a value in a stream of bytes are found as by the twin", () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100, max: 2 }));
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 1, 2, 127, 128, 255), fc.nat(1 << 27), (stream, value, base) =>
        fresh(() => {
          const target = arena.allocate(stream.length * 4 + 64);
          // What lies behind the stream must not be found.
          const source = arena.putBytes(Uint8Array.from([...stream, ...new Array(32).fill(value)]));
          const found = kernels.scanBytes(source, stream.length, value, base, target);
          expect([...arena.integers(target, found)]).toEqual(twins.scanBytes(stream, value, base));
        }),
      ),
      runs,
    );
  });

  it("give the numbers of bits, however many are set", () => {
    const word = fc.oneof(
      fc.constantFrom(0, 1, 0x80000000, 0xffffffff),
      fc.nat(31).map((bit) => 2 ** bit),
      fc.nat(0xffffffff),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 70 }), fc.nat(100_000), (words, base) =>
        fresh(() => {
          const source = arena.put(Uint32Array.from(words));
          const target = arena.allocate(words.length * 32 * 4 + 8);
          const found = kernels.placesOfWords(source, words.length, base, target);
          const wanted = words.flatMap((bits, w) =>
            [...Array(32).keys()].filter((bit) => (bits >>> bit) & 1).map((bit) => base + w * 32 + bit),
          );
          expect([...arena.integers(target, found)]).toEqual(wanted);
        }),
      ),
      runs,
    );
  });
});

function stringsOf(table: number): { strings: string[]; counts: number[] } {
  const [, , count, entries, , heap] = arena.integers(table, 8);
  const entry = arena.integers(entries, count * 4);
  return {
    strings: Array.from({ length: count }, (_, i) =>
      Buffer.from(arena.bytes(heap + entry[i * 4], entry[i * 4 + 1])).toString("latin1"),
    ),
    counts: Array.from({ length: count }, (_, i) => entry[i * 4 + 2]),
  };
}

describe("text", () => {
  const value = fc.oneof(
    fc.constantFrom(
      "",
      "a",
      "b",
      "\x01",
      "\x01<a>",
      "é",
      "abcdefgh",
      "abcdefghi",
      "x".repeat(40),
      "\0",
      "\r",
    ),
    fc.string({ unit: fc.constantFrom(..."ab<>/\x01é \r"), maxLength: 20 }),
    fc.nat(500).map((number) => `w${number}`),
  );
  const line = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => values.join("\t")),
    },
    { weight: 2, arbitrary: fc.constantFrom("<s>", "</s>", "<g/>", "<!x>", "", "<a", "\x01<s>") },
  );
  const text = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 200, size: "max" })
    .chain((lines) => fc.tuple(fc.constant(lines.map(([line, end]) => line + end).join("")), fc.boolean()))
    .map(([all, cut]) => (cut ? all.replace(/\r?\n$/, "") : all));

  const read = (content: string, marked: boolean) => {
    const bytes = Buffer.from(content, "latin1");
    const origin = arena.putBytes(bytes);
    const lines = arena.zeroed(word.words);
    const words = arena.integers(lines, word.words);
    words[word.table] = kernels.newTable(4);
    words[word.tokens] = arena.allocate(bytes.length * 4 + 512);
    words[word.glue] = arena.zeroed((bytes.length >>> 5) + 2);
    words[word.marked] = marked ? 1 : 0;
    expect(kernels.readLines(lines, origin, origin + bytes.length)).toBe(1);
    return lines;
  };

  it("becomes distinct lines, tokens, tags and glue as by the twin", () => {
    fc.assert(
      fc.property(text, (content) =>
        fresh(() => {
          const words = arena.integers(read(content, false), word.words);
          const wanted = twins.readLines(content, tag);
          const { strings, counts } = stringsOf(words[word.table]);
          expect(strings).toEqual(wanted.lines);
          expect(counts).toEqual(wanted.counts);
          expect([...arena.integers(words[word.kinds], strings.length)]).toEqual(wanted.kinds);
          expect([...arena.integers(words[word.firsts], strings.length)]).toEqual(wanted.firsts);
          expect([...arena.integers(words[word.tokens], words[word.tokenCount])]).toEqual(wanted.tokens);
          const events = arena.integers(words[word.events], words[word.eventCount] * eventWords);
          expect(wanted.events.map((_, i) => [events[i * eventWords], events[i * eventWords + 1]])).toEqual(
            wanted.events,
          );
          expect(words[word.eventCount]).toBe(wanted.events.length);
          const bits = arena.bytes(words[word.glue], Math.ceil((wanted.tokens.length + 1) / 8));
          const glued = Array.from({ length: wanted.tokens.length + 1 }, (_, i) => i).filter(
            (i) => bits[i >> 3] & (1 << (i & 7)),
          );
          expect(glued).toEqual(wanted.glued);
          expect(words[word.glueCount]).toBe(glued.length);
          for (const [count, first, places] of [
            ["emptyLines", "firstEmpty", wanted.empty],
            ["returns", "firstReturn", wanted.returns],
            ["comments", "firstComment", wanted.comments],
          ] as const) {
            expect([count, words[word[count]], words[word[first]]]).toEqual([
              count,
              places.length,
              places[0] ?? 0,
            ]);
          }
        }),
      ),
      runs,
    );
  });

  it("is split into columns as by the twin", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), fc.boolean(), (content, columns, marked) =>
        fresh(() => {
          const lines = read(content, marked);
          const wanted = twins.splitColumns(twins.readLines(content, tag), columns, marked);
          const distinct = wanted.found.length;
          const tables = Uint32Array.from({ length: columns }, () => kernels.newTable(1));
          const numbers = Uint32Array.from({ length: columns }, () => arena.allocate(distinct * 4 + 16));
          const found = arena.allocate(distinct * 4 + 16);
          const odd = wanted.found.filter((own) => own !== 0 && own !== columns).length;
          expect(kernels.splitColumns(lines, columns, arena.put(tables), arena.put(numbers), found)).toBe(
            odd,
          );
          expect([...arena.integers(found, distinct)]).toEqual(wanted.found);
          wanted.columns.forEach(({ strings, counts, numbers: own }, c) => {
            expect(stringsOf(tables[c])).toEqual({ strings, counts });
            expect([...arena.integers(numbers[c], distinct)]).toEqual(own);
          });
        }),
      ),
      runs,
    );
  });

  it("has as many newlines as the twin counts", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\n"), maxLength: 80 }), (content) =>
        fresh(() => {
          const source = arena.putBytes(Buffer.from(`${content}\n\n`));
          expect(kernels.countNewlines(source, content.length)).toBe(content.split("\n").length - 1);
        }),
      ),
      runs,
    );
  });
});

describe("tables of strings", () => {
  const string = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", "\0", "\xff"), maxLength: 20 }),
    fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 }).map((end) => `abcdefghijklmnop${end}`),
    fc.nat(300).map(String),
  );
  const strings = fc.array(string, { maxLength: 600, size: "max" });
  const put = (all: string[], counts?: number[]) => {
    const table = kernels.newTable(2) >>> 0;
    const heap = arena.putBytes(Buffer.from(all.join(""), "latin1"));
    let end = 0;
    const ends = arena.put(Uint32Array.from(all, (own) => (end += own.length)));
    const countsAt = counts ? arena.put(Uint32Array.from(counts)) : 0;
    const numbers = arena.allocate(all.length * 4 + 16);
    expect(kernels.internAll(table, heap, ends, countsAt, all.length, numbers)).toBe(1);
    return { table, numbers: [...arena.integers(numbers, all.length)] };
  };

  it("number them in the order in which they come, and add up their counts", () => {
    fc.assert(
      fc.property(strings, (all) =>
        fresh(() => {
          const counts = all.map((_, i) => (i % 7 === 0 ? 0xf0000000 : i));
          const { table, numbers } = put(all, counts);
          expect(numbers).toEqual(twins.internAll(all));
          const distinct = [...new Set(all)];
          const sum = (wanted: string) =>
            all.reduce((total, own, i) => total + (own === wanted ? counts[i] : 0), 0);
          expect(stringsOf(table)).toEqual({
            strings: distinct,
            counts: distinct.map((own) => Math.min(0xffffffff, sum(own))),
          });
          if (all.length === 0) return;
          const staging = arena.putBytes(Buffer.from(all[0], "latin1"));
          expect(kernels.intern(table, staging, all[0].length)).toBe(0);
        }),
      ),
      runs,
    );
  });

  it("sort them in byte order, from any number on", () => {
    fc.assert(
      fc.property(strings, fc.nat(20), (all, most) =>
        fresh(() => {
          const { table } = put(all);
          const distinct = [...new Set(all)].map((own) => Buffer.from(own, "latin1"));
          const from = Math.min(most, distinct.length);
          const count = distinct.length - from;
          const order = arena.allocate(count * 4 + 16);
          kernels.sortTable(table, from, arena.allocate(count * 16 + 16), order);
          expect([...arena.integers(order, count)]).toEqual(
            twins.sortTable(distinct.slice(from)).map((number) => number + from),
          );
        }),
      ),
      runs,
    );
  });

  it("sort many of them that begin alike", () => {
    fresh(() => {
      const all = Array.from({ length: 20_000 }, (_, i) => `prefix-${(i * 7919) % 20_000}-${i % 3}`);
      const { table } = put(all);
      const order = arena.allocate(all.length * 4);
      kernels.sortTable(table, 0, arena.allocate(all.length * 16), order);
      expect([...arena.integers(order, all.length)]).toEqual(
        twins.sortTable(all.map((own) => Buffer.from(own))),
      );
    });
  });
});

describe("inverting", () => {
  it("looks values up", () => {
    fc.assert(
      fc.property(
        column.filter((values) => values.length > 0),
        fc.array(fc.nat(), { maxLength: 50 }),
        (values, picks) =>
          fresh(() => {
            const keys = Uint32Array.from(picks, (pick) => pick % values.length);
            const target = arena.allocate(keys.length * 4 + 16);
            kernels.gather(arena.put(keys), keys.length, arena.put(values), target);
            expect(arena.integers(target, keys.length)).toEqual(twins.gather(keys, values));
          }),
      ),
      runs,
    );
  });

  it("gives the positions of each id and the number of documents with it", () => {
    const input = fc.record({
      ids: fc.array(fc.nat(9), { maxLength: 120, size: "max" }),
      cuts: fc.array(fc.nat(120), { maxLength: 12 }),
    });
    fc.assert(
      fc.property(input, ({ ids, cuts }) =>
        fresh(() => {
          const bounds = [...new Set(cuts.map((cut) => Math.min(cut, ids.length)))].sort((a, b) => a - b);
          if (bounds.length % 2 > 0) bounds.pop();
          const types = 10;
          const wanted = twins.invert(ids, types, bounds);
          let start = 0;
          const starts = arena.put(
            Uint32Array.from(wanted.positions, (list) => {
              start += list.length;
              return start - list.length;
            }),
          );
          const positions = arena.allocate(ids.length * 4 + 16);
          const documents = arena.zeroed(types);
          const at = arena.put(Uint32Array.from(ids));
          kernels.invert(
            at,
            ids.length,
            starts,
            positions,
            arena.put(Uint32Array.from(bounds)),
            bounds.length,
            documents,
            arena.zeroed(types),
          );
          expect([...arena.integers(positions, ids.length)]).toEqual(wanted.positions.flat());
          expect([...arena.integers(documents, types)]).toEqual(wanted.documents);
        }),
      ),
      runs,
    );
  });
});

describe("the leaves of a space", () => {
  /** Any bytes are some gaps: those with many ones have long ones. */
  const bits = fc.record({
    bytes: fc.array(fc.oneof(fc.nat(255), fc.constant(255), fc.constant(0)), {
      minLength: 1,
      maxLength: 300,
      size: "max",
    }),
    bit: fc.nat(40),
    count: fc.nat(150),
  });

  it("have codes that are unpacked as by the twin", () => {
    fc.assert(
      fc.property(bits, fc.integer({ min: 1, max: 32 }), ({ bytes, bit, count }, codeWidth) =>
        fresh(() => {
          const source = Uint8Array.from([...bytes, ...new Array<number>(700).fill(0)]);
          const target = arena.allocate(count * 4 + 64);
          kernels.unpackCodes(arena.putBytes(source), bit, codeWidth, count, target);
          expect(arena.integers(target, count)).toEqual(twins.unpackCodes(source, bit, codeWidth, count));
          expect(arena.u8[target + count * 4]).toBe(0xa5);
        }),
      ),
      runs,
    );
  });

  it("have gaps that are added up as by the twin", () => {
    fc.assert(
      fc.property(bits, fc.nat(31), fc.nat(1000), ({ bytes, bit, count }, parameter, sum) =>
        fresh(() => {
          const source = Uint8Array.from([...bytes, ...new Array<number>(1200).fill(0)]);
          const target = arena.allocate(count * 4 + 64);
          kernels.unpackGaps(arena.putBytes(source), bit, parameter, count, sum, target);
          expect(arena.integers(target, count)).toEqual(twins.unpackGaps(source, bit, parameter, count, sum));
          expect(arena.u8[target + count * 4]).toBe(0xa5);
        }),
      ),
      runs,
    );
  });
});
