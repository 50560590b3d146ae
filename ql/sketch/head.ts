/**
 * From what somebody types to a head. Heads may have a suffix that says their part of speech ("war-n"): "war" finds all of
 * them, and the most frequent one is taken, unless a part of speech is named ("noun", "n", "-n").
 */
import { QueryError } from "../plan/errors.js";
import type { SketchReader } from "./reader.js";

/** Suffixes of heads that are made of a lemma and a tag, whatever the grammar says. */
const usual = [
  { label: "noun", suffix: "-n" },
  { label: "verb", suffix: "-v" },
  { label: "adjective", suffix: "-j" },
  { label: "adverb", suffix: "-a" },
  { label: "other", suffix: "-x" },
];

export interface Head {
  word: number;
  text: string;
  /** Other heads that were meant as well, the most frequent first. */
  others: { head: string; count: number }[];
}

export function findHead(reader: SketchReader, typed: string, pos?: string): Head {
  return found(reader, typed, pos, (word) => reader.headCount(word));
}

/** The same of a collocate, by how often it is one. */
export function findCollocate(reader: SketchReader, typed: string, pos?: string): Head {
  return found(reader, typed, pos, (word) =>
    reader.relationsOfCollocate(word).counts.reduce((sum, count) => sum + count, 0),
  );
}

function found(
  reader: SketchReader,
  typed: string,
  pos: string | undefined,
  countOf: (word: number) => number,
): Head {
  const counted = headsNamed(reader, typed, pos)
    .map((word) => ({ word, count: countOf(word) }))
    .filter(({ count }) => count > 0);
  if (counted.length === 0) {
    const [from, to] = reader.words.withPrefix(typed);
    const near = Array.from({ length: Math.min(5, to - from) }, (_, i) => reader.words.text(from + i));
    throw new QueryError(
      "no_head",
      `there is no sketch of ${JSON.stringify(typed)}${pos === undefined ? "" : ` as ${pos}`} in corpus ${reader.info.corpus}`,
      near.length > 0
        ? `There are ${near.join(", ")}.`
        : `Heads are values of ${reader.info.heads}; their case counts.`,
    );
  }
  counted.sort((a, b) => b.count - a.count || a.word - b.word);
  const [{ word }, ...others] = counted;
  return {
    word,
    text: reader.words.text(word),
    others: others.map((one) => ({ head: reader.words.text(one.word), count: one.count })),
  };
}

/** The words that a text names: itself, or with any suffix; those of one part of speech if that is said. */
export function headsNamed(reader: SketchReader, typed: string, pos?: string): number[] {
  const known = [...reader.info.partsOfSpeech, ...usual];
  if (pos === undefined) {
    const own = reader.words.id(typed);
    if (own !== undefined) return [own];
  }
  const suffixes = pos === undefined ? known.map(({ suffix }) => suffix) : suffixesOf(known, pos);
  const words = suffixes.flatMap((suffix) => {
    const stem = typed.endsWith(suffix) ? typed.slice(0, -suffix.length) : typed;
    return reader.words.id(stem + suffix) ?? [];
  });
  return [...new Set(words)];
}

function suffixesOf(known: { label: string; suffix: string }[], pos: string): string[] {
  const named = known.filter(({ label, suffix }) => label === pos || suffix === pos || suffix === `-${pos}`);
  if (named.length > 0) return named.map(({ suffix }) => suffix);
  const labels = [...new Set(known.map(({ label }) => label))];
  throw new QueryError(
    "unknown_part_of_speech",
    `there is no part of speech ${JSON.stringify(pos)}`,
    `There are ${labels.join(", ")}.`,
  );
}
