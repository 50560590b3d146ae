import fc from "fast-check";
import { Packr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { checkMsgpack, codecOf } from "./codec.js";
import { limits } from "./limits.js";
import { subprotocols } from "./messages.js";
import { readClientMessage } from "./requests.js";

const json = codecOf("dugong.v1.json");
const msgpack = codecOf("dugong.v1.msgpack");

/** As both sub-protocols can say it. */
const plainValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0 || 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 20 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    tie("value"),
    { maxKeys: 20, noNullPrototype: true },
  ),
})).object as fc.Arbitrary<object>;

describe("frames", () => {
  it("bring every message back as it was, in both sub-protocols", () => {
    fc.assert(
      fc.property(plainValue, (message) => {
        for (const subprotocol of subprotocols) {
          const { encode, decode } = codecOf(subprotocol);
          expect(decode(encode(message))).toEqual({ message });
        }
      }),
    );
  });

  it("say the same of what JSON does not have", () => {
    const message = {
      id: 7,
      nothing: undefined,
      columns: { a: Uint32Array.of(1, 2), b: [undefined, Number.NaN, 2 ** 40 + 1] },
      nested: [{ x: undefined, y: Number.POSITIVE_INFINITY }],
    };
    const meant = {
      id: 7,
      columns: { a: [1, 2], b: [null, null, 2 ** 40 + 1] },
      nested: [{ y: null }],
    };
    for (const subprotocol of subprotocols) {
      const { encode, decode } = codecOf(subprotocol);
      expect(decode(encode(message))).toEqual({ message: meant });
    }
    expect(message.columns.b[0]).toBeUndefined();
  });

  it("keep whole numbers up to 2^53", () => {
    for (const id of [2 ** 31, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER, -(2 ** 40)])
      for (const { encode, decode } of [json, msgpack])
        expect(decode(encode({ id }))).toEqual({ message: { id } });
    // As other writers put them: 64 bits.
    expect(msgpack.decode(Uint8Array.of(0x81, 0xa1, 0x61, 0xcf, 0, 0, 1, 0, 0, 0, 0, 5))).toEqual({
      message: { a: 2 ** 40 + 5 },
    });
  });

  it("never throw, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: "binary" })), (frame) => {
        for (const { decode } of [json, msgpack]) {
          const decoded = decode(frame);
          if ("problem" in decoded) expect(decoded.problem.message).not.toBe("");
          else readClientMessage(decoded.message);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are refused where they were cut, or have more behind them", () => {
    fc.assert(
      fc.property(
        plainValue,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (message, part) => {
          const whole = msgpack.encode(message) as Uint8Array;
          expect(msgpack.decode(whole.slice(0, Math.floor(whole.length * part)))).toHaveProperty("problem");
          expect(msgpack.decode(Uint8Array.of(...whole, 0xc0))).toHaveProperty("problem");
        },
      ),
    );
  });

  it("are refused with what JSON has no word for", () => {
    const packr = new Packr({ useRecords: false, moreTypes: true });
    const rich = [
      new Date(),
      new Set([1]),
      /x+/,
      new Error("x"),
      Buffer.from("x"),
      new Map([[1, 2]]),
      10n ** 30n,
    ];
    for (const value of rich) {
      const bytes = packr.pack({ value });
      expect(checkMsgpack(bytes), String(value)).toBeTypeOf("string");
    }
    expect(checkMsgpack(new Packr({ useRecords: true }).pack({ a: 1, b: [{ c: 1 }] }))).toBeTypeOf("string");
  });

  it("are refused where lengths promise more than there is, before anything is made so long", () => {
    for (const bytes of [
      [0x81, 0xa1, 0x61, 0xdd, 0xff, 0xff, 0xff, 0xff],
      [0xdf, 0xff, 0xff, 0xff, 0xff],
      [0x81, 0xa1, 0x61, 0xdb, 0xff, 0xff, 0xff, 0xff],
    ])
      expect(msgpack.decode(Uint8Array.from(bytes))).toHaveProperty("problem");
  });

  it("are refused when too deep or too large", () => {
    const deep = (open: string, close: string) => `{"a":${open.repeat(1e5)}1${close.repeat(1e5)}}`;
    expect(json.decode(deep("[", "]"))).toMatchObject({ problem: { code: "bad_frame" } });
    expect(json.decode(deep('{"a":', "}"))).toMatchObject({ problem: { code: "bad_frame" } });
    const nested = Uint8Array.of(0x81, 0xa1, 0x61, ...new Uint8Array(1e5).fill(0x91), 0xc0);
    expect(msgpack.decode(nested)).toMatchObject({ problem: { code: "bad_frame" } });
    expect(json.decode(" ".repeat(limits.frameBytesMax + 1))).toMatchObject({
      problem: { code: "frame_too_large" },
    });
    expect(msgpack.decode(new Uint8Array(limits.frameBytesMax + 1))).toMatchObject({
      problem: { code: "frame_too_large" },
    });
  });

  it("are of the kind that the sub-protocol has", () => {
    expect(json.decode(Uint8Array.of(0x80))).toMatchObject({ problem: { code: "bad_frame" } });
    expect(msgpack.decode("{}")).toMatchObject({ problem: { code: "bad_frame" } });
    for (const text of ["1", "[]", "null", '"x"', "{"])
      expect(json.decode(text)).toMatchObject({ problem: { code: "bad_frame" } });
  });
});

describe("messages of a client", () => {
  it("are read as what they are", () => {
    expect(readClientMessage({ id: 1, verb: "corpora", later: true })).toEqual({
      message: { id: 1, verb: "corpora", later: true },
    });
    expect(readClientMessage({ id: 1, verb: "credit", rows: 5 })).toHaveProperty("message");
  });

  it("are refused with the id they have, and a sentence", () => {
    const wrong: [object, number | undefined][] = [
      [{}, undefined],
      [{ id: -1, verb: "x" }, undefined],
      [{ id: 1.5, verb: "x" }, undefined],
      [{ id: "1", verb: "x" }, undefined],
      [{ id: 1 }, 1],
      [{ id: 1, verb: 3 }, 1],
      [{ id: 1, verb: "credit" }, 1],
      [{ id: 1, verb: "credit", rows: -1 }, 1],
      [{ id: 1, verb: "seek" }, 1],
      [{ id: 1, verb: "seek", row: 1, credit: "x" }, 1],
      [{ id: 1, verb: "lines", corpus: 3 }, 1],
      [{ id: 1, verb: "lines", credit: 1.5 }, 1],
      [{ id: 1, verb: "lines", timeoutMs: {} }, 1],
    ];
    for (const [message, id] of wrong) {
      const read = readClientMessage(message as Record<string, unknown>);
      expect(read, JSON.stringify(message)).toMatchObject({ problem: { code: "bad_message" } });
      expect("id" in read ? read.id : undefined).toBe(id);
    }
  });
});
