/**
 * The contract of everything that yields sorted positions: posting lists, scans, unions, results of a query.
 *
 * The law
 * - Positions are token numbers within one segment, below `END`. They come strictly ascending.
 * - A new cursor stands before the first position: `position` is −1.
 * - `next` moves to the next position and returns it, or `END` when there is none.
 * - `seek(target)` moves to the first position ≥ target and returns it. It never moves back: a cursor that already
 *   stands at or behind `target` stays. On a new cursor, seek(0) is next(). A target below 0 is as good as 0.
 * - `fill(out)` copies the positions after the current one into `out`, as many as there are and fit, moves to the
 *   last of them, and returns how many. 0 means the end (`out` must hold at least one).
 * - After the end `position` is `END`; `next` and `seek` return END again and again, `fill` returns 0. All are legal.
 * - `remaining` is an upper bound on how many positions are still to come; exact where a list knows its length.
 * - `cost` estimates, in nanoseconds, what reading all of the remaining would take.
 * A cursor is used by one thread. It holds no lock and no pin between calls, and need not be closed.
 */
export const END = 0xffffffff;

export interface PositionCursor {
  readonly position: number;
  next(): number;
  seek(target: number): number;
  fill(out: Uint32Array): number;
  readonly remaining: number;
  readonly cost: number;
}

/** A cursor over a sorted array. */
export class ArrayCursor implements PositionCursor {
  #at = -1;

  constructor(
    readonly positions: Uint32Array,
    readonly count: number = positions.length,
  ) {}

  get position(): number {
    return this.#at < 0 ? -1 : this.#at < this.count ? this.positions[this.#at] : END;
  }

  next(): number {
    if (this.#at < this.count) this.#at++;
    return this.#at < this.count ? this.positions[this.#at] : END;
  }

  seek(target: number): number {
    if (this.#at < 0) this.#at = 0;
    if (this.#at < this.count && this.positions[this.#at] < target) {
      this.#at = gallop(this.positions, target, this.#at + 1, this.count);
    }
    return this.#at < this.count ? this.positions[this.#at] : END;
  }

  fill(out: Uint32Array): number {
    const from = this.#at + 1;
    const count = Math.min(out.length, Math.max(0, this.count - from));
    if (count === 0) {
      this.#at = this.count;
      return 0;
    }
    out.set(this.positions.subarray(from, from + count));
    this.#at = from + count - 1;
    return count;
  }

  get remaining(): number {
    return Math.max(0, this.count - 1 - this.#at);
  }

  get cost(): number {
    return this.remaining;
  }
}

/** A cursor over nothing: before its first position until it is moved, like any other. */
export function emptyCursor(): PositionCursor {
  return new ArrayCursor(nothing);
}

const nothing = new Uint32Array(0);

/** The first index in [from, to) whose value is at least `target`, looking near `from` first. */
export function gallop(values: Uint32Array, target: number, from: number, to: number): number {
  let step = 1;
  let low = from;
  while (low + step < to && values[low + step] < target) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The same where values rise evenly, and the next place may be far: it is guessed from how they rise, and looked for
 * around the guess. In a column that does not fit the caches every place looked at is one waited for.
 */
export function leap(values: Uint32Array, target: number, from: number, to: number): number {
  if (from >= to || values[from] >= target) return from;
  const last = to - 1;
  const span = values[last] - values[from];
  if (target > values[last]) return to;
  // values[from] < target <= values[last]: the span is not 0.
  let guess = (from + ((target - values[from]) / span) * (last - from)) | 0;
  let step = 4;
  if (values[guess] < target) {
    // values[guess] is too small, always; what lies one step on may be.
    while (guess + step < to && values[guess + step] < target) {
      guess += step;
      step *= 2;
    }
    return within(values, target, guess + 1, Math.min(to, guess + step));
  }
  // values[guess] is large enough, always; what lies one step back may be.
  while (guess - step > from && values[guess - step] >= target) {
    guess -= step;
    step *= 2;
  }
  return within(values, target, Math.max(from, guess - step) + 1, guess);
}

/** The first index in [low, high) whose value is at least `target`; `high` if none is. */
function within(values: Uint32Array, target: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
