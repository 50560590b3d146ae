/**
 * Plain twins of the kernels: what each of them computes, over ordinary arrays and in the fewest lines, for tests to
 * compare it with. Nothing else uses them. The formats are those that stand at the heads of the assembly modules.
 */

const bitsOf = (value: number) => 32 - Math.clz32(value);

/** pack.ts: 128 integers, of which the low `width` bits count. */
export function pack(values: ArrayLike<number>, width: number): Uint8Array {
  const words = new Uint32Array(4 * width);
  for (let i = 0; i < 128; i++) {
    for (let b = 0; b < width; b++) {
      const bit = (i >> 2) * width + b;
      if ((values[i] >>> b) & 1) words[(bit >> 5) * 4 + (i & 3)] |= 1 << (bit & 31);
    }
  }
  return new Uint8Array(words.buffer);
}

export function unpack(bytes: Uint8Array, width: number): Uint32Array {
  const words = new Uint32Array(Uint8Array.from(bytes.subarray(0, 16 * width)).buffer);
  return Uint32Array.from({ length: 128 }, (_, i) => {
    let value = 0;
    for (let b = 0; b < width; b++) {
      const bit = (i >> 2) * width + b;
      if ((words[(bit >> 5) * 4 + (i & 3)] >>> (bit & 31)) & 1) value |= 1 << b;
    }
    return value >>> 0;
  });
}

/** column.ts: the base, the width and the exceptions of a block of up to 128 values, zeros behind them. */
function shapeOf(values: Uint32Array, ordered: boolean) {
  const base = ordered ? values.reduce((a, b) => Math.min(a, b)) : 0;
  const rest = new Uint32Array(128);
  rest.set(values.map((value) => value - base));
  const most = bitsOf(rest.reduce((a, b) => Math.max(a, b)));
  let best = { width: most, exceptions: 0, bytes: 16 * most };
  const costOf = ({ bytes, exceptions }: typeof best) => bytes + exceptions;
  for (let width = most - 1; width >= Math.max(0, most - 8); width--) {
    const exceptions = rest.filter((value) => bitsOf(value) > width).length;
    const bytes = 16 * width + Math.ceil((2 * exceptions) / 4) * 4;
    const shape = { width, exceptions, bytes };
    if (costOf(shape) < costOf(best)) best = shape;
  }
  return { base, rest, ...best };
}

function blocksOf(values: Uint32Array): Uint32Array[] {
  return Array.from({ length: Math.ceil(values.length / 128) }, (_, b) =>
    values.slice(b * 128, b * 128 + 128),
  );
}

export function columnSizes(values: Uint32Array, ordered: boolean): number[] {
  return blocksOf(values).map((block) => shapeOf(block, ordered).bytes + (ordered ? 8 : 4));
}

/** From how many blocks fit in the mean down to as many as fit everywhere, fewer by a fiftieth and one each time. */
export function blocksPerExtent(sizes: number[], extentBytes: number): number {
  const sum = (some: number[]) => some.reduce((a, b) => a + b, 0);
  const total = sum(sizes);
  if (total <= extentBytes) return Math.max(1, sizes.length);
  let blocks = Math.floor(extentBytes / (total / sizes.length));
  while (sizes.some((_, i) => i % blocks === 0 && sum(sizes.slice(i, i + blocks)) > extentBytes)) {
    blocks = Math.max(1, Math.floor(blocks * 0.98) - 1);
  }
  return blocks;
}

export function encodeExtent(values: Uint32Array, ordered: boolean): Uint8Array {
  const shapes = blocksOf(values).map((block) => shapeOf(block, ordered));
  const table: number[] = [];
  const bytes: number[] = [];
  for (const { base, rest, width, exceptions } of shapes) {
    const offset = shapes.length * (ordered ? 8 : 4) + bytes.length;
    table.push(offset & 255, (offset >> 8) & 255, width, exceptions);
    if (ordered) table.push(base & 255, (base >>> 8) & 255, (base >>> 16) & 255, base >>> 24);
    const exceptional = [...rest.keys()].filter((i) => bitsOf(rest[i]) > width);
    bytes.push(...pack(rest, width), ...exceptional, ...exceptional.map((i) => rest[i] >>> width));
    while (bytes.length % 4 > 0) bytes.push(0);
  }
  return Uint8Array.from([...table, ...bytes]);
}

