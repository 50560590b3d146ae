/** A thread that cleans: pages in, text out. */
import { parentPort, workerData } from "node:worker_threads";
import type { Page } from "../stream/page.js";
import { cleanBatch } from "./batch.js";
import type { Cleaning } from "./page.js";

const cleaning = workerData as Cleaning;
parentPort!.on("message", (pages: Page[]) => parentPort!.postMessage(cleanBatch(pages, cleaning)));
