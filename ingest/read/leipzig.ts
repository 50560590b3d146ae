/**
 * Sentences of the Leipzig Corpora Collection:
 *
 *   fao_wikipedia_2021_10K-sentences.txt   number TAB sentence
 *   fao_wikipedia_2021_10K-sources.txt     number TAB address TAB date            (if it lies beside)
 *   fao_wikipedia_2021_10K-inv_so.txt      number of a source TAB number of a sentence      (if it lies beside)
 *
 * They were put into a random order, so each is a document of its own: it has an id, and the address and date of its source
 * where the other two files are there. The first part of the name is the language, as the collection has decided it.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { limits } from "../limits.js";
import type { Document } from "../stream/documents.js";
import { linesOf, type Reading } from "../stream/lines.js";
import type { Attributes } from "../stream/tags.js";
import { type Input, linesOfInput } from "./inputs.js";

export async function* leipzigDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { name } = input.source;
  const [, corpus = "", declared] =
    /^((?:([a-z]{2,3})(?:-[a-z0-9]+)?[_-])?.*?)(?:-sentences)?(?:\.\w+)*$/i.exec(basename(name))!;
  const sources = input.stream ? undefined : await sourcesOf(name, reading);
  for await (const { lines, from, source } of linesOfInput(input, reading)) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      const tab = line.indexOf("\t");
      const text = line.slice(tab + 1).trim();
      if (tab <= 0 || !/^\d+$/.test(line.slice(0, tab)) || text === "") {
        if (line.trim() !== "")
          reading.warnings.add("no_sentence", "a line without a number and a sentence is left out", {
            source,
            line: from + i,
          });
        continue;
      }
      const number = line.slice(0, tab);
      const attributes: Attributes = { id: `${corpus}:${number}`, ...sources?.(Number(number)) };
      if (declared) attributes.declared = declared.toLowerCase();
      yield { attributes, paragraphs: [{ attributes: Object.create(null), text }] };
    }
  }
}

/** Where sentences come from, by their number; undefined where nothing is told. */
async function sourcesOf(
  path: string,
  reading: Reading,
): Promise<((sentence: number) => Attributes | undefined) | undefined> {
  const [sources, links] = ["-sources", "-inv_so"].map((part) =>
    path.replace(/-sentences(?=\.\w+(\.\w+)?$)/, part),
  );
  if (sources === path || !existsSync(sources) || !existsSync(links)) return undefined;
  const found = new Map<number, Attributes>();
  const pairs: [number[], number[]] = [[], []];
  const isFull = () => found.size >= limits.leipzigSourcesMax || pairs[0].length >= limits.leipzigSourcesMax;
  const quiet: Reading = { warnings: reading.warnings, signal: reading.signal };
  for await (const { lines } of linesOf([sources], quiet)) {
    for (const line of lines) {
      const [number, url, date] = line.split("\t");
      if (url === undefined || isFull()) continue;
      found.set(Number(number), { url, ...(/^\d{4}/.test(date ?? "") && { date }) });
    }
  }
  for await (const { lines } of linesOf([links], quiet)) {
    for (const line of lines) {
      const [first, second] = line.split("\t");
      if (second === undefined || isFull()) continue;
      pairs[0].push(Number(first));
      pairs[1].push(Number(second));
    }
  }
  if (isFull()) {
    const message = `only the first ${limits.leipzigSourcesMax} sources are looked at`;
    reading.warnings.add("many_sources", message, { source: sources });
  }
  // Several sentences have the same source, as a rule, and few the other way round: that tells the columns apart.
  const isTurned = new Set(pairs[0]).size > new Set(pairs[1]).size;
  const [from, to] = isTurned ? [pairs[1], pairs[0]] : pairs;
  const bySentence = new Map(to.map((sentence, i) => [sentence, from[i]]));
  return (sentence) => found.get(bySentence.get(sentence) ?? -1);
}
