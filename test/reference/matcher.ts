/**
 * What a query means, in the fewest lines that say it: over plain arrays, by trying everything, slow and obvious.
 * The engine has to agree with this. Nothing here is shared with the engine but the syntax tree.
 *
 * The meaning of an expression is a list of derivations from a start: where it ends, and what its labels are bound
 * to, in left-to-right, shortest-first order. The meaning of a query is a set of ranges; each has the labels of the
 * first derivation that satisfies the conditions across labels.
 */
import type {
  Condition,
  Expression,
  Filter,
  Operand,
  Query,
  Strategy,
  StructureCondition,
  Value,
  Where,
} from "../../ql/cql/ast.js";

export interface NaiveStructure {
  begin: number;
  end: number;
  attributes: Record<string, string | undefined>;
}

export interface NaiveCorpus {
  /** Values by attribute and position. */
  attributes: Record<string, string[]>;
  defaultAttribute: string;
  structures: Record<string, NaiveStructure[]>;
  /** Separators of multi-value attributes, of tokens ("feats") and structures ("doc.subject"). */
  separators?: Record<string, string>;
  lists?: Record<string, string[]>;
}

export interface Match {
  begin: number;
  end: number;
  labels: Record<string, [begin: number, end: number]>;
}

export const gapMax = 100;

type Labels = Match["labels"];
type Derivation = { end: number; labels: Labels };

export function matchNaively(corpus: NaiveCorpus, query: Query, strategy?: Strategy): Match[] {
  return new Matcher(corpus).query(query, strategy ?? query.strategy ?? "all");
}

class Matcher {
  readonly size: number;

  constructor(readonly corpus: NaiveCorpus) {
    this.size = Object.values(corpus.attributes)[0].length;
  }

  query(query: Query, strategy: Strategy): Match[] {
    const bound = this.bounds(query.filters);
    let matches: Match[] = [];
    for (let begin = 0; begin < this.size; begin++) {
      const limit = bound(begin);
      const found = new Map<number, Match>();
      const expression = isZeroWidth(query.expression) ? followed(query.expression) : query.expression;
      for (const { end, labels } of this.derive(expression, begin, {}, limit)) {
        if (end === begin || found.has(end)) continue;
        const match = { begin, end, labels };
        if (this.passes(match, query.filters) && this.holds(query.where, match)) found.set(end, match);
      }
      matches.push(...[...found.values()].sort((a, b) => a.end - b.end));
    }
    if (!isSetOperation(query.expression)) matches = choose(matches, strategy);
    matches = matches.map((match) => this.expand(match, query));
    matches.sort((a, b) => a.begin - b.begin || a.end - b.end);
    matches = matches.filter(
      (m, i) => i === 0 || m.begin !== matches[i - 1].begin || m.end !== matches[i - 1].end,
    );
    return query.cut === undefined ? matches : matches.slice(0, query.cut);
  }

  /** All ranges of an expression that is used as a set: inside within, containing, meet, complement. */
  ranges(expression: Expression): Match[] {
    return this.query({ kind: "query", expression, filters: [] }, "all");
  }

  /** How far a match from a start may reach if a positive `within` says so; else the gap limit holds. */
  bounds(filters: Filter[]): (begin: number) => number | null {
    const scopes = filters.flatMap((filter) => {
      if (filter.kind !== "within" || filter.negated) return [];
      if (filter.scope.kind === "tokens") {
        const { count } = filter.scope;
        return [(begin: number) => begin + count];
      }
      const ranges = this.scope(filter.scope);
      return [
        (begin: number) => Math.max(begin, ...ranges.filter((r) => r.begin <= begin).map((r) => r.end)),
      ];
    });
    return scopes.length === 0 ? () => null : (begin) => Math.min(...scopes.map((scope) => scope(begin)));
  }

