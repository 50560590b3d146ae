/**
 * Where what is exported goes: standard output, or a file. A file is there when it is complete: until then it is written
 * under another name beside it. What is no plain file (a pipe, /dev/null) is written to at once.
 */
import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { write } from "./output.js";

export interface Sink {
  write(data: string | Uint8Array): Promise<void>;
  /** All is written. */
  close(): Promise<void>;
  /** It has come to nothing. */
  abandon(): Promise<void>;
}

export const standardOutput: Sink = {
  write,
  close: async () => {},
  abandon: async () => {},
};

export async function fileSink(path: string): Promise<Sink> {
  const found = await stat(path).catch(() => undefined);
  const partial = !found || found.isFile() ? `${path}.partial` : path;
  const file = await open(partial, "w");
  return {
    write: (data) => writeAll(file, data),
    close: async () => {
      await file.close();
      if (partial !== path) await rename(partial, path);
    },
    abandon: async () => {
      await file.close().catch(() => {});
      if (partial !== path) await unlink(partial).catch(() => {});
    },
  };
}

async function writeAll(file: FileHandle, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done);
    done += bytesWritten;
  }
}
