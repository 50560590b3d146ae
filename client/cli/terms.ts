/** `dugong terms`: what a grammar of terms finds, the best candidates first. */
import { existsSync, readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Strategy, TermRow } from "../index.js";
import { strategies } from "./asking.js";
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
  short,
  writeList,
} from "./listing.js";
import { examples, wholeNumber } from "./options.js";
import { partOf } from "./part.js";
import { showingPlaces } from "./places.js";
import { addWorkersOption, withCorpus } from "./session.js";

interface Options extends ReferenceOptions {
  grammar?: string;
  strategy?: Strategy;
  attribute?: string;
  minCount?: number;
  minLength?: number;
  maxLength?: number;
}

export function addTerms(program: Command): void {
  const command = program
    .command("terms")
    .description(
      "Find candidates for terms by a grammar: by C-value, or by how typical they are of the corpus.",
    )
    .argument("<corpus>", "its name")
    .option(
      "--grammar <cql|file>",
      "a query, or a file of lines name = query (default: noun phrases, for UPOS and Penn tags)",
    )
    .addOption(new Option("--strategy <name>", "which matches to keep (default: all)").choices(strategies))
    .option("--attribute <name>", "what their words are counted by (default: lemma, else lc, else word/i)")
    .option("--min-count <n>", "occurrences at least (default: 2)", wholeNumber)
    .option("--min-length <n>", "words at least (default: 1)", wholeNumber)
    .option("--max-length <n>", "words at most", wholeNumber);
  addWorkersOption(command);
  addListOptions(addReferenceOptions(command))
    .addHelpText(
      "after",
      examples(
        ["dugong terms demo --limit 20", "noun phrases, by C-value"],
        [
          `dugong terms demo --grammar '[tag="ADJ"]* [tag="NOUN"]+' --strategy longest --min-count 10`,
          "by a grammar of one's own",
        ],
        [
          "dugong terms demo --min-length 3 --attribute word/i --limit 100 --json",
          "longer ones, for programs",
        ],
      ),
    )
    .action(find);
}

async function find(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { strategy, attribute, minCount, minLength, maxLength, measure, smoothing } = options;
  if (!options.reference && !options.referenceSubcorpus && (measure || smoothing !== undefined))
    command.error("--measure and --smoothing need --reference or --reference-subcorpus");
  const grammar = options.grammar === undefined ? undefined : grammarOf(options.grammar);
  const isCompared = options.reference !== undefined || options.referenceSubcorpus !== undefined;
  const names = scoreNames(measure);
  const numbers = isCompared ? keyHeadings(names) : [">count", ">per million"];
  const asked = { grammar, strategy, attribute, subcorpus: partOf(options), minCount, minLength, maxLength };
  // The text under which a mistake is shown is that of the only rule.
  const suspects = typeof grammar === "object" ? [{ query: grammar[0].query, strategy }] : [];
  await withCorpus(command, corpus, options, (of) =>
    showingPlaces(of, suspects, options, () =>
      writeList(
        {
          ask: (page) => of.terms({ ...asked, ...referenceOf(options), ...page }),
          headings: (sums) => [sums.attribute, ...numbers, ">documents", ">C-value"],
          cellsOf: (row: TermRow) => [
            row.value,
            ...(isCompared ? keyCells(row, names) : [grouped(row.count), short(row.perMillion)]),
            grouped(row.documents),
            short(row.cValue),
          ],
          summary: ({ types, occurrences, corpus }: TermSums) =>
            `${counted(types, "term")} among ${grouped(occurrences)} ${occurrences === 1 ? "match" : "matches"} in ${corpus}`,
        },
        options,
      ),
    ),
  );
}

interface TermSums extends Sums {
  attribute: string;
  occurrences: number;
}

/** A file of rules, as its text, or a single query. */
function grammarOf(text: string): string | [{ name: string; query: string }] {
  if (!existsSync(text)) return [{ name: "term", query: text }];
  return readFileSync(text, "utf8").replace(/^\uFEFF/, "");
}
