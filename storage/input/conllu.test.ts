import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { DugongError } from "../errors.js";
import { ConlluConverter, conlluColumns, conlluMultivalue, tokenMark } from "./conllu.js";
import { parseTag } from "./tags.js";

/** Converts a text; gives the lines of the vertical text and the counts of issues. */
function convert(text: string, columns = ["word"], options: { endsFile?: boolean; skip?: string[] } = {}) {
  const converter = new ConlluConverter({ columns, skipComments: options.skip ?? ["text"] });
  const piece = converter.convert(new TextEncoder().encode(text), options.endsFile ?? true);
  const vertical = Buffer.from(piece.vertical.subarray(0, piece.length)).toString();
  expect(vertical === "" || vertical.endsWith("\n")).toBe(true);
  const issues = Object.fromEntries(piece.issues.map(({ kind, count }) => [kind, count]));
  return { vertical, lines: vertical.split("\n").slice(0, -1), issues, piece };
}

/** A row: id, form, and further fields by name. */
function row(id: string | number, form: string, other: Record<string, string> = {}): string {
  const fields = conlluColumns.slice(1).map((name) => other[name] ?? "_");
  return [id, form, ...fields].join("\t") + "\n";
}

const noSpace = { misc: "SpaceAfter=No" };

describe("a sentence of CoNLL-U", () => {
  it("becomes lines of the chosen columns, in the order chosen", () => {
    const full = {
      lemma: "be",
      tag: "AUX",
      xpos: "VBZ",
      feats: "A=B|C=D",
      head: "0",
      deprel: "root",
      deps: "0:root",
      misc: "X=Y",
    };
    const text = `${row(1, "is", full)}\n`;
    expect(convert(text, [...conlluColumns]).lines).toEqual([
      "<s>",
      "is\tbe\tAUX\tVBZ\tA=B|C=D\t0\troot\t0:root\tX=Y",
      "</s>",
    ]);
    expect(convert(text, ["misc", "upos", "form", "word"]).lines[1]).toBe("X=Y\tAUX\tis\tis");
    expect(conlluMultivalue).toEqual({ feats: "|", deps: "|", misc: "|" });
  });

  it("ends at a blank line, at white space, and at the end of the text", () => {
    const { lines, piece } = convert(`\n\n${row(1, "a")}\n${row(1, "b")} \t\n${row(1, "c")}`.slice(0, -1));
    expect(lines).toEqual(["<s>", "a", "</s>", "<s>", "b", "</s>", "<s>", "c", "</s>"]);
    expect(piece.lines).toBe(6);
    expect(convert("").piece).toMatchObject({ length: 0, lines: 0, issues: [] });
  });

  it("has its comments as attributes, the skipped ones counted", () => {
    const { lines, issues } = convert(
      `# sent_id = a-1\n# text = It is.\n# text[eng] = "Æ" & <b>\n#speaker  =  x  \n# 1st = y\n# empty =\n# note\n# a=b\n# comment = c\n# speaker = z\n${row(1, "a")}`,
    );
    expect(lines[0]).toBe(
      '<s id="a-1" text_eng_="&quot;Æ&quot; &amp; &lt;b&gt;" speaker="x" _1st="y" empty="" comment="note | a=b | c">',
    );
    expect(issues).toEqual({ comment_skipped: 1, comment_repeated: 1 });
    expect(convert(`# text = x\n# a = y\n${row(1, "a")}`, ["word"], { skip: [] }).lines[0]).toBe(
      '<s text="x" a="y">',
    );
    expect(convert(`# text\n# texts = y\n${row(1, "a")}`).lines[0]).toBe('<s texts="y" comment="text">');
  });

  it("has so many attributes at most, in time in proportion to them", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `# k${i} = v\n`).join("");
    const parts = Array.from({ length: 20_000 }, (_, i) => `k${i} = v`).join(" ");
    const start = performance.now();
    const { lines, issues } = convert(`# newdoc ${parts}\n${many}${row(1, "a")}`);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(parseTag(lines[0], true)?.attributes).toHaveLength(256);
    expect(parseTag(lines[1], true)?.attributes).toHaveLength(256);
    expect(issues).toEqual({ comment_surplus: 1 + 20_000 - 256 });
  });

  it("opens documents and paragraphs, closing those before", () => {
    const { lines, issues } = convert(
      [
        `# newdoc id = d1\n# sent_id = 1\n# newpar id = p1\n${row(1, "a")}\n`,
        `# newpar\n${row(1, "b")}\n`,
        `# newdoc id = d 2 genre = news = x\n${row(1, "c")}\n`,
        `# newdoc\n# newpar extra id=p2 id=p3\n${row(1, "d")}\n`,
      ].join(""),
    );
    expect(lines).toEqual([
      '<doc id="d1">',
      '<p id="p1">',
      '<s id="1">',
      "a",
      "</s>",
      "</p>",
      "<p>",
      "<s>",
      "b",
      "</s>",
      "</p>",
      "</doc>",
      '<doc id="d 2" genre="" news="x">',
      "<s>",
      "c",
      "</s>",
      "</doc>",
      "<doc>",
      '<p id="p2" comment="extra">',
      "<s>",
      "d",
      "</s>",
      "</p>",
      "</doc>",
    ]);
    expect(issues).toEqual({ comment_repeated: 1 });
  });

  it("leaves documents and paragraphs open at the end of a piece, and does not close those of another", () => {
    const start = convert(`# newdoc id = d\n# newpar\n${row(1, "a")}\n`, ["word"], { endsFile: false });
    expect(start.lines).toEqual(['<doc id="d">', "<p>", "<s>", "a", "</s>"]);
    expect(convert(`${row(1, "b")}\n# newpar\n${row(1, "c")}`).lines.slice(3, 5)).toEqual(["<p>", "<s>"]);
    expect(convert(`${row(1, "b")}\n`).lines).toEqual(["<s>", "b", "</s>"]);
  });

  it("keeps what is said of documents before a blank line, but has no sentence without words", () => {
    const { lines, issues } = convert(
      `# newdoc id = d\n\n# sent_id = 1\n\n${row("1-2", "ab")}\n${row(1, "a")}\n`,
    );
    expect(lines).toEqual(['<doc id="d">', "<s>", "a", "</s>", "</doc>"]);
    expect(issues).toEqual({ sentence_without_words: 2 });
  });

  it("starts anew at a comment that can only stand there, and takes any other as its own", () => {
    const { lines, issues } = convert(`${row(1, "a")}# note\n${row(2, "b")}# sent_id = 2\n${row(1, "c")}`);
    expect(lines).toEqual(['<s comment="note">', "a", "b", "</s>", '<s id="2">', "c", "</s>"]);
    expect(issues).toEqual({ missing_blank_line: 1 });
  });

  it("starts anew where words start again at 1, also as a range", () => {
    const { lines, issues, piece } = convert(
      `${row(1, "a", { head: "0" })}${row(2, "b", { head: "1" })}${row("1-2", "cd")}${row(1, "c", { head: "2" })}` +
        `${row(2, "d", { head: "0" })}${row(1, "e", { head: "2" })}${row("1-", "f")}`,
      ["word", "head"],
    );
    expect(lines).toEqual([
      ...["<s>", "a\t0", "b\t-1", "</s>"],
      ...["<s>", '<mwt form="cd">', "c\t1", "<g/>", "d\t0", "</mwt>", "</s>"],
      ...["<s>", "e\t1", "f\t_", "</s>"],
    ]);
    expect(issues).toEqual({ missing_blank_line: 2, bad_id: 1 });
    expect(piece.issues[0].lines).toEqual([2, 5]);
  });

  it("keeps a comment whose key can be no name as a comment without one", () => {
    const long = "k".repeat(101);
    const { lines, issues } = convert(
      `# newdoc id = d ${long} = 1\n# newpar ${long}=2 a=b\n# sent_id = 1\n# ${long} = x y\n# note\n` +
        `# ${"é".repeat(51)} = z\n# __proto__ = p\n# ${"k".repeat(100)} = q\n${row(1, "a")}`,
    );
    expect(lines.slice(0, 3)).toEqual([
      `<doc id="d" comment="${long} = 1">`,
      `<p a="b" comment="${long}=2">`,
      `<s id="1" ${"k".repeat(100)}="q" comment="${long} = x y | note | ${"é".repeat(51)} = z | __proto__ = p">`,
    ]);
    expect(issues).toEqual({ comment_unnamed: 5 });
  });
});

