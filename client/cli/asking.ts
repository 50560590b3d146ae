/** What `query` and `explain` have in common: a corpus, a query, and how it is meant. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Prepared, QueryOptions, Strategy } from "../../ql/index.js";
import type { Snapshot } from "../../storage/index.js";
import { tell } from "./failure.js";
import { dataFolder, type GlobalOptions, wholeNumber } from "./options.js";

export interface AskingOptions extends GlobalOptions {
  strategy?: Strategy;
  list?: Record<string, string>;
  gapMax?: number;
  snapshot?: number;
}

export const strategies: Strategy[] = ["all", "shortest", "standard", "longest", "traditional"];

export function addAskingOptions(command: Command): Command {
  return command
    .addOption(new Option("--strategy <name>", "which matches to keep (default: all)").choices(strategies))
    .option("--list <name=file>", "words for $name in the query, one a line (repeatable)", list)
    .option(
      "--gap-max <n>",
      "rounds of [] * and the like where no within bounds them (default: 100)",
      wholeNumber,
    )
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber);
}

function list(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 1 || equals === text.length - 1)
    throw new InvalidArgumentError("Write the name, = and a file: animals=animals.txt.");
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

export function queryOptions({ strategy, list: files, gapMax }: AskingOptions): QueryOptions {
  const lists: Record<string, string[]> = {};
  for (const [name, file] of Object.entries(files ?? {})) {
    lists[name] = readFileSync(file, "utf8")
      .split(/\r?\n/)
      .filter((word) => word !== "");
  }
  return { strategy, gapMax, lists };
}

/** Opens the corpus, and closes it afterwards. */
export async function withCorpus<Result>(
  corpus: string,
  options: AskingOptions,
  ask: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const { openCorpus } = await import("../../storage/index.js");
  const snapshot = openCorpus({ data: dataFolder(options), corpus, snapshot: options.snapshot });
  try {
    return await ask(snapshot);
  } finally {
    await snapshot.close();
  }
}

/** What is worth knowing about the result, for people: on stderr, so that it does not mix with it. */
export function sayNotices({ notices }: Pick<Prepared, "notices">): void {
  for (const { message } of notices) process.stderr.write(`note: ${message}\n`);
}

/** Asks a query; an error in it is shown to people with the place under its text. */
export async function showingPlaces<Result>(
  text: string,
  options: AskingOptions,
  ask: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!options.json) await showPlaces(text, error);
    throw error;
  }
}

async function showPlaces(text: string, error: unknown): Promise<void> {
  const { QueryError, renderDiagnostics } = await import("../../ql/index.js");
  if (!(error instanceof QueryError) || !error.span) return;
  const { code, message, hint, span, diagnostics } = error;
  const one = { code, severity: "error" as const, message, span, ...(hint && { hint }) };
  tell(error, renderDiagnostics(text, diagnostics.length > 0 ? diagnostics : [one]));
}
