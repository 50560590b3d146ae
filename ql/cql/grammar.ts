/**
 * The grammar of the query language. Blanks may stand between any two words; keywords may have any case.
 *
 *   statement    = query [ ";" ]
 *   query        = [ "(?" strategy ")" ] expression { where | filter } [ expand ] [ cut ]
 *   where        = ( "&" | "::" ) across
 *   filter       = [ "!" ] "within" scope | [ "!" ] "containing" ( number | expression )
 *   scope        = corpus ":" expression | expression | [ number ] structure | number
 *   expand       = "expand" [ "left" | "right" ] "to" [ number ] structure
 *   cut          = "cut" number
 *
 *   expression   = tab | alternation
 *   alternation  = sequence { "|" sequence }
 *   sequence     = edge { edge }
 *   edge         = item { ( ">" | ">>" ) [ relation ] unit | "!" ( ">" | ">>" ) [ relation ] [ unit ] }
 *   relation     = name { ":" name } | text                      (text: right after the > , without a blank)
 *   item         = unit [ repeat ]
 *   unit         = { ( name | number ) ":" | "@" [ ":" ] } primary
 *   primary      = "[" [ condition ] "]" | "[:" [ condition ] ":]" | [ "==" ] text [ flags ] | tag
 *                | [ "MU" | "!" ] "(" group ")" | "~" number text
 *   group        = meet | union | query
 *   meet         = "meet" unit [ "not" ] unit [ signed signed | structure ]
 *   union        = "union" unit unit { unit }
 *   tab          = "TAB" unit { [ repeat ] unit }                (repeat: what may stand between the two)
 *   repeat       = "?" | "*" | "+" | "{" number [ "," [ number ] ] "}" | "{" "," number "}"
 *   tag          = "<" structure [ ofStructure ] ( ">" | "/>" ) | "</" structure [ ofStructure ] ">"
 *                | "<" structure_attribute comparison value ( ">" | "/>" ) | "<<" structure [ ofStructure ] ">>"
 *
 *   condition, ofStructure and across are conditions on a token, on a structure and across labels. Each is
 *                  or { "->" or }         or = and { "|" and }         and = not { "&" not }
 *                  not = { "!" } ( test | "(" … ")" )
 *   of a test of its own:
 *   token        = "#" number [ "-" number ] | measure "(" name ")" comparison signed
 *                | ( "lbound" | "rbound" ) "(" structure ")" | "ws" "(" text "," text "," text ")"
 *                | [ "_" "." ] name comparison value | name ( "=" | "!=" ) name
 *                | name [ "not" ] ( "contains" | "matches" ) value | [ comparison ] value
 *   structure    = "#" number [ "-" number ] | name comparison value
 *   labels       = ( "lbound" | "rbound" ) "(" ( reference | structure "," label ) ")"
 *                | operand comparison operand
 *   operand      = measure "(" reference ")" | ( "distance" | "distabs" ) "(" label "," label ")"
 *                | reference | signed | value
 *   reference    = ( name | number ) "." name
 *   measure      = "f" | "strlen" | "int"
 *   comparison   = "=" | "!=" | "==" | "!==" | [ "!" ] ( "<" | "<=" | ">" | ">=" )
 *   value        = text [ flags ] | "$" name
 *   flags        = "%" { "c" | "d" | "l" }                       (after < and the like: only "l")
 *   signed       = [ "-" ] number                                (numbers are whole, but for those that are compared)
 *
 * What stands between brackets reaches a rule as one word (groups.ts), and is parsed after it, from the rule that is
 * named where the word is met. A > or < is part of a tag, an edge or a comparison by where it stands: a tag begins where
 * an item may, a comparison follows an attribute, all others are edges.
 */
import { EMPTY_ALT } from "chevrotain";
import type {
  Boundary,
  Containing,
  Expand as ExpandNode,
  Expression,
  Filter,
  Meet as MeetNode,
  Query,
  Scope,
  Span,
  StructureRange,
  Tab as TabNode,
  Union as UnionNode,
} from "./ast.js";
import {
  type Bounds,
  type GrammarOptions,
  joined,
  means,
  spanOf,
  type TagName,
  type WherePart,
  withoutUndefined,
} from "./building.js";
import { Conditions } from "./conditions.js";
import * as word from "./lexer.js";
import { literalOf } from "./strings.js";

