import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DugongError } from "../errors.js";
import { derivations, deriver, parseDerivation } from "./derive.js";

const derive = (name: string, value: string, ...given: string[]) =>
  deriver({ function: name, arguments: given })(value);

function failure(act: () => unknown): DugongError {
  try {
    act();
  } catch (error) {
    return error as DugongError;
  }
  throw new Error("nothing was thrown");
}

describe("a derivation", () => {
  it.each([
    ["lowercase", ["ŽLUŤ Ⅻ"], "žluť ⅻ"],
    ["lowercase", ["The", "en_US"], "the"],
    ["utf8lowercase", ["The", "C"], "the"],
    ["uppercase", ["straße"], "STRASSE"],
    ["utf8uppercase", ["élan"], "ÉLAN"],
    ["capital", ["élan Vital"], "Élan Vital"],
    ["utf8capital", ["𐐨𐐨"], "𐐀𐐨"],
    ["utf8capital", [""], ""],
    ["fold", ["Élan"], "elan"],
    ["fold", ["İSTANBUL"], "istanbul"],
    ["fold", ["한글"], "한글"],
    ["undiacritic", ["Žluťoučký kůň"], "Zlutoucky kun"],
    ["undiacritic", ["e\u0301\u0323"], "e"],
    ["getnchar", ["NNS", "1"], "N"],
    ["getnchar", ["NNS", "3"], "S"],
    ["getnchar", ["NNS", "4"], ""],
    ["getnchar", ["NNS", "0"], ""],
    ["getnchar", ["a😀b", "2"], "😀"],
    ["getfirstn", ["žluť", "2"], "žl"],
    ["getfirstn", ["ab", "5"], "ab"],
    ["utf8getfirstn", ["😀b", "1"], "😀"],
    ["getlastn", ["žluť", "2"], "uť"],
    ["getlastn", ["ab", "0"], ""],
    ["utf8getlastn", ["b😀", "1"], "😀"],
    ["utf8getlastn", ["b😀", "9"], "b😀"],
    ["striplastn", ["make-v", "2"], "make"],
    ["striplastn", ["a", "2"], ""],
    ["getfirstbysep", ["nmod:of", ":"], "nmod"],
    ["getfirstbysep", ["nmod", ":"], "nmod"],
    ["getnbysep", ["2013-09-03", "-", "1"], "2013"],
    ["getnbysep", ["2013-09-03", "-", "3"], "03"],
    ["getnbysep", ["2013-09-03", "-", "4"], ""],
    ["getnbysep", ["2013-09-03", "-", "0"], ""],
    ["getnbysep", ["plain", "-", "1"], "plain"],
    ["url2domain", ["http://www.bbc.co.uk/news?x=1", "0"], "bbc.co.uk"],
    ["url2domain", ["http://www.bbc.co.uk/news", "1"], "uk"],
    ["url2domain", ["https://www.bbc.co.uk:8080/news", "2"], "co.uk"],
    ["url2domain", ["news.example.org", "3"], "news.example.org"],
    ["url2domain", ["example.org/a//b", "9"], "example.org"],
    ["url2domain", ["http://10.0.0.1/x", "0"], "10.0.0.1"],
    ["url2domain", ["", "2"], ""],
  ])("%s of %j is %j", (name, [value, ...given], result) => {
    expect(derive(name, value, ...given)).toBe(result);
  });

  it("is tested above for every function there is", () => {
    expect([...derivations].sort()).toEqual(
      [
        "capital fold getfirstbysep getfirstn getlastn getnbysep getnchar lowercase striplastn undiacritic",
        "uppercase url2domain utf8capital utf8getfirstn utf8getlastn utf8lowercase utf8uppercase",
      ].flatMap((line) => line.split(" ")),
    );
  });

  it("folds to something that folds to itself, whatever the case and composition", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        const folded = derive("fold", value);
        expect(derive("fold", folded)).toBe(folded);
        expect(derive("fold", value.normalize("NFD"))).toBe(folded);
        expect(derive("fold", value.normalize("NFC"))).toBe(folded);
      }),
    );
  });

  it("cuts a string in two where the first n characters end and the last ones start", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(20), (value, n) => {
        const length = [...value].length;
        expect(derive("getfirstn", value, `${n}`)).toBe([...value].slice(0, n).join(""));
        expect(derive("striplastn", value, `${n}`) + derive("getlastn", value, `${n}`)).toBe(value);
        expect([...derive("getlastn", value, `${n}`)].length).toBe(Math.min(n, length));
      }),
    );
  });

  it("names the nearest function if there is none of the name", () => {
    const error = failure(() => derive("lowercsae", "x"));
    expect(error.code).toBe("unknown_derivation");
    expect(error.hint).toBe("Did you mean lowercase?");
    expect(failure(() => derive("__proto__", "x")).code).toBe("unknown_derivation");
  });

  it.each([
    ["fold", ["x"]],
    ["getnchar", []],
    ["getnchar", ["x"]],
    ["getnchar", ["-1"]],
    ["getfirstbysep", ["::"]],
    ["getfirstbysep", [""]],
    ["getnbysep", ["-"]],
    ["lowercase", ["C", "C"]],
  ])("refuses arguments that do not fit: %s(%j)", (name, given) => {
    expect(failure(() => deriver({ function: name, arguments: given })).code).toBe("bad_derivation");
  });
});

describe("a derivation as written", () => {
  it.each([
    ["lc", { name: "lc", from: "word", function: "lowercase", arguments: [] }],
    ["fold", { name: "fold", from: "word", function: "fold", arguments: [] }],
    ["plain=fold", { name: "plain", from: "word", function: "fold", arguments: [] }],
    ["plain=fold()", { name: "plain", from: "word", function: "fold", arguments: [] }],
    ["lc=lowercase(word)", { name: "lc", from: "word", function: "lowercase", arguments: [] }],
    [
      "lemma_lc = lowercase( lemma )",
      { name: "lemma_lc", from: "lemma", function: "lowercase", arguments: [] },
    ],
    ["dom=url2domain(url,2)", { name: "dom", from: "url", function: "url2domain", arguments: ["2"] }],
    ["m=getnbysep(date, '-', 2)", { name: "m", from: "date", function: "getnbysep", arguments: ["-", "2"] }],
    ['x=getfirstbysep(tag,",")', { name: "x", from: "tag", function: "getfirstbysep", arguments: [","] }],
    ["x=getfirstbysep(tag,'=')", { name: "x", from: "tag", function: "getfirstbysep", arguments: ["="] }],
  ])("%s", (text, derivation) => {
    expect(parseDerivation(text, "word")).toEqual(derivation);
  });

  it.each([
    "",
    "=",
    "lc=",
    "=fold",
    "x=fold(",
    "x=fold)",
    "x=fold(word",
    "a b=fold",
    "x=fold(,)",
    "x=getfirstbysep(a,')",
  ])("refuses %j and says how to write it", (text) => {
    const error = failure(() => parseDerivation(text, "word"));
    expect(error.code).toBe("bad_derivation");
    expect(error.hint).toContain("Write it as");
  });

  it("names the nearest function", () => {
    const error = failure(() => parseDerivation("x=flod(word)", "word"));
    expect(error.code).toBe("unknown_derivation");
    expect(error.hint).toBe("Did you mean fold?");
  });
});
