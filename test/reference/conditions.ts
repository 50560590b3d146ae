/** Conditions on tokens, on structures and across labels, over plain arrays. */
import type { Condition, Operand, StructureCondition, Value, Where } from "../../ql/cql/ast.js";
import { compare, fitter, inOrder, integer, split } from "./values.js";

export interface NaiveStructure {
  begin: number;
  end: number;
  attributes: Record<string, string | undefined>;
}

export interface NaiveCorpus {
  /** Values by attribute and position. */
  attributes: Record<string, string[]>;
  defaultAttribute: string;
  /** In the order of opening. */
  structures: Record<string, NaiveStructure[]>;
  /** Separators of multi-value attributes, of tokens ("feats") and structures ("doc.subject"). */
  separators?: Record<string, string>;
  lists?: Record<string, string[]>;
  /** Other corpora, and which ranges of this one belong to which of theirs. */
  aligned?: Record<string, { corpus: NaiveCorpus; beads: NaiveBead[] }>;
}

/** Ranges that belong together: all on one side with all on the other. */
export interface NaiveBead {
  here: { begin: number; end: number }[];
  there: { begin: number; end: number }[];
}

export interface Match {
  begin: number;
  end: number;
  labels: Record<string, [begin: number, end: number]>;
}

export class Conditions {
  readonly size: number;

  constructor(readonly corpus: NaiveCorpus) {
    this.size = Object.values(corpus.attributes)[0].length;
  }

  structures(name: string): NaiveStructure[] {
    return this.corpus.structures[name] ?? [];
  }

