/** `dugong language-train`: a language model of sample text. */
import type { Command } from "commander";
import { counted, size } from "./format.js";
import { examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { warningLines } from "./step.js";

interface Options extends GlobalOptions {
  out: string;
}

export function addLanguageTrain(program: Command): void {
  program
    .command("language-train")
    .summary("Make a language model of sample text.")
    .description(
      "Make a model for `dugong language` of sample text: plain text files, one for each language, named by its code (fao.txt, isl.txt.gz). Some ten thousand characters each are enough to begin with; about as much for each is best.",
    )
    .argument("<inputs...>", "files, or directories of them")
    .requiredOption("--out <file>", "where the model goes")
    .addHelpText(
      "after",
      examples(
        ["dugong language-train samples/ --out nordic.model", "a file for each language in samples/"],
        ["dugong language-train fao.txt isl.txt dan.txt --out nordic.model", "three languages"],
        ["dugong language web.txt --model nordic.model", "use it"],
      ),
    )
    .action(train);
}

async function train(inputs: string[], _: Options, command: Command): Promise<void> {
  const { out, json = false } = command.optsWithGlobals<Options>();
  const { trainOnFiles } = await import("../../ingest/language/train-files.js");
  const report = await trainOnFiles(inputs, out);
  if (json) return writeJson(report);
  const { model, languages, bytes, warnings } = report;
  await writeLines([
    `${model}: ${counted(languages.length, "language")} (${languages.join(", ")}), ${size(bytes)}`,
    ...warningLines(warnings),
  ]);
}
