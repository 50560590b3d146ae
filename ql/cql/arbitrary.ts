/**
 * Queries at random, for property tests: whole syntax trees as `parse` could have made them, without spans.
 *
 * What they are about can be given (names of a real corpus, words that occur in it), and what they must not have.
 */
import fc from "fast-check";
import type {
  AttributeTest,
  Condition,
  Expression,
  Filter,
  Operand,
  Order,
  Query,
  Strategy,
  StructureCondition,
  TokenTest,
  Value,
  Where,
} from "./ast.js";
import type { Logical } from "./building.js";
import { labelsOf } from "./labels.js";

/** Parts of the language that can be left out: kinds of expressions and of tests on a token, and parts of a query. */
export type Feature =
  | Exclude<Expression["kind"], "token">
  | Exclude<TokenTest["kind"], "attribute">
  | (
      | "where"
      | "within"
      | "containing"
      | "expand"
      | "cut"
      | "strategy"
      | "corpus"
      | "list"
      | "order"
      | "structural"
    );

export interface QueryArbitraryOptions {
  attributes?: string[];
  /** Names of structures, each with the names of its attributes. */
  structures?: Record<string, string[]>;
  labels?: string[];
  patterns?: fc.Arbitrary<string>;
  literals?: fc.Arbitrary<string>;
  lists?: string[];
  corpora?: string[];
  /** Largest number of a repetition, a gap, a window or a count. */
  numberMax?: number;
  /** Token numbers in [#…] are below this. */
  positionMax?: number;
  without?: Feature[];
  /** How deep expressions and conditions go. */
  depth?: number;
}

/** Names that are hard to read: keywords, functions, other alphabets. */
const hardNames = [
  "word",
  "lemma",
  "within",
  "cut",
  "f",
  "meet",
  "not",
  "TAB",
  "mu",
  "to",
  "größe",
  "語",
  "a_b",
  "k-tag",
];

const piecesOfPatterns = [
  "a",
  "the",
  ".*",
  "\\.",
  "[^a]",
  "\\\\",
  '\\"',
  '"',
  "'",
  "(?i)",
  "|",
  "é",
  "語",
  "😀",
  "\n",
  "<",
  "]",
];
const piecesOfLiterals = ["a", ".", "\\", '"', "'", "%c", "]", "\\\\", "é", "😀", " "];

