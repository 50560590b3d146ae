/**
 * The pipeline's file: what comes in, and what is done with it.
 *
 *   crawl:   { seeds: path, parameter: value, … }   what is fetched first, and is an input then (crawl.ts)
 *   inputs:  [ path | directory | glob, … ]         relative paths are from the file's own folder
 *   work:    folder                                 where outputs lie (default: the file's name with .work)
 *   modules: [ path, … ]                            modules with steps of your own
 *   workers: n   retries: n   compress: true        (default: one for each core; 2; false)
 *   steps:   [ name | { name: { parameter: value, … } }, … ]      the last may be encode
 *
 * What is wrong is said with file, line and column.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { DugongError } from "../../storage/errors.js";
import { crawlParameters, type PipelineCrawl } from "./crawl.js";
import {
  didYouMean,
  isFile,
  type OptionsSchema,
  type Parameters,
  type StepEntry,
  type WrongTogether,
  wrongParameter,
} from "./entry.js";
import { loadSteps } from "./steps.js";

export interface Stage {
  step: string;
  version: string;
  takes: "file" | "all";
  writes: "text" | "vertical" | "same" | "corpus";
  parameters: Parameters;
  options: OptionsSchema;
}

export interface Pipeline {
  file: string;
  /** The folder that paths are relative to. */
  folder: string;
  /** What is fetched before anything else. Its WARC files are the last of the inputs. */
  crawl?: PipelineCrawl;
  inputs: { pattern: string; place: string }[];
  work: string;
  modules: string[];
  workers?: number;
  retries: number;
  compress: boolean;
  stages: Stage[];
}

/** The last stage, as whoever knows about corpora describes it. */
export interface EncodeEntry {
  version: string;
  options: OptionsSchema;
  wrong?: WrongTogether;
}

const topLevel = ["crawl", "inputs", "work", "modules", "workers", "retries", "compress", "steps"];
const retriesDefault = 2;

export async function readPipeline(file: string, encode?: EncodeEntry): Promise<Pipeline> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const hint = "`dugong pipeline init` writes one to begin with.";
    throw new DugongError(
      "input_not_found",
      `cannot read the pipeline ${file}: ${(error as Error).message}`,
      hint,
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const fail = (node: unknown, message: string, hint?: string): never => {
    const offset = (node as Node | undefined)?.range?.[0] ?? 0;
    throw new DugongError("bad_pipeline", `${at(offset)}: ${message}`, hint);
  };
  const [broken] = document.errors;
  if (broken) throw new DugongError("bad_pipeline", `${at(broken.pos[0])}: ${broken.message}`);
  const root = document.contents;
  if (!isMap(root)) return fail(root, "a pipeline is a map with inputs and steps");
  const nodes = new Map<string, Node>();
  for (const { key, value } of root.items) {
    const name = String(isScalar(key) ? key.value : key);
    if (!topLevel.includes(name)) {
      fail(key, `no setting "${name}" (there are ${topLevel.join(", ")})${didYouMean(name, topLevel)}`);
    }
    if (value) nodes.set(name, value as Node);
  }
  const folder = dirname(resolve(file));
  const texts = (name: string): { text: string; node: Node }[] => {
    const node = nodes.get(name);
    if (!node) return [];
    const items = isSeq(node) ? (node.items as Node[]) : [node];
    return items.map((item) => {
      if (!isScalar(item) || typeof item.value !== "string")
        return fail(item, `${name} has to be a text or a list of texts`);
      return { text: item.value, node: item };
    });
  };
  const value = (name: string, type: "integer" | "boolean", min = 0): unknown => {
    const node = nodes.get(name);
    if (!node) return undefined;
    const given = isScalar(node) ? node.value : undefined;
    const wrong = wrongParameter(name, given, { [name]: { type, min, max: 256, summary: "" } });
    return wrong ? fail(node, wrong) : given;
  };
  const inputs = texts("inputs").map(({ text, node }) => ({
    pattern: text,
    place: at(node.range?.[0] ?? 0),
  }));
  const crawl = crawlOf(nodes.get("crawl"), fail, folder, nameOf(file));
  if (crawl)
    inputs.push({
      pattern: join(crawl.out, "warc", "*.warc.gz"),
      place: at(nodes.get("crawl")!.range?.[0] ?? 0),
    });
  if (inputs.length === 0)
    fail(nodes.get("inputs") ?? root, "no inputs: name files, directories or globs, or a crawl");
  const modules = texts("modules").map(({ text }) => resolve(folder, text));
  const known = await loadSteps(modules);
  const list = nodes.get("steps");
  if (!isSeq(list) || list.items.length === 0) return fail(list ?? root, "no steps: give a list of them");
  const stages: Stage[] = [];
  /** What the steps so far have made of the inputs; undefined while that is what they were. */
  let stream: "text" | "vertical" | undefined;
  for (const item of list.items as Node[]) {
    const stage = stageOf(item, known, encode, fail, folder);
    stages.push(stage);
    const { step, writes, parameters } = stage;
    const entry = known.get(step);
    const { reads } = entry ?? {};
    const { wrong } = entry ?? encode!;
    const mistake = await wrong?.(parameters);
    if (mistake !== undefined) fail(item, `step ${step}: ${mistake}`);
    if (stream && reads && !reads.includes(stream)) {
      const before = stages.findLast((one) => one.writes === stream)!.step;
      fail(item, `step ${step} reads ${named(reads[0])}, and ${before} before it writes ${named(stream)}`);
    }
    if (writes === "text" || writes === "vertical") stream = writes;
    const isLast = stages.length === list.items.length;
    if (stages.at(-1)!.writes === "corpus" && !isLast)
      fail(item, "encode is the last step, and others follow it");
  }
  const [work] = texts("work");
  return {
    file,
    folder,
    ...(crawl && { crawl }),
    inputs,
    work: resolve(folder, work?.text ?? `${nameOf(file)}.work`),
    modules,
    workers: value("workers", "integer", 1) as number | undefined,
    retries: (value("retries", "integer") as number | undefined) ?? retriesDefault,
    compress: (value("compress", "boolean") as boolean | undefined) ?? false,
    stages,
  };
}

