/**
 * The buffer pool: extents of files, at most 64 KiB each, in one WebAssembly memory that all threads of the process
 * share. Kernels work on extents in place. The pool has a byte budget; what was not used for longest goes first
 * (second chance).
 *
 *   memory  = kernels' page (64 KiB), control, threads × scratch, frames × 64 KiB (+ slack)
 *   control = lock, hand, frames, -, threads (64 bits), 16 words in all; then per frame: key (3 × i32), state, pins,
 *           used, next, version; then the buckets
 *
 * The law of pins: `acquire` pins an extent and gives its frame; the bytes stay at `addressOf(frame)` until `release`.
 * A thread holds a pin only while it decodes, so that pins are never more than a few per thread, however many
 * cursors are open.
 *
 * Finding an extent that is there takes no lock. A finder pins first and then looks whether the frame is still
 * what it wanted; an evictor takes the frame out of use first and then looks whether somebody has pinned it. All of
 * it is sequentially consistent (Atomics), so at least one of the two sees the other.
 *
 * Reading a single value does without a pin (kernels/assembly/glance.ts): a reader remembers the frame and its version
 * from the last time it had it pinned, reads, and looks whether the version is still the same; whoever takes the
 * frame out of use counts the version up first.
 * This relies on loads not overtaking loads, which holds on x64; elsewhere `canGlance` is false, and single values
 * are read under a pin.
 */
import { DugongError } from "../errors.js";
import { type FileReader, readFully } from "../file/reader.js";
import { instantiate, type Kernels } from "../kernels/index.js";
import { limits } from "../limits.js";

const frameBytes = limits.extentBytes;
const kernelBytes = 65_536;
/** Kernels may read this far behind an extent. */
const slackBytes = 64;
/** A glance at bytes that are being replaced may read this far behind its frame before it finds out. */
const tornBytes = 16_384;
const scratchBytes = 1 << 20;
/** Behind its scratch each thread has memory to lend to callers that want results decoded straight into it. */
const lendBytes = 4 << 20;
const threadsMax = 64;
const fields = 8;
const [FREE, LOADING, READY] = [0, 1, 2];
const [KEY, STATE, PINS, USED, NEXT, VERSION] = [0, 3, 4, 5, 6, 7];
const headWords = 16;
/** Words of the head: a bit for each thread. */
const THREADS = 4;

/** What another thread needs to use the same pool: it can be posted to it. */
export interface PoolHandle {
  memory: WebAssembly.Memory;
  frames: number;
  /** A place among the threads, if one was reserved. */
  thread?: number;
}

export class Pool {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  /** This thread's own part of the memory, for what kernels put out: `scratchBytes` of it. */
  readonly scratch: number;
  readonly scratchBytes = scratchBytes;
  readonly #control: Int32Array;
  readonly #frames: number;
  readonly #buckets: number;
  readonly #bucketMask: number;
  readonly firstFrame: number;
  /** Of all extents that this thread has pinned so far: what its work has touched. */
  bytesAcquired = 0;
  /** Called now and then while something long is loaded by this thread; what it throws ends that. */
  checkpoint: () => void = () => {};
  #lent: number;

