/** What a run would do and why, how far the last one came, and what may be cleared away. Nothing here changes an output. */
import { join } from "node:path";
import { whyCrawl } from "./crawl.js";
import type { Pipeline } from "./file.js";
import { ContentHashes } from "./inputs.js";
import { type Item, inputItems, itemOf, planStage, whyOf } from "./plan.js";
import { type Encode, keysOf } from "./run.js";
import { type State, WorkFolder } from "./work.js";

export interface DryStage {
  step: string;
  tasks: number;
  toDo: number;
  /** For each reason, how many tasks have it. */
  why: Record<string, number>;
}

/** What a run would do now. */
export async function dryRun(pipeline: Pipeline, encode?: Encode): Promise<DryStage[]> {
  const work = new WorkFolder(pipeline.work);
  const hashes = new ContentHashes(join(work.path, "hashes.json"));
  const last = work.state;
  const dry: DryStage[] = [];
  if (pipeline.crawl) {
    const why = await whyCrawl(pipeline.crawl);
    dry.push({ step: "crawl", tasks: 1, toDo: why ? 1 : 0, why: why ? { [why]: 1 } : {} });
    // What the steps will be given is not known before.
    if (why) {
      const after = { tasks: 1, toDo: 1, why: { "what comes before it has to be done": 1 } };
      return [...dry, ...pipeline.stages.map(({ step }) => ({ step, ...after }))];
    }
  }
  for await (const [index, tasks] of planned(pipeline, work, hashes)) {
    const { step, writes, parameters } = pipeline.stages[index];
    const why: Record<string, number> = {};
    let toDo = 0;
    for (const task of tasks) {
      const mark = task.done?.mark;
      const isGone =
        writes === "corpus" && task.done && !(mark && (await encode?.isCurrent(parameters, mark)));
      if (task.done && !isGone) continue;
      const reason = isGone ? "the corpus is gone, or another" : whyOf(task, index, pipeline, last);
      why[reason] = (why[reason] ?? 0) + 1;
      toDo++;
    }
    dry.push({ step, tasks: tasks.length, toDo, why });
  }
  return dry;
}

/** The tasks of each stage, as far as that can be known without doing any. */
async function* planned(pipeline: Pipeline, work: WorkFolder, hashes: ContentHashes) {
  let items: Item[] = await inputItems(pipeline, hashes, work.exists());
  for (const [index, stage] of pipeline.stages.entries()) {
    const tasks = await planStage(stage, items, work, hashes, pipeline);
    yield [index, tasks] as const;
    items = tasks.map((task) => itemOf(task, work));
  }
}

export interface Status {
  work: string;
  /** The process that is at work. */
  runner?: number;
  isFinished: boolean;
  stages: { step: string; tasks: number; done: number; failed: number }[];
  failed: { step: string; name: string; message: string }[];
}

/** How far the last run came: undefined if there was none. */
export function pipelineStatus(pipeline: Pipeline): Status | undefined {
  const work = new WorkFolder(pipeline.work);
  const state: State | undefined = work.state;
  if (!state) return undefined;
  const runner = work.runner();
  const failed: Status["failed"] = [];
  const stages = state.stages.map(({ step, tasks }) => {
    let done = 0;
    for (const { key, name, status, error = "" } of tasks) {
      if (status === "failed") failed.push({ step, name, message: error });
      else if (work.done(key)) done++;
    }
    return {
      step,
      tasks: tasks.length,
      done,
      failed: tasks.filter(({ status }) => status === "failed").length,
    };
  });
  return {
    work: work.path,
    ...(runner !== undefined && { runner }),
    isFinished: state.isFinished,
    stages,
    failed,
  };
}

/** Removes outputs that neither the last run has nor the next would take over. */
export async function cleanUp(pipeline: Pipeline): Promise<{ tasks: number; bytes: number }> {
  const work = new WorkFolder(pipeline.work);
  if (!work.exists()) return { tasks: 0, bytes: 0 };
  work.acquire();
  try {
    const keep = keysOf(work.state);
    const hashes = new ContentHashes(join(work.path, "hashes.json"));
    // A crawl that goes on gives other inputs.
    if (!pipeline.crawl || (await whyCrawl(pipeline.crawl)) === undefined) {
      for await (const [, tasks] of planned(pipeline, work, hashes)) {
        for (const { key } of tasks) if (key !== undefined) keep.add(key);
      }
    }
    return work.prune(keep);
  } finally {
    work.release();
  }
}
