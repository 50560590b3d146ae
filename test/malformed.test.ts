/** Odd input of every kind that storage/encode/warnings.ts names: what is taken, and what is said about it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appendToCorpus,
  compactCorpus,
  DugongError,
  dumpCorpus,
  type EncodeOptions,
  type EncodeResult,
  encodeCorpus,
  openCorpus,
  Pool,
  type Snapshot,
  verifyCorpus,
} from "../storage/index.js";

const pool = Pool.create(4 << 20);
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-malformed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Encoded {
  /** Per attribute, the tokens separated by spaces. */
  tokens: string[];
  /** Of each kind, the ranges. */
  structures: Record<string, [number, number][]>;
  /** A character per token: "g" where there is no space before it. */
  glue: string;
  /** "kind ×count file:line …", files by their number. */
  warnings: string[];
  /** Tokens of each segment. */
  segments: number[];
}

type Options = Partial<EncodeOptions> & {
  look?: (snapshot: Snapshot, result: EncodeResult) => void;
  append?: (string | Uint8Array)[];
  compact?: boolean;
};

async function encode(
  files: string | Uint8Array | (string | Uint8Array)[],
  options: Options = {},
): Promise<Encoded> {
  const { look, append, compact, ...encodeOptions } = options;
  const where = join(folder, String(serial++));
  const data = join(where, "data");
  mkdirSync(where);
  const write = (contents: (string | Uint8Array)[], prefix: string) =>
    contents.map((content, i) => {
      const path = join(where, `${prefix}${i + 1}`);
      writeFileSync(path, content);
      return path;
    });
  const inputs = write(Array.isArray(files) ? files : [files], "");
  const result = await encodeCorpus({
    data,
    corpus: "c",
    inputs,
    attributes: ["word"],
    document: "",
    workers: 1,
    ...encodeOptions,
  });
  if (append) await appendToCorpus({ data, corpus: "c", inputs: write(append, "more"), workers: 1 });
  if (compact) await compactCorpus({ data, corpus: "c" });
  const snapshot = openCorpus({ data, corpus: "c", pool });
  try {
    look?.(snapshot, result);
    expect(verifyCorpus(snapshot).problems).toEqual([]);
    return describeSnapshot(snapshot, result, where);
  } finally {
    await snapshot.close();
    rmSync(where, { recursive: true, force: true });
  }
}

function describeSnapshot(snapshot: Snapshot, result: EncodeResult, where: string): Encoded {
  const positions = Array.from({ length: snapshot.tokens }, (_, i) => i);
  const idsOf = new Uint32Array(snapshot.tokens);
  return {
    tokens: snapshot.attributes.map((attribute) => {
      snapshot.ids(attribute, 0, snapshot.tokens, idsOf);
      return positions.map((position) => attribute.lexicon.string(idsOf[position])).join(" ");
    }),
    structures: Object.fromEntries(
      snapshot.structures.map((structure) => [
        structure.name,
        Array.from({ length: structure.count }, (_, i) => structure.range(i)),
      ]),
    ),
    glue: positions
      .map((position) => {
        const segment = snapshot.segmentAt(position);
        return segment.glued(position - segment.start) ? "g" : ".";
      })
      .join(""),
    warnings: result.warnings.map(({ kind, count, places }) =>
      [`${kind} ×${count}`, ...places.map(({ file, line }) => `${relative(where, file)}:${line}`)].join(" "),
    ),
    segments: snapshot.segments.map(({ tokens }) => tokens),
  };
}

/** Lines from tags and words. */
const lines = (text: string) => (text.match(/<[^<>]*>|\S+/g) ?? []).map((line) => `${line}\n`).join("");

