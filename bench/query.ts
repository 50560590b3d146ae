/**
 * `npm run bench -- query [--quick] [--data FOLDER] [--class NAME …]`: every class of ../shared/oracle/bench-queries.jsonl
 * on the eLife sample, beside what Manatee and CQP took for it; then growth.ts (--quick leaves it out).
 *
 *   hits      as many as are recorded, and the same first five; WRONG if not
 *   count     their number, with one thread and with two; warm, median
 *   list      all matches, begin and end, in order, with one thread and with two
 *   gain      one thread's time by that of two, where one takes more than 20 ms: the middle of pairs of runs
 *   first 50  until the first 50 matches are there
 *   scans     list, as a multiple of a plain scan of the streams that the query asks
 *   MB        bytes of the corpus's files that listing touches
 *   Manatee   its recorded CPU time for counting; CQP: its for storing the matches of its `standard` strategy
 *   ahead     how many times as fast as both: the lesser of Manatee's time by ours for counting, and CQP's by ours for
 *             listing. Beside it the better of the two times by ours for listing: Manatee's lists nothing
 *   plan      what was chosen
 *
 * Below the table: which of the targets (targets.ts) are met. With --data corpora are kept in a folder, and taken from
 * there the next time.
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
import { countAll, disturbed, firstFifty, gainOf, listAll, median, ms, shortPlan } from "./measure.js";
import { best, printTable } from "./table.js";
import { ahead, type ClassTimes, gainFromMs, printTargets, strictlyAhead } from "./targets.js";

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
  const kept = args.includes("--data") ? args[args.indexOf("--data") + 1] : undefined;
  const folder = kept ?? mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const only = args.filter((_, i) => args[i - 1] === "--class");
  try {
    if (existsSync(join(shared, "oracle"))) await benchElife(folder, only);
    else console.log(`no eLife sample in ${shared}: left out`);
    if (!args.includes("--quick") && only.length === 0) await growth(["--data", folder]);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The corpus, encoded if it is not there yet. */
async function makeCorpus(folder: string, corpus: string, input: string): Promise<Snapshot> {
  const data = join(folder, "data");
  const pool = Pool.create(2 ** 31);
  try {
    return openCorpus({ data, corpus, pool });
  } catch {
    await encodeCorpus({ data, corpus, inputs: [input], attributes: ["word", "lemma", "tag"], workers: 2 });
    return openCorpus({ data, corpus, pool });
  }
}

async function benchElife(folder: string, only: string[]): Promise<void> {
  const lines = readFileSync(join(shared, "oracle/bench-queries.jsonl"), "utf8").split("\n");
  const queries = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as BenchQuery);
  const snapshot = await makeCorpus(folder, "elife", join(shared, "data/elife20m.vert.gz"));
  const engines = { one: new Engine(snapshot, 1), two: new Engine(snapshot, 2) };
  const scans = scanTimes(snapshot);
  const rows: string[][] = [];
  const all: ClassTimes[] = [];
  for (const query of queries) {
    if (only.length > 0 && !only.includes(query.class)) continue;
    const measured = await measureQuery(engines, query.query);
    const scanMs = measured.attributes.reduce((sum, name) => sum + (scans.get(name) ?? 0), 0);
    const wrong = checkHits(query, measured.hits, measured.first5);
    const times: ClassTimes = {
      ...measured,
      name: query.class,
      scanMs,
      manateeMs: query.manateeCpuMs,
      cqpMs: query.cqpCpuMs,
      wrong: wrong !== undefined,
      checked: query.hits !== undefined,
    };
    all.push(times);
    rows.push([
      query.class,
      wrong ?? `${measured.hits}${query.hits === undefined ? " ?" : ""}`,
      ms(times.countMs),
      ms(times.twoCountMs),
      gain(times.countGain),
      ms(times.listMs),
      ms(times.twoListMs),
      gain(times.listGain),
      ms(times.firstMs),
      scanMs > 0 ? (times.listMs / scanMs).toFixed(2) : "",
      (measured.bytes / 1e6).toFixed(2),
      times.manateeMs === undefined ? "" : ms(times.manateeMs),
      times.cqpMs === undefined ? "" : ms(times.cqpMs),
      `${ahead(times).toFixed(1)}×`,
      `${strictlyAhead(times).toFixed(1)}×`,
      measured.plan,
    ]);
  }
  const columns = [
    "eLife, ms",
    "hits",
    "count",
    "2 threads",
    "gain",
    "list",
    "2 threads",
    "gain",
    "first 50",
    "scans",
    "MB",
    "Manatee",
    "CQP",
    "ahead",
    "better/list",
    "plan",
  ];
  printTable("queries on 20.0 M tokens, warm, medians (? : no number is recorded)", columns, rows);
  printTargets(all);
  if (disturbed.length > 0)
    console.log(`  ${disturbed.length} times of two threads were taken while others used the processors`);
  await engines.two.close();
  await snapshot.close();
}

