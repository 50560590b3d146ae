/** `dugong clean`: from pages to the text on them. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CleanOptions } from "../../ingest/clean/clean.js";
import { examples, wholeNumber, workers } from "./options.js";
import { addStepOptions, runStep, type StepOptions } from "./step.js";

interface Options extends StepOptions {
  algorithm: "default" | "justext";
  comments: boolean;
  language?: string;
  /** False for --no-stopwords. */
  stopwords?: string | false;
  lengthLow?: number;
  lengthHigh?: number;
  stopwordsLow?: number;
  stopwordsHigh?: number;
  maxLinkDensity?: number;
  maxHeadingDistance?: number;
  headings: boolean;
  workers?: number;
}

export function addClean(program: Command): void {
  const command = program
    .command("clean")
    .summary("Take the text off web pages: no menus, no adverts, no footers.")
    .description(
      "Take the text off web pages. Decodes them, cuts them into blocks, leaves out boilerplate, and writes the text stream: documents of paragraphs, headings marked.",
    );
  addStepOptions(command, "pages, as archives or HTML")
    .addOption(
      new Option("--algorithm <name>", "how text is told from boilerplate")
        .choices(["default", "justext"])
        .default("default"),
    )
    .option("--no-comments", "leave out readers' comments where a page says which they are")
    .option("--workers <n>", "threads (default: one for each core)", workers)
    .option(
      "--language <code>",
      "jusText: the language of all pages (default: what each says, else what fits best)",
    )
    .option(
      "--stopwords <file>",
      "jusText: stop words, a word a line; or words with frequencies, to choose from",
    )
    .option("--no-stopwords", "jusText: judge without stop words")
    .option("--length-low <n>", "jusText: a shorter block is short (default: 70)", wholeNumber)
    .option("--length-high <n>", "jusText: a longer block can be good (default: 200)", wholeNumber)
    .option(
      "--stopwords-low <share>",
      "jusText: stop words of a block that is near good (default: 0.3)",
      share,
    )
    .option("--stopwords-high <share>", "jusText: stop words of a block that is good (default: 0.32)", share)
    .option("--max-link-density <share>", "jusText: links of a block that is not bad (default: 0.2)", share)
    .option(
      "--max-heading-distance <n>",
      "jusText: characters from a heading to its text (default: 200)",
      wholeNumber,
    )
    .option("--no-headings", "jusText: headings are blocks like any other")
    .addHelpText(
      "after",
      examples(
        ["dugong clean crawl/ --out text.vrt.gz", "all pages of a directory, as compressed text"],
        [
          "dugong clean pages/ --algorithm justext --language cs | dugong tokenise",
          "as jusText does it, with Czech stop words",
        ],
        [
          "dugong clean pages/ --no-comments --workers 4 --json --out text.txt",
          "articles only, four threads, the report as JSON",
        ],
      ),
    )
    .action(clean);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Use a number from 0 to 1.");
  return value;
}

async function clean(inputs: string[], _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { algorithm, language, stopwords, headings, comments } = options;
  if (algorithm === "default") {
    const alone = justextOnly.find((name) => command.getOptionValueSource(name) === "cli");
    if (alone) command.error(`${flagOf(command, alone)} is for --algorithm justext`);
  }
  if (stopwords !== undefined && language !== undefined)
    command.error("give --language or stop words, not both");
  const parameters: CleanOptions["parameters"] = {
    ...given("lengthLow", options.lengthLow),
    ...given("lengthHigh", options.lengthHigh),
    ...given("stopWordsLow", options.stopwordsLow),
    ...given("stopWordsHigh", options.stopwordsHigh),
    ...given("linkDensityMax", options.maxLinkDensity),
    ...given("headingDistanceMax", options.maxHeadingDistance),
    noHeadings: !headings,
  };
  const { clean: step } = await import("../../ingest/clean/clean.js");
  await runStep(inputs, options, (streams, context) =>
    step(
      streams,
      {
        algorithm,
        noComments: !comments,
        language,
        stopWords: stopwords || undefined,
        noStopWords: stopwords === false,
        parameters,
        workers: options.workers,
      },
      context,
    ),
  );
}

const justextOnly = [
  ...["language", "stopwords", "lengthLow", "lengthHigh", "stopwordsLow", "stopwordsHigh"],
  ...["maxLinkDensity", "maxHeadingDistance", "headings"],
];

/** As it was written: --stopwords and --no-stopwords are one option to us. */
function flagOf(command: Command, name: string): string {
  const isNegated = command.getOptionValue(name) === false;
  return command.options.find((option) => option.attributeName() === name && option.negate === isNegated)!
    .long!;
}

function given<Name extends string>(name: Name, value: number | undefined): { [key in Name]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: number });
}