const joined = (pieces: string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((chosen) => chosen.join(""));

export function queryArbitrary(options: QueryArbitraryOptions = {}): fc.Arbitrary<Query> {
  const {
    attributes = hardNames,
    structures = Object.fromEntries(hardNames.map((name) => [name, hardNames])),
    labels = ["1", "2", "a", "target", ...hardNames],
    patterns = joined(piecesOfPatterns),
    literals = joined(piecesOfLiterals),
    lists = hardNames,
    corpora = hardNames,
    numberMax = 5,
    positionMax = 1000,
    without = [],
    depth = 4,
  } = options;
  const has = (feature: Feature) => !without.includes(feature);
  /** What is left of several possibilities; the first is always there. */
  const oneOf = <Some>(first: fc.Arbitrary<Some>, ...others: [Feature, fc.Arbitrary<Some>][]) =>
    fc.oneof(first, ...others.filter(([feature]) => has(feature)).map(([, arbitrary]) => arbitrary));
  const maybe = <Some>(feature: Feature, arbitrary: fc.Arbitrary<Some>) =>
    has(feature) ? fc.option(arbitrary, { nil: undefined, freq: 3 }) : fc.constant(undefined);

  const attribute = fc.constantFrom(...attributes);
  const structure = fc.constantFrom(...Object.keys(structures));
  const label = fc.constantFrom(...labels);
  const number = fc.integer({ min: 0, max: numberMax });
  const signed = fc.integer({ min: -numberMax, max: numberMax });
  const order = fc.constantFrom<Order[]>("<", "<=", ">", ">=");
  const comparison = fc.oneof(fc.constantFrom("=" as const, "!=" as const), order);
  const edge = fc.constantFrom("start" as const, "end" as const);
  const measure = fc.constantFrom("f" as const, "strlen" as const, "int" as const);
  const bounds = fc
    .tuple(number, fc.option(number))
    .map(([min, more]) => ({ min, max: more === null ? null : min + more }));
  const range = fc
    .tuple(fc.integer({ min: 0, max: positionMax - 1 }), number)
    .map(([from, more]) => ({ from, to: from + 1 + more }));

  // ---- values and tests

  const flags = fc.record(
    { ignoreCase: fc.constant(true), ignoreDiacritics: fc.constant(true) },
    { requiredKeys: [] },
  );
  const pattern = fc
    .tuple(patterns, flags)
    .map(([pattern, flags]): Value => ({ kind: "pattern", pattern, ...flags }));
  const literal = fc
    .tuple(literals, flags)
    .map(([string, flags]): Value => ({ kind: "literal", string, ...flags }));
  const limit = literals.map((string): Value => ({ kind: "literal", string }));
  const list = fc.constantFrom(...lists).map((name): Value => ({ kind: "list", name }));
  const value = oneOf(fc.oneof(pattern, literal), ["list", list]);

  const equal = fc.record({ negated: fc.boolean(), value });
  const ordered = fc.record({ negated: fc.boolean(), order, value: limit });
  const compared = oneOf<{ negated: boolean; order?: Order; value: Value }>(equal, ["order", ordered]);

  const attributeTest = fc
    .tuple(fc.oneof(attribute, fc.constant("")), compared)
    .map(([attribute, compared]): AttributeTest => ({ kind: "attribute", attribute, ...compared }));
  const structuralTest = fc
    .tuple(
      structure.chain((name) => fc.constantFrom(...structures[name]).map((of) => `${name}_${of}`)),
      compared,
    )
    .map(
      ([attribute, compared]): AttributeTest => ({
        kind: "attribute",
        attribute,
        structural: true,
        ...compared,
      }),
    );
  const tokenTest = oneOf<TokenTest>(
    attributeTest,
    ["structural", structuralTest],
    [
      "set",
      fc.record({
        kind: fc.constant("set"),
        attribute,
        operator: fc.constantFrom("contains" as const, "matches" as const),
        negated: fc.boolean(),
        value,
      }),
    ],
    ["position", range.map((range) => ({ kind: "position", ...range }))],
    [
      "measure",
      fc.record({
        kind: fc.constant("measure"),
        measure: fc.record({ measure, attribute }),
        comparison,
        number: fc.oneof(
          signed,
          signed.map((whole) => whole + 0.5),
        ),
      }),
    ],
    [
      "sameToken",
      fc.record({
        kind: fc.constant("sameToken"),
        left: attribute,
        right: attribute,
        comparison: fc.constantFrom("=" as const, "!=" as const),
      }),
    ],
    ["bound", fc.record({ kind: fc.constant("bound"), edge, structure })],
    [
      "sketch",
      fc.record({ kind: fc.constant("sketch"), head: literals, relation: literals, collocate: literals }),
    ],
  );

  /** Any condition of such tests. */
  const logical = <Test extends object>(test: fc.Arbitrary<Test>): fc.Arbitrary<Logical<Test>> =>
    fc.letrec<{ condition: Logical<Test> }>((tie) => {
      const condition = tie("condition");
      const items = fc.array(condition, { minLength: 2, maxLength: 3 });
      return {
        condition: fc.oneof(
          { maxDepth: depth, depthSize: "small" },
          test,
          fc.record({ kind: fc.constant("and" as const), items }),
          fc.record({ kind: fc.constant("or" as const), items }),
          fc.record({ kind: fc.constant("not" as const), item: condition }),
          fc.record({ kind: fc.constant("implies" as const), left: condition, right: condition }),
        ),
      };
    }).condition;
  const condition: fc.Arbitrary<Condition> = logical<TokenTest>(tokenTest);

  const ofStructure = (name: string): fc.Arbitrary<StructureCondition> => {
    const test = fc
      .tuple(fc.constantFrom(...structures[name]), compared)
      .map(([attribute, compared]) => ({ kind: "structureAttribute" as const, attribute, ...compared }));
    const numbered = range.map((range) => ({ kind: "structureNumber" as const, ...range }));
    return logical(structures[name].length > 0 ? fc.oneof(test, numbered) : numbered);
  };
  const tag = structure.chain((name) =>
    fc.record(
      { structure: fc.constant(name), condition: ofStructure(name) },
      { requiredKeys: ["structure"] },
    ),
  );

  // ---- conditions across labels

  const across = (bound: string[]): fc.Arbitrary<Where> => {
    const label = fc.constantFrom("match", "matchend", ...bound);
    const reference = { label, attribute };
    const left: fc.Arbitrary<Operand> = fc.oneof(
      fc.record({ kind: fc.constant("labelAttribute" as const), ...reference }),
      fc.record({ kind: fc.constant("labelMeasure" as const), measure, ...reference }),
      fc.record({
        kind: fc.constant("distance" as const),
        left: label,
        right: label,
        absolute: fc.boolean(),
      }),
      fc.record({ kind: fc.constant("number" as const), number: signed }),
    );
    const withValue = (value: fc.Arbitrary<Value>): fc.Arbitrary<Operand> =>
      fc.oneof(left, fc.record({ kind: fc.constant("value" as const), value }));
    const kind = fc.constant("compare" as const);
    return logical(
      fc.oneof(
        fc.record({
          kind,
          left,
          comparison: fc.constantFrom("=" as const, "!=" as const),
          right: withValue(value),
        }),
        fc.record({ kind, left, comparison: order, right: withValue(limit) }),
        fc.record({ kind: fc.constant("labelBound" as const), edge, structure, label }),
      ),
    );
  };

  // ---- expressions and queries

  return fc.letrec<{ expression: Expression; query: Query }>((tie) => {
    const item = tie("expression");
    const items = fc.array(item, { minLength: 2, maxLength: 3 });
    const token = fc.record({ kind: fc.constant("token" as const), condition }, { requiredKeys: ["kind"] });
    const lookahead = fc.record(
      { kind: fc.constant("lookahead" as const), condition },
      { requiredKeys: ["kind"] },
    );
    const relation = patterns;
    const compound: [Feature, fc.Arbitrary<Expression>][] = [
      ["sequence", fc.record({ kind: fc.constant("sequence"), items })],
      ["alternation", fc.record({ kind: fc.constant("alternation"), items })],
      ["repeat", fc.tuple(item, bounds).map(([item, bounds]) => ({ kind: "repeat", item, ...bounds }))],
      ["labelled", fc.record({ kind: fc.constant("labelled"), label, item })],
      [
        "meet",
        fc.record({
          kind: fc.constant("meet"),
          item,
          other: item,
          negated: fc.boolean(),
          window: fc.oneof(fc.record({ from: signed, to: signed }), fc.record({ structure })),
        }),
      ],
      ["union", fc.record({ kind: fc.constant("union"), items })],
      [
        "tab",
        items.chain((items) =>
          fc
            .array(bounds, { minLength: items.length - 1, maxLength: items.length - 1 })
            .map((gaps) => ({ kind: "tab", items, gaps })),
        ),
      ],
      ["complement", fc.record({ kind: fc.constant("complement"), item })],
      [
        "edge",
        fc.record(
          {
            kind: fc.constant("edge"),
            head: item,
            dependant: item,
            relation: fc.oneof(relation, fc.constantFrom("nsubj:pass", "within", "mu", "obj")),
            depth: fc.constantFrom("one", "any"),
            negated: fc.boolean(),
          },
          { requiredKeys: ["kind", "head", "dependant", "depth", "negated"] },
        ),
      ],
      [
        "filtered",
        tie("query")
          .filter(isMoreThanExpression)
          .map((query) => ({ kind: "filtered", query })),
      ],
    ];
    const simple = oneOf<Expression>(
      token,
      ["boundary", fc.tuple(edge, tag).map(([edge, tag]) => ({ kind: "boundary", edge, ...tag }))],
      ["structure", tag.map((tag) => ({ kind: "structure", ...tag }))],
      ["lookahead", lookahead],
      ["similar", fc.record({ kind: fc.constant("similar"), count: number, word: literals })],
    );
    const matches = item.map((expression) => ({ kind: "matches" as const, expression }));
    const tokens = number.map((count) => ({ kind: "tokens" as const, count }));
    // A structure that is called like a clause cannot be counted in text.
    const structureScope = fc.tuple(structure, number).map(([structure, count]) => ({
      kind: "structures" as const,
      structure,
      count: /^(?:within|containing|expand|cut)$/i.test(structure) ? 1 : count,
    }));
    const corpus = fc.record({
      kind: fc.constant("corpus" as const),
      corpus: fc.constantFrom(...corpora),
      expression: item,
    });
    const within: fc.Arbitrary<Filter> = fc.record({
      kind: fc.constant("within" as const),
      negated: fc.boolean(),
      scope: oneOf<Extract<Filter, { kind: "within" }>["scope"]>(fc.oneof(matches, tokens, structureScope), [
        "corpus",
        corpus,
      ]),
    });
    const containing: fc.Arbitrary<Filter> = fc.record({
      kind: fc.constant("containing" as const),
      negated: fc.boolean(),
      scope: fc.oneof(matches, tokens),
    });
    const filter = [...(has("within") ? [within] : []), ...(has("containing") ? [containing] : [])];

    const query = item.chain((expression) =>
      fc
        .record({
          strategy: maybe<Strategy>(
            "strategy",
            fc.constantFrom("all", "shortest", "standard", "longest", "traditional"),
          ),
          where: maybe("where", across([...labelsOf(expression)])),
          filters:
            filter.length > 0 ? fc.array(fc.oneof(...filter), { maxLength: 2 }) : fc.constant<Filter[]>([]),
          expand: maybe(
            "expand",
            fc.record({
              side: fc.constantFrom("both" as const, "left" as const, "right" as const),
              structure,
              count: number,
            }),
          ),
          cut: maybe("cut", number),
        })
        .map((rest): Query => {
          const query: Query = { kind: "query", expression, ...rest };
          for (const key of ["strategy", "where", "expand", "cut"] as const) {
            if (query[key] === undefined) delete query[key];
          }
          return query;
        }),
    );
    const compounds = compound.filter(([feature]) => has(feature)).map(([, arbitrary]) => arbitrary);
    return {
      expression: fc.oneof(
        { maxDepth: depth, depthSize: "small", depthIdentifier: "cql" },
        simple,
        ...compounds,
      ),
      query,
    };
  }).query;
}

function isMoreThanExpression({ strategy, where, filters, expand, cut }: Query): boolean {
  return strategy !== undefined || where !== undefined || filters.length > 0 || !!expand || cut !== undefined;
}
