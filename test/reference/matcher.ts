/**
 * What a query means, in the fewest lines that say it: over plain arrays, by trying everything, slow and obvious.
 * The engine has to agree with this. Nothing here is shared with the engine but the syntax tree.
 *
 * The meaning of an expression is a list of derivations from a start: where it ends, and what its labels are bound
 * to, in left-to-right, shortest-first order. The meaning of a query is a set of ranges; each has the labels of the
 * first derivation that satisfies the conditions across labels.
 */
import type {
  Boundary,
  Edge,
  Expression,
  Filter,
  Meet,
  Query,
  Repeat,
  Strategy,
  Tab,
} from "../../ql/cql/ast.js";
import { Conditions, type Match, type NaiveCorpus, type NaiveStructure } from "./conditions.js";
import { choose, isSetOperation } from "./strategies.js";
import { fitter, integer } from "./values.js";

export type { Match, NaiveBead, NaiveCorpus, NaiveStructure } from "./conditions.js";

/**
 * How many rounds a repetition without a maximum has at most, where no `within` bounds it: Manatee's limit, and what
 * CQP's limit of 501 tokens to a match leaves between two tokens.
 */
export function gapMaxDefault(strategy: Strategy): number {
  return strategy === "all" ? 100 : 499;
}

type Labels = Match["labels"];
type Derivation = { end: number; labels: Labels };
type Range = { begin: number; end: number };

interface Manner {
  /** Where a match must end at the latest, if a `within` bounds it. */
  limit: number | null;
  /** Does </s> end the structure that <s> began, as in CQP, or any? */
  paired: boolean;
}

/** Thrown where trying everything takes too long. */
export class TooManyWays extends Error {}

/**
 * A strategy in the text of the query goes before the one that is given with it. At `stepsMax` ways that were gone it
 * gives up.
 */
export function matchNaively(
  corpus: NaiveCorpus,
  query: Query,
  given: Strategy = "all",
  gapMax?: number,
  stepsMax = Number.POSITIVE_INFINITY,
): Match[] {
  const strategy = query.strategy ?? given;
  return new Matcher(corpus, gapMax ?? gapMaxDefault(strategy), stepsMax).query(query, strategy);
}

/** What labels are bound to by every way to match every range, for queries without a strategy. */
export function bindNaively(corpus: NaiveCorpus, query: Query): Match[] {
  return new Matcher(corpus, gapMaxDefault("all"), Number.POSITIVE_INFINITY).ways(query);
}

class Matcher extends Conditions {
  constructor(
    corpus: NaiveCorpus,
    readonly gapMax: number,
    readonly stepsMax: number,
  ) {
    super(corpus);
  }

  // ---- queries

  query(query: Query, strategy: Strategy): Match[] {
    let matches = this.filtered(query, strategy !== "all");
    if (!isSetOperation(query.expression)) matches = choose(matches, strategy);
    matches = inOrderOfPlace(matches);
    matches = inOrderOfPlace(matches.map((match) => this.expand(match, query)));
    matches = matches.filter(
      (match, i) => i === 0 || match.begin !== matches[i - 1].begin || match.end !== matches[i - 1].end,
    );
    return matches.slice(0, query.cut);
  }

  /** Every range that passes the filters and has a derivation for which the conditions hold. */
  filtered({ expression, filters, where }: Query, paired: boolean): Match[] {
    const tests = filters.map((filter) => this.filter(filter));
    const limits = filters.flatMap((filter) => this.limit(filter));
    const whole = isZeroWidth(expression) ? followed(expression) : expression;
    const matches: Match[] = [];
    for (let begin = 0; begin < this.size; begin++) {
      const limit = limits.length === 0 ? null : Math.min(...limits.map((limit) => limit(begin)));
      const found = new Map<number, Match>();
      for (const { end, labels } of this.derive(whole, begin, {}, { limit, paired })) {
        if (end === begin || found.has(end)) continue;
        const match = { begin, end, labels: withoutTags(labels) };
        if (tests.every((test) => test(match)) && this.holds(where, match)) found.set(end, match);
      }
      for (const match of found.values()) matches.push(match);
    }
    return matches;
  }

