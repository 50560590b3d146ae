/**
 * `dugong demo`: makes the corpus `demo` of the State of the Union addresses, to have something to ask. Text is tagged
 * as the encoder takes it in; the corpus is there when all of it is, and a run that was stopped is begun again. Its word sketches
 * are computed next; they go on where they were.
 */
import { Readable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import type { EncodeResult, ProgressReport } from "../../storage/index.js";
import { fromCatalog } from "./catalog.js";
import { isSketchable, sketchDemo, sketchesLine } from "./demo-sketches.js";
import { encodedDocument, writeEncoded } from "./encoded.js";
import { resumable } from "./interrupt.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { progressOn } from "./progress.js";

export const demoCorpus = "demo";

export interface DemoOptions extends GlobalOptions {
  addresses?: number;
  replace?: boolean;
}

/** Of the time that making the corpus takes: tagging and reading, as it was measured. */
const taggingShare = 0.85;
/** Of the time that all takes: making the corpus; its sketches are the rest. */
export const corpusShare = 0.35;

export function addDemo(program: Command): void {
  const command = program
    .command("demo")
    .summary("Make a corpus to try things with.")
    .description(
      `Make the corpus ${demoCorpus}: the State of the Union addresses of 1790 to 2021, two million tokens with lemmas and parts of speech, and its word sketches. It takes some seconds and no network.`,
    );
  addAddressesOption(command)
    .option("--replace", `make it again if there is a corpus ${demoCorpus} (default: leave that as it is)`)
    .addHelpText(
      "after",
      examples(
        ["dugong demo", "in $DUGONG_DATA or ./dugong-data"],
        ["dugong demo --addresses 20 --replace", "only the first twenty, in place of what is there"],
        ["dugong demo --data /srv/corpora --json", "elsewhere, for a program"],
      ),
    )
    .action(demo);
}

export function addAddressesOption(command: Command): Command {
  return command.option("--addresses <n>", "only the first n addresses (default: all)", (text) => {
    const count = wholeNumber(text);
    if (count === 0) throw new InvalidArgumentError("There is no corpus without text.");
    return count;
  });
}

async function demo(_: DemoOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<DemoOptions>();
  const { describeCorpus } = await import("../../storage/index.js");
  const before = options.replace ? undefined : await madeBefore(options);
  const result = before ?? (await makeDemo(options));
  const sketches =
    before && !isSketchable(before.manifest)
      ? undefined
      : await sketchDemo(options, before ? 0 : corpusShare);
  const info = describeCorpus(result.manifest);
  if (options.json)
    return writeJson({ ...encodedDocument(result, info), sketches: sketches?.record ?? null });
  const same = "there already; --replace makes it again";
  await writeEncoded(result, info, { json: false, command: "encode" as const, same });
  if (sketches) await writeLines([sketchesLine(sketches)]);
}

export async function madeBefore(options: DemoOptions): Promise<EncodeResult | undefined> {
  const manifest = await fromCatalog(dataFolder(options), (catalog) =>
    catalog.has(demoCorpus) ? catalog.manifest(demoCorpus) : undefined,
  );
  if (!manifest) return undefined;
  return { manifest, warnings: [], ignored: [], resumed: false, unchanged: true, addedTokens: 0, seconds: 0 };
}

/** Makes the corpus, and shows how far it is. Sketches come next. */
export async function makeDemo(options: DemoOptions): Promise<EncodeResult> {
  const { addresses, replace, json = false } = options;
  const { encodeCorpus } = await import("../../storage/index.js");
  const { addressFiles } = await import("../../ingest/demo/addresses.js");
  const { attributes, verticalText } = await import("../../ingest/demo/vertical.js");
  const files = addressFiles().slice(0, addresses);
  const progress = progressOn(process.stderr, demoCorpus, json);
  const pace = new Pace(files.length);
  const text = verticalText(files, (tokens) => pace.add(tokens));
  const onProgress = (report: ProgressReport) => {
    if (report.phase !== "done") progress.report(pace.report(report));
  };
  return resumable(progress, json, () =>
    encodeCorpus({
      data: dataFolder(options),
      corpus: demoCorpus,
      inputs: ["-"],
      stdin: Readable.from(text, { objectMode: false }),
      attributes,
      document: "doc",
      language: "English",
      replace,
      onProgress,
    }),
  );
}

/** How far the tagging is, and then the encoder, of the whole. */
class Pace {
  readonly #began = performance.now();
  #documents = 0;
  #tokens = 0;

  constructor(readonly documentsTotal: number) {}

  add(tokens: number): void {
    this.#documents++;
    this.#tokens += tokens;
  }

  report(encoding: ProgressReport) {
    const seconds = (performance.now() - this.#began) / 1000;
    const { documentsTotal } = this;
    const tagged = this.#documents / documentsTotal;
    const made = Math.max(taggingShare * tagged, tagged < 1 ? 0 : (encoding.fraction ?? 0));
    const fraction = corpusShare * made;
    const secondsLeft = made > 0.02 ? (seconds * (1 - fraction)) / fraction : undefined;
    const tokens = this.#tokens;
    const sofar = { fraction, tokens, tokensPerSecond: tokens / seconds, seconds, secondsLeft };
    if (encoding.phase !== "parse") return { ...encoding, ...sofar };
    return { phase: "tag" as const, documents: this.#documents, documentsTotal, ...sofar };
  }
}
