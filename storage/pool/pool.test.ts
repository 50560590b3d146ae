import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "../built.js";
import { DugongError } from "../errors.js";
import { FileReader } from "../file/reader.js";
import { FileWriter } from "../file/writer.js";
import { limits } from "../limits.js";
import { Pool, PooledFile } from "./pool.js";

const { extentBytes } = limits;
const framesLeast = 64;
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-pool-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every integer tells the file and the place where it stands. */
const integerAt = (file: number, place: number) => Math.imul(place + 1, 0x9e3779b1) ^ (file * 0x1234567);

async function write(number: number, extents: number): Promise<string> {
  const path = join(folder, `${number}`);
  const file = new FileWriter(path, "test", 1);
  const words = Int32Array.from({ length: (extents * extentBytes) / 4 }, (_, i) => integerAt(number, i));
  file.add("words", new Uint8Array(words.buffer));
  await file.finish({ durable: false });
  return path;
}

function open(path: string): PooledFile {
  return new PooledFile(FileReader.open(path, "test", 1));
}

/** Reads an extent through the pool and looks at some of it. */
function look(pool: Pool, file: PooledFile, number: number, extent: number): void {
  const [start] = file.reader.section("words");
  const frame = pool.acquire(file, start + extent * extentBytes, extentBytes, extent % framesLeast);
  const words = new Int32Array(pool.memory.buffer, pool.addressOf(frame), extentBytes / 4);
  let wrong = 0;
  for (let i = 0; i < words.length; i += 1021) {
    if (words[i] !== integerAt(number, (extent * extentBytes) / 4 + i)) wrong++;
  }
  pool.release(frame);
  expect([number, extent, wrong]).toEqual([number, extent, 0]);
}

