/** `crawl()`: a crawl in a folder, from the beginning or from where it was. */
import { join } from "node:path";
import { makeFolder } from "../../storage/folder.js";
import { Warnings } from "../stream/report.js";
import { Frontier } from "./frontier.js";
import { lockFolder } from "./lock.js";
import { type CrawlOptions, settingsOf } from "./options.js";
import type { CrawlReport } from "./report.js";
import { type CrawlContext, Rounds } from "./rounds.js";
import { queueSeeds } from "./seeds.js";
import { CrawlState } from "./state.js";

/** Crawls, or goes on with the crawl that is in the folder. */
export async function crawl(options: CrawlOptions, context: CrawlContext = {}): Promise<CrawlReport> {
  const settings = settingsOf(options);
  makeFolder(settings.out);
  const unlock = lockFolder(settings.out);
  try {
    const state = await CrawlState.open(join(settings.out, "state"));
    try {
      const warnings = new Warnings();
      const frontier = new Frontier(state, settings.depth, settings.activeHosts);
      const scope = await queueSeeds(settings, state, frontier, warnings);
      const run = new Rounds(settings, scope, state, frontier, context);
      try {
        return await run.run(warnings);
      } finally {
        await run.close();
      }
    } finally {
      await state.close();
    }
  } finally {
    unlock();
  }
}
