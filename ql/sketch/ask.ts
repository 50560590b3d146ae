/** Sketches, their differences and similar words, asked at a desk. */
import type { Desk } from "../desk.js";
import { QueryError } from "../plan/errors.js";
import { findAll } from "../run/find.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { type ClusterOption, Clusters } from "./cluster.js";
import { diffOf, type SketchDiff } from "./diff.js";
import { findHead } from "./head.js";
import { conditionOfHead } from "./heads.js";
import { limits } from "./limits.js";
import { sketchesOf, thesaurusOf } from "./open.js";
import { phrasesOf } from "./phrase.js";
import type { SketchReader } from "./reader.js";
import { type Sketch, type SketchOptions, shownName, sketchOf } from "./sketch.js";
import { type Neighbour, similarTo } from "./thesaurus/similar.js";
import { isInside } from "./view.js";

type Part = string | SubcorpusDefinition;

interface CommonOptions
  extends Omit<SketchOptions, "part" | "keeps" | "tokens" | "shownAs" | "phraseOf" | "checkpoint"> {
  subcorpus?: Part;
  /** Which of the sketches that were computed. Default: "default". */
  sketches?: string;
}

export interface AskSketchOptions extends CommonOptions {
  /** A typical phrase for each pair. Default: true. */
  examples?: boolean;
}

export interface AskDiffOptions extends Omit<CommonOptions, "with" | "reverse" | "cluster"> {
  /** Another lemma … */
  other?: string;
  /** … or two forms of this one … */
  forms?: [string, string];
  /** … or this one in another part of the corpus. */
  otherSubcorpus?: Part;
}

export interface ThesaurusOptions {
  word: string;
  pos?: string;
  /** Default: 40. */
  limit?: number;
  /** Only words that are so often in relations. Default: the most frequent ones (frequentHeadsMax). */
  minCount?: number;
  /** Put the words into clusters (cluster.ts), at this similarity; true: at that of the word and its nearest neighbour. */
  cluster?: ClusterOption;
  sketches?: string;
}

export interface Thesaurus {
  head: string;
  others: { head: string; count: number }[];
  minCount: number;
  /** Were they looked up in a thesaurus that was computed before? They are the same if not. */
  stored: boolean;
  items: Neighbour[];
  /** Where they were asked for: those of the words that belong together together. */
  clusters?: string[][];
}

export async function sketch(
  desk: Desk,
  { subcorpus, sketches, examples = true, ...options }: AskSketchOptions,
): Promise<Sketch> {
  const reader = sketchesOf(desk.snapshot, { name: sketches });
  const part = subcorpus === undefined ? undefined : await resolveSubcorpus(desk, subcorpus);
  const phrases = examples ? phrasesOf(desk.snapshot, reader.info.structure) : undefined;
  const found = sketchOf(reader, {
    ...options,
    ...(part && { part }),
    ...(part && !options.with && { tokens: (head) => tokensOf(desk, reader, head, part) }),
    ...(phrases && { phraseOf: (occurrences) => phrases.of(occurrences) }),
    checkpoint: desk.checkpoint,
  });
  return found;
}

/** How many tokens of the corpus, or of a part of it, have a head, and are looked at. */
function tokensOf(
  { snapshot }: Desk,
  reader: SketchReader,
  head: string,
  part?: Subcorpus,
  keeps: (position: number) => boolean = () => true,
): number {
  const condition = conditionOfHead(reader.info.heads, head);
  const { begins } = findAll(snapshot, {
    kind: "query",
    expression: { kind: "token", condition },
    filters: [],
  });
  const isIn = isInside(part);
  let count = 0;
  for (const position of begins) if (isIn(position) && keeps(position)) count++;
  return count;
}

export async function sketchDiff(desk: Desk, options: AskDiffOptions): Promise<SketchDiff> {
  const { word, other, forms, subcorpus, otherSubcorpus, sketches, minCount, maxItems, ...common } = options;
  const ways = [other, forms, otherSubcorpus].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw new QueryError(
      "bad_option",
      ways.length === 0
        ? "there is nothing to compare with"
        : "two sketches differ in one thing: the lemma, its form, or the subcorpus",
      "Give another lemma, two forms, or another subcorpus.",
    );
  const reader = sketchesOf(desk.snapshot, { name: sketches });
  // Names with the head in them are the same relation on both sides.
  const own = { ...common, shownAs: "%w", maxItems: limits.comparedMax, checkpoint: desk.checkpoint };
  const partOf = async (part?: Part) =>
    part === undefined ? {} : { part: await resolveSubcorpus(desk, part) };
  const sides: [SketchOptions, SketchOptions] = [
    { ...own, word, ...(await partOf(subcorpus)) },
    { ...own, word: other ?? word, ...(await partOf(otherSubcorpus ?? subcorpus)) },
  ];
  const [first, second] = sides.map((side, i) => {
    const keeps = forms && ofForm(desk, forms[i]);
    const tokens = (head: string) => tokensOf(desk, reader, head, side.part, keeps);
    return sketchOf(reader, { ...side, ...(keeps && { keeps }), ...((keeps || side.part) && { tokens }) });
  });
  const diff = diffOf(first, second, { minCount, maxItems });
  const heads = forms ?? diff.heads;
  const text = [...new Set(diff.heads)].join("/");
  const relations = diff.relations.map((one) => ({ ...one, name: shownName(one.name, text) }));
  return { ...diff, heads, relations };
}

/** Is the token there of this form, in whatever case? */
function ofForm({ snapshot }: Desk, form: string): (position: number) => boolean {
  const attribute = snapshot.defaultAttribute;
  const cased = [form, form.toLowerCase(), form.toUpperCase(), form.charAt(0).toUpperCase() + form.slice(1)];
  const ids = new Set(cased.map((text) => attribute.lexicon.find(text)).filter((id) => id >= 0));
  if (ids.size === 0) throw new QueryError("no_form", `no token of the corpus is ${JSON.stringify(form)}`);
  const stream = snapshot.stream(attribute);
  return (position) => ids.has(stream.at(position));
}

export function thesaurus(desk: Desk, options: ThesaurusOptions): Thesaurus {
  const { word, pos, limit, minCount, cluster, sketches } = options;
  const reader = sketchesOf(desk.snapshot, { name: sketches });
  const { word: head, text, others } = findHead(reader, word, pos);
  const stored = thesaurusOf(reader);
  const { checkpoint } = desk;
  const found = similarTo(reader, head, { limit, minCount, stored, checkpoint });
  const items = found.items.map(({ id: _, ...item }) => item);
  // Unless it is said how similar: as the nearest of them is to the word itself.
  const least = cluster === true ? (items[0]?.similarity ?? 1) : cluster;
  const clusters = least && new Clusters(reader, least, checkpoint).of(found.items.map(({ id }) => id));
  return {
    ...{ head: text, others, minCount: found.minCount, stored: found.isStored, items },
    ...(clusters && { clusters: clusters.map((places) => places.map((i) => items[i].word)) }),
  };
}
