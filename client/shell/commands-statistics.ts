/** Commands that count: by keys, near matches, over the whole corpus. */
import { grouped } from "../cli/format.js";
import { problem } from "../errors.js";
import type { Known } from "../index.js";
import type { Call, Command } from "./commands.js";
import type { Column } from "./tables.js";
import { tableView, type View } from "./views.js";

export const statisticsCommands: Record<string, Command> = {
  freq: {
    usage: "word 0[, doc.year]",
    about: "count the matches by keys",
    argument: "keys",
    run: freq,
  },
  coll: {
    usage: "[lemma] [-5..5]",
    about: "list the words near the matches: by an attribute, in a window",
    argument: "attributes",
    run: coll,
  },
  wordlist: {
    usage: "lemma[, tag] [pattern]",
    about: "list values of attributes with their counts; those that match a pattern",
    argument: "attributes",
    run: wordlist,
  },
  keywords: {
    usage: "lemma [corpus]",
    about:
      "list values that are more frequent here than in another corpus, or in all of this one (with \\sub)",
    argument: "attributes",
    run: keywords,
  },
  ngrams: {
    usage: "lemma [2..3]",
    about: "list stretches of so many words",
    argument: "attributes",
    run: ngrams,
  },
};

/** Signals, and who is told how far it is. */
function asking({ shell, signal }: Call) {
  return { signal, onProgress: (known: Known) => shell.watch(known) };
}

function partOf({ shell }: Call): { subcorpus?: string } {
  const { subcorpus } = shell.state.settings;
  return subcorpus === undefined ? {} : { subcorpus };
}

function hitsOf({ summary }: Known): string | undefined {
  const hits = (summary as { hits?: number } | undefined)?.hits;
  return hits === undefined ? undefined : `${grouped(hits)} ${hits === 1 ? "match" : "matches"}`;
}

async function freq(call: Call): Promise<View> {
  const { shell, argument } = call;
  const by = argument === "" ? ["word 0"] : argument.split(",").map((key) => key.trim());
  const rows = shell.corpus.freq(shell.chain(), { by, ...asking(call) });
  type Row = {
    values: string[];
    count: number;
    perMillion: number;
    documents?: number | null;
    density?: number | null;
  };
  const isOfStructures = by.some((key) => /^[^\s/]+\.[^\s/]+/.test(key));
  const columns: Column<Row>[] = [
    ...by.map((heading, at) => ({ heading, value: ({ values }: Row) => values[at] || "(none)" })),
    { heading: "count", value: ({ count }) => count },
    { heading: "per million", value: ({ perMillion }) => perMillion, digits: 2 },
    { heading: "documents", value: ({ documents }) => documents },
    ...(isOfStructures ? [{ heading: "density %", value: ({ density }: Row) => density, digits: 1 }] : []),
  ];
  return shell.shown(tableView<Row>(rows, columns, ["row", "rows"], hitsOf));
}

async function coll(call: Call): Promise<View> {
  const { shell, argument } = call;
  let attribute: string | undefined;
  let window: { from: number; to: number } | undefined;
  for (const word of argument.split(/\s+/).filter(Boolean)) {
    const range = rangeOf(word);
    if (range) window = range;
    else attribute = word;
  }
  const measures = ["logDice", "MI", "T"] as const;
  const rows = shell.corpus.coll(shell.chain(), { attribute, window, measures, ...asking(call) });
  type Row = { value: string; count: number; total: number; scores: Record<string, number | null> };
  const columns: Column<Row>[] = [
    { heading: attribute ?? (await shell.describe()).defaultAttribute, value: ({ value }) => value },
    { heading: "count", value: ({ count }) => count },
    { heading: "total", value: ({ total }) => total },
    ...measures.map((name) => ({ heading: name, value: ({ scores }: Row) => scores[name], digits: 3 })),
  ];
  return shell.shown(tableView<Row>(rows, columns, ["collocate", "collocates"], hitsOf));
}

