/** `dugong remove`: removes a corpus, after asking. */
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { counted, size } from "./format.js";
import { dataFolder, examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";

interface Options extends GlobalOptions {
  yes?: boolean;
  force?: boolean;
}

export function addRemove(program: Command): void {
  program
    .command("remove")
    .description("Remove a corpus and all its snapshots. Asks first, on a terminal.")
    .argument("<corpus>", "its name")
    .option("--yes", "do not ask (default: ask)")
    .option("--force", "even while others read it (default: refuse then)")
    .addHelpText(
      "after",
      examples(
        ["dugong remove brown", "asks, then removes it"],
        ["dugong remove brown --yes", "in a script"],
      ),
    )
    .action(remove);
}

async function remove(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const data = dataFolder(options);
  if (!options.yes && !(process.stdin.isTTY && process.stderr.isTTY)) {
    command.error("there is no terminal to ask on whether to remove it\nUse --yes if you are sure.");
  }
  const { DugongError, removeCorpus } = await import("../../storage/index.js");
  if (!options.yes && !(await agreed(data, corpus)))
    throw new DugongError("not_removed", "nothing was removed");
  await removeCorpus({ data, corpus, force: options.force });
  if (options.json) return writeJson({ removed: corpus });
  await writeLines([`${corpus} was removed`]);
}

async function agreed(data: string, corpus: string): Promise<boolean> {
  const { Catalog, describeCorpus } = await import("../../storage/index.js");
  const catalog = Catalog.open(data);
  let what: string;
  try {
    if (!catalog.has(corpus) && catalog.hasAnything(corpus))
      what = `what is left of encoding ${corpus}, which was stopped`;
    else {
      const { tokens, bytes } = describeCorpus(catalog.manifestOfAnyFormat(corpus));
      what = `${corpus} (${counted(tokens, "token")}, ${size(bytes)})`;
    }
  } finally {
    await catalog.close();
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Remove ${what}? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
