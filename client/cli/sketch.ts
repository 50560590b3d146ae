/** `dugong sketch`: what a word does, on a page: its collocates, relation by relation. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Sketch, SketchItem, SketchRelation } from "../../ql/index.js";
import { counted, grouped, table } from "./format.js";
import { examples, nameList, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addPartOptions, type PartOptions, partOf } from "./part.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";

export interface SketchOptions extends SessionOptions, PartOptions {
  pos?: string;
  relation?: string[];
  minCount?: number;
  maxItems?: number;
  sort?: "score" | "count";
  sketches?: string;
}

interface Options extends SketchOptions {
  with?: string;
  reverse?: boolean;
  cluster?: boolean | number;
  examples: boolean;
}

export function addSketch(program: Command): void {
  addSketchOptions(program.command("sketch"), 10)
    .summary("Show what a word does: its collocates, relation by relation.")
    .description(
      "Show the word sketch of a lemma: the relations that it stands in, and in each its collocates, the most typical first, with count, logDice and MI. Sketches are computed before, by a grammar of relations.",
    )
    .argument("<corpus>", "its name")
    .argument("<lemma>", 'the word, with or without its suffix: "war", "war-n"')
    .option(
      "--with <[relation:]collocate>",
      "only occurrences with this collocate: the sketch of several words, as strong coffee",
    )
    .option(
      "--reverse",
      "the word is a collocate: show the words that have it, as the nouns with great as modifier",
    )
    .option(
      "--cluster [similarity]",
      "put collocates that are used alike together: on average so similar (default: 0.1)",
      similarity,
    )
    .option("--no-examples", "leave out the phrases in which the two typically stand")
    .addHelpText(
      "after",
      examples(
        ["dugong sketch demo war", "what war does"],
        ["dugong sketch demo peace --pos noun --relation modifier,object_of --max-items 20", "some of it"],
        ["dugong sketch demo war --with modifier:civil --json", "the sketch of civil war, for programs"],
        ["dugong sketch demo great --reverse --relation modifier --cluster", "what is great, in clusters"],
      ),
    )
    .action(sketch);
}

/** What sketches and their differences have in common. */
export function addSketchOptions(command: Command, items: number): Command {
  return addPartOptions(addServerOptions(command))
    .option("--pos <name>", "the part of speech, as noun or n (default: the most frequent one)")
    .option("--relation <names>", "only these relations (default: all)", nameList)
    .option("--min-count <n>", "leave out collocates that are rarer", wholeNumber, 2)
    .option("--max-items <n>", "collocates of each relation", atLeastOne, items)
    .addOption(new Option("--sort <order>", "what comes first").choices(["score", "count"]).default("score"))
    .option(
      "--sketches <name>",
      "those that were computed under this name (default: default, or the only ones)",
    )
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber);
}

export function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError("Nothing would be shown.");
  return number;
}

/** How similar words of a cluster are on average. */
export function similarity(text: string): number {
  const number = Number(text);
  if (!(number > 0 && number <= 1)) throw new InvalidArgumentError("A similarity is above 0, and 1 at most.");
  return number;
}

/** As it is asked. */
export function askedOf({ pos, relation, minCount, maxItems, sort, sketches, ...part }: SketchOptions) {
  return { pos, relations: relation, minCount, maxItems, order: sort, subcorpus: partOf(part), sketches };
}

async function sketch(corpus: string, lemma: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const [, relation, collocate] = /^(?:([^:]+):)?(.+)$/.exec(options.with ?? "") ?? [];
  const filter = collocate === undefined ? {} : { with: { collocate, ...(relation && { relation }) } };
  await withCorpus(command, corpus, options, async (asked) => {
    const found = await asked.sketch(lemma, {
      ...askedOf(options),
      ...filter,
      ...{ reverse: options.reverse, cluster: options.cluster, examples: options.examples },
    });
    if (options.json) return writeJson(found);
    await writeLines(drawn(found, found.corpus ?? corpus));
  });
}

function drawn(found: Sketch, citation: string): string[] {
  const { head, reverse, count, relations, others } = found;
  const lines = [
    `${head}${reverse ? " as a collocate" : ""}: ${counted(count, "occurrence")} in ${citation}, grammar ${found.grammar}`,
  ];
  if (others.length > 0)
    lines.push(`also ${others.map((one) => `${one.head} (${grouped(one.count)})`).join(", ")}: see --pos`);
  const withItems = relations.filter(({ items }) => items.length > 0);
  // What the grammar wants on pages of their own comes behind, page by page.
  const pages = [...new Set(withItems.map(({ page }) => page ?? ""))].sort(
    (a, b) => Number(a !== "") - Number(b !== ""),
  );
  for (const page of pages) {
    if (page !== "") lines.push("", `— ${page} —`);
    for (const relation of withItems)
      if ((relation.page ?? "") === page) lines.push("", heading(relation), ...items(relation));
  }
  const unary = relations.filter(({ kind }) => kind === "unary");
  if (unary.length > 0)
    lines.push(
      "",
      ...table(
        ["of its occurrences", ">share", ">count", ""],
        unary.map(({ name, share, count: own }) => [name, percent(share), grouped(own), bar(share)]),
      ),
    );
  return lines;
}

function heading({ name, count, share, collocates, items: shown }: SketchRelation): string {
  const more = shown.length < collocates ? `, ${shown.length} of ${grouped(collocates)} shown` : "";
  return `${name}  ${grouped(count)}, ${percent(share)}${more}`;
}

/** Those of a cluster stand below its first, further in. */
function items({ items: shown, clusters }: SketchRelation): string[] {
  const hasExamples = shown.some(({ example }) => example !== undefined);
  const row = (indent: string, { collocate, count, score, mi, example }: SketchItem) => [
    `${indent}${collocate}`,
    grouped(count),
    score.toFixed(2),
    mi.toFixed(2),
    ...(hasExamples ? [example ?? ""] : []),
  ];
  const byName = new Map(shown.map((item) => [item.collocate, item]));
  const rows = clusters
    ? clusters.flatMap((names) => names.map((name, i) => row(i === 0 ? "  " : "    ", byName.get(name)!)))
    : shown.map((item) => row("  ", item));
  return table(["  collocate", ">count", ">logDice", ">MI", ...(hasExamples ? ["typically"] : [])], rows);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function bar(share: number): string {
  return "█".repeat(Math.round(Math.min(1, share) * 20));
}