type Fail = (node: unknown, message: string, hint?: string) => never;

function named(stream: "pages" | "text" | "vertical"): string {
  return stream === "pages" ? "pages" : `a ${stream} stream`;
}

/** "news" of "pipelines/news.yaml". */
function nameOf(file: string): string {
  return basename(file).replace(/\.ya?ml$/, "");
}

function crawlOf(
  node: Node | undefined,
  fail: Fail,
  folder: string,
  name: string,
): PipelineCrawl | undefined {
  if (!node) return undefined;
  const parameters = parametersOf("crawl", "crawl", node, node, crawlParameters, fail, folder);
  return { out: resolve(folder, (parameters.out as string | undefined) ?? `${name}.crawl`), parameters };
}

/** What stands below a name, checked; paths are from the file's own folder. */
function parametersOf(
  name: string,
  what: string,
  nameNode: unknown,
  given: unknown,
  options: OptionsSchema,
  fail: Fail,
  folder: string,
): Parameters {
  const parameters: Parameters = {};
  if (isMap(given)) {
    for (const { key, value } of given.items) {
      const parameter = String(isScalar(key) ? key.value : key);
      const plain = (value as Node | null)?.toJSON() ?? null;
      const wrong = wrongParameter(parameter, plain, options);
      if (wrong) fail(key, `${what}: ${wrong}`);
      const path = isFile(options[parameter], plain) ? resolve(folder, plain as string) : undefined;
      if (path !== undefined && !existsSync(path)) fail(value, `${what}: ${parameter}: no file ${plain}`);
      parameters[parameter] = path ?? plain;
    }
  } else if (given && !(isScalar(given) && given.value === null)) {
    fail(given, `the parameters of ${name} have to be a map`);
  }
  for (const [parameter, { isRequired }] of Object.entries(options)) {
    if (isRequired && !(parameter in parameters))
      fail(nameNode, `${what}: it needs the parameter ${parameter}`);
  }
  return parameters;
}

/** `dedup`, or `dedup: { ngram: 5 }`. */
function stageOf(
  item: Node,
  known: Map<string, StepEntry>,
  encode: EncodeEntry | undefined,
  fail: Fail,
  folder: string,
): Stage {
  let nameNode: unknown = item;
  let given: unknown;
  if (isMap(item)) {
    if (item.items.length !== 1) fail(item, "a step is a name, or a name with its parameters below it");
    nameNode = item.items[0].key;
    given = item.items[0].value;
  }
  const step = isScalar(nameNode) ? nameNode.value : undefined;
  if (typeof step !== "string") return fail(item, "a step is a name, or a name with its parameters below it");
  const entry = known.get(step);
  const names = [...known.keys(), ...(encode ? ["encode"] : [])];
  if (!entry && !(step === "encode" && encode)) {
    fail(nameNode, `no step "${step}" (there are ${names.join(", ")})${didYouMean(step, names)}`);
  }
  const { options, version } = entry ?? encode!;
  const parameters = parametersOf(step, `step ${step}`, nameNode, given, options, fail, folder);
  const { takes, writes } = entry ?? { takes: "all" as const, writes: "corpus" as const };
  return { step, version, takes, writes, parameters, options };
}
