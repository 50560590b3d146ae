/**
 * Columns: a sequence of unsigned 32-bit integers of which any one can be read at once.
 *
 *   packed   blocks of 128 at their own width with exceptions, in extents (kernels/assembly/column.ts has the bits)
 *   ordered  the same with a base per block, for values that grow or cluster
 *   raw8     one byte per value: streams of small attributes, which are scanned
 *   raw16    two bytes per value, where that is smaller than packed
 *
 * In a file a column `name` is the section `name`, and for packed and ordered ones the section `extents@name` with
 * the offset of each extent in it (u32; one more for the end): no name has an "@" in it, so no other column is called so. Its shape stands in the file's meta under `columns`:
 * {count, encoding, perExtent}. Each extent holds `perExtent` values (the last fewer) in at most 64 KiB.
 */
import type { FileWriter } from "../file/writer.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";

export type ColumnEncoding = "packed" | "ordered" | "raw8" | "raw16";

export interface ColumnShape {
  count: number;
  encoding: ColumnEncoding;
  perExtent: number;
}

export interface ColumnOptions {
  /** Values that grow or cluster: store a base per block. */
  ordered?: boolean;
  /** Values that will be scanned: one or two bytes each if the largest allows it and, for two, it is smaller. */
  scannable?: { largest: number };
}

/** The section with the offsets of a column's extents. */
export function extentsOf(name: string): string {
  return `extents@${name}`;
}

/** Writes `count` integers at `address` of the arena as column `name`. */
export function writeColumn(
  file: FileWriter,
  arena: Arena,
  name: string,
  address: number,
  count: number,
  options: ColumnOptions = {},
): ColumnShape {
  const mark = arena.mark();
  const shape = writeValues(file, arena, name, address, count, options);
  arena.release(mark);
  file.meta.columns = { ...(file.meta.columns as object), [name]: shape };
  return shape;
}

/** Writes integers of the host's memory as column `name`. */
export function writeColumnOf(
  file: FileWriter,
  arena: Arena,
  name: string,
  values: Uint32Array,
  options: ColumnOptions = {},
): ColumnShape {
  const mark = arena.mark();
  const shape = writeColumn(file, arena, name, arena.put(values), values.length, options);
  arena.release(mark);
  return shape;
}

/**
 * Writes integers that come in parts as column `name`: twice, since how many values an extent has depends on all of them. The
 * same bytes as of all at once; memory for some extents and two bytes for each block.
 */
export function writeColumnFrom(
  file: FileWriter,
  arena: Arena,
  name: string,
  count: number,
  parts: () => Iterable<Uint32Array>,
  { ordered = false }: Pick<ColumnOptions, "ordered"> = {},
): ColumnShape {
  const mark = arena.mark();
  const sizes = new Uint16Array(Math.ceil(count / limits.blockValues));
  const shapes = new Uint16Array(sizes.length);
  let block = 0;
  eachStretch(arena, parts(), Math.min(count, 1 << 16), (address, here) => {
    const blocks = Math.ceil(here / limits.blockValues);
    const [sizesAt, shapesAt] = [arena.allocate(blocks * 2), arena.allocate(blocks * 2)];
    arena.kernels.columnSizes(address, here, ordered, sizesAt, shapesAt);
    sizes.set(new Uint16Array(arena.memory.buffer, sizesAt, blocks), block);
    shapes.set(new Uint16Array(arena.memory.buffer, shapesAt, blocks), block);
    block += blocks;
  });
  const perExtent = valuesPerExtent(arena, arena.putBytes(new Uint8Array(sizes.buffer)), sizes.length);
  const target = arena.allocate(limits.extentBytes);
  const offsets = new Uint32Array(Math.ceil(count / perExtent) + 1);
  file.section(name);
  let done = 0;
  let extent = 0;
  eachStretch(arena, parts(), Math.min(count, perExtent), (address, here) => {
    const first = done / limits.blockValues;
    const own = arena.allocate(Math.ceil(here / limits.blockValues) * 2);
    new Uint16Array(arena.memory.buffer, own, Math.ceil(here / limits.blockValues)).set(
      shapes.subarray(first, first + Math.ceil(here / limits.blockValues)),
    );
    const bytes = arena.kernels.encodeExtent(address, here, ordered, own, target);
    file.write(arena.bytes(target, bytes));
    offsets[extent + 1] = offsets[extent] + bytes;
    extent++;
    done += here;
  });
  if (done !== count) throw new Error(`column ${name} has ${done} values and should have ${count}`);
  file.add(extentsOf(name), new Uint8Array(offsets.buffer));
  arena.release(mark);
  const shape: ColumnShape = { count, encoding: ordered ? "ordered" : "packed", perExtent };
  file.meta.columns = { ...(file.meta.columns as object), [name]: shape };
  return shape;
}

