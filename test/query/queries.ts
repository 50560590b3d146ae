/**
 * Queries at random for the corpora of corpora.ts: every kind of expression, condition and clause, about values and
 * structures that are there, and loose enough that many of them find something.
 *
 * Left out is what needs more than a corpus (thesaurus, sketches, parallel corpora), and ends of edges and items of a
 * TAB that are not tokens.
 */
import fc from "fast-check";
import type {
  AttributeTest,
  Boundary,
  Condition,
  Edge,
  Expression,
  Filter,
  Operand,
  Order,
  Query,
  Strategy,
  StructureCondition,
  Tab,
  TokenTest,
  Value,
  Where,
} from "../../ql/cql/ast.js";
import { labelsOf } from "../../ql/cql/labels.js";
import { lists, structures, values } from "./corpora.js";

export interface RandomQuery {
  query: Query;
  /** Given with the query, where its text says none. */
  strategy?: Strategy;
  gapMax?: number;
}

/** How often, and what. */
type Choice<Some> = [weight: number, arbitrary: fc.Arbitrary<Some>];

function choose<Some>(...choices: Choice<Some>[]): fc.Arbitrary<Some> {
  return fc.oneof(
    { withCrossShrink: true },
    ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  );
}

const one = <Some>(...items: Some[]) => fc.constantFrom(...items);
/** Once in so many times. */
const some = <Some>(arbitrary: fc.Arbitrary<Some>, times: number) =>
  choose<Some | undefined>([times - 1, fc.constant(undefined)], [1, arbitrary]);
/** More often than not. */
const often = <Some>(arbitrary: fc.Arbitrary<Some>) =>
  choose<Some | undefined>([1, fc.constant(undefined)], [2, arbitrary]);
const rarely = fc.integer({ min: 0, max: 3 }).map((dice) => dice === 3);
const small = (max: number) => fc.integer({ min: 0, max });

function without<Some extends object>(node: Some): Some {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)) as Some;
}

// ---- values

const patterns: Record<string, string[]> = {
  word: ["a", "a|b", ".", "[ab]", ".*", "[^a]", "(?i)a", "x\\.y", "a|c|é", "\\w", "(a|b)?", "zzz"],
  lc: ["a", "[ab]", "a|e", ".*", "x.y"],
  tag: ["N", "N|V", "[^N]", ".", ".*", "D"],
  feats: ["p", "q", "p|q", "[pr]", ".*", ".", "p\\|q"],
  head: ["1", "-.*", "0", "-?[12]", "\\d+"],
  deprel: ["obj", "obj.*", "subj|root", ".*", "obj:x"],
  "doc.id": ["d1", "d[12]", ".*"],
  "doc.year": ["19.*", "1990", ".*", "[^2].*"],
  "doc.topic": ["a", "b", "a|c", ".*", "a;b"],
  "s.type": ["t", "u", "t|u", ".*"],
};

function flagged<Some extends Value>(value: fc.Arbitrary<Some>): fc.Arbitrary<Some> {
  const flag = some(fc.constant(true as const), 6);
  return fc
    .tuple(value, flag, flag)
    .map(([value, ignoreCase, ignoreDiacritics]) => without({ ...value, ignoreCase, ignoreDiacritics }));
}

const stringsOf = (of: string) => values[(of === "lc" ? "word" : of) as keyof typeof values];

function literalOf(of: string): fc.Arbitrary<Value> {
  return flagged(one(...stringsOf(of), "zzz").map((string): Value => ({ kind: "literal", string })));
}

function anyValue(of: string): fc.Arbitrary<Value> {
  return choose<Value>(
    [6, flagged(one(...patterns[of]).map((pattern): Value => ({ kind: "pattern", pattern })))],
    [3, literalOf(of)],
    [1, one(...Object.keys(lists)).map((name): Value => ({ kind: "list", name }))],
  );
}

const order = one<Order>("<", "<=", ">", ">=");
const comparison = choose<"=" | "!=" | Order>([1, one("=" as const, "!=" as const)], [1, order]);

/** = or != a value, or in order with a plain string. */
function comparedWith(of: string): fc.Arbitrary<{ negated: boolean; order?: Order; value: Value }> {
  const plain = one(...stringsOf(of), "1991").map((string): Value => ({ kind: "literal", string }));
  return choose<{ negated: boolean; order?: Order; value: Value }>(
    [6, fc.record({ negated: rarely, value: anyValue(of) })],
    [1, fc.record({ negated: rarely, order, value: plain })],
  );
}

// ---- conditions

