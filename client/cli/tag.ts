/** `dugong tag`: parts of speech and lemmas for a vertical stream. */
import type { Command } from "commander";
import { examples, nameList, workers } from "./options.js";
import { addStepOptions, runStep, type StepOptions } from "./step.js";

interface Options extends StepOptions {
  model?: string;
  command?: string;
  processes?: number;
  output?: string[];
  workers?: number;
}

export function addTag(program: Command): void {
  addStepOptions(
    program.command("tag").description("Tag and lemmatise the words of a vertical stream."),
    "vertical text, a token a line",
  )
    .option("--model <model>", "a file that tag-train has made, or wink-english")
    .option(
      "--command <line>",
      "a program instead: reads a token a line, writes a line for each, the token first",
    )
    .option("--processes <n>", "how many of that program (default: 1)", workers)
    .option(
      "--output <columns>",
      "word,lemma,tag,xpos,feats (default: word,lemma,tag as the model has them)",
      nameList,
    )
    .option("--workers <n>", "threads (default: one for each core; one for little text)", workers)
    .addHelpText(
      "after",
      examples(
        ["dugong tokenise news.txt --language en | dugong tag --model wink-english > news.vert", "English"],
        [
          "dugong tag fo.vert --model fo.model --output word,lemma,tag,feats --out fo-tagged.vert",
          "with a model of your own",
        ],
        ['dugong tag news.vert --command "tree-tagger-english" --processes 2', "with another tagger"],
      ),
    )
    .action(async (inputs: string[], _: Options, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { tag } = await import("../../ingest/tag/tag.js");
      await runStep(inputs, options, (streams, context) => tag(streams, options, context));
    });
}
