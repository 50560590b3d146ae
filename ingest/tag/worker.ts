/** A thread that tags: gets lines, answers with lines. The model is loaded by each thread for itself. */
import { parentPort, workerData } from "node:worker_threads";
import { loadTagger, tagLines } from "./lines.js";
import type { OutputColumn } from "./tagger.js";

const { model, columns } = workerData as { model: string; columns: OutputColumn[] };
const loaded = loadTagger(model);
parentPort!.on("message", async ({ text, documents }: { text: string; documents: number }) => {
  try {
    const { analyse } = await loaded;
    parentPort!.postMessage({ result: { ...tagLines(text.split("\n"), analyse, columns), documents } });
  } catch (error) {
    parentPort!.postMessage({ error });
  }
});
