/**
 * The threads that work on one query: the one that asks, and those that help it. Each claims part after part
 * (claims.ts). The one that asks takes the matches in order: those of a part that nobody has claimed it finds itself,
 * window by window; while a part that is next is still at work elsewhere, it works ahead.
 */
import type { Worker } from "node:worker_threads";
import { DugongError } from "../../storage/index.js";
import { giveBack, Room } from "../match/room.js";
import { Spans } from "../match/source.js";
import { type Notice, QueryError } from "../plan/errors.js";
import { Claims, unreadBytesMax } from "./claims.js";
import { windows as blocks, counts, rooms } from "./local.js";
import type { Prepared } from "./prepare.js";
import type { Block } from "./strategy.js";
import type { Answer, Asked, Call, MovedBlock, PartError } from "./worker.js";

/** How long the thread waits for the others before it looks whether the query is still wanted. */
const waitMs = 2;
/** How long it works or waits before it lets others use it that have something to say. */
const turnMs = 20;

/** Matches of a part that came, or were found, before their turn. */
interface Stored {
  blocks: { block: Block; bytes: number; thread: number; room?: Room | Int32Array }[];
  read: number;
  done: boolean;
  error?: Error;
}

export class Crew {
  readonly #claims: Claims;
  readonly #stored = new Map<number, Stored>();
  /** The part that this thread is at, and what is left of it. */
  #own: { part: number; windows: Generator<Block | number> } | undefined;
  /** Of this thread: bytes that are found, but not read. */
  #ownUnread = 0;
  /** The part that is read. */
  #reading = 0;
  /** Where this thread's next matches go. */
  #nextRoom: Room | undefined;
  /** Of the block that is being read: its room, or the word of another thread's. */
  #room: Room | Int32Array | undefined;
  #news = 0;
  #failure: Error | undefined;
  #lastTurn = performance.now();
  #counted = 0;
  #partsCounted = 0;
  helpers: readonly Worker[] = [];
  /** How long this thread has looked for matches, or waited for others; not what their reader has done meanwhile. */
  workedMs = 0;

  constructor(
    readonly number: number,
    readonly prepared: Prepared,
    /** Threads that may work on it, this one among them. */
    threads: number,
    readonly bounds: Float64Array,
    readonly counting: boolean,
    /** Hands answers that have come to the crews they are for. */
    readonly receive: () => void,
    /** Lets whatever else waits for this thread have its turn. */
    readonly pause: () => Promise<void> | void,
  ) {
    this.#claims = Claims.of(bounds, threads);
    // Who counts needs no order.
    if (counting) this.#claims.reads(this.#claims.parts);
  }

  /** Those who help from now on, as long as the query runs. Once. */
  enlist(helpers: readonly Worker[]): void {
    const { number, prepared, counting, bounds } = this;
    const { shared, threads } = this.#claims;
    const { checkpoint, ...plain } = prepared.options;
    const options = { ...plain, strategy: prepared.strategy };
    this.helpers = helpers;
    helpers.forEach((helper, thread) => {
      const asked = { number, tree: prepared.query, options, counting, shared, bounds, threads, thread };
      helper.postMessage(asked satisfies Asked);
    });
  }

  /** The next matches; "later": ask again after `turn`; undefined: that was all. */
  next(): Block | "later" | undefined {
    this.#giveBack();
    const began = performance.now();
    try {
      return this.#next();
    } finally {
      this.workedMs += performance.now() - began;
    }
  }

