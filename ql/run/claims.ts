/**
 * What the threads that work on one query share, in words that all of them see:
 *
 *   stopped   not 0 when nobody wants the answer any more
 *   next      the first part that no thread has claimed
 *   reading   the part whose matches the reader takes now
 *   news      counted up, and told to who waits, when a thread has put something out
 *   of each thread: does it rest until it is called, and the bytes of its matches that are not read yet
 *
 * A thread claims the next part when it has done its last. It rests when it is so many parts or bytes ahead of the
 * reader: it says so first and looks again then, and the reader moves first and looks then who rests, so that at least
 * one of them sees the other.
 */
/** What a thread that helps is: whoever ends it may do so while it is free, and says so first. */
export const [FREE, AT_WORK, ENDED] = [0, 1, 2];

const [STOPPED, NEXT, READING, NEWS] = [0, 1, 2, 3];
const headWords = 4;
const wordsOfThread = 2;
const [RESTS, UNREAD] = [0, 1];

/** Parts that may be claimed before the reader is there, for each thread; and bytes of matches not read yet. */
const partsAhead = 4;
export const unreadBytesMax = 32 << 20;

export class Claims {
  readonly #words: Int32Array;

  constructor(
    readonly shared: SharedArrayBuffer,
    /** Where parts begin and end: two numbers each. */
    readonly bounds: Float64Array,
    readonly threads: number,
  ) {
    this.#words = new Int32Array(shared);
  }

  static of(bounds: Float64Array, threads: number): Claims {
    return new Claims(new SharedArrayBuffer((headWords + threads * wordsOfThread) * 4), bounds, threads);
  }

  get parts(): number {
    return this.bounds.length / 2;
  }

  /** The number of a part that is the caller's now; undefined: there is none, or none yet. */
  claim(): number | undefined {
    for (;;) {
      const next = Atomics.load(this.#words, NEXT);
      if (next >= this.parts || this.#isFar(next)) return undefined;
      if (Atomics.compareExchange(this.#words, NEXT, next, next + 1) === next) return next;
    }
  }

  #isFar(part: number): boolean {
    return part >= Atomics.load(this.#words, READING) + partsAhead * this.threads;
  }

  get allClaimed(): boolean {
    return Atomics.load(this.#words, NEXT) >= this.parts;
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOPPED) !== 0;
  }

  stop(): void {
    Atomics.store(this.#words, STOPPED, 1);
  }

  // ---- a thread that helps

  /** The next part is too far ahead, or too much is unread: true if it is still so once it is known that the thread rests. */
  rests(thread: number, still: "far" | "full"): boolean {
    const at = headWords + thread * wordsOfThread;
    Atomics.store(this.#words, at + RESTS, 1);
    const ahead = still === "far" ? this.#isFar(Atomics.load(this.#words, NEXT)) : this.isFull(thread);
    if (ahead && !this.stopped) return true;
    // The reader may have called already: the call finds the thread at work then, or done.
    Atomics.store(this.#words, at + RESTS, 0);
    return false;
  }

  isFull(thread: number): boolean {
    return Atomics.load(this.#words, headWords + thread * wordsOfThread + UNREAD) > unreadBytesMax;
  }

  /** Something was put out. */
  tell(thread: number, bytes: number): void {
    Atomics.add(this.#words, headWords + thread * wordsOfThread + UNREAD, bytes);
    Atomics.add(this.#words, NEWS, 1);
    Atomics.notify(this.#words, NEWS);
  }

  // ---- the thread that reads

  get news(): number {
    return Atomics.load(this.#words, NEWS);
  }

  /** Until there are other news than these, or so long. */
  wait(news: number, mostMs: number): void {
    Atomics.wait(this.#words, NEWS, news, mostMs);
  }

  /** The reader has come to a part. */
  reads(part: number): void {
    Atomics.store(this.#words, READING, part);
  }

  hasRead(thread: number, bytes: number): void {
    Atomics.sub(this.#words, headWords + thread * wordsOfThread + UNREAD, bytes);
  }

  /** Does a thread rest? Then it has to be called: it is asked once. */
  takeRest(thread: number): boolean {
    return Atomics.exchange(this.#words, headWords + thread * wordsOfThread + RESTS, 0) === 1;
  }
}