/** All blocks, 128 values each. */
export function decodeExtent(extent: Uint8Array, blocks: number, ordered: boolean): Uint32Array {
  const view = new DataView(extent.buffer, extent.byteOffset);
  const all = new Uint32Array(blocks * 128);
  for (let b = 0; b < blocks; b++) {
    const entry = b * (ordered ? 8 : 4);
    const [offset, width, exceptions] = [view.getUint16(entry, true), extent[entry + 2], extent[entry + 3]];
    const values = unpack(extent.subarray(offset), width);
    for (let e = 0; e < exceptions; e++) {
      const place = extent[offset + 16 * width + e];
      values[place] += extent[offset + 16 * width + exceptions + e] * 2 ** width;
    }
    const base = ordered ? view.getUint32(entry + 4, true) : 0;
    all.set(
      values.map((value) => value + base),
      b * 128,
    );
  }
  return all;
}

/** postings.ts: how far each position lies behind the next after the one before it. */
function gapsOf(positions: ArrayLike<number>, previous: number): Uint32Array {
  return Uint32Array.from(positions, (position, i) => position - (i === 0 ? previous : positions[i - 1]) - 1);
}

function positionsOf(gaps: ArrayLike<number>, previous: number): Uint32Array {
  return Uint32Array.from(gaps, (gap) => (previous += gap + 1));
}

const widthOf = (gaps: Uint32Array) => bitsOf(gaps.reduce((a, b) => Math.max(a, b), 0));

export function packPositions(
  positions: ArrayLike<number>,
  previous: number,
): { width: number; bytes: Uint8Array } {
  const gaps = gapsOf(positions, previous);
  return { width: widthOf(gaps), bytes: pack(gaps, widthOf(gaps)) };
}

export function packTail(positions: ArrayLike<number>, previous: number): Uint8Array {
  const gaps = gapsOf(positions, previous);
  const width = widthOf(gaps);
  const bytes = new Uint8Array(1 + Math.ceil((gaps.length * width) / 8));
  bytes[0] = width;
  gaps.forEach((gap, i) => {
    for (let b = 0; b < width; b++) {
      if ((gap >>> b) & 1) bytes[1 + ((i * width + b) >> 3)] |= 1 << ((i * width + b) & 7);
    }
  });
  return bytes;
}

export function unpackTail(bytes: Uint8Array, count: number, previous: number): Uint32Array {
  const width = bytes[0];
  const bit = (at: number) => (bytes[1 + (at >> 3)] >> (at & 7)) & 1;
  const gapAt = (i: number) => Array.from({ length: width }, (_, b) => bit(i * width + b) * 2 ** b);
  const gaps = Array.from({ length: count }, (_, i) => gapAt(i).reduce((a, b) => a + b, 0));
  return positionsOf(gaps, previous);
}

/** A chunk of whole blocks: lasts, widths, packed blocks. */
export function packChunk(positions: Uint32Array, previous: number): Uint8Array {
  const blocks = blocksOf(positions);
  const packed = blocks.map((block, b) => packPositions(block, b === 0 ? previous : blocks[b - 1][127]));
  const lasts = Uint32Array.from(blocks, (block) => block[127]);
  const parts = [...packed.map(({ bytes }) => bytes)];
  return Buffer.concat([
    new Uint8Array(lasts.buffer),
    Uint8Array.from(packed, ({ width }) => width),
    ...parts,
  ]);
}

export function unpackChunk(
  chunk: Uint8Array,
  total: number,
  first: number,
  blocks: number,
  previous: number,
) {
  const view = new DataView(chunk.buffer, chunk.byteOffset);
  const found: number[] = [];
  for (let b = 0, at = total * 5; b < first + blocks; at += 16 * chunk[total * 4 + b++]) {
    const before = b === 0 ? previous : view.getUint32((b - 1) * 4, true);
    if (b >= first) found.push(...positionsOf(unpack(chunk.subarray(at), chunk[total * 4 + b]), before));
  }
  return Uint32Array.from(found);
}

/** scan.ts */
export function scanBytes(bytes: Uint8Array, value: number, base: number): number[] {
  return [...bytes.keys()].filter((i) => bytes[i] === value).map((i) => base + i);
}

/** lines.ts: strings are of one character a byte. */
export interface LinesRead {
  /** The distinct lines, in the order in which they were met; what each is, which line it was first and how often. */
  lines: string[];
  kinds: number[];
  firsts: number[];
  counts: number[];
  /** The line of each token. */
  tokens: number[];
  /** [line, tokens before it] of each tag. */
  events: [number, number][];
  /** The tokens before which there is no space. */
  glued: number[];
  empty: number[];
  returns: number[];
  comments: number[];
}

export const [TOKEN, TAG, GLUE, COMMENT] = [0, 1, 2, 3];

