/**
 * Dependency edges: head >relation dependant. The attribute `head` of a token says how far its head is (+2: two tokens
 * on; 0: it has none), and `deprel` names the relation. The stream of `head` is the index from a dependant to its head;
 * the lists of `deprel` lead to the edges of one type.
 */
import type { Attribute } from "../../storage/index.js";
import { limits } from "../plan/limits.js";
import { measured } from "../plan/values.js";
import { chosen, underCeiling } from "./ceilings.js";
import type { Ground } from "./ground.js";
import { allOf, firstPerEnd, KnownSource } from "./ranges.js";
import {
  type Bindings,
  type Ceiling,
  type Choice,
  type Description,
  type Found,
  type Source,
  Spans,
} from "./source.js";

/** A match of what stands before or behind an edge: the edge arrives at its first token, the next leaves its last. */
interface Chain {
  begin: number;
  end: number;
  first: number;
  last: number;
  labels: Bindings;
}

/** What an edge joins: another edge, perhaps under a label, or anything that yields ranges. */
export type EdgeSide =
  | { kind: "ranges"; source: Source }
  | { kind: "edge"; edge: EdgeSource }
  | { kind: "label"; label: string; item: EdgeSide };

export class EdgeSource implements Source {
  readonly lengthMax = Number.POSITIVE_INFINITY;
  readonly rows: number;
  readonly cost: number;
  readonly window: number;
  readonly #simple: TokenEdges | undefined;
  readonly inputs: readonly Source[];
  readonly #heads: HeadIndex;
  #chains: Map<number, Chain[]> | undefined;
  #known: KnownSource | undefined;

  constructor(
    readonly ground: Ground,
    readonly head: EdgeSide,
    readonly dependant: EdgeSide,
    readonly labels: readonly string[],
    readonly anyDepth: boolean,
    readonly negated: boolean,
    headAttribute: Attribute,
    /** Not among these positions is no dependant of the relation; undefined: any relation. */
    readonly relation: ((position: number) => boolean) | undefined,
    readonly text: string,
  ) {
    this.inputs = [sourceOf(head), sourceOf(dependant)];
    this.#heads = headIndex(ground, headAttribute);
    if (!anyDepth && !relation && isToken(head) && isToken(dependant) && this.#heads.reach <= reachMax) {
      this.#simple = new TokenEdges(ground, head, dependant, this.#heads, negated);
    }
    this.window = this.#simple ? limits.windowTokens : Number.POSITIVE_INFINITY;
    this.rows = negated ? rowsOf(head) : Math.min(rowsOf(head), rowsOf(dependant));
    this.cost = costOf(head) + costOf(dependant) + (rowsOf(head) + rowsOf(dependant)) * 300;
  }

  prepare(): void {
    prepareSide(this.head);
    prepareSide(this.dependant);
  }

  /** All matches, as the query has them: by begin. */
  #found(): Map<number, Chain[]> {
    if (this.#chains) return this.#chains;
    const byBegin = new Map<number, Chain[]>();
    for (const chain of this.chains()) {
      const list = byBegin.get(chain.begin);
      if (list) list.push(chain);
      else byBegin.set(chain.begin, [chain]);
    }
    this.#chains = byBegin;
    return byBegin;
  }

  /** In the order of the heads, then of the dependants. */
  chains(): Chain[] {
    const below = new Map<number, Chain[]>();
    for (const chain of chainsOf(this.ground, this.dependant)) {
      if (this.relation && !this.relation(chain.first)) continue;
      const seen = new Set<number>();
      for (let up = this.#heads.above(chain.first); up >= 0 && !seen.has(up); up = this.#heads.above(up)) {
        seen.add(up);
        const list = below.get(up);
        if (list) list.push(chain);
        else below.set(up, [chain]);
        if (!this.anyDepth) break;
      }
    }
    const found: Chain[] = [];
    for (const head of chainsOf(this.ground, this.head)) {
      const dependants = below.get(head.last);
      if (this.negated) {
        if (!dependants) found.push(head);
        continue;
      }
      for (const dependant of dependants ?? []) {
        found.push({
          begin: Math.min(head.begin, dependant.begin),
          end: Math.max(head.end, dependant.end),
          first: head.first,
          last: dependant.last,
          labels: { ...dependant.labels, ...head.labels },
        });
      }
    }
    return found;
  }

