/** Conditions on a token, on a structure and across labels: the second half of the grammar, see grammar.ts. */
import type { IToken, ParserMethod } from "chevrotain";
import type {
  AttributeTest,
  Condition,
  Node,
  Operand,
  Order,
  StructureCondition,
  StructureNumberTest,
  StructureTest,
  TokenTest,
  Where,
  WhereTest,
} from "./ast.js";
import {
  Building,
  type Compared,
  comparisonOf,
  edgeOf,
  type Logical,
  means,
  measureOf,
  negatedOrder,
  noComparison,
  nothing,
  plain,
  type Reference,
  type Start,
  spanOf,
  type Written,
} from "./building.js";
import * as word from "./lexer.js";
import { literalOf } from "./strings.js";

export abstract class Conditions extends Building {
  // ---- conditions on a structure

  protected readonly structureTest = this.RULE("structureTest", (): StructureTest | StructureNumberTest => {
    const start = this.start();
    return this.OR<StructureTest | StructureNumberTest>([
      {
        ALT: () => {
          const range = this.SUBRULE(this.numbers);
          return { kind: "structureNumber", ...range, span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          const name = this.CONSUME(word.Name);
          const compared = this.SUBRULE(this.comparison);
          const written = this.SUBRULE(this.value);
          return this.ACTION(() => ({
            kind: "structureAttribute",
            attribute: name.image,
            ...this.comparedValue(compared, written),
            nameSpan: spanOf(name),
            span: this.spanFrom(start),
          }));
        },
      },
    ]);
  });

  // ---- conditions on a token

  protected readonly tokenTest = this.RULE("tokenTest", (): Logical<TokenTest> => {
    const start = this.start();
    return this.OR<Logical<TokenTest>>([
      {
        ALT: () => {
          const range = this.SUBRULE(this.numbers);
          return { kind: "position", ...range, span: this.spanFrom(start) };
        },
      },
      { ALT: () => this.SUBRULE(this.measureTest) },
      {
        ALT: () => {
          const edge = edgeOf(this.CONSUME(word.BoundName));
          this.CONSUME(word.OpenGroup);
          const name = this.CONSUME(word.Name);
          this.CONSUME(word.CloseGroup);
          const span = this.spanFrom(start);
          return { kind: "bound", edge, structure: name.image, nameSpan: spanOf(name), span };
        },
      },
      { ALT: () => this.SUBRULE(this.sketchTest) },
      { ALT: () => this.SUBRULE(this.attributeTest) },
      {
        // Of the default attribute.
        ALT: () => {
          const compared = this.OPTION(() => this.SUBRULE(this.comparison)) ?? noComparison;
          const written = this.SUBRULE(this.value);
          return this.ACTION(() => ({
            kind: "attribute",
            attribute: "",
            ...this.comparedValue(compared, written),
            span: this.spanFrom(start),
          }));
        },
      },
    ]);
  });

  protected readonly measureTest = this.RULE("measureTest", (): Logical<TokenTest> => {
    const start = this.start();
    const measure = measureOf(this.CONSUME(word.MeasureName));
    this.CONSUME(word.OpenGroup);
    const name = this.CONSUME(word.Name);
    this.CONSUME(word.CloseGroup);
    const span = this.spanFrom(start);
    const measured = { measure, attribute: name.image, nameSpan: spanOf(name), span };
    const compared = this.SUBRULE(this.comparison);
    const number = this.SUBRULE(this.number);
    return this.ACTION(() => {
      const comparison = comparisonOf(compared);
      const test: TokenTest = { kind: "measure", measure: measured, comparison, number };
      return negatedOrder(compared, { ...test, span: this.spanFrom(start) });
    });
  });

  protected readonly sketchTest = this.RULE("sketchTest", (): TokenTest => {
    const start = this.start();
    this.CONSUME(word.SketchName);
    this.CONSUME(word.OpenGroup);
    const head = this.CONSUME(word.Text);
    this.CONSUME(word.Comma);
    const relation = this.CONSUME2(word.Text);
    this.CONSUME2(word.Comma);
    const collocate = this.CONSUME3(word.Text);
    this.CONSUME(word.CloseGroup);
    return this.ACTION(() => ({
      kind: "sketch",
      head: literalOf(head.image),
      relation: literalOf(relation.image),
      collocate: literalOf(collocate.image),
      span: this.spanFrom(start),
    }));
  });

  protected readonly attributeTest = this.RULE("attributeTest", (): TokenTest => {
    const start = this.start();
    const first = this.CONSUME(word.Name);
    let name = first;
    let structural = false;
    this.OPTION(() => {
      this.CONSUME(word.Dot);
      name = this.CONSUME2(word.Name);
      structural = true;
    });
    const attribute = name.image;
    const nameSpan = spanOf(name);
    this.ACTION(() => {
      if (structural && first.image !== "_") this.labelInBrackets(first);
    });
    return this.OR<TokenTest>([
      {
        ALT: () => {
          const compared = this.SUBRULE(this.comparison);
          return this.OR2<TokenTest>([
            {
              ALT: () => {
                const right = this.CONSUME3(word.Name);
                this.ACTION(() => this.checkSameToken(compared, structural));
                return {
                  kind: "sameToken",
                  left: attribute,
                  right: right.image,
                  comparison: plain(compared),
                  leftSpan: nameSpan,
                  rightSpan: spanOf(right),
                  span: this.spanFrom(start),
                };
              },
            },
            {
              ALT: () => {
                const written = this.SUBRULE(this.value);
                return this.ACTION(() => {
                  const test: AttributeTest = {
                    kind: "attribute",
                    attribute,
                    ...(structural && { structural }),
                    ...this.comparedValue(compared, written),
                    nameSpan,
                    span: this.spanFrom(start),
                  };
                  return test;
                });
              },
            },
          ]);
        },
      },
      {
        ALT: () => {
          const negated = this.OPTION2(() => this.CONSUME(word.NotWord)) !== undefined;
          const operator = this.OR3<"contains" | "matches">([
            { ALT: () => means(this.CONSUME(word.Contains), "contains") },
            { ALT: () => means(this.CONSUME(word.Matches), "matches") },
          ]);
          const written = this.SUBRULE2(this.value);
          return this.ACTION(() => {
            const value = this.toValue(written, false);
            const span = this.spanFrom(start);
            return { kind: "set", attribute, operator, negated, value, nameSpan, span };
          });
        },
      },
      {
        ALT: () => {
          this.CONSUME(word.Group);
          this.ACTION(() => this.unknownFunction(first));
          this.OPTION3(() => {
            this.SUBRULE2(this.comparison);
            this.OR4([{ ALT: () => this.SUBRULE(this.number) }, { ALT: () => this.SUBRULE3(this.value) }]);
          });
          return undefined as unknown as TokenTest;
        },
      },
    ]);
  });

  // ---- conditions across labels

  protected readonly acrossTest = this.RULE("acrossTest", (): Logical<WhereTest> => {
    const start = this.start();
    return this.OR<Logical<WhereTest>>([
      {
        ALT: () => {
          const edge = edgeOf(this.CONSUME(word.BoundName));
          this.CONSUME(word.OpenGroup);
          const { label, name: structure, nameSpan } = this.SUBRULE(this.boundLabel);
          this.CONSUME(word.CloseGroup);
          return { kind: "labelBound", edge, structure, label, nameSpan, span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          const left = this.SUBRULE(this.operand);
          const compared = this.SUBRULE(this.comparison);
          const right = this.SUBRULE2(this.operand);
          return this.ACTION(() => {
            const span = this.spanFrom(start);
            const test: WhereTest = {
              kind: "compare",
              left: this.leftOperand(left, compared),
              comparison: comparisonOf(compared),
              right: this.rightOperand(right, compared),
              span,
            };
            return negatedOrder(compared, test);
          });
        },
      },
    ]);
  });

  protected readonly operand = this.RULE(
    "operand",
    (): Operand | Written => {
      const start = this.start();
      return this.OR<Operand | Written>([
        {
          ALT: () => {
            const measure = measureOf(this.CONSUME(word.MeasureName));
            this.CONSUME(word.OpenGroup);
            const { label, name: attribute, nameSpan } = this.SUBRULE(this.reference);
            this.CONSUME(word.CloseGroup);
            return { kind: "labelMeasure", label, measure, attribute, nameSpan, span: this.spanFrom(start) };
          },
        },
        {
          ALT: () => {
            const absolute = this.CONSUME(word.DistanceName).image.toLowerCase() === "distabs";
            this.CONSUME2(word.OpenGroup);
            const left = this.SUBRULE(this.label).image;
            this.CONSUME(word.Comma);
            const right = this.SUBRULE2(this.label).image;
            this.CONSUME2(word.CloseGroup);
            return { kind: "distance", left, right, absolute, span: this.spanFrom(start) };
          },
        },
        {
          ALT: () => {
            const { label, name: attribute, nameSpan } = this.SUBRULE2(this.reference);
            return { kind: "labelAttribute", label, attribute, nameSpan, span: this.spanFrom(start) };
          },
        },
        { ALT: () => ({ kind: "number", number: this.SUBRULE(this.number), span: this.spanFrom(start) }) },
        { ALT: () => this.SUBRULE(this.value) },
      ]);
    },
    { recoveryValueFunc: () => nothing },
  );

  /** A label is a name or a whole number. */
  protected readonly label = this.RULE(
    "label",
    (): { image: string } => {
      return this.OR<IToken>([
        { ALT: () => this.CONSUME(word.Name) },
        {
          ALT: () => {
            const number = this.CONSUME(word.NumberWord);
            this.integerOf(number);
            return number;
          },
        },
      ]);
    },
    { recoveryValueFunc: () => ({ image: "" }) },
  );

  protected readonly reference = this.RULE(
    "reference",
    (): Reference => {
      const label = this.SUBRULE(this.label).image;
      this.CONSUME(word.Dot);
      const name = this.CONSUME(word.Name);
      return { label, name: name.image, nameSpan: spanOf(name) };
    },
    { recoveryValueFunc: () => ({ label: "", name: "" }) },
  );

  /** lbound(a.s); also lbound(s, a). */
  protected readonly boundLabel = this.RULE(
    "boundLabel",
    (): Reference => {
      return this.OR<Reference>([
        { ALT: () => this.SUBRULE(this.reference) },
        {
          ALT: () => {
            const name = this.CONSUME(word.Name);
            this.CONSUME(word.Comma);
            const label = this.SUBRULE(this.label).image;
            return { label, name: name.image, nameSpan: spanOf(name) };
          },
        },
      ]);
    },
    { recoveryValueFunc: () => ({ label: "", name: "" }) },
  );

  // ---- what all conditions are made of

  readonly condition: ParserMethod<[], Condition> = this.booleans("condition", () => this.tokenTest);
  readonly ofStructure: ParserMethod<[], StructureCondition> = this.booleans(
    "ofStructure",
    () => this.structureTest,
  );
  readonly across: ParserMethod<[], Where> = this.booleans("across", () => this.acrossTest);

  private booleans<Test extends Node>(
    name: Start,
    test: () => ParserMethod<[], Test>,
  ): ParserMethod<[], Logical<Test>> {
    const not = this.RULE(`${name}Not`, (): Logical<Test> => {
      const marks: number[] = [];
      this.MANY({
        // [!>="m"] is a comparison of the default attribute.
        GATE: () => !this.isOrder(2),
        DEF: () => marks.push(this.CONSUME(word.Not).startOffset),
      });
      let item = this.OR<Logical<Test>>([
        { ALT: () => this.later<Logical<Test>>(name, this.CONSUME(word.Group)) },
        { ALT: () => this.SUBRULE(test()) },
      ]);
      for (const start of marks.reverse()) item = { kind: "not", item, span: this.spanFrom(start) };
      return item;
    });
    const and = this.RULE(`${name}And`, (): Logical<Test> => {
      const start = this.start();
      const items: Logical<Test>[] = [];
      this.AT_LEAST_ONE_SEP({ SEP: word.And, DEF: () => items.push(this.SUBRULE(not)) });
      return items.length === 1 ? items[0] : { kind: "and", items, span: this.spanFrom(start) };
    });
    const or = this.RULE(`${name}Or`, (): Logical<Test> => {
      const start = this.start();
      const items: Logical<Test>[] = [];
      this.AT_LEAST_ONE_SEP({ SEP: word.Or, DEF: () => items.push(this.SUBRULE(and)) });
      return items.length === 1 ? items[0] : { kind: "or", items, span: this.spanFrom(start) };
    });
    return this.RULE(name, (): Logical<Test> => {
      const sides: { start: number; side: Logical<Test> }[] = [];
      this.AT_LEAST_ONE_SEP({
        SEP: word.Arrow,
        DEF: () => sides.push({ start: this.start(), side: this.SUBRULE(or) }),
      });
      return sides.reduceRight<Logical<Test> | undefined>(
        (right, { start, side }) =>
          right ? { kind: "implies", left: side, right, span: this.spanFrom(start) } : side,
        undefined,
      )!;
    });
  }

  protected readonly comparison = this.RULE(
    "comparison",
    (): Compared => {
      const start = this.start();
      const compared = this.OR<Omit<Compared, "span">>([
        { ALT: () => means(this.CONSUME(word.Equal), { negated: false }) },
        { ALT: () => means(this.CONSUME(word.NotEqual), { negated: true }) },
        { ALT: () => means(this.CONSUME(word.Identical), { negated: false, literal: true }) },
        { ALT: () => means(this.CONSUME(word.NotIdentical), { negated: true, literal: true }) },
        {
          ALT: () => {
            const negated = this.OPTION(() => this.CONSUME(word.Not)) !== undefined;
            const order = this.OR2<Order>([
              { ALT: () => means(this.CONSUME(word.Less), "<") },
              { ALT: () => means(this.CONSUME(word.LessEqual), "<=") },
              { ALT: () => means(this.CONSUME(word.Greater), ">") },
              { ALT: () => means(this.CONSUME(word.GreaterEqual), ">=") },
            ]);
            return { negated, order };
          },
        },
      ]);
      return { ...compared, span: this.spanFrom(start) };
    },
    { recoveryValueFunc: () => noComparison },
  );

  protected readonly value = this.RULE(
    "value",
    (): Written => {
      return this.OR<Written>([
        {
          ALT: () => {
            const text = this.CONSUME(word.Text);
            const flags = this.OPTION(() => this.CONSUME(word.Flags));
            return { text, flags };
          },
        },
        { ALT: () => ({ list: this.CONSUME(word.ListName) }) },
      ]);
    },
    { recoveryValueFunc: () => ({}) },
  );

  /** #5, #5-7; the end is inclusive in the text, and exclusive in the tree. */
  protected readonly numbers = this.RULE("numbers", () => {
    const start = this.start();
    this.CONSUME(word.Hash);
    const from = this.integerOf(this.CONSUME(word.NumberWord));
    let last = from;
    this.OPTION(() => {
      this.CONSUME(word.Minus);
      last = this.integerOf(this.CONSUME2(word.NumberWord));
    });
    this.ACTION(() => {
      if (last < from) {
        const hint = `Write #${last}-${from}.`;
        this.fail("bad_number", `#${from}-${last} runs backwards`, this.spanFrom(start), hint);
      }
    });
    return { from, to: last + 1 };
  });

  protected readonly integer = this.RULE("integer", (): number => {
    const sign = this.OPTION(() => this.CONSUME(word.Minus)) ? -1 : 1;
    return sign * this.integerOf(this.CONSUME(word.NumberWord)) || 0;
  });

  protected readonly number = this.RULE("number", (): number => {
    const sign = this.OPTION(() => this.CONSUME(word.Minus)) ? -1 : 1;
    const token = this.CONSUME(word.NumberWord);
    return this.ACTION(() => sign * Number(token.image) || 0);
  });
}
