/**
 * The kernels: the hottest loops, written in AssemblyScript (`assembly/`) and run on one WebAssembly memory.
 *
 * Two uses, never mixed in one memory. A reader's memory is the buffer pool, shared by all threads: there only
 * decoding kernels run, which keep no state. An encoder's memory belongs to one thread: there `allocate` hands out
 * addresses until `reset`.
 */
import { readFileSync } from "node:fs";
import { builtFile } from "../built.js";

export interface Kernels {
  allocate(bytes: number): number;
  allocated(): number;
  reset(address: number): void;
  pack(source: number, target: number, width: number): void;
  unpack(source: number, target: number, width: number): void;
  columnSizes(source: number, count: number, ordered: boolean, sizes: number, shapes: number): void;
  sumShorts(values: number, count: number): number;
  blocksPerExtent(sizes: number, count: number, extentBytes: number): number;
  encodeExtent(source: number, count: number, ordered: boolean, shapes: number, target: number): number;
  decodeExtent(extent: number, firstBlock: number, blocks: number, ordered: boolean, target: number): void;
  narrow8(source: number, count: number, target: number): void;
  narrow16(source: number, count: number, target: number): void;
  widen8(source: number, count: number, target: number): void;
  widen16(source: number, count: number, target: number): void;
  packPositions(source: number, previous: number, target: number): number;
  packTail(source: number, count: number, previous: number, target: number): number;
  unpackTail(source: number, count: number, previous: number, target: number): void;
  unpackPositions(source: number, previous: number, width: number, target: number): void;
  unpackChunk(
    chunk: number,
    total: number,
    first: number,
    blocks: number,
    previous: number,
    target: number,
  ): number;
  scanBytes(source: number, count: number, value: number, base: number, target: number): number;
  placesOfWords(words: number, count: number, base: number, target: number): number;
  glance(firstFrame: number, where: number, version: number, place: number): number;
  valueIn(extent: number, place: number, encoding: number): number;
  valuesIn(extent: number, places: number, count: number, encoding: number, target: number): void;
  newTable(expected: number): number;
  intern(table: number, start: number, length: number): number;
  internAll(
    table: number,
    heap: number,
    ends: number,
    counts: number,
    count: number,
    numbers: number,
  ): number;
  countNewlines(text: number, length: number): number;
  readLines(lines: number, start: number, end: number): number;
  addEvent(lines: number, number: number, token: number): number;
  splitColumns(lines: number, columns: number, tables: number, numbers: number, columnsOf: number): number;
  sortTable(table: number, from: number, scratch: number, order: number): void;
  gather(keys: number, count: number, values: number, target: number): void;
  invert(
    ids: number,
    count: number,
    starts: number,
    positions: number,
    bounds: number,
    boundCount: number,
    documents: number,
    seen: number,
  ): void;
  classifyBytes(source: number, count: number, table: number, types: number, target: number): void;
  classifyIds(ids: number, count: number, table: number, target: number): void;
  markEqual(left: number, right: number, count: number, bit: number, target: number): void;
  selectSets(
    bytes: number,
    count: number,
    sets: number,
    setCount: number,
    base: number,
    target: number,
  ): number;
  selectIds(ids: number, count: number, table: number, base: number, target: number): number;
  addToAll(values: number, count: number, more: number): void;
  selectBits(bytes: number, count: number, set: number, target: number): void;
  clear(target: number, count: number): void;
  fill(target: number, count: number): void;
  runAutomaton(run: number): number;
  stepBits(test: number, reach: number, target: number, words: number): number;
  joinBits(a: number, b: number, target: number, words: number): void;
  meetBits(a: number, b: number, target: number, words: number): void;
  countBits(bits: number, count: number): number;
  emitLengths(run: number): number;
  sortKeys(keys: number, count: number, falling: boolean, order: number, scratch: number): void;
  turnRound(keys: number, count: number, base: number, target: number): void;
  lengthsOf(begins: number, ends: number, count: number, target: number): number;
  sumBefore(values: number, count: number, target: number): void;
  findRuns(
    keys: number,
    order: number,
    count: number,
    less: number,
    distinct: number,
    counts: number,
  ): number;
  layLists(positions: number, counts: number, lists: number, scanCount: number, offsets: number): number;
  frontCode(
    heap: number,
    starts: number,
    lengths: number,
    from: number,
    count: number,
    target: number,
    room: number,
    blocks: number,
    written: number,
    state: number,
  ): void;
  tableColumns(table: number, starts: number, lengths: number, counts: number): void;
  codeEvents(
    events: number,
    count: number,
    codes: number,
    starts: number,
    begins: number,
    lines: number,
  ): void;
  nestEvents(events: number, count: number, starts: number, flat: number, open: number, ends: number): number;
  addCounts(
    ids: number,
    counts: number,
    documents: number,
    count: number,
    frequency: number,
    inDocuments: number,
  ): void;
  splitHalves(values: number, count: number, low: number, high: number): void;
  joinHalves(low: number, high: number, count: number, values: number): void;
  unpackCodes(source: number, bit: number, width: number, count: number, target: number): void;
  unpackGaps(
    source: number,
    bit: number,
    parameter: number,
    count: number,
    sum: number,
    target: number,
  ): void;
}

/** What the line kernel asks about a line that begins with "<" or a control character. */
export type Classify = (start: number, length: number) => number;

let compiled: WebAssembly.Module | undefined;

/** The compiled kernels: posted to a thread, they need not be compiled there again. */
export function compiledKernels(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(builtFile("storage/kernels/kernels.wasm")));
  return compiled;
}

/** Uses kernels that another thread has compiled. */
export function useKernels(module: WebAssembly.Module): void {
  compiled = module;
}

export function instantiate(memory: WebAssembly.Memory, classify: Classify = () => 0): Kernels {
  const instance = new WebAssembly.Instance(compiledKernels(), { env: { memory }, host: { classify } });
  return instance.exports as unknown as Kernels;
}
