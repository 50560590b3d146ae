/** Streams of text: what is written is read again, whatever is in it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Document, documentsOf, documentText, wordCount } from "./documents.js";
import { linesOf } from "./lines.js";
import { writing } from "./output.js";
import { Warnings } from "./report.js";
import { openTag, tagOf } from "./tags.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-stream-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

async function read(...inputs: string[]) {
  const warnings = new Warnings();
  const documents: Document[] = [];
  for await (const document of documentsOf(inputs, { warnings })) documents.push(document);
  return { documents, kinds: warnings.list.map(({ kind, count }) => [kind, count]) };
}

describe("documents", () => {
  it("are read as they were written", async () => {
    // What tags cannot hold: white space in values is one space each; lines are not empty and do not end in CR.
    const value = fc.string({ unit: "grapheme" }).map((text) => text.replace(/\s+/g, " "));
    const attributes = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value, { maxKeys: 3 });
    const line = fc
      .string({ unit: fc.constantFrom("a", "é", "<", ">", "&", ";", "lt", "p", "/", " ", '"', "𝒳") })
      .filter((text) => text !== "");
    const text = fc.array(line, { maxLength: 3 }).map((lines) => lines.join("\n"));
    const paragraph = fc.record({ attributes, text });
    const document = fc.record({ attributes, paragraphs: fc.array(paragraph, { maxLength: 4 }) });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(document, { maxLength: 4 }), async (documents) => {
        const path = join(folder, `made-${made++ % 2 === 0 ? "a.gz" : "b"}`);
        await writing(path, async (output) => {
          for (const one of documents) await output.write(documentText(one));
        });
        const plain = (one: unknown) => JSON.parse(JSON.stringify(one));
        expect(plain((await read(path)).documents)).toEqual(plain(documents));
      }),
      { numRuns: 150 },
    );
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("are found in plain text, and where tags are missing", async () => {
    const path = file(
      "odd.txt",
      "one\ntwo\n\nthree\n<doc id='1'>\nfour\n<p>\nfive\n<x/>\nsix\n<doc>\n</doc>\n</doc>\n",
    );
    const { documents, kinds } = await read(path);
    expect(documents.map(({ paragraphs }) => paragraphs.map(({ text }) => text))).toEqual([
      ["one\ntwo", "three"],
      ["four", "five\nsix"],
      [],
    ]);
    expect(Object.fromEntries(kinds)).toEqual({ other_tag: 1, unclosed_doc: 1, stray_tag: 1 });
  });

  it("end with their file", async () => {
    const { documents } = await read(file("c1", "a"), file("c2", "b"));
    expect(documents).toHaveLength(2);
  });
});

describe("lines", () => {
  it("are the same for any encoding of their ends, and say where bytes are not UTF-8", async () => {
    const warnings = new Warnings();
    const path = file(
      "lines",
      gzipSync(Buffer.concat([Buffer.from("\ufeffa\r\nb\n\n"), Buffer.from([0xff, 0x63])])),
    );
    const lines: string[] = [];
    for await (const batch of linesOf([path], { warnings })) lines.push(...batch.lines);
    expect(lines).toEqual(["a", "b", "", "\ufffdc"]);
    expect(warnings.list).toMatchObject([{ kind: "invalid_utf8", count: 1, places: [{ line: 4 }] }]);
  });
});

describe("text in UTF-16", () => {
  const text = "Hø, Ólavur 𝒳\r\ntveir\n";
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  const read = async (path: string, stdin?: Readable) => {
    const warnings = new Warnings();
    const lines: string[] = [];
    for await (const batch of linesOf([path], { warnings, stdin })) lines.push(...batch.lines);
    return { lines, warnings: warnings.list };
  };

  it("is read as its byte order mark says, compressed or not, in whatever pieces it comes", async () => {
    const right = { lines: ["Hø, Ólavur 𝒳", "tveir"], warnings: [] };
    expect(await read(file("le.txt", little))).toEqual(right);
    expect(await read(file("le.txt.gz", gzipSync(little)))).toEqual(right);
    expect(await read(file("be.txt", Buffer.from(little).swap16()))).toEqual(right);
    const bytes = Readable.from([...little].map((byte) => Buffer.from([byte])));
    expect(await read("-", bytes)).toEqual(right);
    expect(await read(file("x", Buffer.from([0xff])))).toMatchObject({ lines: ["\ufffd"] });
  });

  it("that is broken is counted as such", async () => {
    const { lines, warnings } = await read(
      file("broken.txt", Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0])),
    );
    expect(lines).toEqual(["\ufffdA"]);
    expect(warnings).toMatchObject([{ kind: "invalid_utf16", count: 1 }]);
  });
});

it("lines end at lone returns where that is asked for, however the text is cut", async () => {
  const text = "one\rtwo\r\nthree\r\r\nfour\r\rfive\r";
  for (let size = 1; size < 8; size++) {
    const pieces: Buffer[] = [];
    for (let at = 0; at < text.length; at += size) pieces.push(Buffer.from(text.slice(at, at + size)));
    const lines: string[] = [];
    const reading = { warnings: new Warnings(), stdin: Readable.from(pieces), endsAtReturns: true };
    for await (const batch of linesOf(["-"], reading)) lines.push(...batch.lines);
    expect(lines.map((line) => line.trim())).toEqual(["one", "two", "three", "four", "", "five"]);
  }
});

describe("an output", () => {
  it("is there when it is complete, and not at all if its step fails", async () => {
    const path = join(folder, "deep/failed.txt");
    const failing = writing(path, async (output) => {
      await output.write("x".repeat(1_000_000));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(readdirSync(join(folder, "deep"))).toEqual([]);
  });

  it("says that it cannot be written", async () => {
    const path = join(file("plain", ""), "x");
    await expect(writing(path, async (output) => output.write("x"))).rejects.toThrow(
      /ENOTDIR|EEXIST|cannot (write|make)/,
    );
  });
});

it("tags hold any value", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(tagOf(openTag("doc", { a: value, b: undefined }))?.attributes).toEqual([
        ["a", value.replace(/\s+/g, " ")],
      ]);
    }),
  );
});

it("words are what stands between white space", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "é", " ", "\n", "\t", "\u00a0", "\u3000", "𝒳") }),
      (text) => {
        expect(wordCount(text)).toBe(text.split(/\s+/).filter(Boolean).length);
      },
    ),
  );
});

describe("an output that is a pipe", () => {
  it("is written to at once, and stays a pipe", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const read = readFile(pipe, "utf8");
    await writing(pipe, async (output) => {
      await output.write("all of it");
    });
    expect(await read).toBe("all of it");
    expect(statSync(pipe).isFIFO()).toBe(true);
  });
});
