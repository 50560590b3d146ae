/**
 * A tape: the bytes of an archive in a row, for those who read records off it. It is made of stretches, over whose ends no
 * record goes: where something is missing, and where a gzip member starts with the header of a record. So a record that
 * says it is longer than it is does not take the next one with it.
 */
import type { Piece } from "./members.js";

const emptyBytes = new Uint8Array(0);

export class Tape {
  /** What has arrived of the stretch and is not taken. */
  rest: Uint8Array = emptyBytes;
  /** The first piece of the next stretch, once it is known. */
  #next: Piece | undefined;
  #ended = false;
  /** Where the pieces in `rest` begin, and which place in the file each has. */
  #marks: { at: number; offset: number; isPlain: boolean }[] = [];

  constructor(
    readonly pieces: AsyncIterator<Piece>,
    /** Do these bytes, the first of a member, start a record? */
    readonly startsRecord: (bytes: Uint8Array) => boolean,
    /** The bytes lie in the file as they are: their offsets can be counted. */
    readonly isPlain: boolean,
  ) {}

  /** Where the first byte of `rest` lies. */
  get offset(): number {
    const [mark] = this.#marks;
    if (!mark) return 0;
    return mark.isPlain ? mark.offset - mark.at : mark.offset;
  }

  /** Waits until so many bytes of the stretch are in `rest`; false if it ends before. */
  async has(bytes: number): Promise<boolean> {
    if (this.rest.length >= bytes) return true;
    const parts = [this.rest];
    let length = this.rest.length;
    while (length < bytes && !this.#next && !this.#ended) {
      const { value: piece, done } = await this.pieces.next();
      if (done) {
        this.#ended = true;
      } else if (piece.isAfterGap || (piece.isStart && this.startsRecord(piece.bytes))) {
        this.#next = piece;
      } else {
        this.#mark(length, piece);
        parts.push(piece.bytes);
        length += piece.bytes.length;
      }
    }
    if (parts.length > 1)
      this.rest = parts[0].length === 0 && parts.length === 2 ? parts[1] : Buffer.concat(parts);
    return length >= bytes;
  }

  drop(bytes: number): void {
    this.rest = this.rest.subarray(bytes);
    const marks = this.#marks;
    for (const mark of marks) mark.at -= bytes;
    while (marks.length > 1 && marks[1].at <= 0) marks.shift();
  }

  /** Drops so many bytes of the stretch, or all that there are. */
  async skip(bytes: number): Promise<boolean> {
    let left = bytes;
    while (left > 0) {
      if (this.rest.length === 0 && !(await this.has(1))) return false;
      const now = Math.min(left, this.rest.length);
      this.drop(now);
      left -= now;
    }
    return true;
  }

  /** Goes on to the next stretch, once all of this one is taken; false at the end of the tape. */
  advance(): boolean {
    const piece = this.#next;
    if (!piece) return false;
    this.#next = undefined;
    this.#marks = [];
    this.#mark(0, piece);
    this.rest = piece.bytes;
    return true;
  }

  #mark(at: number, { offset }: Piece): void {
    const { isPlain } = this;
    // Of plain bytes, one mark tells the place of all.
    if (isPlain && this.#marks.length > 0) return;
    this.#marks.push({ at, offset, isPlain });
  }
}
