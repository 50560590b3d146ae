/** Archives: what was written is read again, in whatever members it lies; what is broken takes nothing else with it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findSources } from "../../storage/input/sources.js";
import { Warnings } from "../stream/report.js";
import { type ArchiveRecord, recordsOf } from "./reader.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-warc-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array, format: "warc" | "arc" = "warc") {
  const path = join(folder, "archive");
  writeFileSync(path, bytes);
  return readFrom(path, format);
}

async function readFrom(path: string, format: "warc" | "arc") {
  const warnings = new Warnings();
  const records: ArchiveRecord[] = [];
  const [source] = findSources([path]);
  for await (const record of recordsOf({ source }, format, { warnings })) records.push(record);
  return { records, warnings: warnings.list, kinds: warnings.list.map(({ kind }) => kind) };
}

interface Written {
  url: string;
  block: Uint8Array;
}

const warcRecord = ({ url, block }: Written) =>
  Buffer.concat([
    Buffer.from(
      `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2024-05-18T01:58:10Z\r\nContent-Length: ${block.length}\r\n\r\n`,
    ),
    block,
    Buffer.from("\r\n\r\n"),
  ]);
const arcRecord = ({ url, block }: Written) =>
  Buffer.concat([
    Buffer.from(`${url} 127.0.0.1 20240518015810 text/html ${block.length}\n`),
    block,
    Buffer.from("\n"),
  ]);

const url = fc.webUrl().map((text) => text.replace(/\s/g, "%20"));
/** Among them what looks like the borders of records. */
const block = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom("\r\n\r\n", "\n", "WARC/1.0\r\n", "\nWARC/", "HTTP/1.1 200 OK\r\n\r\n", "\x1f\x8b\x08")
        .map((text) => new Uint8Array(Buffer.from(text, "latin1"))),
    ),
    { maxLength: 5 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));
const written = fc.array(fc.record({ url, block }), { minLength: 1, maxLength: 8 });

const plain = (records: { url: string; block: Uint8Array }[]) =>
  records.map((record) => [record.url, Buffer.from(record.block).toString("latin1")]);

