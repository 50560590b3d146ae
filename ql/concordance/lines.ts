/**
 * Lines to read: hits with what stands around them. Nothing is done for hits that are not shown: whoever pages through a
 * result gives the hits of the page.
 *
 *   left match right     text as it was written: no space where tokens are glued together
 *   word/tag             several attributes of a token
 *   <s> </s>             tags of structures, if asked for: those before the hit's first token are the end of what is to the
 *                        left, those behind its last one the beginning of what is to the right
 *   {1:word}             what a label is bound to, if asked for
 *
 * The ids of a page are read in few calls (stretches.ts), the string of a word is looked up once (words.ts).
 */
import type { Attribute, Snapshot } from "../../storage/index.js";
import { type Hits, slice } from "../chain/hits.js";
import type { Desk } from "../desk.js";
import { bound, type Context, type Extents, extentsOf, fitting } from "./context.js";
import { limits } from "./limits.js";
import { type Reference, References } from "./references.js";
import { Stretches } from "./stretches.js";
import { TagReader, type Tags } from "./tags.js";
import { Words } from "./words.js";

export interface LineOptions {
  /** Default: 10 tokens on each side. */
  context?: Context;
  /** Attributes of every token. Default: the corpus's default attribute. */
  attributes?: readonly string[];
  /** Attributes of the hit's own tokens. Default: those of every token. */
  nodeAttributes?: readonly string[];
  /** Structures whose tags are shown: "s", "doc" with its attributes, "doc.id" with this one. */
  tags?: readonly string[];
  /** As references.ts reads them: "#", "doc", "doc.id". */
  refs?: readonly string[];
  /** Mark in the text what labels are bound to. */
  marks?: boolean;
  /** Texts that belong to each hit in other corpora. */
  aligned?: readonly Aligned[];
  /** Tokens of a hit, and on each side of it, that are shown at most. Default: what limits.ts says, which is never exceeded. */
  tokensMax?: number;
}

/** Another corpus, and which of its tokens are the counterpart of a hit. */
export interface Aligned {
  /** What it is called in lines. */
  corpus: string;
  snapshot: Snapshot;
  /** The ranges that belong to [begin, end), in order; none where it has no counterpart. */
  ranges(begin: number, end: number): [begin: number, end: number][];
}

export interface Line {
  begin: number;
  end: number;
  left: string;
  match: string;
  right: string;
  /** Is there no space between left and match, or match and right, when the text is put together again? */
  gluedLeft?: true;
  gluedRight?: true;
  refs?: Record<string, Reference>;
  labels?: Record<string, Bound>;
  /** By corpus: what belongs to the hit there, in order. */
  aligned?: Record<string, (Bound & { text: string })[]>;
  /** Not all is shown: a limit on tokens (`tokensMax`, contextTokensMax, matchTokensMax) was hit. */
  cut?: true;
}

export interface Bound {
  begin: number;
  end: number;
}

/** The lines of some hits. */
export function lines(desk: Desk, hits: Hits, options: LineOptions = {}): Line[] {
  return new LineReader(desk, options).read(hits);
}

/** A hit with more around it: tokens on each side, or whole structures. */
export function extendedContext(
  desk: Desk,
  begin: number,
  end: number,
  { tokens, structure, count, ...options }: Omit<LineOptions, "context"> & ExtendedContext = {},
): Line & { from: number; to: number } {
  const context =
    structure === undefined ? { tokens: tokens ?? limits.extendedTokens } : { structure, count: count ?? 1 };
  const hits = {
    count: 1,
    ascending: true,
    begins: Float64Array.of(begin),
    ends: Float64Array.of(end),
    labels: new Map(),
  };
  const { froms, tos } = extentsOf(desk.snapshot, hits, context);
  bound(hits, { froms, tos }, bounds(options.tokensMax));
  const [line] = lines(desk, hits, { ...options, context });
  return { from: froms[0], to: tos[0], ...line };
}

/** Default: 100 tokens on each side. */
export interface ExtendedContext {
  tokens?: number;
  structure?: string;
  /** Of the structure. Default: 1. */
  count?: number;
}

