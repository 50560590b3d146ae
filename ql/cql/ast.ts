/**
 * The syntax tree of a query: plain JSON, documented here, for people who build queries by program. `parse` makes it
 * of text, `print` makes canonical text of it, and parse(print(tree)) is the tree again.
 *
 * Spans are [start, end) offsets in UTF-16 units of the text a node was parsed from. They are there for messages and
 * editors, take no part in equality, and need not be given in a tree that is built by hand. A node that names an
 * attribute or a structure says where the name stands: a corpus may not have it.
 */
export type Span = [start: number, end: number];

export interface Node {
  span?: Span;
}

export interface Naming extends Node {
  nameSpan?: Span;
}

export type Strategy = "all" | "shortest" | "standard" | "longest" | "traditional";

/** A whole query: what to find, and what to do with the matches afterwards. */
export interface Query extends Node {
  kind: "query";
  /** Only where the text says so: (?longest). */
  strategy?: Strategy;
  expression: Expression;
  /** Conditions across labels: & 1.tag = 2.tag, or :: a.tag = b.tag. */
  where?: Where;
  /** Filters in the order they stand in: A within B containing C filters by B first. */
  filters: Filter[];
  expand?: Expand;
  /** Keep this many matches. */
  cut?: number;
}

/** Something that matches ranges of tokens. */
export type Expression =
  | Token
  | Sequence
  | Alternation
  | Repeat
  | Labelled
  | Boundary
  | StructureRange
  | Lookahead
  | Filtered
  | Meet
  | Union
  | Tab
  | Complement
  | Edge
  | Similar;

/** [condition]; [] has none. */
export interface Token extends Node {
  kind: "token";
  condition?: Condition;
}

/** One after the other; at least two. */
export interface Sequence extends Node {
  kind: "sequence";
  items: Expression[];
}

/** Any of them; at least two. */
export interface Alternation extends Node {
  kind: "alternation";
  items: Expression[];
}

/** item{min,max}; `max` null: as many as the limit on gaps allows. ? is 0,1; * is 0,null; + is 1,null. */
export interface Repeat extends Node {
  kind: "repeat";
  item: Expression;
  min: number;
  max: number | null;
}

/** name:item; the target anchor @item has the name "target". Names are of letters, or numbers. */
export interface Labelled extends Node {
  kind: "labelled";
  label: string;
  item: Expression;
}

/**
 * <s …> or </s …>: zero tokens wide. CQP's <doc_year="199.*"> is the start of a "doc" with a condition on "year": the
 * name is split at its first "_", and </doc_year> with it where the same query has such a start. Elsewhere </a_b> and
 * <a_b> are of a structure "a_b".
 */
export interface Boundary extends Naming {
  kind: "boundary";
  edge: "start" | "end";
  structure: string;
  condition?: StructureCondition;
}

/** <s …/>, <<s>>: all tokens of a structure. */
export interface StructureRange extends Naming {
  kind: "structure";
  structure: string;
  condition?: StructureCondition;
}

/** [: condition :]: the next token is such a one; zero tokens wide. */
export interface Lookahead extends Node {
  kind: "lookahead";
  condition?: Condition;
}

/** ( query ) inside a query: a whole query where an expression is expected, with what only a query can have. */
export interface Filtered extends Node {
  kind: "filtered";
  query: Query;
}

/**
 * (meet item other left right), (meet item other structure); `negated`: (meet item not other …). Without a window, the
 * other is the next token: from 1 to 1.
 */
export interface Meet extends Node {
  kind: "meet";
  item: Expression;
  other: Expression;
  negated: boolean;
  window:
    | { from: number; to: number }
    /** The span is the name's. */
    | (Node & { structure: string });
}

/** (union a b): at least two. */
export interface Union extends Node {
  kind: "union";
  items: Expression[];
}

/** TAB a {0,3} b * c: each item is one token; gaps[i] stands between items i and i + 1. */
export interface Tab extends Node {
  kind: "tab";
  items: Expression[];
  gaps: { min: number; max: number | null }[];
}

/** !(item): maximal stretches that no match of item covers. */
export interface Complement extends Node {
  kind: "complement";
  item: Expression;
}

/**
 * head >relation dependant: the head token and the dependant token of a dependency edge. The match is the range from
 * the first of the two to the last. Chains nest to the left, and each edge leaves the token before it: a >x b >y c is
 * b the dependant of a, and c the dependant of b. `negated`: the head has no such dependant; the match is the head.
 */
export interface Edge extends Node {
  kind: "edge";
  head: Expression;
  dependant: Expression;
  /** Pattern of the dependant's deprel; absent: any. */
  relation?: string;
  /** "any": over one or more edges (>>). */
  depth: "one" | "any";
  negated: boolean;
  /** Of >relation; and of the relation alone: its quoted string, where it is one. */
  arrowSpan?: Span;
  relationSpan?: Span;
}

/** ~10"king": one of the nearest words of the thesaurus. */
export interface Similar extends Node {
  kind: "similar";
  count: number;
  word: string;
}

export type Filter = Within | Containing;

/** within / !within */
export interface Within extends Node {
  kind: "within";
  negated: boolean;
  scope: Scope;
}

/** containing / !containing: a match of the expression, or at least so many tokens. */
export interface Containing extends Node {
  kind: "containing";
  negated: boolean;
  scope: { kind: "matches"; expression: Expression } | { kind: "tokens"; count: number };
}

