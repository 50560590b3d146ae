/** A thread that computes a thesaurus: one order after the other. */

import { workerData } from "node:worker_threads";
import { attachSnapshot, type Manifest, Pool, type PoolHandle } from "../../../storage/index.js";
import { useKernels } from "../../../storage/kernels/index.js";
import { answerOrders } from "../orders.js";
import { StoredSketches } from "../stored.js";
import { FrequentHeads, type FrequentTables } from "./frequent.js";
import { ThesaurusPlace } from "./task.js";

interface Start {
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  folder: string;
  manifest: Manifest;
  sketches: string;
  heads: FrequentTables;
}

const start = workerData as Start;
useKernels(start.kernels);
const snapshot = attachSnapshot(Pool.attach(start.pool), start.folder, start.manifest);
answerOrders(
  new ThesaurusPlace(new StoredSketches(snapshot, start.sketches), new FrequentHeads(start.heads)),
);
