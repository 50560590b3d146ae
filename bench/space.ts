/**
 * Spaces: `npm run bench -- space [--quick] [--points N] [--only size,tried,growth,pagerank]`. Prints bytes for each pointer beside the
 * bound and plain tuples, what questions take, what was tried and rejected, how all of it grows, and PageRank.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Pool } from "../storage/index.js";
import { pageRanks } from "../storage/links/pagerank.js";
import { graphOf } from "../storage/links/table.js";
import { SpaceBuilder } from "../storage/space/builder.js";
import type { SplitRule } from "../storage/space/order.js";
import { SpaceSegment } from "../storage/space/segment.js";
import { Segments } from "../storage/space/space.js";
import type { Box } from "../storage/space/types.js";
import { packings } from "./space-packing.js";
import { makePoints, maxima, Random, type Scene, vocabulary } from "./space-points.js";
import { printTable } from "./table.js";

interface Built {
  space: Segments;
  bytes: number;
  points: number;
  units: number;
  k: number;
  seconds: number;
  /** Bits of a point, if all were drawn apart; and if what belongs to a unit were kept once. */
  entropy: { apart: number; perUnit: number };
  remove(): void;
}

let folder = "";
let serial = 0;
let pool: Pool;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: "boolean" }, points: { type: "string" }, only: { type: "string" } },
  });
  const quick = values.quick ?? false;
  const points = values.points ? Number(values.points) : quick ? 2_000_000 : 20_000_000;
  const only = values.only?.split(",");
  const wants = (part: string) => !only || only.includes(part);
  folder = mkdtempSync(join(tmpdir(), "dugong-bench-space-"));
  pool = Pool.create(1 << 30);
  try {
    if (wants("size")) await sizesAndQueries(points);
    if (wants("tried")) await tried(Math.min(points, quick ? 1_000_000 : 5_000_000));
    if (wants("growth")) await growth(quick, points);
    if (wants("pagerank")) pageRank(quick ? 4_000_000 : 20_000_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(
  scene: Scene,
  points: number,
  k: number,
  options: { leafPoints?: number; rule?: SplitRule } = {},
): Promise<Built> {
  const builder = new SpaceBuilder({ k, folder: join(folder, `runs${++serial}`), ...options });
  const counts = Array.from({ length: k }, (_, d) => new Float64Array(maxima[d] + 1));
  let ms = 0;
  const { units } = makePoints(scene, points, k, 7, (columns, count) => {
    const began = performance.now();
    builder.add(columns, count);
    ms += performance.now() - began;
    for (let d = 0; d < k; d++) for (let i = 0; i < count; i++) counts[d][columns[d][i]]++;
  });
  const path = join(folder, `${++serial}.space`);
  const began = performance.now();
  const bytes = await builder.finish(path);
  ms += performance.now() - began;
  const single = Array.from({ length: k }, (_, d) => d > 0);
  const space = new Segments([new SpaceSegment(pool, path)], single);
  const remove = () => {
    space.close();
    rmSync(path);
  };
  return {
    space,
    bytes,
    points,
    units,
    k,
    seconds: ms / 1000,
    entropy: entropyOf(counts, points, units),
    remove,
  };
}

/** log2(N!) / N: what the order of N points would take, and need not be kept. */
function orderBits(count: number): number {
  return Math.log2(count) - 1 / Math.LN2 + Math.log2(2 * Math.PI * count) / (2 * count);
}

function entropyOf(counts: Float64Array[], points: number, units: number): Built["entropy"] {
  const each = counts.map((own) =>
    own.reduce((sum, n) => (n > 0 ? sum - (n / points) * Math.log2(n / points) : sum), 0),
  );
  const [word, ...others] = each;
  const rest = others.reduce((sum, bits) => sum + bits, 0);
  const unit = Math.log2(units);
  return {
    apart: word + rest + unit - orderBits(points),
    // Of each unit its values, once; of each point its word and its unit.
    perUnit: word + unit - orderBits(points) + (rest * units) / points,
  };
}

const bytesEach = (bits: number) => (bits / 8).toFixed(2);

async function sizesAndQueries(points: number): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const scene of ["documents", "apart"] as const) {
    const built = await build(scene, points, 4);
    const { units, bytes, seconds, entropy } = built;
    const packed = [vocabulary - 1, ...maxima.slice(1, 4), units - 1].reduce(
      (sum, most) => sum + Math.ceil(Math.log2(most + 1)),
      0,
    );
    rows.push([
      scene,
      points,
      units,
      (bytes / points).toFixed(3),
      bytesEach(entropy.apart),
      scene === "documents" ? bytesEach(entropy.perUnit) : "–",
      "20.00",
      bytesEach(packed),
      (points / seconds / 1e6).toFixed(2),
    ]);
    if (scene === "documents") queries(built);
    built.remove();
  }
  printTable(
    `bytes of a pointer, 4 dimensions (word, year, length, rank) and the unit's number; at most 4.5 wanted, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB so far`,
    [
      "units",
      "points",
      "units",
      "bytes",
      "bound",
      "values once",
      "tuples u32",
      "tuples packed",
      "M points/s",
    ],
    rows,
  );
}

