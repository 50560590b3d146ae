/**
 * Kills the command line at random moments of a crawl and gives it again, until it is through. Measured at the server: no page is asked
 * for twice, nothing that robots.txt forbids is, and the delays are kept, also across kills. In the files: every page that was answered is
 * stored once, or was interrupted; every WARC file is whole.
 *
 * DUGONG_SEED repeats a run's moments (as far as a machine can be made to repeat anything).
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { dugong } from "../crash/command.js";
import { randomNumbers } from "../crash/text.js";
import { readWarcs } from "./warc.js";
import { html, sendHtml, shortestPause, Web } from "./web.js";

const seed = Number(process.env.DUGONG_SEED ?? Date.now() % 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "dugong-kill-"));
let web: Web;
afterEach(() => web.stop());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hosts = 60;
const pagesEach = 12;

/** The first pages of all hosts: with one seed, a kill while it is fetched would be the end of the crawl. */
const seeds = Array.from({ length: hosts }, (_, h) => `http://h${h}.fo/page/0\n`).join("");

/** Links of page p of host h: a tree in the host, and the next host. */
function linksOf(h: number, p: number): string[] {
  const own = [2 * p + 1, 2 * p + 2].filter((child) => child < pagesEach).map((child) => `/page/${child}`);
  return [...own, `http://h${(h + 1) % hosts}.fo/page/0`, "/closed/x", `/go/${p}`];
}

function makeWeb(): Web {
  const made = new Web();
  for (let h = 0; h < hosts; h++) {
    made.add(
      `h${h}.fo`,
      (path, response) => {
        const p = Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
        const answer = () => {
          if (path === "/robots.txt") response.writeHead(200).end("User-agent: dugong\nDisallow: /closed/\n");
          else if (p < pagesEach) sendHtml(response, html(linksOf(h, p)));
          else if (path.startsWith("/go/"))
            response.writeHead(302, { location: `/page/${path.slice(4)}` }).end();
          else response.writeHead(404).end();
        };
        setTimeout(answer, (h * 7 + path.length) % 30);
      },
      `127.0.3.${1 + (h % 20)}`,
    );
  }
  return made;
}

interface Line {
  url: string;
  reason: string;
}

