/**
 * Runs a pipeline, stage by stage; the tasks of a stage side by side. What was done before, under the same key, is taken over;
 * so a run that was killed goes on, and one that is repeated does nothing.
 *
 * A task that fails is tried again, each time after twice as long; then it is set aside, and the others of its stage
 * and the stages that take one file at a time go on. A step that takes all inputs at once is begun without the failed ones
 * only if that is asked for (keepGoing): a corpus that lacks something should be meant to.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import type { StepContext, StepReport } from "../stream/report.js";
import { writeWhole } from "../stream/whole.js";
import { type PipelineCrawl, runCrawl } from "./crawl.js";
import type { Parameters } from "./entry.js";
import { type Executor, LocalExecutor } from "./executor.js";
import type { EncodeEntry, Pipeline, Stage } from "./file.js";
import { ContentHashes } from "./inputs.js";
import { inputItems, itemOf, type PlannedTask, planStage, whyOf } from "./plan.js";
import { type FailedTask, type PipelineReport, reportText, stageReport } from "./report.js";
import { type DoneTask, type LogEvent, type State, WorkFolder } from "./work.js";

/** The last stage: from vertical streams to a corpus, by whoever knows about corpora. */
export interface Encode extends EncodeEntry {
  /** Is the corpus that was made then still there, as it was? */
  isCurrent(parameters: Parameters, mark: string): Promise<boolean>;
  /** `marks`: what earlier runs made, and may be replaced. Returns how to know the corpus again. */
  run(
    inputs: readonly string[],
    parameters: Parameters,
    marks: readonly string[],
    context: StepContext,
  ): Promise<{ report: StepReport; mark: string }>;
}

export interface RunOptions {
  encode?: Encode;
  /** Default: processes on this machine. */
  executor?: Executor;
  workers?: number;
  keepGoing?: boolean;
  /** Afterwards, remove outputs that do not belong to this run. */
  prune?: boolean;
  signal?: AbortSignal;
  /** What is logged, and how far tasks are. */
  onEvent?: (event: LogEvent) => void;
  /** Before a task is tried again for the first time. */
  retryMs?: number;
}

export async function runPipeline(pipeline: Pipeline, options: RunOptions = {}): Promise<PipelineReport> {
  const work = new WorkFolder(pipeline.work);
  work.acquire();
  const executor = options.executor ?? new LocalExecutor(work.temp, options.workers ?? pipeline.workers);
  try {
    return await new Run(pipeline, work, executor, options).run();
  } finally {
    await executor.close();
    work.release();
  }
}

class Run {
  readonly #began = performance.now();
  readonly #failed: FailedTask[] = [];
  readonly #hashes: ContentHashes;
  readonly #last: State | undefined;
  readonly #state: State;

