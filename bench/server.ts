/**
 * `npm run bench -- server [--quick] [--part lines|cancel|gaps] [--data DIR --corpus NAME --other NAME]`: a server process on
 * loopback, asked from this one over real sockets, on 100 M generated tokens (5 M with --quick), or on corpora that are there.
 *
 *   lines
 *     small queries   of rare words, 100 under way at a time on one connection: all hits, first lines, numbers
 *     idle            what a thousand connections cost that ask nothing
 *     beside scans    a rare word, one question after the other, while another connection scans everything back to back
 *     slow reader     a million lines to a client that reads little at a time: what the server's memory does
 *   cancel            from `cancel` to `end`, for every kind of request that takes long (cancel.ts)
 *   gaps              the longest time between two moments when such requests could be ended (gaps.ts)
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { alignCorpora } from "../ql/index.js";
import { encodeCorpus, openCorpus } from "../storage/index.js";
import { cancelling } from "./cancel.js";
import type { Gap } from "./gaps.js";
import { generate } from "./generate.js";
import { Client, memoryOf, type Server, startProcess } from "./served.js";
import { frequentWord } from "./stats-questions.js";
import { printTable } from "./table.js";

const scan = '[tag="VB"] []{0,5} [tag="NN"]';
/** From `cancel` to `end`. */
const cancelMsMax = 50;

