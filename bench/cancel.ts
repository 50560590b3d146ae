/**
 * How soon a request ends that is cancelled: every kind of request that takes long (heavy-requests.ts), over a real socket,
 * at random moments; the first time at a server that was started for it (cold), and some times at one that has answered
 * others (warm). The longest time from `cancel` to `end` is told. (`gaps.ts` finds what random moments may miss.)
 */
import { type HeavyRequest, heavyRequests } from "./heavy-requests.js";
import { Client, type Server, startProcess } from "./served.js";

export interface Cancelled {
  asked: string;
  /** The longest times, and how many there were. */
  coldMs: number | undefined;
  warmMs: number | undefined;
  cancels: number;
}

/** Moments, in milliseconds: short ones and long ones alike. */
function moments(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 5 * 160 ** (state / 2 ** 32);
  };
}

export async function cancelling(
  data: string,
  { corpus, other, word, rounds }: { corpus: string; other: string; word: string; rounds: number },
): Promise<Cancelled[]> {
  const moment = moments();
  const requests = Object.entries(heavyRequests(word, other));
  const found = new Map<string, Cancelled>();
  for (const [asked, request] of requests) {
    const server = await startProcess(data);
    try {
      const coldMs = await cancelOnce(server, corpus, request, moment());
      found.set(asked, { asked, coldMs, warmMs: undefined, cancels: coldMs === undefined ? 0 : 1 });
    } finally {
      await server.stop();
    }
  }
  const server = await startProcess(data);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [asked, request] of requests) {
        const ms = await cancelOnce(server, corpus, request, moment());
        if (ms === undefined) continue;
        const own = found.get(asked)!;
        own.cancels++;
        own.warmMs = Math.max(own.warmMs ?? 0, ms);
      }
    }
  } finally {
    await server.stop();
  }
  return [...found.values()];
}

/** Milliseconds from cancel to end; undefined where the request was done before. */
async function cancelOnce(
  server: Server,
  corpus: string,
  { verb, ...parameters }: HeavyRequest,
  afterMs: number,
): Promise<number | undefined> {
  const client = await Client.connect(server);
  try {
    const { id, last } = client.open({ verb, corpus, credit: 1e9, ...parameters });
    let isOver = false;
    void last.then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (isOver) return undefined;
    const began = performance.now();
    client.send({ id, verb: "cancel" });
    const { type, reason, error } = await last;
    const took = performance.now() - began;
    const isCancelled = reason === "cancelled" || (error as { code?: string })?.code === "cancelled";
    if (!isCancelled && type === "error") throw new Error(`${verb}: ${JSON.stringify(error)}`);
    return isCancelled ? took : undefined;
  } finally {
    client.close();
  }
}