  /** Every way to match that passes the filters and the conditions. */
  ways({ expression, filters, where }: Query): Match[] {
    const tests = filters.map((filter) => this.filter(filter));
    const limits = filters.flatMap((filter) => this.limit(filter));
    const matches: Match[] = [];
    for (let begin = 0; begin < this.size; begin++) {
      const limit = limits.length === 0 ? null : Math.min(...limits.map((limit) => limit(begin)));
      for (const { end, labels } of this.derive(expression, begin, {}, { limit, paired: false })) {
        const match = { begin, end, labels };
        if (end > begin && tests.every((test) => test(match)) && this.holds(where, match))
          matches.push(match);
      }
    }
    return matches;
  }

  /** All ranges of an expression that is used as a set: inside within, containing, meet, complement. */
  ranges(expression: Expression): Match[] {
    return this.once(expression, () => this.query({ kind: "query", expression, filters: [] }, "all"));
  }

  filter(filter: Filter): (match: Match) => boolean {
    const { scope, negated } = filter;
    if (scope.kind === "tokens") {
      const fits = (tokens: number) =>
        filter.kind === "within" ? tokens <= scope.count : tokens >= scope.count;
      return (match) => fits(match.end - match.begin) !== negated;
    }
    if (filter.kind === "within") {
      const reach = this.reach(filter);
      return (match) => match.end <= reach[match.begin] !== negated;
    }
    const ends = firstEnds(this.ranges((scope as { expression: Expression }).expression), this.size);
    return (match) => ends[match.begin] <= match.end !== negated;
  }

  /** How far a match from a start may reach, if the filter bounds it. */
  limit(filter: Filter): ((begin: number) => number)[] {
    if (filter.kind !== "within" || filter.negated) return [];
    if (filter.scope.kind === "tokens") {
      const { count } = filter.scope;
      return [(begin) => begin + count];
    }
    const reach = this.reach(filter);
    return [(begin) => reach[begin]];
  }

  /** By start, the last end of the ranges of a `within` that begin there or before. */
  reach(within: Extract<Filter, { kind: "within" }>): number[] {
    return this.once(within, () => {
      const reach: number[] = new Array(this.size).fill(0);
      for (const { begin, end } of this.scope(within.scope)) reach[begin] = Math.max(reach[begin] ?? 0, end);
      for (let at = 1; at < this.size; at++) reach[at] = Math.max(reach[at], reach[at - 1]);
      return reach;
    });
  }

  scope(scope: Extract<Filter, { kind: "within" }>["scope"]): Range[] {
    if (scope.kind === "matches") return this.ranges(scope.expression);
    if (scope.kind === "structures") {
      const all = this.structures(scope.structure);
      return all.flatMap((_, i) => cover(all.slice(i, i + scope.count)));
    }
    if (scope.kind === "tokens") throw new Error("tokens are not ranges");
    // What has a match of the expression on its other side, in a parallel corpus.
    const { corpus, beads } = this.corpus.aligned![scope.corpus];
    const matches = new Matcher(corpus, this.gapMax, this.stepsMax).ranges(scope.expression);
    const hasMatch = ({ begin, end }: Range) => matches.some((m) => begin <= m.begin && m.end <= end);
    return beads.filter(({ there }) => there.some(hasMatch)).flatMap(({ here }) => here);
  }

  /** To the structure around the first and the last token, and so many less one before and behind. */
  expand(match: Match, { expand }: Query): Match {
    if (!expand) return match;
    const { side, structure, count } = expand;
    const all = this.structures(structure);
    const around = (at: number) => all.findLastIndex((s) => s.begin <= at && at < s.end);
    const [first, last] = [around(match.begin), around(match.end - 1)];
    const before = side === "right" || first < 0 ? [] : all.slice(Math.max(0, first - count + 1), first + 1);
    const behind = side === "left" || last < 0 ? [] : all.slice(last, last + count);
    const begin = Math.min(match.begin, ...before.map((s) => s.begin));
    const end = Math.max(match.end, ...behind.map((s) => s.end));
    return { begin, end, labels: match.labels };
  }

