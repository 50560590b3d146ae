import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DugongError } from "../errors.js";
import { parseRegistry } from "./registry.js";

const parse = (text: string) => parseRegistry(text, "corpus.regi");

function failure(text: string): DugongError {
  try {
    parse(text);
  } catch (error) {
    return error as DugongError;
  }
  throw new Error("nothing was thrown");
}

describe("a registry", () => {
  it("gives its options as information, and those with a meaning by name", () => {
    const registry = parse(`
      NAME "My corpus"   # with a comment
      INFO 'it is "mine"'
      ENCODING utf8
      DEFAULTATTR lemma
      DOCSTRUCTURE text
      MAXDETAIL 100
      SUBCORPATTRS "a.b|c.d,#e"
    `);
    expect(registry).toEqual({
      information: {
        NAME: "My corpus",
        INFO: 'it is "mine"',
        MAXDETAIL: "100",
        SUBCORPATTRS: "a.b|c.d,#e",
      },
      encoding: "UTF-8",
      defaultAttribute: "lemma",
      documentStructure: "text",
      attributes: [],
      structures: [],
      ignored: [],
    });
    expect(parse('ENCODING "iso8859-2"').encoding).toBe("iso8859-2");
    expect(parse("").encoding).toBe("UTF-8");
  });

  it("lists attributes and structures in order, with blocks of any layout", () => {
    const registry = parse(
      [
        "ATTRIBUTE word",
        "ATTRIBUTE tag { LABEL 'part of speech' }",
        "STRUCTURE doc {",
        "  ATTRIBUTE id { LABEL id",
        "  TYPE UNIQUE }",
        "  ATTRIBUTE year",
        "  DISPLAYTAG 0",
        "  LABEL document",
        "}",
        "STRUCTURE s",
        'ATTRIBUTE "a/file"',
      ].join("\r\n"),
    );
    expect(registry.attributes).toEqual([
      { name: "word", information: {} },
      { name: "tag", label: "part of speech", information: {} },
      { name: "a/file", information: {} },
    ]);
    expect(registry.structures).toEqual([
      {
        name: "doc",
        label: "document",
        attributes: [
          { name: "id", label: "id", unique: true, information: {} },
          { name: "year", information: {} },
        ],
        information: { DISPLAYTAG: "0" },
      },
      { name: "s", attributes: [], information: {} },
    ]);
    expect(registry.ignored).toEqual([]);
  });

  it("makes an attribute multi-value only if MULTIVALUE says so, and says if a separator is idle", () => {
    const registry = parse(`ATTRIBUTE a {
      MULTIVALUE yes
      MULTISEP "|"
    }
    ATTRIBUTE b {
      MULTIVALUE y
    }
    ATTRIBUTE c {
      MULTISEP "|"
    }
    ATTRIBUTE d {
      MULTIVALUE no
    }
    ATTRIBUTE e {
      MULTIVALUE 1
      MULTISEP ""
    }`);
    expect(registry.attributes.map(({ separator }) => separator)).toEqual([
      "|",
      ",",
      undefined,
      undefined,
      undefined,
    ]);
    expect(registry.ignored.map(({ option, line }) => [option, line])).toEqual([
      ["MULTISEP of ATTRIBUTE c", 9],
      ["MULTISEP of ATTRIBUTE e", 16],
    ]);
  });

  it("derives attributes by the functions that are known, and says which are left out and why", () => {
    const registry = parse(`ATTRIBUTE word
ATTRIBUTE lc {
  DYNAMIC utf8lowercase
  DYNLIB internal
  ARG1 "C"
  FUNTYPE s
  FROMATTR word
  DYNTYPE index
}
ATTRIBUTE k {
  DYNAMIC getnbysep
  FROMATTR word
  ARG1 "-"
  ARG2 2
}
ATTRIBUTE x1 {
  DYNAMIC frobnicate
  FROMATTR word
}
ATTRIBUTE x2 {
  DYNAMIC lemma
  DYNLIB "/usr/lib/lemma.so"
  FROMATTR word
}
ATTRIBUTE x3 {
  DYNAMIC lowercase
}
ATTRIBUTE x4 {
  DYNAMIC lowercase
  FROMATTR x1
}
ATTRIBUTE x5 {
  DYNAMIC getnchar
  FROMATTR word
}
ATTRIBUTE x6 {
  DYNAMIC lowercase
  FROMATTR x4
}`);
    expect(registry.attributes).toEqual([
      { name: "word", information: {} },
      {
        name: "lc",
        derived: { from: "word", function: "utf8lowercase", arguments: ["C"] },
        information: { DYNTYPE: "index" },
      },
      { name: "k", derived: { from: "word", function: "getnbysep", arguments: ["-", "2"] }, information: {} },
    ]);
    expect(
      registry.ignored.map(({ option, line, why }) => `${line} ${option} ${why.split(" (")[0]}`),
    ).toEqual([
      '16 ATTRIBUTE x1 left out: no function "frobnicate" to derive an attribute with',
      "20 ATTRIBUTE x2 left out: its values come from the library /usr/lib/lemma.so",
      "25 ATTRIBUTE x3 left out: FROMATTR does not say which attribute it derives from",
      "28 ATTRIBUTE x4 left out: there is no attribute x1 to derive it from",
      "32 ATTRIBUTE x5 left out: getnchar takes 1 argument besides the attribute, not 0",
      "36 ATTRIBUTE x6 left out: there is no attribute x4 to derive it from",
    ]);
  });

  it("says what has no effect", () => {
    const registry = parse(`PATH /data
VERTICAL "| zcat x.gz"
ATTRIBUTE word {
  TYPE "FD_FGD"
}
ATTRIBUTE word
PROCESS x {
  A b
}
STRUCTURE s {
  TYPE file64
  STRUCTURE t
}
STRUCTURE s`);
    expect(registry.ignored.map(({ option, line }) => [option, line])).toEqual([
      ["PATH", 1],
      ["VERTICAL", 2],
      ["TYPE of ATTRIBUTE word", 4],
      ["ATTRIBUTE word", 6],
      ["PROCESS x", 7],
      ["TYPE of s", 11],
      ["STRUCTURE t", 12],
      ["STRUCTURE s", 14],
    ]);
    expect(registry.attributes).toHaveLength(1);
    expect(registry.structures).toHaveLength(1);
  });

  it.each([
    ["ATTRIBUTE word {", "corpus.regi:1:16:"],
    ["STRUCTURE s {\n  ATTRIBUTE id {\n}\n", "corpus.regi:1:13:"],
    ["\n }", "corpus.regi:2:2:"],
    ['NAME "x', "corpus.regi:1:6:"],
    ['NAME "x\nINFO "y"', "corpus.regi:1:6:"],
    ["NAME", "corpus.regi:1:5:"],
    ["NAME # nothing\nINFO x", "corpus.regi:1:15:"],
    ["NAME my corpus", "corpus.regi:1:9:"],
    ["NAME x {\n}", "corpus.regi:1:8:"],
    ["name x", "corpus.regi:1:1:"],
    ["{", "corpus.regi:1:1:"],
    ["STRUCTURE s {\n".repeat(100_000), "corpus.regi:17:13:"],
  ])("says where a text is broken (%#)", (text, place) => {
    const error = failure(text);
    expect(error.code).toBe("bad_registry");
    expect(error.message.split(" ")[0]).toBe(place);
  });

  it("is read or refused, whatever the text", () => {
    const piece = fc.constantFrom(
      "ATTRIBUTE",
      "STRUCTURE",
      "NAME",
      "a",
      '"',
      "'",
      "{",
      "}",
      " ",
      "\n",
      "#",
      "\r",
    );
    fc.assert(
      fc.property(fc.string({ unit: piece }), (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(DugongError);
        }
      }),
    );
  });
});

