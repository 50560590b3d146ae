/**
 * A file open for reading, for as long as it is needed, and then as often as it has to be. A corpus of many segments can
 * have more files than a process may have open: where that shows, a thread closes all that it has, and each is opened
 * again when it is next read.
 */
import { type BigIntStats, closeSync, fstatSync, openSync } from "node:fs";
import { DugongError } from "../errors.js";

/** The handles of this thread that are open. */
const open = new Set<Handle>();

export class Handle {
  #fd: number | undefined;
  readonly stat: BigIntStats;

  constructor(readonly path: string) {
    const fd = openFile(path);
    this.stat = fstatSync(fd, { bigint: true });
    this.#hold(fd);
  }

  /** To be used at once: what is opened next may close it. */
  get fd(): number {
    return this.#fd ?? this.#reopen();
  }

  #hold(fd: number): void {
    this.#fd = fd;
    open.add(this);
  }

  #reopen(): number {
    const fd = openFile(this.path);
    const { dev, ino, size } = fstatSync(fd, { bigint: true });
    if (dev !== this.stat.dev || ino !== this.stat.ino || size !== this.stat.size) {
      closeSync(fd);
      throw new DugongError(
        "broken_file",
        `${this.path} is another file than it was`,
        "Open the corpus again.",
      );
    }
    this.#hold(fd);
    return fd;
  }

  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    open.delete(this);
  }
}

/** A file's descriptor, if need be at the cost of what else is open. */
export function openFile(path: string, flags: "r" | "w" = "r"): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (!isTooMany(error)) throw error;
    for (const handle of open) handle.close();
  }
  try {
    return openSync(path, flags);
  } catch (error) {
    if (!isTooMany(error)) throw error;
    throw new DugongError(
      "too_many_files",
      `${path} cannot be opened: too many files are open`,
      "Raise the limit (`ulimit -n`), or join small segments with `dugong compact`.",
    );
  }
}

function isTooMany(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE";
}
