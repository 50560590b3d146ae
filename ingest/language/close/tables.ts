/**
 * The tables of words of close languages, and how they are read: a row a line, a cell for each language, between bars; words of a cell
 * are separated by spaces. They are ours, from what grammars and dictionaries agree on, and made to be added to.
 */
import { bosHrvSrp } from "./bos-hrv-srp.js";
import { indMsa } from "./ind-msa.js";
import { nobNnoDan } from "./nob-nno-dan.js";
import { xhoZul } from "./xho-zul.js";

export interface WordTable {
  /** What the cells of a row are in, in their order. */
  languages: readonly string[];
  rows: string;
}

export const wordTables: readonly WordTable[] = [bosHrvSrp, indMsa, nobNnoDan, xhoZul];

/** The cells of each row of a table, in the order of `languages`; those of which it lacks one have none. */
export function rowsFor(table: WordTable, languages: readonly string[]): string[][] {
  const columns = languages.map((language) => table.languages.indexOf(language));
  if (columns.includes(-1)) return [];
  return table.rows
    .trim()
    .split("\n")
    .map((row) => {
      const cells = row.split("|").map((cell) => cell.trim());
      return columns.map((column) => cells[column]);
    });
}

/** All cells of a language. */
export function wordsOf(language: string): string[] {
  return wordTables.flatMap((table) => rowsFor(table, [language]).flat());
}
