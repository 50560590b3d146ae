/** Sketches, their differences and similar words, asked at a desk. */
import type { Desk } from "../desk.js";
import { QueryError } from "../plan/errors.js";
import type { SubcorpusDefinition } from "../subcorpus/definition.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import { diffOf, type SketchDiff } from "./diff.js";
import { findHead } from "./head.js";
import { limits } from "./limits.js";
import { sketchesOf } from "./open.js";
import { Phrases } from "./phrase.js";
import { type Neighbour, similarTo } from "./similar.js";
import { type Sketch, type SketchOptions, sketchOf } from "./sketch.js";

type Part = string | SubcorpusDefinition;

interface CommonOptions extends Omit<SketchOptions, "part" | "keeps" | "phraseOf" | "checkpoint"> {
  subcorpus?: Part;
}

export interface AskSketchOptions extends CommonOptions {
  /** A typical phrase for each pair. Default: true. */
  examples?: boolean;
}

export interface AskDiffOptions extends Omit<CommonOptions, "with"> {
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
  limit?: number;
  minCount?: number;
}

export interface Thesaurus {
  head: string;
  others: { head: string; count: number }[];
  items: Neighbour[];
}

export async function sketch(
  desk: Desk,
  { subcorpus, examples = true, ...options }: AskSketchOptions,
): Promise<Sketch> {
  const reader = sketchesOf(desk.snapshot);
  const part = subcorpus === undefined ? undefined : await resolveSubcorpus(desk, subcorpus);
  const phrases = examples ? new Phrases(desk.snapshot, reader.info.structure) : undefined;
  return sketchOf(reader, {
    ...options,
    ...(part && { part }),
    ...(phrases && { phraseOf: (occurrences) => phrases.of(occurrences) }),
    checkpoint: desk.checkpoint,
  });
}

export async function sketchDiff(desk: Desk, options: AskDiffOptions): Promise<SketchDiff> {
  const { word, other, forms, subcorpus, otherSubcorpus, minCount, maxItems, ...common } = options;
  const ways = [other, forms, otherSubcorpus].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw new QueryError(
      "bad_option",
      ways.length === 0
        ? "there is nothing to compare with"
        : "two sketches differ in one thing: the lemma, its form, or the subcorpus",
      "Give another lemma, two forms, or another subcorpus.",
    );
  const reader = sketchesOf(desk.snapshot);
  const own = { ...common, maxItems: limits.comparedMax, checkpoint: desk.checkpoint };
  const partOf = async (part?: Part) =>
    part === undefined ? {} : { part: await resolveSubcorpus(desk, part) };
  const sides: [SketchOptions, SketchOptions] = [
    { ...own, word, ...(await partOf(subcorpus)) },
    { ...own, word: other ?? word, ...(await partOf(otherSubcorpus ?? subcorpus)) },
  ];
  const [first, second] = sides.map((side, i) =>
    sketchOf(reader, forms ? { ...side, keeps: ofForm(desk, forms[i]) } : side),
  );
  const diff = diffOf(first, second, { minCount, maxItems });
  return forms ? { ...diff, heads: forms } : diff;
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

export function thesaurus(desk: Desk, { word, pos, limit, minCount }: ThesaurusOptions): Thesaurus {
  const reader = sketchesOf(desk.snapshot);
  const { word: head, text, others } = findHead(reader, word, pos);
  const options = {
    ...(limit !== undefined && { limit }),
    ...(minCount !== undefined && { minCount }),
    checkpoint: desk.checkpoint,
  };
  return { head: text, others, items: similarTo(reader, head, options) };
}