  scope(scope: Extract<Filter, { kind: "within" }>["scope"]): { begin: number; end: number }[] {
    if (scope.kind === "matches") return this.ranges(scope.expression);
    if (scope.kind === "structures") {
      const all = this.structures(scope.structure);
      return all.flatMap((first, i) => {
        const last = all[i + scope.count - 1];
        return last ? [{ begin: first.begin, end: last.end }] : [];
      });
    }
    throw new Error(`no naive meaning of ${scope.kind}`);
  }

  passes(match: Match, filters: Filter[]): boolean {
    return filters.every((filter) => {
      let holds: boolean;
      if (filter.kind === "within") {
        holds =
          filter.scope.kind === "tokens"
            ? match.end - match.begin <= filter.scope.count
            : this.scope(filter.scope).some((r) => r.begin <= match.begin && match.end <= r.end);
      } else if (filter.scope.kind === "tokens") holds = match.end - match.begin >= filter.scope.count;
      else
        holds = this.ranges(filter.scope.expression).some(
          (r) => match.begin <= r.begin && r.end <= match.end,
        );
      return holds !== filter.negated;
    });
  }

  expand(match: Match, { expand }: Query): Match {
    if (!expand) return match;
    const all = this.structures(expand.structure);
    const first = all.findIndex((s) => s.begin <= match.begin && match.begin < s.end);
    const last = all.findLastIndex((s) => s.begin <= match.end - 1 && match.end - 1 < s.end);
    const widened = { ...match };
    if (expand.side !== "right" && first >= 0)
      widened.begin = all[Math.max(0, first - expand.count + 1)].begin;
    if (expand.side !== "left" && last >= 0)
      widened.end = all[Math.min(all.length - 1, last + expand.count - 1)].end;
    return widened;
  }

  structures(name: string): NaiveStructure[] {
    return this.corpus.structures[name] ?? [];
  }

  /** `limit`: where a match must end at the latest, if a `within` bounds it. */
  *derive(e: Expression, at: number, labels: Labels, limit: number | null): Generator<Derivation> {
    switch (e.kind) {
      case "token":
        if (at < this.size && (limit === null || at < limit) && this.token(e.condition, at))
          yield { end: at + 1, labels };
        return;
      case "sequence":
        yield* this.sequence(e.items, at, labels, limit);
        return;
      case "alternation":
        for (const item of e.items) yield* this.derive(item, at, labels, limit);
        return;
      case "repeat":
        yield* this.repeat(
          e.item,
          e.min,
          e.max ?? (limit === null ? gapMax : Number.POSITIVE_INFINITY),
          at,
          labels,
          limit,
        );
        return;
      case "labelled":
        for (const inner of this.derive(e.item, at, labels, limit)) {
          yield {
            end: inner.end,
            labels: { ...inner.labels, [e.label]: inner.labels[e.label] ?? [at, inner.end] },
          };
        }
        return;
      case "boundary":
        if (
          this.structures(e.structure).some(
            (s) => (e.edge === "start" ? s.begin : s.end) === at && this.structure(e, s),
          )
        ) {
          yield { end: at, labels };
        }
        return;
      case "structure":
        for (const end of distinct(
          this.structures(e.structure)
            .filter((s) => s.begin === at && s.end > at && this.structure(e, s))
            .map((s) => s.end),
        )) {
          yield { end, labels };
        }
        return;
      case "lookahead":
        if (at < this.size && this.token(e.condition, at)) yield { end: at, labels };
        return;
      case "filtered":
        for (const match of this.query(e.query, e.query.strategy ?? "all")) {
          if (match.begin === at) yield { end: match.end, labels: { ...match.labels, ...labels } };
        }
        return;
      default:
        for (const match of this.set(e))
          if (match.begin === at) yield { end: match.end, labels: { ...match.labels, ...labels } };
    }
  }

  *sequence(items: Expression[], at: number, labels: Labels, limit: number | null): Generator<Derivation> {
    if (items.length === 0) {
      yield { end: at, labels };
      return;
    }
    for (const first of this.derive(items[0], at, labels, limit)) {
      yield* this.sequence(items.slice(1), first.end, first.labels, limit);
    }
  }