  #next(): Block | "later" | undefined {
    for (;;) {
      this.#hear();
      if (this.#reading === this.#claims.parts) return undefined;
      const stored = this.#stored.get(this.#reading);
      if (stored && stored.read < stored.blocks.length) return this.#take(stored);
      if (stored?.error) throw stored.error;
      if (stored?.done) {
        this.#readOn();
        continue;
      }
      if (this.#isTime()) return "later";
      if (!this.#claim()) {
        this.#wait();
        continue;
      }
      const { part, windows } = this.#own!;
      const { value: block, done } = windows.next();
      if (done) {
        this.#own = undefined;
        if (part === this.#reading) this.#readOn();
        else this.#storedOf(part).done = true;
      } else if (block instanceof Spans && block.count > 0) {
        if (part === this.#reading) {
          this.#room = block.room;
          if (block.room) this.#nextRoom = undefined;
          return block;
        }
        this.#store(part, block);
      }
    }
  }

  /** How many matches there are. For a crew that counts. */
  async count(): Promise<number> {
    // Whoever asks has a word first: to close the engine, perhaps.
    await undefined;
    // Others may be so quick that this thread has nothing to count: it looks once in any case whether it is still wanted.
    this.prepared.ground.checkpoint();
    for (;;) {
      this.#hear();
      if (this.#partsCounted === this.#claims.parts) return this.#counted;
      if (this.#isTime()) {
        this.workedMs += performance.now() - this.#lastTurn;
        await this.turn();
      } else if (!this.#claim()) this.#wait();
      else {
        const { value: some, done } = this.#own!.windows.next();
        if (!done) this.#counted += some as number;
        else {
          this.#own = undefined;
          this.#partsCounted++;
        }
      }
    }
  }

  /** What has been counted so far, in which share of the corpus. */
  get counted(): { hits: number; share: number } {
    return { hits: this.#counted, share: this.#partsCounted / this.#claims.parts };
  }

  /** Lets whatever else waits for this thread have its turn: a thread's end and a wish to cancel are heard of so. */
  async turn(): Promise<void> {
    await this.pause();
    this.#lastTurn = performance.now();
  }

  #isTime(): boolean {
    return performance.now() - this.#lastTurn > turnMs;
  }

  /** Is there a part that this thread can work on? Ahead of the reader only as far as there is room. */
  #claim(): boolean {
    if (!this.#own) {
      const part = this.#claims.claim();
      if (part === undefined) return false;
      const { bounds } = this.#claims;
      const [from, to] = [bounds[part * 2], bounds[part * 2 + 1]];
      const windows = this.counting
        ? counts(this.prepared, from, to)
        : blocks(this.prepared, from, to, () => this.#roomForNext());
      this.#own = { part, windows };
    }
    return this.counting || this.#own.part === this.#reading || this.#ownUnread <= unreadBytesMax;
  }

  #take(stored: Stored): Block {
    this.prepared.ground.checkpoint();
    const { block, bytes, thread, room } = stored.blocks[stored.read];
    stored.blocks[stored.read++] = undefined!;
    this.#room = room;
    if (thread < 0) this.#ownUnread -= bytes;
    else {
      this.#claims.hasRead(thread, bytes);
      this.#call();
    }
    return block;
  }

  /** Keeps what was found before its turn. */
  #store(part: number, block: Spans): void {
    const { base, count, room } = block;
    const bytes = count * 8;
    const { blocks } = this.#storedOf(part);
    this.#ownUnread += bytes;
    if (room?.isTooLargeFor(count)) {
      const [begins, ends] = [block.begins.slice(0, count), block.ends.slice(0, count)];
      blocks.push({ block: { base, count, begins, ends }, bytes, thread: -1 });
    } else {
      blocks.push({ block, bytes, thread: -1, room });
      if (room) this.#nextRoom = undefined;
    }
  }

  /** One that the last matches have left empty, or another. */
  #roomForNext(): Room {
    this.#nextRoom ??= rooms.take();
    return this.#nextRoom;
  }

  /** The block that was read last is not needed any more. */
  #giveBack(): void {
    if (this.#room instanceof Room) rooms.give(this.#room);
    else if (this.#room) giveBack(this.#room);
    this.#room = undefined;
  }

  #readOn(): void {
    this.#stored.delete(this.#reading++);
    this.#claims.reads(this.#reading);
    this.#call();
  }

  /** Calls those who rest: there is room again. */
  #call(): void {
    this.helpers.forEach((helper, thread) => {
      if (this.#claims.takeRest(thread)) helper.postMessage({ call: this.number } satisfies Call);
    });
  }

  #wait(): void {
    this.prepared.ground.checkpoint();
    this.#call();
    this.#claims.wait(this.#news, waitMs);
  }

  #hear(): void {
    const { news } = this.#claims;
    if (news !== this.#news) {
      this.#news = news;
      this.receive();
    }
    if (this.#failure) throw this.#failure;
  }

  #storedOf(part: number): Stored {
    let stored = this.#stored.get(part);
    if (!stored) {
      stored = { blocks: [], read: 0, done: false };
      this.#stored.set(part, stored);
    }
    return stored;
  }

  /** What a thread has put out. */
  take(answer: Answer): void {
    for (const notice of answer.notices) this.#note(notice);
    if ("error" in answer) {
      const { part } = answer.error;
      const error = revived(answer.error);
      if (part === undefined || this.counting) this.#failure ??= error;
      else this.#storedOf(part).error = error;
    } else if ("counted" in answer) {
      this.#counted += answer.counted;
      this.#partsCounted += answer.parts;
    } else {
      const { part, blocks, thread, done } = answer;
      const stored = this.#storedOf(part);
      let { bytes } = answer;
      for (const moved of blocks) {
        // The first one stands for all of them: they are taken one behind the other.
        stored.blocks.push({ block: blockOf(moved), bytes, thread, room: moved.room });
        bytes = 0;
      }
      stored.done = done;
    }
  }

  #note(notice: Notice): void {
    const { notices } = this.prepared;
    if (!notices.some(({ message }) => message === notice.message)) notices.push(notice);
  }

  /** What a thread was computing when it ended nobody will. */
  threadEnded(helper: Worker): void {
    if (!this.helpers.includes(helper)) return;
    this.#failure ??= new DugongError("thread_ended", "a thread that computed a part of the query has ended");
  }

  /** The threads leave the query as soon as they look up. Whoever asks for more gets an error. */
  dismiss(error?: Error): void {
    this.#failure ??= error;
    for (const { blocks, read } of this.#stored.values())
      for (const { room } of blocks.slice(read)) if (room instanceof Room) rooms.give(room);
    this.#stored.clear();
    if (this.#nextRoom) rooms.give(this.#nextRoom);
    this.#nextRoom = undefined;
    this.#claims.stop();
    this.#call();
  }
}

function blockOf({ base, count, begins, ends }: MovedBlock): Block {
  return typeof ends === "number" ? Spans.ofLength(base, begins, count, ends) : { base, count, begins, ends };
}

function revived({ code, message, hint, span, ofQuery, stack }: PartError): Error {
  if (code) return ofQuery ? new QueryError(code, message, hint, span) : new DugongError(code, message, hint);
  return Object.assign(new Error(message), { stack });
}
