/**
 * Where a step writes: a file, which is there when it is complete (whole.ts), or standard output, no faster than its reader takes it. A name that ends in .gz is compressed.
 */
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { DugongError } from "../../storage/errors.js";
import { makeFolder } from "../../storage/folder.js";
import { limits } from "../limits.js";
import { unfinishedPath } from "./whole.js";

export class Output {
  readonly #stream: Writable;
  /** The last of the streams: when it is over, all bytes are where they belong. */
  readonly #last: Writable;
  readonly #part: string | undefined;
  #pending = "";
  #failure: Error | undefined;

  constructor(readonly path: string) {
    if (path === "-") {
      this.#stream = this.#last = process.stdout;
    } else {
      makeFolder(dirname(path));
      this.#part = unfinishedPath(path);
      this.#last = createWriteStream(this.#part);
      this.#stream = this.#last;
      if (path.endsWith(".gz")) {
        const gzip = createGzip();
        gzip.pipe(this.#last);
        gzip.on("error", this.#failed);
        this.#stream = gzip;
      }
    }
    this.#last.on("error", this.#failed);
  }

  readonly #failed = (error: Error): void => {
    this.#failure ??= error;
  };

  /** Resolves when there is room for more. Whoever writes little at a time need not wait each time. */
  write(text: string): Promise<void> | undefined {
    this.#pending += text;
    return this.#pending.length < limits.writeChars ? undefined : this.flush();
  }

  async flush(): Promise<void> {
    if (this.#failure) throw this.#inOurWords();
    const text = this.#pending;
    this.#pending = "";
    if (text === "") return;
    await new Promise<void>((resolve) =>
      this.#stream.write(text, (error) => {
        if (error) this.#failed(error);
        resolve();
      }),
    );
    if (this.#failure) throw this.#inOurWords();
  }

  /** All is written: the file gets its name. */
  async close(): Promise<void> {
    await this.flush();
    this.#last.off("error", this.#failed);
    if (this.#part === undefined) return;
    this.#stream.end();
    await finished(this.#last);
    if (this.#part !== this.path) renameSync(this.#part, this.path);
  }

  /** The step has failed: nothing is left behind. */
  async abandon(): Promise<void> {
    if (this.#part === undefined) return;
    this.#stream.destroy();
    this.#last.destroy();
    await finished(this.#last).catch(() => {});
    if (this.#part !== this.path) rmSync(this.#part, { force: true });
  }

  #inOurWords(): Error {
    const failure = this.#failure!;
    const { code } = failure as NodeJS.ErrnoException;
    // Whoever read us has had enough: the command line ends quietly on that.
    if (this.path === "-" && (code === "EPIPE" || code === "ERR_STREAM_DESTROYED"))
      return new DugongError("output_closed", "nobody reads standard output any more");
    const hint = code === "ENOSPC" ? "There is no room left on the disk." : undefined;
    return new DugongError("cannot_write", `cannot write ${this.path}: ${failure.message}`, hint);
  }
}

/** Writes with `write`; closes the output when it is done, leaves nothing behind if it fails. */
export async function writing<Result>(
  path: string,
  write: (output: Output) => Promise<Result>,
): Promise<Result> {
  const output = new Output(path);
  try {
    const result = await write(output);
    await output.close();
    return result;
  } catch (error) {
    await output.abandon();
    throw error;
  }
}
