/**
 * A thread that helps with queries: it claims part after part of the corpus, and puts out the matches that begin there.
 * Queries are told to it by messages; when it has to rest from one, it may turn to another.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { attachSnapshot, DugongError, type Manifest, Pool, type PoolHandle } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import type { Query } from "../cql/ast.js";
import { type Room, Rooms } from "../match/room.js";
import type { Spans } from "../match/source.js";
import type { Notice } from "../plan/errors.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { AT_WORK, Claims, ENDED, FREE } from "./claims.js";
import { counts, windows } from "./local.js";
import { type Prepared, prepare, type QueryOptions } from "./prepare.js";

export interface WorkerStart {
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  folder: string;
  manifest: Manifest;
  /** Where answers go. */
  port: MessagePort;
  /** One word: is it at work (claims.ts)? */
  state: SharedArrayBuffer;
}

/** A query that the thread is to help with. */
export interface Asked {
  /** Its number: the same in all threads. */
  number: number;
  tree: Query;
  options: Omit<QueryOptions, "checkpoint">;
  counting: boolean;
  /** The claims (claims.ts), and which of the threads this one is. */
  shared: SharedArrayBuffer;
  bounds: Float64Array;
  threads: number;
  thread: number;
}

/** Go on with a query: there is room again, or nobody wants it any more. And: end. */
export type Call = { call: number } | { end: true };

/**
 * A block as it goes from thread to thread: ends, or the one length that all matches have. It is moved, unless it lies in
 * a room that both threads see: then the reader gives that back.
 */
export interface MovedBlock {
  base: number;
  count: number;
  begins: Uint32Array;
  ends: Uint32Array | number;
  room?: Int32Array;
}

export type Answer = { number: number; notices: Notice[] } & (
  | /** Matches of a part; the last ones, if it is done. */
  { part: number; blocks: MovedBlock[]; bytes: number; thread: number; done: boolean }
  /** How many matches so many parts have. */
  | { counted: number; parts: number }
  | { error: PartError }
);

export interface PartError {
  /** Where it was met; undefined: before any part. */
  part?: number;
  message: string;
  /** Of a DugongError; of one that is a QueryError, the rest too. */
  code?: string;
  hint?: string;
  ofQuery?: boolean;
  span?: [number, number];
  /** Of one that should not happen. */
  stack?: string;
}

class Stopped extends Error {}

/** Matches are put out when a part is done, or when they are so many bytes. */
const answerBytes = 4 << 20;

const { kernels, pool, folder, manifest, port, state } = workerData as WorkerStart;
useKernels(kernels);
const snapshot = attachSnapshot(Pool.attach(pool), folder, manifest);
const word = new Int32Array(state);

/** Queries that the thread rests from, by their numbers. */
const resting = new Map<number, Help>();
/** Queries that it has done its part of, while their matches are read. */
let unread: Help[] = [];
/** Rooms that no query has. */
const rooms = new Rooms(true, limits.roomBytesMax);

/** Work on one query. */
class Help {
  readonly #claims: Claims;
  readonly #prepared: Prepared;
  /** The part that was claimed, and what is left of it. */
  #part: number | undefined;
  #windows: Generator<Spans | number> | undefined;
  /** All that the query has, and the one where its next matches go. */
  readonly #rooms: Room[] = [];
  #room: Room | undefined;
  #blocks: MovedBlock[] = [];
  #bytes = 0;
  #counted = 0;
  #partsCounted = 0;

