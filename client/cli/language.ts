/** `dugong language`: which language each document, paragraph or line of a text stream is in. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { examples, nameList, wholeNumber } from "./options.js";
import { addStepOptions, runStep, type StepOptions } from "./step.js";

interface Options extends StepOptions {
  unit: "doc" | "p" | "line";
  model?: string;
  languages?: string[];
  threshold?: number;
  keep?: string[];
  minChars?: number;
  split?: string;
}

export function addLanguage(program: Command): void {
  const command = program
    .command("language")
    .summary("Say which language text is in; keep some, or split by language.")
    .description(
      "Say of each document, paragraph or line of a text stream which language it is in (lang, ISO 639-3; und where that is not sure). Keep some languages, or write each to a file of its own.",
    );
  addStepOptions(command, "text streams")
    .addOption(
      new Option("--unit <unit>", "what has a language of its own")
        .choices(["doc", "p", "line"])
        .default("doc"),
    )
    .option(
      "--languages <codes>",
      "only these are possible: fao,isl,dan (default: all of the model)",
      nameList,
    )
    .option("--keep <codes>", "leave out what is in other languages", nameList)
    .option("--split <folder>", "a file for each language there, instead of --out")
    .option("--min-chars <n>", "leave out what has fewer characters (default: 0)", wholeNumber)
    .option("--threshold <p>", "und below this confidence, 0 to 1 (default: 0.25; 0.5 for --model)", share)
    .option("--model <file>", "a model of `dugong language-train` (default: the one that Dugong comes with)")
    .addHelpText(
      "after",
      examples(
        ["dugong language web.txt.gz --keep fao --out fao.txt.gz", "the Faroese documents of a crawl"],
        [
          "dugong language web.txt.gz --unit p --languages fao,dan,isl | dugong dedup",
          "paragraph by paragraph",
        ],
        [
          "dugong language web.txt.gz --unit line --min-chars 100 --split languages/",
          "a file for each language",
        ],
      ),
    )
    .action(language);
}

async function language(inputs: string[], _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { unit, model, languages, threshold, keep, minChars, split } = options;
  if (split !== undefined && options.out !== "-") command.error("give --out or --split, not both");
  const { identifyLanguages } = await import("../../ingest/language/language.js");
  await runStep(inputs, options, (streams, context) =>
    identifyLanguages(streams, { unit, model, languages, threshold, keep, minChars, split }, context),
  );
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Write a number from 0 to 1.");
  return value;
}