describe("lines", () => {
  it("may end in CR LF, which is counted", async () => {
    const { tokens, structures, warnings } = await encode("a\r\n<s>\r\nb\nc\r\n</s>\r\n");
    expect({ tokens, structures, warnings }).toEqual({
      tokens: ["a b c"],
      structures: { s: [[1, 3]] },
      warnings: ["carriage_return ×4 1:1 1:2 1:4 1:5"],
    });
  });

  it("that are empty are left out and counted, also those with nothing but a CR", async () => {
    const { tokens, warnings } = await encode("a\n\n\nb\n\r\nc\n");
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b c"],
      warnings: ["carriage_return ×1 1:5", "empty_line ×3 1:2 1:3 1:5"],
    });
  });

  it("with too few columns have empty values", async () => {
    const { tokens, warnings } = await encode("a\tA\nb\n\tC\nb\n", { attributes: ["word", "tag"] });
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b  b", "A  C "],
      warnings: ["missing_columns ×2 1:2"],
    });
  });

  it("with too many columns lose the surplus", async () => {
    const { tokens, warnings } = await encode("a\tA\tx\nb\tB\nc\tC\t\td\n", { attributes: ["word", "tag"] });
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b c", "A B C"],
      warnings: ["surplus_columns ×2 1:1 1:3"],
    });
  });

  it("at the end of a file may lack their newline", async () => {
    const { tokens, warnings } = await encode(["a\nb", "c\nd\n", "e"]);
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b c d e"],
      warnings: ["no_final_newline ×2 1:2 3:1"],
    });
  });

  it("may be a megabyte long", async () => {
    const long = "é".repeat(500_000);
    const { tokens, warnings } = await encode([`a\n${long}\nb\n`, gzipSync(`a\n${long}x\nb\n`)], {
      segmentBytes: 1000,
    });
    expect(tokens).toEqual([`a ${long} b a ${long}x b`]);
    expect(warnings).toEqual([]);
  });

  it("may have NUL and other control characters in them", async () => {
    const { tokens, warnings } = await encode("\u0000\na\u0000b\n\u0001c\n\u001f\n");
    expect({ tokens, warnings }).toEqual({ tokens: ["\u0000 a\u0000b \u0001c \u001f"], warnings: [] });
  });

  it("that are comments are left out and counted", async () => {
    const text = '<?xml version="1.0"?>\na\n<!-- b -->\n<!DOCTYPE c>\n<!-- d\nb -->\n';
    const { tokens, warnings } = await encode(text);
    expect({ tokens, warnings }).toEqual({
      tokens: ["a <!-- d b -->"],
      warnings: ["comment ×3 1:1 1:3 1:4"],
    });
  });

  it("that only look like tags are tokens", async () => {
    const { tokens, structures } = await encode("<\n<3>\n< b >\n<a b>\n<a\n</>\n<a>x\n<>\n");
    expect(tokens).toEqual(["< <3> < b > <a b> <a </> <a>x <>"]);
    expect(structures).toEqual({});
  });

  it("are told by the line of their file in whichever segment they lie", async () => {
    const text = Array.from({ length: 40 }, (_, i) => (i === 31 ? "x" : i === 36 ? "" : `w${i}\tt`)).join(
      "\n",
    );
    const options = { attributes: ["word", "tag"], segmentBytes: 25 };
    const plain = await encode([`a\tt\n${text}\n`, `${text}\n`], options);
    expect(plain.segments.length).toBeGreaterThan(10);
    expect(plain.warnings).toEqual(["empty_line ×2 1:38 2:37", "missing_columns ×2 1:33 2:32"]);
    const compressed = await encode([gzipSync(`a\tt\n${text}\n`), gzipSync(`${text}\n`)], options);
    expect(compressed).toEqual(plain);
  });
});

