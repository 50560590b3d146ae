/**
 * One relation in one part of a segment: its matches that begin there, as a run of sorted rows (rows.ts).
 *
 *   row = head, relation, collocate, position of the head, position of the collocate, position of label 3 + 1 (0: it does not count)
 *
 * Relations are numbers of the block's own `names`, in the order of the grammar and then of their bytes; collocates are numbers of heads
 * or, from their number on, of the block's own `strings`, in the order of their bytes.
 */
import { type Attribute, DugongError, type Snapshot } from "../../storage/index.js";
import type { Query } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import { limits as planLimits } from "../plan/limits.js";
import { binderOf } from "./bind.js";
import type { Place, Relation, SketchGrammar } from "./grammar.js";
import type { Heads } from "./heads.js";
import { limits } from "./limits.js";
import { Rows, RunWriter, sorted } from "./rows.js";
import { filled, partsOf, type Template, type TemplatePart } from "./template.js";

export interface BlockNames {
  /** Names of relations, and the place of their heading in the grammar: twice its number, and 1 more for the second name. */
  names: { order: number; name: string }[];
  strings: string[];
}

/** A grammar's query with what the grammar says for all of them. */
export function queryOf({ structure, defaultAttribute }: SketchGrammar, query: Query): Query {
  const own = defaultAttribute === undefined ? query : withDefault(query, defaultAttribute);
  if (structure === undefined) return own;
  const within = {
    kind: "within" as const,
    negated: false,
    scope: { kind: "structures" as const, structure, count: 1 },
  };
  return { ...own, filters: [...own.filters, within] };
}

function withDefault<Node>(node: Node, attribute: string): Node {
  if (Array.isArray(node)) return node.map((item) => withDefault(item, attribute)) as Node;
  if (!node || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "attribute" && value === "" ? attribute : withDefault(value, attribute),
    ]),
  ) as Node;
}

/** Says by line and column of the grammar what of it this corpus does not have. */
export function checkGrammar(snapshot: Snapshot, grammar: SketchGrammar, file: string): void {
  const problems: string[] = [];
  const say = ({ line, column }: Place, message: string, hint?: string) => {
    if (problems.length < limits.diagnosticsMax)
      problems.push(`${file}:${line}:${column}: ${message}${hint ? ` (${hint.replace(/\.$/, "")})` : ""}`);
  };
  /** What it says of itself where it fails; `placeOf`: where that is. */
  const check = (work: () => void, placeOf: (offset: number) => Place) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof DugongError)) throw error;
      say(placeOf((error as QueryError).span?.[0] ?? 0), error.message, error.hint);
    }
  };
  const { structure, defaultAttribute, structurePlace, attributePlace } = grammar;
  if (structure !== undefined)
    check(
      () => snapshot.structure(structure),
      () => structurePlace!,
    );
  if (defaultAttribute !== undefined)
    check(
      () => snapshot.attribute(defaultAttribute),
      () => attributePlace!,
    );
  // What is wrong with these is wrong with every query.
  const isSound = problems.length === 0;
  for (const relation of grammar.relations) {
    for (const { label, attribute } of templatesOf(relation).flatMap(partsOf)) {
      if (!["1", "2", "3"].includes(label))
        say(relation.place, `a name is put together from labels 1, 2 and 3, not from ${label}`);
      else
        check(
          () => snapshot.attribute(attribute),
          () => relation.place,
        );
    }
    for (const { query, placeOf } of isSound ? relation.queries : [])
      check(() => binderOf(snapshot, queryOf(grammar, query)).close(), placeOf);
  }
  if (problems.length > 0) throw new QueryError("bad_sketch_grammar", problems.join("\n"));
}

function templatesOf({ template, reverse, collocate }: Relation): Template[] {
  return [template, ...(reverse ? [reverse.template] : []), ...(collocate ? [collocate] : [])];
}

export interface RelationTask {
  relation: number;
  /** Matches that begin in [from, to). */
  from: number;
  to: number;
  /** Only rows whose head stands there or behind. */
  keepFrom: number;
  path: string;
  /** With so many in memory, rows are put away. */
  rowsMax?: number;
}

export const rowWidth = 6;

export function computeTask(
  snapshot: Snapshot,
  heads: Heads,
  grammar: SketchGrammar,
  task: RelationTask,
): void {
  const run = new RunWriter<BlockNames>(task.path, rowWidth);
  try {
    new Task(snapshot, heads, grammar, task, run).run();
    run.finish();
  } catch (error) {
    run.abandon();
    throw error;
  }
}

class Task {
  readonly #rows = new Rows(rowWidth);
  #names: BlockNames["names"] = [];
  #strings: string[] = [];
  readonly #nameNumbers = new Map<string, number>();
  readonly #stringNumbers = new Map<string, number>();
  readonly #relation: Relation;
  readonly #number: number;
  readonly #heads: Uint32Array;
  readonly #counts3: boolean;
  readonly #rowsMax: number;
  readonly #values = new Map<string, { attribute: Attribute; strings: Map<number, string> }>();
  readonly #id = new Uint32Array(1);