/** Any condition of such tests, of up to three levels. */
function logical<Test extends { kind: string }>(test: fc.Arbitrary<Test>): fc.Arbitrary<never> {
  return fc.letrec<{ condition: { kind: string } }>((tie) => {
    const inner = tie("condition");
    const items = fc.array(inner, { minLength: 2, maxLength: 3 });
    return {
      condition: fc.oneof(
        { maxDepth: 2, depthSize: "small", withCrossShrink: true },
        { weight: 12, arbitrary: test },
        { weight: 2, arbitrary: items.map((items) => ({ kind: "and", items })) },
        { weight: 2, arbitrary: items.map((items) => ({ kind: "or", items })) },
        { weight: 1, arbitrary: inner.map((item) => ({ kind: "not", item })) },
        {
          weight: 1,
          arbitrary: fc.tuple(inner, inner).map(([left, right]) => ({ kind: "implies", left, right })),
        },
      ),
    };
  }).condition as fc.Arbitrary<never>;
}

const attributes = ["word", "tag", "feats", "lc", "head", "deprel"];
const attribute = one("word", "word", "tag", "tag", "feats", "lc", "head", "deprel");
const structureAttributes = Object.entries(structures).flatMap(([name, own]) =>
  own.map((attribute) => ({ name, attribute, of: `${name}.${attribute}` })),
);
const structure = one(...Object.keys(structures), "s");
const edge = one("start" as const, "end" as const);

const attributeTest = choose([1, fc.constant("")], [4, attribute]).chain((attribute) =>
  comparedWith(attribute === "" ? "word" : attribute).map(
    (compared): AttributeTest => ({ kind: "attribute", attribute, ...compared }),
  ),
);
const structuralTest = fc
  .tuple(one(...structureAttributes), fc.boolean())
  .chain(([{ name, attribute, of }, structural]) =>
    comparedWith(of).map(
      (compared): AttributeTest =>
        without({
          kind: "attribute",
          attribute: `${name}_${attribute}`,
          structural: structural || undefined,
          ...compared,
        }),
    ),
  );
const numbered = fc.tuple(small(30), small(12)).map(([from, more]) => ({ from, to: from + 1 + more }));
const measure = choose<{ measure: "f" | "strlen" | "int"; attribute: string }>(
  [2, fc.record({ measure: fc.constant("f" as const), attribute: one(...attributes) })],
  [1, fc.record({ measure: fc.constant("strlen" as const), attribute: one(...attributes) })],
  [1, fc.record({ measure: fc.constant("int" as const), attribute: one("head", "head", "word") })],
);

const tokenTest = choose<TokenTest>(
  [12, attributeTest],
  [2, structuralTest],
  [
    1,
    fc.record({
      kind: fc.constant("set" as const),
      attribute: fc.constant("feats"),
      operator: one("contains" as const, "matches" as const),
      negated: rarely,
      value: anyValue("feats"),
    }),
  ],
  [1, numbered.map((range) => ({ kind: "position" as const, ...range }))],
  [
    1,
    fc.record({
      kind: fc.constant("measure" as const),
      measure,
      comparison,
      number: fc.integer({ min: -2, max: 6 }),
    }),
  ],
  [
    1,
    fc.record({
      kind: fc.constant("sameToken" as const),
      left: one("word", "lc", "feats", "tag"),
      right: one("word", "lc", "feats"),
      comparison: one("=" as const, "!=" as const),
    }),
  ],
  [1, fc.record({ kind: fc.constant("bound" as const), edge, structure })],
);
const condition: fc.Arbitrary<Condition> = logical(tokenTest);

const tag = structure.chain((name) => {
  const numbers = fc
    .tuple(small(3), small(3))
    .map(([from, more]) => ({ kind: "structureNumber" as const, from, to: from + 1 + more }));
  const tests = structures[name].map((attribute) =>
    comparedWith(`${name}.${attribute}`).map((compared) => ({
      kind: "structureAttribute" as const,
      attribute,
      ...compared,
    })),
  );
  const test = fc.oneof(...tests, numbers) as fc.Arbitrary<{ kind: string }>;
  const condition: fc.Arbitrary<StructureCondition> = logical(test);
  return some(condition, 3).map((condition) => without({ structure: name, condition }));
});

// ---- conditions across labels

