/** `dugong dedup`: drops what was seen before, or marks it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { DedupOptions } from "../../ingest/dedup/dedup.js";
import { examples, wholeNumber, workers } from "./options.js";
import { addStepOptions, runStep, type StepOptions } from "./step.js";

type Options = StepOptions & DedupOptions;

export function addDedup(program: Command): void {
  const command = program
    .command("dedup")
    .summary("Drop documents and paragraphs that were seen before.")
    .description(
      "Drop what was seen before: exact copies of documents, then paragraphs (or documents) more than half of whose words stand in n-grams that an earlier one had, as onion decides it. The input is read twice; memory holds only n-grams that occur more than once, the disk 8 bytes for each word meanwhile.",
    );
  addStepOptions(command, "a text stream or a vertical stream")
    .addOption(
      new Option("--format <format>", "what the input is (default: told by how it begins)").choices([
        "text",
        "vertical",
      ]),
    )
    .addOption(
      new Option("--unit <unit>", "what is dropped as a whole")
        .choices(["paragraph", "document"])
        .default("paragraph"),
    )
    .option("--ngram <n>", "words in an n-gram", wholeNumber, 7)
    .option("--threshold <share>", "more than this share of words seen makes a duplicate", share, 0.5)
    .option(
      "--stub <n>",
      "what is left between duplicates goes too, if it has at most n words",
      wholeNumber,
      20,
    )
    .option("--no-smoothing", "leave what is left between duplicates, and short documents")
    .option("--no-exact", "do not look for exact copies first")
    .option(
      "--lines",
      "drop lines of text that were seen before, exactly, and look for no n-grams (default: off)",
    )
    .option("--mark", 'drop nothing; write <p dup="0.83"> and <doc dup="0.62" cluster="17"> (default: off)')
    .option("--document <name>", "vertical streams: the tag of documents", "doc")
    .option("--paragraph <name>", "vertical streams: the tag of paragraphs", "p")
    .option("--temp <folder>", "where hashes are put meanwhile (default: the system's temporary folder)")
    .option("--workers <n>", "threads (default: one for each core)", workers)
    .addHelpText(
      "after",
      examples(
        ["dugong dedup crawl.txt.gz --out unique.txt.gz", "drop copies and paragraphs that were seen before"],
        ["dugong dedup news/ --unit document --threshold 0.8 --out news.txt", "only documents as a whole"],
        [
          "zcat web.vert.gz | dugong dedup --mark > marked.vert",
          "keep everything, and say what is a duplicate",
        ],
      ),
    )
    .action(dedup);
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError("Use a number from 0 to 1.");
  return number;
}

async function dedup(inputs: string[], _: Options, command: Command): Promise<void> {
  const { out, json, data: __, ...options } = command.optsWithGlobals<Options>();
  const { dedup } = await import("../../ingest/dedup/dedup.js");
  await runStep(inputs, { out, json }, (streams, context) => dedup(streams, options, context));
}