  // ---- one token

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
            ? values.some((value) => this.test(c.value, value))
            : values.every((value) => this.test(c.value, value));
        return holds !== c.negated;
      }
      case "position":
        return at >= c.from && at < c.to;
      case "measure":
        return compare(this.measure(c.measure.measure, c.measure.attribute, at), c.comparison, c.number);
      case "sameToken":
        return same(this.value(c.left, at), this.value(c.right, at)) === (c.comparison === "=");
      case "bound":
        return this.atEdge(c.edge, c.structure, at);
      default:
        throw new Error(`no naive meaning of ${c.kind}`);
    }
  }

  /** Is it the first or last token of a structure? */
  atEdge(edge: "start" | "end", structure: string, at: number): boolean {
    return this.once(`${edge} token ${structure}`, () => {
      const filled = this.structures(structure).filter((s) => s.end > s.begin);
      return new Set(filled.map((s) => (edge === "start" ? s.begin : s.end - 1)));
    }).has(at);
  }

  /**
   * The value of an attribute of the token at a position, or of the innermost structure around it; undefined where
   * there is none.
   */
  value(attribute: string, at: number, structural = false): string | undefined {
    const place = this.place(attribute, structural);
    if (place.structure === undefined) return this.corpus.attributes[place.attribute][at];
    return this.innermost(place.structure)[at]?.attributes[place.attribute];
  }

  /** Its single values, if it is multi-value. */
  values(attribute: string, at: number, structural = false): string[] {
    const place = this.place(attribute, structural);
    const value = this.value(attribute, at, structural);
    const key = place.structure === undefined ? place.attribute : `${place.structure}.${place.attribute}`;
    return value === undefined ? [] : split(value, this.corpus.separators?.[key]);
  }

  /** Whose attribute a name means: a token's, or else a structure's, split at the first "_" that leaves one's name. */
  place(attribute: string, structural: boolean): { structure?: string; attribute: string } {
    return this.once(`place ${structural} ${attribute}`, () => {
      const name = attribute === "" ? this.corpus.defaultAttribute : attribute;
      if (!structural && this.corpus.attributes[name]) return { attribute: name };
      for (let cut = name.indexOf("_"); cut > 0; cut = name.indexOf("_", cut + 1)) {
        if (!this.corpus.structures[name.slice(0, cut)]) continue;
        return { structure: name.slice(0, cut), attribute: name.slice(cut + 1) };
      }
      throw new Error(`nothing has an attribute ${name}`);
    });
  }

  /** By position, the structure that was opened last among those around it. */
  innermost(name: string): (NaiveStructure | undefined)[] {
    return this.once(`innermost ${name}`, () => {
      const around: (NaiveStructure | undefined)[] = [];
      for (const s of this.structures(name)) for (let at = s.begin; at < s.end; at++) around[at] = s;
      return around;
    });
  }

  test(value: Value, string: string, order?: string): boolean {
    if (value.kind === "list") return (this.corpus.lists?.[value.name] ?? []).includes(string);
    if (order && value.kind === "literal") return inOrder(string, order, value.string);
    return this.once(value, () => fitter(value))(string);
  }

  measure(measure: "f" | "strlen" | "int", attribute: string, at: number): number | bigint {
    const value = this.value(attribute, at);
    if (value === undefined) return Number.NaN;
    if (measure === "strlen") return [...value].length;
    if (measure === "int") return integer(value);
    return this.frequencies(attribute).get(value) ?? 0;
  }

  frequencies(attribute: string): Map<string, number> {
    return this.once(`frequencies ${attribute}`, () => {
      const counts = new Map<string, number>();
      for (let at = 0; at < this.size; at++) {
        const value = this.value(attribute, at);
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return counts;
    });
  }

  // ---- a structure

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
          const separator = this.corpus.separators?.[`${e.structure}.${c.attribute}`];
          const values = value === undefined ? [] : split(value, separator);
          return values.some((v) => this.test(c.value, v, c.order)) !== c.negated;
        }
      }
    };
    return e.condition === undefined || holds(e.condition);
  }

  // ---- across labels

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
        const at = placeOf(match, w.label);
        return at !== undefined && this.atEdge(w.edge, w.structure, at);
      }
      case "compare":
        return this.compared(w.left, w.comparison, w.right, match);
    }
  }

  /** No comparison holds of a label that nothing is bound to, != as little as the others. */
  compared(left: Operand, comparison: string, right: Operand, match: Match): boolean {
    if ([left, right].some((operand) => labelsIn(operand).some((l) => placeOf(match, l) === undefined)))
      return false;
    if (right.kind === "value") {
      const { value } = right;
      const strings = this.strings(left, match);
      if (comparison === "=") return strings.some((string) => this.test(value, string));
      if (comparison === "!=") return !strings.some((string) => this.test(value, string));
      return strings.some((string) => this.test(value, string, comparison));
    }
    const [a, b] = [this.operand(left, match), this.operand(right, match)];
    if (isNumber(a) || isNumber(b)) return compare(number(a), comparison, number(b));
    if (comparison === "=" || comparison === "!=") return same(a, b) === (comparison === "=");
    return a !== undefined && b !== undefined && inOrder(a, comparison, b);
  }

  /** What is compared with a pattern: of a multi-value attribute, any of its values. */
  strings(o: Operand, match: Match): string[] {
    if (o.kind === "labelAttribute") return this.values(o.attribute, placeOf(match, o.label) as number);
    return [String(this.operand(o, match))];
  }

  operand(o: Operand, match: Match): string | number | bigint | undefined {
    const at = (label: string) => placeOf(match, label) as number;
    switch (o.kind) {
      case "number":
        return o.number;
      case "distance":
        return o.absolute ? Math.abs(at(o.right) - at(o.left)) : at(o.right) - at(o.left);
      case "labelAttribute":
        return this.value(o.attribute, at(o.label));
      case "labelMeasure":
        return this.measure(o.measure, o.attribute, at(o.label));
      case "value":
        throw new Error("a value stands only on the right");
    }
  }

  readonly #known = new Map<unknown, unknown>();

  /** What is computed once for a key: a node of the query, or words. */
  once<Result>(key: unknown, compute: () => Result): Result {
    if (!this.#known.has(key)) this.#known.set(key, compute());
    return this.#known.get(key) as Result;
  }
}

function labelsIn(o: Operand): string[] {
  if (o.kind === "distance") return [o.left, o.right];
  return "label" in o ? [o.label] : [];
}

/** The token that a label stands for: the first of its range; matchend is the last of the match. */
function placeOf(match: Match, label: string): number | undefined {
  if (label === "match") return match.begin;
  if (label === "matchend") return match.end - 1;
  return match.labels[label]?.[0];
}

function isNumber(value: string | number | bigint | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function number(value: string | number | bigint | undefined): number | bigint {
  return isNumber(value) ? value : integer(value ?? "");
}

/** A value that is missing is equal to nothing. */
function same(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}
