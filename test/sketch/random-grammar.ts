/** Grammars at random over the vocabulary of random corpora: every kind of relation, and queries of every way to bind labels. */
import fc from "fast-check";

const token = fc.constantFrom(
  '[tag="N"]',
  '[tag="V"]',
  '"N"',
  '[word="a|b"]',
  "[]",
  '[tag!="D"]',
  '[tag="N" & word="a"]',
);
const between = fc.constantFrom(
  "",
  "",
  "[]?",
  "[]{0,2}",
  '[tag="D"]*',
  '([tag="N"] | [word="b"])?',
  '[word="a"]+',
  "<s>",
  '[: tag="N" :]',
  '([tag="N"]? [tag="V"]?){1,2}',
);
const behind = fc.constantFrom("", "", "", "[]*", "</s>", '[tag="V"]{1,2}');
const across = fc.constantFrom("", "", "", " & 1.tag = 2.tag", " & 1.word != 2.word");
const swapped = fc.boolean();
const binary = fc
  .tuple(between, token, between, token, behind, swapped, across)
  .map(([a, one, b, two, c, swap, where]) => {
    const [x, y] = swap ? ["2", "1"] : ["1", "2"];
    return `${a} ${x}:${one} ${b} ${y}:${two} ${c}${where}`;
  });
const trinary = fc
  .tuple(token, between, token, between, token, fc.constantFrom("123", "132", "321", "213"))
  .map(([a, x, b, y, c, [i, j, k]]) => `${i}:${a} ${x} ${j}:${b} ${y} ${k}:${c}`);
const odd = fc.constantFrom(
  '1:[tag="V"] >obj 2:[tag="N"]',
  "1:[] > 2:[]",
  '2:[tag="N"] >"obj.*" 1:[]',
  "(1:[] | 2:[]) (2:[] | 1:[])",
  "1:([] []) 2:[]",
  '(1:[tag="N"] [])+ 2:[]',
  "1:[] 2:[] within <x/>",
  '1:[] []{0,3} 2:[] containing [tag="V"]',
);
const queries = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 1, maxLength: 3 });
const relation = fc.oneof(
  { weight: 3, arbitrary: queries(fc.oneof(binary, odd)).map((own) => ["=plain", ...own]) },
  { weight: 2, arbitrary: queries(fc.oneof(binary, odd)).map((own) => ["*DUAL", "=one/two", ...own]) },
  { weight: 2, arbitrary: queries(binary).map((own) => ["*SYMMETRIC", "=both", ...own]) },
  {
    weight: 1,
    arbitrary: queries(token).map((own) => ["*UNARY", "=alone", ...own.map((text) => `1:${text}`)]),
  },
  {
    weight: 2,
    arbitrary: queries(trinary).map((own) => ["*TRINARY", "*DUAL", "=p_%(3.word)/%(3.tag)_q", ...own]),
  },
  { weight: 1, arbitrary: queries(trinary).map((own) => ['*COLLOC "%(2.word)_%(3.tag)"', "=put", ...own]) },
  { weight: 1, arbitrary: queries(binary).map((own) => ["=two", ...own]) },
);
export const grammar = fc
  .tuple(
    fc.constantFrom("*STRUCTLIMIT s", ""),
    fc.constantFrom("*DEFAULTATTR tag", ""),
    fc.array(relation, { minLength: 1, maxLength: 4 }),
  )
  .map(([limit, attribute, relations]) => [limit, attribute, ...relations.flat()].join("\n"));
