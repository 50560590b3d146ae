import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DugongError } from "../errors.js";
import { findSources, readSource, type Source, type SourceIssue } from "./sources.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-sources-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function read(
  source: Source,
): Promise<{ text: Buffer; issues: SourceIssue["kind"][]; error?: DugongError }> {
  const chunks: Uint8Array[] = [];
  const issues: SourceIssue["kind"][] = [];
  try {
    for await (const chunk of readSource(source, ({ kind }) => issues.push(kind))) chunks.push(chunk);
  } catch (error) {
    return { text: Buffer.concat(chunks), issues, error: error as DugongError };
  }
  return { text: Buffer.concat(chunks), issues };
}

/** Compares by hand: a matcher takes seconds for a megabyte. */
function expectRead(result: Awaited<ReturnType<typeof read>>, text: Uint8Array, issues: string[] = []): void {
  expect(result.error).toBeUndefined();
  expect(result.issues).toEqual(issues);
  expect(result.text.length).toBe(text.length);
  expect(result.text.equals(text)).toBe(true);
}

const readBytes = (bytes: Uint8Array) => read(findSources([file("bytes", bytes)])[0]);

/** Through a pipe that gives the bytes in pieces of the size. */
function readPiped(bytes: Uint8Array, size: number) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    Buffer.from(bytes.subarray(i * size, (i + 1) * size)),
  );
  return read(findSources(["-"], Readable.from(pieces, { objectMode: false }))[0]);
}

function failure(act: () => unknown): DugongError {
  try {
    act();
  } catch (error) {
    return error as DugongError;
  }
  throw new Error("nothing was thrown");
}

function words(count: number): Buffer {
  let text = "";
  for (let i = 0, seed = 1; i < count; i++) {
    seed = (seed * 48_271) % 2_147_483_647;
    text += `word${seed % 10_007}\ttag${seed % 13}\n`;
  }
  return Buffer.from(text);
}

