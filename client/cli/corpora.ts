/** `dugong corpora`: which corpora there are. */
import type { Command } from "commander";
import type { Catalog as OpenCatalog } from "../../storage/index.js";
import { grouped, size, table } from "./format.js";
import { dataFolder, examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";

export interface CorpusLine {
  name: string;
  tokens: number;
  /** Null in a corpus without documents. */
  documents: number | null;
  snapshot: number;
  bytes: number;
  created: string;
}

export function addCorpora(program: Command): void {
  program
    .command("corpora")
    .description("List the corpora in the data directory.")
    .addHelpText(
      "after",
      examples(
        ["dugong corpora", "those in $DUGONG_DATA or ./dugong-data"],
        ["dugong corpora --data /srv/corpora --json", "those elsewhere, for a program"],
      ),
    )
    .action(corpora);
}

async function corpora(_: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const list = await listCorpora(dataFolder(options));
  if (options.json) return writeJson({ corpora: list });
  if (list.length === 0) return writeLines([`there are no corpora in ${dataFolder(options)}`]);
  await writeLines(corporaTable(list));
}

/** None where there is no data directory yet. */
export async function listCorpora(data: string): Promise<CorpusLine[]> {
  const { Catalog, DugongError, describeCorpus } = await import("../../storage/index.js");
  let catalog: OpenCatalog;
  try {
    catalog = Catalog.open(data);
  } catch (error) {
    if (error instanceof DugongError && error.code === "no_data") return [];
    throw error;
  }
  try {
    return catalog.corpora().map((corpus) => {
      const manifest = catalog.manifestOfAnyFormat(corpus);
      const { name, tokens, documents, snapshot, bytes, created } = describeCorpus(manifest);
      return { name, tokens, documents: documents ?? null, snapshot, bytes, created };
    });
  } finally {
    await catalog.close();
  }
}

export function corporaTable(list: CorpusLine[]): string[] {
  return table(
    ["name", ">tokens", ">documents", ">snapshot", ">bytes", "created"],
    list.map(({ name, tokens, documents, snapshot, bytes, created }) => [
      name,
      grouped(tokens),
      documents === null ? "-" : grouped(documents),
      String(snapshot),
      size(bytes),
      created.slice(0, 16).replace("T", " "),
    ]),
  );
}