export class Grammar extends Conditions {
  constructor(options?: GrammarOptions) {
    super(options);
    this.performSelfAnalysis();
  }

  // ---- a query and what surrounds it

  readonly statement = this.RULE("statement", () => {
    const query = this.SUBRULE(this.query);
    this.OPTION(() => this.CONSUME(word.Semicolon));
    return query;
  });

  readonly query = this.RULE("query", (): Query => {
    const start = this.start();
    const query: Query = { kind: "query", expression: undefined as unknown as Expression, filters: [] };
    this.OPTION(() => {
      query.strategy = this.strategyOf(this.CONSUME(word.StrategyMark));
    });
    query.expression = this.SUBRULE(this.expression);
    const parts: WherePart[] = [];
    this.MANY(() => {
      const clause = this.LA(1);
      this.OR([
        { ALT: () => this.addWhere(query, parts, this.SUBRULE(this.where), clause) },
        { ALT: () => this.addFilter(query, this.SUBRULE(this.filter), clause) },
        { ALT: () => this.addExpand(query, this.SUBRULE(this.expand), clause) },
        { ALT: () => this.addCut(query, this.SUBRULE(this.cut), clause) },
      ]);
    });
    query.where = joined(parts);
    query.span = this.spanFrom(start);
    return withoutUndefined(query);
  });

  private readonly where = this.RULE("where", (): WherePart => {
    this.OR([{ ALT: () => this.CONSUME(word.And) }, { ALT: () => this.CONSUME(word.DoubleColon) }]);
    const start = this.start();
    const where = this.SUBRULE(this.across);
    return { where, span: this.spanFrom(start) };
  });

