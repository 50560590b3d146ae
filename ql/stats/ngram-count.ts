/**
 * Counts the n-grams of one length that occur often enough, in bounded memory.
 *
 *   sketch   if they must occur more than once: one pass adds 1 to a byte that an n-gram's hash points at. An n-gram
 *            whose byte stays below the minimum is too rare; bytes that several share may let some through.
 *   count    a pass counts the others in a table. Where they do not fit, they are parted by the highest bits of their
 *            hashes, and each part has a pass of its own.
 *
 * Words that are too rare themselves are marked as such before (`Ground.each`).
 */
import { column, pieces, upTo, zeros } from "../pace.js";
import { DocumentWalk } from "./counts.js";
import { limits } from "./limits.js";
import { hashOf, NgramTable } from "./ngram-table.js";
import { type Conditions, type Ground, starts, type WindowBlock, windowBlocks } from "./ngram-windows.js";
import { pageOf } from "./ranking.js";

export interface CountOptions {
  length: number;
  conditions: Conditions;
  minCount: number;
  maxCount: number;
  documents: boolean;
}

export interface NgramCounts {
  table: NgramTable;
  /** Passes over the tokens that it took. */
  passes: number;
  /** Were there more than are kept? */
  cut: boolean;
}

/** Those whose highest `bits` bits of the hash are `value`. */
interface Part {
  bits: number;
  value: number;
}

export async function countNgrams(ground: Ground, options: CountOptions): Promise<NgramCounts> {
  const { length, minCount, documents } = options;
  const rowsMax = powerBelow(limits.ngramTableBytesMax / NgramTable.rowBytes(length, documents));
  const sketch = minCount > 1 ? await sketchOf(ground, options) : undefined;
  const expected = sketch ? sketch.frequent : ground.desk.snapshot.tokens / 2;
  const bits = Math.max(0, Math.min(partBitsMax, Math.ceil(Math.log2(expected / rowsMax))));
  const parts: Part[] = Array.from({ length: 2 ** bits }, (_, value) => ({ bits, value }));
  const kept = new Kept(options, ground.desk.checkpoint);
  let passes = sketch ? 1 : 0;
  for (let part = parts.shift(); part; part = parts.shift()) {
    passes++;
    const table = await countPart(ground, options, sketch, part, rowsMax);
    if (table) kept.add(table);
    else {
      const half = { bits: part.bits + 1, value: part.value * 2 };
      parts.unshift(half, { ...half, value: half.value + 1 });
    }
  }
  return { table: kept.table, passes, cut: kept.cut };
}

/** The parts' bits are the highest of 32, slots are found by the lowest. */
const partBitsMax = 16;

function powerBelow(number: number): number {
  return 2 ** Math.max(0, Math.floor(Math.log2(number)));
}

interface Sketch {
  bytes: Uint8Array;
  /** An n-gram whose byte is lower is too rare. */
  least: number;
  /** Bytes that are not. */
  frequent: number;
}

async function sketchOf(ground: Ground, { length, conditions, minCount }: CountOptions): Promise<Sketch> {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1024, ground.desk.snapshot.tokens / 2)));
  const size = Math.min(wanted, powerBelow(limits.ngramSketchBytesMax));
  const bytes = new Uint8Array(zeros(size / 4, ground.desk.checkpoint).buffer);
  const places = new Uint32Array(limits.blockTokens);
  for await (const block of windowBlocks(ground))
    sketchBlock(bytes, block.types, places, starts(block, length, conditions, places), length);
  const least = Math.min(255, minCount);
  let frequent = 0;
  for (const [from, to] of pieces(bytes.length, ground.desk.checkpoint))
    for (let i = from; i < to; i++) if (bytes[i] >= least) frequent++;
  return { bytes, least, frequent };
}

function sketchBlock(
  bytes: Uint8Array,
  types: Uint32Array,
  places: Uint32Array,
  count: number,
  length: number,
): void {
  const mask = bytes.length - 1;
  for (let n = 0; n < count; n++) {
    const at = byteOf(hashOf(types, places[n], length)) & mask;
    const count = bytes[at];
    bytes[at] = count + (count < 255 ? 1 : 0);
  }
}

