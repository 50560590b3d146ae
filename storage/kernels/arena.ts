/**
 * The memory of one encoding thread: kernels, and views of what they work on. Addresses come from `allocate` and
 * are good until `reset`; views are renewed whenever the memory has grown.
 */
import { DugongError } from "../errors.js";
import { type Classify, instantiate, type Kernels } from "./index.js";

const pageBytes = 65_536;

export class Arena {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  #u8!: Uint8Array;
  #u32!: Uint32Array;
  #buffer?: ArrayBufferLike;

  constructor(classify?: Classify) {
    this.memory = new WebAssembly.Memory({ initial: 16, maximum: pageBytes, shared: true });
    this.kernels = instantiate(this.memory, classify);
    this.reset();
  }

  /** Forgets everything that was allocated. */
  reset(): void {
    this.kernels.reset(pageBytes);
  }

  /** The level to hand to `release` later: what was allocated in between is forgotten then. */
  mark(): number {
    return this.kernels.allocated() >>> 0;
  }

  release(mark: number): void {
    this.kernels.reset(mark);
  }

  allocate(bytes: number): number {
    const address = this.kernels.allocate(bytes) >>> 0;
    if (address === 0) throw outOfMemory();
    return address;
  }

  get u8(): Uint8Array {
    this.#renew();
    return this.#u8;
  }

  get u32(): Uint32Array {
    this.#renew();
    return this.#u32;
  }

  /** A view of `count` integers at an address: good until the memory grows. */
  integers(address: number, count: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, address, count);
  }

  bytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, address, count);
  }

  /** Copies integers in; returns their address. */
  put(values: Uint32Array): number {
    const address = this.allocate(values.byteLength);
    this.u32.set(values, address >>> 2);
    return address;
  }

  putBytes(values: Uint8Array): number {
    const address = this.allocate(values.byteLength);
    this.u8.set(values, address);
    return address;
  }

  /** Zeroed memory for `count` integers. */
  zeroed(count: number): number {
    const address = this.allocate(count * 4);
    this.integers(address, count).fill(0);
    return address;
  }

  #renew(): void {
    const buffer = this.memory.buffer;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#u8 = new Uint8Array(buffer);
    this.#u32 = new Uint32Array(buffer);
  }
}

export function outOfMemory(): DugongError {
  return new DugongError(
    "segment_too_large",
    "an encoding thread has used up the 4 GiB that it can address",
    "Use smaller segments (--segment-bytes).",
  );
}
