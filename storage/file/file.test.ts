import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DugongError } from "../errors.js";
import { checksumBytes, headerBytes, writeHeader } from "./format.js";
import { FileReader } from "./reader.js";
import { FileWriter } from "./writer.js";

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-file-"));
  path = join(folder, "file");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(
  sections: Record<string, Uint8Array>,
  meta: Record<string, unknown> = {},
): Promise<number> {
  const file = new FileWriter(path, "test", 3);
  for (const [name, bytes] of Object.entries(sections)) file.add(name, bytes);
  Object.assign(file.meta, meta);
  return file.finish();
}

/** What opening and verifying a file says: its problems, or the code of the error. */
function problems(): string[] {
  let file: FileReader;
  try {
    file = FileReader.open(path, "test", 3);
  } catch (error) {
    expect(error).toBeInstanceOf(DugongError);
    expect((error as DugongError).message).toContain(path);
    return [(error as DugongError).code];
  }
  try {
    return file.verify();
  } finally {
    file.close();
  }
}

const pattern = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255);

describe("a flat file", () => {
  it("gives back its sections and its meta", async () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, unit: "grapheme" }), { maxLength: 6 });
    const property = fc.asyncProperty(names, fc.array(fc.nat(300)), async (own, lengths) => {
      const sections = Object.fromEntries(own.map((name, i) => [`s:${name}`, pattern(lengths[i] ?? 0)]));
      const meta = { count: lengths.length, lengths };
      const bytes = await write(sections, meta);
      const file = FileReader.open(path, "test", 3);
      expect(file.bytes).toBe(bytes);
      expect(readFileSync(path)).toHaveLength(bytes);
      expect(file.contents.meta).toEqual(meta);
      for (const [name, content] of Object.entries(sections)) {
        expect(file.has(name)).toBe(true);
        expect(Uint8Array.from(file.read(name))).toEqual(content);
        expect(file.section(name)[0] % 16).toBe(0);
      }
      expect(file.has("other")).toBe(false);
      expect(() => file.section("other")).toThrow(DugongError);
      expect(file.verify()).toEqual([]);
      file.close();
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("may be of any length around that of its checksummed stretches and of its writer's buffer", async () => {
    for (const length of [checksumBytes, 16 * checksumBytes]) {
      const content = pattern(length + 17);
      for (const more of [-80, -64, -17, -1, 0, 1, 17]) {
        await write({ a: content.subarray(0, length + more), b: pattern(5) });
        const file = FileReader.open(path, "test", 3);
        expect(file.verify()).toEqual([]);
        expect(Buffer.compare(file.read("a"), content.subarray(0, length + more))).toBe(0);
        expect(Uint8Array.from(file.read("b"))).toEqual(pattern(5));
        file.close();
      }
    }
  });

  it("tells of a flipped bit anywhere in it", async () => {
    await write({ a: pattern(300), b: pattern(7) }, { some: "meta" });
    const good = readFileSync(path);
    expect(problems()).toEqual([]);
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] ^= 1 << (at & 7);
      writeFileSync(path, bad);
      expect([at, problems().length]).toEqual([at, 1]);
    }
  });

  it("says which stretch is damaged", async () => {
    await write({ a: pattern(3 * checksumBytes) });
    const bad = readFileSync(path);
    bad[headerBytes + checksumBytes + 5] ^= 1;
    writeFileSync(path, bad);
    const [from, to] = [headerBytes + checksumBytes, headerBytes + 2 * checksumBytes];
    expect(problems()).toEqual([`${path}: bytes ${from} to ${to} are damaged`]);
  });

  it("that was cut, or has something behind its end, is refused", async () => {
    const bytes = await write({ a: pattern(100) });
    const good = readFileSync(path);
    for (let length = 0; length < bytes; length += length < 70 ? 1 : 13) {
      writeFileSync(path, good);
      truncateSync(path, length);
      expect([length, problems()]).toEqual([length, ["broken_file"]]);
    }
    writeFileSync(path, Buffer.concat([good, Buffer.of(0)]));
    expect(problems()).toEqual(["broken_file"]);
  });

  it("of another kind, another version or another program is refused, with the reason", async () => {
    await write({});
    const opening = (kind: string, version: number) => () => FileReader.open(path, kind, version);
    expect(opening("other", 3)).toThrow(/is of kind test, not other/);
    expect(opening("test", 4)).toThrow(/version 3 of the test format; this program reads version 4/);
    expect(opening("test", 4)).toThrow(expect.objectContaining({ code: "wrong_version" }));
    writeFileSync(path, "something else, and long enough to hold what might have been a header of ours");
    expect(opening("test", 3)).toThrow(/does not begin with DUGONG/);
    expect(() => FileReader.open(join(folder, "none"), "test", 3)).toThrow(/there is no such file/);
    expect(() => FileReader.open(join(folder, "none"), "test", 3)).toThrow(DugongError);
  });

  it("with contents that cannot be read is refused", async () => {
    const contents = Buffer.from('{"sections": ');
    const header = {
      kind: "test",
      version: 3,
      contentsBytes: contents.length,
      contentsOffset: headerBytes,
      fileBytes: headerBytes + contents.length,
      checksumsHash: 0n,
    };
    writeFileSync(path, Buffer.concat([writeHeader(header), contents]));
    expect(problems()).toEqual(["broken_file"]);
  });

  it("that was given up is gone, and one that was not finished is no file yet", () => {
    const file = new FileWriter(path, "test", 3);
    file.add("a", pattern(100));
    expect(problems()).toEqual(["broken_file"]);
    file.abandon();
    expect(() => readFileSync(path)).toThrow(/ENOENT/);
  });

  it("has no section twice", () => {
    const file = new FileWriter(path, "test", 3);
    file.add("a", pattern(1));
    expect(() => file.section("a")).toThrow(/twice/);
    file.abandon();
  });
});

describe("more files than may be open", () => {
  // A child process of its own: the limit holds for all that a process has.
  const script = `
    const { FileReader, FileWriter } = await import(process.argv[1]);
    const files = [];
    for (let i = 0; i < 300; i++) {
      const path = process.argv[2] + "/many" + i;
      const writer = new FileWriter(path, "test", 3);
      writer.add("s", Uint8Array.of(i & 255));
      await writer.finish({ durable: false });
      files.push(FileReader.open(path, "test", 3));
    }
    for (let round = 0; round < 2; round++)
      files.forEach((file, i) => {
        if (file.read("s")[0] !== (i & 255)) throw new Error("wrong bytes");
      });
    console.log("read", files.length);
  `;

  it("are all read, each when it is asked for", async () => {
    const built = join(import.meta.dirname, "../../dist/storage/file");
    const entry = join(folder, "entry.mjs");
    writeFileSync(
      entry,
      `export { FileReader } from ${JSON.stringify(join(built, "reader.js"))};\nexport { FileWriter } from ${JSON.stringify(join(built, "writer.js"))};\n`,
    );
    // Node raises the soft limit to the hard one: both are lowered here.
    const command = 'ulimit -n 100 && exec "$0" --input-type=module -e "$1" "$2" "$3"';
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      command,
      process.execPath,
      script,
      entry,
      folder,
    ]);
    expect(stdout).toBe("read 300\n");
  });
});
