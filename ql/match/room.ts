/**
 * Columns that matches are written to, and that are used again: a scan that finds a match for nearly every token would
 * otherwise spend most of its time on getting memory and giving it back, and several threads would wait for each other
 * there. Whoever reads a block of matches has it until he asks for the next.
 *
 *   shared room = word: taken or free (16 bytes), begins, ends
 *
 * The room of a thread that helps is memory that the reader sees as well: nothing is copied or moved, and the reader says
 * in the room's word when it may be written to again.
 */
const [FREE, TAKEN] = [0, 1];
const headBytes = 16;
/** Room for so many matches at first. */
const matchesAtFirst = 1 << 10;
const largeBytes = 1 << 20;

export class Room {
  begins!: Uint32Array;
  ends!: Uint32Array;
  /** Of a room that threads share. */
  word: Int32Array | undefined;

  constructor(readonly shared = false) {
    this.#allocate(matchesAtFirst);
  }

  #allocate(matches: number): void {
    // Ends begin at a multiple of 16 bytes, as begins do.
    const room = (matches + 3) & ~3;
    const bytes = headBytes + room * 8;
    const buffer = this.shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
    this.begins = new Uint32Array(buffer, headBytes, room);
    this.ends = new Uint32Array(buffer, headBytes + room * 4, room);
    if (this.shared) this.word = new Int32Array(buffer, 0, 1);
    this.take();
  }

  get bytes(): number {
    return this.begins.length * 8;
  }

  /** Is it too large to wait with so few matches until they are read? They are copied out of it then. */
  isTooLargeFor(matches: number): boolean {
    return this.bytes > largeBytes && matches * 64 < this.bytes;
  }

  /** Makes room for so many matches; the first `kept` of those that are there stay. */
  grow(matches: number, kept: number): void {
    if (matches <= this.begins.length) return;
    const { begins, ends } = this;
    this.#allocate(Math.max(matches, begins.length * 2));
    this.begins.set(begins.subarray(0, kept));
    this.ends.set(ends.subarray(0, kept));
  }

  take(): void {
    if (this.word) Atomics.store(this.word, 0, TAKEN);
  }

  get free(): boolean {
    return this.word !== undefined && Atomics.load(this.word, 0) === FREE;
  }
}

/** What a thread that helps has put out was read. */
export function giveBack(word: Int32Array): void {
  Atomics.store(word, 0, FREE);
}

/** Rooms that are not used at the moment, up to so many bytes: the rest is left to the garbage collector. */
export class Rooms {
  readonly #spare: Room[] = [];
  #bytes = 0;

  constructor(
    readonly shared: boolean,
    readonly spareBytesMax: number,
  ) {}

  take(): Room {
    const room = this.#spare.pop();
    if (!room) return new Room(this.shared);
    this.#bytes -= room.bytes;
    room.take();
    return room;
  }

  give(room: Room): void {
    if (this.#bytes + room.bytes > this.spareBytesMax) return;
    this.#bytes += room.bytes;
    this.#spare.push(room);
  }
}