describe("the head of a word", () => {
  const heads = (...given: string[]) =>
    convert(given.map((head, i) => row(i + 1, "x", { head })).join(""), ["head"]);

  it("is told by how far off it is", () => {
    expect(heads("2", "0", "2", "1").lines.slice(1, -1)).toEqual(["1", "0", "-1", "-3"]);
    const long = heads(...Array.from({ length: 1_234 }, (_, i) => (i === 0 ? "1234" : "1")));
    expect(long.lines.slice(1, 4)).toEqual(["1233", "-1", "-2"]);
    expect(long.lines[1234]).toBe("-1233");
  });

  it("stays as it is if it is none, and is counted", () => {
    const { lines, issues } = heads("_", "x", "6", "-1", "5", "1.1", "99999999999");
    expect(lines.slice(1, -1)).toEqual(["_", "x", "3", "-1", "0", "1.1", "99999999999"]);
    expect(issues).toEqual({ head_not_a_number: 3, head_outside_sentence: 1, head_is_itself: 1 });
  });

  it("is the word that has its ID, wherever that stands", () => {
    const heads = (...words: [id: number | string, head: number][]) => {
      const { lines, issues } = convert(
        words.map(([id, head]) => row(id, "x", { head: `${head}` })).join(""),
        ["head"],
      );
      return { heads: lines.filter((line) => !line.startsWith("<")), issues };
    };
    expect(heads([1, 4], [2, 1], [4, 1], [5, 3])).toEqual({
      heads: ["2", "-1", "-2", "3"],
      issues: { id_out_of_order: 1, head_outside_sentence: 1 },
    });
    expect(heads([1, 2], [2, 0], [2, 2], [3, 2])).toEqual({
      heads: ["1", "0", "-1", "-2"],
      issues: { id_out_of_order: 1 },
    });
    expect(heads([3, 1], [2, 3], [1, 1], [0, 2])).toEqual({
      heads: ["2", "-1", "0", "-2"],
      issues: { id_out_of_order: 4, head_is_itself: 1 },
    });
    // Without an ID a word has that after the one before it, unless another has it.
    expect(heads(["x", 1], [1, 2], ["y", 3], [3, 2])).toEqual({
      heads: ["1", "1", "1", "-1"],
      issues: { bad_id: 2, id_out_of_order: 1 },
    });
    expect(heads(["1-2", 0], [2, 4], ["3.1", 9], [4, 2])).toEqual({
      heads: ["1", "-1"],
      issues: { id_out_of_order: 2, empty_node: 1 },
    });
  });

  it("is not looked at if it is not asked for", () => {
    expect(convert(row(1, "x", { head: "?" })).issues).toEqual({});
  });
});

