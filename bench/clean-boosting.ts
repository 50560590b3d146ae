/**
 * Gradient boosting of decision trees for yes-or-no questions with weights and shares of yes, by histograms of at most 64 bins.
 * Small on purpose: it trains what `ingest/clean/model.ts` holds, in minutes.
 */

export interface Boosting {
  trees: number;
  leaves: number;
  rate: number;
  /** The weight of rows, in units of the mean weight, that a leaf has at least. */
  leafWeightMin: number;
  /** Pulls leaves towards 0. */
  ridge: number;
  /** Shares of features and of groups of rows that each tree sees. */
  featureShare: number;
  groupShare: number;
  seed: number;
}

export interface Table {
  rows: Float32Array;
  featureCount: number;
  target: Float32Array;
  weight: Float32Array;
  /** Rows of a page stay together. */
  group: Int32Array;
}

const binsMax = 64;

interface Node {
  feature: number;
  threshold: number;
  left?: Node;
  right?: Node;
  value: number;
}

/** The forest as ingest/clean/trees.ts reads it. */
export function boost(table: Table, options: Boosting): string[] {
  const { featureCount, target, weight, group } = table;
  const count = target.length;
  const random = randomFrom(options.seed);
  const { bins, cuts } = binned(table);
  let total = 0;
  let yes = 0;
  for (let i = 0; i < count; i++) {
    total += weight[i];
    yes += weight[i] * target[i];
  }
  const scale = count / total;
  const base = Math.log(yes / (total - yes));
  const sums = new Float64Array(count).fill(base);
  const gradient = new Float64Array(count);
  const hessian = new Float64Array(count);
  const groups = group.reduce((most, one) => Math.max(most, one), 0) + 1;
  const trees: string[] = [];
  for (let t = 0; t < options.trees; t++) {
    for (let i = 0; i < count; i++) {
      const p = 1 / (1 + Math.exp(-sums[i]));
      const w = weight[i] * scale;
      gradient[i] = w * (p - target[i]);
      hessian[i] = w * Math.max(p * (1 - p), 1e-6);
    }
    const isSeen = Uint8Array.from({ length: groups }, () => (random() < options.groupShare ? 1 : 0));
    const rows: number[] = [];
    for (let i = 0; i < count; i++) if (isSeen[group[i]]) rows.push(i);
    const features: number[] = [];
    for (let f = 0; f < featureCount; f++)
      if (cuts[f].length > 0 && random() < options.featureShare) features.push(f);
    const root = grow(Int32Array.from(rows), features, { bins, cuts, gradient, hessian, count, options });
    apply(root, bins, cuts, count, sums);
    trees.push(written(root));
  }
  return [`${featureCount} ${short(base)}`, ...trees];
}

interface Growing {
  bins: Uint8Array[];
  cuts: number[][];
  gradient: Float64Array;
  hessian: Float64Array;
  count: number;
  options: Boosting;
}

interface Open {
  node: Node;
  rows: Int32Array;
  histogram: Float64Array;
  best: { gain: number; feature: number; bin: number };
}

function grow(rows: Int32Array, features: number[], growing: Growing): Node {
  const { cuts, options, bins } = growing;
  const root: Node = { feature: -1, threshold: 0, value: 0 };
  const open: Open[] = [];
  const add = (node: Node, own: Int32Array, histogram: Float64Array) => {
    node.value = leafValue(histogram, options);
    open.push({ node, rows: own, histogram, best: bestCut(histogram, features, growing) });
  };
  add(root, rows, histogramOf(rows, features, growing));
  for (let leaves = 1; leaves < options.leaves; leaves++) {
    let which = 0;
    for (let i = 1; i < open.length; i++) if (open[i].best.gain > open[which].best.gain) which = i;
    const { node, rows: own, histogram, best } = open[which];
    if (!(best.gain > 1e-6)) break;
    open.splice(which, 1);
    const column = bins[best.feature];
    const left = own.filter((row) => column[row] <= best.bin);
    const right = own.filter((row) => column[row] > best.bin);
    node.feature = best.feature;
    node.threshold = cuts[best.feature][best.bin];
    node.left = { feature: -1, threshold: 0, value: 0 };
    node.right = { feature: -1, threshold: 0, value: 0 };
    const isLeftSmall = left.length < right.length;
    const small = histogramOf(isLeftSmall ? left : right, features, growing);
    const large = histogram;
    for (let i = 0; i < large.length; i++) large[i] -= small[i];
    add(node.left, left, isLeftSmall ? small : large);
    add(node.right, right, isLeftSmall ? large : small);
  }
  return root;
}