  // ---- expressions

  #steps = 0;

  derive(e: Expression, at: number, labels: Labels, manner: Manner): Derivation[] {
    if (++this.#steps > this.stepsMax) throw new TooManyWays();
    switch (e.kind) {
      case "token": {
        const isThere = at < Math.min(this.size, manner.limit ?? this.size);
        return isThere && this.token(e.condition, at) ? [{ end: at + 1, labels }] : [];
      }
      case "lookahead":
        return at < this.size && this.token(e.condition, at) ? [{ end: at, labels }] : [];
      case "boundary":
        return this.boundary(e, at, labels, manner);
      case "structure":
        return this.edges("start", e.structure, at)
          .filter((s) => s.end > at && this.structure(e, s))
          .map(({ end }) => ({ end, labels }))
          .sort((a, b) => a.end - b.end);
      case "sequence": {
        let ways: Derivation[] = [{ end: at, labels }];
        for (const item of e.items) {
          if (ways.length === 0) break;
          ways = distinct(ways.flatMap((way) => this.derive(item, way.end, way.labels, manner)));
        }
        return ways;
      }
      case "alternation":
        return distinct(e.items.flatMap((item) => this.derive(item, at, labels, manner)));
      case "repeat":
        return this.repeat(e, at, labels, manner);
      case "labelled":
        // The first that a label is bound to is what it stays bound to.
        return this.derive(e.item, at, labels, manner).map(({ end, labels: inner }) => ({
          end,
          labels: { ...inner, [e.label]: inner[e.label] ?? [at, end] },
        }));
      case "tab":
        return this.tab(e, 0, at, labels, manner).slice(0, 1);
      default: {
        const matches = this.once(`set ${this.number(e)}`, () => byBegin(this.set(e))).get(at) ?? [];
        return distinct(matches.map((match) => ({ end: match.end, labels: { ...match.labels, ...labels } })));
      }
    }
  }

  /** Of a pair of tags, the first is remembered as if it were a label: which tag, and where. */
  boundary(e: Boundary, at: number, labels: Labels, { paired }: Manner): Derivation[] {
    const tag = tagMark + e.structure;
    const { [tag]: opened, ...others } = labels;
    const here = this.edges(e.edge, e.structure, at).filter((s) => this.structure(e, s));
    if (here.length === 0) return [];
    if (!paired) return [{ end: at, labels }];
    if (e.edge === "start") return [{ end: at, labels: { ...others, [tag]: [at, this.number(e)] } }];
    if (!opened) return [{ end: at, labels }];
    const began = this.node(opened[1]) as Boundary;
    const isPair = here.some((s) => s.begin === opened[0] && this.structure(began, s));
    return isPair ? [{ end: at, labels: others }] : [];
  }

  /**
   * Fewer rounds first. A round that changes nothing is gone only to make up the minimum, and what was reached before
   * by as many leads to nothing new.
   */
  repeat(asked: Repeat, at: number, labels: Labels, manner: Manner): Derivation[] {
    const { item, min, max, optional } = asOne(asked);
    if (optional) {
      const ways = this.repeat({ kind: "repeat", item, min, max }, at, labels, manner);
      return distinct([{ end: at, labels }, ...ways]);
    }
    const roundsMax = max ?? (manner.limit === null ? Math.max(min, this.gapMax) : Number.POSITIVE_INFINITY);
    const found: Derivation[] = [];
    const seen = new Set<string>();
    const go = (way: Derivation, rounds: number) => {
      const key = `${roundsMax === Number.POSITIVE_INFINITY ? Math.min(rounds, min) : rounds} ${keyOf(way)}`;
      if (seen.has(key)) return;
      seen.add(key);
      if (rounds >= min) found.push(way);
      if (rounds === roundsMax) return;
      for (const next of this.derive(item, way.end, way.labels, manner)) {
        if (rounds < min || keyOf(next) !== keyOf(way)) go(next, rounds + 1);
      }
    };
    go({ end: at, labels }, 0);
    return distinct(found);
  }

  /** The ways to place the items of a TAB, each as early as can be: the first is the one that counts. */
  tab(e: Tab, item: number, at: number, labels: Labels, manner: Manner): Derivation[] {
    const own = this.derive(e.items[item], at, labels, manner);
    if (item === e.items.length - 1) return own;
    const { min, max } = e.gaps[item];
    const gapMax = max ?? (manner.limit === null ? Math.max(min, this.gapMax) : this.size);
    for (const way of own) {
      for (let next = way.end + min; next <= way.end + gapMax && next < this.size; next++) {
        const rest = this.tab(e, item + 1, next, way.labels, manner);
        if (rest.length > 0) return rest;
      }
    }
    return [];
  }

  /** The structures that begin or end at a place between two tokens. */
  edges(edge: "start" | "end", structure: string, at: number): NaiveStructure[] {
    return (
      this.once(`${edge} ${structure}`, () => {
        const places = new Map<number, NaiveStructure[]>();
        for (const s of this.structures(structure)) push(places, edge === "start" ? s.begin : s.end, s);
        return places;
      }).get(at) ?? []
    );
  }

  // ---- expressions whose matches are a set, wherever they stand

  set(e: Expression): Match[] {
    switch (e.kind) {
      case "filtered":
        return this.query(e.query, e.query.strategy ?? "all");
      case "union":
        return e.items.flatMap((item) => this.ranges(item));
      case "meet":
        return this.meet(e);
      case "complement": {
        const covered = new Set(this.ranges(e.item).flatMap((r) => numbers(r.begin, r.end)));
        const matches: Match[] = [];
        for (let at = 0; at < this.size; at++) {
          if (covered.has(at)) continue;
          const begin = at;
          while (at < this.size && !covered.has(at)) at++;
          matches.push({ begin, end: at, labels: {} });
        }
        return matches;
      }
      case "edge":
        return this.edge(e);
      default:
        throw new Error(`no naive meaning of ${e.kind}`);
    }
  }

  /** Items whose first token has the first token of the other in its window: with the labels of both. */
  meet({ item, other, negated, window }: Meet): Match[] {
    const others = byBegin(this.ranges(other));
    const near = (at: number): number[] => {
      if ("from" in window) return numbers(at + window.from, at + window.to + 1);
      const around = this.structures(window.structure).filter((s) => s.begin <= at && at < s.end);
      return [...new Set(around.flatMap((s) => numbers(s.begin, s.end)))].sort((a, b) => a - b);
    };
    return this.ranges(item).flatMap((match) => {
      const found = near(match.begin).flatMap((at) => others.get(at) ?? []);
      if (negated) return found.length === 0 ? [match] : [];
      return found.map(({ labels }) => ({ ...match, labels: { ...labels, ...match.labels } }));
    });
  }

  edge(e: Edge): Match[] {
    return this.chains(e).map(({ begin, end, labels }) => ({ begin, end, labels }));
  }

  /**
   * Matches of what stands before or behind an edge. An edge leaves the last token of a chain, which is the one that
   * was reached last, and arrives at the first one.
   */
  chains(e: Expression): Chain[] {
    return this.once(`chains ${this.number(e)}`, () => {
      if (e.kind === "labelled") {
        return this.chains(e.item).map((chain) => ({
          ...chain,
          labels: { ...chain.labels, [e.label]: chain.labels[e.label] ?? [chain.begin, chain.end] },
        }));
      }
      if (e.kind !== "edge") {
        return this.ranges(e).map((match) => ({ ...match, first: match.begin, last: match.end - 1 }));
      }
      const relation =
        e.relation === undefined ? undefined : fitter({ kind: "pattern", pattern: e.relation });
      const dependants = new Map<number, Chain[]>();
      for (const chain of this.chains(e.dependant)) {
        if (relation && !relation(this.corpus.attributes.deprel[chain.first])) continue;
        for (const head of this.above(chain.first, e.depth === "any")) push(dependants, head, chain);
      }
      return this.chains(e.head).flatMap((head) => {
        const below = dependants.get(head.last) ?? [];
        if (e.negated) return below.length === 0 ? [head] : [];
        return below.map((dependant) => ({
          begin: Math.min(head.begin, dependant.begin),
          end: Math.max(head.end, dependant.end),
          labels: { ...dependant.labels, ...head.labels },
          first: head.first,
          last: dependant.last,
        }));
      });
    });
  }

  /** The head of a token, by the distance in its attribute `head` (0: none), and the heads of that. */
  above(at: number, all: boolean): Set<number> {
    const heads = new Set<number>();
    for (let up = at; ; ) {
      const distance = Number(integer(this.corpus.attributes.head[up]));
      up += distance;
      const isHead = distance !== 0 && up >= 0 && up < this.size;
      if (!isHead || heads.has(up)) return heads;
      heads.add(up);
      if (!all) return heads;
    }
  }

  readonly #nodes: Expression[] = [];
  readonly #numbers = new Map<Expression, number>();

  /** Numbers of nodes, to remember things by. */
  number(e: Expression): number {
    if (!this.#numbers.has(e)) this.#numbers.set(e, this.#nodes.push(e) - 1);
    return this.#numbers.get(e) as number;
  }

  node(number: number): Expression {
    return this.#nodes[number];
  }
}

interface Chain extends Match {
  first: number;
  last: number;
}

/** What stands before a structure's name where its start tag is among the labels. */
const tagMark = "<";

function withoutTags(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith(tagMark)));
}

