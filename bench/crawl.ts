/**
 * `npm run bench -- crawl [--quick]`: how many pages a second are crawled and written, of a farm of 2,000 virtual hosts with pages of 20 kB, with
 * the delay off; and the memory of a crawl with a million URLs in its queue.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printTable, printTargets } from "./table.js";

const hosts = 2000;
/** CPU that the farm took while speed was measured: it is not the crawler's. */
let farmSeconds = 0;

interface Child {
  pages: number;
  seconds: number;
  pagesPerSecond: number;
  bytes: number;
  queued: number;
  cpuSeconds: number;
  peakBytes: number;
}

export async function run(args: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const isQuick = args.includes("--quick");
  try {
    const speed = await benchSpeed(folder, isQuick ? 10_000 : 40_000);
    const memory = await benchMemory(folder, isQuick ? 200_000 : 1_000_000);
    printTable(
      `${hosts} virtual hosts, pages of 20 kB, delay off, WARC files and link table written`,
      ["crawl", "pages", "s", "pages/s", "MB/s", "CPU s", "queue", "peak"],
      [row("40 links a page", speed), row("a large queue", memory)],
    );
    console.log(`the farm took ${farmSeconds.toFixed(1)} CPU s of the same cores for the first`);
    printTargets([{ what: "pages/s", value: speed.pagesPerSecond, least: 1500 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(
  name: string,
  { pages, seconds, pagesPerSecond, bytes, cpuSeconds, queued, peakBytes }: Child,
): string[] {
  return [
    name,
    String(pages),
    seconds.toFixed(1),
    pagesPerSecond.toFixed(0),
    (bytes / seconds / 1e6).toFixed(1),
    cpuSeconds.toFixed(1),
    String(queued),
    `${(peakBytes / 2 ** 20).toFixed(0)} MB`,
  ];
}

async function benchSpeed(folder: string, pages: number): Promise<Child> {
  const farm = await startFarm(1000, 40);
  try {
    return crawl(folder, "speed", farm.port, ["http://h0.farm.test/p/0"], pages);
  } finally {
    farmSeconds = await farm.stop();
  }
}

/** Seeds make the queue: as many URLs of each host. */
async function benchMemory(folder: string, urls: number): Promise<Child> {
  const farm = await startFarm(1000, 40);
  try {
    const seeds = Array.from(
      { length: urls },
      (_, i) => `http://h${i % hosts}.farm.test/q/${Math.floor(i / hosts)}/${i}`,
    );
    return crawl(folder, "memory", farm.port, [...seeds, "http://h0.farm.test/p/0"], 5000);
  } finally {
    await farm.stop();
  }
}

function crawl(folder: string, name: string, port: string, seeds: string[], pagesMax: number): Child {
  const file = (suffix: string, lines: string[]) => {
    const path = join(folder, `${name}-${suffix}`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  };
  const mapping = Array.from(
    { length: hosts },
    (_, i) => `127.1.${i >> 8}.${i & 255 || 255}:${port} h${i}.farm.test`,
  );
  const child = fileURLToPath(new URL("./crawl-child.js", import.meta.url));
  const out = join(folder, name);
  const output = execFileSync(
    process.execPath,
    [child, file("seeds", seeds), out, file("hosts", mapping), String(pagesMax)],
    { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] },
  );
  const result = JSON.parse(output.toString()) as Child;
  const warc = join(out, "warc");
  const written = readdirSync(warc).reduce((sum, entry) => sum + statSync(join(warc, entry)).size, 0);
  if (written === 0 || readFileSync(join(out, "log.jsonl"), "utf8").length === 0)
    throw new Error("nothing was written");
  return result;
}

async function startFarm(pages: number, links: number): Promise<{ port: string; stop(): Promise<number> }> {
  const script = fileURLToPath(new URL("./crawl-farm.js", import.meta.url));
  const farm: ChildProcess = spawn(process.execPath, [script, String(hosts), String(pages), String(links)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    farm.stdout!.once("data", (data: Buffer) => resolve(data.toString().trim()));
    farm.once("error", reject);
  });
  const stop = () =>
    new Promise<number>((resolve) => {
      farm.stdout!.once("data", (data: Buffer) => resolve(Number(data.toString().trim())));
      farm.stdin!.end();
    });
  return { port, stop };
}
