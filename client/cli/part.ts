/** Part of a corpus: --subcorpus, --where, or both. */
import type { Command } from "commander";
import type { SubcorpusDefinition } from "../index.js";

export interface PartOptions {
  subcorpus?: string;
  where?: string;
}

export function addPartOptions(command: Command): Command {
  return command
    .option("--subcorpus <name>", "only what lies in this subcorpus")
    .option("--where <condition>", "only what lies where this holds: 'year>=1990 and party=\"Democratic\"'");
}

/** Both as one. */
export function partOf({ subcorpus, where }: PartOptions): string | SubcorpusDefinition | undefined {
  if (where === undefined) return subcorpus;
  const condition: SubcorpusDefinition = { kind: "where", where };
  return subcorpus === undefined ? condition : { kind: "intersection", of: [subcorpus, condition] };
}