/** Gradients and hessians by feature and bin. */
function histogramOf(
  rows: Int32Array,
  features: number[],
  { bins, gradient, hessian }: Growing,
): Float64Array {
  const sums = new Float64Array(features.length * binsMax * 2);
  // Side by side once, not for each feature.
  const g = new Float64Array(rows.length);
  const h = new Float64Array(rows.length);
  for (let r = 0; r < rows.length; r++) {
    g[r] = gradient[rows[r]];
    h[r] = hessian[rows[r]];
  }
  for (let k = 0; k < features.length; k++) {
    const column = bins[features[k]];
    const from = k * binsMax * 2;
    for (let r = 0; r < rows.length; r++) {
      const at = from + column[rows[r]] * 2;
      sums[at] += g[r];
      sums[at + 1] += h[r];
    }
  }
  return sums;
}

function leafValue(histogram: Float64Array, { rate, ridge }: Boosting): number {
  let g = 0;
  let h = 0;
  for (let bin = 0; bin < binsMax; bin++) {
    g += histogram[bin * 2];
    h += histogram[bin * 2 + 1];
  }
  return (-rate * g) / (h + ridge);
}

function bestCut(histogram: Float64Array, features: number[], { cuts, options }: Growing): Open["best"] {
  const { ridge, leafWeightMin } = options;
  const best = { gain: 0, feature: -1, bin: 0 };
  let allG = 0;
  let allH = 0;
  for (let bin = 0; bin < binsMax; bin++) {
    allG += histogram[bin * 2];
    allH += histogram[bin * 2 + 1];
  }
  const whole = (allG * allG) / (allH + ridge);
  for (let k = 0; k < features.length; k++) {
    const from = k * binsMax * 2;
    let g = 0;
    let h = 0;
    for (let bin = 0; bin < cuts[features[k]].length; bin++) {
      g += histogram[from + bin * 2];
      h += histogram[from + bin * 2 + 1];
      if (h < leafWeightMin) continue;
      if (allH - h < leafWeightMin) break;
      const gain = (g * g) / (h + ridge) + ((allG - g) * (allG - g)) / (allH - h + ridge) - whole;
      if (gain > best.gain) {
        best.gain = gain;
        best.feature = features[k];
        best.bin = bin;
      }
    }
  }
  return best;
}

function apply(root: Node, bins: Uint8Array[], cuts: number[][], count: number, sums: Float64Array): void {
  for (let i = 0; i < count; i++) {
    let node = root;
    while (node.left && node.right) {
      const bin = bins[node.feature][i];
      node =
        bin < cuts[node.feature].length && cuts[node.feature][bin] <= node.threshold ? node.left : node.right;
    }
    sums[i] += node.value;
  }
}

/** Columns of bins, and the values between them, chosen so that bins hold about as many rows each. */
function binned({ rows, featureCount, target }: Table): { bins: Uint8Array[]; cuts: number[][] } {
  const count = target.length;
  const bins: Uint8Array[] = [];
  const cuts: number[][] = [];
  for (let f = 0; f < featureCount; f++) {
    const column = new Float32Array(count);
    for (let i = 0; i < count; i++) column[i] = rows[i * featureCount + f];
    const sorted = column.slice().sort();
    const own: number[] = [];
    let last = sorted[0];
    for (let b = 1; b < binsMax; b++) {
      const value = sorted[Math.min(count - 1, Math.floor((b * count) / binsMax))];
      if (value > last) {
        // Half way to the value before it, as it will be written.
        let before = lastBelow(sorted, value);
        before = Number(short((before + value) / 2));
        if (own.length === 0 || before > own[own.length - 1]) own.push(before);
        last = value;
      }
    }
    if (own.length === 0 && sorted[count - 1] > sorted[0])
      own.push(Number(short((sorted[0] + sorted[count - 1]) / 2)));
    const bin = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      let low = 0;
      let high = own.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (column[i] <= Math.fround(own[middle])) high = middle;
        else low = middle + 1;
      }
      bin[i] = low;
    }
    bins.push(bin);
    cuts.push(own);
  }
  return { bins, cuts };
}

function lastBelow(sorted: Float32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return sorted[Math.max(0, low - 1)];
}

function written(node: Node): string {
  if (!node.left || !node.right) return short(node.value);
  return `${node.feature}:${short(node.threshold)} ${written(node.left)} ${written(node.right)}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 2246822519);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
