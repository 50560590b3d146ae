/** `dugong corpora`: which corpora there are. */
import type { Command } from "commander";
import { grouped, size, table } from "./format.js";
import { dataFolder, examples } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addServerOptions, type SessionOptions, serverOf, withSession } from "./session.js";

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
  addServerOptions(program.command("corpora"))
    .description("List the corpora in the data directory, or those of a server that one may read.")
    .addHelpText(
      "after",
      examples(
        ["dugong corpora", "those in $DUGONG_DATA or ./dugong-data"],
        ["dugong corpora --data /srv/corpora --json", "those elsewhere, for a program"],
      ),
    )
    .action(corpora);
}

async function corpora(_: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  const list = await listCorpora(command, options);
  if (options.json) return writeJson({ corpora: list });
  if (list.length === 0)
    return writeLines([`there are no corpora in ${serverOf(options) ?? dataFolder(options)}`]);
  await writeLines(corporaTable(list));
}

/** None where there is no data directory yet. */
export async function listCorpora(command: Command, options: SessionOptions): Promise<CorpusLine[]> {
  try {
    const list = await withSession(command, options, (session) => session.corpora());
    return list.map(({ name, tokens, documents, snapshot, bytes, created }) => {
      return { name, tokens, documents: documents ?? null, snapshot, bytes, created };
    });
  } catch (error) {
    if ((error as { code?: string }).code === "no_data") return [];
    throw error;
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