/** within <s/> is of kind "matches"; within s and within 2 s are of kind "structures"; within 5 of kind "tokens". */
export type Scope =
  | { kind: "matches"; expression: Expression }
  /** The span is the name's. */
  | (Node & { kind: "structures"; structure: string; count: number })
  | { kind: "tokens"; count: number }
  /** The span is the name's. */
  | (Node & { kind: "corpus"; corpus: string; expression: Expression });

/** expand [left|right] to [n] structure */
export interface Expand extends Naming {
  side: "both" | "left" | "right";
  structure: string;
  count: number;
}

// ---- conditions on one token

export type Condition = And<Condition> | Or<Condition> | Not<Condition> | Implies<Condition> | TokenTest;

export interface And<Operand> extends Node {
  kind: "and";
  items: Operand[];
}

export interface Or<Operand> extends Node {
  kind: "or";
  items: Operand[];
}

export interface Not<Operand> extends Node {
  kind: "not";
  item: Operand;
}

export interface Implies<Operand> extends Node {
  kind: "implies";
  left: Operand;
  right: Operand;
}

export type TokenTest =
  | AttributeTest
  | SetTest
  | PositionTest
  | MeasureTest
  | SameTokenTest
  | BoundTest
  | SketchTest;

/** What an attribute is compared with. The span is that of the quoted string (see offsetInText), or of $name. */
export type Value =
  /** A regular expression that has to match the whole value. */
  | (Node & { kind: "pattern"; pattern: string; ignoreCase?: boolean; ignoreDiacritics?: boolean })
  | (Node & { kind: "literal"; string: string; ignoreCase?: boolean; ignoreDiacritics?: boolean })
  /** $name: a list that comes with the query. */
  | (Node & { kind: "list"; name: string });

export type Order = "<" | "<=" | ">" | ">=";

/**
 * attribute = value, != value (`negated`), or ordered (`order` with a literal that ignores nothing; negated for
 * !>= and the like). An
 * attribute of "" is the corpus's default attribute. `structure`: _.doc_year, the attribute of the structure around
 * the token ("doc", "year"); the name is split at the first "_" where the corpus has such a structure. Where the text
 * says [doc_year=…], the attribute is "doc_year", and is looked up as a structure's when no token has it.
 */
export interface AttributeTest extends Naming {
  kind: "attribute";
  attribute: string;
  structural?: boolean;
  negated: boolean;
  order?: Order;
  value: Value;
}

/** attribute contains / not contains / matches value, on multi-value attributes, as in CQP. */
export interface SetTest extends Naming {
  kind: "set";
  attribute: string;
  operator: "contains" | "matches";
  negated: boolean;
  value: Value;
}

/** #from-to: token numbers, `to` exclusive here (the text has it inclusive). */
export interface PositionTest extends Node {
  kind: "position";
  from: number;
  to: number;
}

/** A number that is computed of a token. */
export interface Measure extends Naming {
  /** f: frequency of the value; strlen: characters; int: the value as a number. */
  measure: "f" | "strlen" | "int";
  attribute: string;
}

export type Comparison = "=" | "!=" | Order;

/** f(word) > 100 */
export interface MeasureTest extends Node {
  kind: "measure";
  measure: Measure;
  comparison: Comparison;
  number: number;
}

/** word != lemma: two attributes of the same token, compared as strings. */
export interface SameTokenTest extends Node {
  kind: "sameToken";
  left: string;
  right: string;
  comparison: "=" | "!=";
  leftSpan?: Span;
  rightSpan?: Span;
}

/** lbound(s), rbound(s): first or last token of a structure. */
export interface BoundTest extends Naming {
  kind: "bound";
  edge: "start" | "end";
  structure: string;
}

/** ws("king", "modifiers", "great") */
export interface SketchTest extends Node {
  kind: "sketch";
  head: string;
  relation: string;
  collocate: string;
}

// ---- conditions on a structure

export type StructureCondition =
  | And<StructureCondition>
  | Or<StructureCondition>
  | Not<StructureCondition>
  | Implies<StructureCondition>
  | StructureTest
  | StructureNumberTest;

/** year="199.*", year>="1990" */
export interface StructureTest extends Naming {
  kind: "structureAttribute";
  attribute: string;
  negated: boolean;
  order?: Order;
  value: Value;
}

/** #5, #5-7: the structure's number from 0; `to` exclusive. */
export interface StructureNumberTest extends Node {
  kind: "structureNumber";
  from: number;
  to: number;
}

// ---- conditions across labels

export type Where = And<Where> | Or<Where> | Not<Where> | Implies<Where> | WhereTest;

/** What stands on either side of a comparison across labels. */
export type Operand =
  /** 1.tag, match.doc_year (`structural` is decided against the corpus: the attribute is a token's if it has one). */
  | (Naming & { kind: "labelAttribute"; label: string; attribute: string })
  | (Naming & { kind: "labelMeasure"; label: string; measure: "f" | "strlen" | "int"; attribute: string })
  /** distance(a,b): position of b less that of a; distabs: without its sign. */
  | (Node & { kind: "distance"; left: string; right: string; absolute: boolean })
  | (Node & { kind: "number"; number: number })
  /** On the right of = and !=: a pattern or a literal (==); of an ordered comparison: a literal. Never on the left. */
  | (Node & { kind: "value"; value: Value });

export type WhereTest =
  | (Node & { kind: "compare"; left: Operand; comparison: Comparison; right: Operand })
  /** lbound(a.s), rbound(a.s) */
  | (Naming & { kind: "labelBound"; edge: "start" | "end"; structure: string; label: string });