describe("a buffer pool", () => {
  it("gives the right bytes of files much larger than itself", async () => {
    const pool = Pool.create(0);
    const files = await Promise.all([1, 2, 3].map(async (number) => open(await write(number, 40))));
    let state = 1;
    for (let i = 0; i < 3000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const pick = state >>> 8;
      look(pool, files[pick % 3], (pick % 3) + 1, (pick >>> 4) % 40);
    }
    for (const file of files) file.reader.close();
  });

  it("keeps what is pinned where it is, and says when everything is", async () => {
    const pool = Pool.create(0);
    const file = open(await write(4, framesLeast + 10));
    const [start] = file.reader.section("words");
    const pinned = Array.from({ length: framesLeast - 1 }, (_, extent) =>
      pool.acquire(file, start + extent * extentBytes, extentBytes, 0),
    );
    for (let round = 0; round < 3; round++) {
      for (let extent = framesLeast; extent < framesLeast + 10; extent++) look(pool, file, 4, extent);
    }
    pinned.forEach((frame, extent) => {
      expect(pool.u32[pool.addressOf(frame) >>> 2] | 0).toBe(integerAt(4, (extent * extentBytes) / 4));
    });
    const last = pool.acquire(file, start + framesLeast * extentBytes, extentBytes, 0);
    const oneMore = () => pool.acquire(file, start + (framesLeast + 1) * extentBytes, extentBytes, 0);
    expect(oneMore).toThrow(expect.objectContaining({ code: "pool_exhausted" }));
    for (const frame of [...pinned, last]) pool.release(frame);
    for (let extent = 0; extent < framesLeast + 10; extent++) look(pool, file, 4, extent);
    file.reader.close();
  });

  it("says when a file ends too early, and goes on with others", async () => {
    const pool = Pool.create(0);
    const path = await write(5, 4);
    const file = open(path);
    const [start] = file.reader.section("words");
    truncateSync(path, start + 2 * extentBytes + 100);
    for (let i = 0; i < 200; i++) {
      expect(() => pool.acquire(file, start + 2 * extentBytes, extentBytes, 0)).toThrow(DugongError);
      look(pool, file, 5, i % 2);
    }
    file.reader.close();
  });

  it("survives a glance at bytes that are just being replaced, in its last frame too", () => {
    // A pool with next to nothing behind its last frame; the layout of a frame's record is that of pool.ts.
    const pool = Pool.create(513 * extentBytes);
    const last = pool.handle.frames - 1;
    const record = (65_536 + 64 + last * 32) >>> 2;
    const version = 5;
    pool.u32[record + 7] = version;
    const address = pool.addressOf(last);
    const glance = (encoding: number, place: number, then: number) =>
      pool.kernels.glance(pool.firstFrame, last | (encoding << 24), then, place);
    for (const byte of [0xff, 0x80, 0x3f]) {
      pool.u8.fill(byte, address, address + extentBytes);
      for (const encoding of [0, 1, 2, 3]) {
        for (const place of [0, 127, 10_000]) {
          expect(() => glance(encoding, place, version)).not.toThrow();
          expect(glance(encoding, place, version - 1)).toBe(-1);
        }
      }
    }
    expect(glance(2, 0, version)).toBe(0x3f);
  });

  it("lends memory and takes it back", () => {
    const pool = Pool.create(0);
    const first = pool.lend(1000);
    const second = pool.lend(1000);
    first.fill(1);
    second.fill(2);
    expect(first.every((word) => word === 1)).toBe(true);
    pool.restore(second);
    expect(pool.lend(10).byteOffset).toBe(second.byteOffset);
    expect(() => pool.lend(2 << 20)).toThrow(expect.objectContaining({ code: "pool_lent_out" }));
    const other = Pool.attach(pool.handle).lend(1000);
    expect(Math.abs(other.byteOffset - first.byteOffset)).toBeGreaterThan(1 << 20);
  });

  it("serves so many threads and no more at a time", () => {
    const pool = Pool.create(0);
    const reserved = pool.reserve();
    const { scratch } = Pool.attach(reserved);
    for (let i = 2; i < 64; i++) expect(Pool.attach(pool.handle).scratch).not.toBe(scratch);
    expect(() => Pool.attach(pool.handle)).toThrow(expect.objectContaining({ code: "too_many_threads" }));
    expect(() => pool.reserve()).toThrow(expect.objectContaining({ code: "too_many_threads" }));
    pool.giveBack(reserved);
    expect(Pool.attach(pool.handle).scratch).toBe(scratch);
  });

  it("serves many threads at once that want more than it holds", async () => {
    const pool = Pool.create(0);
    const paths = await Promise.all([6, 7].map((number) => write(number, 50)));
    const threads = await Promise.all(
      Array.from({ length: 6 }, (_, seed) => {
        const code = `
          const { parentPort, workerData } = require("node:worker_threads");
          const load = (name) => import(workerData.root + name);
          Promise.all([load("pool/pool.js"), load("file/reader.js")]).then(([{ Pool, PooledFile }, { FileReader }]) => {
            const { handle, paths, seed, extentBytes } = workerData;
            const pool = Pool.attach(handle);
            const files = paths.map((path) => new PooledFile(FileReader.open(path, "test", 1)));
            let state = seed + 1;
            let wrong = 0;
            for (let i = 0; i < 4000; i++) {
              state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
              const pick = state >>> 8;
              const file = pick % 2;
              const extent = (pick >>> 4) % 50;
              const offset = files[file].reader.section("words")[0] + extent * extentBytes;
              const frame = pool.acquire(files[file], offset, extentBytes, pick % 64);
              const address = pool.addressOf(frame);
              for (let k = 0; k < 4; k++) {
                const place = (pick >>> k) % (extentBytes / 4);
                const wanted = Math.imul((extent * extentBytes) / 4 + place + 1, 0x9e3779b1) ^ ((file + 6) * 0x1234567);
                if ((pool.u32[(address >>> 2) + place] | 0) !== wanted) wrong++;
              }
              pool.release(frame);
            }
            parentPort.postMessage(wrong);
          });`;
        const root = pathToFileURL(builtFile("storage/")).href;
        const workerData = { root, handle: pool.handle, paths, seed, extentBytes };
        const worker = new Worker(code, { eval: true, workerData });
        return new Promise<number>((resolve, reject) => {
          worker.once("message", resolve);
          worker.once("error", reject);
        });
      }),
    );
    expect(threads).toEqual(threads.map(() => 0));
  });
});