describe("spaces", () => {
  it("are told by <g/> where there is none, over sentences too but not over paragraphs", () => {
    const text = [
      row(1, "a", noSpace) +
        row(2, "b", { misc: "X=SpaceAfter=No" }) +
        row(3, "c", { misc: "A=B|SpaceAfter=No|C=D" }),
      row(1, "d", { misc: "SpaceAfter=Nope" }) + row(2, "e", noSpace),
      `# newpar\n${row(1, "f", noSpace)}`,
      row(1, "g", noSpace),
    ].join("\n");
    expect(convert(text).lines).toEqual([
      "<s>",
      "a",
      "<g/>",
      "b",
      "c",
      "</s>",
      "<s>",
      "<g/>",
      "d",
      "e",
      "</s>",
      "<p>",
      "<s>",
      "f",
      "</s>",
      "<s>",
      "<g/>",
      "g",
      "</s>",
      "</p>",
    ]);
  });
});

describe("a range of words", () => {
  it("is a structure around them, glued together within", () => {
    const text =
      row(1, "I", noSpace) +
      row("2-3", "do\"n't", { ...noSpace, lemma: "do" }) +
      row(2, "do") +
      row(3, "n't") +
      row("4-5", "im") +
      row(4, "in", noSpace) +
      row(5, "dem", noSpace) +
      row(6, "x");
    expect(convert(text).lines).toEqual([
      "<s>",
      "I",
      "<g/>",
      '<mwt form="do&quot;n\'t" lemma="do" misc="SpaceAfter=No">',
      "do",
      "<g/>",
      "n't",
      "</mwt>",
      "<g/>",
      '<mwt form="im">',
      "in",
      "<g/>",
      "dem",
      "</mwt>",
      "x",
      "</s>",
    ]);
  });

  it("closes where it must if its words are not there, and is counted", () => {
    const text =
      row("1-3", "a") + row(1, "a") + row("2-3", "b") + row(5, "c") + row("6-9", "d") + row(6, "d");
    const { lines, issues } = convert(text);
    expect(lines).toEqual([
      "<s>",
      '<mwt form="a">',
      "a",
      "</mwt>",
      "c",
      '<mwt form="d">',
      "d",
      "</mwt>",
      "</s>",
    ]);
    expect(issues).toEqual({ bad_range: 3, id_out_of_order: 1 });
  });

  it("leaves out empty nodes and counts them", () => {
    const { lines, issues } = convert(row("0.1", "x") + row(1, "a", noSpace) + row("1.1", "x") + row(2, "b"));
    expect(lines).toEqual(["<s>", "a", "<g/>", "b", "</s>"]);
    expect(issues).toEqual({ empty_node: 2 });
  });
});

