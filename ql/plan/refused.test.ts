/** What a corpus does not have of what a query names: all of it at once, and each where it stands. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCorpus, openCorpus, Pool, type Snapshot } from "../../storage/index.js";
import { parse } from "../cql/parse.js";
import { withoutSpans } from "../cql/tree.js";
import { prepare } from "../run/prepare.js";
import { QueryError } from "./errors.js";

let folder = "";
const snapshots: Record<string, Snapshot> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dugong-refused-"));
  const texts = {
    books: '<doc year="1990" o="x">\n<s>\nthe\tDT\ncat\tNN\n</s>\n</doc>\n',
    flat: "the\tDT\n",
    bare: "<s>\nthe\tDT\n</s>\n",
  };
  const pool = Pool.create(8 << 20);
  for (const [corpus, text] of Object.entries(texts)) {
    const path = join(folder, `${corpus}.vert`);
    writeFileSync(path, text);
    await encodeCorpus({ data: folder, corpus, inputs: [path], attributes: ["word", "tag"], workers: 1 });
    snapshots[corpus] = openCorpus({ data: folder, corpus, pool });
  }
});

afterAll(async () => {
  for (const snapshot of Object.values(snapshots)) await snapshot.close();
  rmSync(folder, { recursive: true, force: true });
});

function refusalOf(query: Parameters<typeof prepare>[1], corpus = "books"): QueryError {
  try {
    prepare(snapshots[corpus], query).ground.release();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(query)} is not refused`);
}

/** What the marks are under. */
const marked = (query: string) =>
  refusalOf(query).diagnostics.map(({ span }) => (span ? query.slice(...span) : undefined));

describe("a query that a corpus refuses", () => {
  it("is marked at the names", () => {
    const marks: Record<string, string[]> = {
      '[wrd="x"]': ["wrd"],
      '[d="1" & _.doc_d="1"]': ["d", "doc_d"],
      '[wrd contains "w" | tg != word | word = x]': ["wrd", "tg", "x"],
      "[f(ff) > 3 & lbound(b)]": ["ff", "b"],
      '(meet "x" "y" ss)': ["ss"],
      '"x" expand left to 2 ss': ["ss"],
      '<doc c="1" & o="c"/>': ["c"],
      '<doc_c="1"> </doc_c>': ["c"],
      '<dox_year="1"> </dok> <dog/> <<dot>>': ["dox", "dok", "dog", "dot"],
      '1:"x" & 1.doc_yaer = f(1.f) & lbound(1.l)': ["doc_yaer", "f", "l"],
      '"x" within ss !containing <y/> within 3': ["ss", "y"],
      '"x" >obj "y"': [">obj", "obj"],
      '"x" !>> "y"': ["!>>"],
      '!("x" ([a="b"] within c)){2} | (union [d="e"] "f")': ["a", "c", "d"],
    };
    for (const [query, expected] of Object.entries(marks)) expect(marked(query), query).toEqual(expected);
  });

  it("is told of lists and patterns with the names", () => {
    const query = '[word=$a & wrd="(x"] <doc year="b)"/> "*" >"+" [] within ss';
    const codes = refusalOf(query).diagnostics.map(({ code, span }) => [code, query.slice(...span!)]);
    expect(codes).toEqual([
      ["unknown_list", "$a"],
      ["unknown_attribute", "wrd"],
      ["bad_pattern", "("],
      ["bad_pattern", ")"],
      ["bad_pattern", "*"],
      ["unknown_attribute", '>"+"'],
      ["unknown_attribute", '"+"'],
      ["bad_pattern", "+"],
      ["unknown_structure", "ss"],
    ]);
  });

  it("is refused by the first of its errors", () => {
    const query = '[tag="x"] 1:[wrd="x"] within dok & 1.yaer = "1"';
    const { code, message, hint, span, diagnostics } = refusalOf(query);
    expect({ severity: "error", code, message, hint, span }).toEqual(diagnostics[0]);
    expect({ code, hint, span }).toEqual({
      code: "unknown_attribute",
      hint: "Did you mean word?",
      span: [13, 16],
    });
    expect(diagnostics).toHaveLength(3);
  });

  it("may be a tree without places", () => {
    const tree = withoutSpans(parse('[wrd="x"] within dok').query!);
    const told = refusalOf(tree).diagnostics.map(({ code, span }) => [code, span]);
    expect(told).toEqual([
      ["unknown_attribute", undefined],
      ["unknown_structure", undefined],
    ]);
  });

  it("is told what else is wrong where a limit is hit", () => {
    const many = `"((a|b|c){999}){999}d*" [wrd="x"]`;
    expect(refusalOf(many).diagnostics.map(({ code }) => code)).toEqual([
      "pattern_too_large",
      "unknown_attribute",
    ]);
  });

  it("says that there are no structures, or none with attributes", () => {
    const message = (corpus: string) => refusalOf('[_.s_id="x"]', corpus).message;
    expect(message("flat")).toBe('no attribute "s_id" in corpus flat (it has no structures)');
    expect(message("bare")).toBe('no attribute "s_id" in corpus bare (its structures have none)');
    expect(message("books")).toBe('no attribute "s_id" in corpus books (it has doc_year, doc_o)');
  });
});

describe("a query that is warned of", () => {
  const notices = (query: string) => {
    const { notices, ground } = prepare(snapshots.books, query);
    ground.release();
    return notices.map(({ code, span }) => [code, span && query.slice(...span)]);
  };

  it("has notices, each time it is asked", () => {
    const query = '1:"the" 1:"cat" & target.word = "x"';
    const expected = [
      ["repeated_label", '1:"cat"'],
      ["unknown_label", "target.word"],
    ];
    expect(notices(query)).toEqual(expected);
    expect(notices(query)).toEqual(expected);
    expect(notices('1:"the" 2:"cat"')).toEqual([]);
  });
});
