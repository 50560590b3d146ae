/**
 * Measures of association: how much more (or how much more surely) a collocate stands near the hits than by chance.
 *
 *   fAB   lines (hits) with the collocate in their window; its occurrences there where each is counted
 *   fA    occurrences of the collocate in the corpus, or in the subcorpus
 *   fB    hits
 *   N     tokens of the corpus, or of the subcorpus
 *   W     tokens in the windows of all hits together; one that lies in two windows counts twice
 *   E     = fA · fB / N, what is expected by chance
 *   x(v)  = v · ln v; 0 where v ≤ 0
 *
 *   T               (fAB − E) / √fAB
 *   MI              log2(fAB / E)
 *   MI3             log2(fAB³ / E)
 *   MI.log-f        MI · ln(fAB + 1)
 *   logLikelihood   2 · (x(fAB) + x(fA − fAB) + x(fB − fAB) + x(N) + x(N + fAB − fA − fB)
 *                   − x(fA) − x(fB) − x(N − fA) − x(N − fB))
 *   minSensitivity  min(fAB / fA, fAB / fB)
 *   Dice            2 · fAB / (fA + fB)
 *   logDice         14 + log2(Dice)
 *   relative        100 · fAB / fA
 *   logRatio        log2((fAB / W) / (max(fA − fAB, ½) / (N − W)))
 *   zScore          (fAB − E) / √E
 *   deltaP1         fAB / fB − (fA − fAB) / (N − fB)
 *   deltaP2         fAB / fA − (fB − fAB) / (N − fA)
 *
 * Windows that overlap see the same token more than once, so fAB may be above fA. A score that has no value (a division
 * of nothing by nothing, windows larger than the corpus) is NaN.
 */

export interface Measure {
  /** What it says, in one sentence. */
  about: string;
  formula: string;
  score(fAB: number, fA: number, fB: number, N: number, W: number): number;
}

const xlnx = (v: number): number => (v > 0 ? v * Math.log(v) : 0);
const finite = (score: number): number => (Number.isFinite(score) ? score : Number.NaN);
const expected = (fA: number, fB: number, N: number): number => (fA * fB) / N;
const mutualInformation = (fAB: number, fA: number, fB: number, N: number): number =>
  Math.log2(fAB / expected(fA, fB, N));
const dice = (fAB: number, fA: number, fB: number): number => (2 * fAB) / (fA + fB);

