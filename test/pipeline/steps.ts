/** Steps for tests, as a module of a pipeline has them: small, and odd on demand. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the module into a folder; returns its name. */
export function writeSteps(folder: string): string {
  writeFileSync(join(folder, "steps.mjs"), source);
  return "steps.mjs";
}

const source = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { setTimeout as wait } from "node:timers/promises";

function read(path) {
  const bytes = readFileSync(path);
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}
const words = (text) => text.split("\\n").filter((line) => !line.startsWith("<")).join(" ").split(/\\s+/).filter(Boolean).length;

function step(name, change) {
  return async ({ inputs, output }, options) => {
    const began = performance.now();
    const before = inputs.map(read).join("");
    const after = await change(before, options, inputs);
    const part = output + ".part";
    writeFileSync(part, output.endsWith(".gz") ? gzipSync(after) : after);
    (await import("node:fs")).renameSync(part, output);
    const documents = (text) => text.split("<doc").length - 1;
    const languages = {};
    for (const [, lang] of before.matchAll(/lang="([a-z]+)"/g)) languages[lang] = (languages[lang] ?? 0) + 1;
    return {
      step: name, documentsIn: documents(before), documentsOut: documents(after), wordsIn: words(before), wordsOut: words(after),
      seconds: (performance.now() - began) / 1000, warnings: [], details: { languages },
    };
  };
}

export const steps = [
  {
    name: "replace", version: "1", summary: "one letter for another", takes: "file", writes: "text",
    options: {
      from: { type: "string", summary: "" }, to: { type: "string", summary: "" },
      waitMs: { type: "integer", min: 0, isNeutral: true, summary: "" },
      table: { type: "file", summary: "" },
    },
    load: async () => step("replace", async (text, { from = "a", to = "A", waitMs = 0, table }) => {
      await wait(waitMs);
      return text.replaceAll(from, table ? readFileSync(table, "utf8").trim() : to);
    }),
  },
  {
    name: "fragile", version: "1", summary: "fails where BAD stands, until a file is there", takes: "file", writes: "text",
    options: { unless: { type: "string", isNeutral: true, summary: "" }, crash: { type: "boolean", isNeutral: true, summary: "" } },
    load: async () => step("fragile", (text, { unless = "/nowhere", crash }) => {
      if (!text.includes("BAD") || existsSync(unless)) return text;
      if (crash) process.kill(process.pid, "SIGKILL");
      throw new Error("it is BAD");
    }),
  },
  {
    name: "flaky", version: "1", summary: "fails the first two times", takes: "file", writes: "text",
    options: { count: { type: "string", isNeutral: true, isRequired: true, summary: "" } },
    load: async () => step("flaky", (text, { count }) => {
      const times = existsSync(count) ? readFileSync(count, "utf8").length : 0;
      writeFileSync(count, "x".repeat(times + 1));
      if (times < 2) throw new Error("not yet");
      return text;
    }),
  },
  {
    name: "tokenise", version: "1", summary: "a word a line", takes: "file", writes: "vertical",
    options: {},
    load: async () => step("tokenise", (text) =>
      text.split("\\n").flatMap((line) => (line.startsWith("<") ? [line] : line.split(/\\s+/))).filter(Boolean).join("\\n") + "\\n"),
  },
];
`;
