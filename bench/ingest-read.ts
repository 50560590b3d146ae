/**
 * `npm run bench -- ingest-read [FILE.warc.gz …]`: how fast archives are read, in compressed megabytes per second of CPU of one
 * process, beside node:zlib alone on the same members, and beside records without pages. Without files, of an archive of generated pages.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, inflateRawSync } from "node:zlib";
import { pagesOf } from "../ingest/read/pages.js";
import { Warnings } from "../ingest/stream/report.js";
import { printTable, printTargets, type Target } from "./table.js";

export async function run(args: string[]): Promise<void> {
  const given = args.filter((arg) => !arg.startsWith("--"));
  const made = join(tmpdir(), `dugong-bench-${process.pid}.warc.gz`);
  if (given.length === 0) writeFileSync(made, generated(args.includes("--quick") ? 500 : 4000));
  try {
    const files = given.length === 0 ? [made] : given;
    const rows: string[][] = [];
    const targets: Target[] = [];
    for (const file of files) rows.push(await measured(file, targets));
    printTable(
      "archives, compressed MB/s of one core",
      ["", "MB", "MB of text", "pages", "node:zlib", "pages read", "share"],
      rows,
    );
    printTargets(targets);
  } finally {
    rmSync(made, { force: true });
  }
}

async function measured(file: string, targets: Target[]): Promise<string[]> {
  const bytes = readFileSync(file);
  const megabytes = bytes.length / 1e6;
  const offsets = membersOf(bytes);
  let text = 0;
  const plain = await cpuSeconds(async () => {
    text = 0;
    for (const offset of offsets) text += inflateRawSync(bytes.subarray(offset)).length;
  });
  let pages = 0;
  const read = await cpuSeconds(async () => {
    pages = 0;
    for await (const _ of pagesOf([file], { warnings: new Warnings() })) pages++;
  });
  const name = file.split("/").at(-1)!;
  targets.push({ what: `compressed MB/s, ${name}`, value: megabytes / read, least: 60 });
  return [
    name,
    megabytes.toFixed(1),
    (text / 1e6).toFixed(1),
    String(pages),
    (megabytes / plain).toFixed(0),
    (megabytes / read).toFixed(0),
    `${((100 * plain) / read).toFixed(0)} %`,
  ];
}

/** The least of several runs, of this process's own time: neighbours do not count. */
async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const began = performance.now();
  for (let run = 0; run < 3 || performance.now() - began < 2000; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

/** Where the data of each member start; headers are plain ones. */
function membersOf(bytes: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const flags = bytes[at + 3];
    let data = at + 10;
    if (flags & 4) data += 2 + bytes[data] + 256 * bytes[data + 1];
    if (flags & 8) data = bytes.indexOf(0, data) + 1;
    offsets.push(data);
    const { engine } = inflateRawSync(bytes.subarray(data), { info: true }) as unknown as {
      engine: { bytesWritten: number };
    };
    at = data + engine.bytesWritten + 8;
  }
  return offsets;
}

/** Pages of some 20 kB of words, with their requests, a member each. */
function generated(pages: number): Buffer {
  const words = Array.from({ length: 4000 }, (_, i) => ((i * 2654435761) % 2 ** 32).toString(36));
  let state = 1;
  const random = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const record = (type: string, url: string, block: string) =>
    gzipSync(
      `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2024-05-18T01:58:10Z\r\nContent-Type: application/http; msgtype=${type}\r\nContent-Length: ${Buffer.byteLength(block)}\r\n\r\n${block}\r\n\r\n`,
    );
  const parts: Buffer[] = [];
  for (let page = 0; page < pages; page++) {
    const url = `http://example.org/${page}`;
    let body = "<!doctype html><html><head><title>page</title></head><body>";
    while (body.length < 20_000) {
      body += '<div class="text"><p>';
      for (let i = 0; i < 60; i++)
        body += `${words[(random(words.length) * random(words.length)) % words.length]} `;
      body += "</p></div>\n";
    }
    parts.push(record("request", url, "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"));
    parts.push(record("response", url, `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`));
  }
  return Buffer.concat(parts);
}
