/** `dugong tokenise`: from text to a token a line. */
import type { Command } from "commander";
import { examples, workers } from "./options.js";
import { addStepOptions, runStep, type StepOptions } from "./step.js";

interface Options extends StepOptions {
  language?: string;
  table?: string;
  lines?: boolean;
  workers?: number;
}

export function addTokenise(program: Command): void {
  addStepOptions(
    program
      .command("tokenise")
      .description("Cut text into sentences and tokens: from a text stream to a vertical stream."),
    "text, with or without <doc> and <p>",
  )
    .option("--language <code>", 'of text that does not say ("en", "fao"; default: what holds for all)')
    .option("--table <file.json>", "abbreviations, clitics and the like, laid over those that are built in")
    .option("--lines", "every line ends a sentence (default: only paragraphs do)")
    .option("--workers <n>", "threads (default: one for each core; one for little text)", workers)
    .addHelpText(
      "after",
      examples(
        [
          "dugong tokenise news.txt --language en --out news.vert",
          "plain text, paragraphs between empty lines",
        ],
        ["dugong clean crawl.warc.gz | dugong tokenise | gzip > web.vert.gz", "what a crawl has found"],
        ["dugong tokenise chat.txt --language fo --table ours.json", "with abbreviations of your own"],
      ),
    )
    .action(async (inputs: string[], _: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { tokenise } = await import("../../ingest/tokenise/tokenise.js");
      await runStep(inputs, options, (streams, context) => tokenise(streams, options, context));
    });
}