function slice(k: number, word: number): Box {
  return {
    low: Uint32Array.of(word, ...new Array(k - 1).fill(0)),
    high: Uint32Array.of(word, ...maxima.slice(1, k)),
  };
}

/** Median and 95th of a hundred, in milliseconds; warm. */
function timed(work: (turn: number) => void): [median: number, late: number] {
  const rounds = 200;
  for (let turn = 0; turn < rounds; turn++) work(turn);
  const times = Array.from({ length: rounds }, (_, turn) => {
    const began = performance.now();
    work(turn);
    return performance.now() - began;
  }).sort((a, b) => a - b);
  return [times[rounds >> 1], times[Math.floor(rounds * 0.95)]];
}

const millis = (ms: number) => ms.toFixed(3);

function queries({ space, k }: Built): void {
  const random = new Random(11);
  const byRank = Float64Array.of(0, 0, 0, 1);
  const newest = Float64Array.of(0, -1, 0, 0.1);
  const near = Float64Array.of(0, 1, 1, 1);
  const frequent = Array.from({ length: 200 }, () => random.below(30));
  const middling = Array.from({ length: 200 }, () => 300 + random.below(2000));
  const rare = Array.from({ length: 200 }, () => 20_000 + random.below(vocabulary - 20_000));
  const between = Array.from({ length: 600 }, () => 40 + random.below(160));
  const everything = { low: new Uint32Array(k), high: Uint32Array.from(maxima.slice(0, k)) };
  const part = { low: Uint32Array.of(100, 20, 10, 0), high: Uint32Array.of(150, 70, 40, 100) };
  const asked: [what: string, limitMs: string, work: (turn: number) => void][] = [
    ["top 10 of a rare word, by rank", "1", (i) => space.top(slice(k, rare[i]), byRank, 10)],
    ["top 10 of a middling word, by rank", "–", (i) => space.top(slice(k, middling[i]), byRank, 10)],
    ["top 10 of a frequent word, by rank", "5", (i) => space.top(slice(k, frequent[i]), byRank, 10)],
    [
      "top 10 of a frequent word, newest, then rank",
      "5",
      (i) => space.top(slice(k, frequent[i]), newest, 10),
    ],
    ["top 10 of a frequent word, three dimensions", "5", (i) => space.top(slice(k, frequent[i]), near, 10)],
    ["count of a frequent word", "–", (i) => void space.count(slice(k, frequent[i]))],
    ["count of all", "–", () => void space.count(everything)],
    ["count of a box of four ranges", "–", () => void space.count(part)],
    [
      "top 10 with three frequent words",
      "5",
      (i) =>
        space.topOfAll(
          [0, 1, 2].map((w) => slice(k, (frequent[i] + w * 7) % 30)),
          byRank,
          10,
        ),
    ],
    [
      "top 10 with three words of ranks 40 to 200",
      "5",
      (i) =>
        space.topOfAll(
          [0, 1, 2].map((w) => slice(k, between[i * 3 + w])),
          byRank,
          10,
        ),
    ],
    [
      "top 10 with a frequent, a middling, a rare word",
      "5",
      (i) => space.topOfAll([slice(k, frequent[i]), slice(k, middling[i]), slice(k, rare[i])], byRank, 10),
    ],
  ];
  const rows = asked.map(([what, limit, work]) => [what, ...timed(work).map(millis), limit]);
  const counts = (words: number[]) => {
    const sizes = words.map((word) => space.count(slice(k, word))).sort((a, b) => a - b);
    return `${sizes[0]} to ${sizes.at(-1)}`;
  };
  printTable(
    `questions, ms (points: rare ${counts(rare)}, middling ${counts(middling)}, frequent ${counts(frequent)})`,
    ["question", "median", "95 of 100", "wanted"],
    rows,
  );
}