export function readLines(text: string, classify: (line: string) => number): LinesRead {
  const read: LinesRead = {
    lines: [],
    kinds: [],
    firsts: [],
    counts: [],
    tokens: [],
    events: [],
    glued: [],
    empty: [],
    returns: [],
    comments: [],
  };
  const numbers = new Map<string, number>();
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  all.forEach((whole, place) => {
    const line = whole.replace(/\r$/, "");
    if (line !== whole) read.returns.push(place);
    if (line === "") read.empty.push(place);
    else {
      let number = numbers.get(line);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(line, number);
        read.lines.push(line);
        read.kinds.push(line[0] === "<" || line.charCodeAt(0) < 32 ? classify(line) : TOKEN);
        read.firsts.push(place);
        read.counts.push(0);
      }
      read.counts[number]++;
      if (read.kinds[number] === TOKEN) read.tokens.push(number);
      else if (read.kinds[number] === TAG) read.events.push([number, read.tokens.length]);
      else if (read.kinds[number] === COMMENT) read.comments.push(place);
      else if (read.glued.at(-1) !== read.tokens.length) read.glued.push(read.tokens.length);
    }
  });
  return read;
}

export interface Column {
  /** The distinct strings, in the order in which they were met, and how many tokens have each. */
  strings: string[];
  counts: number[];
  /** Of each line the number of its string; 0 of what is no token. */
  numbers: number[];
}

export function splitColumns(
  read: LinesRead,
  columns: number,
  marked: boolean,
): { columns: Column[]; found: number[] } {
  const split: Column[] = Array.from({ length: columns }, () => ({ strings: [], counts: [], numbers: [] }));
  const found = read.lines.map((line, l) => {
    if (read.kinds[l] !== TOKEN) {
      for (const { numbers } of split) numbers[l] = 0;
      return 0;
    }
    const values = (marked ? line.replace(/^\x01/, "") : line).split("\t");
    split.forEach(({ strings, counts, numbers }, c) => {
      const value = values[c] ?? "";
      if (!strings.includes(value)) counts[strings.push(value) - 1] = 0;
      numbers[l] = strings.indexOf(value);
      counts[numbers[l]] += read.counts[l];
    });
    return values.length;
  });
  return { columns: split, found };
}

/** table.ts: the number of each string among the distinct ones. */
export function internAll(strings: string[]): number[] {
  const distinct = [...new Set(strings)];
  return strings.map((string) => distinct.indexOf(string));
}

/** sort.ts: the numbers of distinct strings in byte order. */
export function sortTable(strings: Uint8Array[]): number[] {
  return [...strings.keys()].sort((a, b) => Buffer.compare(strings[a], strings[b]));
}

/** invert.ts */
export function gather(keys: ArrayLike<number>, values: ArrayLike<number>): Uint32Array {
  return Uint32Array.from(keys, (key) => values[key]);
}

/** The positions of each id, and in how many documents it occurs; bounds are begins and ends of documents by turns. */
export function invert(
  ids: number[],
  types: number,
  bounds: number[],
): { positions: number[][]; documents: number[] } {
  const positions = Array.from({ length: types }, (_, id) => [...ids.keys()].filter((at) => ids[at] === id));
  const documents = positions.map((list) => {
    let count = 0;
    for (let d = 0; d < bounds.length; d += 2) {
      if (list.some((at) => at >= bounds[d] && at < bounds[d + 1])) count++;
    }
    return count;
  });
  return { positions, documents };
}

/** column.ts: bytes, or pairs of bytes, as integers. */
export function widen(values: Uint8Array | Uint16Array): Uint32Array {
  return Uint32Array.from(values);
}

/** order.ts: lengths of ranges, and whether each begins behind those before it and has a token. */
export function lengthsOf(begins: number[], ends: number[]): { lengths: number[]; apart: boolean } {
  const apart = begins.every((begin, i) => ends[i] > begin && ends.slice(0, i).every((end) => end <= begin));
  return { lengths: begins.map((begin, i) => ends[i] - begin), apart };
}

/** order.ts: the indexes of keys in their order, equal ones as they stand. */
export function sortKeys(keys: number[], falling: boolean): number[] {
  return [...keys.keys()].sort((a, b) => (falling ? keys[b] - keys[a] : keys[a] - keys[b]));
}

/** strings.ts: front-coded strings, and the offset of each block of 16. */
export function frontCode(strings: string[]): { bytes: number[]; blocks: number[] } {
  const bytes: number[] = [];
  const blocks: number[] = [];
  const putVarint = (value: number) => {
    for (; value >= 128; value >>>= 7) bytes.push((value & 127) | 128);
    bytes.push(value);
  };
  strings.forEach((string, i) => {
    let shared = 0;
    if (i % 16 === 0) blocks.push(bytes.length);
    else {
      while (shared < string.length && string[shared] === strings[i - 1][shared]) shared++;
      putVarint(shared);
    }
    putVarint(string.length - shared);
    bytes.push(...Buffer.from(string.slice(shared), "latin1"));
  });
  return { bytes, blocks };
}