/** The one table of them. People are told what is in it. */
export const measures = {
  logDice: {
    about:
      "typical partners; does not depend on the size of the corpus, at most 14 where windows do not overlap",
    formula: "14 + log2(2·fAB / (fA + fB))",
    score: (fAB, fA, fB) => 14 + Math.log2(dice(fAB, fA, fB)),
  },
  MI: {
    about: "how strongly two words attract each other; prefers rare words",
    formula: "log2(fAB / E)",
    score: mutualInformation,
  },
  MI3: {
    about: "as MI, with more weight on what occurs together often",
    formula: "log2(fAB³ / E)",
    score: (fAB, fA, fB, N) => Math.log2((fAB * fAB * fAB) / expected(fA, fB, N)),
  },
  "MI.log-f": {
    about: "MI times the logarithm of the frequency, so that rare words do not come first",
    formula: "MI · ln(fAB + 1)",
    score: (fAB, fA, fB, N) => mutualInformation(fAB, fA, fB, N) * Math.log(fAB + 1),
  },
  T: {
    about: "how sure it is that there is an attraction at all; prefers frequent words",
    formula: "(fAB − E) / √fAB",
    score: (fAB, fA, fB, N) => (fAB - expected(fA, fB, N)) / Math.sqrt(fAB),
  },
  zScore: {
    about: "by how many standard deviations there are more than expected; prefers rare words",
    formula: "(fAB − E) / √E",
    score: (fAB, fA, fB, N) => (fAB - expected(fA, fB, N)) / Math.sqrt(expected(fA, fB, N)),
  },
  logLikelihood: {
    about: "how unlikely it is that chance alone brings them together so often, or so seldom",
    formula: "2·(x(fAB) + x(fA−fAB) + x(fB−fAB) + x(N) + x(N+fAB−fA−fB) − x(fA) − x(fB) − x(N−fA) − x(N−fB))",
    score: (fAB, fA, fB, N) =>
      2 *
      (xlnx(fAB) +
        xlnx(fA - fAB) +
        xlnx(fB - fAB) +
        xlnx(N) +
        xlnx(N + fAB - fA - fB) -
        xlnx(fA) -
        xlnx(fB) -
        xlnx(N - fA) -
        xlnx(N - fB)),
  },
  minSensitivity: {
    about:
      "the smaller of two shares: of the hits that have the collocate, of the collocate that is near hits",
    formula: "min(fAB / fA, fAB / fB)",
    score: (fAB, fA, fB) => Math.min(fAB / fA, fAB / fB),
  },
  Dice: {
    about: "twice what they share, by what they have together",
    formula: "2·fAB / (fA + fB)",
    score: dice,
  },
  relative: {
    about: "how many percent of the collocate's occurrences are near a hit",
    formula: "100 · fAB / fA",
    score: (fAB, fA) => (100 * fAB) / fA,
  },
  logRatio: {
    about: "how often the relative frequency doubles from outside the windows to inside; see --confidence",
    formula: "log2((fAB / W) / (max(fA − fAB, ½) / (N − W)))",
    score: (fAB, fA, _fB, N, W) => (W < N ? Math.log2(fAB / W / (outside(fAB, fA) / (N - W))) : Number.NaN),
  },
  deltaP1: {
    about: "how much more likely the collocate is near a hit than elsewhere",
    formula: "fAB / fB − (fA − fAB) / (N − fB)",
    score: (fAB, fA, fB, N) => fAB / fB - (fA - fAB) / (N - fB),
  },
  deltaP2: {
    about: "how much more likely a hit is near the collocate than elsewhere",
    formula: "fAB / fA − (fB − fAB) / (N − fA)",
    score: (fAB, fA, fB, N) => fAB / fA - (fB - fAB) / (N - fA),
  },
} satisfies Record<string, Measure>;

export type MeasureName = keyof typeof measures;

export const measureNames = Object.keys(measures) as MeasureName[];

export function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(measures, name);
}

/** A score, or NaN where there is none. */
export function score(name: MeasureName, fAB: number, fA: number, fB: number, N: number, W: number): number {
  const { score: of }: Measure = measures[name];
  return finite(of(fAB, fA, fB, N, W));
}

/** Occurrences outside the windows: half a one where all are inside, so that there is a ratio. */
function outside(fAB: number, fA: number): number {
  return Math.max(fA - fAB, 0.5);
}

/**
 * How far the true logRatio may lie from the one that is computed, to each side: z standard errors of the logarithm of a
 * ratio of two shares,
 *
 *   z / ln 2 · √(1/fAB − 1/W + 1/max(fA − fAB, ½) − 1/(N − W)).
 *
 * Where the interval has 0 in it, the word may as well be as frequent outside.
 */
export function logRatioMargin(z: number, fAB: number, fA: number, N: number, W: number): number {
  if (!(W < N)) return Number.NaN;
  return (z / Math.LN2) * Math.sqrt(Math.max(0, 1 / fAB - 1 / W + 1 / outside(fAB, fA) - 1 / (N - W)));
}

/**
 * How many standard errors to allow, so that with this confidence (0.95) none of so many collocates passes by chance:
 * each is tested at the level 1 − confidence^(1 / tests) (Šidák's correction).
 */
export function standardErrors(confidence: number, tests: number): number {
  const tail = -Math.expm1(Math.log(confidence) / Math.max(1, tests)) / 2;
  let [low, high] = [0, 40];
  for (let round = 0; round < 80; round++) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The share of a normal distribution above z ≥ 0. */
function upperTail(z: number): number {
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    // ½ − density · (z + z³/3 + z⁵/(3·5) + …)
    let [term, sum] = [z, z];
    for (let n = 3; term > sum * 1e-17; n += 2) {
      term *= (z * z) / n;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  // density / (z + 1/(z + 2/(z + 3/…)))
  let below = z;
  for (let n = 120; n > 0; n--) below = z + n / below;
  return density / below;
}