  constructor(
    readonly pipeline: Pipeline,
    readonly work: WorkFolder,
    readonly executor: Executor,
    readonly options: RunOptions,
  ) {
    this.#hashes = new ContentHashes(join(work.path, "hashes.json"));
    this.#last = work.state;
    this.#state = {
      run: work.run,
      pipeline: pipeline.file,
      isFinished: false,
      marks: this.#last?.marks ?? [],
      stages: [],
    };
  }

  async run(): Promise<PipelineReport> {
    const { pipeline, work, options } = this;
    this.#tell({ event: "run_begins", pipeline: pipeline.file });
    const crawled = pipeline.crawl && (await this.#crawl(pipeline.crawl));
    let items = await inputItems(pipeline, this.#hashes);
    const bytes = items.reduce((sum, { path }) => sum + statSync(path).size, 0);
    const report: PipelineReport = {
      pipeline: pipeline.file,
      run: work.run,
      isComplete: false,
      ...(crawled && { crawl: crawled }),
      inputs: { files: items.length, bytes },
      stages: [],
      failed: this.#failed,
      notBegun: [],
      seconds: 0,
    };
    for (const [index, stage] of pipeline.stages.entries()) {
      const isLacking = this.#failed.length > 0 && stage.takes === "all" && !options.keepGoing;
      if (isLacking || items.length === 0) {
        report.notBegun = pipeline.stages.slice(index).map(({ step }) => step);
        break;
      }
      const tasks = await planStage(stage, items, work, this.#hashes, pipeline);
      this.#hashes.save();
      const counts = await this.#stage(stage, index, tasks);
      const done = tasks.flatMap((task) => (task.done ? [task.done] : []));
      report.stages.push(stageReport(stage.step, done, counts, report.stages));
      items = tasks.filter((task) => task.done).map((task) => itemOf(task, work));
    }
    report.isComplete = this.#failed.length === 0 && report.notBegun.length === 0;
    report.seconds = (performance.now() - this.#began) / 1000;
    const languages = report.stages
      .map(({ details }) => details.languages)
      .find((found) => found !== undefined);
    if (languages) report.languages = languages as Record<string, unknown>;
    this.#state.isFinished = report.isComplete;
    if (report.isComplete) work.saveState(this.#state);
    else this.#saveState();
    writeWhole(join(work.path, "report.json"), `${JSON.stringify(report, null, 1)}\n`);
    writeWhole(join(work.path, "report.txt"), `${reportText(report).join("\n")}\n`);
    if (options.prune) this.#tell({ event: "pruned", ...work.prune(keysOf(this.#state)) });
    this.#tell({ event: "run_done", isComplete: report.isComplete, seconds: report.seconds });
    return report;
  }

  async #crawl(crawl: PipelineCrawl): Promise<PipelineReport["crawl"]> {
    this.#tell({ event: "crawl_begins", out: crawl.out });
    const { report, isReused } = await runCrawl(crawl, {
      signal: this.options.signal,
      onProgress: (progress) => this.options.onEvent?.({ event: "crawl_progress", ...progress }),
    });
    this.#tell({ event: "crawl_done", pages: report.pages, ended: report.ended, isReused });
    return { ...report, isReused };
  }

  /** Does what has not been done; tasks that are done have `done` afterwards. */
  async #stage(stage: Stage, index: number, tasks: PlannedTask[]) {
    const began = performance.now();
    const isCorpus = stage.writes === "corpus";
    if (isCorpus) {
      for (const task of tasks)
        if (task.done && !(await this.#isCurrent(stage, task.done))) task.done = undefined;
    }
    const states = tasks.map((task) => ({
      name: task.name,
      key: task.key!,
      inputs: task.inputs.map(({ id }) => id!),
      status: (task.done ? "done" : "waiting") as "done" | "waiting" | "failed",
      error: undefined as string | undefined,
    }));
    const { step, version, parameters } = stage;
    this.#state.stages[index] = { step, version, parameters, tasks: states };
    this.#saveState();
    const reused = tasks.filter(({ done }) => done).length;
    this.#tell({ event: "stage_begins", step, tasks: tasks.length, reused });
    // Inputs that are the same in all are one task.
    const groups = new Map<string, number[]>();
    for (const [i, { key, done }] of tasks.entries()) {
      if (!done) groups.set(key!, [...(groups.get(key!) ?? []), i]);
    }
    const queue = [...groups.values()];
    const next = async (): Promise<void> => {
      for (let group = queue.shift(); group; group = queue.shift()) {
        const task = tasks[group[0]];
        const why = whyOf(task, index, this.pipeline, this.#last);
        const result = await this.#attempts(stage, task, why);
        for (const i of group) {
          if ("key" in result) tasks[i].done = result;
          else {
            this.#failed.push({ ...result, step, name: tasks[i].name });
            states[i].error = result.message;
          }
          states[i].status = "key" in result ? "done" : "failed";
        }
      }
    };
    const settled = await Promise.allSettled(
      Array.from({ length: isCorpus ? 1 : Math.max(1, this.executor.slots) }, next),
    );
    this.#saveState();
    for (const one of settled) if (one.status === "rejected") throw one.reason;
    const failed = states.filter(({ status }) => status === "failed").length;
    const seconds = (performance.now() - began) / 1000;
    this.#tell({ event: "stage_done", step, done: tasks.length - failed, reused, failed, seconds });
    return { tasks: tasks.length, done: tasks.length - failed - reused, reused, failed };
  }

  /** Stages that this run has not come to are as the last run left them. */
  #saveState(): void {
    const { stages } = this.#state;
    const rest = this.#last?.stages.slice(stages.length) ?? [];
    this.work.saveState({ ...this.#state, stages: [...stages, ...rest] });
  }

  async #attempts(
    stage: Stage,
    task: PlannedTask,
    why: string,
  ): Promise<DoneTask | Omit<FailedTask, "step" | "name">> {
    const { signal, retryMs = limits.retryMs } = this.options;
    const { step } = stage;
    const { name, key } = task;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const began = performance.now();
      this.#tell({ event: "task_begins", step, name, key, attempt, why });
      try {
        const done = await this.#attempt(stage, task, attempt);
        const { documentsOut, wordsOut } = done.report;
        const seconds = (performance.now() - began) / 1000;
        this.#tell({ event: "task_done", step, name, key, attempt, seconds, documentsOut, wordsOut });
        return done;
      } catch (error) {
        if (signal?.aborted) throw error;
        const { code, message } = error as Error & { code?: string };
        // A parameter that is wrong is wrong the next time too; the encoder has its own ways to go on.
        const isLast = attempt > this.pipeline.retries || code === "bad_option" || stage.writes === "corpus";
        const event = isLast ? "task_failed" : "task_retried";
        this.#tell({ event, step, name, key, attempt, code, message });
        if (isLast) {
          const known = error instanceof DugongError ? { code, hint: error.hint } : {};
          return { ...known, message, attempts: attempt };
        }
        await wait(retryMs * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  }

  async #attempt(stage: Stage, { name, key, inputs }: PlannedTask, attempts: number): Promise<DoneTask> {
    const { work, pipeline, options } = this;
    const { step, version, parameters } = stage;
    const folder = work.begin(key!);
    const paths = inputs.map(({ path }) => path);
    const onProgress = (progress: object) =>
      options.onEvent?.({ event: "progress", step, name, ...progress });
    try {
      let done: DoneTask;
      if (stage.writes === "corpus") {
        const context = { signal: options.signal, onProgress };
        const { report, mark } = await options.encode!.run(paths, parameters, this.#state.marks, context);
        this.#state.marks = [...new Set([...this.#state.marks, mark])];
        const peakBytes = process.resourceUsage().maxRSS * 1024;
        done = { key: key!, step, version, parameters, report, peakBytes, attempts, mark };
      } else {
        const output = `output${this.#ending(stage)}${pipeline.compress ? ".gz" : ""}`;
        const { modules } = pipeline;
        const task = { step, modules, parameters, inputs: paths, output: join(folder, output) };
        const result = await this.executor.run(task, { signal: options.signal, onProgress });
        const { report, peakBytes } = result;
        done = {
          key: key!,
          step,
          version,
          parameters,
          output: { name: output, ...result.output },
          report,
          peakBytes,
          attempts,
        };
      }
      work.publish(folder, done);
      return done;
    } catch (error) {
      work.abandon(folder);
      throw error;
    }
  }

  #ending(stage: Stage): string {
    const { stages } = this.pipeline;
    const writer = stages.slice(0, stages.indexOf(stage) + 1).findLast(({ writes }) => writes !== "same");
    return writer?.writes === "vertical" ? ".vert" : ".txt";
  }

  async #isCurrent({ parameters }: Stage, { mark }: DoneTask): Promise<boolean> {
    return mark !== undefined && this.options.encode!.isCurrent(parameters, mark);
  }

  #tell(event: LogEvent): void {
    this.work.log(event);
    this.options.onEvent?.(event);
  }
}

/** All tasks of a run. */
export function keysOf(state: State | undefined): Set<string> {
  return new Set(state?.stages.flatMap(({ tasks }) => tasks.map(({ key }) => key)));
}