export async function run(args: string[]): Promise<void> {
  const given = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const quick = args.includes("--quick");
  const folder = mkdtempSync(join(tmpdir(), "dugong-bench-"));
  const data = given("--data") ?? folder;
  const corpus = given("--corpus") ?? "generated";
  const other = given("--other") ?? "second";
  const part = given("--part");
  try {
    if (!given("--data")) await makeCorpora(folder, corpus, other, (quick ? 5 : 100) * 1e6);
    if (part === undefined || part === "lines") await printLines(data, corpus, quick);
    if (part === undefined || part === "cancel") await printCancels(data, corpus, other, quick ? 2 : 4);
    if (part === undefined || part === "gaps") printGaps(data, corpus, other);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A large corpus, and one of a tenth that is aligned with it by documents. */
async function makeCorpora(data: string, corpus: string, other: string, tokens: number): Promise<void> {
  const path = join(data, "generated.vert");
  for (const [name, size, seed] of [
    [corpus, tokens, 1],
    [other, tokens / 10, 2],
  ] as const) {
    generate(path, size, seed);
    await encodeCorpus({
      data,
      corpus: name,
      inputs: [path],
      attributes: ["word", "lemma", "tag"],
      workers: 2,
    });
  }
  rmSync(path);
  await alignCorpora({ data, corpus, other, structure: "doc", attribute: "id" });
}

const met = (isMet: boolean) => (isMet ? "met" : "NOT MET");

async function printLines(data: string, corpus: string, quick: boolean): Promise<void> {
  const server = await startProcess(data);
  try {
    const rows = [
      ...(await idle(server, corpus)),
      ...(await smallQueries(server, corpus, quick ? 2000 : 10_000)),
      ...(await besideScans(server, corpus, quick ? 2000 : 8000)),
      ...(await slowReader(server, corpus, quick ? 200_000 : 1_000_000)),
    ];
    printTable("a server and its clients", ["", "measured", "target", ""], rows);
  } finally {
    await server.stop();
  }
}

async function printCancels(data: string, corpus: string, other: string, rounds: number): Promise<void> {
  const snapshot = openCorpus({ data, corpus });
  const word = frequentWord({ snapshot }, 0.01);
  await snapshot.close();
  const times = await cancelling(data, { corpus, other, word, rounds });
  const shown = (ms: number | undefined) => (ms === undefined ? "" : ms.toFixed(1));
  const rows = times.map(({ asked, coldMs, warmMs, cancels }) => [
    asked,
    String(cancels),
    shown(coldMs),
    shown(warmMs),
    met(Math.max(coldMs ?? 0, warmMs ?? 0) <= cancelMsMax),
  ]);
  const columns = ["", "cancels", "longest, cold", "warm", `${cancelMsMax} ms`];
  printTable("from cancel to end, ms", columns, rows);
}

function printGaps(data: string, corpus: string, other: string): void {
  const child = fileURLToPath(new URL("./gaps.js", import.meta.url));
  const output = execFileSync(process.execPath, ["--expose-gc", child, data, corpus, other], {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 26,
  });
  const gaps = output
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Gap);
  const rows = gaps
    .filter(({ isCold }) => isCold)
    .map((cold) => {
      const warm = gaps.find(({ asked, isCold }) => !isCold && asked === cold.asked)!;
      const longest = Math.max(cold.gapMs, warm.gapMs);
      return [
        cold.asked,
        cold.ms.toFixed(0),
        cold.gapMs.toFixed(1),
        warm.ms.toFixed(0),
        warm.gapMs.toFixed(1),
        met(longest <= cancelMsMax),
      ];
    });
  const columns = ["", "cold", "longest gap", "warm", "longest gap", `${cancelMsMax} ms`];
  printTable("between two checkpoints, ms", columns, rows);
}

/** Words that occur a few times. */
async function rareWords(client: Client, corpus: string): Promise<string[]> {
  const words: string[] = [];
  client.onRows = ({ columns }) => words.push(...(columns!.value as string[]));
  await client.ask({
    verb: "wordlist",
    corpus,
    attributes: ["word"],
    minCount: 3,
    maxCount: 20,
    order: "value",
    limit: 2000,
    credit: 1e6,
  });
  client.onRows = () => {};
  return words.filter((word) => /^[\p{L}\d]+$/u.test(word));
}

const rate = (count: number, ms: number) =>
  `${Math.round((count * 1000) / ms).toLocaleString("en")} a second`;
const shown = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;

async function smallQueries(server: Server, corpus: string, count: number): Promise<string[][]> {
  const client = await Client.connect(server);
  const words = await rareWords(client, corpus);
  const kinds: [string, (word: string) => object][] = [
    ["positions of a rare word", (word) => ({ verb: "positions", corpus, query: `"${word}"` })],
    ["lines of a rare word", (word) => ({ verb: "lines", corpus, query: `"${word}"` })],
    ["number of a word", (word) => ({ verb: "count", corpus, query: `"${word}"` })],
  ];
  const rows: string[][] = [];
  for (const [name, request] of kinds) {
    await pipelined(client, words, request, Math.min(2000, count));
    const began = performance.now();
    await pipelined(client, words, request, count);
    const took = performance.now() - began;
    const isMet = (count * 1000) / took >= 2000;
    rows.push([`small queries: ${name}`, rate(count, took), "2,000 a second", met(isMet)]);
  }
  client.close();
  return rows;
}

async function pipelined(
  client: Client,
  words: string[],
  request: (word: string) => object,
  count: number,
): Promise<void> {
  let sent = 0;
  const one = async () => {
    while (sent < count) await client.ask(request(words[sent++ % words.length]));
  };
  await Promise.all(Array.from({ length: 100 }, one));
}

async function idle(server: Server, corpus: string): Promise<string[][]> {
  // Its threads have started, and have loaded what they need.
  const first = await Client.connect(server);
  await first.ask({ verb: "count", corpus, query: scan });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = memoryOf(server);
  const clients: Client[] = [];
  for (let i = 0; i < 20; i++)
    clients.push(...(await Promise.all(Array.from({ length: 50 }, () => Client.connect(server)))));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const cost = memoryOf(server) - before;
  for (const client of clients) client.close();
  return [["1,000 idle connections", shown(cost), "under 100 MB", met(cost < 100 * 2 ** 20)]];
}

async function besideScans(server: Server, corpus: string, ms: number): Promise<string[][]> {
  const [scanning, asking] = await Promise.all([Client.connect(server), Client.connect(server)]);
  const words = await rareWords(asking, corpus);
  let scans = 0;
  let going = true;
  const scanner = (async () => {
    for (; going; scans++) await scanning.ask({ verb: "count", corpus, query: scan });
  })();
  const times: number[] = [];
  const until = performance.now() + ms;
  for (let i = 0; performance.now() < until; i++) {
    const began = performance.now();
    await asking.ask({ verb: "lines", corpus, query: `"${words[i % words.length]}"`, credit: 20 });
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  going = false;
  await scanner;
  scanning.close();
  asking.close();
  // The first ones compile what they run.
  const warm = times.slice(100).sort((a, b) => a - b);
  const at = (part: number) => warm[Math.floor(warm.length * part)];
  return [
    [`beside ${scans} scans: median of ${warm.length} rare words`, `${at(0.5).toFixed(2)} ms`, "", ""],
    ["beside scans: 99th percentile", `${at(0.99).toFixed(2)} ms`, "under 10 ms", met(at(0.99) < 10)],
    ["beside scans: longest", `${warm.at(-1)!.toFixed(2)} ms`, "", ""],
  ];
}

async function slowReader(server: Server, corpus: string, lines: number): Promise<string[][]> {
  const client = await Client.connect(server);
  const before = memoryOf(server);
  let seen = 0;
  /** Of the first tenth of the lines, and of the rest. */
  const most = [0, 0];
  let done = () => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const began = performance.now();
  client.onRows = ({ count }) => {
    seen += count!;
    const part = seen < lines / 10 ? 0 : 1;
    most[part] = Math.max(most[part], memoryOf(server));
    if (seen >= lines) done();
    // Reads for a moment, then looks away.
    client.socket.pause();
    setTimeout(() => client.socket.resume(), 15);
  };
  const { id, last } = client.open({ verb: "lines", corpus, query: "[]", credit: 1e12 });
  await finished;
  client.onRows = () => {};
  client.send({ id, verb: "cancel" });
  await last;
  client.close();
  const took = performance.now() - began;
  const growth = most[1] - most[0];
  return [
    [`slow reader: ${lines.toLocaleString("en")} lines`, rate(lines, took), "", ""],
    ["slow reader: memory above the beginning, first tenth", shown(most[0] - before), "", ""],
    ["slow reader: … what the rest adds", shown(growth), "flat: under 32 MB", met(growth < 32 * 2 ** 20)],
  ];
}