async function wordlist(call: Call): Promise<View> {
  const { shell, argument } = call;
  const [, named, pattern] = /^([^\s,]+(?:\s*,\s*[^\s,]+)*)?\s*(.*)$/.exec(argument)!;
  const attributes = named?.split(",").map((name) => name.trim()) ?? [
    (await shell.describe()).defaultAttribute,
  ];
  const rows = shell.corpus.wordlist({
    attributes,
    ...(pattern !== "" && { patterns: [pattern] }),
    ...partOf(call),
    ...asking(call),
  });
  type Row = {
    value: string;
    values?: string[] | null;
    count: number;
    perMillion: number;
    documents?: number | null;
    arf?: number | null;
  };
  const columns: Column<Row>[] = [
    ...attributes.map((heading, at) => ({
      heading,
      value: ({ value, values }: Row) => values?.[at] ?? value,
    })),
    { heading: "count", value: ({ count }) => count },
    { heading: "per million", value: ({ perMillion }) => perMillion, digits: 2 },
    { heading: "documents", value: ({ documents }) => documents },
    { heading: "ARF", value: ({ arf }) => arf, digits: 2 },
  ];
  return shell.shown(tableView<Row>(rows, columns, ["value", "values"]));
}

async function keywords(call: Call): Promise<View> {
  const { shell, argument } = call;
  const [attribute = (await shell.describe()).defaultAttribute, reference] = argument
    .split(/\s+/)
    .filter(Boolean);
  const { subcorpus } = partOf(call);
  if (reference === undefined && subcorpus === undefined)
    throw problem(
      "bad_usage",
      "there is nothing to compare with",
      "Name another corpus, as in \\keywords lemma brown, or choose a part of this one with \\sub.",
    );
  const rows = shell.corpus.keywords({
    attribute,
    ...(reference !== undefined && { reference }),
    ...(subcorpus !== undefined && { subcorpus }),
    ...asking(call),
  });
  type Row = {
    value: string;
    count: number;
    referenceCount?: number;
    score?: number;
    documents?: number | null;
  };
  const columns: Column<Row>[] = [
    { heading: attribute, value: ({ value }) => value },
    { heading: "count", value: ({ count }) => count },
    { heading: "in reference", value: ({ referenceCount }) => referenceCount },
    { heading: "documents", value: ({ documents }) => documents },
    { heading: "score", value: ({ score }) => score, digits: 3 },
  ];
  return shell.shown(tableView<Row>(rows, columns, ["keyword", "keywords"]));
}

async function ngrams(call: Call): Promise<View> {
  const { shell, argument } = call;
  let attribute: string | undefined;
  let lengths: [number, number] = [2, 3];
  for (const word of argument.split(/\s+/).filter(Boolean)) {
    const range =
      rangeOf(word) ?? (/^\d+$/.test(word) ? { from: Number(word), to: Number(word) } : undefined);
    if (range) lengths = [range.from, range.to];
    else attribute = word;
  }
  attribute ??= (await shell.describe()).defaultAttribute;
  const rows = shell.corpus.ngrams({ attribute, lengths, ...partOf(call), ...asking(call) });
  type Row = { value: string; values: string[]; count: number; perMillion: number };
  const columns: Column<Row>[] = [
    { heading: "n-gram", value: ({ value }) => value },
    { heading: "words", value: ({ values }) => values.length },
    { heading: "count", value: ({ count }) => count },
    { heading: "per million", value: ({ perMillion }) => perMillion, digits: 2 },
  ];
  return shell.shown(tableView<Row>(rows, columns, ["n-gram", "n-grams"]));
}

/** "-5..5" */
function rangeOf(word: string): { from: number; to: number } | undefined {
  const [, from, to] = /^([+-]?\d{1,6})\.\.([+-]?\d{1,6})$/.exec(word) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}