describe("bytes", () => {
  it("of a byte order mark at the start of a file are left out", async () => {
    const { tokens, warnings } = await encode(["\uFEFFa\n", "\uFEFF<s>\nb\n</s>\n\uFEFFc\n"]);
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b \uFEFFc"],
      warnings: ["byte_order_mark ×2 1:1 2:1"],
    });
  });

  const invalid = Buffer.concat([
    Buffer.from("a\nb"),
    Buffer.of(0xff, 0xfe),
    Buffer.from("\nc\ufffd\nd"),
    Buffer.of(0xe2, 0x82),
  ]);

  it("that are not UTF-8 are replaced, counted and told", async () => {
    const { tokens, warnings } = await encode(invalid);
    expect({ tokens, warnings }).toEqual({
      tokens: ["a b\ufffd\ufffd c\ufffd d\ufffd"],
      warnings: ["invalid_utf8 ×3 1:2 1:4", "no_final_newline ×1 1:4"],
    });
  });

  it("that are not UTF-8 are told by their line in a later segment too", async () => {
    const before = Buffer.from(Array.from({ length: 20 }, (_, i) => `w${i}\n`).join(""));
    const { segments, warnings } = await encode(Buffer.concat([before, invalid]), { segmentBytes: 10 });
    expect(segments.length).toBeGreaterThan(5);
    expect(warnings).toEqual(["invalid_utf8 ×3 1:22 1:24", "no_final_newline ×1 1:24"]);
  });

  it("that are not UTF-8 are refused with --strict", async () => {
    const refused = expect(encode(invalid, { strict: true })).rejects;
    await refused.toMatchObject({ code: "invalid_utf8", message: expect.stringMatching(/line 2 of .*1$/) });
  });

  it("that are refused with --strict are told by their line in a later segment too", async () => {
    const before = Buffer.from(Array.from({ length: 20 }, (_, i) => `w${i}\n`).join(""));
    const refused = expect(
      encode(Buffer.concat([before, invalid]), { strict: true, segmentBytes: 10 }),
    ).rejects;
    await refused.toMatchObject({ code: "invalid_utf8", message: expect.stringMatching(/line 22 of .*1$/) });
  });

  it("of another encoding are converted", async () => {
    const text = Buffer.from("caf\xe9\tN\n<s n=\xfc>\n\xdf\tX\n</s>\n", "latin1");
    const { tokens, structures, warnings } = await encode(text, {
      attributes: ["word", "tag"],
      encoding: "latin1",
      look: (snapshot) => expect(snapshot.structure("s").value(0, "n")).toBe("ü"),
    });
    expect({ tokens, structures, warnings }).toEqual({
      tokens: ["café ß", "N X"],
      structures: { s: [[1, 2]] },
      warnings: [],
    });
  });

  it("of a gzip file that was cut are taken as far as they go", async () => {
    const random = Array.from({ length: 3000 }, (_, i) => `w${(i * 7919) % 100_003}`).join("\n");
    const whole = gzipSync(random);
    const { tokens, warnings } = await encode([whole.subarray(0, whole.length - 4000), lines("x y")]);
    const found = tokens[0].split(" ");
    expect(found.length).toBeGreaterThan(100);
    expect(found.slice(-2)).toEqual(["x", "y"]);
    expect(random.startsWith(found.slice(0, -2).join("\n"))).toBe(true);
    expect(warnings).toEqual([
      expect.stringContaining("no_final_newline ×1 1:"),
      "truncated_compression ×1 1:1",
    ]);
  });

  it("that follow a gzip file are left out", async () => {
    const { tokens, warnings } = await encode(
      Buffer.concat([gzipSync(lines("a b")), Buffer.from("garbage")]),
    );
    expect({ tokens, warnings }).toEqual({ tokens: ["a b"], warnings: ["trailing_garbage ×1 1:1"] });
  });

  it("of a gzip file that are damaged are refused", async () => {
    const damaged = gzipSync(lines("a b c d e f g h i j k"));
    damaged[damaged.length - 6] ^= 1;
    await expect(encode(damaged)).rejects.toMatchObject({ code: "broken_compression" });
  });
});

describe("entities", () => {
  const text = '<s n="a&amp;b">\n&lt;b&gt;\tx&#9;y\n&nbsp;&#x1F600;\t&amp;lt;\n</s>\n';

  it("stay as they are unless asked for", async () => {
    const { tokens } = await encode(text, {
      attributes: ["word", "tag"],
      look: (snapshot) => expect(snapshot.structure("s").value(0, "n")).toBe("a&amp;b"),
    });
    expect(tokens).toEqual(["&lt;b&gt; &nbsp;&#x1F600;", "x&#9;y &amp;lt;"]);
  });

  it("are decoded where asked for, and no token becomes a tag by it", async () => {
    const { tokens, structures } = await encode(text, {
      attributes: ["word", "tag"],
      entities: true,
      look: (snapshot) => expect(snapshot.structure("s").value(0, "n")).toBe("a&b"),
    });
    expect(tokens).toEqual(["<b> &nbsp;😀", "x y &lt;"]);
    expect(structures).toEqual({ s: [[0, 2]] });
  });

  it("are decoded in lines that end in CR LF as in others", async () => {
    const { tokens, warnings } = await encode("a&amp;b\r\n<!-- &amp; -->\r\nc\r\n", { entities: true });
    expect({ tokens, warnings }).toEqual({
      tokens: ["a&b c"],
      warnings: ["carriage_return ×3 1:1 1:2 1:3", "comment ×1 1:2"],
    });
  });

  it("do not change tokens that have none, whatever they begin with", async () => {
    const { tokens } = await encode("\u0001a\n\u0001&amp;\n\u0001<b>\n<3>\n", { entities: true });
    expect(tokens).toEqual(["\u0001a \u0001& \u0001<b> <3>"]);
  });
});

