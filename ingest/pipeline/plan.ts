/**
 * Which tasks a stage has, under which key the output of each lies, and why one has to be done. The key is the hash of all that
 * decides on the output: the step and its version, its parameters, the content of the files that it is given and of
 * those that its parameters name.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { commandIdentity } from "./command.js";
import { isFile, type Parameters } from "./entry.js";
import type { Pipeline, Stage } from "./file.js";
import { type ContentHashes, findInputs, shownName } from "./inputs.js";
import type { DoneTask, State, WorkFolder } from "./work.js";

/** A file on its way through the pipeline. */
export interface Item {
  /** The input that it was made of, for people. */
  name: string;
  path: string;
  /** What stands for its content; undefined while nobody knows it. */
  id?: string;
}

export interface PlannedTask {
  name: string;
  inputs: Item[];
  /** Undefined if something before it has to be done first. */
  key?: string;
  done?: DoneTask;
}

/** Changes to how outputs are kept make all of them another's. */
const layout = 1;

export async function inputItems(
  pipeline: Pipeline,
  hashes: ContentHashes,
  mayRemember = true,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const path of findInputs(pipeline)) {
    // A step may go by the end of a file's name, but not by where it lies.
    items.push({ name: shownName(path, pipeline), path, id: `${basename(path)}:${await hashes.of(path)}` });
  }
  if (mayRemember) hashes.save();
  return items;
}

export async function planStage(
  stage: Stage,
  items: readonly Item[],
  work: WorkFolder,
  hashes: ContentHashes,
  pipeline: Pipeline,
): Promise<PlannedTask[]> {
  const groups = stage.takes === "file" ? items.map((item) => [item]) : [[...items]];
  const parameters = await decisive(stage, hashes);
  const { step, version } = stage;
  return groups.map((inputs) => {
    const name = inputs.length === 1 ? inputs[0].name : `${inputs.length} files`;
    if (inputs.some(({ id }) => id === undefined)) return { name, inputs };
    const compress = stage.writes === "corpus" ? undefined : pipeline.compress;
    const all = { layout, step, version, parameters, compress, inputs: inputs.map(({ id }) => id) };
    const key = createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 40);
    return { name, inputs, key, done: work.done(key) };
  });
}

/** Parameters that have an effect on the output, in order; of files their content, of commands what they name too. */
async function decisive({ parameters, options }: Stage, hashes: ContentHashes): Promise<Parameters> {
  const all: Parameters = {};
  for (const name of Object.keys(parameters).sort()) {
    if (options[name].isNeutral) continue;
    const value = parameters[name];
    if (options[name].type === "command")
      all[name] = [value, ...(await commandIdentity(value as string, hashes))];
    else all[name] = isFile(options[name], value) ? await hashes.of(value as string) : value;
  }
  return all;
}

/** What a task leaves for the next stage. */
export function itemOf({ name, done }: PlannedTask, work: WorkFolder): Item {
  return done?.output ? { name, path: work.output(done), id: done.output.hash } : { name, path: "" };
}

/** Why a task has to be done, beside the last run. */
export function whyOf(
  task: PlannedTask,
  index: number,
  { stages }: Pipeline,
  last: State | undefined,
): string {
  const stage = stages[index];
  const before = last?.stages[index];
  if (!last) return "it was never done";
  if (before?.step !== stage.step) return "the steps were others";
  if (before.version !== stage.version)
    return `the step was of version ${before.version}, and is ${stage.version}`;
  const names = new Set([...Object.keys(before.parameters), ...Object.keys(stage.parameters)]);
  const changes: string[] = [];
  for (const name of names) {
    const [was, is] = [before.parameters[name], stage.parameters[name]].map((value) =>
      value === undefined ? "not set" : JSON.stringify(value),
    );
    if (was !== is && !stage.options[name]?.isNeutral) changes.push(`${name} was ${was}, and is ${is}`);
  }
  if (changes.length > 0) return changes.join("; ");
  if (task.key === undefined) return "what comes before it has to be done";
  const same = before.tasks.find(({ key }) => key === task.key);
  if (same)
    return same.status === "failed" ? "it failed last time" : "it was not finished, or its output is gone";
  const named = before.tasks.find(({ name }) => name === task.name);
  if (!named) return stage.takes === "all" ? "there are other inputs" : "the input is new";
  const changed = task.inputs.filter(({ id }) => !named.inputs.includes(id!)).length;
  if (changed === 0) return "other settings have changed";
  return task.inputs.length === 1
    ? "the input has changed"
    : `${changed} of ${task.inputs.length} inputs have changed`;
}
