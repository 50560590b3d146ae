/**
 * The longest time between two checkpoints, for every kind of request that takes long: how soon a cancel is heard at best.
 * Requests are asked at desks as the server's threads ask them, with a checkpoint that looks at the clock; first at a
 * desk that has loaded nothing (cold), then again (warm).
 *
 *   node dist/bench/gaps.js DATA CORPUS OTHER [part of a name] [--stacks]
 *
 * prints a JSON document a line: what was asked, milliseconds in all, and in the longest gap; with --stacks, also where
 * it ended.
 */
import { codecOf } from "../client/protocol/codec.js";
import { Desk, parse } from "../ql/index.js";
import { compilePattern } from "../ql/regex/index.js";
import { defaults } from "../server/config.js";
import { limits } from "../server/limits.js";
import { deskVerbs } from "../server/verbs/table.js";
import type { Asking } from "../server/verbs/verb.js";
import { DugongError, Pool } from "../storage/index.js";
import { type HeavyRequest, heavyRequests } from "./heavy-requests.js";
import { frequentWord } from "./stats-questions.js";

export interface Gap {
  asked: string;
  isCold: boolean;
  ms: number;
  gapMs: number;
  /** Where the longest ended. */
  stack?: string;
}

/** As long as this a request is looked at; then it is ended as a cancel does it. */
const requestMsMax = 5000;
class Ended extends Error {}

/**
 * A clock that is looked at wherever work could be ended. A gap takes no longer than its CPU time: what others do on the
 * machine does not count, nor what threads of the runtime do beside it.
 */
class Clock {
  #began = 0;
  #last = 0;
  #lastCpu = 0;
  gapMs = 0;
  stack: string | undefined;

  constructor(readonly withStacks: boolean) {}

  begin(): void {
    this.gapMs = 0;
    this.stack = undefined;
    this.#start();
    this.#began = this.#last;
  }

  #start(): void {
    this.#lastCpu = cpuMs();
    this.#last = performance.now();
  }

  look(): void {
    this.end();
    this.#start();
    if (this.#last - this.#began > requestMsMax) throw new Ended();
  }

  end(): void {
    const gap = Math.min(performance.now() - this.#last, cpuMs() - this.#lastCpu);
    if (gap > this.gapMs) {
      this.gapMs = gap;
      if (this.withStacks) this.stack = new Error(`${gap}`).stack;
    }
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function ask(desk: Desk, other: () => Desk, request: HeavyRequest, rowsMax: number): Promise<void> {
  const { verb: name, ...parameters } = JSON.parse(JSON.stringify(request)) as HeavyRequest;
  const caps = { ...defaults, answerBytesMax: Number.POSITIVE_INFINITY };
  const asking: Asking = { desk, parameters, deskOf: other, notices: [], limits: {}, caps };
  const verb = deskVerbs[name];
  if (verb.kind === "result") {
    await verb.answer(asking);
    return;
  }
  const rows = await verb.open(asking);
  let given = 0;
  // As a stream does: a little first, then as much as fits into a frame.
  desk.checkpoint();
  for (let wanted = 64; !rows.over && given < rowsMax; ) {
    desk.checkpoint();
    const { count, columns } = await rows.next(wanted);
    const bytes = encode({ columns }).length;
    wanted = Math.max(1, Math.min(Math.ceil((count * limits.blockBytes) / bytes), wanted * 4));
    given += count;
  }
  await rows.close();
}

const { encode } = codecOf("dugong.v1.msgpack");
const [data, corpus, otherCorpus, ...args] = process.argv.slice(2);
const wanted = args.find((argument) => !argument.startsWith("--")) ?? "";
const clock = new Clock(args.includes("--stacks"));
const checkpoint = () => clock.look();
const pool = Pool.create(2 ** 30);
const open = (name: string) => Desk.open({ data, corpus: name, pool, checkpoint });

// As the server's threads do when they start.
parse("[]");
compilePattern("a", { ignoreCase: true });
const first = open(corpus);
const word = frequentWord(first, 0.01);
await first.close();

for (const [asked, request] of Object.entries(heavyRequests(word, otherCorpus))) {
  if (!asked.includes(wanted)) continue;
  const desk = open(corpus);
  let other: Desk | undefined;
  const openOther = () => (other ??= open(otherCorpus));
  for (const isCold of [true, false]) {
    desk.results.clear();
    globalThis.gc?.();
    const began = performance.now();
    clock.begin();
    try {
      await ask(desk, openOther, request, 20_000);
    } catch (error) {
      // One that asks for more than is allowed is refused in the middle: until then it could be ended, too.
      if (!(error instanceof DugongError || error instanceof Ended)) throw error;
    }
    clock.end();
    const { gapMs, stack } = clock;
    const gap: Gap = { asked, isCold, ms: performance.now() - began, gapMs, ...(stack && { stack }) };
    console.log(JSON.stringify(gap));
  }
  await desk.close();
  await other?.close();
}
process.exit(0);