/** How much two threads bring, where it takes long enough to matter. */
const gain = (value: number | undefined) => (value === undefined ? "" : `${value.toFixed(2)}×`);

function checkHits({ hits, first5 }: BenchQuery, found: number, foundFirst: string[]): string | undefined {
  if (hits !== undefined && hits !== found) return `WRONG: ${found}, not ${hits}`;
  if (first5 && first5.join() !== foundFirst.join()) return `WRONG: ${foundFirst.join()}`;
  return undefined;
}

interface Measured extends Omit<ClassTimes, "name" | "scanMs" | "wrong" | "checked"> {
  hits: number;
  first5: string[];
  bytes: number;
  plan: string;
  attributes: string[];
}

async function measureQuery(engines: { one: Engine; two: Engine }, query: string): Promise<Measured> {
  const { one, two } = engines;
  let hits = 0;
  const list = async (engine: Engine): Promise<number> => {
    const listed = await listAll(engine, query);
    hits = listed.count;
    return listed.ms;
  };
  const listMs = await median(() => list(one));
  const countMs = await median(() => countAll(one, query));
  const firstMs = await median(() => firstFifty(one, query));
  const before = one.snapshot.pool.bytesAcquired;
  await list(one);
  const bytes = one.snapshot.pool.bytesAcquired - before;
  const prepared = one.prepare(query);
  const plan = shortPlan(planOf(prepared.source));
  const attributes = [...new Set(attributesOf(prepared.source))];
  const first5: string[] = [];
  for await (const { base, begins, ends, count } of one.run(prepared)) {
    for (let i = 0; i < count && first5.length < 5; i++) first5.push(`${base + begins[i]}-${base + ends[i]}`);
    if (first5.length === 5) break;
  }
  prepared.ground.release();
  const twoListMs = await median(() => list(two));
  const twoCountMs = await median(() => countAll(two, query));
  const gains = {
    ...(listMs > gainFromMs && {
      listGain: await gainOf(
        () => list(one),
        () => list(two),
      ),
    }),
    ...(countMs > gainFromMs && {
      countGain: await gainOf(
        () => countAll(one, query),
        () => countAll(two, query),
      ),
    }),
  };
  return { hits, first5, listMs, countMs, firstMs, twoListMs, twoCountMs, ...gains, bytes, plan, attributes };
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
    const seconds = best(5, () => scanOnce(snapshot, attribute));
    times.set(attribute.name, seconds * 1000);
    console.log(`a plain scan of ${attribute.name}: ${ms(seconds * 1000)} ms`);
  }
  return times;
}

function scanOnce(snapshot: Snapshot, attribute: Attribute): void {
  const ground = new Ground(snapshot);
  const { arena } = ground;
  const table = arena.zeroed(Math.max(64, Math.ceil(attribute.lexicon.size / 4)));
  const classes = arena.allocate(1 << 16);
  for (let from = 0; from < snapshot.tokens; from += 1 << 16) {
    const to = Math.min(snapshot.tokens, from + (1 << 16));
    ground.classify(attribute, Islands.one(from, to), table, classes);
  }
  ground.release();
}
