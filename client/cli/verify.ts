/** `dugong verify`: checks every byte of a corpus, and every rule that readers rely on. */
import type { Command } from "commander";
import type { Snapshot, VerifyReport } from "../../storage/index.js";
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
  const { verifyCorpus } = await import("../../storage/index.js");
  const verified = (snapshot: Snapshot, onProgress: OnStep) =>
    verifyCorpus(snapshot, { quick: options.quick, onProgress });
  await reportProblems(corpus, options, verified, (report) => report.corpus);
}

type OnStep = ReturnType<typeof stepsOn>["report"];

/** Opens a corpus, has something of it verified, and says what is wrong; `nameOf` what it was that was verified. */
export async function reportProblems<Report extends Pick<VerifyReport, "problems" | "files" | "bytes">>(
  corpus: string,
  options: Options,
  verified: (snapshot: Snapshot, onProgress: OnStep) => Report,
  nameOf: (report: Report) => string,
): Promise<void> {
  const { openCorpus } = await import("../../storage/index.js");
  const progress = stepsOn(process.stderr, options.json ?? false);
  const snapshot = openCorpus({ data: dataFolder(options), corpus, snapshot: options.snapshot });
  let report: Report;
  try {
    report = verified(snapshot, progress.report);
  } finally {
    progress.done();
    await snapshot.close();
  }
  if (report.problems.length > 0) process.exitCode = 1;
  if (options.json) return writeJson(report);
  const found = report.problems.length === 0 ? "no problems" : counted(report.problems.length, "problem");
  await writeLines([
    ...report.problems,
    `${nameOf(report)}: ${counted(report.files, "file")}, ${size(report.bytes)}, ${found}`,
  ]);
}
