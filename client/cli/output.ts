/** Standard output, no faster than its reader takes it, and quiet when the reader has gone. */

class ClosedOutput extends Error {}

// Those who write are told; where nobody listens, an error would end the program.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

/** Resolves when the text has been taken; the next may then follow. */
export function write(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else reject(isBrokenPipe(error) ? new ClosedOutput() : error);
    });
  });
}

/** For people: lines of text. */
export function writeLines(lines: string[]): Promise<void> {
  return write(lines.map((line) => `${line}\n`).join(""));
}

/** For programs: one document on one line. */
export function writeJson(document: unknown): Promise<void> {
  return write(`${JSON.stringify(document)}\n`);
}

/** Was this thrown because nobody reads the output any more? Steps of ingest, which write by themselves, say it with a code. */
export function isClosedOutput(error: unknown): boolean {
  return error instanceof ClosedOutput || (error as { code?: unknown } | undefined)?.code === "output_closed";
}

function isBrokenPipe(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}
