/** A thread that computes sketches: one order after the other. */
import { workerData } from "node:worker_threads";
import { attachSnapshot, type Manifest, Pool, type PoolHandle } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import { readSketchGrammar } from "./grammar.js";
import { Heads, type SharedHeads } from "./heads.js";
import { answerOrders } from "./orders.js";
import { Workplace } from "./workplace.js";

interface Start {
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  folder: string;
  manifest: Manifest;
  grammar: string;
  grammarName: string;
  heads: SharedHeads;
}

const start = workerData as Start;
useKernels(start.kernels);
const snapshot = attachSnapshot(Pool.attach(start.pool), start.folder, start.manifest);
const grammar = readSketchGrammar(start.grammar, { name: start.grammarName });
answerOrders(new Workplace(snapshot, new Heads(snapshot, start.heads), grammar));
