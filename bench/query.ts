/**
 * `npm run bench -- query [--quick] [--class NAME]`: every class of ../shared/oracle/bench-queries.jsonl on the eLife
 * sample, beside what Manatee and CQP took for it; then growth.ts (--quick leaves it out).
 *
 *   list    all matches, begin and end, in order; one thread, warm, median
 *   count   only their number
 *   first   until the first 50 are there
 *   scans   list, as a multiple of a plain scan of the streams that the query asks
 *   peer    the better of Manatee's CPU time (counting) and CQP's (storing), as recorded
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine, planOf } from "../ql/index.js";
import { Ground, Islands } from "../ql/match/ground.js";
import type { Source } from "../ql/match/source.js";
import type { Atom } from "../ql/plan/tests.js";
import { type Attribute, encodeCorpus, openCorpus, Pool, type Snapshot } from "../storage/index.js";
import { run as growth } from "./growth.js";
import { countAll, firstFifty, listAll, median, ms, shortPlan } from "./measure.js";
import { printTable } from "./table.js";

interface BenchQuery {
  class: string;
  query: string;
  hits?: number;
  first5?: string[];
  manateeCpuMs?: number;
  cqpCpuMs?: number;
}

const shared = fileURLToPath(new URL("../../../shared/", import.meta.url));

export async function run(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const only = args.includes("--class") ? args[args.indexOf("--class") + 1] : undefined;
  try {
    if (existsSync(join(shared, "oracle"))) await benchElife(folder, only);
    else console.log(`no eLife sample in ${shared}: left out`);
    if (!args.includes("--quick") && !only) await growth(["--data", folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeCorpus(folder: string, corpus: string, input: string): Promise<Snapshot> {
  const data = join(folder, "data");
  await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "lemma", "tag"], workers: 2 });
  return openCorpus({ data, corpus, pool: Pool.create(2 ** 31) });
}

async function benchElife(folder: string, only: string | undefined): Promise<void> {
  const lines = readFileSync(join(shared, "oracle/bench-queries.jsonl"), "utf8").split("\n");
  const queries = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as BenchQuery);
  const snapshot = await makeCorpus(folder, "elife", join(shared, "data/elife20m.vert.gz"));
  const engines = { one: new Engine(snapshot, 1), two: new Engine(snapshot, 2) };
  const scans = scanTimes(snapshot);
  const rows: string[][] = [];
  const ratios = { list: [] as number[], count: [] as number[] };
  for (const query of queries) {
    if (only !== undefined && query.class !== only) continue;
    const measured = await measureQuery(engines, query.query);
    const wrong = checkHits(query, measured.hits, measured.first5);
    const peer = Math.min(
      query.manateeCpuMs ?? Number.POSITIVE_INFINITY,
      query.cqpCpuMs ?? Number.POSITIVE_INFINITY,
    );
    const scan = measured.attributes.reduce((sum, name) => sum + (scans.get(name) ?? 0), 0);
    ratios.list.push(peer / measured.listMs);
    ratios.count.push(peer / measured.countMs);
    rows.push([
      query.class,
      wrong ?? String(measured.hits),
      ms(measured.listMs),
      ms(measured.countMs),
      ms(measured.firstMs),
      ms(measured.twoMs),
      gain(measured.listMs, measured.twoMs),
      gain(measured.countMs, measured.twoCountMs),
      scan > 0 ? (measured.listMs / scan).toFixed(2) : "",
      `${(measured.bytes / 1e6).toFixed(2)}`,
      ms(peer),
      `${(peer / measured.listMs).toFixed(1)}×`,
      measured.listMs > peer && (measured.listMs > 0.3 || peer > 0.3) ? "slower" : "",
      measured.plan,
    ]);
  }
  const columns = [
    "eLife, ms",
    "hits",
    "list",
    "count",
    "first 50",
    "2 threads",
    "gain",
    "count",
    "scans",
    "MB",
    "peer",
    "peer/list",
    "",
    "plan",
  ];
  printTable("queries on 20.0 M tokens, one thread, warm, medians", columns, rows);
  console.log(
    `\ngeometric mean of peer/list ${mean(ratios.list).toFixed(2)}, of peer/count ${mean(ratios.count).toFixed(2)}`,
  );
  await engines.two.close();
  await snapshot.close();
}

/** How much two threads bring, where it takes long enough to matter. */
const gain = (one: number, two: number) => (one > 20 ? `${(one / two).toFixed(2)}×` : "");
const mean = (values: number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

function checkHits({ hits, first5 }: BenchQuery, found: number, foundFirst: string[]): string | undefined {
  if (hits !== undefined && hits !== found) return `WRONG: ${found}, not ${hits}`;
  if (first5 && first5.join() !== foundFirst.join()) return `WRONG: ${foundFirst.join()}`;
  return undefined;
}

interface Measured {
  hits: number;
  first5: string[];
  listMs: number;
  countMs: number;
  firstMs: number;
  twoMs: number;
  twoCountMs: number;
  bytes: number;
  plan: string;
  attributes: string[];
}

async function measureQuery(engines: { one: Engine; two?: Engine }, query: string): Promise<Measured> {
  const { one, two } = engines;
  const first: string[] = [];
  let hits = 0;
  const list = async (engine: Engine): Promise<number> => {
    const listed = await listAll(engine, query);
    hits = listed.count;
    return listed.ms;
  };
  const listMs = await median(() => list(one));
  const counting = (engine: Engine) => countAll(engine, query);
  const countMs = await median(() => counting(one));
  const firstMs = await median(() => firstFifty(one, query));
  const before = one.snapshot.pool.bytesAcquired;
  await list(one);
  const bytes = one.snapshot.pool.bytesAcquired - before;
  const prepared = one.prepare(query);
  const plan = planOf(prepared.source);
  const attributes = [...new Set(attributesOf(prepared.source))];
  for await (const { base, begins, ends, count } of one.run(prepared)) {
    for (let i = 0; i < count && first.length < 5; i++) first.push(`${base + begins[i]}-${base + ends[i]}`);
    if (first.length === 5) break;
  }
  prepared.ground.release();
  const twoMs = two ? await median(() => list(two)) : Number.NaN;
  const twoCountMs = two ? await median(() => counting(two)) : Number.NaN;
  return {
    hits,
    first5: first,
    listMs,
    countMs,
    firstMs,
    twoMs,
    twoCountMs,
    bytes,
    plan: shortPlan(plan),
    attributes,
  };
}

/** The attributes whose streams a query asks. */
function attributesOf(source: Source): string[] {
  const atoms = (source as { atoms?: readonly Atom[] }).atoms ?? [];
  return [
    ...atoms.flatMap((atom) =>
      atom.kind === "ids"
        ? [atom.attribute.name]
        : atom.kind === "same"
          ? [atom.left.name, atom.right.name]
          : [],
    ),
    ...source.inputs.flatMap(attributesOf),
  ];
}

/** Reading each stream once, and looking every id up in a table of classes: the least that a scan does. */
function scanTimes(snapshot: Snapshot): Map<string, number> {
  const times = new Map<string, number>();
  for (const attribute of snapshot.attributes) {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) best = Math.min(best, scanOnce(snapshot, attribute));
    times.set(attribute.name, best);
    console.log(`a plain scan of ${attribute.name}: ${ms(best)} ms`);
  }
  return times;
}

function scanOnce(snapshot: Snapshot, attribute: Attribute): number {
  const ground = new Ground(snapshot);
  const { arena } = ground;
  const table = arena.zeroed(Math.max(64, Math.ceil(attribute.lexicon.size / 4)));
  const classes = arena.allocate(1 << 16);
  const began = performance.now();
  for (let from = 0; from < snapshot.tokens; from += 1 << 16) {
    const to = Math.min(snapshot.tokens, from + (1 << 16));
    ground.classify(attribute, Islands.one(from, to), table, classes);
  }
  const took = performance.now() - began;
  ground.release();
  return took;
}