const shared = new URL("../../../shared/data/manatee/parlamint/", import.meta.url);
if (!existsSync(shared) && process.env.CI === "true")
  throw new Error("needs ../shared/data/manatee/parlamint");

describe.skipIf(!existsSync(shared))("the registries of ParlaMint (needs ../shared)", () => {
  const speech =
    "text_id title subcorpus lang topic body term session meeting sitting agenda date id speaker_id speaker_name speaker_role speaker_mp speaker_minister speaker_party speaker_party_name party_status party_orientation speaker_gender speaker_birth";

  it.each([
    ["AT", speech],
    ["HU", speech],
    ["IS", speech.replace("body", "body topic_is")],
  ])("of %s gives attributes and structures", (country, speechAttributes) => {
    const path = `${country}/parlamint50_${country.toLowerCase()}.regi`;
    const registry = parseRegistry(readFileSync(new URL(path, shared), "utf8"), path);
    expect(registry.encoding).toBe("UTF-8");
    expect(registry.documentStructure).toBe("speech");
    expect(registry.defaultAttribute).toBeUndefined();
    expect(registry.information.MAINTAINER).toBe("CLARIN.SI <info@clarin.si>");
    expect(registry.information.SIMPLEQUERY).toBe('[lc="%s" | norm="%s" | lemma_lc="%s"]');
    expect(registry.attributes.map(({ name }) => name).join(" ")).toBe(
      "word lc norm lemma lemma_lc pos feats id dep dep_head_lemma dep_head_pos dep_head_feats dep_head_id",
    );
    expect(registry.attributes.filter(({ separator }) => separator !== "|").map(({ name }) => name)).toEqual([
      "word",
      "lc",
      "lemma_lc",
    ]);
    expect(registry.attributes[4].derived).toEqual({
      from: "lemma",
      function: "utf8lowercase",
      arguments: ["C"],
    });
    const structures = registry.structures.map(({ name, attributes }) => [
      name,
      attributes.map((a) => a.name).join(" "),
    ]);
    expect(structures).toEqual([
      ["speech", speechAttributes],
      ["p", "id lang"],
      ["s", "id senti_3 senti_6 senti_n"],
      ["name", "type"],
      ["note", "type content"],
      ["g", ""],
    ]);
    const unique = registry.structures.flatMap(({ name, attributes }) =>
      attributes.filter((attribute) => attribute.unique).map((attribute) => `${name}.${attribute.name}`),
    );
    expect(unique).toEqual(["speech.id", "p.id", "s.id"]);
    expect(registry.structures[0].attributes.find(({ name }) => name === "topic")?.defaultValue).toBe("-");
    expect(registry.ignored.map(({ option }) => option)).toEqual([
      "PATH",
      "VERTICAL",
      ...["title", "subcorpus", "speaker_name", "speaker_party", "speaker_party_name"].map(
        (name) => `MULTISEP of ATTRIBUTE speech.${name}`,
      ),
      "TRANSQUERY of ATTRIBUTE lc",
      "TYPE of ATTRIBUTE lemma_lc",
      "TRANSQUERY of ATTRIBUTE lemma_lc",
    ]);
  });
});