  private readonly filter = this.RULE("filter", (): Filter => {
    const start = this.start();
    const negated = this.OPTION(() => this.CONSUME(word.Not)) !== undefined;
    return this.OR<Filter>([
      {
        ALT: () => {
          this.CONSUME(word.Within);
          const scope = this.SUBRULE(this.scope);
          return { kind: "within", negated, scope, span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(word.Containing);
          const scope = this.SUBRULE(this.contained);
          return { kind: "containing", negated, scope, span: this.spanFrom(start) };
        },
      },
    ]);
  });

  private readonly scope = this.RULE("scope", (): Scope => {
    return this.OR<Scope>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.is(1, word.Name) && this.is(2, word.Colon),
          ALT: () => {
            const corpus = this.CONSUME(word.Name);
            this.CONSUME(word.Colon);
            const expression = this.SUBRULE(this.expression);
            return { kind: "corpus", corpus: corpus.image, expression, span: spanOf(corpus) };
          },
        },
        {
          GATE: () => this.beginsExpression(),
          ALT: () => ({ kind: "matches", expression: this.SUBRULE2(this.expression) }),
        },
        {
          GATE: () => this.is(2, word.Name) && !this.isClause(2),
          ALT: () => {
            const count = this.integerOf(this.CONSUME(word.NumberWord));
            const name = this.CONSUME2(word.Name);
            return { kind: "structures", structure: name.image, count, span: spanOf(name) };
          },
        },
        {
          ALT: () => {
            const name = this.CONSUME3(word.Name);
            return { kind: "structures", structure: name.image, count: 1, span: spanOf(name) };
          },
        },
        { ALT: () => ({ kind: "tokens", count: this.integerOf(this.CONSUME2(word.NumberWord)) }) },
      ],
    });
  });

  private readonly contained = this.RULE("contained", (): Containing["scope"] => {
    return this.OR<Containing["scope"]>({
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          GATE: () => this.beginsExpression(),
          ALT: () => ({ kind: "matches", expression: this.SUBRULE(this.expression) }),
        },
        { ALT: () => ({ kind: "tokens", count: this.integerOf(this.CONSUME(word.NumberWord)) }) },
      ],
    });
  });

  private readonly expand = this.RULE("expand", (): ExpandNode => {
    const start = this.start();
    let side: ExpandNode["side"] = "both";
    let count = 1;
    this.CONSUME(word.Expand);
    this.OPTION(() => {
      side = this.OR<ExpandNode["side"]>([
        { ALT: () => means(this.CONSUME(word.Left), "left") },
        { ALT: () => means(this.CONSUME(word.Right), "right") },
      ]);
    });
    this.CONSUME(word.To);
    this.OPTION2(() => {
      count = this.integerOf(this.CONSUME(word.NumberWord));
    });
    const name = this.CONSUME(word.Name);
    return { side, structure: name.image, count, nameSpan: spanOf(name), span: this.spanFrom(start) };
  });

  private readonly cut = this.RULE("cut", (): number => {
    this.CONSUME(word.Cut);
    return this.integerOf(this.CONSUME(word.NumberWord));
  });

  // ---- expressions

  private readonly expression = this.RULE("expression", (): Expression => {
    return this.OR<Expression>({
      MAX_LOOKAHEAD: 1,
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { GATE: () => !this.is(2, word.Colon), ALT: () => this.SUBRULE(this.tab) },
        { ALT: () => this.SUBRULE(this.alternation) },
      ],
    });
  });

  private readonly alternation = this.RULE("alternation", (): Expression => {
    const start = this.start();
    const items: Expression[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: word.Or, DEF: () => items.push(this.SUBRULE(this.sequence)) });
    return items.length === 1 ? items[0] : { kind: "alternation", items, span: this.spanFrom(start) };
  });

  private readonly sequence = this.RULE("sequence", (): Expression => {
    const start = this.start();
    const items = [this.SUBRULE(this.edge)];
    this.MANY({
      GATE: () => this.beginsItem(1),
      DEF: () => items.push(this.SUBRULE2(this.edge)),
    });
    return items.length === 1 ? items[0] : { kind: "sequence", items, span: this.spanFrom(start) };
  });

  private readonly edge = this.RULE("edge", (): Expression => {
    const start = this.start();
    let head = this.SUBRULE(this.item);
    this.MANY({
      GATE: () => !this.is(1, word.Not) || this.is(2, word.Greater) || this.is(2, word.DoubleGreater),
      DEF: () => {
        const arrow = this.start();
        const negated = this.OPTION(() => this.CONSUME(word.Not)) !== undefined;
        const depth = this.OR<"one" | "any">([
          { ALT: () => means(this.CONSUME(word.Greater), "one") },
          { ALT: () => means(this.CONSUME(word.DoubleGreater), "any") },
        ]);
        const { relation, relationSpan } =
          this.OPTION2({
            GATE: () => this.beginsRelation(),
            DEF: () => this.SUBRULE(this.relation),
          }) ?? {};
        const arrowSpan = this.spanFrom(arrow);
        let dependant: Expression = { kind: "token" };
        this.OR2([
          {
            GATE: () => !negated || this.beginsItem(1),
            ALT: () => {
              dependant = this.SUBRULE2(this.item);
            },
          },
          { GATE: () => negated, ALT: EMPTY_ALT() },
        ]);
        head = withoutUndefined({
          kind: "edge",
          head: this.endOfEdge(head),
          dependant: this.endOfEdge(dependant),
          relation,
          depth,
          negated,
          arrowSpan,
          relationSpan,
          span: this.spanFrom(start),
        });
      },
    });
    return head;
  });

  private readonly relation = this.RULE("relation", (): { relation: string; relationSpan: Span } => {
    const start = this.start();
    let relation = "";
    this.OR([
      {
        ALT: () => {
          const text = this.CONSUME(word.Text);
          this.ACTION(() => {
            relation = this.pattern(text);
          });
        },
      },
      {
        ALT: () => {
          this.AT_LEAST_ONE_SEP({
            SEP: word.Colon,
            DEF: () => {
              const part = this.SUBRULE(this.label);
              relation += relation === "" ? part.image : `:${part.image}`;
            },
          });
        },
      },
    ]);
    // Letters, digits, ":", "_" and "-" mean themselves in a pattern.
    return { relation, relationSpan: this.spanFrom(start) };
  });

  private readonly item = this.RULE("item", (): Expression => {
    const start = this.start();
    const item = this.SUBRULE(this.unit);
    const bounds = this.OPTION(() => this.SUBRULE(this.repeat));
    return bounds ? { kind: "repeat", item, ...bounds, span: this.spanFrom(start) } : item;
  });

  private readonly repeat = this.RULE("repeat", (): Bounds => {
    return this.OR<Bounds>([
      { ALT: () => means(this.CONSUME(word.Question), { min: 0, max: 1 }) },
      { ALT: () => means(this.CONSUME(word.Star), { min: 0, max: null }) },
      { ALT: () => means(this.CONSUME(word.Plus), { min: 1, max: null }) },
      { ALT: () => this.SUBRULE(this.bounds) },
    ]);
  });

  private readonly bounds = this.RULE("bounds", (): Bounds => {
    const start = this.start();
    this.CONSUME(word.OpenBrace);
    const min = this.OPTION(() => this.integerOf(this.CONSUME(word.NumberWord)));
    let max: number | null | undefined = min;
    this.OPTION2(() => {
      this.CONSUME(word.Comma);
      max = this.OPTION3(() => this.integerOf(this.CONSUME2(word.NumberWord))) ?? null;
    });
    this.CONSUME(word.CloseBrace);
    return this.ACTION(() => this.boundsOf(min, max, this.spanFrom(start)));
  });

  private readonly unit = this.RULE("unit", (): Expression => {
    const labels: { label: string; start: number }[] = [];
    this.MANY({
      GATE: () => this.is(1, word.At) || this.is(2, word.Colon),
      DEF: () => {
        const start = this.start();
        this.OR([
          {
            ALT: () => {
              const label = this.SUBRULE(this.label);
              this.CONSUME(word.Colon);
              labels.push({ label: label.image, start });
            },
          },
          {
            ALT: () => {
              this.CONSUME(word.At);
              this.OPTION(() => this.CONSUME2(word.Colon));
              labels.push({ label: "target", start });
            },
          },
        ]);
      },
    });
    let item = this.SUBRULE(this.primary);
    this.ACTION(() => {
      for (const { label, start } of labels.reverse()) {
        item = { kind: "labelled", label, item, span: this.spanFrom(start) };
      }
    });
    return item;
  });

  private readonly primary = this.RULE("primary", (): Expression => {
    const start = this.start();
    return this.OR<Expression>([
      { ALT: () => this.bracketed("token", this.CONSUME(word.Brackets)) },
      { ALT: () => this.bracketed("lookahead", this.CONSUME(word.LookaheadBrackets)) },
      { ALT: () => this.SUBRULE(this.bare) },
      { ALT: () => this.SUBRULE(this.tag) },
      { ALT: () => this.grouped(this.CONSUME(word.Group), start) },
      {
        ALT: () => {
          this.CONSUME(word.Mu);
          return this.grouped(this.CONSUME2(word.Group), start);
        },
      },
      {
        ALT: () => {
          this.CONSUME(word.Not);
          const group = this.CONSUME3(word.Group);
          const item = this.grouped(group, group.startOffset);
          return { kind: "complement", item, span: this.spanFrom(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.similar) },
    ]);
  });

  private readonly bare = this.RULE("bare", (): Expression => {
    const start = this.start();
    const literal = this.OPTION(() => this.CONSUME(word.Identical)) !== undefined;
    const text = this.CONSUME(word.Text);
    const flags = this.OPTION2(() => this.CONSUME(word.Flags));
    return this.ACTION(() => {
      const value = this.toValue({ text, flags }, literal);
      const span = this.spanFrom(start);
      return {
        kind: "token",
        condition: { kind: "attribute", attribute: "", negated: false, value, span },
        span,
      };
    });
  });

  private readonly similar = this.RULE("similar", (): Expression => {
    const start = this.start();
    this.CONSUME(word.Tilde);
    const count = this.integerOf(this.CONSUME(word.NumberWord));
    const text = this.CONSUME(word.Text);
    return this.ACTION(() => ({
      kind: "similar",
      count,
      word: literalOf(text.image),
      span: this.spanFrom(start),
    }));
  });

  private readonly tab = this.RULE("tab", (): TabNode => {
    const start = this.start();
    const tab: TabNode = { kind: "tab", items: [], gaps: [] };
    this.CONSUME(word.Tab);
    tab.items.push(this.SUBRULE(this.unit));
    this.MANY({
      GATE: () => this.beginsItem(1) || this.beginsRepeat(),
      DEF: () => {
        tab.gaps.push(this.OPTION(() => this.SUBRULE(this.repeat)) ?? { min: 0, max: 0 });
        tab.items.push(this.SUBRULE2(this.unit));
      },
    });
    tab.span = this.spanFrom(start);
    return tab;
  });

  /** What may stand in ( ) where an expression is expected. */
  readonly group = this.RULE("group", (): Query | MeetNode | UnionNode => {
    return this.OR<Query | MeetNode | UnionNode>({
      MAX_LOOKAHEAD: 1,
      IGNORE_AMBIGUITIES: true,
      DEF: [
        { GATE: () => !this.is(2, word.Colon), ALT: () => this.SUBRULE(this.meet) },
        { GATE: () => !this.is(2, word.Colon), ALT: () => this.SUBRULE(this.union) },
        { ALT: () => this.SUBRULE(this.query) },
      ],
    });
  });

  private readonly meet = this.RULE("meet", (): MeetNode => {
    this.CONSUME(word.Meet);
    const item = this.SUBRULE(this.unit);
    const not = this.OPTION({
      GATE: () => !this.is(2, word.Colon),
      DEF: () => this.CONSUME(word.NotWord),
    });
    const other = this.SUBRULE2(this.unit);
    const window = this.OPTION2(() => this.SUBRULE(this.window)) ?? { from: 1, to: 1 };
    return { kind: "meet", item, other, negated: not !== undefined, window };
  });

  private readonly window = this.RULE("window", (): MeetNode["window"] => {
    return this.OR<MeetNode["window"]>([
      {
        ALT: () => {
          const from = this.SUBRULE(this.integer);
          const to = this.SUBRULE2(this.integer);
          return { from, to };
        },
      },
      {
        ALT: () => {
          const name = this.CONSUME(word.Name);
          return { structure: name.image, span: spanOf(name) };
        },
      },
    ]);
  });

  private readonly union = this.RULE("union", (): UnionNode => {
    const items: Expression[] = [];
    this.CONSUME(word.Union);
    items.push(this.SUBRULE(this.unit));
    items.push(this.SUBRULE2(this.unit));
    this.MANY({
      GATE: () => this.beginsItem(1),
      DEF: () => items.push(this.SUBRULE3(this.unit)),
    });
    return { kind: "union", items };
  });

  // ---- structures

  private readonly tag = this.RULE("tag", (): Boundary | StructureRange => {
    const start = this.start();
    let named: TagName = { structure: "" };
    const edge = this.OR<"start" | "end" | undefined>([
      {
        ALT: () => {
          this.CONSUME(word.Less);
          named = this.SUBRULE(this.tagName);
          return this.OR2<"start" | undefined>([
            { ALT: () => means(this.CONSUME(word.Greater), "start") },
            { ALT: () => means(this.CONSUME(word.CloseEmptyTag), undefined) },
          ]);
        },
      },
      {
        ALT: () => {
          this.CONSUME(word.EndTag);
          named = this.SUBRULE2(this.tagName);
          this.CONSUME2(word.Greater);
          return "end";
        },
      },
      {
        ALT: () => {
          this.CONSUME(word.DoubleLess);
          named = this.SUBRULE3(this.tagName);
          this.CONSUME(word.DoubleGreater);
          return undefined;
        },
      },
    ]);
    return this.ACTION(() => {
      if (edge === "end" && this.splitTags.has(named.structure)) {
        const at = named.structure.indexOf("_", 1);
        const [from] = named.nameSpan!;
        named = { structure: named.structure.slice(0, at), nameSpan: [from, from + at] };
      }
      const span = this.spanFrom(start);
      return edge ? { kind: "boundary", edge, ...named, span } : { kind: "structure", ...named, span };
    });
  });

  private readonly tagName = this.RULE(
    "tagName",
    (): TagName => {
      const name = this.CONSUME(word.Name);
      const conditional = this.OPTION({
        // The tag may end right after its name.
        GATE: () => !this.is(1, word.Greater),
        DEF: () =>
          this.OR<TagName>([
            {
              // <doc_year="199.*">
              GATE: () => !this.is(1, word.Not),
              ALT: () => {
                const compared = this.SUBRULE(this.comparison);
                const written = this.SUBRULE(this.value);
                return this.ACTION(() => this.splitName(name, compared, written));
              },
            },
            {
              ALT: () => {
                const condition = this.SUBRULE(this.ofStructure);
                return { structure: name.image, nameSpan: spanOf(name), condition };
              },
            },
          ]),
      });
      return conditional ?? { structure: name.image, nameSpan: spanOf(name) };
    },
    { recoveryValueFunc: () => ({ structure: "" }) },
  );
}