  private constructor(handle: PoolHandle) {
    this.memory = handle.memory;
    this.#frames = handle.frames;
    this.kernels = instantiate(this.memory);
    this.u8 = new Uint8Array(this.memory.buffer);
    this.u16 = new Uint16Array(this.memory.buffer);
    this.u32 = new Uint32Array(this.memory.buffer);
    const layout = layoutOf(this.#frames);
    this.#control = new Int32Array(this.memory.buffer, kernelBytes, layout.controlWords);
    this.#buckets = headWords + this.#frames * fields;
    this.#bucketMask = layout.buckets - 1;
    this.firstFrame = layout.firstFrame;
    const thread = handle.thread ?? this.#newThread();
    this.scratch = layout.firstScratch + thread * (scratchBytes + lendBytes);
    this.#lent = this.scratch + scratchBytes;
  }

  /** A new pool. Memory is reserved for the whole budget, but used only as extents come in. */
  static create(budgetBytes: number): Pool {
    const frames = Math.max(64, Math.min(56_000, Math.floor(budgetBytes / frameBytes)));
    const pages = Math.ceil(layoutOf(frames).totalBytes / 65_536);
    return new Pool({
      memory: new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }),
      frames,
    });
  }

  static attach(handle: PoolHandle): Pool {
    return new Pool(handle);
  }

  /** A handle for one thread, whose place is kept until it is given back: by another, once the thread has ended. */
  reserve(): PoolHandle {
    return { ...this.handle, thread: this.#newThread() };
  }

  /** Is there room for one more thread? Another one may take it first. */
  get hasPlace(): boolean {
    for (let word = 0; word < threadsMax >> 5; word++)
      if (~Atomics.load(this.#control, THREADS + word) !== 0) return true;
    return false;
  }

  giveBack({ thread }: PoolHandle): void {
    if (thread !== undefined) Atomics.and(this.#control, THREADS + (thread >> 5), ~(1 << (thread & 31)));
  }

  #newThread(): number {
    for (let thread = 0; thread < threadsMax; thread++) {
      const bit = 1 << (thread & 31);
      if ((Atomics.or(this.#control, THREADS + (thread >> 5), bit) & bit) === 0) return thread;
    }
    throw new DugongError("too_many_threads", `a buffer pool serves at most ${threadsMax} threads`);
  }

  get handle(): PoolHandle {
    return { memory: this.memory, frames: this.#frames };
  }

  /** Room for `count` integers in the pool's memory, for this thread, until `restore` is given its start. */
  lend(count: number): Uint32Array {
    const bytes = Math.ceil((count * 4 + 512) / 16) * 16;
    if (this.#lent + bytes > this.scratch + scratchBytes + lendBytes) {
      throw new DugongError(
        "pool_lent_out",
        `a thread can borrow ${lendBytes} bytes of the buffer pool's memory`,
      );
    }
    const view = new Uint32Array(this.memory.buffer, this.#lent, count);
    this.#lent += bytes;
    return view;
  }

  /** Takes back what was lent since (and with) `view`. */
  restore(view: Uint32Array): void {
    this.#lent = view.byteOffset;
  }

  /**
   * Pins bytes [offset, offset + length) of a file; returns their frame. `offset` is divisible by 4. `hint` is the
   * frame where they were the last time, or anything else: a good one saves looking them up.
   */
  acquire(file: PooledFile, offset: number, length: number, hint: number): number {
    const unit = (offset / 4) | 0;
    this.bytesAcquired += length;
    const control = this.#control;
    const hinted = headWords + hint * fields;
    if (
      control[hinted + KEY + 2] === unit &&
      control[hinted] === file.keyA &&
      control[hinted + 1] === file.keyB
    ) {
      Atomics.add(control, hinted + PINS, 1);
      if (this.#holds(hinted, file, unit)) return hint;
      Atomics.sub(control, hinted + PINS, 1);
    }
    const bucket = this.#buckets + (mix(file.keyA, file.keyB, unit) & this.#bucketMask);
    let frame = Atomics.load(control, bucket) - 1;
    for (let steps = 0; frame >= 0 && steps < 64; steps++) {
      const at = headWords + frame * fields;
      if (control[at + KEY + 2] === unit && control[at] === file.keyA && control[at + 1] === file.keyB) {
        Atomics.add(control, at + PINS, 1);
        if (this.#holds(at, file, unit)) return frame;
        Atomics.sub(control, at + PINS, 1);
        break;
      }
      frame = Atomics.load(control, at + NEXT) - 1;
    }
    return this.#fetch(file, offset, length, unit, bucket);
  }

  /** Is the frame, now that it is pinned, still what was wanted? */
  #holds(at: number, file: PooledFile, unit: number): boolean {
    const control = this.#control;
    if (
      Atomics.load(control, at + STATE) !== READY ||
      control[at + KEY + 2] !== unit ||
      control[at] !== file.keyA ||
      control[at + 1] !== file.keyB
    ) {
      return false;
    }
    if (control[at + USED] === 0) control[at + USED] = 1;
    return true;
  }

  addressOf(frame: number): number {
    return this.firstFrame + frame * frameStride;
  }

  /** Of a frame that is pinned: as long as it stays the same, the frame holds the same bytes. Never negative. */
  versionOf(frame: number): number {
    return Atomics.load(this.#control, headWords + frame * fields + VERSION);
  }

  release(frame: number): void {
    Atomics.sub(this.#control, headWords + frame * fields + PINS, 1);
  }

  #fetch(file: PooledFile, offset: number, length: number, unit: number, bucket: number): number {
    const control = this.#control;
    for (;;) {
      this.#lock();
      let frame = control[bucket] - 1;
      while (frame >= 0) {
        const at = headWords + frame * fields;
        if (control[at] === file.keyA && control[at + 1] === file.keyB && control[at + 2] === unit) break;
        frame = control[at + NEXT] - 1;
      }
      if (frame >= 0) {
        const at = headWords + frame * fields;
        Atomics.add(control, at + PINS, 1);
        this.#unlock();
        while (Atomics.load(control, at + STATE) === LOADING)
          Atomics.wait(control, at + STATE, LOADING, 1000);
        if (Atomics.load(control, at + STATE) === READY) {
          control[at + USED] = 1;
          return frame;
        }
        // Whoever was loading it failed: try it ourselves, and meet the error ourselves.
        Atomics.sub(control, at + PINS, 1);
        continue;
      }
      frame = this.#evict();
      const at = headWords + frame * fields;
      control[at + KEY] = file.keyA;
      control[at + KEY + 1] = file.keyB;
      control[at + KEY + 2] = unit;
      control[at + USED] = 1;
      Atomics.add(control, at + PINS, 1);
      Atomics.store(control, at + STATE, LOADING);
      Atomics.store(control, at + NEXT, control[bucket]);
      Atomics.store(control, bucket, frame + 1);
      this.#unlock();
      const address = this.addressOf(frame);
      try {
        readFully(file.reader.fd, this.u8.subarray(address, address + length), offset);
      } catch (error) {
        this.#lock();
        this.#unlink(frame);
        Atomics.store(control, at + STATE, FREE);
        Atomics.sub(control, at + PINS, 1);
        this.#unlock();
        Atomics.notify(control, at + STATE);
        throw error;
      }
      Atomics.store(control, at + STATE, READY);
      Atomics.notify(control, at + STATE);
      return frame;
    }
  }

  /** A frame that nobody uses, taken out of its bucket. Called with the lock held. */
  #evict(): number {
    const control = this.#control;
    for (let turn = 0; turn < this.#frames * 3; turn++) {
      const frame = control[1];
      control[1] = frame + 1 === this.#frames ? 0 : frame + 1;
      const at = headWords + frame * fields;
      const state = Atomics.load(control, at + STATE);
      if (state === LOADING) continue;
      if (state === READY && control[at + USED] === 1) {
        control[at + USED] = 0;
        continue;
      }
      if (Atomics.load(control, at + PINS) > 0) continue;
      Atomics.store(control, at + STATE, FREE);
      if (Atomics.load(control, at + PINS) > 0) {
        Atomics.store(control, at + STATE, state);
        continue;
      }
      Atomics.store(control, at + VERSION, (control[at + VERSION] + 1) & 0x3fffffff);
      if (state === READY) this.#unlink(frame);
      return frame;
    }
    this.#unlock();
    throw new DugongError(
      "pool_exhausted",
      `all ${this.#frames} frames of the buffer pool are in use at once`,
      "Give the pool a larger budget.",
    );
  }

  #unlink(frame: number): void {
    const control = this.#control;
    const at = headWords + frame * fields;
    const bucket = this.#buckets + (mix(control[at], control[at + 1], control[at + 2]) & this.#bucketMask);
    let link = bucket;
    while (control[link] !== 0) {
      const other = control[link] - 1;
      const next = headWords + other * fields + NEXT;
      if (other === frame) {
        Atomics.store(control, link, control[next]);
        return;
      }
      link = next;
    }
  }

  #lock(): void {
    while (Atomics.compareExchange(this.#control, 0, 0, 1) !== 0) Atomics.wait(this.#control, 0, 1, 10);
  }

  #unlock(): void {
    Atomics.store(this.#control, 0, 0);
    Atomics.notify(this.#control, 0, 1);
  }
}

/** A file as the pool knows it: by its identity, which is the same in every thread. */
export class PooledFile {
  readonly keyA: number;
  readonly keyB: number;

  constructor(readonly reader: FileReader) {
    this.keyA = Number(reader.identity & 0xffffffffn) | 0;
    this.keyB = Number(reader.identity >> 32n) | 0;
  }
}

const frameStride = frameBytes + slackBytes;

/** May single values be read without a pin? (Above.) */
export const canGlance = process.arch === "x64";

function layoutOf(frames: number) {
  let buckets = 64;
  while (buckets < frames * 2) buckets *= 2;
  const controlWords = headWords + frames * fields + buckets;
  const firstScratch = Math.ceil((kernelBytes + controlWords * 4) / 4096) * 4096;
  const firstFrame = firstScratch + threadsMax * (scratchBytes + lendBytes);
  return {
    buckets,
    controlWords,
    firstScratch,
    firstFrame,
    totalBytes: firstFrame + frames * frameStride + tornBytes,
  };
}

function mix(a: number, b: number, c: number): number {
  let hash = Math.imul(a ^ Math.imul(c, 0x9e3779b1), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}
