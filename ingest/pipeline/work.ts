/**
 * The work folder:
 *
 *   tasks/KEY/output.txt   what a task wrote; KEY is the hash of all that decides on it
 *   tasks/KEY/task.json    what it was and how it went; a task is done when its folder has its name
 *   tasks/.KEY.RUN/        a task that is under way; of a run that is over, rubbish
 *   hashes.json            content hashes of inputs
 *   state.json             the stages and tasks of the last run
 *   log.jsonl              what happened, an event a line
 *   report.json, .txt      what came of the last run
 *   lock                   who runs
 */
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DugongError } from "../../storage/errors.js";
import { makeFolder } from "../../storage/folder.js";
import type { StepReport } from "../stream/report.js";
import { syncFile, writeWhole } from "../stream/whole.js";
import type { Parameters } from "./entry.js";

/** task.json: a task that was done. */
export interface DoneTask {
  key: string;
  step: string;
  version: string;
  parameters: Parameters;
  /** Absent of encode. */
  output?: { name: string; bytes: number; hash: string };
  report: StepReport;
  peakBytes: number;
  attempts: number;
  /** Of encode: how to know its corpus again. */
  mark?: string;
}

export interface State {
  run: string;
  pipeline: string;
  /** Did the run come to its end? */
  isFinished: boolean;
  /** Of all corpora that runs have made, how to know them again. */
  marks: string[];
  stages: {
    step: string;
    version: string;
    parameters: Parameters;
    tasks: {
      name: string;
      key: string;
      inputs: string[];
      status: "done" | "failed" | "waiting";
      error?: string;
    }[];
  }[];
}

export interface LogEvent {
  event: string;
  [detail: string]: unknown;
}

export class WorkFolder {
  readonly run = `${Date.now().toString(36)}-${process.pid}`;
  #isLocked = false;

  constructor(readonly path: string) {}

  get tasks(): string {
    return join(this.path, "tasks");
  }

  get temp(): string {
    return join(this.path, "temp");
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  /** Makes the folder ours until release(), and clears away what runs that were killed have left. */
  acquire(): void {
    makeFolder(this.tasks);
    const lock = join(this.path, "lock");
    const own = `${lock}.${this.run}`;
    writeFileSync(own, JSON.stringify({ pid: process.pid, began: beganAt(process.pid) }));
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          // A link is there as a whole or not at all, and of two runs only one makes it.
          linkSync(own, lock);
          break;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt > 2) throw error;
          const pid = this.runner();
          if (pid !== undefined) {
            const hint = "Wait until it is done. `dugong pipeline status` says how far it is.";
            throw new DugongError("already_running", `process ${pid} is at work in ${this.path}`, hint);
          }
          rmSync(lock, { force: true });
        }
      }
    } finally {
      rmSync(own, { force: true });
    }
    this.#isLocked = true;
    for (const name of readdirSync(this.tasks)) {
      if (name.startsWith(".")) rmSync(join(this.tasks, name), { recursive: true, force: true });
    }
    for (const name of readdirSync(this.path)) {
      if (/\.part$|^lock\./.test(name)) rmSync(join(this.path, name), { force: true });
    }
    rmSync(this.temp, { recursive: true, force: true });
    mkdirSync(this.temp);
  }

  release(): void {
    if (!this.#isLocked) return;
    this.#isLocked = false;
    rmSync(this.temp, { recursive: true, force: true });
    rmSync(join(this.path, "lock"), { force: true });
  }

  /** The process that is at work here. */
  runner(): number | undefined {
    let pid: number | undefined;
    try {
      const lock = JSON.parse(readFileSync(join(this.path, "lock"), "utf8"));
      pid = lock.pid as number;
      process.kill(pid, 0);
      return beganAt(pid) === lock.began ? pid : undefined;
    } catch (error) {
      // There is such a process, and it is another's.
      return (error as NodeJS.ErrnoException).code === "EPERM" ? pid : undefined;
    }
  }

  /** The task, if it was done and its output is there. */
  done(key: string): DoneTask | undefined {
    try {
      const task: DoneTask = JSON.parse(readFileSync(join(this.tasks, key, "task.json"), "utf8"));
      if (task.output && statSync(this.output(task)).size !== task.output.bytes) return undefined;
      return task;
    } catch {
      return undefined;
    }
  }

  output({ key, output }: DoneTask): string {
    return join(this.tasks, key, output!.name);
  }

  /** Where a task may write until it is done. */
  begin(key: string): string {
    const folder = join(this.tasks, `.${key}.${this.run}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    return folder;
  }

  abandon(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
  }

  /** All of it is there, or nothing. */
  publish(folder: string, task: DoneTask): void {
    if (task.output) syncFile(join(folder, task.output.name));
    writeWhole(join(folder, "task.json"), `${JSON.stringify(task, null, 1)}\n`);
    const place = join(this.tasks, task.key);
    rmSync(place, { recursive: true, force: true });
    renameSync(folder, place);
  }

  get state(): State | undefined {
    try {
      return JSON.parse(readFileSync(join(this.path, "state.json"), "utf8"));
    } catch {
      return undefined;
    }
  }

  saveState(state: State): void {
    writeWhole(join(this.path, "state.json"), JSON.stringify(state));
  }

  log(event: LogEvent): void {
    const line = { time: new Date().toISOString(), run: this.run, ...event };
    appendFileSync(join(this.path, "log.jsonl"), `${JSON.stringify(line)}\n`);
  }

  /** Removes the outputs of tasks that are not among these. Returns how many, and how many bytes they had. */
  prune(keep: ReadonlySet<string>): { tasks: number; bytes: number } {
    let tasks = 0;
    let bytes = 0;
    for (const key of readdirSync(this.tasks)) {
      if (keep.has(key)) continue;
      const folder = join(this.tasks, key);
      for (const name of readdirSync(folder)) bytes += statSync(join(folder, name)).size;
      rmSync(folder, { recursive: true });
      tasks++;
    }
    return { tasks, bytes };
  }
}

/** When a process began, where the system tells: a number may have gone to another process. */
function beganAt(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")")).split(" ")[20];
  } catch {
    return "";
  }
}
