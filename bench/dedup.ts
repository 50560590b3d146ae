/**
 * `npm run bench -- dedup [--quick]`: exact and near-duplicates together, on the eLife sample in ../shared with a third of
 * its documents repeated, one in two of those with every fifth paragraph changed; as vertical text and as running text,
 * with 1 and 2 threads. Beside it stands what onion 1.2 did with such text on such a machine: 0.83 M tokens/s, 367 MB.
 */
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import type { StepReport } from "../ingest/stream/report.js";
import { printTable, printTargets, type Target } from "./table.js";

const elife = fileURLToPath(new URL("../../../shared/data/elife20m.vert.gz", import.meta.url));

interface Measured {
  report: StepReport;
  seconds: number;
  cpuSeconds: number;
  peakBytes: number;
}

export async function run(args: string[]): Promise<void> {
  if (!existsSync(elife)) {
    console.log(`no eLife sample at ${elife}: nothing to measure`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  try {
    const vertical = join(folder, "repeated.vert");
    const text = join(folder, "repeated.txt");
    await generate(vertical, text, args.includes("--quick") ? 3_000_000 : Number.POSITIVE_INFINITY);
    const rows: string[][] = [];
    const targets: Target[] = [];
    for (const [name, input] of [
      ["vertical", vertical],
      ["text", text],
    ]) {
      for (const workers of [1, 2]) {
        const measured = measure(input, workers);
        rows.push(row(`${name}, ${workers} threads`, input, measured));
        const value = (measured.report.wordsIn ?? 0) / measured.seconds / 1e6;
        targets.push({ what: `M words/s, ${name}, ${workers} threads`, value, least: 1, digits: 2 });
      }
    }
    rows.push(["onion 1.2, recorded", "", "", "", "", "0.83", "367 MB", ""]);
    printTable(
      "de-duplication, exact and near together",
      ["input", "M words", "kept", "s", "CPU s", "M words/s", "peak", "table"],
      rows,
    );
    printTargets(targets);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, so that its memory is its own. */
function measure(input: string, workers: number): Measured {
  const child = fileURLToPath(new URL("./dedup-child.js", import.meta.url));
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  return JSON.parse(execFileSync(process.execPath, [child, input, String(workers)], { stdio }).toString());
}

function row(name: string, input: string, { report, seconds, cpuSeconds, peakBytes }: Measured): string[] {
  const words = report.wordsIn ?? 0;
  return [
    `${name} (${(statSync(input).size / 2 ** 20).toFixed(0)} MB)`,
    (words / 1e6).toFixed(1),
    `${((100 * report.wordsOut) / words).toFixed(1)}%`,
    seconds.toFixed(1),
    cpuSeconds.toFixed(1),
    (words / seconds / 1e6).toFixed(2),
    `${(peakBytes / 2 ** 20).toFixed(0)} MB`,
    `${(Number(report.details?.tableBytes) / 2 ** 20).toFixed(0)} MB`,
  ];
}

/** Every third document once more, later: as it is, or with other words in every fifth paragraph. */
async function generate(vertical: string, text: string, tokensMax: number): Promise<void> {
  const outputs = [createWriteStream(vertical), createWriteStream(text)];
  const write = async (lines: string[]) => {
    for (const [stream, form] of [
      [outputs[0], (all: string[]) => `${all.join("\n")}\n`],
      [outputs[1], running],
    ] as const) {
      if (!stream.write(form(lines)))
        await new Promise<void>((drained) => stream.once("drain", () => drained()));
    }
  };
  let document: string[] = [];
  let documents = 0;
  let tokens = 0;
  const later: string[][] = [];
  for await (const line of createInterface({ input: createReadStream(elife).pipe(createGunzip()) })) {
    document.push(line);
    if (line !== "</doc>") continue;
    await write(document);
    tokens += document.length;
    documents++;
    if (documents % 3 === 0) later.push(documents % 2 === 0 ? document : changed(document));
    if (later.length > 50) await write(later.shift()!);
    document = [];
    if (tokens > tokensMax) break;
  }
  for (const lines of later) await write(lines);
  for (const stream of outputs) {
    stream.end();
    await finished(stream);
  }
}

function changed(document: string[]): string[] {
  let paragraph = 0;
  return document.map((line) => {
    if (line.startsWith("<p")) paragraph++;
    return line.startsWith("<") || paragraph % 5 !== 0 ? line : `x${line}`;
  });
}

/** A sentence a line, words with spaces between them. */
function running(lines: string[]): string {
  let text = "";
  let words: string[] = [];
  for (const line of lines) {
    if (line === "</s>") {
      text += `${words.join(" ")}\n`;
      words = [];
    } else if (/^<\/?(doc|p)[ >]/.test(line)) text += `${line}\n`;
    else if (!line.startsWith("<"))
      words.push(line.slice(0, line.indexOf("\t")).replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  }
  return text;
}
