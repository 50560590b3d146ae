/** `dugong append`: adds text to a corpus. Whoever is reading it goes on with what they have. */
import type { Command } from "commander";
import type { AppendOptions } from "../../storage/index.js";
import { writeEncoded } from "./encoded.js";
import { resumable } from "./interrupt.js";
import { addReadingOptions, dataFolder, examples, type GlobalOptions, nameList } from "./options.js";
import { progressOn } from "./progress.js";

type Options = GlobalOptions & Omit<AppendOptions, "data" | "corpus" | "inputs" | "onProgress">;

export function addAppend(program: Command): void {
  const command = program
    .command("append")
    .description("Add text to a corpus: a new snapshot. Readers keep the one they have.")
    .argument("<corpus>", "its name")
    .argument("<files...>", 'files and directories in order; "-" is standard input')
    .option("--attributes <names>", "names of the columns, in order (default: as encoded)", nameList);
  addReadingOptions(command, "as encoded")
    .option("--again", "append it although it was appended last already (default: nothing to do)")
    .option("--no-compact", "leave small segments as they are, however many")
    .addHelpText(
      "after",
      examples(
        ["dugong append news 2024-05-17.vert", "what came in today"],
        [
          "zcat may/*.gz | dugong append news - --attributes word,tag,lemma",
          "a stream, its columns in another order",
        ],
      ),
    )
    .action(append);
}

async function append(corpus: string, inputs: string[], _: Options, command: Command): Promise<void> {
  const { data, json = false, ...options } = command.optsWithGlobals<Options>();
  const { appendToCorpus, describeCorpus } = await import("../../storage/index.js");
  const progress = progressOn(process.stderr, corpus, json);
  const result = await resumable(progress, json, () =>
    appendToCorpus({ ...options, data: dataFolder({ data }), corpus, inputs, onProgress: progress.report }),
  );
  const same = "the same input was appended last; nothing to do without --again";
  await writeEncoded(result, describeCorpus(result.manifest), { json, command: "append", same });
}