  /** Fewer first; a round that consumes nothing is not repeated. */
  *repeat(
    item: Expression,
    min: number,
    max: number,
    at: number,
    labels: Labels,
    limit: number | null,
  ): Generator<Derivation> {
    if (min <= 0) yield { end: at, labels };
    if (max <= 0) return;
    for (const first of this.derive(item, at, labels, limit)) {
      if (first.end === at && min <= 0) continue;
      yield* this.repeat(item, min - 1, max - 1, first.end, first.labels, limit);
    }
  }

  set(e: Expression): Match[] {
    switch (e.kind) {
      case "union":
        return e.items.flatMap((item) => this.ranges(item));
      case "meet": {
        const others = this.ranges(e.other);
        const inWindow = (a: number, b: number) =>
          "structure" in e.window
            ? this.structures(e.window.structure).some(
                (s) => s.begin <= Math.min(a, b) && Math.max(a, b) < s.end,
              )
            : b >= a + e.window.from && b <= a + e.window.to;
        return this.ranges(e.item).filter(
          (a) => others.some((b) => inWindow(a.begin, b.begin)) !== e.negated,
        );
      }
      case "complement": {
        const covered = new Set(this.ranges(e.item).flatMap((r) => range(r.begin, r.end)));
        const matches: Match[] = [];
        for (let at = 0; at < this.size; at++) {
          if (covered.has(at)) continue;
          const begin = at;
          while (at < this.size && !covered.has(at)) at++;
          matches.push({ begin, end: at, labels: {} });
        }
        return matches;
      }
      case "tab":
        return range(0, this.size).flatMap((begin) => this.tab(e, 0, begin).slice(0, 1));
      case "edge":
        return this.edge(e);
      default:
        throw new Error(`no naive meaning of ${e.kind}`);
    }
  }

  /** The earliest ways to put the items of a TAB from `at` on, the first item at `at` itself. */
  tab(e: Extract<Expression, { kind: "tab" }>, item: number, at: number): Match[] {
    const own = this.ranges(e.items[item]).find((r) => r.begin === at);
    if (!own) return [];
    if (item === e.items.length - 1) return [{ begin: at, end: at + 1, labels: own.labels }];
    const { min, max } = e.gaps[item];
    return range(at + 1 + min, Math.min(this.size, at + 2 + (max ?? gapMax)))
      .flatMap((next) =>
        this.tab(e, item + 1, next).map((rest) => ({
          begin: at,
          end: rest.end,
          labels: { ...own.labels, ...rest.labels },
        })),
      )
      .slice(0, 1);
  }

  /** Where the head of a token is, by the offset in its attribute `head`; undefined for a root. */
  headOf(at: number): number | undefined {
    const offset = Number(this.corpus.attributes.head[at]);
    return Number.isInteger(offset) && offset !== 0 && at + offset >= 0 && at + offset < this.size
      ? at + offset
      : undefined;
  }

  edge(e: Extract<Expression, { kind: "edge" }>): Match[] {
    const heads = this.ranges(e.head);
    const dependants = this.ranges(e.dependant);
    const reaches = (head: number, dependant: number): boolean => {
      const label = this.corpus.attributes.deprel[dependant];
      if (e.relation !== undefined && !fits({ kind: "pattern", pattern: e.relation }, label)) return false;
      for (
        let up = this.headOf(dependant), steps = 0;
        up !== undefined && steps < this.size;
        up = this.headOf(up), steps++
      ) {
        if (up === head) return true;
        if (e.depth === "one") return false;
      }
      return false;
    };
    const token = (match: Match) => match.end - 1;
    if (e.negated) return heads.filter((h) => !dependants.some((d) => reaches(token(h), d.begin)));
    return heads.flatMap((h) =>
      dependants
        .filter((d) => reaches(token(h), d.begin))
        .map((d) => ({
          begin: Math.min(h.begin, d.begin),
          end: Math.max(h.end, d.end),
          labels: { ...d.labels, ...h.labels },
        })),
    );
  }

