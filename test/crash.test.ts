/**
 * Kills the command line at random moments and looks at what it leaves. After every kill the corpus is as it was
 * before, or as it was to become, and nothing in between; the same command, given again, ends with the very files
 * that an undisturbed run writes, and with no others.
 *
 * DUGONG_SEED repeats a run's moments (as far as a machine can be made to repeat anything).
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Catalog, dumpCorpus, openCorpus } from "../storage/index.js";
import { dugong, type RunOptions } from "./crash/command.js";
import { differences, readCorpus, readFiles } from "./crash/state.js";
import { randomNumbers, verticalText } from "./crash/text.js";

const seed = Number(process.env.DUGONG_SEED ?? Date.now() % 1_000_000);
const timeoutMs = 240_000;
const corpus = "c";
const publishing = '"phase":"publish"';

let folder: string;
let firstPath: string;
let secondPath: string;
const firstText = verticalText(1, 160);
const secondText = verticalText(2, 80);
const describing = ["--attributes", "word,lemma,tag", "--unique", "doc.id", "--multivalue", "doc.topic:|"];
const sizing = ["--derive", "lc", "--workers", "2", "--segment-bytes", "40k"];

beforeAll(() => {
  console.log(`DUGONG_SEED=${seed}`);
  folder = mkdtempSync(join(tmpdir(), "dugong-crash-"));
  firstPath = join(folder, "first.vert");
  secondPath = join(folder, "second.vert");
  writeFileSync(firstPath, firstText);
  writeFileSync(secondPath, secondText);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Plan {
  kills: number;
  /** Made ready once; every round begins with a copy of it. */
  prepare?(data: string): Promise<void>;
  command: string[];
  /** The text before, if there is a corpus, and after. */
  before?: string;
  after: string;
  /** The first snapshot stays readable beside the new one. */
  keepsFirst?: boolean;
}

function freshFolder(from?: string): string {
  const data = mkdtempSync(join(folder, "data-"));
  if (from) cpSync(from, data, { recursive: true });
  return data;
}

async function succeed(args: string[], options: RunOptions = {}) {
  const outcome = await dugong(args, options);
  expect(outcome.code, outcome.stderr).toBe(0);
  return outcome;
}

