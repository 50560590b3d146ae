/** `dugong tag-train`: a tagger of a treebank. */
import { type Command, Option } from "commander";
import type { Round } from "../../ingest/tag/train.js";
import type { TrainingReport } from "../../ingest/tag/training.js";
import { duration, grouped, size } from "./format.js";
import { examples, type GlobalOptions, names, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";

interface Options extends GlobalOptions {
  out: string;
  dev?: string;
  layers?: ("xpos" | "feats")[];
  language?: string;
  rounds?: number;
  seed?: number;
}

export function addTagTrain(program: Command): void {
  program
    .command("tag-train")
    .description("Train a tagger and lemmatiser on treebanks of Universal Dependencies.")
    .argument("<treebanks...>", "CoNLL-U files, plain or compressed")
    .requiredOption("--out <model>", "where to write the model")
    .option("--dev <treebank>", "another treebank, to say how good it is")
    .addOption(
      new Option(
        "--layers <names>",
        'beside tag and lemma: "xpos", "xpos,feats", "" (default: xpos if there is any)',
      ).argParser(names),
    )
    .option("--language <code>", "what the model says of itself")
    .option("--rounds <n>", "times that each learner goes through the treebank (default: 8)", wholeNumber)
    .option("--seed <n>", "of the order of sentences (default: 1)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        [
          "dugong tag-train fo_farpahc-ud-train.conllu --out fo.model --dev fo_farpahc-ud-dev.conllu",
          "Faroese",
        ],
        ["dugong tag-train cs_*.conllu.gz --out cs.model --layers xpos,feats", "with features"],
        ["dugong tag-train en_ewt-ud-train.conllu --out en.model --rounds 3 --json", "quickly, for programs"],
      ),
    )
    .action(tagTrain);
}

async function tagTrain(treebanks: string[], _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const other = options.layers?.find((layer) => layer !== "xpos" && layer !== "feats");
  if (other !== undefined) command.error(`--layers has "${other}": there are xpos and feats`);
  if (options.rounds === 0) command.error("--rounds 0 learns nothing");
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once("SIGINT", interrupt);
  const { trainModel } = await import("../../ingest/tag/training.js");
  try {
    const onRound = (round: Round) => process.stderr.write(roundLine(round, options.json));
    const report = await trainModel(treebanks, options.out, { ...options, onRound, signal: stop.signal });
    await (options.json ? writeJson(report) : writeLines(reportLines(report)));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.stderr.write("stopped\n");
    process.exitCode = 130;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function roundLine(round: Round, json = false): string {
  if (json) return `${JSON.stringify({ progress: round })}\n`;
  const { layer, round: number, rounds, accuracy, seconds } = round;
  return `${layer}: round ${number} of ${rounds}, ${percent(accuracy)} right so far, ${duration(seconds)}\n`;
}

function reportLines({
  model,
  bytes,
  sentences,
  tokens,
  columns,
  seconds,
  dev,
  warnings,
}: TrainingReport): string[] {
  const lines = [
    `${model}: ${columns.join(", ")}; of ${grouped(sentences)} sentences, ${grouped(tokens)} tokens; ${size(bytes)}, in ${duration(seconds)}`,
  ];
  if (dev) {
    const right = Object.entries(dev.right).map(([column, share]) => `${column} ${percent(share)}`);
    lines.push(`dev: ${right.join(", ")}; tags of unknown words ${percent(dev.unknown.tag)}`);
  }
  for (const { kind, message, count } of warnings) lines.push(`  ${kind}: ${message} (${grouped(count)}×)`);
  return lines;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