function across(bound: string[]): fc.Arbitrary<Where> {
  const label = one("match", "matchend", ...bound, ...bound);
  const left: fc.Arbitrary<Operand> = choose<Operand>(
    [
      4,
      fc.record({
        kind: fc.constant("labelAttribute" as const),
        label,
        attribute: one(...attributes, "doc_year", "doc_topic", "s_type"),
      }),
    ],
    [
      1,
      fc
        .tuple(label, measure)
        .map(([label, measure]) => ({ kind: "labelMeasure" as const, label, ...measure })),
    ],
    [
      2,
      fc.record({
        kind: fc.constant("distance" as const),
        left: label,
        right: label,
        absolute: fc.boolean(),
      }),
    ],
  );
  const right = (operand: Operand): fc.Arbitrary<Operand> => {
    const isText = operand.kind === "labelAttribute";
    const number = fc.integer({ min: -1, max: 3 }).map((number) => ({ kind: "number" as const, number }));
    if (!isText) return choose<Operand>([3, number], [1, left]);
    const name = operand.attribute;
    const same = label.map((label) => ({ kind: "labelAttribute" as const, label, attribute: name }));
    return choose<Operand>([4, same], [1, left], [1, number]);
  };
  const ofValue = left
    .filter(({ kind }) => kind === "labelAttribute")
    .chain((operand) => {
      const name = (operand as { attribute: string }).attribute;
      const of = attributes.includes(name) ? name : name.replace("_", ".");
      const plain = one(...stringsOf(of)).map((string): Value => ({ kind: "literal", string }));
      return choose<{ comparison: "=" | "!=" | Order; value: Value }>(
        [3, fc.record({ comparison: one("=" as const, "!=" as const), value: anyValue(of) })],
        [1, fc.record({ comparison: order, value: plain })],
      ).map(({ comparison, value }) => ({
        kind: "compare" as const,
        left: operand,
        comparison,
        right: { kind: "value" as const, value },
      }));
    });
  const compare = left.chain((operand) =>
    fc.record({
      kind: fc.constant("compare" as const),
      left: fc.constant(operand),
      comparison,
      right: right(operand),
    }),
  );
  const boundOf = fc.record({ kind: fc.constant("labelBound" as const), edge, structure, label });
  return logical(choose<{ kind: string }>([4, compare], [2, ofValue], [1, boundOf]));
}

// ---- expressions

const bounds = (most: number) =>
  fc
    .tuple(small(2), fc.option(small(most), { freq: 2 }))
    .map(([min, more]) => ({ min, max: more === null ? null : min + more }));

const token: fc.Arbitrary<Expression> = often(condition).map((condition) =>
  without({ kind: "token", condition }),
);
const label = one("a", "b", "1", "target");
const named = choose<Expression>(
  [2, token],
  [2, fc.record({ kind: fc.constant("labelled" as const), label, item: token })],
);
const boundary: fc.Arbitrary<Expression> = fc
  .tuple(edge, tag)
  .map(([edge, tag]): Boundary => ({ kind: "boundary", edge, ...tag }));
const tab: fc.Arbitrary<Tab> = fc
  .array(named, { minLength: 2, maxLength: 3 })
  .chain((items) =>
    fc
      .array(bounds(3), { minLength: items.length - 1, maxLength: items.length - 1 })
      .map((gaps): Tab => ({ kind: "tab", items, gaps })),
  );

const { edgeExpression } = fc.letrec<{ edgeExpression: Edge }>((tie) => ({
  edgeExpression: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2, depthSize: "small", withCrossShrink: true },
        { weight: 4, arbitrary: named },
        { weight: 1, arbitrary: tie("edgeExpression") },
      ),
      fc.oneof(
        { maxDepth: 2, depthSize: "small", withCrossShrink: true },
        { weight: 6, arbitrary: named },
        { weight: 1, arbitrary: tie("edgeExpression") },
      ),
      some(one(...patterns.deprel), 2),
      one("one" as const, "any" as const),
      rarely,
    )
    .map(([head, dependant, relation, depth, negated]) =>
      without<Edge>({ kind: "edge", head, dependant, relation, depth, negated }),
    ),
}));

const lookahead = often(condition).map((condition) => without<Expression>({ kind: "lookahead", condition }));
const zeroWidth = choose<Expression>([3, boundary], [1, lookahead]);
const simple = choose<Expression>(
  [10, token],
  [2, boundary],
  [1, tag.map((tag) => ({ kind: "structure" as const, ...tag }))],
  [1, lookahead],
  [1, edgeExpression],
  [1, tab],
);