describe("a broken file", () => {
  it("loses no word, and is told where it is broken", () => {
    const text =
      "1\ta\tb\r\n2\tc" +
      "\td".repeat(10) +
      "\nx\te" +
      "\t_".repeat(8) +
      "\n\r\njust text\n\t\tz\n4\n5-\tf\n";
    const { lines, issues, piece } = convert(text, ["word", "lemma"]);
    expect(lines).toEqual([
      "<s>",
      "a\tb",
      "c\td",
      "e\t_",
      "</s>",
      "<s>",
      "just text\t_",
      "_\tz",
      "_\t_",
      "f\t_",
      "</s>",
    ]);
    expect(issues).toEqual({
      crlf: 2,
      missing_columns: 5,
      surplus_columns: 1,
      bad_id: 4,
      id_out_of_order: 1,
      empty_value: 1,
    });
    expect(piece.issues.find(({ kind }) => kind === "missing_columns")?.lines).toEqual([0, 4, 5, 6, 7]);
    expect(piece.lines).toBe(8);
  });

  it("names only the first few places", () => {
    const { piece } = convert(row("1.1", "x").repeat(10));
    expect(piece.issues).toEqual([{ kind: "empty_node", count: 10, lines: [0, 1, 2, 3, 4] }]);
  });

  it("may start with a byte order mark", () => {
    expect(convert(`\uFEFF# sent_id = 1\n${row(1, "a")}`).lines).toEqual(['<s id="1">', "a", "</s>"]);
  });

  it("says which columns there are", () => {
    try {
      convert("", ["lema"]);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: "unknown_column",
        hint: "Did you mean lemma?",
      } satisfies Partial<DugongError>);
    }
  });
});

describe("a word that looks like a tag", () => {
  it.each(["<b>", "</b>", "<g/>", "<!-- x -->", "<?x?>", "\x01", "\x01x"])(
    "is marked as a word: %j",
    (form) => {
      expect(convert(row(1, form)).lines[1]).toBe(`\x01${form}`);
      expect(convert(row(1, form), ["word", "lemma"]).lines[1]).toBe(
        form.startsWith("\x01") ? `\x01${form}\t_` : `${form}\t_`,
      );
      expect(tokenMark).toBe(1);
    },
  );

  it.each(["<", ">", "<3", "< b >", "<>", "<a b>", "b>", "<b"])(
    "is not marked if it does not quite: %j",
    (form) => {
      expect(convert(row(1, form)).lines[1]).toBe(form);
    },
  );

  it("may be one over columns", () => {
    expect(convert(row(1, "<a", { lemma: "b=c>" }), ["word", "lemma"]).lines[1]).toBe("\x01<a\tb=c>");
  });
});

const shared = new URL("../../../shared/data/", import.meta.url);
if (!existsSync(shared) && process.env.CI === "true") throw new Error("needs ../shared/data");

describe.skipIf(!existsSync(shared))("the treebanks (need ../shared)", () => {
  const unpack = (path: string) => new Uint8Array(gunzipSync(readFileSync(new URL(path, shared))));
  const issuesOf = (path: string, columns: readonly string[]) => {
    const piece = new ConlluConverter({ columns, skipComments: ["text"] }).convert(unpack(path), true);
    return Object.fromEntries(piece.issues.map(({ kind, count }) => [kind, count]));
  };

  it("of English (EWT) give the words of ewt.vert, all columns alike", () => {
    const columns = ["word", "lemma", "tag", "xpos", "deprel", "head"];
    const tokens = (vertical: Uint8Array) =>
      Buffer.from(vertical)
        .toString()
        .split("\n")
        .filter((line) => line !== "" && parseTag(line, false) === null);
    const converter = new ConlluConverter({ columns, skipComments: ["text"] });
    const converted = ["train", "dev", "test"].flatMap((part) => {
      const { vertical, length } = converter.convert(unpack(`ud/en_ewt-${part}.conllu.gz`), true);
      return tokens(vertical.subarray(0, length));
    });
    const expected = tokens(unpack("ewt.vert.gz"));
    expect(expected).toHaveLength(254_818);
    expect(converted).toHaveLength(254_818);
    expect(converted.findIndex((line, i) => line !== expected[i])).toBe(-1);
  });

  it("of English and Faroese have nothing wrong but what is left out", () => {
    expect(issuesOf("ud/en_ewt-train.conllu.gz", conlluColumns)).toEqual({
      comment_skipped: 12_544,
      empty_node: 37,
    });
    expect(issuesOf("ud/fo_farpahc-ud-train.conllu.gz", conlluColumns)).toEqual({ comment_skipped: 1_020 });
    expect(issuesOf("ud/fo_oft-ud-test.conllu.gz", conlluColumns)).toEqual({ comment_skipped: 1_208 });
  });
});
