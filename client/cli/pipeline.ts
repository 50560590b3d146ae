/** `dugong pipeline`: runs steps of ingest one after the other, from files to an encoded corpus. */
import { existsSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import type { Parameters } from "../../ingest/pipeline/entry.js";
import type { Pipeline } from "../../ingest/pipeline/file.js";
import type { Encode } from "../../ingest/pipeline/run.js";
import type { LogEvent } from "../../ingest/pipeline/work.js";
import type { StepContext } from "../../ingest/stream/report.js";
import { fromCatalog } from "./catalog.js";
import { counted, grouped, size } from "./format.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber, workers } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { StatusLine } from "./progress.js";

interface RunningOptions extends GlobalOptions {
  dryRun?: boolean;
  keepGoing?: boolean;
  prune?: boolean;
  workers?: number;
  retryMs?: number;
}

const fileDefault = "pipeline.yaml";

export function addPipeline(program: Command): void {
  const pipeline = program
    .command("pipeline")
    .summary("Run steps one after the other, from files to a corpus.")
    .description(
      "Run steps one after the other, from files to a corpus, as a YAML file says. Only what has changed since the last run is done; a run that was killed goes on where it was.",
    )
    .addHelpText(
      "after",
      examples(
        ["dugong pipeline init", `write ${fileDefault}, with comments, to begin with`],
        ["dugong pipeline run", "run it"],
        ["dugong pipeline status news.yaml", "how far it is"],
      ),
    );
  const file = ["[file]", "the pipeline", fileDefault] as const;
  pipeline
    .command("run")
    .summary("Do what has not been done.")
    .description(
      "Do what has not been done, and report how much each step kept. A task that fails is tried again, then set aside: the other tasks go on, up to the first step that needs all inputs. Exit code 1 if anything failed.",
    )
    .argument(...file)
    .option("--dry-run", "do nothing; say what would be done, and why (default: off)")
    .option("--keep-going", "leave out what failed, and go on to the end (default: off)")
    .option("--prune", "afterwards, remove outputs that do not belong to this run (default: off)")
    .option("--workers <n>", "processes (default: what the file says, else one for each core)", workers)
    .option(
      "--retry-ms <n>",
      "time before a failed task is tried again; then twice as long",
      wholeNumber,
      1000,
    )
    .addHelpText(
      "after",
      examples(
        ["dugong pipeline run news.yaml", "from files to a corpus"],
        ["dugong pipeline run news.yaml --dry-run", "what would be done, and why"],
        ["dugong pipeline run news.yaml --keep-going --json", "without the files that fail, for a program"],
      ),
    )
    .action(run);
  pipeline
    .command("status")
    .description("Say how far the last run came, what failed, and whether one is at work.")
    .argument(...file)
    .addHelpText(
      "after",
      examples(
        ["dugong pipeline status", `of ${fileDefault}`],
        ["dugong pipeline status news.yaml", "of another"],
        ["dugong pipeline status news.yaml --json", "for a program"],
      ),
    )
    .action(status);
  pipeline
    .command("init")
    .description("Write a pipeline to begin with, with comments.")
    .argument("[file]", "where", fileDefault)
    .option("--force", "take the place of a file that is there (default: refuse)")
    .addHelpText(
      "after",
      examples(
        ["dugong pipeline init", `write ${fileDefault}`],
        ["dugong pipeline init news.yaml", "under another name"],
        ["dugong pipeline init news.yaml --force", "in place of what is there"],
      ),
    )
    .action(init);
  pipeline
    .command("clean-up")
    .description("Remove outputs that belong neither to the last run nor to what the pipeline is now.")
    .argument(...file)
    .addHelpText(
      "after",
      examples(
        ["dugong pipeline clean-up", `after changes to ${fileDefault}`],
        ["dugong pipeline clean-up news.yaml", "of another"],
        ["dugong pipeline clean-up news.yaml --json", "for a program"],
      ),
    )
    .action(cleanUp);
}

async function read(file: string, encode: Encode): Promise<Pipeline> {
  const { readPipeline } = await import("../../ingest/pipeline/file.js");
  return readPipeline(file, encode);
}

async function run(file: string, _: RunningOptions, command: Command): Promise<void> {
  const { json = false, dryRun, ...options } = command.optsWithGlobals<RunningOptions>();
  const encode = encodeStage(dataFolder(options));
  const pipeline = await read(file, encode);
  if (dryRun) return say(pipeline, encode, json);
  const { runPipeline } = await import("../../ingest/pipeline/run.js");
  const { reportText } = await import("../../ingest/pipeline/report.js");
  const progress = progressOf(json);
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    const report = await runPipeline(pipeline, {
      ...options,
      encode,
      signal: stop.signal,
      onEvent: progress.event,
    });
    progress.done();
    if (json) await writeJson(report);
    else await writeLines(reportText(report));
    if (!report.isComplete) process.exitCode = 1;
  } catch (error) {
    progress.done();
    if (!stop.signal.aborted) throw error;
    process.stderr.write("stopped; run the same command again to go on\n");
    process.exitCode = 130;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

function progressOf(json: boolean) {
  const { stderr } = process;
  if (json) {
    return { event: (event: LogEvent) => stderr.write(`${JSON.stringify(event)}\n`), done: () => {} };
  }
  const line = stderr.isTTY === true && process.env.TERM !== "dumb" ? new StatusLine(stderr) : undefined;
  let tasks = 0;
  let over = 0;
  const event = ({ event, ...details }: LogEvent) => {
    if (event === "stage_begins") {
      tasks = Number(details.tasks);
      over = Number(details.reused);
    } else if (event === "task_done" || event === "task_failed") over++;
    if (event === "task_failed" || event === "task_retried") {
      line?.clear();
      const then = event === "task_retried" ? "; it is tried again" : "";
      stderr.write(`${details.step}, ${details.name}: ${details.message}${then}\n`);
    }
    if (event === "crawl_progress")
      line?.draw(undefined, [
        `crawl: ${grouped(Number(details.pages))} pages`,
        `${Number(details.pagesPerSecond).toFixed(1)} pages/s`,
        `${grouped(Number(details.queued))} URLs wait`,
      ]);
    const words = event === "progress" && details.words ? [`${grouped(Number(details.words))} words`] : [];
    if (details.step)
      line?.draw(tasks > 0 ? over / tasks : undefined, [
        `${details.step}: ${over} of ${counted(tasks, "task")}`,
        ...words,
      ]);
  };
  return { event, done: () => line?.clear() };
}

/** --dry-run. */
async function say(pipeline: Pipeline, encode: Encode, json: boolean): Promise<void> {
  const { dryRun } = await import("../../ingest/pipeline/look.js");
  const stages = await dryRun(pipeline, encode);
  if (json) return writeJson({ stages });
  const lines: string[] = [];
  for (const { step, tasks, toDo, why } of stages) {
    lines.push(
      toDo === 0
        ? `${step}: nothing to do (${counted(tasks, "task")})`
        : `${step}: ${toDo} of ${counted(tasks, "task")}`,
    );
    for (const [reason, count] of Object.entries(why))
      lines.push(`  ${count === tasks ? "" : `${count}: `}${reason}`);
  }
  await writeLines(lines);
}

async function status(file: string, _: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const pipeline = await read(file, encodeStage(dataFolder(options)));
  const { pipelineStatus } = await import("../../ingest/pipeline/look.js");
  const found = pipelineStatus(pipeline);
  if (options.json)
    return writeJson(found ?? { work: pipeline.work, isFinished: false, stages: [], failed: [] });
  if (!found) return writeLines([`${file} was never run`]);
  const state =
    found.runner !== undefined
      ? `process ${found.runner} is at work`
      : found.isFinished
        ? "finished"
        : "not finished";
  await writeLines([
    `${file}: ${state}`,
    ...found.stages.map(({ step, tasks, done, failed }) => {
      return `  ${step}: ${done} of ${counted(tasks, "task")} done${failed > 0 ? `, ${failed} failed` : ""}`;
    }),
    ...found.failed.map(({ step, name, message }) => `  failed: ${step}, ${name}: ${message}`),
  ]);
}

async function init(file: string, _: GlobalOptions & { force?: boolean }, command: Command): Promise<void> {
  const { json, force } = command.optsWithGlobals<GlobalOptions & { force?: boolean }>();
  if (existsSync(file) && !force) {
    const { DugongError } = await import("../../storage/errors.js");
    throw new DugongError("file_exists", `there is a file ${file} already`, "Use --force to write over it.");
  }
  const { examplePipeline } = await import("../../ingest/pipeline/example.js");
  writeFileSync(file, examplePipeline());
  if (json) return writeJson({ written: file });
  await writeLines([`wrote ${file}; edit it, then \`dugong pipeline run ${file}\``]);
}

async function cleanUp(file: string, _: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const pipeline = await read(file, encodeStage(dataFolder(options)));
  const { cleanUp } = await import("../../ingest/pipeline/look.js");
  const removed = await cleanUp(pipeline);
  if (options.json) return writeJson({ removed });
  await writeLines([`removed the outputs of ${counted(removed.tasks, "task")}, ${size(removed.bytes)}`]);
}

/** The last stage. A corpus that no run of this pipeline has made is replaced only if its file says so. */
function encodeStage(data: string): Encode {
  const snapshotOf = (corpus: string) =>
    fromCatalog(data, (catalog) => (catalog.has(corpus) ? catalog.manifest(corpus) : undefined));
  const markOf = (manifest: { fingerprint: string; snapshot: number }) =>
    `${manifest.fingerprint}@${manifest.snapshot}`;
  return {
    version: "1",
    options: {
      corpus: { type: "string", isRequired: true, summary: "its name" },
      attributes: { type: "strings", summary: "names of the columns ([word])" },
      format: { type: "string", values: ["vertical", "conllu"], summary: "what the input is (vertical)" },
      encoding: { type: "string", summary: "the input's encoding (utf-8)" },
      strict: { type: "boolean", summary: "refuse invalid UTF-8 instead of replacing it (false)" },
      skipComments: { type: "strings", summary: "CoNLL-U comments to leave out ([text])" },
      segmentBytes: { type: "integer", min: 1, summary: "text that goes into one segment (50331648)" },
      registry: { type: "file", summary: "attributes and structures, as a Manatee registry file has them" },
      multivalue: { type: "map", summary: "attributes with several values, and what separates them" },
      unique: { type: "strings", summary: "attributes that tell structures apart: [doc.url]" },
      derive: { type: "strings", summary: "derived attributes: [lc=lowercase(word)]" },
      defaultAttribute: { type: "string", summary: "what a query means that names none (the first)" },
      document: { type: "string", summary: "the structure that is a document (found out)" },
      language: { type: "string", summary: "the language, for people" },
      entities: {
        type: "boolean",
        summary: "decode &lt; &amp; &#65;, which steps write in values of tags (true)",
      },
      replace: {
        type: "boolean",
        isNeutral: true,
        summary: "take the place of a corpus that another has made (false)",
      },
      workers: { type: "integer", min: 1, max: 256, isNeutral: true, summary: "threads (one for each core)" },
    },
    async wrong({ corpus }) {
      const { checkName } = await import("../../storage/catalog/catalog.js");
      try {
        checkName(corpus as string);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    async isCurrent({ corpus }, mark) {
      const manifest = await snapshotOf(corpus as string);
      return manifest !== undefined && markOf(manifest) === mark;
    },
    async run(inputs, parameters, marks, { onProgress }: StepContext) {
      const {
        corpus,
        replace = false,
        ...rest
      } = parameters as Parameters & { corpus: string; replace?: boolean };
      const { encodeCorpus, describeCorpus } = await import("../../storage/index.js");
      const before = await snapshotOf(corpus);
      const began = performance.now();
      const { manifest, warnings } = await encodeCorpus({
        // Addresses are full of &, which the tags of streams have as &amp;.
        entities: true,
        ...rest,
        data,
        corpus,
        inputs: [...inputs],
        replace: before !== undefined && (replace || marks.includes(markOf(before))),
        onProgress: ({ fraction, tokens, seconds }) =>
          onProgress?.({ fraction, documents: 0, words: tokens, seconds }),
      });
      const { tokens, documents = 0, bytes, snapshot } = describeCorpus(manifest);
      const report = {
        step: "encode",
        documentsIn: documents,
        documentsOut: documents,
        wordsOut: tokens,
        seconds: (performance.now() - began) / 1000,
        warnings: warnings.map(({ kind, message, count, places }) => ({
          kind,
          message,
          count,
          places: places.map(({ file, line }) => ({ source: file, line })),
        })),
        details: { corpus, snapshot, bytes },
      };
      return { report, mark: markOf(manifest) };
    },
  };
}