async function tried(points: number): Promise<void> {
  const rows: (string | number)[][] = [];
  const settings: [SplitRule, number][] = [
    ["first", 64],
    ["first", 128],
    ["first", 256],
    ["first", 512],
    ["first", 1024],
    ["first-widest", 256],
    ["widest", 256],
    ["bits", 256],
  ];
  const names: Record<SplitRule, string> = {
    first: "word first, then most bits",
    "first-widest": "word first, then widest",
    widest: "widest",
    bits: "most bits",
  };
  const packing: (string | number)[][] = [];
  for (const [rule, leafPoints] of settings) {
    const cells: string[] = [];
    for (const scene of ["documents", "apart"] as const) {
      const built = await build(scene, points, 4, { rule, leafPoints });
      cells.push((built.bytes / points).toFixed(3));
      if (scene === "documents") {
        const byRank = Float64Array.of(0, 0, 0, 1);
        cells.push(millis(timed((i) => built.space.top(slice(4, i % 30), byRank, 10))[0]));
        cells.push(millis(timed((i) => built.space.top(slice(4, 20_000 + i * 800), byRank, 10))[0]));
        const words = (i: number) =>
          [40 + (i % 50), 100 + (i % 50), 150 + (i % 50)].map((word) => slice(4, word));
        cells.push(millis(timed((i) => built.space.topOfAll(words(i), byRank, 10))[0]));
        cells.push((points / built.seconds / 1e6).toFixed(2));
      }
      if (rule === "first" && leafPoints === 256)
        for (const [name, bits] of packings(built.space))
          packing.push([scene, name, (bits / 8 / points).toFixed(3)]);
      built.remove();
    }
    rows.push([names[rule], leafPoints, ...cells]);
  }
  printTable(
    `tried, ${points} points in 4 dimensions: how parts are made, and how large leaves are (chosen: word first, then most bits, 256)`,
    [
      "parted by",
      "leaf",
      "documents, bytes",
      "frequent, ms",
      "rare, ms",
      "three words, ms",
      "M points/s",
      "apart, bytes",
    ],
    rows,
  );
  printTable(
    "tried: how leaves of 256 are packed, bytes a pointer without directory and container",
    ["units", "packing", "bytes"],
    packing,
  );
}