describe("a crawl that is killed", () => {
  it("goes on, and asks for nothing twice", { timeout: 240_000 }, async () => {
    console.log(`DUGONG_SEED=${seed}`);
    const random = randomNumbers(seed);
    web = makeWeb();
    await web.start();
    const delayMs = 30;
    const out = join(folder, "out");
    const seedsFile = join(folder, "seeds.txt");
    const hostsFile = join(folder, "hosts");
    writeFileSync(seedsFile, seeds);
    writeFileSync(hostsFile, web.hostsFile);
    const args = ["crawl", seedsFile, "--out", out, "--tld", "fo", "--hosts", hostsFile, "--allow-private"];
    args.push("--delay", String(delayMs / 1000), "--warc-size", "20k", "--json");
    let kills = 0;
    for (;;) {
      const before = web.visits.length;
      // Counted in requests, so that each run gets on: what a kill interrupts is not asked for again, nor what it leads to.
      const requests = 60 + random() * 80;
      const when = () => web.visits.length > before + requests;
      const afterMs = kills < 6 ? random() * 30 : undefined;
      const { code, stdout, stderr } = await dugongWith(args, { when, afterMs });
      if (code === null) {
        kills++;
        continue;
      }
      expect(code, stderr).toBe(0);
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({ ended: "complete", queued: 0, resumed: true });
      break;
    }
    expect(kills).toBe(6);
    // At the server.
    const { fetched } = web;
    expect(fetched.length).toBe(new Set(fetched).size);
    expect(fetched.filter((url) => url.includes("/closed/"))).toEqual([]);
    expect(shortestPause(web.visits, "host")).toBeGreaterThanOrEqual(delayMs - 1);
    expect(shortestPause(web.visits, "address")).toBeGreaterThanOrEqual(delayMs - 1);
    // In the log, each URL has one end.
    const log = readFileSync(join(out, "log.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    const ends = new Map<string, string>();
    for (const { url, reason } of log) {
      if (url.endsWith("/robots.txt")) continue;
      expect(ends.get(url), url).toBeUndefined();
      ends.set(url, reason);
    }
    for (const url of fetched) expect(ends.has(url), url).toBe(true);
    // In the WARC files, what the log says, once.
    const stored = readWarcs(out)
      .filter(({ fields }) => fields["warc-type"] === "response")
      .map(({ fields }) => fields["warc-target-uri"]);
    const saidToBe = [...ends].filter(([, reason]) => reason === "stored").map(([url]) => url);
    expect([...stored].sort()).toEqual(saidToBe.sort());
    // All that can be reached without what was interrupted.
    const expected = new Set<string>();
    const reach = (h: number, p: number) => {
      const url = `http://h${h}.fo/page/${p}`;
      if (expected.has(url) || ends.get(url) !== "stored") {
        if (!expected.has(url)) expect(ends.get(url), url).toBe("interrupted");
        return;
      }
      expected.add(url);
      for (const link of linksOf(h, p)) {
        const [, host = h, page] = /^(?:http:\/\/h(\d+)\.fo)?\/page\/(\d+)$/.exec(link) ?? [];
        if (page !== undefined) reach(Number(host), Number(page));
      }
    };
    for (let h = 0; h < hosts; h++) reach(h, 0);
    for (const url of expected) expect(ends.get(url)).toBe("stored");
    const interrupted = [...ends].filter(([, reason]) => reason === "interrupted").length;
    console.log(
      `${kills} kills, ${stored.length} of ${hosts * pagesEach} pages stored, ${interrupted} URLs interrupted`,
    );
    expect(interrupted).toBeLessThanOrEqual(kills * 20);
    const links = gunzipSync(readFileSync(join(out, "links.tsv.gz")))
      .toString()
      .trim()
      .split("\n");
    for (const line of links) expect(line).toMatch(/^http:\/\/h\d+\.fo\/\S+\thttp:\/\/h\d+\.fo\/\S+$/);
    expect(new Set(links).size).toBe(links.length);
  });

  it("says which seeds are lost by that, and leaves a table of links that is one", async () => {
    web = new Web();
    let visits = 0;
    web.add("slow.fo", (path, response) => {
      if (path === "/robots.txt") response.writeHead(404).end();
      else visits++;
    });
    await web.start();
    const out = join(folder, "lost");
    const seedsFile = join(folder, "seeds-lost");
    const hostsFile = join(folder, "hosts-lost");
    writeFileSync(seedsFile, "# one\nhttp://slow.fo/\n");
    writeFileSync(hostsFile, web.hostsFile);
    const args = ["crawl", seedsFile, "--out", out, "--hosts", hostsFile, "--allow-private"];
    args.push("--delay", "0.01", "--json");
    expect((await dugongWith(args, { when: () => visits > 0, afterMs: 20 })).code).toBe(null);
    // However often it is given again.
    for (let again = 0; again < 2; again++) {
      const { code, stdout } = await dugong(args);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        pages: 0,
        warnings: [{ kind: "seed_interrupted", count: 1, places: [{ source: seedsFile, line: 2 }] }],
      });
      const table = readFileSync(join(out, "links.tsv.gz"));
      expect(table.length).toBeGreaterThan(0);
      expect(gunzipSync(table).toString()).toBe("");
    }
  });

  it("is alone in its folder, and stops in good order when it is asked to", async () => {
    web = makeWeb();
    await web.start();
    const out = join(folder, "stopped");
    const files = [join(folder, "seeds2"), join(folder, "hosts2")];
    writeFileSync(files[0], seeds);
    writeFileSync(files[1], web.hostsFile);
    const args = [
      "crawl",
      files[0],
      "--out",
      out,
      "--hosts",
      files[1],
      "--tld",
      "fo",
      "--allow-private",
      "--delay",
      "0.3",
      "--json",
    ];
    let isSecondDone = false;
    const running = dugongWith(args, { when: () => isSecondDone, signal: "SIGINT", afterMs: 200 });
    while (web.visits.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await dugong(args);
    isSecondDone = true;
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout).error).toMatchObject({ code: "crawl_running" });
    const first = await running;
    expect(first.code).toBe(130);
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({
      ended: "stopped",
      errors: expect.not.objectContaining({ interrupted: expect.anything() }),
    });
    const third = await dugong([...args.slice(0, -2), "0", "--json"]);
    expect(JSON.parse(third.stdout)).toMatchObject({ ended: "complete", pages: hosts * pagesEach });
    expect(web.fetched.length).toBe(new Set(web.fetched).size);
  });
});

describe("the command", () => {
  it("refuses what is not polite, and says how it would be", async () => {
    web = new Web();
    const seeds = join(folder, "seeds3");
    writeFileSync(seeds, "http://a.fo/\n");
    const refused = async (...options: string[]) => {
      const { code, stderr } = await dugong(["crawl", seeds, "--out", join(folder, "refused"), ...options]);
      return [code, stderr.split("\n")[0]];
    };
    expect(await refused()).toEqual([2, "dugong: a crawl of the public web needs a contact address"]);
    expect(await refused("--contact", "nobody")).toEqual([2, 'dugong: "nobody" is no contact address']);
    expect(await refused("--contact", "a@b.fo", "--delay", "0")).toEqual([
      2,
      "dugong: a delay of 0 s is too short for hosts of others",
    ]);
    expect(await refused("--resolve", "x", "--allow-private")).toEqual([
      2,
      "dugong: --resolve x is not HOST=ADDRESS: www.example.fo=127.0.0.5:8080",
    ]);
    expect((await refused("--match", "(", "--anywhere", "--allow-private"))[0]).toBe(2);
    expect((await refused("--match", "x", "--allow-private"))[0]).toBe(2);
  });
});

interface Kill {
  when(): boolean;
  /** Not at all, if it is undefined. */
  afterMs: number | undefined;
  signal?: NodeJS.Signals;
}

/** The command; killed so long after something has happened. */
async function dugongWith(args: string[], { when, afterMs, signal = "SIGKILL" }: Kill) {
  const main = join(import.meta.dirname, "../../dist/client/cli/main.js");
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  let since: number | undefined;
  const timer = setInterval(() => {
    if (afterMs === undefined || !when()) return;
    since ??= performance.now();
    if (performance.now() - since < afterMs) return;
    clearInterval(timer);
    child.kill(signal);
  }, 5);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(timer);
  return { code, stdout, stderr };
}
