/**
 * Term grammars: queries whose matches are candidates for terms, each under a name.
 *
 *   file = line*
 *   line = name "=" query | "#" comment | nothing
 *
 * Where no grammar is given, one for the tags of the corpus is taken: noun phrases, and two of them with a preposition
 * between.
 */
import { DugongError, type Snapshot } from "../../storage/index.js";

export interface GrammarRule {
  name: string;
  query: string;
}

/** The rules of a grammar's text. A text without a name before "=" is one query. */
export function readGrammar(text: string): GrammarRule[] {
  const rules: GrammarRule[] = [];
  text.split(/\r?\n/).forEach((line, i) => {
    if (/^\s*(#|$)/.test(line)) return;
    const [, name, query] = /^\s*([\p{L}_][\p{L}\p{N}_ -]*?)\s*=\s*(\S.*?)\s*$/u.exec(line) ?? [];
    if (!name)
      throw new DugongError(
        "bad_grammar",
        `line ${i + 1} of the grammar is not a name, "=" and a query: ${line.trim()}`,
        'Write, for instance, phrase = [tag="ADJ"]* [tag="NOUN"]+',
      );
    if (rules.some((rule) => rule.name === name))
      throw new DugongError("bad_grammar", `line ${i + 1} of the grammar uses the name ${name} again`);
    rules.push({ name, query });
  });
  if (rules.length === 0) throw new DugongError("bad_grammar", "there is no rule in the grammar");
  return rules;
}

/** What tag sets call adjectives and nouns, nouns, and prepositions; told by a tag that they have. */
const tagSets = [
  { told: "NOUN", inside: "ADJ|NOUN|PROPN", noun: "NOUN|PROPN", preposition: "ADP" },
  {
    told: "NN",
    inside: "JJ[RST]?(-.*)?|N[NP][PS]{0,2}(-.*)?",
    noun: "N[NP][PS]{0,2}(-.*)?",
    preposition: "IN",
  },
];

/** Names under which corpora have such tags. */
const tagAttributes = ["upos", "tag", "pos", "xpos"];

/** A grammar for the tags of a corpus. */
export function defaultGrammar(snapshot: Snapshot): GrammarRule[] {
  for (const tags of tagSets) {
    for (const name of tagAttributes) {
      const attribute = snapshot.attributes.find((one) => one.name === name);
      if (!attribute || attribute.lexicon.find(tags.told) < 0) continue;
      const [inside, noun, preposition] = [tags.inside, tags.noun, tags.preposition].map(
        (pattern) => `[${name}="${pattern}"]`,
      );
      return [
        { name: "phrase", query: `${inside}{1,4} ${noun}` },
        { name: "prepositional", query: `${inside}{0,2} ${noun} ${preposition} ${inside}{0,2} ${noun}` },
      ];
    }
  }
  throw new DugongError(
    "no_grammar",
    `there is no grammar for the tags of ${snapshot.corpus}`,
    "Give one with --grammar: a query whose matches are candidates for terms.",
  );
}
