/**
 * Points to measure spaces with. Words follow Zipf's law (Mandelbrot's: 1 / (rank + 2.7)), 200,000 of them; years are the more frequent the
 * newer; lengths are log-normal, on a logarithmic scale of 64; ranks are even, 256.
 *
 *   documents   a unit has about a hundred different words, and a point for each: coordinates but the word's are the unit's
 *   apart       every point is a unit of its own: nothing can be known of one from another. The hardest there is
 */
export type Scene = "documents" | "apart";

export const vocabulary = 200_000;
/** Of word, year, length, rank; then two more that are even. */
export const maxima = [vocabulary - 1, 99, 63, 255, 1023, 15];

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }
}

class Zipf {
  readonly #sums: Float64Array;
  readonly #first: Uint32Array;

  constructor(readonly count: number) {
    this.#sums = new Float64Array(count);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      sum += 1 / (i + 2.7);
      this.#sums[i] = sum;
    }
    for (let i = 0; i < count; i++) this.#sums[i] /= sum;
    this.#first = new Uint32Array(1 << 16);
    for (let cell = 0, i = 0; cell < 1 << 16; cell++) {
      while (this.#sums[i] < cell / 65_536) i++;
      this.#first[cell] = i;
    }
  }

  draw(random: Random): number {
    const at = random.next();
    let i = this.#first[(at * 65_536) | 0];
    while (i < this.count - 1 && this.#sums[i] < at) i++;
    return i;
  }
}

const zipf = new Zipf(vocabulary);

/** Coordinates of a unit, but for the word. */
function unitOf(random: Random, k: number, out: Uint32Array): void {
  const bell = random.next() + random.next() + random.next() + random.next() - 2;
  for (let d = 1; d < k; d++) {
    if (d === 1) out[d] = Math.floor(Math.sqrt(random.next()) * 100);
    else if (d === 2) out[d] = Math.max(0, Math.min(63, Math.round(28 + bell * 20)));
    else out[d] = random.below(maxima[d] + 1);
  }
}

/** Gives points block by block: a column for each dimension, and the units. */
export function makePoints(
  scene: Scene,
  points: number,
  k: number,
  seed: number,
  give: (columns: Uint32Array[], count: number) => void,
): { units: number } {
  const random = new Random(seed);
  const blockPoints = 1 << 16;
  const columns = Array.from({ length: k + 1 }, () => new Uint32Array(blockPoints));
  const unit = new Uint32Array(k);
  const seen = new Uint32Array(vocabulary);
  let units = 0;
  let filled = 0;
  for (let made = 0; made < points; units++) {
    unitOf(random, k, unit);
    const wanted = scene === "apart" ? 1 : 40 + random.below(121);
    for (let i = 0; i < wanted && made < points; i++) {
      const word = zipf.draw(random);
      if (scene === "documents" && seen[word] === units + 1) continue;
      seen[word] = units + 1;
      columns[0][filled] = word;
      for (let d = 1; d < k; d++) columns[d][filled] = unit[d];
      columns[k][filled] = units;
      made++;
      if (++filled === blockPoints) {
        give(columns, filled);
        filled = 0;
      }
    }
  }
  if (filled > 0) give(columns, filled);
  return { units };
}
