/** Where a crawl begins: files with a URL a line. They are queued as they are read; millions of them take no memory. */
import { DugongError } from "../../storage/errors.js";
import { linesOf } from "../stream/lines.js";
import type { Warnings } from "../stream/report.js";
import type { Frontier } from "./frontier.js";
import type { CrawlSettings } from "./options.js";
import { domainOf, makeScope, type Scope } from "./scope.js";
import type { CrawlState } from "./state.js";
import { makeExclusion } from "./traps.js";
import { hostOf, normaliseUrl } from "./url.js";

const lost =
  "a seed was under way when the crawl was killed, and is not asked for again: a crawl in another folder can ask for it";

/** Queues what is new of the seeds; resolves to the scope of the crawl: the one that was given, or the domains of the seeds. */
export async function queueSeeds(
  { seeds, scope, words }: CrawlSettings,
  state: CrawlState,
  frontier: Frontier,
  warnings: Warnings,
): Promise<Scope> {
  const isInScope = scope && makeScope(scope);
  const trapOf = makeExclusion({ words });
  const domains = new Set<string>();
  let count = 0;
  for await (const { lines, source, from } of linesOf(seeds, { warnings })) {
    state.transaction(() => {
      lines.forEach((line, i) => {
        const text = line.replace(/(^|\s)#.*/, "").trim();
        if (text === "") return;
        const place = { source, line: from + i };
        const url = normaliseUrl(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
        if (url === undefined) {
          warnings.add("bad_seed", "a line is no URL that can be fetched", place);
          return;
        }
        count++;
        if (!scope) domains.add(domainOf(hostOf(url)));
        const answer = isInScope?.(url) === false ? "out_of_scope" : (trapOf(url) ?? frontier.offer(url, 0));
        if (answer !== "queued" && answer !== "seen")
          warnings.add(`seed_${answer}`, "a seed is not fetched", place);
        if (answer === "seen" && state.isInterrupted(url)) warnings.add("seed_interrupted", lost, place);
      });
      frontier.flush();
      state.saveCounters();
    });
  }
  if (count === 0)
    throw new DugongError("no_seeds", `there is no URL in ${seeds.join(", ")}`, "Write a URL a line.");
  return scope ?? { domains: [...domains] };
}
