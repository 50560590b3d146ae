/**
 * A feed: bytes that arrive in chunks, of which the reader may put back what it did not want.
 *
 * Chunks are handed on as they came; bytes are copied only where a reader insists on a few that lie across
 * the border of two chunks.
 */
export class ByteFeed {
  /** What has arrived and is not taken. Whoever takes bytes leaves the rest here. */
  rest: Uint8Array = new Uint8Array(0);
  /** Whether all has arrived. */
  ended = false;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Takes all that is there, or waits for more if nothing is; undefined at the end. */
  async take(): Promise<Uint8Array | undefined> {
    if (!(await this.has(1))) return undefined;
    const taken = this.rest;
    this.rest = taken.subarray(taken.length);
    return taken;
  }

  /** Waits until at least so many bytes are in `rest`; false if the input ends before. */
  async has(bytes: number): Promise<boolean> {
    while (this.rest.length < bytes && !this.ended) {
      const next = await this.#chunks.next();
      if (next.done) this.ended = true;
      else if (this.rest.length === 0) this.rest = next.value;
      else this.rest = Buffer.concat([this.rest, next.value]);
    }
    return this.rest.length >= bytes;
  }

  /** Drops bytes that are in `rest`. */
  drop(bytes: number): void {
    this.rest = this.rest.subarray(bytes);
  }
}
