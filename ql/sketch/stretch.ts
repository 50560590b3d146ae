/**
 * Stretches: rows of many blocks that stand side by side in the order of the index, no more of them than fit memory. A block is sorted
 * by its own numbers, in which heads, names and words ascend as those of the index do; so what belongs to a stretch is found
 * in it by halving.
 *
 * Most stretches are some heads. A head with too many rows is taken relation by relation, a relation with too many word by word,
 * and a word with too many by where its head stands. All stretches of one head belong to one portion: no slice goes over two.
 */
import { type BlockRecord, type Columns, OpenRun } from "./rows.js";

/** Heads [from, to); of one head: one relation; of that: words [from, to); of one word: positions [from, to). */
export interface Stretch {
  from: number;
  to: number;
  relation?: number;
  words?: [from: number, to: number];
  positions?: [from: number, to: number];
}

/** Stretches that one thread goes through, one after the other. */
export type Portion = Stretch[];

export interface SourceBlock extends BlockRecord {
  path: string;
  /** What its names are called in the index; absent: the same. */
  names?: number[];
  /** Where its strings begin in `RowSource.strings`. */
  strings?: number;
}

/** Blocks that are merged. Columns: head, relation, word, position … or, the other way round, word, relation, position, head. */
export interface RowSource {
  width: number;
  blocks: SourceBlock[];
  /** Which column has positions: before it stand those that are looked up. */
  positionColumn: 2 | 3;
  /** Words of the index by number of a head; absent: the same. */
  ofHead?: Uint32Array;
  /** Words of the index by number of a block's string. */
  strings?: Uint32Array;
}

type Range = [from: number, to: number];

/** The rows of a stretch in the numbers of the index, as the blocks have them: not in order across blocks. */
export function gathered(source: RowSource, stretch: Stretch): { columns: Columns; count: number } {
  const found: { block: SourceBlock; ranges: Range[] }[] = [];
  let count = 0;
  for (const block of source.blocks) {
    const ranges = withRun(block, (run) => rangesIn(source, run, block, stretch));
    for (const [from, to] of ranges) count += to - from;
    if (ranges.length > 0) found.push({ block, ranges });
  }
  const columns = Array.from({ length: source.width }, () => new Uint32Array(count));
  let at = 0;
  for (const { block, ranges } of found)
    withRun(block, (run) => {
      for (const [from, to] of ranges) {
        for (let c = 0; c < source.width; c++) {
          const part = columns[c].subarray(at, at + to - from);
          run.read(block, c, from, part);
          translate(source, block, c, part);
        }
        at += to - from;
      }
    });
  return { columns, count };
}

/** One file is open at a time, however many there are. */
function withRun<Result>(block: { path: string }, use: (run: OpenRun) => Result): Result {
  const run = new OpenRun(block.path);
  try {
    return use(run);
  } finally {
    run.close();
  }
}

/** From a block's numbers to those of the index. */
function translate(source: RowSource, block: SourceBlock, column: number, values: Uint32Array): void {
  const { ofHead, strings, positionColumn } = source;
  if (column >= positionColumn) return;
  if (column === 1) {
    const { names } = block;
    if (names) for (let i = 0; i < values.length; i++) values[i] = names[values[i]];
    return;
  }
  if (!ofHead) return;
  const heads = ofHead.length;
  for (let i = 0; i < values.length; i++)
    values[i] = values[i] < heads ? ofHead[values[i]] : strings![block.strings! + values[i] - heads];
}