const { expression, query } = fc.letrec<{ expression: Expression; query: Query }>((tie) => {
  const item = tie("expression");
  const two = fc.array(item, { minLength: 2, maxLength: 3 });
  const signed = fc.integer({ min: -3, max: 3 });
  const window = choose<{ from: number; to: number } | { structure: string }>(
    [3, fc.tuple(signed, small(4)).map(([from, more]) => ({ from, to: from + more }))],
    [1, fc.record({ structure })],
  );
  /** A group that may come down to a boundary, in whatever may be around it, and what stands beside it. */
  const edged = fc
    .record({
      optional: item,
      max: one(1, 1, 2, null),
      edge: zeroWidth,
      edgeFirst: fc.boolean(),
      around: fc.array(one("label", "or", "repeat", "sequence"), { maxLength: 2 }),
      label,
      other: simple,
      bounds: bounds(2),
      beside: item,
      besideFirst: rarely,
    })
    .map((edged): Expression => {
      const { edge, other, label, beside } = edged;
      const optional: Expression = { kind: "repeat", item: edged.optional, min: 0, max: edged.max };
      let group: Expression = {
        kind: "sequence",
        items: edged.edgeFirst ? [edge, optional] : [optional, edge],
      };
      for (const around of edged.around) {
        if (around === "label") group = { kind: "labelled", label, item: group };
        else if (around === "or") group = { kind: "alternation", items: [group, other] };
        else if (around === "repeat") group = { kind: "repeat", item: group, ...edged.bounds };
        else group = { kind: "sequence", items: [group, edge] };
      }
      return { kind: "sequence", items: edged.besideFirst ? [beside, group] : [group, beside] };
    });
  const expression = fc.oneof(
    { maxDepth: 3, depthSize: "small", withCrossShrink: true },
    { weight: 8, arbitrary: simple },
    { weight: 3, arbitrary: edged },
    { weight: 6, arbitrary: two.map((items): Expression => ({ kind: "sequence", items })) },
    { weight: 2, arbitrary: two.map((items): Expression => ({ kind: "alternation", items })) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(item, bounds(3))
        .map(([item, bounds]): Expression => ({ kind: "repeat", item, ...bounds })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(label, item)
        .map(([label, item]): Expression => ({ kind: "labelled", label, item })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(item, item, rarely, window)
        .map(
          ([item, other, negated, window]): Expression => ({ kind: "meet", item, other, negated, window }),
        ),
    },
    { weight: 1, arbitrary: two.map((items): Expression => ({ kind: "union", items })) },
    { weight: 1, arbitrary: item.map((item): Expression => ({ kind: "complement", item })) },
    {
      weight: 1,
      arbitrary: tie("query")
        .filter((query) => Object.keys(query).length > 3 || query.filters.length > 0)
        .map((query): Expression => ({ kind: "filtered", query })),
    },
  );
  const matches = item.map((expression) => ({ kind: "matches" as const, expression }));
  const tokens = small(6).map((count) => ({ kind: "tokens" as const, count }));
  const structureScope = fc
    .tuple(structure, one(1, 1, 2, 0))
    .map(([structure, count]) => ({ kind: "structures" as const, structure, count }));
  const filter = choose<Filter>(
    [
      3,
      fc.record({
        kind: fc.constant("within" as const),
        negated: rarely,
        scope: fc.oneof(matches, tokens, structureScope),
      }),
    ],
    [
      1,
      fc.record({
        kind: fc.constant("containing" as const),
        negated: rarely,
        scope: fc.oneof(matches, tokens),
      }),
    ],
  );
  const expand = fc.record({
    side: one("both" as const, "left" as const, "right" as const),
    structure,
    count: one(1, 1, 2, 0),
  });
  const strategy = one<Strategy>("all", "shortest", "standard", "longest", "traditional");
  const query = item.chain((expression) =>
    fc
      .record({
        strategy: some(strategy, 8),
        where: some(across([...labelsOf(expression)]), labelsOf(expression).size > 0 ? 2 : 8),
        filters: choose<Filter[]>([4, fc.constant([])], [2, fc.array(filter, { maxLength: 2 })]),
        expand: some(expand, 12),
        cut: some(small(4), 16),
      })
      .map((rest): Query => without({ kind: "query", expression, ...rest })),
  );
  return { expression, query };
});

export { expression as randomExpression };

export const randomQuery: fc.Arbitrary<RandomQuery> = fc
  .record({
    query,
    strategy: choose<Strategy | undefined>(
      [1, fc.constant(undefined)],
      [2, one<Strategy>("all", "shortest", "standard", "longest", "traditional")],
    ),
    gapMax: one(undefined, 2, 3, 5, 100),
  })
  .map((random) => without(random));
