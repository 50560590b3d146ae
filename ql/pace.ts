/**
 * Long ways in short steps. Whatever takes more than some milliseconds looks now and then whether somebody still wants to
 * get there: a checkpoint throws if nobody does. Here are the steps that many ways have: passes over columns, sorting,
 * choosing, making rows.
 */

export type Compare = (a: number, b: number) => number;

/** So many take a millisecond or two, wherever in memory they lie. */
const pieceLength = 1 << 15;
/** Comparisons, or objects made, between two looks. */
const lookEvery = 1 << 10;

/** [0, length) in pieces, with a look before each. */
export function* pieces(length: number, checkpoint: () => void): Generator<[from: number, to: number]> {
  for (let from = 0; from < length; from += pieceLength) {
    checkpoint();
    yield [from, Math.min(length, from + pieceLength)];
  }
}

/** To be called for every one of many things: looks for some of them. */
export function looking(checkpoint: () => void, every = lookEvery): () => void {
  let left = every;
  return () => {
    if (--left > 0) return;
    left = every;
    checkpoint();
  };
}

/** Compares as it did, and looks now and then: sorting by it can be ended. */
export function comparing(compare: Compare, checkpoint: () => void): Compare {
  let left = lookEvery;
  return (a, b) => {
    if (--left === 0) {
      left = lookEvery;
      checkpoint();
    }
    return compare(a, b);
  };
}

/**
 * Zeros that are there: the system gives memory when it is first written to, page by page. What goes criss-cross over a
 * large column would have to wait for thousands of pages in its first steps.
 */
export function zeros(count: number, checkpoint: () => void): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (const [from, to] of pieces(count, checkpoint)) numbers.fill(0, from, to);
  return numbers;
}

/** 0, 1, 2 … */
export function upTo(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

/** Something made of each number. */
export function mapped<Made>(
  numbers: ArrayLike<number>,
  make: (number: number, i: number) => Made,
  checkpoint: () => void,
): Made[] {
  const made: Made[] = [];
  const look = looking(checkpoint);
  for (let i = 0; i < numbers.length; i++) {
    look();
    made.push(make(numbers[i], i));
  }
  return made;
}

/** A column computed from numbers. */
export function column(
  numbers: ArrayLike<number>,
  make: (number: number, i: number) => number,
  checkpoint: () => void,
): Float64Array {
  const made = new Float64Array(numbers.length);
  for (const [from, to] of pieces(numbers.length, checkpoint))
    for (let i = from; i < to; i++) made[i] = make(numbers[i], i);
  return made;
}

/** Those that pass a test, in their order. */
export function filtered(
  numbers: Uint32Array,
  test: (number: number) => boolean,
  checkpoint: () => void,
): Uint32Array<ArrayBuffer> {
  const kept = new Uint32Array(numbers.length);
  let count = 0;
  for (const [from, to] of pieces(numbers.length, checkpoint))
    for (let i = from; i < to; i++) if (test(numbers[i])) kept[count++] = numbers[i];
  return kept.subarray(0, count);
}

/** Sorts numbers in place, ascending: in runs, which are then merged. */
export function sortNumbers<Numbers extends Uint32Array | Float64Array>(
  numbers: Numbers,
  checkpoint: () => void,
): Numbers {
  for (const [from, to] of pieces(numbers.length, checkpoint)) numbers.subarray(from, to).sort();
  let [sorted, spare] = [numbers as Uint32Array, numbers.slice() as Uint32Array];
  for (let run = pieceLength; run < numbers.length; run *= 2) {
    for (let from = 0; from < numbers.length; from += run * 2)
      mergeRuns(sorted, spare, from, Math.min(numbers.length, from + run), run, checkpoint);
    [sorted, spare] = [spare, sorted];
  }
  if (sorted !== (numbers as Uint32Array)) numbers.set(sorted);
  return numbers;
}

/** [from, middle) and the run behind it into `out`. */
function mergeRuns(
  numbers: Uint32Array,
  out: Uint32Array,
  from: number,
  middle: number,
  run: number,
  checkpoint: () => void,
): void {
  const end = Math.min(numbers.length, middle + run);
  let [left, right] = [from, middle];
  for (const [begin, stop] of pieces(end - from, checkpoint))
    for (let at = from + begin; at < from + stop; at++)
      out[at] =
        right >= end || (left < middle && numbers[left] <= numbers[right])
          ? numbers[left++]
          : numbers[right++];
}

/**
 * The number that would stand at a place if all were sorted, ascending; NaN comes last. Counted by 16 bits at a time, the
 * highest first: a pass over all of them, and passes over ever fewer.
 */
export function numberAt(numbers: Float64Array, place: number, checkpoint: () => void): number {
  let left = numbers;
  let wanted = place;
  for (let shift = 48; shift >= 0 && left.length > 1; shift -= 16) {
    const digit = digitsOf(left, shift, checkpoint);
    const counts = new Uint32Array(1 << 16);
    for (const [from, to] of pieces(left.length, checkpoint))
      for (let i = from; i < to; i++) counts[digit[i]]++;
    let own = 0;
    while (wanted >= counts[own]) wanted -= counts[own++];
    const kept = new Float64Array(counts[own]);
    let count = 0;
    for (const [from, to] of pieces(left.length, checkpoint))
      for (let i = from; i < to; i++) if (digit[i] === own) kept[count++] = left[i];
    left = kept;
  }
  return left[0];
}

/** 16 bits of each number, such that they ascend as the numbers do. */
function digitsOf(numbers: Float64Array, shift: number, checkpoint: () => void): Uint16Array {
  const halves = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  const digits = new Uint16Array(numbers.length);
  const half = shift >= 32 ? 1 : 0;
  const within = shift & 31;
  for (const [from, to] of pieces(numbers.length, checkpoint))
    for (let i = from; i < to; i++) {
      const high = halves[i * 2 + 1];
      // The bits of negative numbers ascend as they fall.
      const flip = high >>> 31 === 1 ? 0xffff : shift === 48 ? 0x8000 : 0;
      digits[i] = ((halves[i * 2 + half] >>> within) & 0xffff) ^ flip;
    }
  return digits;
}
