/** What tells close languages apart: tables of words, texts that say the same, and the model that was made of them. */
import { describe, expect, it } from "vitest";
import { rowsFor, wordsOf, wordTables } from "./close/tables.js";
import { defaultModel } from "./default.js";
import { Grams } from "./grams.js";
import { ownTexts } from "./texts/texts.js";

describe("tables of words", () => {
  it("have a cell for each language in each row, and no row twice", () => {
    for (const table of wordTables) {
      const rows = rowsFor(table, table.languages);
      for (const cells of rows) {
        expect(cells.join(" | "), cells.join(" | ")).not.toMatch(/undefined|^\s*\||\|\s*\||\|\s*$/);
        expect(cells).toHaveLength(table.languages.length);
      }
      const lines = table.rows.trim().split("\n");
      expect(lines.every((line) => line.split("|").length === table.languages.length)).toBe(true);
      expect(rowsFor(table, ["xyz"])).toEqual([]);
    }
    expect(wordsOf("nno")).toContain("ikkje");
    expect(rowsFor(wordTables[0], ["hrv", "bos"])[0][0]).toContain("povijest");
  });

  it("stand beside texts that say the same, sentence by sentence", () => {
    for (const group of [
      ["bos", "hrv", "srp"],
      ["nob", "nno", "dan"],
      ["ind", "msa"],
      ["xho", "zul"],
    ])
      expect(new Set(group.map((language) => ownTexts.get(language)?.length)).size, group.join()).toBe(1);
  });
});

describe("names", () => {
  it("are left out where enough else is said, capitals inside of a sentence", () => {
    const grams = new Grams(1000);
    const hashesOf = (text: string, skipsNames: boolean) => {
      grams.fill(text, skipsNames);
      return [...grams.hashes.subarray(0, grams.count)];
    };
    const without = hashesOf("Yesterday a man came to the old house near", false);
    expect(hashesOf("Yesterday a man came to the old house near Kowalczyk", true)).toEqual(without);
    // Where nothing else is left, and where a sentence begins, they count.
    for (const text of ["with Johann Sebastian Bach", "He came to the old house. Then he left it again"])
      expect(hashesOf(text, true)).toEqual(hashesOf(text, false));
  });
});

describe("close languages, in the model that Dugong comes with,", () => {
  it.each([
    ["bos", "Hiljade ljudi su u historiji ovog grada učestvovale u takmičenju, saopćeno je sedmicu kasnije."],
    ["hrv", "Tisuće ljudi sudjelovale su u natjecanju, priopćeno je tjedan dana poslije na sveučilištu."],
    [
      "srp",
      "Hiljade ljudi su u istoriji ovog grada učestvovale u takmičenju, saopšteno je nedelju dana kasnije.",
    ],
    [
      "srp",
      "Хиљаде људи су у историји овог града учествовале у такмичењу, саопштено је недељу дана касније.",
    ],
    ["nob", "Jeg vet ikke hvor hun kommer fra, men noen sier at de har sett henne her før."],
    ["nno", "Eg veit ikkje kvar ho kjem frå, men nokre seier at dei har sett henne her før."],
    ["dan", "Jeg ved ikke, hvor hun kommer fra, men nogle siger, at de har set hende her før."],
    ["ind", "Mobil polisi itu berhenti di depan kantor karena mereka tidak bisa lewat jalan raya."],
    ["msa", "Kereta polis itu berhenti di hadapan pejabat kerana mereka tidak boleh lalu di lebuh raya."],
    [
      "xho",
      "Urhulumente uthi abantwana kufuneka bafunde isiXhosa kwaye bathethe nabantu ngexesha elifanelekileyo.",
    ],
    ["zul", "Uhulumeni uthi izingane kumele zifunde isiZulu futhi zikhulume nabantu ngesikhathi esifanele."],
    ["cat", "Ahir vaig anar a comprar taronges amb la meva germana i després vam dinar a casa."],
    ["lat", "Agricola in agro laborat, dum filiae eius aquam e fonte portant et carmina cantant."],
  ])("tells %s", (language, text) => {
    expect(defaultModel().classify(text).language).toBe(language);
  });

  it("are told apart by what differs also where counting alone would say another", () => {
    const right = (language: string) =>
      ownTexts
        .get(language)!
        .filter((text) => defaultModel().classify(text, { threshold: 0 }).language === language).length /
      ownTexts.get(language)!.length;
    for (const language of ["bos", "hrv", "nob", "nno", "ind", "msa", "xho", "zul"])
      expect(right(language), language).toBeGreaterThan(0.65);
  });
});