/** Calls back with stretches of so many values, the last with fewer: at an address in the arena. */
function eachStretch(
  arena: Arena,
  parts: Iterable<Uint32Array>,
  size: number,
  call: (address: number, count: number) => void,
): void {
  const outer = arena.mark();
  const address = arena.allocate(Math.max(size, 1) * 4);
  const mark = arena.mark();
  let filled = 0;
  const hand = () => {
    call(address, filled);
    arena.release(mark);
    filled = 0;
  };
  for (const part of parts)
    for (let from = 0; from < part.length; ) {
      const here = Math.min(part.length - from, size - filled);
      arena.u32.set(part.subarray(from, from + here), (address >>> 2) + filled);
      filled += here;
      from += here;
      if (filled === size) hand();
    }
  if (filled > 0) hand();
  arena.release(outer);
}

function writeValues(
  file: FileWriter,
  arena: Arena,
  name: string,
  address: number,
  count: number,
  options: ColumnOptions,
): ColumnShape {
  const ordered = options.ordered ?? false;
  const largest = options.scannable?.largest ?? Number.POSITIVE_INFINITY;
  if (largest < 256) return writeRaw(file, arena, name, address, count, 1);
  const blocks = Math.ceil(count / limits.blockValues);
  const sizesAt = arena.allocate(blocks * 2);
  const shapes = arena.allocate(blocks * 2);
  arena.kernels.columnSizes(address, count, ordered, sizesAt, shapes);
  if (largest < 65_536 && arena.kernels.sumShorts(sizesAt, blocks) > count * 2) {
    return writeRaw(file, arena, name, address, count, 2);
  }
  const perExtent = valuesPerExtent(arena, sizesAt, blocks);
  const target = arena.allocate(limits.extentBytes);
  const offsets = new Uint32Array(Math.ceil(count / perExtent) + 1);
  file.section(name);
  let offset = 0;
  for (let done = 0, extent = 0; done < count; done += perExtent, extent++) {
    const values = Math.min(perExtent, count - done);
    const own = shapes + (done / limits.blockValues) * 2;
    const bytes = arena.kernels.encodeExtent(address + done * 4, values, ordered, own, target);
    file.write(arena.bytes(target, bytes));
    offset += bytes;
    offsets[extent + 1] = offset;
  }
  file.add(extentsOf(name), new Uint8Array(offsets.buffer));
  return { count, encoding: ordered ? "ordered" : "packed", perExtent };
}

/** As many values as fit an extent, whichever extent it is: whole blocks. */
function valuesPerExtent(arena: Arena, sizes: number, blocks: number): number {
  return arena.kernels.blocksPerExtent(sizes, blocks, limits.extentBytes) * limits.blockValues;
}

function writeRaw(
  file: FileWriter,
  arena: Arena,
  name: string,
  address: number,
  count: number,
  width: 1 | 2,
): ColumnShape {
  const { kernels } = arena;
  file.section(name);
  const part = 1 << 18;
  const target = arena.allocate(part * width);
  for (let done = 0; done < count; done += part) {
    const here = Math.min(part, count - done);
    if (width === 1) kernels.narrow8(address + done * 4, here, target);
    else kernels.narrow16(address + done * 4, here, target);
    file.write(arena.bytes(target, here * width));
  }
  return { count, encoding: width === 1 ? "raw8" : "raw16", perExtent: limits.extentBytes / width };
}
