/**
 * Who does tasks. The pipeline gives them out and takes back what they say; where they run is the executor's affair. This one
 * runs them in child processes on this machine; one for a cluster would need to see the work folder, and nothing else.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { builtFile } from "../../storage/built.js";
import { DugongError } from "../../storage/errors.js";
import type { StepProgress, StepReport } from "../stream/report.js";
import type { Parameters } from "./entry.js";

export interface Task {
  step: string;
  /** Modules that have the step, if it is none of ours. */
  modules: readonly string[];
  parameters: Parameters;
  inputs: readonly string[];
  output: string;
}

export interface TaskResult {
  report: StepReport;
  output: { bytes: number; hash: string };
  peakBytes: number;
}

export interface TaskContext {
  signal?: AbortSignal;
  onProgress?: (progress: StepProgress) => void;
}

export interface Executor {
  /** How many tasks it can do at a time. */
  readonly slots: number;
  run(task: Task, context?: TaskContext): Promise<TaskResult>;
  close(): Promise<void>;
}

/** What a child says. */
export type Answer =
  | { progress: StepProgress }
  | { result: TaskResult }
  | { error: { code?: string; message: string; hint?: string } };

/**
 * A child does one task after the other, all of the same step: what it has loaded stays loaded, and its memory is that of the
 * step. It ends with us, however we end.
 */
export class LocalExecutor implements Executor {
  readonly slots: number;
  readonly #idle: { child: ChildProcess; step: string }[] = [];
  readonly #all = new Set<ChildProcess>();

  constructor(
    /** Where steps may put what they need meanwhile. */
    readonly temp: string,
    workers?: number,
  ) {
    this.slots = workers ?? availableParallelism();
  }

  run(task: Task, context: TaskContext = {}): Promise<TaskResult> {
    const child = this.#child(task.step);
    const { signal, onProgress } = context;
    return new Promise((resolve, reject) => {
      const stop = () => child.kill("SIGKILL");
      const end = (isFree: boolean) => {
        child.off("message", answered);
        child.off("exit", lost);
        signal?.removeEventListener("abort", stop);
        if (isFree) this.#idle.push({ child, step: task.step });
      };
      const answered = (answer: Answer) => {
        if ("progress" in answer) return onProgress?.(answer.progress);
        end(true);
        if ("result" in answer) return resolve(answer.result);
        const { code, message, hint } = answer.error;
        reject(code ? new DugongError(code, message, hint) : new Error(message));
      };
      const lost = (code: number | null, by: string | null) => {
        end(false);
        const how = by ? `was ended by ${by}` : `ended with code ${code}`;
        reject(
          signal?.aborted ? signal.reason : new DugongError("task_lost", `the process of a task ${how}`),
        );
      };
      child.on("message", answered);
      child.on("exit", lost);
      signal?.addEventListener("abort", stop);
      if (signal?.aborted) stop();
      else child.send(task);
    });
  }

  #child(step: string): ChildProcess {
    for (let i = this.#idle.length - 1; i >= 0; i--) {
      const { child, step: its } = this.#idle[i];
      if (its !== step) continue;
      this.#idle.splice(i, 1);
      return child;
    }
    // Those of other steps have nothing more to do: their memory is wanted elsewhere.
    for (const { child } of this.#idle.splice(0)) child.disconnect();
    const child = fork(builtFile("ingest/pipeline/child.js"), {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, TMPDIR: this.temp },
      execArgv: [],
    });
    this.#all.add(child);
    child.once("exit", () => {
      this.#all.delete(child);
      const at = this.#idle.findIndex((idle) => idle.child === child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return child;
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#all].map((child) => {
        const gone = new Promise((exited) => child.once("exit", exited));
        child.kill("SIGKILL");
        return gone;
      }),
    );
  }
}