/** Boundaries and nothing else: alone, they stand for the token that follows. */
function isZeroWidth(e: Expression): boolean {
  if (e.kind === "boundary" || e.kind === "lookahead") return true;
  if (e.kind === "labelled" || e.kind === "repeat") return isZeroWidth(e.item);
  return (e.kind === "sequence" || e.kind === "alternation") && e.items.every(isZeroWidth);
}

function followed(e: Expression): Expression {
  return { kind: "sequence", items: [e, { kind: "token" }] };
}

/** From the first begin to the last end. */
function cover(ranges: Range[]): Range[] {
  if (ranges.length === 0) return [];
  return [{ begin: ranges[0].begin, end: Math.max(...ranges.map((r) => r.end)) }];
}

/** By start, the first end of the ranges that begin there or behind. */
function firstEnds(ranges: Range[], size: number): number[] {
  const ends: number[] = new Array(size).fill(Number.POSITIVE_INFINITY);
  for (const { begin, end } of ranges) ends[begin] = Math.min(ends[begin], end);
  for (let at = size - 2; at >= 0; at--) ends[at] = Math.min(ends[at], ends[at + 1]);
  return ends;
}

function inOrderOfPlace(matches: Match[]): Match[] {
  return matches.sort((a, b) => a.begin - b.begin || a.end - b.end);
}

