/**
 * `npm run bench -- encode [--quick] [--large]`: encoding speed with 1 and 2 workers, size by part beside the entropy
 * of each stream, memory, and the speed of reading. On the eLife sample in ../shared and on 100 M generated tokens
 * (10 M with --quick; 300 M as well with --large).
 */
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import type { Manifest } from "../storage/catalog/manifest.js";
import { type Attribute, describeCorpus, openCorpus, Pool, type Snapshot } from "../storage/index.js";
import { Ceiling } from "./ceiling.js";
import { generate } from "./generate.js";
import { best, printTable } from "./table.js";

interface Encoded {
  tokens: number;
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
  phases: Record<string, number>;
  manifest: Manifest;
}

const elife = fileURLToPath(new URL("../../../shared/data/elife20m.vert.gz", import.meta.url));

export async function run(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  try {
    if (existsSync(elife)) await benchElife(folder);
    else console.log(`no eLife sample at ${elife}: left out`);
    await benchGenerated(
      folder,
      args.includes("--quick") ? [10] : args.includes("--large") ? [100, 300] : [100],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function encode(folder: string, corpus: string, input: string, workers: number): Encoded {
  // Nothing is there that would have to be removed.
  rmSync(join(folder, "data"), { recursive: true, force: true });
  const child = fileURLToPath(new URL("./encode-child.js", import.meta.url));
  const output = execFileSync(
    process.execPath,
    [child, join(folder, "data"), corpus, input, "word,lemma,tag", String(workers)],
    { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] },
  );
  return JSON.parse(output.toString()) as Encoded;
}

const millions = (value: number) => (value / 1e6).toFixed(2);

function speedRow(name: string, result: Encoded, gains?: number[]): string[] {
  const phases = Object.entries(result.phases);
  const lasted = phases.map(
    ([phase, began], i) => [phase, (phases[i + 1]?.[1] ?? result.seconds) - began] as const,
  );
  return [
    name,
    result.seconds.toFixed(2),
    result.cpuSeconds.toFixed(2),
    millions(result.tokens / result.seconds),
    gains ? `${gains[gains.length >> 1].toFixed(2)}×` : "",
    `${(result.peakBytes / 2 ** 20).toFixed(0)} MB`,
    lasted
      .filter(([phase]) => phase !== "done")
      .map(([phase, seconds]) => `${phase} ${seconds.toFixed(2)}`)
      .join(" "),
  ];
}

interface Compared {
  one: Encoded;
  two: Encoded;
  /** One worker's time by that of two, and what two threads bring that only compute; smallest first. */
  gains: number[];
  ceilings: number[];
}

/**
 * One worker and two, in pairs, one run right behind the other: the machine is not equally fast at all times. Of each the
 * run in the middle.
 */
async function compare(rounds: number, run: (workers: number) => Encoded): Promise<Compared> {
  const ceiling = new Ceiling();
  await ceiling.warm();
  const pairs: [Encoded, Encoded][] = [];
  const ceilings: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ceilings.push(await ceiling.gain());
    pairs.push([run(1), run(2)]);
  }
  await ceiling.close();
  const middle = (at: 0 | 1) => {
    const sorted = pairs.map((pair) => pair[at]).sort((a, b) => a.seconds - b.seconds);
    return sorted[sorted.length >> 1];
  };
  const ascending = (values: number[]) => values.sort((a, b) => a - b);
  return {
    one: middle(0),
    two: middle(1),
    gains: ascending(pairs.map(([one, two]) => one.seconds / two.seconds)),
    ceilings: ascending(ceilings),
  };
}

function printGains({ gains, ceilings }: Compared): void {
  const [gain, ceiling] = [gains, ceilings].map((values) => {
    const [least, middle, most] = [values[0], values[values.length >> 1], values[values.length - 1]];
    return `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  });
  console.log(
    `  2 workers by 1, the middle of ${gains.length} pairs: ${gain}; two threads that only compute, between them: ${ceiling}`,
  );
}

const speedColumns = ["encoding", "s", "CPU s", "M tokens/s", "vs 1 worker", "peak", "phases (s)"];

async function benchElife(folder: string): Promise<void> {
  const plain = join(folder, "elife.vert");
  await pipeline(createReadStream(elife), createGunzip(), createWriteStream(plain));
  const compared = await compare(9, (workers) => encode(folder, "elife", plain, workers));
  const compressed = encode(folder, "elife", elife, 2);
  printTable(
    "eLife, 20.0 M tokens, 3 attributes, 5 structures, vertical text to published corpus",
    speedColumns,
    [
      speedRow("plain text, 1 worker", compared.one),
      speedRow("plain text, 2 workers", compared.two, compared.gains),
      speedRow("gzip, 2 workers", compressed),
    ],
  );
  printGains(compared);
  rmSync(plain);
  const snapshot = openCorpus({ data: join(folder, "data"), corpus: "elife" });
  printSizes(snapshot);
  benchReading(snapshot);
  await snapshot.close();
}

/** Bytes per token of each part, beside the entropy of the stream it holds. */
function printSizes(snapshot: Snapshot): void {
  const { parts, bytes, tokens } = describeCorpus(snapshot.manifest);
  const entropies = new Map(
    snapshot.attributes.map((attribute) => [`${attribute.name}.stream`, entropyOf(attribute, tokens) / 8]),
  );
  const rows = Object.entries(parts)
    .filter(([, size]) => size / tokens >= 0.001)
    .sort((a, b) => b[1] - a[1])
    .map(([part, size]) => [part, (size / tokens).toFixed(3), entropies.get(part)?.toFixed(3) ?? ""]);
  rows.push(["everything", (bytes / tokens).toFixed(3), ""]);
  printTable(`size of ${snapshot.corpus} in bytes per token`, ["part", "stored", "entropy"], rows);
}

/** Bits per token if each token were coded alone by its frequency. */
function entropyOf(attribute: Attribute, tokens: number): number {
  let bits = 0;
  for (const frequency of attribute.lexicon.frequencies) {
    if (frequency > 0) bits -= (frequency / tokens) * Math.log2(frequency / tokens);
  }
  return bits;
}

async function benchGenerated(folder: string, sizes: number[]): Promise<void> {
  const rows: string[][] = [];
  const all: Compared[] = [];
  for (const size of sizes) {
    const path = join(folder, "generated.vert");
    generate(path, size * 1e6);
    const name = `generated${size}`;
    const run = (workers: number) => encode(folder, name, path, workers);
    if (size <= 100) {
      const compared = await compare(3, run);
      all.push(compared);
      rows.push(speedRow(`${size} M tokens, 1 worker`, compared.one));
      rows.push(speedRow(`${size} M tokens, 2 workers`, compared.two, compared.gains));
    } else rows.push(speedRow(`${size} M tokens, 2 workers`, run(2)));
    rmSync(path);
  }
  printTable("generated corpus, 1 M word types, 3 attributes, 4 structures", speedColumns, rows);
  for (const compared of all) printGains(compared);
  const corpus = `generated${sizes[sizes.length - 1]}`;
  const openings: number[] = [];
  for (let i = 0; i < 10; i++) {
    const began = performance.now();
    const snapshot = openCorpus({ data: join(folder, "data"), corpus, pool: Pool.create(64 << 20) });
    snapshot.attribute("word").lexicon.find("the");
    openings.push(performance.now() - began);
    await snapshot.close();
  }
  console.log(
    `\nopening ${corpus} and looking up a word: first ${openings[0].toFixed(1)} ms, best ${Math.min(...openings).toFixed(1)} ms`,
  );
  const snapshot = openCorpus({ data: join(folder, "data"), corpus, pool: Pool.create(2 ** 31) });
  printSizes(snapshot);
  benchReading(snapshot);
  await snapshot.close();
}

/** Streams, long lists and single positions, warm, on one core, beside what copying memory takes. */
function benchReading(snapshot: Snapshot): void {
  const rows: string[][] = [];
  const { pool } = snapshot;
  const out = pool.lend(512 * 1024);
  const rate = (count: number, seconds: number) => (count / seconds / 1e6).toFixed(0);
  for (const { name } of snapshot.attributes) {
    const attribute = snapshot.attribute(name);
    const decode = () => {
      for (const segment of snapshot.segments) {
        const { column } = segment.stream(attribute) as unknown as {
          column: import("../storage/column/reader.js").Column;
        };
        for (let from = 0; from < column.count; )
          from += column.decode(from, column.count, out.byteOffset).count;
      }
    };
    decode();
    rows.push([`decode the ${name} stream, M ids/s`, rate(snapshot.tokens, best(5, decode))]);
  }
  const word = snapshot.attribute("word");
  for (const id of [0, 1, 10]) {
    const read = () => {
      for (const segment of snapshot.segments) {
        const cursor = segment.positions(word, id);
        while (cursor.fill(out) > 0) {}
      }
    };
    read();
    const count = word.lexicon.frequency(id);
    rows.push([
      `list of ${JSON.stringify(word.lexicon.string(id))} (${count}), M positions/s`,
      rate(count, best(5, read)),
    ]);
  }
  const positions = new Float64Array(1 << 20);
  let state = 1;
  for (let i = 0; i < positions.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    positions[i] = Math.floor((state / 2 ** 32) * snapshot.tokens);
  }
  let sum = 0;
  // Anywhere in the whole corpus, in no order: one by one each read waits for memory, in batches many do at once.
  const stream = snapshot.stream(word);
  const ids = new Uint32Array(positions.length);
  const batched = () => stream.gather(positions, ids);
  const single = () => {
    for (let i = 0; i < positions.length; i++) sum += stream.at(positions[i]);
  };
  const [segment] = snapshot.segments;
  const inside = Uint32Array.from(positions, (position) => position % segment.tokens);
  const own = segment.stream(word);
  const singleInside = () => {
    for (let i = 0; i < inside.length; i++) sum += own.at(inside[i]);
  };
  for (const [what, read] of [
    ["random reads, one by one", single],
    ["random reads, one by one, in one segment", singleInside],
    ["random reads, batched", batched],
  ] as const) {
    read();
    rows.push([`${what}, M reads/s`, (positions.length / best(5, read) / 1e6).toFixed(1)]);
  }
  const source = new Uint32Array(64 << 18);
  const target = new Uint32Array(64 << 18);
  source.fill(sum >>> 0);
  target.set(source);
  rows.push([
    "copying memory (64 MB), M integers/s",
    rate(
      source.length,
      best(5, () => target.set(source)),
    ),
  ]);
  const small = source.subarray(0, 65_536);
  const copies = () => {
    for (let i = 0; i < 256; i++) target.set(small, (i & 1) * 65_536);
  };
  copies();
  rows.push(["copying memory (256 KB), M integers/s", rate(small.length * 256, best(5, copies))]);
  printTable(`reading ${snapshot.corpus}, warm, one core`, ["", ""], rows);
  pool.restore(out);
}