async function growth(quick: boolean, pointsMost: number): Promise<void> {
  const million = 1_000_000;
  const most = pointsMost * 2.5;
  const usual = quick ? [1, 2, 5] : [1, 5, 20, 50];
  const sizes =
    most < million ? [most / 5, most / 2, most] : usual.map((n) => n * million).filter((n) => n <= most);
  const byPoints: (string | number)[][] = [];
  const measured: { points: number; bytes: number; ms: number[] }[] = [];
  const byRank = (k: number) =>
    Float64Array.from({ length: k }, (_, d) => (d === Math.min(3, k - 1) ? 1 : 0));
  const latencies = ({ space, k }: Built) => [
    timed((i) => space.top(slice(k, 20_000 + i * 800), byRank(k), 10))[0],
    timed((i) => space.top(slice(k, i % 30), byRank(k), 10))[0],
    timed((i) =>
      space.topOfAll(
        [40 + (i % 50), 100 + (i % 50), 150 + (i % 50)].map((word) => slice(k, word)),
        byRank(k),
        10,
      ),
    )[0],
  ];
  for (const points of sizes) {
    const built = await build("documents", points, 4);
    const ms = latencies(built);
    measured.push({ points, bytes: built.bytes / points, ms });
    byPoints.push([
      `${points / million} M`,
      built.units,
      (built.bytes / points).toFixed(3),
      bytesEach(built.entropy.apart),
      ...ms.map(millis),
      (points / built.seconds / 1e6).toFixed(2),
    ]);
    built.remove();
  }
  byPoints.push(onPaper(measured));
  printTable(
    "growth with points, 4 dimensions, documents; the last row is what the others come to on paper",
    ["points", "units", "bytes", "bound", "rare, ms", "frequent, ms", "three words, ms", "M points/s"],
    byPoints,
  );
  const byDimensions: (string | number)[][] = [];
  const points = Math.min(pointsMost, quick ? million : 5 * million);
  for (let k = 2; k <= 6; k++) {
    const built = await build("documents", points, k);
    byDimensions.push([
      k,
      (built.bytes / points).toFixed(3),
      bytesEach(built.entropy.apart),
      ...latencies(built).map(millis),
      (points / built.seconds / 1e6).toFixed(2),
    ]);
    built.remove();
  }
  printTable(
    `growth with dimensions, ${points} points (word, year, length, rank, one of 1024, one of 16)`,
    ["dimensions", "bytes", "bound", "rare, ms", "frequent, ms", "three words, ms", "M points/s"],
    byDimensions,
  );
}

/** A billion: straight lines over the logarithm of the number of points, for bytes and times alike. */
function onPaper(measured: { points: number; bytes: number; ms: number[] }[]): (string | number)[] {
  const at = Math.log2(1e9);
  const line = (of: (one: (typeof measured)[number]) => number) => {
    const xs = measured.map(({ points }) => Math.log2(points));
    const ys = measured.map(of);
    const [x, y] = [xs, ys].map((list) => list.reduce((sum, value) => sum + value, 0) / list.length);
    const slope =
      xs.reduce((sum, own, i) => sum + (own - x) * (ys[i] - y), 0) /
      xs.reduce((sum, own) => sum + (own - x) ** 2, 0);
    return y + slope * (at - x);
  };
  const bytes = line((one) => one.bytes);
  return [
    "1000 M",
    "on paper",
    `${bytes.toFixed(3)} (${((bytes * 1e9) / 2 ** 30).toFixed(2)} GiB)`,
    "",
    ...measured[0].ms.map((_, i) => millis(2 ** line((one) => Math.log2(one.ms[i])))),
    "",
  ];
}

function pageRank(links: number): void {
  const pages = links / 10;
  const random = new Random(5);
  const from = new Uint32Array(links);
  const to = new Uint32Array(links);
  for (let i = 0; i < links; i++) {
    from[i] = random.below(pages);
    // Some pages are linked to far more often than others.
    to[i] = Math.floor(random.next() ** 3 * pages);
  }
  const graph = graphOf(from, to, links, pages);
  const { iterations, seconds } = pageRanks(graph);
  const edges = graph.sources.length;
  printTable(
    "PageRank; at least 20 M links a second wanted",
    ["pages", "links", "iterations", "ms each", "M links/s"],
    [
      [
        pages,
        edges,
        iterations,
        ((seconds / iterations) * 1000).toFixed(1),
        ((edges * iterations) / seconds / 1e6).toFixed(1),
      ],
    ],
  );
}
