/**
 * Dependency edges: head >relation dependant. The attribute `head` of a token says how far its head is (+2: two tokens
 * on; 0: it has none), and `deprel` names the relation. The stream of `head` is the index from a dependant to its head;
 * the lists of `deprel` lead to the edges of one type.
 */
import type { Attribute } from "../../storage/index.js";
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
  readonly window = Number.POSITIVE_INFINITY;
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
  readonly #block = new Uint32Array(1 << 12);
  #from = 0;
  #to = 0;

  constructor(
    readonly ground: Ground,
    readonly attribute: Attribute,
  ) {
    const { lexicon } = attribute;
    this.#distances = new Float64Array(lexicon.size);
    for (const { id, bytes } of lexicon.inOrder())
      this.#distances[id] = measured(Buffer.from(bytes).toString(), "int");
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
