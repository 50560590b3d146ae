/** `dugong ngrams`: stretches of words that occur again and again. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { NgramRow } from "../index.js";
import { counted, grouped } from "./format.js";
import {
  aboveZero,
  addListOptions,
  addReferenceOptions,
  keyCells,
  keyHeadings,
  type ReferenceOptions,
  referenceOf,
  type Sums,
  scoreNames,
  short,
  writeList,
} from "./listing.js";
import { examples, repeated, wholeNumber } from "./options.js";
import { partOf } from "./part.js";
import { withCorpus } from "./session.js";

interface Options extends ReferenceOptions {
  attribute?: string;
  length: [number, number];
  within?: string;
  across?: boolean;
  minCount?: number;
  maxCount?: number;
  each?: string;
  containing?: string[];
  starting?: string;
  ending?: string;
  hideNested?: number | boolean;
  documents?: boolean;
}

export function addNgrams(program: Command): void {
  const command = program
    .command("ngrams")
    .description("List stretches of several words by how often they occur.")
    .argument("<corpus>", "its name")
    .addOption(
      new Option("--length <n|n..m>", "how many words").argParser(lengths).default([2, 2] as const, "2"),
    )
    .option("--attribute <name>", "as word, lemma, or word/i ignoring case (default: the default attribute)")
    .option("--within <structure>", "they lie inside one of these (default: s, if there is one)")
    .option("--across", "they may go on from one structure into the next")
    .option("--min-count <n>", "occurrences at least (default: 5)", atLeastOne)
    .option("--max-count <n>", "occurrences at most", wholeNumber)
    .option("--each <regex>", "what each word matches")
    .option("--containing <regex>", "what some word matches (repeatable)", repeated)
    .option("--starting <regex>", "what the first word matches")
    .option("--ending <regex>", "what the last word matches")
    .option(
      "--hide-nested [ratio]",
      "hide those inside a longer one of the list that occurs as often, or at least so many times as often (0 to 1)",
      aboveZero,
    )
    .option("--documents", "count documents, too");
  addListOptions(addReferenceOptions(command))
    .addHelpText(
      "after",
      examples(
        [
          "dugong ngrams demo --length 3..5 --attribute word/i --each '\\w+' --hide-nested",
          "phrases of words",
        ],
        ["dugong ngrams demo --length 2 --attribute lemma --ending nation", "what goes before a word"],
        [
          "dugong ngrams demo --length 2..4 --min-count 20 --documents --json",
          "all of several lengths, for programs",
        ],
      ),
    )
    .action(list);
}

function lengths(text: string): [number, number] {
  const [, from, to] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  if (from === undefined) throw new InvalidArgumentError("Write a number of words, or a range as 2..4.");
  return [Number(from), Number(to ?? from)];
}

function atLeastOne(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError("It is at least 1.");
  return number;
}

async function list(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { within, across, minCount, maxCount, each, containing, starting, ending } = options;
  const { documents = false, measure, smoothing, hideNested } = options;
  if (across && within !== undefined) command.error("give --within or --across, not both");
  if (!options.reference && !options.referenceSubcorpus && (measure || smoothing !== undefined))
    command.error("--measure and --smoothing need --reference or --reference-subcorpus");
  const isCompared = options.reference !== undefined || options.referenceSubcorpus !== undefined;
  const names = scoreNames(measure);
  const numbers = isCompared ? keyHeadings(names) : [">count", ">per million"];
  await withCorpus(command, corpus, options, async (of) => {
    const attribute = options.attribute ?? (await of.describe()).defaultAttribute;
    const asked = {
      attribute,
      subcorpus: partOf(options),
      lengths: options.length,
      ...(across ? { crossing: true } : { within }),
      minCount,
      maxCount,
      each,
      containing,
      starting,
      ending,
      ...(hideNested !== undefined && { hideNested: hideNested === true ? 1 : Number(hideNested) }),
      documents,
    };
    return writeList(
      {
        ask: (page) => of.ngrams({ ...asked, ...referenceOf(options), ...page }),
        headings: () => [attribute, ...numbers, ...(documents ? [">documents"] : [])],
        cellsOf: (row: NgramRow) => [
          row.value,
          ...(isCompared ? keyCells(row, names) : [grouped(row.count), short(row.perMillion)]),
          ...(documents ? [grouped(row.documents ?? 0)] : []),
        ],
        summary: ({ types, tokens, corpus, hidden }: Sums & { hidden: number }) => {
          const nested = hidden > 0 ? `, ${grouped(hidden)} nested ones hidden` : "";
          return `${counted(types, "n-gram")} in ${counted(tokens, "token")} of ${corpus}${nested}`;
        },
      },
      options,
    );
  });
}
