/**
 * Work on parts of a stream, several at once, with results in the order of the parts. A lane takes parts one after the other:
 * a thread, a process, or the program itself. So many parts are under way that no lane waits, and no more.
 */
import { Worker } from "node:worker_threads";
import { builtFile } from "../../storage/built.js";

export interface Lane<Part, Result> {
  run(part: Part): Promise<Result>;
  /** Told when there are no more parts. */
  finish?(): void;
  close(): Promise<void>;
}

/** Results in order; lanes are closed at the end, however it comes. */
export async function* inOrder<Part, Result>(
  parts: AsyncIterable<Part>,
  lanes: readonly Lane<Part, Result>[],
  depth = 2,
): AsyncGenerator<Result> {
  const loads = lanes.map(() => 0);
  const running: Promise<Result>[] = [];
  try {
    for await (const part of parts) {
      const lane = loads.indexOf(Math.min(...loads));
      loads[lane]++;
      const result = lanes[lane].run(part).finally(() => loads[lane]--);
      // Whoever waits for it gets the error; until then it is not one that nobody handles.
      result.catch(() => {});
      running.push(result);
      while (running.length >= lanes.length * depth) yield await running.shift()!;
    }
    for (const lane of lanes) lane.finish?.();
    while (running.length > 0) yield await running.shift()!;
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

/** The program itself. */
export function ownLane<Part, Result>(work: (part: Part) => Result | Promise<Result>): Lane<Part, Result> {
  return { run: async (part) => work(part), close: async () => {} };
}

/**
 * A thread that answers each message with one: { result } or { error }. `module` is the path from the project's root, of the built
 * file: threads cannot run TypeScript.
 */
export function threadLane<Part, Result>(module: string, workerData: unknown): Lane<Part, Result> {
  const worker = new Worker(builtFile(module), { workerData });
  const waiting: { resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on("message", ({ result, error }: { result: Result; error?: unknown }) => {
    const { resolve, reject } = waiting.shift()!;
    if (error === undefined) resolve(result);
    else reject(error);
  });
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error(`the thread ${module} has ended`)));
  return {
    run: (part) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        waiting.push({ resolve, reject });
        worker.postMessage(part);
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
