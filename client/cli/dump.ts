/** `dugong dump`: a corpus back as vertical text, or as one JSON line per token. */
import type { Command } from "commander";
import type { Snapshot } from "../../storage/index.js";
import { counted } from "./format.js";
import { dataFolder, examples, type GlobalOptions, nameList, wholeNumber } from "./options.js";
import { write } from "./output.js";

interface Options extends GlobalOptions {
  attributes?: string[];
  from?: number;
  to?: number;
  structures?: boolean;
  entities?: boolean;
  snapshot?: number;
}

const tokensPerPart = 4096;

export function addDump(program: Command): void {
  program
    .command("dump")
    .description("Write a corpus as vertical text, or with --json one line per token.")
    .argument("<corpus>", "its name")
    .option("--attributes <names>", "columns to write (default: those that were read)", nameList)
    .option("--from <n>", "first position (default: 0)", wholeNumber)
    .option("--to <n>", "position after the last (default: the end)", wholeNumber)
    .option("--no-structures", "tokens only")
    .option("--entities", 'write & < > and, in tags, " as entities (default: where they were read so)')
    .option("--no-entities", "write all characters as they are")
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong dump brown | gzip > brown.vert.gz", "all of it"],
        ["dugong dump brown --from 1000 --to 1020 --attributes word,tag --no-structures", "twenty tokens"],
        ["dugong dump brown --json --attributes lemma | head", "for programs"],
      ),
    )
    .action(dump);
}

async function dump(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { from = 0, to = Number.POSITIVE_INFINITY } = options;
  if (from > to) command.error(`--from ${from} lies behind --to ${to}`);
  const { dumpCorpus, openCorpus } = await import("../../storage/index.js");
  const snapshot = openCorpus({ data: dataFolder(options), corpus, snapshot: options.snapshot });
  let unwritable = 0;
  const onUnwritable = () => {
    unwritable++;
  };
  try {
    const parts = options.json
      ? tokenLines(snapshot, options)
      : dumpCorpus(snapshot, { ...options, onUnwritable });
    for (const part of parts) await write(part);
    if (unwritable > 0)
      process.stderr.write(
        `note: ${counted(unwritable, "value")} in tags can only be written with entities: use --entities, here and to encode this again\n`,
      );
  } finally {
    await snapshot.close();
  }
}

/** {"position":0,"word":"The",…}, some thousand at a time. */
function* tokenLines(snapshot: Snapshot, options: Options): Generator<string> {
  const stored = snapshot.attributes.filter(({ derived }) => !derived).map(({ name }) => name);
  const columns = (options.attributes ?? stored).map((name) => {
    const attribute = snapshot.attribute(name);
    return {
      attribute,
      key: JSON.stringify(name),
      ids: new Uint32Array(tokensPerPart),
      json: [] as string[],
    };
  });
  const last = Math.min(options.to ?? snapshot.tokens, snapshot.tokens);
  for (let start = options.from ?? 0; start < last; start += tokensPerPart) {
    const count = Math.min(tokensPerPart, last - start);
    for (const { attribute, ids } of columns) snapshot.ids(attribute, start, count, ids);
    let lines = "";
    for (let i = 0; i < count; i++) {
      lines += `{"position":${start + i}`;
      for (const { attribute, key, ids, json } of columns) {
        json[ids[i]] ??= JSON.stringify(attribute.lexicon.string(ids[i]));
        lines += `,${key}:${json[ids[i]]}`;
      }
      lines += "}\n";
    }
    yield lines;
  }
}
