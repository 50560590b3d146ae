/**
 * A file for each language, FOLDER/fao.txt: text is gathered in memory and added to its file when there is enough of it, so that no
 * file is open between times and there may be as many as there are languages. Files have their names when all are complete.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";

export class Split {
  readonly #pending = new Map<string, string[]>();
  readonly #chars = new Map<string, number>();
  #charsTotal = 0;
  /** What is being written, of each file one thing after the other. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #begun = new Set<string>();
  #failure: Error | undefined;

  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true });
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
      renameSync(this.#part(language), join(this.folder, `${language}.txt`));
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
    return join(this.folder, `${language}.txt.part`);
  }
}

/** Writes with `write`; the files are there when it is done, and none if it fails. */
export async function splitting(folder: string, write: (split: Split) => Promise<void>): Promise<void> {
  const split = new Split(folder);
  try {
    await write(split);
    await split.close();
  } catch (error) {
    await split.abandon();
    throw error;
  }
}
