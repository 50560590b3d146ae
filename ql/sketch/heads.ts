/**
 * The head of a token: the value of an attribute, or lemma and class of the tag ("war-n"). Heads of a snapshot are numbered in
 * the order of their bytes.
 *
 *   -n   N…, NOUN, PROPN      -v   V…, MD, VERB, AUX      -j   J…, ADJ      -a   R…, ADV      -x   the rest
 */
import { type Attribute, DugongError, type Snapshot } from "../../storage/index.js";
import type { Condition } from "../cql/ast.js";

const suffixes = ["-n", "-v", "-j", "-a", "-x"];

export function classOfTag(tag: string): number {
  // NUM is a number, and no noun.
  if (/^(N(?!U)|PROPN)/.test(tag)) return 0;
  if (/^(V|MD|AUX)/.test(tag)) return 1;
  if (/^J|^ADJ/.test(tag)) return 2;
  if (/^R|^ADV/.test(tag)) return 3;
  return 4;
}

/** The same as patterns of whole tags, but for the rest. */
export const classPatterns = ["N|N[^U].*|PROPN.*", "(V|MD|AUX).*", "(J|ADJ).*", "(R|ADV).*"];

/** Which tokens have a head, as a condition. `spec`: what heads are. */
export function conditionOfHead(spec: string, head: string): Condition {
  const [attribute, tag] = spec.split("+");
  const is = (string: string): Condition => ({
    ...{ kind: "attribute", attribute, negated: false },
    value: { kind: "literal", string },
  });
  if (tag === undefined) return is(head);
  const own = suffixes.indexOf(head.slice(-2));
  const negated = own < 0 || own >= classPatterns.length;
  const pattern = negated ? classPatterns.join("|") : classPatterns[own];
  return {
    kind: "and",
    items: [
      is(head.slice(0, -2)),
      { kind: "attribute", attribute: tag, negated, value: { kind: "pattern", pattern } },
    ],
  };
}

/** The head of a token with this lemma and this tag. */
export function pairedHead(lemma: string, tag: string): string {
  return lemma + suffixes[classOfTag(tag)];
}

export function defaultHeads(snapshot: Snapshot): string {
  const has = (name: string) => snapshot.attributes.some((attribute) => attribute.name === name);
  if (has("lempos")) return "lempos";
  if (has("lemma")) return has("tag") ? "lemma+tag" : "lemma";
  return snapshot.defaultAttribute.name;
}

/** What other threads need to tell the heads of tokens: tables in memory that they share. */
export interface SharedHeads {
  spec: string;
  count: number;
  numbers: Uint32Array;
  classes?: Uint8Array;
}

/** All heads of a snapshot: what they are called, and how often they occur. */
export interface HeadList {
  strings: string[];
  counts: number[];
}

export class Heads {
  /** How many there are. */
  readonly count: number;
  readonly #lemma: Attribute;
  readonly #tag: Attribute | undefined;
  /** Number by id, or by id × classes + class. */
  readonly #numbers: Uint32Array;
  readonly #classes: Uint8Array | undefined;
  /** Those that were read last: relation after relation asks for the same. */
  #last: { from: number; heads: Uint32Array } | undefined;

  constructor(
    readonly snapshot: Snapshot,
    readonly shared: SharedHeads,
  ) {
    const { lemma, tag } = attributesOf(snapshot, shared.spec);
    this.#lemma = lemma;
    this.#tag = tag;
    this.count = shared.count;
    this.#numbers = shared.numbers;
    this.#classes = shared.classes;
  }

