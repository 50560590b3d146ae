/** A client that was written from docs/PROTOCOL.md alone. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../server/index.js";
import { makeSmall, temporaryFolder } from "./corpora.js";

const { folder, remove } = temporaryFolder();
const program = join(import.meta.dirname, "second-client.mjs");
let server: RunningServer;

beforeAll(async () => {
  await makeSmall(folder, "small");
  server = await startServer({ data: folder, config: { port: 0, logLevel: "silent", threads: 1 } });
});

afterAll(async () => {
  await server.close(0);
  remove();
});

function run(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [program, server.address, ...args]);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.pipe(process.stderr);
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ code, lines: stdout.trimEnd().split("\n") })),
  );
}

describe("a second client", () => {
  it("imports nothing of the project", () => {
    expect(readFileSync(program, "utf8").match(/from "|import\("(?!ws"\))/g)).toBeNull();
  });

  it("reads lines, ten at a time, to the end", async () => {
    const { code, lines } = await run("small", '"rare"');
    expect(code).toBe(0);
    expect(lines[0]).toBe("small@1: 3600 tokens");
    expect(lines).toHaveLength(22);
    expect(lines[1]).toMatch(/^the \[rare\] noun0 has a$/);
    expect(lines.at(-1)).toBe("20 of 20 (complete, total exact)");
  });

  it("stops when it has seen enough", async () => {
    const { lines } = await run("small", '"cat"', "20");
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toMatch(/^20 of 600 \(cancelled/);
  });

  it("hears what is wrong with a query, and where", async () => {
    const { code, lines } = await run("small", '[wrod="cat"]');
    expect(code).toBe(1);
    expect(JSON.parse(lines[1])).toMatchObject({
      code: "unknown_attribute",
      span: [1, 5],
      hint: "Did you mean word?",
    });
  });
});
