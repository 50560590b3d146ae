/** `dugong search`: the documents that some words fit best, with snippets. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { PlanStep, SearchOptions, Span } from "../index.js";
import { planLines } from "./explain.js";
import { grouped, table } from "./format.js";
import { type SearchItem, type SearchResult, styledSnippet } from "./found.js";
import { examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addPartOptions, type PartOptions } from "./part.js";
import { showDiagnostics } from "./places.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";
import { harmless } from "./width.js";

interface Options extends SessionOptions, PartOptions {
  limit: number;
  from: number;
  unit?: string;
  attribute?: string;
  weights?: string;
  snippet?: number;
  explain?: boolean;
  exact?: boolean;
}

export function addSearch(program: Command): void {
  addPartOptions(addServerOptions(program.command("search")))
    .summary("Find the documents that some words fit best.")
    .description(
      "Find the documents that some words fit best, the best first, each with a snippet. Words in quotes have to stand side by side; of the others a document needs one, and is the better the more it has. Scores are made of how often the words occur, where, how close together, of titles, addresses, page rank and dates; docs/SEARCH.md has the formula.",
    )
    .argument("<corpus>", "its name")
    .argument("<words>", "what to search for: 'plane of immanence', '\"plane of immanence\" Deleuze'")
    .option("--limit <n>", "at most so many documents", wholeNumber, 10)
    .option("--from <n>", "leave out so many before the first", wholeNumber, 0)
    .option("--unit <structure>", "what is found: doc, p, s … (default: documents)")
    .option(
      "--attribute <name>",
      "what words are values of; with lemma, each stands for its lemma (default: the words)",
    )
    .option("--weights <file>", "what counts how much: YAML or JSON, as title: 2")
    .option("--snippet <n>", "tokens of a snippet; 0 for none (default: 40)", wholeNumber)
    .option("--explain", "say what each score is made of, and how it was found")
    .option(
      "--exact",
      "count all that match, however long it takes (default: unless words are very frequent)",
    )
    .option("--no-exact", "pass over what cannot be among the best")
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong search demo 'state of the union economy'", "the ten best addresses"],
        [
          `dugong search demo '"federal reserve" inflation' --where 'year>=1950'`,
          "with a phrase, since 1950",
        ],
        ["dugong search demo 'war and peace' --unit s --limit 5 --explain", "sentences, and why these"],
        [
          "dugong search demo 'taxing' --attribute lemma --weights weights.yaml --json",
          "by lemma, for programs",
        ],
      ),
    )
    .action(search);
}

async function search(corpus: string, words: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { json, subcorpus, where, limit, from, unit, attribute, snippet, explain, exact } = options;
  const weights = options.weights === undefined ? undefined : await weightsOf(command, options.weights);
  const asked = { subcorpus, where, limit, from, unit, attribute, snippet, explain, exact, weights };
  await withCorpus(command, corpus, options, async (own) => {
    const found = await own.search(words, asked).catch((error) => showPlace(words, error, json));
    if (json) return writeJson(found);
    sayUnknown(found);
    await writeLines(drawn(found, found.corpus ?? corpus, options));
  });
}

/** JSON is YAML, too. */
async function weightsOf(command: Command, file: string): Promise<SearchOptions["weights"]> {
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(readFileSync(file, "utf8")) ?? undefined;
  } catch (error) {
    if (error instanceof YAMLParseError) command.error(`${file} is neither YAML nor JSON: ${error.message}`);
    throw error;
  }
}

async function showPlace(words: string, error: unknown, json = false): Promise<never> {
  const { code, message, hint, span } = error as Error & { code: string; hint?: string; span?: Span };
  if (span && code !== "bad_where" && !json)
    await showDiagnostics(
      words,
      [{ code, severity: "error", message, span, ...(hint && { hint }) }],
      error as object,
    );
  throw error;
}

function sayUnknown({ unknown }: SearchResult): void {
  for (const { term, suggestion } of unknown) {
    const meant = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`;
    process.stderr.write(`note: ${harmless(term)} is not in the corpus${harmless(meant)}\n`);
  }
}

function drawn(found: SearchResult, citation: string, { from, explain }: Options): string[] {
  const lines = found.items.flatMap((item, i) => [...itemLines(item, from + i + 1, explain), ""]);
  const [shown, least] = [found.items.length, found.exact ? "" : "at least "];
  lines.push(
    `${shown === 0 || found.hits === shown ? "" : `${grouped(from + 1)} to ${grouped(from + shown)} of `}${least}${grouped(found.hits)} ${found.unit} in ${citation}`,
  );
  if (!explain) return lines;
  const rows = found.terms.map(({ term, count, units, idf }) => [
    harmless(term),
    grouped(count),
    grouped(units),
    idf.toFixed(3),
  ]);
  return [
    ...lines,
    "",
    ...(rows.length > 0 ? table(["term", ">occurrences", `>${found.unit}`, ">idf"], rows) : []),
    "",
    ...planLines(found.plan as PlanStep),
  ];
}

function itemLines(item: SearchItem, number: number, explain = false): string[] {
  const { id, score, title, url, parts, terms = [] } = item;
  const named = [id, title, url].filter((text, i, all) => text !== undefined && all.indexOf(text) === i);
  const lines = [`${number}. ${harmless(named.join("  "))}  ${score.toFixed(3)}`];
  if (item.text !== "") lines.push(`   ${styledSnippet(item, process.stdout)}`);
  if (!explain) return lines;
  const own = Object.entries(parts)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`);
  lines.push(`   ${own.join(" + ")}`);
  lines.push(
    `   ${terms.map(({ term, count, score: of }) => `${harmless(term)} ${grouped(count)}× ${of.toFixed(3)}`).join(", ")}`,
  );
  return lines;
}