/** Cuts bytes at places, given as shares of their length. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const at = [
    0,
    ...places.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

describe("an archive that is whole", () => {
  for (const format of ["warc", "arc"] as const) {
    const record = format === "warc" ? warcRecord : arcRecord;

    it(`of ${format} is read as it was written: plain, a record in a member, members anywhere`, async () => {
      const share = fc.double({ min: 0, max: 1, noNaN: true });
      await fc.assert(
        fc.asyncProperty(written, fc.array(share, { maxLength: 4 }), async (list, places) => {
          const bytes = Buffer.concat(list.map(record));
          const ways = [
            bytes,
            Buffer.concat(list.map((one) => gzipSync(record(one)))),
            gzipSync(bytes),
            Buffer.concat(cut(bytes, places).map((part) => gzipSync(part))),
          ];
          for (const [way, file] of ways.entries()) {
            // Members that are cut at random may start with what looks like a header: that is what a header is.
            if (way === 3 && cut(bytes, places).some((part) => /^(warc\/\d\.|\w+:)/i.test(part.toString())))
              continue;
            const found = await read(file, format);
            expect(plain(found.records), `way ${way}`).toEqual(plain(list));
            expect(found.warnings).toEqual([]);
          }
        }),
        { numRuns: 100 },
      );
    });
  }

  it("has the offset of each record, from which it can be read again", async () => {
    const list = ["a", "bb", "ccc"].map((text) => ({ url: `http://x/${text}`, block: Buffer.from(text) }));
    for (const pack of [(bytes: Uint8Array) => bytes, (bytes: Uint8Array) => gzipSync(bytes)]) {
      const file = Buffer.concat(list.map((one) => pack(warcRecord(one))));
      const { records } = await read(file);
      for (const [i, { offset }] of records.entries()) {
        const again = await read(file.subarray(offset));
        expect(plain(again.records)).toEqual(plain(list.slice(i)));
      }
    }
  });

  it("may have a member and a record that are too large to be held", async () => {
    const large = { url: "http://x/large", block: new Uint8Array(70 * 1024 * 1024) };
    const small = { url: "http://x/small", block: new Uint8Array(3) };
    const bytes = Buffer.concat([warcRecord(small), warcRecord(large), warcRecord(small)]);
    for (const file of [bytes, gzipSync(bytes, { level: 1 })]) {
      const found = await read(file);
      expect(plain(found.records)).toEqual(plain([small, small]));
      expect(found.kinds).toEqual(["large_record"]);
    }
  });
});

describe("an archive that is broken", () => {
  const list = Array.from({ length: 12 }, (_, i) => ({
    url: `http://example.org/${i}`,
    block: Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${"text ".repeat(i)}`),
  }));

  it("never fails, and ends, whatever bytes it has", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("warc", "arc"),
        fc.boolean(),
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), block), { maxLength: 6 }),
        async (format, isPacked, parts) => {
          const bytes = Buffer.concat(parts);
          await read(isPacked ? gzipSync(bytes) : bytes, format as "warc" | "arc");
        },
      ),
      { numRuns: 200 },
    );
  });

  it("gives all records before the place where it ends", async () => {
    const records = list.map(warcRecord);
    for (const pack of [(bytes: Uint8Array) => bytes, (bytes: Uint8Array) => gzipSync(bytes)]) {
      const parts = records.map(pack);
      const file = Buffer.concat(parts);
      for (let length = 0; length < file.length; length += 37) {
        let complete = 0;
        for (let end = 0; complete < parts.length && (end += parts[complete].length) <= length; ) complete++;
        const found = await read(file.subarray(0, length));
        const whole = found.records.filter(({ isCut }) => !isCut);
        expect(plain(whole.slice(0, complete))).toEqual(plain(list.slice(0, complete)));
        expect(found.records.length).toBeLessThanOrEqual(complete + 1);
      }
    }
  });

  it("loses only the member that is broken, wherever bytes are changed, lost or added", async () => {
    const parts = list.map((one) => gzipSync(warcRecord(one)));
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: parts.length - 1 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.constantFrom("changed", "lost", "added"),
        async (which, share, how) => {
          const member = parts[which];
          const at = Math.floor(share * member.length);
          // The first bytes of the file say that it is compressed at all.
          fc.pre(which > 0 || at > 2);
          const before = member.subarray(0, at);
          const broken =
            how === "changed"
              ? Buffer.concat([before, Buffer.from([member[at] ^ 0x55]), member.subarray(at + 1)])
              : how === "lost"
                ? Buffer.concat([before, member.subarray(at + 3)])
                : Buffer.concat([before, Buffer.from("junk"), member.subarray(at)]);
          const found = await read(Buffer.concat(parts.map((part, i) => (i === which ? broken : part))));
          const others = (records: Written[]) =>
            plain(records).filter(([address]) => address !== list[which].url);
          expect(others(found.records)).toEqual(others(list));
          if (found.records.length < list.length) expect(found.warnings.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("goes on at the next header where plain bytes are no record, or a length is wrong", async () => {
    const [a, b, c] = list.map(warcRecord);
    const text = (bytes: Buffer, from: string, to: string) =>
      Buffer.from(bytes.toString("latin1").replace(from, to));
    const cases: [string, Buffer, string[]][] = [
      ["junk", Buffer.concat([a, Buffer.from("junk\r\nmore: junk\n"), c]), ["wrong_length"]],
      ["no length", Buffer.concat([a, text(b, "Content-Length", "Content-Size"), c]), ["broken_record"]],
      ["short", Buffer.concat([a, text(b, "Content-Length: 2", "Content-Length: 1"), c]), ["wrong_length"]],
      ["long", Buffer.concat([a, text(b, "Content-Length: 2", "Content-Length: 9"), c]), ["broken_record"]],
      [
        "longer",
        Buffer.concat([a, text(b, "Content-Length: 2", "Content-Length: 99"), c]),
        ["broken_record"],
      ],
      [
        "number",
        Buffer.concat([a, text(b, "Content-Length: 2", "Content-Length: -2"), c]),
        ["broken_record"],
      ],
    ];
    for (const [name, file, kinds] of cases) {
      const found = await read(file);
      const urls = found.records.map((record) => record.url);
      expect([urls[0], urls.at(-1)], name).toEqual([list[0].url, list[2].url]);
      expect(found.kinds, name).toEqual(kinds);
    }
  });

  it("does not let a record in one member take the next member with it", async () => {
    const lying = Buffer.from(
      warcRecord(list[1])
        .toString("latin1")
        .replace(/Length: \d+/, "Length: 100000"),
    );
    const { records, kinds } = await read(Buffer.concat([gzipSync(lying), gzipSync(warcRecord(list[2]))]));
    expect(records.map(({ url: address, isCut }) => [address, isCut])).toEqual([
      [list[1].url, true],
      [list[2].url, undefined],
    ]);
    expect(kinds).toEqual(["truncated_record"]);
  });
});

const shared = join(import.meta.dirname, "../../../shared/data/web/warc");
describe("real archives", { skip: !existsSync(shared) && process.env.CI !== "true" }, () => {
  /** As little as can be said of an archive: all of it in memory, headers found by their look. */
  function counted(file: string): Map<string, number> {
    const bytes = readFileSync(join(shared, file));
    const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("latin1");
    const counts = new Map<string, number>();
    const count = (type: string) => counts.set(type, (counts.get(type) ?? 0) + 1);
    if (file.includes(".arc")) {
      for (const [, address] of text.matchAll(/^(\w+:.*) [\d.]+ \d{14,18} \S+ \d+$/gm))
        count(address.startsWith("filedesc:") ? "warcinfo" : "response");
    } else for (const [, type] of text.matchAll(/^WARC-Type: (\w+)\r?$/gm)) count(type);
    return counts;
  }

  for (const file of existsSync(shared) ? readdirSync(shared) : []) {
    it(`${file} has the records that can be seen in it`, async () => {
      const { records } = await readFrom(join(shared, file), file.includes(".arc") ? "arc" : "warc");
      const counts = new Map<string, number>();
      for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
      expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(counted(file)));
    });
  }

  it("aut-example has 299 responses in either format", async () => {
    for (const format of ["warc", "arc"] as const) {
      const { records } = await readFrom(join(shared, `aut-example.${format}.gz`), format);
      expect(records.filter(({ type }) => type === "response")).toHaveLength(299);
    }
  });
});
