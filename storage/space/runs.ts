/**
 * Points that do not fit memory: runs on disk, each sorted by its first coordinate, then by units, and read again slab by slab. A slab
 * is all points between two places in that order, from all runs, and fits memory.
 *
 *   run = for each dimension, then for the units: u32 × points
 *
 * Runs are read by the build that wrote them and by nobody else; one that is there is complete (it is renamed when it is).
 */
import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DugongError } from "../errors.js";

/** Values below this are sorted in one pass, larger ones digit by digit. */
const onePassMax = 1 << 20;
const digitBits = 11;

/** Sorts the first points of columns by their first coordinate, then by their units. `spare` is as large; columns change places with it. */
export function sortPoints(columns: Uint32Array[], count: number, spare: Uint32Array[]): void {
  const units = columns[columns.length - 1];
  let isAscending = true;
  for (let i = 1; i < count && isAscending; i++) isAscending = units[i] >= units[i - 1];
  if (!isAscending) sortBy(columns.length - 1, columns, count, spare);
  sortBy(0, columns, count, spare);
}

/** Sorts points by one of their columns; equal ones keep their order. */
export function sortBy(key: number, columns: Uint32Array[], count: number, spare: Uint32Array[]): void {
  const column = columns[key];
  let most = 0;
  for (let i = 0; i < count; i++) if (column[i] > most) most = column[i];
  if (most < onePassMax) {
    pass(key, 0, most + 1, columns, count, spare);
    return;
  }
  for (let shift = 0; shift < 32 && most >>> shift > 0; shift += digitBits)
    pass(key, shift, 1 << digitBits, columns, count, spare);
}

function pass(
  key: number,
  shift: number,
  buckets: number,
  columns: Uint32Array[],
  count: number,
  spare: Uint32Array[],
): void {
  const places = new Uint32Array(buckets);
  const keys = columns[key];
  const mask = shift === 0 && buckets !== 1 << digitBits ? 0xffffffff : (1 << digitBits) - 1;
  for (let i = 0; i < count; i++) places[(keys[i] >>> shift) & mask]++;
  let sum = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const own = places[bucket];
    places[bucket] = sum;
    sum += own;
  }
  // Point by point, all columns at once: a bucket's ends are near each other in all of them.
  const width = columns.length;
  for (let i = 0; i < count; i++) {
    const to = places[(keys[i] >>> shift) & mask]++;
    for (let c = 0; c < width; c++) spare[c][to] = columns[c][i];
  }
  for (let c = 0; c < width; c++) [columns[c], spare[c]] = [spare[c], columns[c]];
}

export function writeRun(path: string, columns: readonly Uint32Array[], count: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.unfinished`;
  const fd = openSync(unfinished, "w");
  try {
    for (const column of columns) {
      const bytes = new Uint8Array(column.buffer, column.byteOffset, count * 4);
      for (let done = 0; done < bytes.length; )
        done += writeSync(fd, bytes, done, Math.min(bytes.length - done, 1 << 24));
    }
  } catch (error) {
    closeSync(fd);
    rmSync(unfinished, { force: true });
    throw error;
  }
  closeSync(fd);
  renameSync(unfinished, path);
}

/** How far apart the points are whose coordinates are kept in memory. */
const sampleStep = 4096;

/** A run is open only while it is read: there may be more of them than a process may have open files. */
export class Run {
  readonly count: number;
  /** Coordinates and units of every 4096th point, one point behind the other. */
  readonly samples: Uint32Array;
  readonly #point: Uint32Array;

  constructor(
    readonly path: string,
    readonly columnCount: number,
  ) {
    const { size } = statSync(path);
    if (size % (columnCount * 4) !== 0)
      throw new DugongError("broken_file", `${path} is not a run of points in ${columnCount - 1} dimensions`);
    this.count = size / (columnCount * 4);
    this.#point = new Uint32Array(columnCount);
    const samples = new Uint32Array(Math.ceil(this.count / sampleStep) * columnCount);
    this.samples = samples;
    this.#open((fd) => {
      for (let at = 0, i = 0; i < this.count; i += sampleStep, at += columnCount)
        samples.set(this.#read(fd, i), at);
    });
  }

  #open<Result>(work: (fd: number) => Result): Result {
    const fd = openSync(this.path, "r");
    try {
      return work(fd);
    } finally {
      closeSync(fd);
    }
  }

  #read(fd: number, index: number): Uint32Array {
    for (let c = 0; c < this.columnCount; c++)
      this.#fill(fd, c, index, new Uint8Array(this.#point.buffer, c * 4, 4));
    return this.#point;
  }

  #fill(fd: number, column: number, index: number, target: Uint8Array): void {
    const start = (column * this.count + index) * 4;
    for (let done = 0; done < target.length; ) {
      const got = readSync(fd, target, done, target.length - done, start + done);
      if (got === 0) throw new DugongError("broken_file", `${this.path} ends too early`);
      done += got;
    }
  }

  /** Points [from, to) to the columns, from place `at` on. */
  load(from: number, to: number, columns: readonly Uint32Array[], at: number): void {
    if (from === to) return;
    this.#open((fd) => {
      for (let c = 0; c < this.columnCount; c++) {
        const { buffer, byteOffset } = columns[c];
        this.#fill(fd, c, from, new Uint8Array(buffer, byteOffset + at * 4, (to - from) * 4));
      }
    });
  }

  /** The first point that does not come before a place in the order. */
  firstFrom(place: Uint32Array): number {
    const { samples, columnCount } = this;
    let [low, high] = [0, samples.length / columnCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(samples, middle * columnCount, place) < 0) low = middle + 1;
      else high = middle;
    }
    let [from, to] = [Math.max(0, (low - 1) * sampleStep), Math.min(this.count, low * sampleStep)];
    return this.#open((fd) => {
      while (from < to) {
        const middle = (from + to) >>> 1;
        if (compare(this.#read(fd, middle), 0, place) < 0) from = middle + 1;
        else to = middle;
      }
      return from;
    });
  }
}

/** By the first coordinate, then by units. */
function compare(points: Uint32Array, at: number, place: Uint32Array): number {
  const last = place.length - 1;
  return points[at] - place[0] || points[at + last] - place[last];
}

/** Where slabs end, in the order of the runs, so that none has more than about so many points. The first dimension is cut inside a value only where it must be. */
export function slabEnds(runs: readonly Run[], pointsMax: number): Uint32Array[] {
  const width = runs[0]?.columnCount ?? 0;
  const samples: Uint32Array[] = [];
  for (const { samples: own } of runs)
    for (let at = 0; at < own.length; at += width) samples.push(own.subarray(at, at + width));
  samples.sort((a, b) => compare(a, 0, b));
  // Each sample stands for as many points; of each run up to as many more may lie before the first of a slab.
  const samplesMax = Math.max(1, Math.floor(pointsMax / sampleStep) - runs.length);
  const ends: Uint32Array[] = [];
  for (let begin = 0; begin + samplesMax < samples.length; ) {
    let end = begin + samplesMax;
    const word = samples[end][0];
    let place = Uint32Array.from(samples[end]);
    let first = end;
    while (first > begin + samplesMax / 2 && samples[first - 1][0] === word) first--;
    if (samples[first - 1]?.[0] !== word && first > begin) {
      // Before the first point of that word.
      place = new Uint32Array(width);
      place[0] = word;
      end = first;
    }
    ends.push(place);
    begin = end;
  }
  return ends;
}
