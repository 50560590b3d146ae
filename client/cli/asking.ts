/** What commands that ask queries have in common: how a query is meant, and what is said about the result. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Meaning, Notice, Strategy } from "../index.js";
import { wholeNumber } from "./options.js";
import { addServerOptions, type SessionOptions } from "./session.js";

export interface AskingOptions extends SessionOptions {
  strategy?: Strategy;
  list?: Record<string, string>;
  gapMax?: number;
}

export const strategies: Strategy[] = ["all", "shortest", "standard", "longest", "traditional"];

export function addAskingOptions(command: Command): Command {
  command
    .addOption(new Option("--strategy <name>", "which matches to keep (default: all)").choices(strategies))
    .option("--list <name=file>", "words for $name in the query, one a line (repeatable)", list)
    .option(
      "--gap-max <n>",
      "rounds of [] * and the like where no within bounds them (default: 100)",
      wholeNumber,
    )
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber);
  return addServerOptions(command);
}

function list(text: string, before: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 1 || equals === text.length - 1)
    throw new InvalidArgumentError("Write the name, = and a file: animals=animals.txt.");
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}

/** How a query is meant, as far as it was said. */
export function meaningOf({ strategy, list: files = {}, gapMax }: AskingOptions): Meaning {
  const lists: Record<string, string[]> = {};
  for (const [name, file] of Object.entries(files)) {
    lists[name] = readFileSync(file, "utf8")
      .split(/\r?\n/)
      .filter((word) => word !== "");
  }
  return {
    ...(strategy !== undefined && { strategy }),
    ...(Object.keys(lists).length > 0 && { lists }),
    ...(gapMax !== undefined && { gapMax }),
  };
}

/** What is worth knowing about the result, for people: on stderr, so that it does not mix with it. */
export function sayNotices(notices: readonly Notice[] = []): void {
  for (const { message } of notices) process.stderr.write(`note: ${message}\n`);
}

/** An answer for programs: notices are there if there are any. */
export function withNotices<Answer extends object>(answer: Answer, notices: readonly Notice[] = []): Answer {
  return notices.length > 0 ? { ...answer, notices } : answer;
}
