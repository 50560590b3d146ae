/** The files that a pipeline's inputs mean, and hashes of their content, remembered as long as size and time stay the same. */
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { findSources } from "../../storage/input/sources.js";
import { writeWhole } from "../stream/whole.js";
import type { Pipeline } from "./file.js";

/** All files, each once, in the order of the patterns, those of one pattern sorted. */
export function findInputs({ inputs, folder }: Pipeline): string[] {
  const found = new Set<string>();
  for (const { pattern, place } of inputs) {
    const fail = (message: string) => new DugongError("input_not_found", `${place}: ${message}`);
    if (pattern === "-") throw fail("standard input cannot be read twice; name a file");
    let files: string[];
    if (/[*?[]/.test(pattern)) {
      files = globbed(pattern, folder);
      if (files.length === 0) throw fail(`no file matches ${pattern}`);
    } else {
      try {
        files = findSources([resolve(folder, pattern)]).map(({ path }) => path!);
      } catch (error) {
        throw fail((error as Error).message);
      }
    }
    for (const file of files) found.add(file);
  }
  return [...found];
}

/** `*` and `?` are in one name, `**` is any number of folders, `[a-c]` one of these. Hidden files have to be named. */
function globbed(pattern: string, folder: string): string[] {
  const parts = resolve(folder, pattern).split("/").slice(1);
  const files: string[] = [];
  const walk = (at: string, rest: string[]) => {
    const [part, ...more] = rest;
    if (part === "**") {
      walk(at, more);
      for (const entry of entries(at)) {
        if (entry.isDirectory() && !entry.name.startsWith(".")) walk(`${at}/${entry.name}`, rest);
      }
      return;
    }
    if (!/[*?[]/.test(part) && more.length > 0) return walk(`${at}/${part}`, more);
    const matching = nameOf(part);
    for (const entry of entries(at)) {
      if (!matching.test(entry.name) || (entry.name.startsWith(".") && !part.startsWith("."))) continue;
      const path = `${at}/${entry.name}`;
      if (more.length > 0) walk(path, more);
      else if (statSync(path, { throwIfNoEntry: false })?.isFile()) files.push(path);
    }
  };
  walk("", parts);
  return [...new Set(files)].sort();
}

function entries(folder: string) {
  try {
    return readdirSync(folder || "/", { withFileTypes: true });
  } catch {
    return [];
  }
}

function nameOf(part: string): RegExp {
  const source = part.replace(/\[(!?)([^\]]+)\]|[*?]|[.+^${}()|[\]\\]/g, (char, not, set) => {
    if (char === "*") return ".*";
    if (char === "?") return ".";
    return set === undefined ? `\\${char}` : `[${not ? "^" : ""}${set.replace(/[\\\]^]/g, "\\$&")}]`;
  });
  return new RegExp(`^${source}$`, "su");
}

/** A change that comes so soon after another may leave the time as it was. */
const settledMs = 2000;

export class ContentHashes {
  readonly #known: Record<string, string>;
  #isChanged = false;

  constructor(readonly path: string) {
    let known = {};
    try {
      known = JSON.parse(readFileSync(path, "utf8"));
    } catch {
      // It is only a memory: what is missing or broken is made again.
    }
    this.#known = Object.assign(Object.create(null), known);
  }

  async of(file: string): Promise<string> {
    const { size, mtimeMs, ino } = statSync(file);
    const state = `${size} ${mtimeMs} ${ino} `;
    const known = this.#known[file];
    if (known?.startsWith(state)) return known.slice(state.length);
    const hash = await contentHash(file);
    if (Date.now() - mtimeMs > settledMs) {
      this.#known[file] = state + hash;
      this.#isChanged = true;
    }
    return hash;
  }

  save(): void {
    if (this.#isChanged) writeWhole(this.path, JSON.stringify(this.#known));
    this.#isChanged = false;
  }
}

export async function contentHash(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest("hex");
}

/** As people know it. */
export function shownName(file: string, { folder }: Pipeline): string {
  const near = relative(folder, file);
  return near.startsWith("../..") ? file : near;
}