function byBegin(matches: Match[]): Map<number, Match[]> {
  const places = new Map<number, Match[]>();
  for (const match of matches) push(places, match.begin, match);
  return places;
}

function push<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/**
 * Of a repeat of a repeat without a maximum the rounds of the inner one count: as many as both minima ask for, or none
 * (`optional`) if the outer one may be left out and the inner one asks for several.
 */
function asOne(e: Repeat): { item: Expression; min: number; max: number | null; optional: boolean } {
  const { item, min, max } = e;
  const inner = item.kind === "repeat" && max !== 0 ? asOne(item) : undefined;
  if (inner?.max !== null) return { item, min, max, optional: false };
  if (inner.optional) return inner;
  return min === 0 && inner.min > 1 ? { ...inner, optional: true } : { ...inner, min: min * inner.min };
}

/** The same end with the same labels once, where it comes first. */
function distinct(ways: Derivation[]): Derivation[] {
  if (ways.length < 2) return ways;
  const seen = new Set<string>();
  return ways.filter((way) => {
    const key = keyOf(way);
    return !seen.has(key) && seen.add(key);
  });
}

function keyOf({ end, labels }: Derivation): string {
  let key = String(end);
  for (const label of Object.keys(labels)) key += ` ${label} ${labels[label].join(" ")}`;
  return key;
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