  /** The heads of tokens [from, to). */
  read(from: number, to: number): Uint32Array {
    if (this.#last?.from === from && this.#last.heads.length === to - from) return this.#last.heads;
    const heads = new Uint32Array(to - from);
    this.#fill(from, heads);
    if (heads.length > 1) this.#last = { from, heads };
    return heads;
  }

  #fill(from: number, heads: Uint32Array): void {
    this.snapshot.ids(this.#lemma, from, heads.length, heads);
    const numbers = this.#numbers;
    if (!this.#tag) {
      for (let i = 0; i < heads.length; i++) heads[i] = numbers[heads[i]];
      return;
    }
    const classes = this.#classes!;
    const tags = new Uint32Array(Math.min(heads.length, partTokens));
    for (let done = 0; done < heads.length; done += tags.length) {
      const here = Math.min(tags.length, heads.length - done);
      this.snapshot.ids(this.#tag, from + done, here, tags);
      for (let i = 0; i < here; i++)
        heads[done + i] = numbers[heads[done + i] * suffixes.length + classes[tags[i]]];
    }
  }
}

const partTokens = 1 << 16;

function attributesOf(snapshot: Snapshot, spec: string): { lemma: Attribute; tag?: Attribute } {
  const [lemma, tag, more] = spec.split("+");
  if (more !== undefined)
    throw new DugongError(
      "bad_heads",
      `heads of "${spec}" cannot be made`,
      "Name one attribute, or two: lemma+tag.",
    );
  return { lemma: snapshot.attribute(lemma), tag: tag === undefined ? undefined : snapshot.attribute(tag) };
}

/** Numbers the heads of a snapshot. */
export function numberHeads(snapshot: Snapshot, spec: string): { shared: SharedHeads; list: HeadList } {
  const { lemma, tag } = attributesOf(snapshot, spec);
  const { lexicon } = lemma;
  const list: HeadList = { strings: [], counts: [] };
  const shared = (size: number) => new Uint32Array(new SharedArrayBuffer(size * 4));
  if (!tag) {
    const numbers = shared(lexicon.size);
    numbers.set(lexicon.order.rankOfId);
    for (const { id, bytes } of lexicon.inOrder()) {
      list.strings.push(Buffer.from(bytes).toString());
      list.counts.push(lexicon.frequencies[id]);
    }
    return { shared: { spec, count: list.strings.length, numbers }, list };
  }
  const tags = tag.lexicon;
  const classes = new Uint8Array(new SharedArrayBuffer(tags.size));
  for (let id = 0; id < tags.size; id++) classes[id] = classOfTag(tags.string(id));
  const counts = countPairs(snapshot, lemma, tag, classes);
  const found: { text: string; bytes: Buffer; code: number }[] = [];
  for (const { id, bytes } of lexicon.inOrder()) {
    for (let own = 0; own < suffixes.length; own++) {
      const code = id * suffixes.length + own;
      if (counts[code] === 0) continue;
      const text = Buffer.from(bytes).toString() + suffixes[own];
      found.push({ text, bytes: Buffer.from(text), code });
    }
  }
  found.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const numbers = shared(counts.length);
  // "a" with "-n" and "a-n" of its own class may be the same string: then it is the same head.
  for (const { text, code } of found) {
    if (list.strings.at(-1) !== text) {
      list.strings.push(text);
      list.counts.push(0);
    }
    numbers[code] = list.strings.length - 1;
    list.counts[list.strings.length - 1] += counts[code];
  }
  return { shared: { spec, count: list.strings.length, numbers, classes }, list };
}

function countPairs(snapshot: Snapshot, lemma: Attribute, tag: Attribute, classes: Uint8Array): Uint32Array {
  const counts = new Uint32Array(lemma.lexicon.size * suffixes.length);
  const [lemmas, tags] = [new Uint32Array(partTokens), new Uint32Array(partTokens)];
  for (let from = 0; from < snapshot.tokens; from += partTokens) {
    const count = Math.min(partTokens, snapshot.tokens - from);
    snapshot.ids(lemma, from, count, lemmas);
    snapshot.ids(tag, from, count, tags);
    for (let i = 0; i < count; i++) counts[lemmas[i] * suffixes.length + classes[tags[i]]]++;
  }
  return counts;
}