describe("structures", () => {
  it("of different names may overlap", async () => {
    const { structures, warnings } = await encode(lines("<a> 1 <b> 2 </a> 3 </b> 4"));
    expect({ structures, warnings }).toEqual({ structures: { a: [[0, 2]], b: [[1, 3]] }, warnings: [] });
  });

  it("that are never closed end with what encloses them, or with the file", async () => {
    const { structures, warnings } = await encode([lines("<a> 1 <b> 2 </a> 3 <b> 4"), lines("5 <a> 6")]);
    expect({ structures, warnings }).toEqual({
      structures: {
        a: [
          [0, 2],
          [5, 6],
        ],
        b: [
          [1, 2],
          [3, 4],
        ],
      },
      warnings: ["not_closed ×3 1:3 1:7 2:2"],
    });
  });

  it("that wait for their end are all given up when another of their name opens, or stands empty", async () => {
    const opens = await encode(lines("<a> <s> <s> 1 </a> 2 <s> 3 </s>"));
    expect(opens.structures.s).toEqual([
      [0, 1],
      [0, 1],
      [2, 3],
    ]);
    const empty = await encode(lines("<a> <s> 1 </a> 2 <s/> 3 </s>"));
    expect(empty.structures.s).toEqual([
      [0, 1],
      [2, 2],
    ]);
  });

  it("of one name nest properly, also where only the inner one is closed", async () => {
    const { structures } = await encode(lines("<a> <s> 1 <s> </a> 2 </s> 3"), {
      look: (snapshot) => {
        const inside = snapshot.segments[0].structures("s");
        expect(inside?.allContaining(0)).toEqual([0]);
        expect(inside?.allContaining(1)).toEqual([1, 0]);
        expect(inside?.allContaining(2)).toEqual([]);
      },
    });
    expect(structures.s).toEqual([
      [0, 2],
      [1, 2],
    ]);
  });

  it("that were not open cannot be closed", async () => {
    const { structures, warnings } = await encode(lines("</a> 1 <a> 2 </a> </a> 3 </b>"));
    expect({ structures, warnings }).toEqual({
      structures: { a: [[1, 2]], b: [] },
      warnings: ["not_open ×3 1:1 1:6 1:8"],
    });
  });

  it("that are not closed or not open are told by their own line, not that of another like them", async () => {
    const { warnings } = await encode(lines("<s> 1 </s> <s> 2 </s> </s> 3 <s> 4"));
    expect(warnings).toEqual(["not_closed ×1 1:9", "not_open ×1 1:7"]);
  });

  it("may be nested a hundred deep", async () => {
    const { structures, warnings } = await encode(`${"<s>\na\n".repeat(100)}${"</s>\nb\n".repeat(100)}`, {
      look: (snapshot) => {
        expect(snapshot.structure("s").containing(99)).toBe(99);
        expect(snapshot.segments[0].structures("s")?.allContaining(99)).toHaveLength(100);
        expect(snapshot.structure("s").containing(100)).toBe(98);
      },
    });
    expect(structures.s).toEqual(Array.from({ length: 100 }, (_, i) => [i, 199 - i]));
    expect(warnings).toEqual([]);
  });

  it("nested deeper than 256 close the innermost", async () => {
    const { structures, warnings } = await encode(`${"<s>\na\n".repeat(300)}${"</s>\n".repeat(300)}`);
    const wanted = Array.from({ length: 300 }, (_, i) => [i, i < 255 ? 300 : i < 299 ? i + 1 : 300]);
    expect(structures.s).toEqual(wanted);
    expect(warnings[0]).toMatch(/^not_open ×44 1:857 /);
    expect(warnings[1]).toMatch(/^too_deep ×44 1:513 1:515 /);
  });

  it("without any tokens are kept", async () => {
    const { tokens, structures } = await encode(lines("<doc> <s/> <s> </s> </doc>"), { document: "doc" });
    expect(tokens).toEqual([""]);
    expect(structures).toEqual({
      doc: [[0, 0]],
      s: [
        [0, 0],
        [0, 0],
      ],
    });
  });

  it("are none in an empty file, to which more can be appended", async () => {
    expect((await encode(["", "\n"])).tokens).toEqual([""]);
    const { tokens, structures } = await encode("", { append: [lines("<s> a </s>")] });
    expect({ tokens, structures }).toEqual({ tokens: ["a"], structures: { s: [[0, 1]] } });
  });

  it("with an attribute given twice take the first", async () => {
    const text = "<s a=1 b=2 a=3>\nx\n</s>\n<s b=1>\ny\n</s>\n<s a=1 b=2 a=3>\nz\n</s>\n";
    const { warnings } = await encode(text, {
      look: (snapshot) => {
        const s = snapshot.structure("s");
        expect([0, 1, 2].map((i) => [s.value(i, "a"), s.value(i, "b")])).toEqual([
          ["1", "2"],
          [undefined, "1"],
          ["1", "2"],
        ]);
      },
    });
    expect(warnings).toEqual(["repeated_attribute ×2 1:1"]);
  });

  it("may have attributes of any name", async () => {
    const attributes = [
      "value",
      "ids",
      "counts",
      "lists",
      "begins",
      "table",
      "blocks",
      "xml:lang",
      "toString",
    ];
    const tag = `<s ${attributes.map((name, i) => `${name}="v${i}"`).join(" ")}>`;
    await encode(`${tag}\na\n</s>\n`, {
      look: (snapshot) => {
        const s = snapshot.structure("s");
        expect(attributes.map((name) => s.value(0, name))).toEqual(attributes.map((_, i) => `v${i}`));
      },
    });
  });

  it("may have any name, in some of the segments", async () => {
    const names = ["constructor", "toString", "glue", "word", "a.b:c-d"];
    const files = names.map((name) => `<${name} n=1>\nx\n</${name}>\n`);
    const { structures } = await encode(files, { segmentBytes: 1 });
    expect(Object.entries(structures)).toEqual(names.map((name, i) => [name, [[i, i + 1]]]));
  });

  it.each([
    ["longer than a file's may be", `<${"x".repeat(300)}>`],
    ["with an attribute's name longer than a file's may be", `<s ${"x".repeat(300)}=1>`],
    ["that is none in JavaScript", "<__proto__>"],
    ["with an attribute's name that is none in JavaScript", "<s __proto__=1>"],
  ])(
    "with a name %s are taken for what they are, or for tokens, or refused with a reason",
    async (_, tag) => {
      const outcome = await encode(`${tag}\na\n`).catch((error) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(DugongError);
      else if (outcome.tokens[0] !== `${tag} a`) {
        const [name, ranges] = Object.entries(outcome.structures)[0];
        expect([`<${name}`, ranges]).toEqual([tag.split(/[ >]/)[0], [[0, 1]]]);
      }
    },
  );
});

describe("glue", () => {
  it("at the end of a file is left out", async () => {
    const { glue, warnings } = await encode([lines("a <g/> b <g/>"), lines("c <g/> <g/> d <g/> <g/>")]);
    expect({ glue, warnings }).toEqual({
      glue: ".g.g",
      warnings: [expect.stringMatching(/^glue_at_end ×2/)],
    });
  });

  it("at the border of two segments is kept", async () => {
    const { glue, segments } = await encode(lines("a <g/> b c <g/> <s> d </s> <g/>"), { segmentBytes: 1 });
    expect(segments.length).toBeGreaterThan(5);
    expect(glue).toBe(".g.g");
  });
});

describe("a document", () => {
  it("that is not closed is closed by the next", async () => {
    const { structures, warnings } = await encode(lines("<doc> <s> 1 <doc> 2 </doc> 3 <doc> 4"), {
      document: "doc",
    });
    expect({ structures, warnings }).toEqual({
      structures: {
        doc: [
          [0, 1],
          [1, 2],
          [3, 4],
        ],
        s: [[0, 1]],
      },
      warnings: ["not_closed ×2 1:2 1:8", "document_not_closed ×1 1:1"],
    });
  });

  const long = lines(
    `<doc id=a> <s> ${Array.from({ length: 30 }, (_, i) => `w${i}`).join(" ")} </s> </doc> <doc id=b> x </doc>`,
  );

  it("longer than a segment is still one, and told where it was cut", async () => {
    const whole = await encode(long, { document: "doc" });
    const { tokens, structures, segments, warnings } = await encode(long, {
      document: "doc",
      segmentBytes: 30,
      look: (snapshot) => {
        const doc = snapshot.structure("doc");
        expect([0, 15, 29, 30].map((position) => doc.containing(position))).toEqual([0, 0, 0, 1]);
        expect([doc.value(0, "id"), doc.value(1, "id")]).toEqual(["a", "b"]);
        const { lexicon } = snapshot.attribute("word");
        expect(lexicon.documentFrequency(lexicon.find("w17"))).toBe(1);
      },
    });
    expect(segments.length).toBeGreaterThan(2);
    expect(tokens).toEqual(whole.tokens);
    expect(structures).toEqual({
      doc: [
        [0, 30],
        [30, 31],
      ],
      s: [[0, 30]],
    });
    // Cut before the first line of each later segment that no document begins.
    const cuts = segments
      .slice(0, -1)
      .map((_, i) => segments.slice(0, i + 1).reduce((sum, count) => sum + count, 3));
    expect(warnings).toEqual([`document_split ×${cuts.length} ${cuts.map((line) => `1:${line}`).join(" ")}`]);
  });

  it("longer than a segment counts once for a word that is in all its parts", async () => {
    const text = lines(`<doc> ${"a b ".repeat(30)} </doc> <doc> a </doc>`);
    const { segments } = await encode(text, {
      document: "doc",
      segmentBytes: 20,
      derive: ["uc=uppercase(word)"],
      look: (snapshot) => {
        const count = (attribute: string, string: string) => {
          const { lexicon } = snapshot.attribute(attribute);
          return lexicon.documentFrequency(lexicon.find(string));
        };
        expect([count("word", "a"), count("word", "b"), count("uc", "A")]).toEqual([2, 1, 2]);
      },
    });
    expect(segments.length).toBeGreaterThan(2);
  });

  it("longer than a segment ends where the next begins, though an end tag follows", async () => {
    const filler = Array.from({ length: 10 }, (_, i) => `w${i}`).join(" ");
    const text = lines(`<doc> ${filler} <doc> y </doc> z </doc> u`);
    const whole = await encode(text, { document: "doc" });
    const { segments, structures } = await encode(text, { document: "doc", segmentBytes: 17 });
    expect(segments.length).toBeGreaterThan(1);
    expect(structures).toEqual(whole.structures);
  });
});

describe("a structure around many segments", () => {
  const documents = Array.from({ length: 10 }, (_, i) => `<doc id=${i}> a b </doc>`).join(" ");

  it("is one structure", async () => {
    const { structures, segments, warnings } = await encode(lines(`<corpus> ${documents} </corpus> c`), {
      document: "doc",
      segmentBytes: 30,
      look: (snapshot) => {
        expect(snapshot.structure("corpus").containing(11)).toBe(0);
        expect(snapshot.structure("corpus").containing(20)).toBe(-1);
      },
    });
    expect(segments.length).toBeGreaterThan(3);
    expect(structures.corpus).toEqual([[0, 20]]);
    expect(structures.doc).toHaveLength(10);
    expect(warnings).toEqual([]);
  });

  it("that is never closed ends with its file, not with the corpus", async () => {
    const text = lines(`<corpus> ${documents}`);
    const { structures, segments, warnings } = await encode([text, lines("x <corpus> y")], {
      document: "doc",
      segmentBytes: 30,
      append: [lines("z")],
    });
    expect(segments.length).toBeGreaterThan(3);
    expect(structures.corpus).toEqual([
      [0, 20],
      [21, 22],
    ]);
    expect(warnings).toEqual(["not_closed ×2 1:1 2:2"]);
  });

  it.each([
    ["is overlapped by another", "<a> <s> 1 </a> 2 </s> 3"],
    ["ends inside another", "<a> 0 <s> 1 </a> 2 <s> 3 </s> 4"],
    ["ends inside another of which only the inner is closed", "<a> <s> 1 <s> 2 </a> 3 </s> 4 <s> 5"],
    ["waits for an end that does not come", "<a> <s> 1 </a> 2 3 4 <s> 5 </s>"],
    ["nests in its like", "<s> 1 <s> 2 </s> 3 <s> 4 <s> 5 </s> </s> 6 </s> </s> 7"],
    ["stands empty inside", "<s> 1 <s/> 2 <s/> </s> <s/> 3"],
  ])("that %s is the same in any number of segments", async (_, text) => {
    const whole = await encode(lines(text));
    for (const segmentBytes of [1, 4, 7, 11, 16]) {
      const { structures, warnings } = await encode(lines(text), { segmentBytes });
      expect({ segmentBytes, structures, warnings }).toEqual({
        segmentBytes,
        structures: whole.structures,
        warnings: whole.warnings,
      });
    }
  });
});

describe("structures that were cut between segments", () => {
  it.each([
    ["nest", "<s> <s> 1 2 </s> 3 </s> 4"],
    ["nest deeper", "<s> 1 <s> 2 <s> <s> 3 </s> 4 </s> 5 </s> 6 </s> 7"],
    ["stand empty", "<s> 1 <s/> 2 </s> <s/> <s> <s/> 3 </s> 4"],
  ])("and %s lie inside each other again when the segments are joined", async (_, text) => {
    const facts: unknown[] = [];
    const look = (snapshot: Snapshot) => {
      const s = snapshot.structure("s");
      const positions = Array.from({ length: snapshot.tokens }, (_, i) => i);
      facts.push({
        around: positions.map((position) => s.containing(position)),
        all: positions.map((position) => snapshot.segments[0].structures("s")?.allContaining(position)),
      });
    };
    const whole = await encode(lines(text), { look });
    const joined = await encode(lines(text), { look, segmentBytes: 1, compact: true });
    expect(joined).toEqual(whole);
    expect(facts[1]).toEqual(facts[0]);
  });
});

describe("a directory", () => {
  it("of five hundred tiny files is read in their order", async () => {
    const where = join(folder, "tiny");
    mkdirSync(where);
    const count = 500;
    for (let i = 0; i < count; i++) {
      const text = `<doc n="${i}">\nw${i}\n</doc>\n`;
      writeFileSync(join(where, `${String(i).padStart(4, "0")}.vert`), i % 3 === 0 ? gzipSync(text) : text);
    }
    const data = join(folder, "tiny-data");
    const options = { data, corpus: "c", inputs: [where], attributes: ["word"], document: "doc" };
    const { manifest, warnings } = await encodeCorpus({ ...options, workers: 2, segmentBytes: 1500 });
    expect(warnings).toEqual([]);
    expect(manifest.segments.length).toBeGreaterThan(5);
    const snapshot = openCorpus({ data, corpus: "c", pool });
    const { lexicon } = snapshot.attribute("word");
    const ids = new Uint32Array(count);
    snapshot.ids(snapshot.attribute("word"), 0, count, ids);
    expect([...ids].map((id) => lexicon.string(id))).toEqual(
      Array.from({ length: count }, (_, i) => `w${i}`),
    );
    const doc = snapshot.structure("doc");
    expect(Array.from({ length: doc.count }, (_, i) => doc.value(i, "n"))).toEqual(
      Array.from({ length: count }, (_, i) => String(i)),
    );
    await snapshot.close();
  });
});

describe("a dump, encoded again,", () => {
  const roundTrip = async (text: string, options: Options = {}) => {
    let dumped = "";
    const look = (snapshot: Snapshot) => {
      dumped = [...dumpCorpus(snapshot, { entities: options.entities })].join("");
    };
    const first = await encode(text, { ...options, look });
    const second = await encode(dumped, options);
    expect({ ...second, warnings: [] }).toEqual({ ...first, warnings: [] });
  };

  it("has the tokens that look like something else in fewer columns", async () => {
    await roundTrip("<p>\tx\n\tx\n<!-- a -->\tx\na\r\r\n</p>\tx\n");
  });

  it("has overlapping structures where they were", async () => {
    await roundTrip(lines("<x> a <s> b c <s> </x> d e </s> f </s> g"));
    await roundTrip(lines("<x> <s> a b <doc> </x> c </s> d </doc> <doc> e"), { document: "doc" });
  });

  it("has structures that begin at the same token in their order", async () => {
    await roundTrip(lines("<s n=1> <s n=2/> <x/> a </s> <s n=3/> <s n=4> <s n=5> b </s> </s> <s n=6/>"));
  });

  it("has entities where they are needed", async () => {
    await roundTrip('<s n="&lt;&quot;&amp;">\n&lt;s&gt;\n&amp;amp;\n"\n</s>\n', { entities: true });
  });
});
