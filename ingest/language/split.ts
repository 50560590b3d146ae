/**
 * A file for each language, FOLDER/fao.txt: text is gathered in memory and added to its file when there is enough of it, so that no
 * file is open between times and there may be as many as there are languages. Files have their names when all are complete;
 * those that an earlier run has left there, of other languages, are removed then.
 */
import { closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { makeFolder } from "../../storage/folder.js";
import { findSources } from "../../storage/input/sources.js";
import { limits } from "../limits.js";
import { attributesOf, tagOf } from "../stream/tags.js";

const ending = ".txt";
/** A document's tag, with an address and a title in it. */
const tagBytes = 64 * 1024;

export class Split {
  readonly #pending = new Map<string, string[]>();
  readonly #chars = new Map<string, number>();
  #charsTotal = 0;
  /** What is being written, of each file one thing after the other. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #begun = new Set<string>();
  #failure: Error | undefined;

  constructor(
    readonly folder: string,
    /** Files that stay, whatever they are: what is being read. */
    readonly kept: ReadonlySet<string>,
  ) {
    makeFolder(folder);
  }

  /** Resolves when there is room for more. */
  write(language: string, text: string): Promise<void> | undefined {
    if (this.#failure) throw this.#failure;
    let parts = this.#pending.get(language);
    if (!parts) this.#pending.set(language, (parts = []));
    parts.push(text);
    const chars = (this.#chars.get(language) ?? 0) + text.length;
    this.#chars.set(language, chars);
    this.#charsTotal += text.length;
    if (chars >= limits.splitChars) return this.#flush(language);
    if (this.#charsTotal >= limits.splitCharsMax) return this.#flushAll();
    return undefined;
  }

  async close(): Promise<void> {
    await this.#flushAll();
    await Promise.all(this.#busy.values());
    if (this.#failure) throw this.#failure;
    for (const language of this.#begun)
      renameSync(this.#part(language), join(this.folder, `${language}${ending}`));
    this.#clear();
  }

  /** What an earlier run wrote, of languages that are not there now, would be taken for a part of this one. */
  #clear(): void {
    for (const name of readdirSync(this.folder)) {
      const language = name.slice(0, -ending.length);
      if (!name.endsWith(ending) || this.#begun.has(language)) continue;
      const path = join(this.folder, name);
      if (!this.kept.has(resolve(path)) && isOurs(path, language)) rmSync(path);
    }
  }

  /** Nothing is left behind. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#busy.values());
    for (const language of this.#begun) rmSync(this.#part(language), { force: true });
  }

  async #flush(language: string): Promise<void> {
    // What was begun before has to be over: memory is bounded by that.
    await this.#busy.get(language);
    if (this.#failure) throw this.#failure;
    const text = (this.#pending.get(language) ?? []).join("");
    if (text === "") return;
    this.#pending.delete(language);
    this.#chars.delete(language);
    this.#charsTotal -= text.length;
    const isNew = !this.#begun.has(language);
    this.#begun.add(language);
    const done = appendFile(this.#part(language), text, { flag: isNew ? "w" : "a" }).catch((error: Error) => {
      this.#failure ??= new DugongError(
        "cannot_write",
        `cannot write ${this.#part(language)}: ${error.message}`,
      );
    });
    this.#busy.set(language, done);
  }

  async #flushAll(): Promise<void> {
    for (const language of [...this.#pending.keys()]) {
      await this.#flush(language);
      await this.#busy.get(language);
    }
  }

  #part(language: string): string {
    return join(this.folder, `${language}${ending}.part`);
  }
}

/** Does it begin with a document in that language, as all that is written here does? */
function isOurs(path: string, language: string): boolean {
  if (!statSync(path).isFile()) return false;
  const bytes = new Uint8Array(tagBytes);
  const file = openSync(path, "r");
  try {
    const text = Buffer.from(bytes.buffer, 0, readSync(file, bytes)).toString();
    const tag = tagOf(text.slice(0, Math.max(0, text.indexOf("\n"))));
    return tag?.name === "doc" && attributesOf(tag).lang === language;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes with `write`; the files are there when it is done, and none if it fails. Those of an earlier run go then, but for
 * `inputs`.
 */
export async function splitting(
  folder: string,
  inputs: readonly string[],
  write: (split: Split) => Promise<void>,
): Promise<void> {
  const kept = findSources(inputs).flatMap(({ path }) => (path === null ? [] : [resolve(path)]));
  const split = new Split(folder, new Set(kept));
  try {
    await write(split);
    await split.close();
  } catch (error) {
    await split.abandon();
    throw error;
  }
}
