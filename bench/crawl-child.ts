/** Crawls once in a process of its own, so that its memory can be told: prints one JSON document. */
import { readFileSync } from "node:fs";
import { parseHostsFile } from "../ingest/crawl/addresses.js";
import { crawl } from "../ingest/crawl/crawl.js";

const [seeds, out, hosts, pagesMax] = process.argv.slice(2);
const report = await crawl({
  seeds: [seeds],
  out,
  mapping: parseHostsFile(readFileSync(hosts, "utf8"), hosts),
  allowPrivate: true,
  delayMs: 0,
  pagesMax: Number(pagesMax),
});
const status = readFileSync("/proc/self/status", "latin1");
const usage = process.cpuUsage();
console.log(
  JSON.stringify({
    ...report.run,
    bytes: report.bytes,
    queued: report.queued,
    errors: report.errors,
    cpuSeconds: (usage.user + usage.system) / 1e6,
    peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
  }),
);