/** Makes lines of one block of hits after the other; what it looks up it keeps. */
export class LineReader {
  readonly #snapshot: Snapshot;
  readonly #context: Context;
  readonly #attributes: Attribute[];
  /** Those of the hit's own tokens, if they are others. */
  readonly #nodeAttributes: Attribute[] | undefined;
  readonly #words = new Map<Attribute, Words>();
  readonly #tags: TagReader | undefined;
  readonly #refs: References | undefined;
  readonly #marks: boolean;
  readonly #aligned: { of: Aligned; reader: LineReader }[];
  readonly #bounds: { sideMax: number; matchMax: number };

  constructor({ snapshot }: Pick<Desk, "snapshot">, options: LineOptions = {}) {
    this.#snapshot = snapshot;
    this.#context = options.context ?? { tokens: 10 };
    if ("structure" in this.#context) snapshot.structure(this.#context.structure);
    const named = (names: readonly string[]) => names.map((name) => snapshot.attribute(name));
    this.#attributes = options.attributes ? named(options.attributes) : [snapshot.defaultAttribute];
    this.#nodeAttributes = options.nodeAttributes && named(options.nodeAttributes);
    for (const attribute of [snapshot.defaultAttribute, ...this.#attributes, ...(this.#nodeAttributes ?? [])])
      if (!this.#words.has(attribute)) this.#words.set(attribute, new Words(attribute.lexicon));
    this.#tags = options.tags && options.tags.length > 0 ? new TagReader(snapshot, options.tags) : undefined;
    this.#refs = options.refs && options.refs.length > 0 ? new References(snapshot, options.refs) : undefined;
    this.#marks = options.marks ?? false;
    this.#bounds = bounds(options.tokensMax);
    this.#aligned = (options.aligned ?? []).map((of) => ({
      of,
      // With the attributes that it has, too.
      reader: new LineReader(of, {
        context: { tokens: 0 },
        attributes: sharedAttributes(of.snapshot, options.attributes),
        tokensMax: options.tokensMax,
      }),
    }));
  }

  /**
   * With `tokensMax` fewer than there are hits, if lines are long: as many of the first as have together no more tokens than
   * that, one at least.
   */
  read(given: Hits, tokensMax = Number.POSITIVE_INFINITY): Line[] {
    const extents = extentsOf(this.#snapshot, given, this.#context);
    const cut = bound(given, extents, this.#bounds);
    const count = tokensMax === Number.POSITIVE_INFINITY ? given.count : fitting(extents, tokensMax);
    const hits = count < given.count ? slice(given, 0, count) : given;
    const made: Line[] = [];
    for (let first = 0; first < hits.count; ) {
      let last = first;
      let tokens = 0;
      while (last < hits.count && (last === first || tokens < limits.batchTokens)) {
        tokens += extents.tos[last] - extents.froms[last];
        last++;
      }
      this.#batch(hits, extents, cut, first, last, made);
      first = last;
    }
    this.#addRefs(hits, made);
    addLabels(hits, this.#snapshot.tokens, made);
    for (const { of, reader } of this.#aligned) addAligned(of, reader, hits, made);
    return made;
  }

  /** Lines [first, last) of the hits. */
  #batch(hits: Hits, extents: Extents, cut: Uint8Array, first: number, last: number, made: Line[]): void {
    const stretches = new Stretches(this.#snapshot, extents.froms, extents.tos, first, last);
    const glue = stretches.glue();
    if ("characters" in this.#context)
      this.#fit(this.#context.characters, stretches, glue, hits, extents, first, last);
    const context = this.#columns(this.#attributes, stretches);
    const node = this.#nodeAttributes ? this.#columns(this.#nodeAttributes, stretches) : context;
    const { checkpoint } = this.#snapshot.pool;
    let unlooked = 0;
    for (let i = first; i < last; i++) {
      unlooked += 16 + extents.tos[i] - extents.froms[i];
      if (unlooked > limits.batchTokens >> 4) {
        unlooked = 0;
        checkpoint();
      }
      const { begins, ends } = hits;
      const text: LineText = {
        from: extents.froms[i],
        begin: begins[i],
        end: Math.min(ends[i], begins[i] + this.#bounds.matchMax),
        to: extents.tos[i],
        glue,
        shift: stretches.offsets[i - first] - extents.froms[i],
        context,
        node,
        tags: this.#tags?.tags(extents.froms[i], extents.tos[i]),
        marks: this.#marks ? marksOf(hits, i, this.#snapshot.tokens) : undefined,
      };
      made.push({ begin: begins[i], end: ends[i], ...textOf(text), ...(cut[i] && { cut: true }) });
    }
  }

  #columns(attributes: readonly Attribute[], stretches: Stretches): WordColumn[] {
    return attributes.map((attribute) => ({
      ids: stretches.ids(attribute),
      words: this.#words.get(attribute)!,
    }));
  }

  /** Narrows extents to the tokens that so many characters have room for; offsets follow. */
  #fit(
    characters: number,
    stretches: Stretches,
    glue: Uint8Array,
    { begins, ends }: Hits,
    { froms, tos }: Extents,
    first: number,
    last: number,
  ): void {
    const attribute = this.#attributes[0] ?? this.#snapshot.defaultAttribute;
    const ids = stretches.ids(attribute);
    const words = this.#words.get(attribute)!;
    for (let i = first; i < last; i++) {
      const shift = stretches.offsets[i - first] - froms[i];
      let from = begins[i];
      for (let room = characters; from > froms[i]; from--) {
        // The token's own characters, and the space between it and the next one, which is shown already.
        const space = from < begins[i] && !glue[from + shift] ? 1 : 0;
        room -= charactersOf(words.string(ids[from - 1 + shift])) + space;
        if (room < 0) break;
      }
      let to = ends[i];
      for (let room = characters; to < tos[i]; to++) {
        const space = to > ends[i] && !glue[to + shift] ? 1 : 0;
        room -= charactersOf(words.string(ids[to + shift])) + space;
        if (room < 0) break;
      }
      stretches.offsets[i - first] += from - froms[i];
      froms[i] = from;
      tos[i] = to;
    }
  }

  #addRefs(hits: Hits, made: Line[]): void {
    if (!this.#refs) return;
    const { names } = this.#refs;
    const columns = this.#refs.columns(hits);
    for (let i = 0; i < made.length; i++) {
      const refs: Record<string, Reference> = {};
      for (let n = 0; n < names.length; n++) refs[names[n]] = columns[n][i];
      made[i].refs = refs;
    }
  }
}

function bounds(tokensMax = Number.POSITIVE_INFINITY): { sideMax: number; matchMax: number } {
  const { contextTokensMax, matchTokensMax } = limits;
  return { sideMax: Math.min(tokensMax, contextTokensMax), matchMax: Math.min(tokensMax, matchTokensMax) };
}

function charactersOf(text: string): number {
  let count = 0;
  // Surrogates come in pairs: the second one is not counted.
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  return count;
}

interface WordColumn {
  ids: Uint32Array;
  words: Words;
}

interface LineText {
  from: number;
  begin: number;
  end: number;
  to: number;
  glue: Uint8Array;
  /** From a position to its place in the columns. */
  shift: number;
  context: WordColumn[];
  node: WordColumn[];
  tags?: Tags;
  marks?: Tags;
}

function textOf(line: LineText): Pick<Line, "left" | "match" | "right" | "gluedLeft" | "gluedRight"> {
  const { from, begin, end, to, tags, glue, shift } = line;
  const closing = (position: number) => tags?.closing.get(position) ?? "";
  const opening = (position: number) => tags?.opening.get(position) ?? "";
  let left = from < begin ? opening(from) : "";
  left += stretch(line, from, begin, line.context);
  const match = stretch(line, begin, end, line.node);
  let right = stretch(line, end, to, line.context);
  const spaced = (position: number) => !glue[position + shift];
  let gluedLeft = false;
  if (begin < to) {
    const before = opening(begin);
    gluedLeft = before !== "" || (from < begin && !spaced(begin));
    if (from < begin) left += `${closing(begin)}${before !== "" && spaced(begin) ? " " : ""}`;
    left += before;
  } else if (from < begin) left += closing(begin);
  let gluedRight = false;
  // Where the hit has no tokens, all that stands there stands to its left.
  if (begin < end) {
    const after = closing(end);
    gluedRight = after !== "" || (end < to && !spaced(end));
    right = `${after}${after !== "" && end < to && spaced(end) ? " " : ""}${end < to ? opening(end) : ""}${right}`;
  }
  if (end < to) right += closing(to);
  return { left, match, right, ...(gluedLeft && { gluedLeft }), ...(gluedRight && { gluedRight }) };
}

/** The words of [from, to), and the tags between them. */
function stretch(
  { glue, shift, tags, marks }: LineText,
  from: number,
  to: number,
  columns: WordColumn[],
): string {
  let text = "";
  const single = columns.length === 1 ? columns[0] : undefined;
  for (let position = from; position < to; position++) {
    const place = position + shift;
    const space = position === from || glue[place] ? "" : " ";
    if (tags && position > from)
      text += `${tags.closing.get(position) ?? ""}${space}${tags.opening.get(position) ?? ""}`;
    else text += space;
    if (marks) text += marks.opening.get(position) ?? "";
    if (single) text += single.words.string(single.ids[place]);
    else
      for (let n = 0; n < columns.length; n++)
        text += `${n > 0 ? "/" : ""}${columns[n].words.string(columns[n].ids[place])}`;
    if (marks) text += marks.closing.get(position + 1) ?? "";
  }
  return text;
}

/** What the labels of one hit put before and behind words. */
function marksOf({ labels }: Hits, i: number, tokens: number): Tags {
  const marks: Tags = { closing: new Map(), opening: new Map() };
  const bound = [...labels]
    .map(([label, { begins, ends }]) => ({ label, begin: begins[i], end: ends[i] }))
    .filter(({ begin, end }) => begin < tokens && begin < end)
    .sort((a, b) => a.begin - b.begin || b.end - a.end);
  for (const { label, begin, end } of bound) {
    marks.opening.set(begin, `${marks.opening.get(begin) ?? ""}{${label}:`);
    marks.closing.set(end, `${marks.closing.get(end) ?? ""}}`);
  }
  return marks;
}

function addLabels({ labels }: Hits, tokens: number, made: Line[]): void {
  if (labels.size === 0) return;
  for (let i = 0; i < made.length; i++) {
    const bound: Record<string, Bound> = {};
    for (const [label, { begins, ends }] of labels)
      if (begins[i] < tokens) bound[label] = { begin: begins[i], end: ends[i] };
    made[i].labels = bound;
  }
}

function sharedAttributes(snapshot: Snapshot, names: readonly string[] | undefined): string[] | undefined {
  const shared = names?.filter((name) => snapshot.attributes.some((one) => one.name === name));
  return shared && shared.length > 0 ? shared : undefined;
}

function addAligned(of: Aligned, reader: LineReader, { begins, ends }: Hits, made: Line[]): void {
  const { checkpoint } = of.snapshot.pool;
  const ranges = made.map((_, i) => {
    if ((i & 0x3f) === 0) checkpoint();
    return of.ranges(begins[i], ends[i]);
  });
  const all = ranges.flat();
  const texts = reader.read({
    count: all.length,
    begins: Float64Array.from(all, ([begin]) => begin),
    ends: Float64Array.from(all, ([, end]) => end),
    ascending: false,
    labels: new Map(),
  });
  let next = 0;
  for (let i = 0; i < made.length; i++) {
    const own = texts.slice(next, next + ranges[i].length);
    next += ranges[i].length;
    if (own.some(({ cut }) => cut)) made[i].cut = true;
    made[i].aligned = {
      ...made[i].aligned,
      [of.corpus]: own.map(({ begin, end, match }) => ({ begin, end, text: match })),
    };
  }
}
