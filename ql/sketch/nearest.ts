/**
 * ~10"king-n" in CQL: tokens whose head is one of the ten words that are most similar to a word, the word itself not among them.
 *
 * A head is the value of an attribute, or of a pair ("lemma+tag") a lemma and the class of a tag, by these beginnings and names:
 */
import type { Snapshot } from "../../storage/index.js";
import type { Condition, Similar } from "../cql/ast.js";
import { findHead } from "./head.js";
import { sketchesOf } from "./open.js";
import { similarTo } from "./similar.js";

const classes: Record<string, string> = {
  "-n": "N|N[^U].*|PROPN",
  "-v": "V.*|MD|AUX",
  "-j": "J.*|ADJ",
  "-a": "R.*|ADV",
};

export function nearestCondition(snapshot: Snapshot, { count, word, span }: Similar): Condition {
  const reader = sketchesOf(snapshot, span);
  const { word: head } = findHead(reader, word);
  const { checkpoint } = snapshot.pool;
  const words = similarTo(reader, head, { limit: count, checkpoint }).map((one) => one.word);
  const [attribute, tag] = reader.info.heads.split("+");
  return { kind: "or", items: words.map((text) => conditionOf(text, attribute, tag)) };
}

function conditionOf(text: string, attribute: string, tag?: string): Condition {
  const is = (string: string): Condition => ({
    kind: "attribute",
    attribute,
    negated: false,
    value: { kind: "literal", string },
  });
  if (tag === undefined) return is(text);
  const suffix = text.slice(-2);
  const others = !Object.hasOwn(classes, suffix);
  const pattern = others ? Object.values(classes).join("|") : classes[suffix];
  return {
    kind: "and",
    items: [
      is(text.slice(0, -2)),
      { kind: "attribute", attribute: tag, negated: others, value: { kind: "pattern", pattern } },
    ],
  };
}
