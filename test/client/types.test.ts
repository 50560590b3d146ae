/** Rows are typed by what was asked for. What is wrong here is an error of the type checker, not of the test. */
import { describe, expectTypeOf, it } from "vitest";
import type { Chain as ClientChain, Corpus, Reference, Rows } from "../../client/index.js";
import type { Chain } from "../../ql/index.js";

type RowOf<Stream> = Stream extends Rows<infer Row, unknown> ? Row : never;

/** Never called: only its types are looked at. */
function asked(corpus: Corpus) {
  return {
    plain: corpus.query('"a"'),
    referred: corpus.query('"a"', { refs: ["doc.id", "#"] }),
    parallel: corpus.query('"a"', { aligned: ["german"] }),
    pairs: corpus.freq('"a"', { by: ["word 0", "doc.year"] }),
    text: corpus.freq('"a"', { by: "word 0, doc.year" }),
    dispersed: corpus.freq('"a"', { by: ["word 0"], dispersion: true }),
    scored: corpus.coll('"a"', { measures: ["MI3", "logDice"] }),
    usual: corpus.coll('"a"'),
    listed: corpus.wordlist({ attributes: ["lemma", "tag"] }),
  };
}

type Asked = ReturnType<typeof asked>;

describe("rows", () => {
  it("of lines have the references that were asked for, and no others", () => {
    expectTypeOf<RowOf<Asked["plain"]>["match"]>().toBeString();
    expectTypeOf<RowOf<Asked["plain"]>>().not.toHaveProperty("refs");
    expectTypeOf<RowOf<Asked["referred"]>["refs"]>().toEqualTypeOf<Record<"doc.id" | "#", Reference>>();
    expectTypeOf<RowOf<Asked["parallel"]>["aligned"]["german"][0]["text"]>().toBeString();
  });

  it("of frequencies have a value for each key, and dispersion where it was asked for", () => {
    expectTypeOf<RowOf<Asked["pairs"]>["values"]>().toEqualTypeOf<[string, string]>();
    expectTypeOf<RowOf<Asked["text"]>["values"]>().toEqualTypeOf<string[]>();
    expectTypeOf<RowOf<Asked["dispersed"]>>().toHaveProperty("juillandD");
    expectTypeOf<RowOf<Asked["pairs"]>>().not.toHaveProperty("juillandD");
  });

  it("of collocations have the scores that were asked for", () => {
    expectTypeOf<RowOf<Asked["scored"]>["scores"]>().toEqualTypeOf<
      Record<"MI3" | "logDice", number | null>
    >();
    expectTypeOf<keyof RowOf<Asked["usual"]>["scores"]>().toEqualTypeOf<"logDice" | "MI" | "T">();
  });

  it("of word lists have a value for each attribute", () => {
    expectTypeOf<NonNullable<RowOf<Asked["listed"]>["values"]>>().toEqualTypeOf<[string, string]>();
  });

  it("are asked for with the engine's own chains", () => {
    expectTypeOf<ClientChain>().toEqualTypeOf<Chain>();
    const wrong = (corpus: Corpus) => {
      // @ts-expect-error: there is no such measure
      corpus.coll('"a"', { measures: ["logDise"] });
      // @ts-expect-error: there is no such step
      corpus.query([
        { step: "query", query: '"a"' },
        { step: "sorted", keys: [] },
      ]);
      // @ts-expect-error: a frequency list needs keys
      corpus.freq('"a"', {});
    };
    expectTypeOf(wrong).toBeFunction();
  });
});
