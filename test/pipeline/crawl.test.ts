/** A pipeline that begins with a crawl: one command from seeds to text, and what changes when it is given again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { readPipeline } from "../../ingest/pipeline/file.js";
import { dryRun } from "../../ingest/pipeline/look.js";
import { reportText } from "../../ingest/pipeline/report.js";
import { runPipeline } from "../../ingest/pipeline/run.js";
import { site, Web } from "../crawl/web.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-pipeline-crawl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let web: Web;
afterEach(() => web?.stop());

const file = join(folder, "web.yaml");

async function pipeline(crawl: string) {
  writeFileSync(
    file,
    `crawl: { seeds: seeds.txt, hosts: hosts, allowPrivate: true, delay: 0, tld: [fo]${crawl} }\nsteps:\n  - clean\n  - tokenise: { language: en }\n`,
  );
  return readPipeline(file);
}

it("a crawl is fetched once; when it is told otherwise it goes on, and what follows is done", async () => {
  mkdirSync(folder, { recursive: true });
  web = new Web();
  web.add("a.fo", site({ "/": ["/1", "/2", "http://b.fo/"], "/1": [], "/2": [] }));
  web.add("b.fo", site({ "/": ["/3"], "/3": [] }), "127.0.0.2");
  await web.start();
  writeFileSync(join(folder, "seeds.txt"), "http://a.fo/\n");
  writeFileSync(join(folder, "hosts"), web.hostsFile);

  const small = await pipeline(", maxPages: 2");
  expect((await dryRun(small))[0]).toEqual({
    step: "crawl",
    tasks: 1,
    toDo: 1,
    why: { "it has not ended yet": 1 },
  });
  const first = await runPipeline(small, { workers: 1 });
  expect(first).toMatchObject({ isComplete: true, crawl: { pages: 2, ended: "max_pages", isReused: false } });
  expect(first.stages.map(({ step, documentsIn }) => [step, documentsIn])).toEqual([
    ["clean", 2],
    ["tokenise", expect.any(Number)],
  ]);
  expect(reportText(first)[1]).toMatch(/^crawl: 2 pages of \d+ hosts.*\(max_pages\)$/);

  // Again: nothing is asked for, nothing is done.
  const visits = web.visits.length;
  const again = await runPipeline(small, { workers: 1 });
  expect(web.visits.length).toBe(visits);
  expect(again).toMatchObject({ crawl: { pages: 2, isReused: true } });
  expect(again.stages.every(({ reused, tasks }) => reused === tasks)).toBe(true);

  // More pages: it goes on, and fetches none of them twice.
  const all = await pipeline("");
  expect((await dryRun(all))[0].why).toEqual({ "its parameters or seeds have changed": 1 });
  const more = await runPipeline(all, { workers: 1 });
  expect(more).toMatchObject({ isComplete: true, crawl: { pages: 5, ended: "complete", isReused: false } });
  expect(more.stages[0].documentsIn).toBe(5);
  expect(web.fetched.length).toBe(new Set(web.fetched).size);
  expect((await dryRun(all)).every(({ toDo }) => toDo === 0)).toBe(true);
});

it("what is wrong with a crawl is said with its place, and one without a page is an error", async () => {
  web = new Web();
  web.add("a.fo", site({}));
  await web.start();
  writeFileSync(join(folder, "hosts"), web.hostsFile);
  await expect(pipeline(", depht: 3")).rejects.toThrow(
    /web\.yaml:1:\d+: crawl: no parameter "depht".*mean depth/,
  );
  writeFileSync(file, "crawl: { tld: [fo] }\nsteps: [clean]\n");
  await expect(readPipeline(file)).rejects.toThrow(/crawl: it needs the parameter seeds/);
  writeFileSync(file, "crawl: { seeds: none.txt }\nsteps: [clean]\n");
  await expect(readPipeline(file)).rejects.toThrow(/crawl: seeds: no file none\.txt/);
  const empty = await pipeline(", out: empty");
  await expect(runPipeline(empty, { workers: 1 })).rejects.toMatchObject({ code: "nothing_crawled" });
});