/** lists.ts: the pages with all lists, and the offset of each. */
export function layLists(lists: Uint32Array[], scanCount: number): { bytes: number[]; offsets: number[] } {
  const bytes: number[] = [];
  const room = () => 65_536 - (bytes.length % 65_536);
  const zeros = (count: number) => {
    for (let i = 0; i < count; i++) bytes.push(0);
  };
  const words = (values: number[]) => [...new Uint8Array(Uint32Array.from(values).buffer)];
  /** Adds an item, on the next page if it does not fit this one; returns its offset. */
  const add = (item: ArrayLike<number>): number => {
    if (item.length > room()) zeros(room());
    const offset = bytes.length;
    for (let i = 0; i < item.length; i++) bytes.push(item[i]);
    return offset;
  };
  const offsets = lists.map((list) => {
    if (scanCount > 0 && list.length >= scanCount) return bytes.length;
    if (list.length < 128) return add(packTail(list, -1));
    const blocks = blocksOf(list).filter((block) => block.length === 128);
    const before = (b: number) => (b === 0 ? -1 : blocks[b - 1][127]);
    const sizes = blocks.map((block, b) => 5 + packPositions(block, before(b)).bytes.length);
    const entries: number[] = [];
    for (let first = 0; first < blocks.length; ) {
      zeros(-bytes.length & 3);
      let end = first;
      for (let left = room(); end < blocks.length && sizes[end] <= left; end++) left -= sizes[end];
      if (end === first || (end - first < 4 && end < blocks.length && room() < 65_536)) {
        zeros(room());
        continue;
      }
      const offset = add(packChunk(list.slice(first * 128, end * 128), before(first)));
      entries.push(blocks[end - 1][127], offset, end - first);
      first = end;
    }
    zeros(-bytes.length & 3);
    const tail = list.slice(blocks.length * 128);
    const head = words([entries.length / 3, ...entries]);
    return add([...head, ...(tail.length > 0 ? packTail(tail, before(blocks.length)) : [])]);
  });
  return { bytes, offsets };
}

/** tags.ts: what opens in the order in which it does, and whether the tags nest properly and leave nothing open. */
export interface Nested {
  opened: { structure: number; begin: number; end: number; line: number }[];
  proper: boolean;
}

/** `tags`: structure × 4 + 0 opens, + 1 closes, + 2 is empty; 3 is the end of a file. */
export function nest(tags: { tag: number; line: number; token: number }[], flat: number[]): Nested {
  const opened: Nested["opened"] = [];
  const stack: Nested["opened"] = [];
  let proper = true;
  for (const { tag, line, token } of tags) {
    const structure = tag >> 2;
    const act = tag & 3;
    if (act === 3) proper &&= stack.length === 0;
    else if (act === 1) {
      const closed = stack.pop();
      if (closed?.structure !== structure) proper = false;
      if (closed) closed.end = token;
    } else {
      if (flat.includes(structure) && stack.some((open) => open.structure === structure)) proper = false;
      const own = { structure, begin: token, end: token, line };
      opened.push(own);
      if (act === 0) stack.push(own);
      if (stack.length > 256) proper = false;
    }
  }
  return { opened, proper: proper && stack.length === 0 };
}

const bitsFrom = (bytes: Uint8Array, bit: number, count: number) => {
  let value = 0;
  for (let b = 0; b < count; b++) value += ((bytes[(bit + b) >> 3] >> ((bit + b) & 7)) & 1) * 2 ** b;
  return value;
};

/** space.ts: codes of a fixed width. */
export function unpackCodes(bytes: Uint8Array, bit: number, width: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => bitsFrom(bytes, bit + i * width, width));
}

/** space.ts: Rice-coded gaps, added up. */
export function unpackGaps(
  bytes: Uint8Array,
  bit: number,
  parameter: number,
  count: number,
  sum: number,
): Uint32Array {
  return Uint32Array.from({ length: count }, () => {
    let ones = 0;
    while (ones < 24 && bitsFrom(bytes, bit, 1) === 1) [ones, bit] = [ones + 1, bit + 1];
    if (ones === 24) {
      sum += bitsFrom(bytes, bit, 32);
      bit += 32;
    } else {
      sum += ones * 2 ** parameter + bitsFrom(bytes, bit + 1, parameter);
      bit += 1 + parameter;
    }
    return sum;
  });
}
