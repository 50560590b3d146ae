/** `dugong compact`: joins small segments and generations of lexicons. What can be asked stays the same. */
import type { Command } from "commander";
import type { Manifest } from "../../storage/index.js";
import { counted, size } from "./format.js";
import { dataFolder, examples, type GlobalOptions, workers } from "./options.js";
import { writeJson, writeLines } from "./output.js";

interface Options extends GlobalOptions {
  workers?: number;
}

export function addCompact(program: Command): void {
  program
    .command("compact")
    .description(
      "Join the small segments of a corpus, as many appends leave them. Its content stays the same.",
    )
    .argument("<corpus>", "its name")
    .option("--workers <n>", "threads (default: 1)", workers)
    .addHelpText(
      "after",
      examples(
        ["dugong compact news", "after a month of appends"],
        ["dugong compact news --workers 4 --json", "faster, for a program"],
      ),
    )
    .action(compact);
}

async function compact(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const data = dataFolder(options);
  const { Catalog, compactCorpus, describeCorpus } = await import("../../storage/index.js");
  const catalog = Catalog.open(data);
  let before: Manifest;
  try {
    before = catalog.manifest(corpus);
  } finally {
    await catalog.close();
  }
  const { manifest, ...counts } = await compactCorpus({ data, corpus, workers: options.workers });
  const bytesBefore = describeCorpus(before).bytes;
  const bytesAfter = describeCorpus(manifest).bytes;
  const { snapshot } = manifest;
  const changed = snapshot !== before.snapshot;
  if (options.json) return writeJson({ corpus, snapshot, changed, ...counts, bytesBefore, bytesAfter });
  if (!changed) {
    const { segmentsAfter, generationsAfter } = counts;
    const state = `${counted(segmentsAfter, "segment")}, ${counted(generationsAfter, "lexicon generation")}`;
    return writeLines([`${corpus}: nothing to join (${state}, snapshot ${snapshot}, ${size(bytesAfter)})`]);
  }
  await writeLines([
    `${corpus}: ${counts.segmentsBefore} → ${counted(counts.segmentsAfter, "segment")}, ` +
      `${counts.generationsBefore} → ${counted(counts.generationsAfter, "lexicon generation")}, ` +
      `${size(bytesBefore)} → ${size(bytesAfter)}, snapshot ${snapshot}`,
  ]);
}
