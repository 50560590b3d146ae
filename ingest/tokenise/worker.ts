/** A thread that cuts documents: gets lists of them, answers with lines. */
import { parentPort, workerData } from "node:worker_threads";
import type { Document } from "../stream/documents.js";
import { type CutterOptions, DocumentCutter } from "./documents.js";

const cutter = new DocumentCutter(workerData as CutterOptions);
parentPort!.on("message", (documents: Document[]) => {
  try {
    parentPort!.postMessage({ result: cutter.cut(documents) });
  } catch (error) {
    parentPort!.postMessage({ error });
  }
});
