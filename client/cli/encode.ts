/** `dugong encode`: makes a corpus of vertical text or CoNLL-U. */
import type { Command } from "commander";
import type { EncodeOptions } from "../../storage/index.js";
import { writeEncoded } from "./encoded.js";
import { resumable } from "./interrupt.js";
import {
  addReadingOptions,
  byteCount,
  dataFolder,
  examples,
  type GlobalOptions,
  multivalue,
  nameList,
  repeated,
} from "./options.js";
import { progressOn } from "./progress.js";

type Options = GlobalOptions & Omit<EncodeOptions, "data" | "corpus" | "inputs" | "onProgress">;

export function addEncode(program: Command): void {
  const command = program
    .command("encode")
    .summary("Make a corpus of vertical text or CoNLL-U.")
    .description(
      "Make a corpus of vertical text or CoNLL-U, plain or compressed (gzip, zstd). A run that was stopped goes on where it was when the same command is given again.",
    )
    .argument("<corpus>", "its name")
    .argument("<files...>", 'files and directories in order; "-" is standard input')
    .option("--attributes <names>", "names of the columns, in order: word,lemma,tag", nameList)
    .option("--registry <file>", "take attributes and structures from a Manatee registry file");
  addReadingOptions(command)
    .option(
      "--multivalue <name:separator>",
      'an attribute with several values: "feats:|" (repeatable)',
      multivalue,
    )
    .option(
      "--unique <names>",
      "attributes that tell structures apart and need no index: doc.id,s.id",
      nameList,
    )
    .option("--derive <derivation>", '"lc" or "lc=lowercase(word)" (repeatable)', repeated)
    .option("--default-attribute <name>", "what a query means that names none (default: the first)")
    .option("--document <name>", 'the structure that is a document; "" for none (default: found out)')
    .option("--language <name>", "the language, for people (default: the registry's)")
    .option("--segment-bytes <n>", "text that goes into one segment (default: 32M)", byteCount)
    .option("--replace", "take the place of the corpus of that name (default: refuse)")
    .addHelpText(
      "after",
      examples(
        [
          "dugong encode brown brown.vert.gz --attributes word,tag,lemma",
          "three columns, as they stand in the file",
        ],
        [
          "dugong encode ewt train.conllu dev.conllu --format conllu --derive lc",
          "CoNLL-U, with word forms in lower case",
        ],
        [
          "zcat *.vert.gz | dugong encode talks - --registry talks.regi --replace",
          "a stream, described as for Manatee",
        ],
      ),
    )
    .action(encode);
}

async function encode(corpus: string, inputs: string[], _: Options, command: Command): Promise<void> {
  const { data, json = false, ...options } = command.optsWithGlobals<Options>();
  const { describeCorpus, encodeCorpus } = await import("../../storage/index.js");
  const progress = progressOn(process.stderr, corpus, json);
  const result = await resumable(progress, json, () =>
    encodeCorpus({ ...options, data: dataFolder({ data }), corpus, inputs, onProgress: progress.report }),
  );
  const same = "already encoded from the same input; nothing to do";
  await writeEncoded(result, describeCorpus(result.manifest), { json, command: "encode", same });
}
