/** `dugong welcome`, what `npm start` runs: says what there is, and what to try. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { corporaTable, listCorpora } from "./corpora.js";
import { dataFolder, examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { version } from "./version.js";

export function addWelcome(program: Command): void {
  program
    .command("welcome", { hidden: true })
    .description("Say what there is, and what to try.")
    .addHelpText(
      "after",
      examples(
        ["dugong welcome", "what `npm start` shows"],
        ["dugong welcome --data /srv/corpora", "of another directory"],
      ),
    )
    .action(welcome);
}

async function welcome(_: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const data = resolve(dataFolder(options));
  const corpora = await listCorpora(data);
  if (options.json) return writeJson({ version: version(), data, corpora });
  const name = corpora[0]?.name ?? "brown";
  await writeLines([
    `dugong ${version()}: a corpus database`,
    `data directory: ${data}`,
    ...(corpora.length === 0 ? ["no corpora in it yet"] : ["", ...corporaTable(corpora)]),
    "",
    "Try:",
    "  npx dugong encode brown brown.vert.gz --attributes word,tag,lemma",
    `  npx dugong info ${name}`,
    `  npx dugong dump ${name} --to 20`,
  ]);
}
