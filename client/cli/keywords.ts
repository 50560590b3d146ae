/** `dugong keywords`: what a corpus, or a part of it, has more often than another. */
import type { Command } from "commander";
import type { KeywordRow } from "../index.js";
import { counted, grouped } from "./format.js";
import {
  addListOptions,
  addReferenceOptions,
  keyCells,
  keyHeadings,
  type ReferenceOptions,
  referenceOf,
  type Sums,
  scoreNames,
  writeList,
} from "./listing.js";
import { examples, wholeNumber } from "./options.js";
import { partOf } from "./part.js";
import { withCorpus } from "./session.js";

interface Options extends ReferenceOptions {
  attribute?: string;
  pattern?: string;
  minCount?: number;
  minReferenceCount?: number;
  minDocuments?: number;
}

export function addKeywords(program: Command): void {
  const command = program
    .command("keywords")
    .description("Compare a corpus, or a part of it, with another: what is typical of it comes first.")
    .argument("<corpus>", "its name")
    .option("--attribute <name>", "what is compared, as lemma or word/i (default: the default attribute)")
    .option("--pattern <regex>", "what values match as a whole")
    .option("--min-count <n>", "occurrences at least (default: 1)", wholeNumber)
    .option("--min-reference-count <n>", "occurrences in the reference at least (default: 0)", wholeNumber)
    .option("--min-documents <n>", "documents with an occurrence at least (default: 0)", wholeNumber);
  addListOptions(addReferenceOptions(command))
    .addHelpText(
      "after",
      examples(
        [
          `dugong subcorpus create demo early --within '<doc year="18.*"/>'`,
          "a part to compare: the 19th century",
        ],
        [
          "dugong keywords demo --subcorpus early --reference demo --attribute lemma",
          "with all of the corpus",
        ],
        [
          "dugong keywords demo --reference-subcorpus early --pattern '[a-z]{3,}' --smoothing 100",
          "the corpus with the part, common words preferred",
        ],
        [
          "dugong keywords demo --subcorpus early --reference demo --measure log-likelihood,log-ratio --json",
          "by other measures, for programs",
        ],
      ),
    )
    .action(compare);
}

async function compare(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  if (options.reference === undefined && options.referenceSubcorpus === undefined)
    command.error("say what to compare with: --reference, --reference-subcorpus, or both");
  const { pattern, minCount, minReferenceCount, minDocuments } = options;
  const names = scoreNames(options.measure);
  await withCorpus(command, corpus, options, async (of) => {
    const attribute = options.attribute ?? (await of.describe()).defaultAttribute;
    const asked = {
      attribute,
      subcorpus: partOf(options),
      pattern,
      minCount,
      minReferenceCount,
      minDocuments,
    };
    return writeList(
      {
        ask: (page) => of.keywords({ ...asked, ...referenceOf(options), ...page }),
        headings: () => [attribute, ...keyHeadings(names)],
        cellsOf: (row: KeywordRow) => [row.value, ...keyCells(row, names)],
        summary: ({ types, tokens, corpus, referenceTokens, reference }: KeySums) =>
          `${counted(types, "value")} in ${counted(tokens, "token")} of ${corpus}, compared with ${grouped(referenceTokens)} of ${reference}`,
      },
      options,
    );
  });
}

interface KeySums extends Sums {
  reference: string;
  referenceTokens: number;
}
