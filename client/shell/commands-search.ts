/** The command that searches: documents that some words fit best, as a page of snippets. */

import { grouped } from "../cli/format.js";
import { styledSnippet } from "../cli/found.js";
import { harmless } from "../cli/width.js";
import { problem } from "../errors.js";
import type { Call, Command } from "./commands.js";
import { text, type View } from "./views.js";

export const searchCommands: Record<string, Command> = {
  search: {
    usage: "words [--where condition] [--unit s] [--limit 10] [--from 0]",
    about: 'show the documents that words fit best, with snippets; "in quotes" they stand side by side',
    argument: "text",
    run: search,
  },
};

/** Options stand behind the words; a condition goes on to the next option, or to the end. */
export function readSearch(argument: string): { words: string; options: Record<string, string> } {
  const [words, ...rest] = argument.split(/(?:^|\s)--(?=(?:where|unit|limit|from)(?:\s|=))/);
  const options: Record<string, string> = {};
  for (const one of rest) {
    const [, name, value] = /^(\w+)[\s=]\s*([\s\S]*)$/.exec(one.trim()) ?? [];
    if (name === undefined || value === "") throw problem("bad_usage", `--${one.trim()} needs a value`);
    options[name] = value;
  }
  return { words: words.trim(), options };
}

async function search({ shell, argument, signal }: Call): Promise<View> {
  const { words, options } = readSearch(argument);
  const count = (name: string, otherwise: number) => {
    const value = options[name] ?? String(otherwise);
    if (!/^\d{1,9}$/.test(value)) throw problem("bad_usage", `--${name} takes a whole number, not ${value}`);
    return Number(value);
  };
  const from = count("from", 0);
  const { subcorpus } = shell.state.settings;
  const found = await shell.corpus.search(words, {
    limit: count("limit", 10),
    from,
    ...(options.where !== undefined && { where: options.where }),
    ...(options.unit !== undefined && { unit: options.unit }),
    ...(subcorpus !== undefined && { subcorpus }),
    signal,
  });
  const lines = found.items.flatMap((item, i) => [
    `${from + i + 1}. ${harmless([...new Set([item.id, item.title ?? item.id])].join("  "))}  ${item.score.toFixed(3)}`,
    `   ${styledSnippet(item, process.stdout)}`,
  ]);
  for (const { term, suggestion } of found.unknown)
    lines.push(harmless(`${term} is not in the corpus${suggestion ? ` (did you mean ${suggestion}?)` : ""}`));
  const least = found.exact ? "" : "at least ";
  lines.push(`${least}${grouped(found.hits)} ${found.unit} in ${found.corpus}`);
  return { ...text(...lines), document: found };
}
