/** Asks one query of bench/growth.ts of one corpus, in a process of its own: prints one JSON document. */
import { Engine, planOf } from "../ql/index.js";
import { openCorpus, Pool } from "../storage/index.js";
import { firstFifty, listAll, median, shortPlan } from "./measure.js";

const [data, corpus, query] = process.argv.slice(2);
const snapshot = await openCorpus({ data, corpus, pool: Pool.create(2 ** 31) });
const engine = new Engine(snapshot, 1);

/** Larger than the caches of processors are. */
const others = new Float64Array((256 << 20) / 8).fill(1);
let sum = 0;

/** What the caches of the processor had is gone then, as if other queries had been asked in between. */
function sweep(): void {
  for (let i = 0; i < others.length; i += 8) sum += others[i];
}

let hits = 0;
const list = async () => {
  const { ms, count } = await listAll(engine, query);
  hits = count;
  return ms;
};
const atOnceMs = await median(list);
const amongOthersMs = await median(() => {
  sweep();
  return list();
});
const firstMs = await median(() => firstFifty(engine, query));
const prepared = engine.prepare(query);
const plan = shortPlan(planOf(prepared.source));
console.log(JSON.stringify({ hits, atOnceMs, amongOthersMs, firstMs, plan, sum }));
await snapshot.close();
process.exit(0);