/** Other bits than those by which parts and slots are found. */
function byteOf(hash: number): number {
  const mixed = Math.imul(hash, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** undefined: there are too many for a table. */
async function countPart(
  ground: Ground,
  { length, conditions, documents }: CountOptions,
  sketch: Sketch | undefined,
  part: Part,
  rowsMax: number,
): Promise<NgramTable | undefined> {
  const { checkpoint } = ground.desk;
  const most = part.bits < partBitsMax ? rowsMax : 2 ** 31;
  const table = new NgramTable(length, most, documents, checkpoint);
  const places = new Uint32Array(limits.blockTokens);
  const hashes = new Uint32Array(limits.blockTokens);
  const walk = documents ? new DocumentWalk(ground.desk) : undefined;
  for await (const block of windowBlocks(ground)) {
    const all = starts(block, length, conditions, places);
    const count = sifted(block.types, places, hashes, all, length, sketch, part);
    if (!addAll(table, block, places, hashes, count, walk)) return undefined;
  }
  return table;
}

/** The places of n-grams of a part that may be frequent, and their hashes; returns how many. */
function sifted(
  types: Uint32Array,
  places: Uint32Array,
  hashes: Uint32Array,
  count: number,
  length: number,
  sketch: Sketch | undefined,
  { bits, value }: Part,
): number {
  let own = 0;
  for (let n = 0; n < count; n++) {
    const hash = hashOf(types, places[n], length);
    places[own] = places[n];
    hashes[own] = hash;
    own += bits === 0 || hash >>> (32 - bits) === value ? 1 : 0;
  }
  if (!sketch) return own;
  const { bytes, least } = sketch;
  const mask = bytes.length - 1;
  const all = own;
  own = 0;
  // No branch depends on a byte: many of them can be waited for at a time.
  for (let n = 0; n < all; n++) {
    const hash = hashes[n];
    places[own] = places[n];
    hashes[own] = hash;
    own += bytes[byteOf(hash) & mask] >= least ? 1 : 0;
  }
  return own;
}

/** False where the table has no room. */
function addAll(
  table: NgramTable,
  block: WindowBlock,
  places: Uint32Array,
  hashes: Uint32Array,
  count: number,
  walk: DocumentWalk | undefined,
): boolean {
  for (let n = 0; n < count; n++) {
    const row = table.row(block.types, places[n], hashes[n]);
    if (row < 0) return false;
    table.add(row);
    if (!walk) continue;
    walk.moveTo(block.from + places[n]);
    table.see(row, walk.number + 1);
  }
  return true;
}

/** What is left of all parts. The rarest are given up when there are too many. */
class Kept {
  table: NgramTable;
  cut = false;

  constructor(
    readonly options: CountOptions,
    readonly checkpoint: () => void,
  ) {
    this.table = this.#empty();
  }

  #empty(): NgramTable {
    return new NgramTable(this.options.length, 2 ** 31, this.options.documents, this.checkpoint);
  }

  add(part: NgramTable): void {
    const { minCount, maxCount } = this.options;
    for (const [from, to] of pieces(part.size, this.checkpoint)) {
      for (let row = from; row < to; row++) {
        const count = part.count(row);
        if (count >= minCount && count <= maxCount) this.#copy(part, row);
      }
    }
    if (this.table.size > limits.ngramsMax) this.#prune();
  }

  #copy(from: NgramTable, row: number): void {
    const at = from.wordsAt(row);
    const own = this.table.row(from.rows, at, hashOf(from.rows, at, from.length));
    this.table.setCount(own, from.count(row));
    this.table.setDocuments(own, from.documents(row));
  }

  #prune(): void {
    const all = this.table;
    const { checkpoint } = this;
    const rows = upTo(all.size);
    const counts = column(rows, (row) => all.count(row), checkpoint);
    const best = pageOf(rows, counts, (a, b) => a - b, { limit: limits.ngramsMax }, checkpoint);
    this.table = this.#empty();
    this.cut = true;
    for (const [from, to] of pieces(best.rows.length, checkpoint))
      for (let i = from; i < to; i++) this.#copy(all, best.rows[i]);
  }
}