  token(c: Condition | undefined, at: number): boolean {
    if (!c) return true;
    switch (c.kind) {
      case "and":
        return c.items.every((item) => this.token(item, at));
      case "or":
        return c.items.some((item) => this.token(item, at));
      case "not":
        return !this.token(c.item, at);
      case "implies":
        return !this.token(c.left, at) || this.token(c.right, at);
      case "attribute": {
        const values = this.values(c.attribute, at, c.structural);
        return values.some((value) => this.test(c.value, value, c.order)) !== c.negated;
      }
      case "set": {
        const values = this.values(c.attribute, at);
        const holds =
          c.operator === "contains"
            ? values.some((v) => this.test(c.value, v))
            : values.every((v) => this.test(c.value, v));
        return holds !== c.negated;
      }
      case "position":
        return at >= c.from && at < c.to;
      case "measure":
        return compare(this.measure(c.measure.measure, c.measure.attribute, at), c.comparison, c.number);
      case "sameToken":
        return (this.value(c.left, at) === this.value(c.right, at)) === (c.comparison === "=");
      case "bound":
        return this.structures(c.structure).some(
          (s) => (c.edge === "start" ? s.begin : s.end - 1) === at && s.end > s.begin,
        );
      default:
        throw new Error(`no naive meaning of ${c.kind}`);
    }
  }

  /** The value of an attribute of the token at a position, or of the innermost structure around it. */
  value(attribute: string, at: number, structural = false): string | undefined {
    const name = attribute === "" ? this.corpus.defaultAttribute : attribute;
    if (!structural && this.corpus.attributes[name]) return this.corpus.attributes[name][at];
    const cut = name.indexOf("_");
    const around = this.structures(name.slice(0, cut)).findLast((s) => s.begin <= at && at < s.end);
    return around?.attributes[name.slice(cut + 1)];
  }

  /** Its single values, if it is multi-value. */
  values(attribute: string, at: number, structural = false): string[] {
    const name = attribute === "" ? this.corpus.defaultAttribute : attribute;
    const value = this.value(attribute, at, structural);
    const key = this.corpus.attributes[name] && !structural ? name : name.replace("_", ".");
    return value === undefined ? [] : split(value, this.corpus.separators?.[key]);
  }

  test(value: Value, string: string, order?: string): boolean {
    if (value.kind === "list") return (this.corpus.lists?.[value.name] ?? []).includes(string);
    if (order && value.kind === "literal") return inOrder(string, order, value.string);
    return fits(value, string);
  }

  measure(measure: "f" | "strlen" | "int", attribute: string, at: number): number {
    const value = this.value(attribute, at) ?? "";
    if (measure === "strlen") return [...value].length;
    if (measure === "int") return /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    const name = attribute === "" ? this.corpus.defaultAttribute : attribute;
    return this.corpus.attributes[name].filter((other) => other === value).length;
  }

  structure(e: { structure: string; condition?: StructureCondition }, s: NaiveStructure): boolean {
    const holds = (c: StructureCondition): boolean => {
      switch (c.kind) {
        case "and":
          return c.items.every(holds);
        case "or":
          return c.items.some(holds);
        case "not":
          return !holds(c.item);
        case "implies":
          return !holds(c.left) || holds(c.right);
        case "structureNumber": {
          const number = this.structures(e.structure).indexOf(s);
          return number >= c.from && number < c.to;
        }
        default: {
          const value = s.attributes[c.attribute];
          const values =
            value === undefined
              ? []
              : split(value, this.corpus.separators?.[`${e.structure}.${c.attribute}`]);
          return values.some((v) => this.test(c.value, v, c.order)) !== c.negated;
        }
      }
    };
    return e.condition === undefined || holds(e.condition);
  }

