/** `dugong read`: text in whatever format as the text stream; with --list, what archives hold. */
import { type Command, Option } from "commander";
import type { Format } from "../../ingest/read/formats.js";
import { examples } from "./options.js";
import { write } from "./output.js";
import { addStepOptions, runStep, type StepOptions, warningLines } from "./step.js";

interface Options extends StepOptions {
  format: Format | "auto";
  list?: boolean;
}

/** The compiler holds these to the formats that there are; the room that knows them is loaded only when it is needed. */
const formats = {
  auto: true,
  warc: true,
  arc: true,
  wet: true,
  html: true,
  text: true,
  leipzig: true,
  tei: true,
  conllu: true,
  vertical: true,
  stream: true,
} satisfies Record<Format | "auto", true>;

export function addRead(program: Command): void {
  const command = program
    .command("read")
    .summary("Read text in many formats, or list archives of the web.")
    .description(
      "Read text (plain, TEI, CoNLL-U, vertical, WET, Leipzig corpora) and write it as a text stream: documents, paragraphs, lines. Pages of HTML and archives of them (WARC, ARC) are for `dugong clean`; --list says what archives hold.",
    );
  addStepOptions(command, "what to read")
    .addOption(
      new Option("--format <format>", "what the inputs are; auto tells it from the content of each")
        .choices(Object.keys(formats))
        .default("auto"),
    )
    .option("--list", "list the pages of archives instead, one JSON object a line")
    .addHelpText(
      "after",
      examples(
        ["dugong read novels/ --out novels.txt.gz", "all texts of a directory as one stream"],
        [
          "dugong read fao_wikipedia_2021_10K-sentences.txt | dugong language --keep fao",
          "sentences, sifted",
        ],
        ["dugong read crawl.warc.gz --list | jq -r 'select(.status == 200) | .url'", "what a crawl has got"],
      ),
    )
    .action(read);
}

async function read(inputs: string[], _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const format = options.format === "auto" ? undefined : options.format;
  if (options.list) return list(inputs.length === 0 ? ["-"] : inputs, options.out, format);
  const { readText } = await import("../../ingest/read/read.js");
  await runStep(inputs, options, (streams, context) => readText(streams, { format }, context));
}

async function list(inputs: string[], out: string, format: Format | undefined): Promise<void> {
  const { entriesOf } = await import("../../ingest/read/list.js");
  const { Warnings } = await import("../../ingest/stream/report.js");
  const { writing } = await import("../../ingest/stream/output.js");
  const warnings = new Warnings();
  const lines = entriesOf(inputs, { warnings, format });
  if (out === "-") for await (const entry of lines) await write(`${JSON.stringify(entry)}\n`);
  else
    await writing(out, async (output) => {
      for await (const entry of lines) await output.write(`${JSON.stringify(entry)}\n`);
    });
  for (const line of warningLines(warnings.list)) process.stderr.write(`${line}\n`);
}