/** Kills the plan's command again and again, in as many lanes as a small machine has cores. */
async function withstands(plan: Plan): Promise<void> {
  const ready = freshFolder();
  await plan.prepare?.(ready);
  const [model, twin] = await Promise.all([undisturbed(plan, ready), undisturbed(plan, ready)]);
  expect(differences(twin.files, model.files)).toEqual([]);
  const tally: Tally = { kills: 0, tooLate: 0, published: 0, resumed: 0 };
  const failures: unknown[] = [];
  const lane = async (number: number) => {
    const random = randomNumbers(seed + number);
    try {
      while (failures.length === 0 && tally.kills < plan.kills)
        await round(plan, ready, model, tally, random);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all([lane(0), lane(1)]);
  if (failures.length > 0) throw failures[0];
  console.log(`${plan.command[0]}: ${JSON.stringify(tally)}, one run takes ${model.ms.toFixed(0)} ms`);
}

interface Tally {
  kills: number;
  tooLate: number;
  published: number;
  resumed: number;
}

type Model = Awaited<ReturnType<typeof undisturbed>>;

function commandOn(plan: Plan, data: string): string[] {
  return [...plan.command, "--data", data, "--json"];
}

async function undisturbed(plan: Plan, ready: string) {
  const data = freshFolder(ready);
  const { ms, tailMs } = await succeed(commandOn(plan, data), { from: publishing });
  const files = await completed(plan, data, "undisturbed");
  expect(files.leftovers).toEqual([]);
  return { ms, tailMs, files };
}

/** One data directory: killed once or more, then run to the end. */
async function round(
  plan: Plan,
  ready: string,
  model: Model,
  tally: Tally,
  random: () => number,
): Promise<void> {
  const data = freshFolder(ready);
  let where = `seed ${seed}`;
  for (let first = true; tally.kills < plan.kills; first = false) {
    // Any moment is as likely as any other, but one kill in five is kept for the short time around publishing.
    const late = model.tailMs > 0 && random() < 0.2;
    const killAfterMs = random() * (late ? model.tailMs : model.ms);
    const from = late ? publishing : undefined;
    const { code, ms } = await dugong(commandOn(plan, data), { killAfterMs, from });
    where += `, killed ${killAfterMs.toFixed(1)} ms ${late ? "into publishing" : `of ${model.ms.toFixed(0)}`}`;
    if (code === null) tally.kills++;
    else tally.tooLate++;
    const published = await killed(plan, data, where);
    if (published) tally.published++;
    // The machine may have been slower when the time was taken.
    if (code !== null && first && ms < model.ms) model.ms = ms;
    // Half of the time the run that takes over is killed as well.
    if (code !== null || published || random() < 0.5) break;
  }
  const { stdout } = await succeed(commandOn(plan, data));
  if (JSON.parse(stdout).resumed) tally.resumed++;
  expect(differences(await completed(plan, data, where), model.files), where).toEqual([]);
  rmSync(data, { recursive: true });
}

/** After a kill: the state before or the state after, whole. Resolves to whether it is the one after. */
async function killed(plan: Plan, data: string, where: string): Promise<boolean> {
  const found = await readCorpus(data, corpus);
  if (found === undefined) {
    expect(plan.before, where).toBe(undefined);
    return false;
  }
  expect([plan.before, plan.after].includes(found.text), where).toBe(true);
  expect(found.problems, where).toEqual([]);
  if (plan.keepsFirst) expect((await readCorpus(data, corpus, 1))?.text === plan.before, where).toBe(true);
  return found.text !== plan.before;
}

/** After a run to the end: the state after, and its files. */
async function completed(plan: Plan, data: string, where: string) {
  const found = await readCorpus(data, corpus);
  expect(found?.text === plan.after, where).toBe(true);
  expect(found?.problems, where).toEqual([]);
  return readFiles(data, corpus);
}

const encodeFirst = (data: string) =>
  succeed(["encode", corpus, firstPath, ...describing, ...sizing, "--data", data]).then(() => {});

describe("a corpus whose writer is killed", () => {
  it(
    "while encoding is not there, or all there, and the same command completes it",
    { timeout: timeoutMs },
    () =>
      withstands({
        kills: 50,
        command: ["encode", corpus, firstPath, ...describing, ...sizing],
        after: firstText,
      }),
  );

  it("while appending is as before, or has all of it", { timeout: timeoutMs }, () =>
    withstands({
      kills: 15,
      prepare: encodeFirst,
      command: ["append", corpus, secondPath, "--workers", "2", "--no-compact"],
      before: firstText,
      after: firstText + secondText,
      keepsFirst: true,
    }),
  );

  it("while appending and compacting is as before, or has all of it", { timeout: timeoutMs }, () =>
    withstands({
      kills: 15,
      prepare: encodeFirst,
      command: ["append", corpus, secondPath, "--workers", "2"],
      before: firstText,
      after: firstText + secondText,
    }),
  );

  it("while compacting says what it said", { timeout: timeoutMs }, () =>
    withstands({
      kills: 10,
      prepare: async (data) => {
        await encodeFirst(data);
        await succeed(["append", corpus, secondPath, "--no-compact", "--data", data]);
      },
      command: ["compact", corpus, "--workers", "2"],
      before: firstText + secondText,
      after: firstText + secondText,
    }),
  );

  it("while being replaced is the old one or the new one", { timeout: timeoutMs }, () =>
    withstands({
      kills: 10,
      prepare: encodeFirst,
      command: ["encode", corpus, secondPath, ...describing, ...sizing, "--replace"],
      before: firstText,
      after: secondText,
    }),
  );
});

describe("a reader", () => {
  it("keeps its snapshot while the corpus is replaced, and its files go when it has closed it", async () => {
    const data = freshFolder();
    await encodeFirst(data);
    const open = openCorpus({ data, corpus });
    const before = open.manifest.segments.map(({ id }) => id);
    // One token read, so that some files are open and most are not.
    const ids = new Uint32Array(1);
    open.ids(open.attribute("word"), 0, 1, ids);
    await succeed(["encode", corpus, secondPath, ...describing, ...sizing, "--replace", "--data", data]);
    expect([...dumpCorpus(open)].join("") === firstText).toBe(true);
    expect((await readCorpus(data, corpus))?.text === secondText).toBe(true);
    await open.close();

    await succeed(["append", corpus, firstPath, "--no-compact", "--data", data]);
    const catalog = Catalog.open(data);
    const now = catalog.snapshots(corpus).flatMap(({ segments }) => segments.map(({ id }) => id));
    await catalog.close();
    expect(now.filter((id) => before.includes(id))).toEqual([]);
    expect((await readFiles(data, corpus)).leftovers).toEqual([]);
    expect((await readCorpus(data, corpus))?.text === secondText + firstText).toBe(true);
  });
});
