import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeCorpus } from "../corpus/remove.js";
import { encodeCorpus } from "../encode/encode.js";
import { DugongError } from "../errors.js";
import { Catalog } from "./catalog.js";
import { identify, isRunning } from "./process.js";

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-catalog-"));
  writeFileSync(join(folder, "a.vert"), "a\nb\n");
  const inputs = [join(folder, "a.vert")];
  await encodeCorpus({ data: join(folder, "data"), corpus: "a", inputs, attributes: ["word"], workers: 1 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code of the error that opening a folder ends with. */
function refusal(data: string, options?: { create: boolean }): string | undefined {
  try {
    Catalog.open(data, options).close();
  } catch (error) {
    expect(error).toBeInstanceOf(DugongError);
    return (error as DugongError).code;
  }
  return undefined;
}

describe("a catalogue that is damaged", () => {
  const whole = () => readFileSync(join(folder, "data/catalog.mdb"));
  const opened = (name: string, bytes: Uint8Array) => {
    const data = join(folder, name);
    mkdirSync(data);
    writeFileSync(join(data, "catalog.mdb"), bytes);
    return refusal(data);
  };

  it("is refused, wherever it was cut off", () => {
    const bytes = whole();
    for (let cut = 1; cut < 16; cut++) {
      const kept = Math.floor((bytes.length * cut) / 16);
      // What lies behind the last page that is in use may be missing.
      const outcome = opened(`cut${cut}`, bytes.subarray(0, kept));
      if (kept < bytes.length / 2) expect(outcome).toBe("broken_catalog");
    }
  });

  it("is refused if it is something else", () => {
    expect(opened("text", Buffer.from("no catalogue\n".repeat(1000)))).toBe("broken_catalog");
    const second = Buffer.from(whole());
    second.fill(0x55, 4096, 8192);
    expect(opened("second", second)).toBe("broken_catalog");
  });

  it("is taken for a new one if it is empty", () => {
    expect(opened("empty", Buffer.alloc(0))).toBeUndefined();
  });

  it("is opened if it is whole", () => {
    expect(opened("whole", whole())).toBeUndefined();
  });
});

describe("a place where no corpora can be", () => {
  it("is refused with what is wrong with it", () => {
    const file = join(folder, "a.vert");
    expect(refusal(file, { create: true })).toBe("cannot_write");
    expect(refusal(join(file, "below"), { create: true })).toBe("cannot_write");
    if (process.platform === "linux") expect(refusal("/proc/corpora", { create: true })).toBe("cannot_write");
  });
});

describe("what an encoding has left that was stopped before its first snapshot", () => {
  it("can be removed", async () => {
    const data = join(folder, "data");
    const catalog = Catalog.open(data);
    try {
      catalog.beginJob("left", "encode", "fingerprint");
      mkdirSync(join(data, "left/work/1"), { recursive: true });
      expect(catalog.corpora()).toEqual(["a"]);
      await removeCorpus({ data, corpus: "left" });
      expect(existsSync(join(data, "left"))).toBe(false);
      await expect(removeCorpus({ data, corpus: "left" })).rejects.toThrow("there is no corpus left");
      expect(catalog.beginJob("left", "encode", "fingerprint").resumed).toBe(false);
      catalog.endJob("left");
    } finally {
      await catalog.close();
    }
  });
});

describe("a process", () => {
  it.skipIf(process.platform !== "linux")("that is dead but not yet forgotten does not run", async () => {
    // The shell becomes a program that never asks how its child ended.
    const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const pid = await new Promise<number>((resolve) => {
        parent.stdout.once("data", (line: Buffer) => resolve(Number(line.toString())));
      });
      const child = identify(pid);
      expect(isRunning(child)).toBe(true);
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1")))
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(isRunning(child)).toBe(false);
    } finally {
      parent.kill();
    }
  });

  it("is told from a later one that has its number", () => {
    expect(isRunning(identify())).toBe(true);
    if (identify().started !== "") expect(isRunning({ pid: process.pid, started: "1" })).toBe(false);
  });
});
