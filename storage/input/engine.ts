/**
 * Engines: the decompressing streams of node:zlib, driven so that nothing they produced is ever lost.
 *
 * A stream that fails forgets what it has not handed out yet, and one that is told of the end together with
 * the last bytes fails before handing out what those gave. So here each piece of input is written alone, the
 * next only when the output of the one before is out; the input ends when nothing is left to write. Inflating
 * itself runs on another thread, at its own speed: pieces of a megabyte make the handing over cost nothing.
 */

import type { Transform } from "node:stream";

export interface Engine extends Transform {
  /** Bytes of input that were used. */
  readonly bytesWritten: number;
}

export interface Outcome {
  /** Why the engine failed; absent if it came to its end. */
  error?: Error & { code?: string };
  /** What it did not use of the last piece of input. */
  unused: Uint8Array;
}

/** Bytes handed to and taken from an engine at a time. */
export const engineBytes = 1 << 20;

/**
 * Yields what the engine makes of the input. It takes no more input once it left some unused. If the
 * consumer stops early, the engine is destroyed.
 */
export async function* throughEngine(
  engine: Engine,
  input: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array, Outcome> {
  const outcome: Outcome = { unused: new Uint8Array(0) };
  let over = false;
  let wake = () => {};
  engine.on("readable", () => wake());
  engine.on("end", () => {
    over = true;
    wake();
  });
  engine.on("error", (error) => {
    outcome.error = error;
    over = true;
    wake();
  });
  const fed = feed(engine, input).then(
    (unused) => {
      outcome.unused = unused;
      return undefined;
    },
    (error: Error) => {
      // Input that cannot be read ends this; an engine that fails says so by itself.
      over = true;
      wake();
      return { error };
    },
  );
  try {
    for (;;) {
      const chunk: Uint8Array | null = engine.read();
      if (chunk !== null) {
        yield chunk;
      } else if (over) {
        break;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    const failed = await fed;
    if (failed) throw failed.error;
    return outcome;
  } finally {
    engine.destroy();
  }
}

/** Writes pieces of input until there are none or the engine wants no more; gives what it did not use. */
async function feed(engine: Engine, input: () => Promise<Uint8Array | undefined>): Promise<Uint8Array> {
  for (;;) {
    const piece = await input();
    if (piece === undefined) break;
    const before = engine.bytesWritten;
    await written(engine, piece);
    const unused = piece.subarray(engine.bytesWritten - before);
    if (engine.destroyed || unused.length > 0) return unused;
  }
  engine.end();
  return new Uint8Array(0);
}

/** Waits until the piece is used, or the engine has failed: some of them do not answer a write that failed. */
function written(engine: Engine, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      engine.off("close", done);
      resolve();
    };
    engine.once("close", done);
    engine.write(piece, done);
  });
}