function rangesIn(source: RowSource, run: OpenRun, block: SourceBlock, stretch: Stretch): Range[] {
  const cell = new Uint32Array(1);
  /** The first row of a range whose value, in the numbers of the index, is not below another. */
  const first = (column: number, [from, to]: Range, value: number, own: boolean) => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      run.read(block, column, middle, cell);
      if (!own) translate(source, block, column, cell);
      if (cell[0] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const between = (column: number, range: Range, from: number, to: number, own = false): Range => {
    const begin = first(column, range, from, own);
    return [begin, first(column, [begin, range[1]], to, own)];
  };
  const { relation, words, positions } = stretch;
  let ranges: Range[] = [between(0, [0, block.count], stretch.from, stretch.to)];
  if (relation !== undefined) {
    const own = block.names?.flatMap((number, name) => (number === relation ? name : [])) ?? [relation];
    ranges = ranges.flatMap((range) => own.map((name) => between(1, range, name, name + 1, true)));
  }
  if (words)
    ranges = ranges.flatMap((range) => {
      // Heads come first, then strings; the words of the index ascend in either part.
      const middle = source.ofHead ? first(2, range, source.ofHead.length, true) : range[1];
      const parts: Range[] = [
        [range[0], middle],
        [middle, range[1]],
      ];
      return parts.map((part) => between(2, part, ...words));
    });
  if (positions) ranges = ranges.map((range) => between(source.positionColumn, range, ...positions, true));
  return ranges.filter(([from, to]) => to > from);
}

const partRows = 1 << 16;

/** Calls back with the values of a column in parts, as the block has them. */
export function eachPart(
  block: BlockRecord & { path: string },
  column: number,
  call: (values: Uint32Array) => void,
): void {
  withRun(block, (run) => eachIn(run, block, column, [0, block.count], call));
}

function eachIn(
  run: OpenRun,
  block: BlockRecord,
  column: number,
  [from, to]: Range,
  call: (values: Uint32Array) => void,
): void {
  const buffer = new Uint32Array(Math.min(partRows, to - from));
  for (let at = from; at < to; at += buffer.length) {
    const part = buffer.subarray(0, Math.min(buffer.length, to - at));
    run.read(block, column, at, part);
    call(part);
  }
}

/** How often each number occurs in a column of a stretch. */
function tally(source: RowSource, stretch: Stretch, column: number, size: number, shift = 0): Uint32Array {
  const counts = new Uint32Array(size);
  for (const block of source.blocks)
    withRun(block, (run) => {
      for (const range of rangesIn(source, run, block, stretch))
        eachIn(run, block, column, range, (values) => {
          translate(source, block, column, values);
          for (let i = 0; i < values.length; i++) counts[values[i] >>> shift]++;
        });
    });
  return counts;
}

/** Portions of no more than `rowsMax` rows, or of one head. `weights`: rows of each head. */
export function* portionsOf(
  source: RowSource,
  weights: Uint32Array,
  relations: number,
  rowsMax: number,
): Generator<Portion> {
  for (const [from, to] of groups(weights, rowsMax)) {
    const isHeavy = to - from === 1 && weights[from] > rowsMax;
    yield isHeavy ? [...byRelation(source, from, weights.length, relations, rowsMax)] : [{ from, to }];
  }
}

function* byRelation(
  source: RowSource,
  head: number,
  words: number,
  relations: number,
  rowsMax: number,
): Generator<Stretch> {
  const whole = { from: head, to: head + 1 };
  const counts = tally(source, whole, 1, relations);
  for (let relation = 0; relation < relations; relation++) {
    if (counts[relation] === 0) continue;
    const own = { ...whole, relation };
    if (counts[relation] <= rowsMax) yield own;
    else if (source.positionColumn === 2) yield* byPosition(source, own, rowsMax);
    else yield* byWord(source, own, words, rowsMax);
  }
}

function* byWord(source: RowSource, slice: Stretch, words: number, rowsMax: number): Generator<Stretch> {
  const counts = tally(source, slice, 2, words);
  for (const [from, to] of groups(counts, rowsMax)) {
    const own: Stretch = { ...slice, words: [from, to] };
    if (to - from === 1 && counts[from] > rowsMax) yield* byPosition(source, own, rowsMax);
    else yield own;
  }
}

/** Positions are told apart by their upper 16 bits: no more than a few rows stand at each. */
function* byPosition(source: RowSource, triple: Stretch, rowsMax: number): Generator<Stretch> {
  const counts = tally(source, triple, source.positionColumn, 1 << 16, 16);
  for (const [from, to] of groups(counts, rowsMax))
    yield { ...triple, positions: [from * 2 ** 16, to * 2 ** 16] };
}

/** Neighbours whose weights come to no more than so many together, or one alone. Those of weight 0 may be left out. */
function* groups(weights: Uint32Array, most: number): Generator<[from: number, to: number]> {
  let from = 0;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    if (sum > 0 && sum + weights[i] > most) {
      yield [from, i];
      from = i;
      sum = 0;
    }
    if (weights[i] > most) {
      yield [i, i + 1];
      from = i + 1;
    } else sum += weights[i];
  }
  if (sum > 0) yield [from, weights.length];
}