  constructor(readonly asked: Asked) {
    const { tree, options, shared, bounds, threads } = asked;
    this.#claims = new Claims(shared, bounds, threads);
    const checkpoint = () => {
      if (this.#claims.stopped) throw new Stopped();
    };
    checkpoint();
    this.#prepared = prepare(snapshot, tree, { ...options, checkpoint });
  }

  get part(): number | undefined {
    return this.#part;
  }

  /** Until nothing is left (true), or it has to rest. */
  goOn(): boolean {
    const { counting, thread } = this.asked;
    for (;;) {
      if (this.#claims.stopped) throw new Stopped();
      if (!this.#windows && !this.#claim()) {
        if (this.#claims.allClaimed) break;
        if (this.#claims.rests(thread, "far")) return false;
        continue;
      }
      if (this.#claims.isFull(thread) && this.#claims.rests(thread, "full")) return false;
      const { value: spans, done } = this.#windows!.next();
      if (!done) {
        if (typeof spans === "number") this.#counted += spans;
        else if (spans.count > 0) this.#add(spans);
        if (this.#bytes >= answerBytes) this.#putOut(false);
        continue;
      }
      if (counting) this.#partsCounted++;
      else this.#putOut(true);
      this.#windows = undefined;
    }
    const { notices } = this.#prepared;
    const { number } = this.asked;
    if (counting) post({ number, counted: this.#counted, parts: this.#partsCounted, notices });
    this.#claims.tell(thread, 0);
    return true;
  }

  #claim(): boolean {
    const part = this.#claims.claim();
    if (part === undefined) return false;
    this.#part = part;
    const { bounds } = this.#claims;
    const [from, to] = [bounds[part * 2], bounds[part * 2 + 1]];
    this.#windows = this.asked.counting
      ? counts(this.#prepared, from, to)
      : windows(this.#prepared, from, to, () => this.#roomForNext());
    return true;
  }

  /** One that the last matches have left empty, or that the reader has given back; or another one. */
  #roomForNext(): Room {
    this.#room ??= this.#rooms.find(({ free }) => free);
    if (!this.#room) {
      this.#room = rooms.take();
      this.#rooms.push(this.#room);
    }
    this.#room.take();
    return this.#room;
  }

  #add(spans: Spans): void {
    const { base, count, fixedLength, room } = spans;
    if (room && !room.isTooLargeFor(count)) {
      this.#blocks.push({ base, count, begins: spans.begins, ends: spans.ends, room: room.word });
      this.#bytes += count * 8;
      this.#room = undefined;
      return;
    }
    // What is moved is moved whole: not much more than is needed, and nothing that another block is part of.
    const begins = own(spans.begins, count);
    this.#blocks.push({ base, count, begins, ends: fixedLength || own(spans.ends, count) });
    this.#bytes += count * (fixedLength ? 4 : 8);
  }

  #putOut(done: boolean): void {
    const { number, thread } = this.asked;
    const moved = new Set<ArrayBufferLike>();
    for (const { begins, ends, room } of this.#blocks) {
      if (room) continue;
      moved.add(begins.buffer);
      if (typeof ends !== "number") moved.add(ends.buffer);
    }
    const { notices } = this.#prepared;
    const [blocks, bytes] = [this.#blocks, this.#bytes];
    post({ number, part: this.#part!, blocks, bytes, thread, done, notices }, [...moved] as ArrayBuffer[]);
    this.#claims.tell(thread, bytes);
    this.#blocks = [];
    this.#bytes = 0;
  }

  release(): void {
    this.#prepared.ground.release();
    if (this.#rooms.length > 0) unread.push(this);
  }

  /** Gives its rooms to others, if nobody reads what is in them any more; says whether that is so. */
  leaveRooms(): boolean {
    if (!this.#claims.stopped) return false;
    for (const room of this.#rooms) rooms.give(room);
    return true;
  }
}

function own(column: Uint32Array, count: number): Uint32Array {
  const whole = column.byteOffset === 0 && column.buffer.byteLength <= count * 8;
  return whole ? column : column.slice(0, count);
}

function post(answer: Answer, moved: ArrayBuffer[] = []): void {
  port.postMessage(answer, moved);
}

parentPort?.on("message", (message: Asked | Call) => {
  if ("end" in message) process.exit();
  unread = unread.filter((help) => !help.leaveRooms());
  let help: Help | undefined;
  if ("call" in message) {
    help = resting.get(message.call);
    if (!help) return;
    resting.delete(message.call);
    work(help.asked, () => help!);
  } else work(message, () => new Help(message));
});

function work(asked: Asked, begin: () => Help): void {
  const { number, shared, bounds, threads, thread } = asked;
  let help: Help | undefined;
  if (Atomics.compareExchange(word, 0, FREE, AT_WORK) === ENDED) return;
  try {
    help = begin();
    if (!help.goOn()) {
      resting.set(number, help);
      help = undefined;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) {
      post({ number, error: { part: help?.part, ...described(error as Error) }, notices: [] });
      new Claims(shared, bounds, threads).tell(thread, 0);
    }
  }
  help?.release();
  Atomics.store(word, 0, FREE);
}

function described(error: Error): PartError {
  const { message, stack } = error;
  if (!(error instanceof DugongError)) return { message, stack };
  const { code, hint } = error;
  return error instanceof QueryError
    ? { message, code, hint, ofQuery: true, span: error.span }
    : { message, code, hint };
}
