/**
 * A buffer that grows: bytes are put at its end. Who writes into `bytes` directly reserves room first, and
 * looks `bytes` up again after anything that may have grown it.
 */
export class GrowingBytes {
  bytes = new Uint8Array(1 << 16);
  view = new DataView(this.bytes.buffer);
  length = 0;
  readonly #encoder = new TextEncoder();

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  put(added: Uint8Array): void {
    this.reserve(added.length);
    const bytes = this.bytes;
    let at = this.length;
    for (let i = 0; i < added.length; i++) bytes[at++] = added[i];
    this.length = at;
  }

  putText(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.#encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** Puts a part of other bytes, with what a quoted value of a tag cannot hold as entities. */
  putEscaped(from: Uint8Array, start: number, end: number): void {
    this.reserve((end - start) * longestEntity);
    const bytes = this.bytes;
    let at = this.length;
    for (; start < end; start++) {
      const byte = from[start];
      const entity = byte < 63 ? entities[byte] : undefined;
      if (entity === undefined) bytes[at++] = byte;
      else for (let i = 0; i < entity.length; i++) bytes[at++] = entity[i];
    }
    this.length = at;
  }
}

const longestEntity = 6;
const entities: (Uint8Array | undefined)[] = new Array(63).fill(undefined);
for (const [char, entity] of ["&&amp;", "<&lt;", ">&gt;", '"&quot;', "\n&#10;", "\r&#13;"].map((pair) => [
  pair[0],
  pair.slice(1),
])) {
  entities[char.charCodeAt(0)] = new TextEncoder().encode(entity);
}
