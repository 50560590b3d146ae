/** `dugong wordlist`: the values of an attribute, with how often they occur and where. */
import { type Command, Option } from "commander";
import type { StructureRow, WordlistOrder, WordlistRow } from "../../ql/index.js";
import type { Corpus, Rows } from "../index.js";
import { counted, grouped } from "./format.js";
import { addListOptions, type ListOptions, linesOf, type Sums, short, writeList } from "./listing.js";
import { examples, nameList, repeated, wholeNumber } from "./options.js";
import { partOf } from "./part.js";
import { withCorpus } from "./session.js";

interface Options extends ListOptions {
  attribute?: string[];
  pattern?: string[];
  minCount?: number;
  maxCount?: number;
  include?: string;
  exclude?: string;
  order: WordlistOrder;
}

export function addWordlist(program: Command): void {
  const orders: WordlistOrder[] = ["count", "documents", "arf", "value"];
  const command = program
    .command("wordlist")
    .description(
      "List the values of an attribute: how often each occurs, in how many documents, and how evenly (ARF).",
    )
    .argument("<corpus>", "its name")
    .option(
      "--attribute <names>",
      "lemma; word/i ignoring case, word/d diacritics; lemma,tag together; doc.category of structures (default: the default attribute)",
      nameList,
    )
    .option(
      "--pattern <regex>",
      "what values match as a whole (repeatable: one for each attribute, in order)",
      repeated,
    )
    .option("--min-count <n>", "occurrences at least (default: 1)", wholeNumber)
    .option("--max-count <n>", "occurrences at most", wholeNumber)
    .option(
      "--include <file>",
      "only the values in this file, one a line; of several attributes, with tabs between",
    )
    .option("--exclude <file>", "not the values in this file")
    .addOption(new Option("--order <column>", "what rows are sorted by").choices(orders).default("count"));
  addListOptions(command)
    .addHelpText(
      "after",
      examples(
        ["dugong wordlist demo --attribute lemma --pattern '[a-z]+' --min-count 100", "frequent lemmas"],
        [
          "dugong wordlist demo --attribute word/i,tag --order arf",
          "words with their tags, the most even first",
        ],
        [
          "dugong wordlist demo --attribute doc.president --json",
          "how many documents and tokens, for programs",
        ],
      ),
    )
    .action(list);
}

async function list(corpus: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { pattern: patterns, minCount, maxCount, order } = options;
  const asked = {
    subcorpus: partOf(options),
    patterns,
    minCount,
    maxCount,
    order,
    ...(options.include !== undefined && { include: linesOf(options.include) }),
    ...(options.exclude !== undefined && { exclude: linesOf(options.exclude) }),
  };
  await withCorpus(command, corpus, options, async (of) => {
    const attributes = options.attribute ?? [(await of.describe()).defaultAttribute];
    const isOfStructures = attributes.length === 1 && attributes[0].includes(".");
    const list = (isOfStructures ? structureList : tokenList)(of, attributes, asked);
    return writeList(list as ReturnType<typeof tokenList>, options);
  });
}

type Asked = Omit<Parameters<Corpus["wordlist"]>[0], "attributes">;
type ListSums = Sums & { occurrences: number };

function tokenList(corpus: Corpus, attributes: string[], asked: Asked) {
  return {
    ask: (page: object) =>
      corpus.wordlist({ attributes, ...asked, ...page }) as unknown as Rows<WordlistRow, object>,
    headings: () => [...attributes, ">count", ">per million", ">documents", ">ARF"],
    cellsOf: ({ value, values, count, perMillion, documents, arf }: WordlistRow) => [
      ...(values ?? [value]),
      grouped(count),
      short(perMillion),
      grouped(documents),
      short(arf),
    ],
    summary: ({ types, occurrences, tokens, corpus }: ListSums) =>
      `${counted(types, "value")} of ${grouped(occurrences)} in ${counted(tokens, "token")} of ${corpus}`,
  };
}

function structureList(corpus: Corpus, attributes: string[], asked: Asked) {
  return {
    ask: (page: object) =>
      corpus.wordlist({ attributes, ...asked, ...page }) as unknown as Rows<StructureRow, object>,
    headings: () => [attributes[0], ">structures", ">tokens", ">per million"],
    cellsOf: ({ value, count, tokens, perMillion }: StructureRow) => [
      value,
      grouped(count),
      grouped(tokens),
      short(perMillion),
    ],
    summary: ({ types, occurrences, corpus }: ListSums) =>
      `${counted(types, "value")} of ${counted(occurrences, "structure")} in ${corpus}`,
  };
}