const zstdInstalled = (() => {
  try {
    execFileSync("zstd", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
const zstdSync = (bytes: Uint8Array, ...options: string[]) =>
  execFileSync("zstd", ["-q", "-c", ...options], { input: bytes, maxBuffer: 1 << 28 });

describe("finding sources", () => {
  it("walks directories in the order of paths and passes over hidden files", () => {
    for (const name of [
      "b.vert",
      "a/2.vert",
      "a/10.vert",
      "a-b.vert",
      "Z.vert",
      ".hidden",
      "a/.git/x",
      "ä.vert",
    ]) {
      file(`walk/${name}`, name);
    }
    const root = join(folder, "walk");
    const names = findSources([`${root}/`]).map(({ name }) => name.slice(root.length + 1));
    expect(names).toEqual(["Z.vert", "a-b.vert", "a/10.vert", "a/2.vert", "b.vert", "ä.vert"]);
    expect(findSources([root]).map(({ path }) => path)).toEqual(names.map((name) => join(root, name)));
    expect(findSources([join(root, ".hidden")])).toHaveLength(1);
  });

  it("follows links to folders, but not round in circles", () => {
    file("links/x.vert", "x");
    symlinkSync("..", join(folder, "links", "up"));
    symlinkSync(".", join(folder, "links", "self"));
    const names = findSources([join(folder, "links")]).map(({ name }) => name);
    expect(names).toContain(join(folder, "links", "x.vert"));
    expect(names.length).toBeLessThan(100);
  });

  it("refuses a link to nowhere, and says where that is", () => {
    file("dangling/x.vert", "x");
    symlinkSync("gone.vert", join(folder, "dangling", "y.vert"));
    expect(() => findSources([join(folder, "dangling")])).toThrow(
      /y\.vert is a link to gone\.vert, which is not there/,
    );
  });

  it("says how large a file is and how it is compressed, by its first bytes", () => {
    const sources = findSources([
      file("plain.gz", "not compressed"),
      file("packed.txt", gzipSync("x")),
      file("packed.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd])),
      file("skippable", Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])),
      file("empty", ""),
    ]);
    expect(sources.map(({ compression }) => compression)).toEqual(["none", "gzip", "zstd", "zstd", "none"]);
    expect(sources[0].bytes).toBe(14);
    expect(Math.abs(sources[0].mtimeMs - Date.now())).toBeLessThan(60_000);
  });

  it("takes - for standard input, once", () => {
    expect(findSources(["-"])).toEqual([
      { name: "<stdin>", path: null, bytes: 0, mtimeMs: 0, compression: "unknown" },
    ]);
    expect(failure(() => findSources(["-", "-"])).code).toBe("input_repeated");
  });

  it("says what is not there", () => {
    mkdirSync(join(folder, "nothing/in/.here"), { recursive: true });
    file("nothing/in/.here/x", "x");
    for (const path of ["missing.vert", "nothing", "empty/x"]) {
      const error = failure(() => findSources([join(folder, path)]));
      expect(error.code).toBe("input_not_found");
      expect(error.message).toContain(path);
      expect(error.hint).toBeTruthy();
    }
  });

  it("says so if a file went away before it was read", async () => {
    const [source] = findSources([file("gone", "x")]);
    rmSync(source.path!);
    expect((await read(source)).error?.code).toBe("input_not_found");
  });
});

describe("reading a source", () => {
  const long = words(200_000);

  it("gives a plain file as it is", async () => {
    expectRead(await readBytes(long), long);
    expectRead(await readBytes(Buffer.from("")), Buffer.from(""));
    expectRead(await readBytes(Buffer.from("\x1f")), Buffer.from("\x1f"));
  });

  it("gives the text of a gzip file with any header", async () => {
    expectRead(await readBytes(gzipSync(long)), long);
    const body = gzipSync("hello").subarray(10);
    const header = [0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 3];
    const fields = [3, 0, 1, 0, 2, ...Buffer.from("name\0comment\0"), 0xab, 0xcd];
    const full = Buffer.concat([Buffer.from([...header, ...fields]), body]);
    expect((await readBytes(Buffer.concat([full, full]))).text.toString()).toBe("hellohello");
    expect((await readPiped(full, 1)).text.toString()).toBe("hello");
  });

  it("gives the text of all members of a gzip file, few and large or many and small", async () => {
    const pieces = [0, 1, 70_000, 3_000_000, 5, 0, 200_000, 4_000_000].map((end, i, ends) =>
      long.subarray(ends[i - 1] ?? 0, Math.max(end, ends[i - 1] ?? 0)),
    );
    const expected = Buffer.concat(pieces);
    expectRead(await readBytes(Buffer.concat(pieces.map((piece) => gzipSync(piece)))), expected);
    const small: Buffer[] = [];
    for (let i = 0; i < long.length; i += 20_000) small.push(gzipSync(long.subarray(i, i + 20_000)));
    expectRead(await readBytes(Buffer.concat(small)), long);
    expectRead(await readPiped(Buffer.concat(small), 10_007), long);
  });

  it("gives the same however the bytes arrive, with what the whole would have given if they are cut short", async () => {
    const text = words(300);
    const packed = Buffer.concat([gzipSync(text), gzipSync(""), gzipSync(text), gzipSync("end")]);
    const whole = Buffer.concat([text, text, Buffer.from("end")]);
    const ends = new Set(
      [0, 1, 2]
        .map((i) => [gzipSync(text), gzipSync(""), gzipSync(text)].slice(0, i + 1))
        .map((m) => Buffer.concat(m).length),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: packed.length }),
        fc.integer({ min: 1, max: 5_000 }),
        async (end, size) => {
          const { text, issues, error } = await readPiped(packed.subarray(0, end), size);
          expect(error).toBeUndefined();
          expect(whole.subarray(0, text.length).equals(text)).toBe(true);
          if (end === packed.length || ends.has(end)) expect(issues).toEqual([]);
          else if (ends.has(end - 1)) expect(issues).toEqual(["trailing_garbage"]);
          else expect(issues).toEqual(["truncated_compression"]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives all that a truncated gzip file holds, and reports it", async () => {
    const packed = gzipSync(long);
    const { text, issues } = await readBytes(packed.subarray(0, packed.length - 9));
    expect(text.length).toBeGreaterThan(long.length - 1_000);
    expect(long.subarray(0, text.length).equals(text)).toBe(true);
    expect(issues).toEqual(["truncated_compression"]);
    const withoutTrailer = await readBytes(packed.subarray(0, packed.length - 3));
    expectRead(withoutTrailer, long, ["truncated_compression"]);
  });

  it.each([
    ["text", Buffer.from("garbage that is long enough")],
    ["one byte", Buffer.from("x")],
    ["zeros", Buffer.alloc(100)],
    ["what starts like a member", Buffer.from([0x1f, 0x8b, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
  ])("gives all text before garbage after the last member, and reports it: %s", async (_, garbage) => {
    const packed = Buffer.concat([gzipSync(long), gzipSync("end"), garbage]);
    const expected = Buffer.concat([long, Buffer.from("end")]);
    expectRead(await readBytes(packed), expected, ["trailing_garbage"]);
    expectRead(await readPiped(packed, 997), expected, ["trailing_garbage"]);
  });

  it("refuses corrupt gzip data and names the file", async () => {
    const packed = gzipSync(long);
    for (const at of [packed.length >> 1, packed.length - 6, packed.length - 2]) {
      const corrupt = Buffer.from(packed);
      corrupt[at] ^= 0xff;
      const { error } = await readBytes(corrupt);
      expect(error?.code).toBe("broken_compression");
      expect(error?.message).toContain(join(folder, "bytes"));
    }
    const second = Buffer.concat([gzipSync("a"), gzipSync("b")]);
    second[second.length - 6] ^= 0xff;
    expect((await readBytes(second)).error?.code).toBe("broken_compression");
    expect((await readBytes(Buffer.from([0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 0, 0]))).error?.code).toBe(
      "broken_compression",
    );
  });

  it.skipIf(process.platform !== "linux")("closes the file if the consumer stops early", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const open = descriptors();
    const paths = [file("early.txt", long), file("early.gz", gzipSync(long))];
    if (zstdInstalled) paths.push(file("early.zst", zstdSync(long)));
    for (let round = 0; round < 20; round++) {
      for (const source of findSources(paths)) {
        for await (const chunk of readSource(source, () => {})) {
          expect(chunk.length).toBeGreaterThan(0);
          break;
        }
      }
    }
    expect(descriptors()).toBe(open);
  });

  it("stops at once when the consumer does, though the pipe has not ended", async () => {
    const pipe = new PassThrough();
    pipe.write(gzipSync(long).subarray(0, 300_000));
    for await (const chunk of readSource(findSources(["-"], pipe)[0], () => {})) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(pipe.destroyed).toBe(true);
  });

  it("reads faster than a slow consumer wants without piling up what it gives", async () => {
    const [source] = findSources([file("slow.gz", gzipSync(Buffer.alloc(256 << 20, "abc\n")))]);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for await (const _ of readSource(source, () => {})) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(most).toBeLessThan(128 << 20);
  });
});

describe.skipIf(!zstdInstalled)("reading Zstandard (needs zstd to make it)", () => {
  const long = words(200_000);

  it.each([[[]], [["--no-check"]], [["-9"]], [["--fast"]], [["--no-content-size"]]])(
    "of options %j",
    async (options) => {
      expectRead(await readBytes(zstdSync(long, ...options)), long);
    },
  );

  it("gives the text of all frames, small ones, empty ones and skippable ones, however they arrive", async () => {
    const skippable = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 20, 0, 0, 0, ...Buffer.alloc(20, 7)]);
    const emptySkippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
    const same = Buffer.alloc(500_000, "a");
    const texts = [Buffer.from("a"), long.subarray(0, 300_000), Buffer.from(""), same, Buffer.from("end")];
    const frames = texts.flatMap((text) => [skippable, zstdSync(text), emptySkippable]);
    const whole = Buffer.concat(texts);
    expectRead(await readBytes(Buffer.concat(frames)), whole);
    for (const size of [1, 3, 17, 1_000]) expectRead(await readPiped(Buffer.concat(frames), size), whole);
  });

  it("gives what a truncated file holds, and reports it", async () => {
    const packed = Buffer.concat([zstdSync(long), zstdSync(long)]);
    for (const end of [5, 10, packed.length / 3, packed.length - 2_000, packed.length - 1]) {
      const { text, issues, error } = await readBytes(packed.subarray(0, end));
      expect(error).toBeUndefined();
      expect(issues).toEqual(["truncated_compression"]);
      expect(Buffer.concat([long, long]).subarray(0, text.length).equals(text)).toBe(true);
      if (end === packed.length - 2_000) expect(text.length).toBeGreaterThan(2 * long.length - 200_000);
    }
  });

  it("gives all text before garbage after the last frame, and reports it", async () => {
    const packed = Buffer.concat([zstdSync(long), Buffer.from("garbage")]);
    expectRead(await readBytes(packed), long, ["trailing_garbage"]);
    expectRead(await readPiped(packed, 997), long, ["trailing_garbage"]);
  });

  it("refuses corrupt data, whichever byte of it is another", async () => {
    const text = words(2_000);
    const packed = zstdSync(text);
    for (const at of [...Array(80).keys()].map((i) => 9 + i * 97).concat(packed.length - 1)) {
      const corrupt = Buffer.from(packed);
      corrupt[at] ^= 0x10;
      const { error, text: read } = await readBytes(corrupt);
      // Some bits of a compressed block say nothing.
      if (!error) expect(read.equals(text)).toBe(true);
      else expect(error.code).toBe("broken_compression");
    }
    const twice = Buffer.concat([zstdSync(text), zstdSync(text)]);
    twice[twice.length - 1] ^= 1;
    expect((await readBytes(twice)).error).toMatchObject({ code: "broken_compression" });
  });

  it("refuses corrupt data without a check or, at worst, gives other text, but never fails otherwise", async () => {
    const packed = zstdSync(words(2_000), "--no-check");
    let refused = 0;
    for (let at = 4; at < packed.length; at += 211) {
      const corrupt = Buffer.from(packed);
      corrupt[at] ^= 0x55;
      const { error } = await readBytes(corrupt);
      if (error) {
        expect(error.code).toBe("broken_compression");
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

it("reads a plain file that happens to be this one", async () => {
  const [source] = findSources([new URL(import.meta.url).pathname]);
  expect((await read(source)).text.equals(readFileSync(source.path!))).toBe(true);
});