  constructor(
    readonly snapshot: Snapshot,
    readonly heads: Heads,
    readonly grammar: SketchGrammar,
    readonly task: RelationTask,
    readonly writer: RunWriter<BlockNames>,
  ) {
    this.#number = task.relation;
    this.#rowsMax = task.rowsMax ?? limits.taskRowsMax;
    this.#relation = grammar.relations[task.relation];
    this.#heads = heads.read(task.from, task.to);
    this.#counts3 =
      this.#relation.kind === "trinary" ||
      templatesOf(this.#relation).some((template) => partsOf(template).some(({ label }) => label === "3"));
  }

  run(): void {
    const { from: first, to: end } = this.task;
    for (const { query } of this.#relation.queries) {
      const binder = binderOf(this.snapshot, queryOf(this.grammar, query));
      try {
        for (let from = first; from < end; from += planLimits.windowTokens) {
          const to = Math.min(end, from + planLimits.windowTokens);
          binder.bind(from, to, (one, two, three) => this.#take(one, two, three));
        }
      } finally {
        binder.close();
      }
    }
    this.#spill();
  }

  /** What there is becomes a block, in numbers of its own. */
  #spill(): void {
    const { columns, count } = this.#rows;
    const headCount = this.heads.count;
    const names = inOrder(
      this.#names,
      ({ name }) => name,
      ({ order }) => order,
    );
    const strings = inOrder(this.#strings, (text) => text);
    const [, relations, words] = columns;
    for (let i = 0; i < count; i++) {
      relations[i] = names.places[relations[i]];
      if (words[i] >= headCount) words[i] = headCount + strings.places[words[i] - headCount];
    }
    const block = sorted(
      columns.map((column) => column.subarray(0, count)),
      count,
    );
    this.writer.add(block.columns, block.count, { names: names.items, strings: strings.items });
    this.#rows.count = 0;
    this.#names = [];
    this.#strings = [];
    this.#nameNumbers.clear();
    this.#stringNumbers.clear();
  }

  #take(one: number, two: number, three: number): void {
    const { kind, template, reverse, collocate } = this.#relation;
    const { tokens } = this.snapshot;
    if (one < 0 || one >= tokens) return;
    if (kind !== "unary" && (two < 0 || two >= tokens)) return;
    if (kind === "trinary" && (three < 0 || three >= tokens)) return;
    const tuple = [one, two, three];
    const third = this.#counts3 && three >= 0 ? three + 1 : 0;
    const own =
      kind === "unary"
        ? this.#string("")
        : collocate
          ? this.#string(this.#fill(collocate, tuple))
          : this.#head(two);
    this.#add(
      this.#head(one),
      this.#name(this.#number * 2, template, tuple),
      own,
      one,
      kind === "unary" ? one : two,
      third,
    );
    // Names and strings are the block's: whole matches go into one.
    if (reverse) this.#takeReverse(reverse, tuple, third);
    if (this.#rows.count >= this.#rowsMax) this.#spill();
  }

  #takeReverse(reverse: NonNullable<Relation["reverse"]>, tuple: number[], third: number): void {
    const [one, two] = tuple;
    const order = reverse.name === this.#relation.name ? this.#number * 2 : this.#number * 2 + 1;
    this.#add(this.#head(two), this.#name(order, reverse.template, tuple), this.#head(one), two, one, third);
  }

  #add(head: number, relation: number, collocate: number, at: number, other: number, third: number): void {
    if (at < this.task.keepFrom) return;
    const row = this.#rows.next();
    const [a, b, c, d, e, f] = this.#rows.columns;
    a[row] = head;
    b[row] = relation;
    c[row] = collocate;
    d[row] = at;
    e[row] = other;
    f[row] = third;
  }

  #head(position: number): number {
    const { from, to } = this.task;
    if (position >= from && position < to) return this.#heads[position - from];
    return this.heads.read(position, position + 1)[0];
  }

  #string(text: string): number {
    let number = this.#stringNumbers.get(text);
    if (number === undefined) {
      number = this.#strings.push(text) - 1;
      this.#stringNumbers.set(text, number);
    }
    return this.heads.count + number;
  }

  #name(order: number, template: Template, tuple: number[]): number {
    const name = this.#fill(template, tuple);
    const key = `${order} ${name}`;
    let number = this.#nameNumbers.get(key);
    if (number === undefined) {
      number = this.#names.push({ order, name }) - 1;
      this.#nameNumbers.set(key, number);
    }
    return number;
  }

  #fill(template: Template, tuple: number[]): string {
    if (template.length === 1 && typeof template[0] === "string") return template[0];
    return filled(template, (part) => this.#value(part, tuple));
  }

  #value({ label, attribute: name }: TemplatePart, tuple: number[]): string {
    const position = tuple[Number(label) - 1];
    if (position < 0 || position >= this.snapshot.tokens) return "";
    let known = this.#values.get(name);
    if (!known) {
      known = { attribute: this.snapshot.attribute(name), strings: new Map() };
      this.#values.set(name, known);
    }
    this.snapshot.ids(known.attribute, position, 1, this.#id);
    let text = known.strings.get(this.#id[0]);
    if (text === undefined) {
      text = known.attribute.lexicon.string(this.#id[0]);
      known.strings.set(this.#id[0], text);
    }
    return text;
  }
}

/** In the order of their bytes (of the places in the grammar first), and where each has come to stand. */
function inOrder<Item>(list: Item[], text: (item: Item) => string, order: (item: Item) => number = () => 0) {
  const keyed = list.map((item, from) => ({
    item,
    from,
    order: order(item),
    bytes: Buffer.from(text(item)),
  }));
  keyed.sort((a, b) => a.order - b.order || Buffer.compare(a.bytes, b.bytes));
  const places = new Uint32Array(list.length);
  keyed.forEach(({ from }, to) => {
    places[from] = to;
  });
  return { items: keyed.map(({ item }) => item), places };
}
