/** ~10"king-n" in CQL: tokens whose head is one of the ten words that are most similar to a word, the word itself not among them. */
import type { Snapshot } from "../../storage/index.js";
import type { Condition, Similar } from "../cql/ast.js";
import { findHead } from "./head.js";
import { conditionOfHead } from "./heads.js";
import { sketchesOf, thesaurusOf } from "./open.js";
import { similarTo } from "./thesaurus/similar.js";

export function nearestCondition(snapshot: Snapshot, { count, word, span }: Similar): Condition {
  const reader = sketchesOf(snapshot, { span });
  const { word: head } = findHead(reader, word);
  const { checkpoint } = snapshot.pool;
  const { items } = similarTo(reader, head, { limit: count, stored: thesaurusOf(reader), checkpoint });
  return { kind: "or", items: items.map((one) => conditionOfHead(reader.info.heads, one.word)) };
}
