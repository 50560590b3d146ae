/** `dugong verify`: checks every byte of a corpus, and every rule that readers rely on. */
import type { Command } from "commander";
import type { VerifyReport } from "../../storage/index.js";
import { counted, size } from "./format.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { stepsOn } from "./progress.js";

interface Options extends GlobalOptions {
  quick?: boolean;
  snapshot?: number;
}

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("Check a corpus from the bytes up; ends with 1 if anything is wrong.")
    .argument("<corpus>", "its name")
    .option("--quick", "only checksums and sizes (default: everything)")
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        [
          "dugong verify brown",
          "checksums, then lexicons, streams, postings and structures against each other",
        ],
        ["dugong verify brown --quick --json", "after a copy, for a program"],
      ),
    )
    .action(verify);
}

async function verify(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { openCorpus, verifyCorpus } = await import("../../storage/index.js");
  const progress = stepsOn(process.stderr, options.json ?? false);
  const snapshot = openCorpus({ data: dataFolder(options), corpus, snapshot: options.snapshot });
  let report: VerifyReport;
  try {
    report = verifyCorpus(snapshot, { quick: options.quick, onProgress: progress.report });
  } finally {
    progress.done();
    await snapshot.close();
  }
  if (report.problems.length > 0) process.exitCode = 1;
  if (options.json) return writeJson(report);
  const found = report.problems.length === 0 ? "no problems" : counted(report.problems.length, "problem");
  await writeLines([
    ...report.problems,
    `${report.corpus}: ${counted(report.files, "file")}, ${size(report.bytes)}, ${found}`,
  ]);
}
