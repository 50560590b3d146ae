/** Where steps write, as a shell sees it: a reader that has had enough, a folder that may not be made. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "dugong-output-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** `dugong … | head -1`: what came out, what was said, and how the first of the two ended. */
function headOf(command: string): { stdout: string; stderr: string; code: number } {
  const script = `set -o pipefail; ${process.execPath} ${main} ${command} | head -1`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  return { stdout, stderr, code: status! };
}

describe("a step whose reader has had enough", () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `Word ${i} stands here, and is not alone.`);
  const text = file("big.txt", `${words.join("\n\n")}\n`);
  const stream = file(
    "big.vrt",
    words.map((one, i) => `<doc id="${i}">\n<p>\n${one}\n</p>\n</doc>\n`).join(""),
  );
  const vertical = file("big.vert", words.map((one) => `<s>\n${one.replaceAll(" ", "\n")}\n</s>\n`).join(""));
  const pages = file(
    "big.html",
    `<html><title>x</title>${words.map((one) => `<p>${one.repeat(5)}</p>`).join("")}</html>`,
  );

  for (const command of [
    `read ${text}`,
    `clean ${pages}`,
    `language ${stream}`,
    `dedup --stub 0 ${stream}`,
    `tokenise ${text}`,
    `tag ${vertical} --command cat`,
  ]) {
    it(`ends quietly: ${command.split(" ")[0]}`, () => {
      const { stdout, stderr, code } = headOf(command);
      expect(stdout.split("\n")).toHaveLength(2);
      expect(stderr).not.toMatch(/EPIPE|error|cannot/);
      expect(code).toBe(0);
    });
  }
});

describe("a folder that cannot be made", () => {
  const text = file("small.txt", "x\n");
  const refused = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: "utf8",
      timeout: 30_000,
    });
    return { status, stderr };
  };

  it("is an error, and not waited for", () => {
    expect(refused("read", text, "--out", "/proc/x/y")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot make the folder /proc/x"),
    });
    expect(refused("language", text, "--split", "/proc/x/y").stderr).toContain("cannot make the folder");
    expect(refused("crawl", text, "--out", "/proc/x/y", "--contact", "a@example.org").stderr).toContain(
      "cannot make the folder",
    );
    expect(refused("read", text, "--out", join(text, "deep/y")).stderr).toContain(`${text} is no folder`);
  });
});
