/**
 * Rows of occurrences: one number a column, as many columns as a row has, sorted by all of them.
 *
 *   run    = block* footer length
 *   block  = its columns one behind the other, u32 each: sorted rows, each once
 *   footer = JSON: {width, blocks: [{at, count, …what else is to be said of it}]}
 *   length = bytes of the footer, u32
 *
 * A run is there whole or not at all. It has more than one block where its rows did not fit memory.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";

export type Columns = Uint32Array[];

/** Rows that grow. */
export class Rows {
  columns: Columns;
  count = 0;

  constructor(readonly width: number) {
    this.columns = Array.from({ length: width }, () => new Uint32Array(1024));
  }

  /** Room for one more; its place. */
  next(): number {
    if (this.count === this.columns[0].length)
      this.columns = this.columns.map((column) => {
        const larger = new Uint32Array(column.length * 2);
        larger.set(column);
        return larger;
      });
    return this.count++;
  }
}

/** Sorted by all columns, the first of them first, each row once. */
export function sorted(columns: Columns, count: number): { columns: Columns; count: number } {
  const order = orderOf(columns, count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = order[i];
    if (kept > 0) {
      const before = order[kept - 1];
      let isNew = false;
      for (let c = columns.length - 1; c >= 0 && !isNew; c--) isNew = columns[c][before] !== columns[c][row];
      if (!isNew) continue;
    }
    order[kept++] = row;
  }
  return { columns: columns.map((column) => picked(column, order, kept)), count: kept };
}

/** The values of some rows, in their order. */
export function picked(column: Uint32Array, order: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  for (let i = 0; i < count; i++) out[i] = column[order[i]];
  return out;
}

const digit = 1 << 16;

/** By 16 bits at a time, the lowest first; what is the same everywhere is passed over. */
export function orderOf(columns: Columns, count: number): Uint32Array {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let spare = new Uint32Array(count);
  const lows = new Uint32Array(digit + 1);
  const highs = new Uint32Array(digit + 1);
  for (let c = columns.length - 1; c >= 0; c--) {
    const column = columns[c];
    lows.fill(0);
    highs.fill(0);
    for (let i = 0; i < count; i++) {
      const value = column[i];
      lows[(value & 0xffff) + 1]++;
      highs[(value >>> 16) + 1]++;
    }
    for (let shift = 0; shift < 32; shift += 16) {
      const starts = shift === 0 ? lows : highs;
      if (starts.includes(count)) continue;
      for (let own = 0; own < digit; own++) starts[own + 1] += starts[own];
      for (let i = 0; i < count; i++) {
        const row = order[i];
        spare[starts[(column[row] >>> shift) & 0xffff]++] = row;
      }
      [order, spare] = [spare, order];
    }
  }
  return order;
}

export type BlockRecord<Meta extends object = object> = Meta & { at: number; count: number };

/** Writes a run block by block; it gets its name when all of it is safe on disk. */
export class RunWriter<Meta extends object = object> {
  readonly #fd: number;
  readonly #blocks: BlockRecord<Meta>[] = [];
  #bytes = 0;

  constructor(
    readonly path: string,
    readonly width: number,
  ) {
    this.#fd = openSync(`${path}.new`, "w");
  }

  add(columns: Columns, count: number, meta: Meta): void {
    if (count === 0) return;
    this.#blocks.push({ ...meta, at: this.#bytes, count });
    for (const column of columns) {
      writeFully(this.#fd, bytesOf(column.subarray(0, count)));
      this.#bytes += count * 4;
    }
  }

  /** `durable`: somebody may rely on it after the machine has gone down. */
  finish(durable = true): void {
    const footer = Buffer.from(JSON.stringify({ width: this.width, blocks: this.#blocks }));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    writeFully(this.#fd, Buffer.concat([footer, length]));
    if (durable) fsyncSync(this.#fd);
    closeSync(this.#fd);
    renameSync(`${this.path}.new`, this.path);
  }

  abandon(): void {
    closeSync(this.#fd);
    rmSync(`${this.path}.new`, { force: true });
  }
}

/** A file that is open for reading. */
export class OpenRun {
  readonly fd: number;

  constructor(readonly path: string) {
    this.fd = openSync(path, "r");
  }

  /** What its footer says of its blocks. */
  blocks<Meta extends object>(): BlockRecord<Meta>[] {
    const { size } = fstatSync(this.fd);
    const length = Buffer.alloc(4);
    this.bytes(size - 4, length);
    const footer = Buffer.alloc(length.readUInt32LE());
    this.bytes(size - 4 - footer.length, footer);
    return (JSON.parse(footer.toString()) as { blocks: BlockRecord<Meta>[] }).blocks;
  }

  bytes(at: number, target: Uint8Array): void {
    for (let done = 0; done < target.length; ) {
      const got = readSync(this.fd, target, done, Math.min(target.length - done, 1 << 26), at + done);
      if (got === 0) throw new Error(`${this.path} ends too early`);
      done += got;
    }
  }

  /** Values [from, from + target.length) of a column of a block. */
  read({ at, count }: BlockRecord, column: number, from: number, target: Uint32Array): void {
    this.bytes(at + (column * count + from) * 4, bytesOf(target));
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Integers that are put away until all of them are there; then they are read from the beginning on. */
export class Spool {
  readonly #fd: number;
  readonly #buffer = new Uint32Array(1 << 14);
  #filled = 0;
  count = 0;

  constructor(readonly path: string) {
    this.#fd = openSync(path, "w+");
  }

  push(value: number): void {
    if (this.#filled === this.#buffer.length) this.#flush();
    this.#buffer[this.#filled++] = value;
    this.count++;
  }

  #flush(): void {
    writeFully(this.#fd, bytesOf(this.#buffer.subarray(0, this.#filled)));
    this.#filled = 0;
  }

  close(): void {
    this.#flush();
    closeSync(this.#fd);
  }
}

function writeFully(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, Math.min(bytes.length - done, 1 << 26));
}

export function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