  holds(w: Where | undefined, match: Match): boolean {
    if (!w) return true;
    switch (w.kind) {
      case "and":
        return w.items.every((item) => this.holds(item, match));
      case "or":
        return w.items.some((item) => this.holds(item, match));
      case "not":
        return !this.holds(w.item, match);
      case "implies":
        return !this.holds(w.left, match) || this.holds(w.right, match);
      case "labelBound": {
        const at = place(match, w.label);
        return at !== undefined && this.token({ kind: "bound", edge: w.edge, structure: w.structure }, at);
      }
      case "compare": {
        const left = this.operand(w.left, match);
        const right = this.operand(w.right, match);
        if (left === undefined || right === undefined) return false;
        if (typeof right === "object") {
          const string = String(left);
          if (w.comparison === "=" || w.comparison === "!=")
            return this.test(right, string) === (w.comparison === "=");
          return right.kind === "literal" && inOrder(string, w.comparison, right.string);
        }
        if (typeof left === "number" || typeof right === "number")
          return compare(Number(left), w.comparison, Number(right));
        if (w.comparison === "=" || w.comparison === "!=") return (left === right) === (w.comparison === "=");
        return inOrder(String(left), w.comparison, right);
      }
    }
  }

  operand(o: Operand, match: Match): string | number | Value | undefined {
    switch (o.kind) {
      case "number":
        return o.number;
      case "value":
        return o.value;
      case "distance": {
        const [left, right] = [place(match, o.left), place(match, o.right)];
        if (left === undefined || right === undefined) return undefined;
        return o.absolute ? Math.abs(right - left) : right - left;
      }
      case "labelAttribute": {
        const at = place(match, o.label);
        return at === undefined ? undefined : this.value(o.attribute, at);
      }
      case "labelMeasure": {
        const at = place(match, o.label);
        return at === undefined ? undefined : this.measure(o.measure, o.attribute, at);
      }
    }
  }
}

/** The token that a label stands for: the first of its range; matchend is the last of the match. */
function place(match: Match, label: string): number | undefined {
  if (label === "match") return match.begin;
  if (label === "matchend") return match.end - 1;
  return match.labels[label]?.[0];
}

/** From each start one end, then for each end one start, as the strategy says. */
function choose(matches: Match[], strategy: Strategy): Match[] {
  if (strategy === "all") return matches;
  const byStart = new Map<number, Match>();
  for (const match of matches) {
    const other = byStart.get(match.begin);
    if (!other || (strategy === "longest" ? match.end > other.end : match.end < other.end))
      byStart.set(match.begin, match);
  }
  if (strategy === "traditional") return [...byStart.values()];
  const byEnd = new Map<number, Match>();
  for (const match of byStart.values()) {
    const other = byEnd.get(match.end);
    if (!other || (strategy === "shortest" ? match.begin > other.begin : match.begin < other.begin))
      byEnd.set(match.end, match);
  }
  return [...byEnd.values()];
}

function isSetOperation(e: Expression): boolean {
  return ["meet", "union", "tab", "complement", "edge"].includes(e.kind);
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

function fits(value: Exclude<Value, { kind: "list" }>, string: string): boolean {
  const fold = (text: string) =>
    value.ignoreDiacritics ? text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC") : text;
  if (value.kind === "literal") {
    const same = (text: string) => (value.ignoreCase ? fold(text).toLowerCase() : fold(text));
    return same(string) === same(value.string);
  }
  const inline = /^\(\?i\)/.test(value.pattern);
  const pattern = inline ? value.pattern.slice(4) : value.pattern;
  return new RegExp(`^(?:${fold(pattern)})$`, inline || value.ignoreCase ? "siu" : "su").test(fold(string));
}

function split(value: string, separator: string | undefined): string[] {
  if (separator === undefined || !value.includes(separator)) return [value];
  return distinct(value.split(separator).filter((part) => part !== ""));
}

function inOrder(left: string, order: string, right: string): boolean {
  const whole = /^[+-]?\d+$/;
  if (whole.test(left) && whole.test(right)) return compare(Number(left), order, Number(right));
  const byBytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
  return compare(byBytes, order, 0);
}

function compare(left: number, comparison: string, right: number): boolean {
  switch (comparison) {
    case "=":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

function distinct<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