  spans(from: number, to: number, ceiling?: Ceiling, choice: Choice = "all"): Spans {
    const simple = this.#simple;
    if (simple) {
      const found = simple.negated ? simple.withoutEdge(from, to) : simple.edges(from, to);
      if (ceiling) underCeiling(found, ceiling);
      chosen(found, choice);
      return found;
    }
    if (!this.#known) {
      const found = new Spans(0);
      for (const chains of this.#found().values())
        for (const { begin, end } of chains) found.push(begin, end);
      found.sort();
      this.#known = new KnownSource(
        this.ground,
        Float64Array.from(found.begins.subarray(0, found.count)),
        Float64Array.from(found.ends.subarray(0, found.count)),
        this.describe(),
      );
    }
    const spans = this.#known.spans(from, to);
    if (ceiling) underCeiling(spans, ceiling);
    chosen(spans, choice);
    return spans;
  }

  at(position: number, limit: number): Iterable<Found> {
    if (this.#simple) return this.#simple.at(position).filter(({ end }) => end <= limit);
    return (this.#found().get(position) ?? []).filter(({ end }) => end <= limit);
  }

  describe(): Description {
    return {
      operator: this.negated ? "no edge" : this.anyDepth ? "path" : "edge",
      detail: this.text,
      why: "from each dependant to its head, by the stream of head",
    };
  }
}

/** Heads further away than this are looked for over the whole corpus at once. */
const reachMax = 4_096;

function isToken(side: EdgeSide): boolean {
  if (side.kind === "label") return isToken(side.item);
  return side.kind === "ranges" && side.source.lengthMax === 1;
}

/** Edges between single tokens: columns of positions, window by window. */
class TokenEdges {
  readonly #head: Source;
  readonly #dependant: Source;

  constructor(
    readonly ground: Ground,
    readonly head: EdgeSide,
    readonly dependant: EdgeSide,
    readonly heads: HeadIndex,
    readonly negated: boolean,
  ) {
    this.#head = sourceOf(head);
    this.#dependant = sourceOf(dependant);
  }

  /** Ranges of edges whose first token lies in [from, to): the other one is not far behind. */
  edges(from: number, to: number): Spans {
    const last = Math.min(this.ground.tokens, to + this.heads.reach);
    const found = new Spans(from);
    const dependants = this.#dependant.spans(from, last);
    if (dependants.count === 0) return found;
    const heads = bitsOf(this.#head.spans(from, last), last - from);
    for (let i = 0; i < dependants.count; i++) {
      const dependant = dependants.begins[i];
      const head = this.heads.above(from + dependant) - from;
      if (head < 0 || head >= last - from || ((heads[head >>> 5] >>> (head & 31)) & 1) === 0) continue;
      const begin = Math.min(head, dependant);
      if (begin < to - from) found.push(begin, Math.max(head, dependant) + 1);
    }
    found.sort();
    return found;
  }

  /** Heads in [from, to) that no such dependant has. */
  withoutEdge(from: number, to: number): Spans {
    const first = Math.max(0, from - this.heads.reach);
    const last = Math.min(this.ground.tokens, to + this.heads.reach);
    const found = this.#head.spans(from, to);
    const dependants = this.#dependant.spans(first, last);
    const taken = new Uint8Array(to - from);
    for (let i = 0; i < dependants.count; i++) {
      const head = this.heads.above(first + dependants.begins[i]) - from;
      if (head >= 0 && head < taken.length) taken[head] = 1;
    }
    found.filter((begin) => taken[begin] === 0);
    return found;
  }

  /** In the order of the heads, then of the dependants. */
  at(position: number): Found[] {
    const found: Found[] = [];
    const last = Math.min(this.ground.tokens, position + this.heads.reach + 1);
    const isHead = this.#head.spans(position, position + 1).count > 0;
    if (this.negated) {
      const isFree = isHead && this.withoutEdge(position, position + 1).count > 0;
      return isFree ? [{ end: position + 1, labels: bound(this.head, position) }] : [];
    }
    if (isHead) {
      const { begins, count } = this.#dependant.spans(position, last);
      for (let i = 0; i < count; i++) {
        const dependant = position + begins[i];
        if (this.heads.above(dependant) === position) found.push(this.#found(position, dependant));
      }
    }
    const head = this.heads.above(position);
    if (head > position && this.#dependant.spans(position, position + 1).count > 0) {
      if (this.#head.spans(head, head + 1).count > 0) found.push(this.#found(head, position));
    }
    return found;
  }

  #found(head: number, dependant: number): Found {
    const labels = { ...bound(this.dependant, dependant), ...bound(this.head, head) };
    return { end: Math.max(head, dependant) + 1, labels };
  }
}

/** What the labels of one side are bound to, if it matches the token at a position. */
function bound(side: EdgeSide, position: number): Bindings {
  if (side.kind === "label") {
    const inner = bound(side.item, position);
    return { ...inner, [side.label]: inner[side.label] ?? [position, position + 1] };
  }
  const source = sourceOf(side);
  return source.labels.length > 0 ? labelsOf(source, position, position + 1) : {};
}

/** A bit for each position of an interval where a span begins. */
function bitsOf({ begins, count }: Spans, length: number): Uint32Array {
  const bits = new Uint32Array((length >>> 5) + 1);
  for (let i = 0; i < count; i++) bits[begins[i] >>> 5] |= 1 << (begins[i] & 31);
  return bits;
}

function chainsOf(ground: Ground, side: EdgeSide): Chain[] {
  switch (side.kind) {
    case "edge":
      return side.edge.chains();
    case "label":
      return chainsOf(ground, side.item).map((chain) => ({
        ...chain,
        labels: { ...chain.labels, [side.label]: chain.labels[side.label] ?? [chain.begin, chain.end] },
      }));
    case "ranges": {
      const { source } = side;
      const { begins, ends } = allOf(ground, source);
      const chains: Chain[] = [];
      for (let i = 0; i < begins.length; i++) {
        const [begin, end] = [begins[i], ends[i]];
        chains.push({
          begin,
          end,
          first: begin,
          last: end - 1,
          labels: source.labels.length > 0 ? labelsOf(source, begin, end) : {},
        });
      }
      return chains;
    }
  }
}

/** What the labels of a range are bound to: the first way to match it. */
function labelsOf(source: Source, begin: number, end: number): Bindings {
  return firstPerEnd(source.at(begin, end), end, begin).find((found) => found.end === end)?.labels ?? {};
}

function prepareSide(side: EdgeSide): void {
  if (side.kind === "ranges") side.source.prepare();
  else if (side.kind === "edge") side.edge.prepare();
  else prepareSide(side.item);
}

function sourceOf(side: EdgeSide): Source {
  return side.kind === "ranges" ? side.source : side.kind === "edge" ? side.edge : sourceOf(side.item);
}

const rowsOf = (side: EdgeSide) => sourceOf(side).rows;
const costOf = (side: EdgeSide) => sourceOf(side).cost;

/** Where the head of each token is. */
class HeadIndex {
  /** By id of the attribute: how far. */
  readonly #distances: Float64Array;
  /** How far the farthest head is. */
  readonly reach: number;
  readonly #block = new Uint32Array(1 << 12);
  #from = 0;
  #to = 0;

  constructor(
    readonly ground: Ground,
    readonly attribute: Attribute,
  ) {
    const { lexicon } = attribute;
    this.#distances = new Float64Array(lexicon.size);
    let reach = 0;
    for (const { id, bytes } of lexicon.inOrder()) {
      const distance = Number(measured(Buffer.from(bytes).toString(), "int"));
      this.#distances[id] = distance;
      // What points out of the corpus leads nowhere.
      if (Math.abs(distance) < ground.tokens) reach = Math.max(reach, Math.abs(distance));
    }
    this.reach = reach;
  }

  /** The position of a token's head, or −1. */
  above(position: number): number {
    if (position < this.#from || position >= this.#to) this.#load(position);
    const distance = this.#distances[this.#block[position - this.#from]];
    const head = position + distance;
    return distance !== 0 && head >= 0 && head < this.ground.tokens ? head : -1;
  }

  #load(position: number): void {
    const { tokens, snapshot } = this.ground;
    this.#from = Math.max(0, position - 256);
    this.#to = Math.min(tokens, this.#from + this.#block.length);
    snapshot.ids(this.attribute, this.#from, this.#to - this.#from, this.#block);
  }
}

const indexes = new WeakMap<Ground, HeadIndex>();

function headIndex(ground: Ground, attribute: Attribute): HeadIndex {
  let index = indexes.get(ground);
  if (!index) {
    index = new HeadIndex(ground, attribute);
    indexes.set(ground, index);
  }
  return index;
}
