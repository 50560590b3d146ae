/** `dugong sketch-diff`: two sketches beside each other. */
import type { Command } from "commander";
import type { DiffItem, DiffRelation, SketchDiff } from "../../ql/index.js";
import { grouped, table } from "./format.js";
import { examples, nameList } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { withCorpus } from "./session.js";
import { addSketchOptions, askedOf, type SketchOptions } from "./sketch.js";

interface Options extends SketchOptions {
  forms?: string[];
  against?: string;
}

export function addSketchDiff(program: Command): void {
  addSketchOptions(program.command("sketch-diff"), 8)
    .summary("Compare the sketches of two words, two forms, or one word in two subcorpora.")
    .description(
      "Show two word sketches beside each other: in each relation the collocates that only one has, and those that both have.",
    )
    .argument("<corpus>", "its name")
    .argument("<lemma>", "the word")
    .argument("[other]", "another word to compare it with")
    .option("--forms <two>", "instead: two forms of the lemma, as war,wars", nameList)
    .option("--against <subcorpus>", "instead: the same lemma in this subcorpus, beside --subcorpus or all")
    .addHelpText(
      "after",
      examples(
        ["dugong sketch-diff demo war peace", "two words"],
        ["dugong sketch-diff demo war --forms war,wars --pos noun", "two forms of one"],
        [
          "dugong sketch-diff demo tax --subcorpus old --against new --json",
          "in two subcorpora, for programs",
        ],
      ),
    )
    .action(diff);
}

async function diff(
  corpus: string,
  lemma: string,
  other: string | undefined,
  _: Options,
  command: Command,
): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { forms, against } = options;
  if ([other, forms, against].filter((way) => way !== undefined).length !== 1)
    command.error("give another lemma, --forms or --against: one of them");
  if (forms && forms.length !== 2) command.error("--forms takes two forms, as war,wars");
  const ways = { other, forms: forms as [string, string] | undefined, otherSubcorpus: against };
  await withCorpus(command, corpus, options, async (asked) => {
    const found = await asked.sketchDiff(lemma, { ...askedOf(options), ...ways });
    if (options.json) return writeJson(found);
    const names: [string, string] = against
      ? [options.subcorpus ?? options.where ?? found.corpus ?? corpus, against]
      : found.heads;
    await writeLines(drawn(found, names));
  });
}

function drawn({ heads, relations }: SketchDiff, names: [string, string]): string[] {
  const same = heads[0] === heads[1] ? `${heads[0]}: ` : "";
  const lines = [`${same}${names[0]} beside ${names[1]}`];
  for (const relation of relations) {
    const rows = rowsOf(relation, names);
    if (rows.length === 0) continue;
    lines.push("", `${relation.name}  ${relation.counts.map(grouped).join(" and ")}`);
    lines.push(...table(["  collocate", ">count", ">count", ">logDice", ">logDice", ""], rows));
  }
  return lines;
}

function rowsOf({ first, common, second }: DiffRelation, [one, other]: [string, string]): string[][] {
  const row =
    (whose: string) =>
    ({ collocate, counts, scores }: DiffItem) => [
      `  ${collocate}`,
      ...counts.map(grouped),
      ...scores.map((score) => score?.toFixed(2) ?? "–"),
      whose,
    ];
  return [...first.map(row(`only ${one}`)), ...common.map(row("both")), ...second.map(row(`only ${other}`))];
}
