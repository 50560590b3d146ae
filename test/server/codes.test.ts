/** Codes are what programs switch on: each that the server gives stands in docs/PROTOCOL.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

it("every code of the server's own is on the page of the protocol, and so is every setting", () => {
  const sources = readdirSync(join(root, "server"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, "server", file), "utf8"));
  const page = readFileSync(join(root, "docs/PROTOCOL.md"), "utf8");
  const codes = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:refusal|problem)\(\s*"([a-z_]+)"/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(30);
  // What is wrong with the configuration is told to whoever starts the server, not to clients.
  const told = [...new Set(codes)].filter((code) => code !== "bad_config");
  expect(told.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  const config = readFileSync(join(root, "server/config.ts"), "utf8");
  const declared = /export const defaults: Config = \{([\s\S]*?)\n\};/.exec(config)![1];
  const settings = [...declared.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
  expect(settings.length).toBeGreaterThan(25);
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
