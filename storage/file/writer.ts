/** Writes a flat file: sections in order, then contents, checksums and, last of all, the header. */
import { closeSync, fsync, mkdirSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { DugongError } from "../errors.js";
import {
  alignUp,
  type Contents,
  checksumBytes,
  headerBytes,
  sectionAlignment,
  writeHeader,
  xxh64,
} from "./format.js";
import { openFile } from "./handle.js";

const bufferBytes = 16 * checksumBytes;
const synchronise = promisify(fsync);

/** Buffers of files that are finished: fresh memory would cost more than what is written into it. */
const spareBuffers: Buffer[] = [];
const spareBuffersMax = 4;

export class FileWriter {
  readonly #contents: Contents = { sections: {}, meta: {} };
  #buffer = spareBuffers.pop() ?? Buffer.allocUnsafe(bufferBytes);
  #filled = 0;
  #offset = headerBytes;
  #checksums: bigint[] = [];
  #fd: number;

  constructor(
    readonly path: string,
    readonly kind: string,
    readonly version: number,
  ) {
    mkdirSync(dirname(path), { recursive: true });
    this.#fd = openFile(path, "w");
  }

  get meta(): Record<string, unknown> {
    return this.#contents.meta;
  }

  /** Begins a section; what `write` is given until the next `section` belongs to it. */
  section(name: string): void {
    if (name in this.#contents.sections) throw new Error(`section ${name} twice in ${this.path}`);
    this.#pad(sectionAlignment);
    this.#contents.sections[name] = [this.#offset, 0];
    this.#open = this.#contents.sections[name];
  }

  #open: [number, number] | undefined;

  write(bytes: Uint8Array): void {
    this.#append(bytes);
    if (this.#open) this.#open[1] += bytes.length;
  }

  /** A whole section at once. */
  add(name: string, bytes: Uint8Array): void {
    this.section(name);
    this.write(bytes);
  }

  /** Completes the file and hands it to the disk; resolves to its bytes once it is safe there. */
  async finish(options: { durable: boolean } = { durable: true }): Promise<number> {
    this.#open = undefined;
    this.#pad(sectionAlignment);
    const contentsOffset = this.#offset;
    const contents = Buffer.from(JSON.stringify(this.#contents));
    this.#append(contents);
    this.#flush(true);
    this.#giveBuffer();
    const checksums = Buffer.allocUnsafe(this.#checksums.length * 8);
    this.#checksums.forEach((sum, i) => {
      checksums.writeBigUInt64LE(sum, i * 8);
    });
    const fileBytes = this.#offset + checksums.length;
    this.#writeAll(checksums, this.#offset);
    this.#writeAll(
      writeHeader({
        kind: this.kind,
        version: this.version,
        contentsBytes: contents.length,
        contentsOffset,
        fileBytes,
        checksumsHash: xxh64(checksums),
      }),
      0,
    );
    if (options.durable) {
      // Who writes several files computes them all first: then they get to the disk together, which asks less of it.
      await undefined;
      await synchronise(this.#fd);
    }
    closeSync(this.#fd);
    return fileBytes;
  }

  /** Gives the file up. */
  abandon(): void {
    closeSync(this.#fd);
    rmSync(this.path, { force: true });
    this.#giveBuffer();
  }

  /** All is written that ever will be. */
  #giveBuffer(): void {
    if (this.#buffer.length > 0 && spareBuffers.length < spareBuffersMax) spareBuffers.push(this.#buffer);
    this.#buffer = Buffer.alloc(0);
  }

  #append(bytes: Uint8Array): void {
    let done = 0;
    while (done < bytes.length) {
      const part = Math.min(bytes.length - done, bufferBytes - this.#filled);
      this.#buffer.set(bytes.subarray(done, done + part), this.#filled);
      this.#filled += part;
      this.#offset += part;
      done += part;
      if (this.#filled === bufferBytes) this.#flush(false);
    }
  }

  #pad(alignment: number): void {
    const gap = alignUp(this.#offset, alignment) - this.#offset;
    if (gap > 0) this.#append(new Uint8Array(gap));
  }

  /** Writes the buffer out; all flushes but the last are of whole checksummed stretches. */
  #flush(last: boolean): void {
    const bytes = this.#buffer.subarray(0, this.#filled);
    for (let start = 0; start < bytes.length; start += checksumBytes) {
      this.#checksums.push(xxh64(bytes.subarray(start, start + checksumBytes)));
    }
    this.#writeAll(bytes, this.#offset - this.#filled);
    this.#filled = 0;
    if (!last && bytes.length % checksumBytes !== 0) throw new Error("flush of a part");
  }

  #writeAll(bytes: Uint8Array, position: number): void {
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
      throw new DugongError(
        "disk_full",
        `there is no room left for ${this.path}`,
        "Make room, and give the same command again: encoding goes on where it was.",
      );
    }
  }
}
