/** Charsets: what is said, what is true, and what is done when they differ. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePage } from "./charset.js";

const page = (text: string, charset?: string) =>
  `<html><head>${charset ? `<meta charset="${charset}">` : ""}<title>t</title></head><body><p>${text}</p></body></html>`;
const latin = (text: string) => Buffer.from(text, "latin1");
const czech = "Příliš žluťoučký kůň úpěl ďábelské ódy a pak se šel napít do potoka, který tekl za vsí.";
/** Letters of ISO 8859-2 that differ from windows-1250 are not among these. */
const czech1250 =
  "P\xf8\xedli\x9a \x9elu\x9dou\xe8k\xfd k\xf9\xf2 \xfap\xecl \xef\xe1belsk\xe9 \xf3dy a pak se \x9ael nap\xedt do potoka, kter\xfd tekl za vs\xed.";

describe("a page's charset", () => {
  it("is what the byte order mark says, whoever says otherwise", () => {
    const utf16 = Buffer.from(`\ufeff${page("déjà")}`, "utf16le");
    const read = decodePage(utf16, "text/html; charset=utf-8");
    expect(read).toMatchObject({ charset: "utf-16le", from: "bom", odd: [] });
    expect(read.text).toContain("déjà");
    expect(read.text.startsWith("<html>")).toBe(true);
    const swapped = Buffer.from(utf16).swap16();
    expect(decodePage(swapped)).toMatchObject({ charset: "utf-16be", from: "bom" });
    expect(decodePage(swapped).text).toBe(read.text);
    const utf8 = decodePage(Buffer.from(`\ufeff${page("déjà", "iso-8859-1")}`));
    expect(utf8).toMatchObject({ charset: "utf-8", from: "bom" });
    expect(utf8.text).toContain("déjà");
  });

  it("is what the header says before what the page says", () => {
    const bytes = latin(page(czech1250, "iso-8859-1"));
    const read = decodePage(bytes, 'text/html; Charset="windows-1250"');
    expect(read).toMatchObject({ charset: "windows-1250", from: "header", odd: [] });
    expect(read.text).toContain(czech);
  });

  it("is what the page says in a meta element, as HTTP would, or as XML", () => {
    for (const head of [
      '<meta charset="windows-1250">',
      "<META CHARSET=windows-1250>",
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1250">',
      "<meta name=a content=b><meta content='text/html;charset=CP1250' http-equiv=content-type />",
    ]) {
      expect(decodePage(latin(`<html>${head}<p>${czech1250}`))).toMatchObject({
        charset: "windows-1250",
        from: "page",
      });
    }
    const xml = decodePage(latin(`<?xml version="1.0" encoding="windows-1250"?><html><p>${czech1250}`));
    expect(xml).toMatchObject({ charset: "windows-1250", from: "page" });
    expect(xml.text).toContain(czech);
  });

  it("is windows-1252 where latin1 or ASCII is said", () => {
    for (const label of ["iso-8859-1", "latin1", "us-ascii", "ISO8859_1", "cp1252"]) {
      const read = decodePage(latin(page("\x93quoted\x94 \x96 na\xefve \x80", label)));
      expect(read).toMatchObject({ charset: "windows-1252", odd: [] });
      expect(read.text).toContain("“quoted” – naïve €");
    }
  });

  it("is UTF-8 where the bytes are, whatever is said", () => {
    const read = decodePage(
      Buffer.from(page("naïve “quotes”", "iso-8859-1")),
      "text/html; charset=ISO-8859-1",
    );
    expect(read).toMatchObject({ charset: "utf-8", from: "bytes", odd: ["charset_wrong"] });
    expect(read.text).toContain("naïve “quotes”");
    expect(decodePage(Buffer.from(page("naïve", "utf-8")))).toMatchObject({
      charset: "utf-8",
      from: "page",
      odd: [],
    });
    expect(decodePage(Buffer.from(page("naïve")))).toMatchObject({
      charset: "utf-8",
      from: "bytes",
      odd: [],
    });
    expect(decodePage(Buffer.from(page("plain", "windows-1251")))).toMatchObject({
      charset: "utf-8",
      odd: [],
    });
  });

  it("is looked for in the bytes where UTF-8 is said and is not true", () => {
    const read = decodePage(
      latin(page("caf\xe9 na\xefve \x93ol\xe9\x94 d\xe9j\xe0 vu, gar\xe7on, o\xf9", "utf-8")),
    );
    expect(read.odd).toEqual(["charset_wrong", "charset_guessed"]);
    expect(read.text).toContain("café naïve “olé” déjà vu, garçon, où");
    const russian = "Все люди рождаются свободными и равными в своем достоинстве и правах. ".repeat(5);
    const bytes = Buffer.from(
      [...russian].map((char) => (char >= "А" ? char.charCodeAt(0) - 0x410 + 0xc0 : char.charCodeAt(0))),
    );
    const guessed = decodePage(Buffer.concat([Buffer.from("<meta charset=utf-8><p>"), bytes]));
    expect(guessed).toMatchObject({ charset: "windows-1251", from: "bytes" });
    expect(guessed.text).toContain("рождаются свободными");
  });

  it("stays UTF-8 where a few bytes are broken", () => {
    const bytes = Buffer.concat([Buffer.from(page(czech, "utf-8")), Buffer.from([0xc5])]);
    const read = decodePage(bytes);
    expect(read).toMatchObject({ charset: "utf-8", odd: ["invalid_bytes"] });
    expect(read.text).toContain(czech);
  });

  it("is UTF-8 where a meta element says UTF-16, and nothing where nobody knows what it says", () => {
    expect(decodePage(Buffer.from(page("naïve", "utf-16be")))).toMatchObject({ charset: "utf-8", odd: [] });
    expect(decodePage(Buffer.from(page("naïve", "x-nonsense")))).toMatchObject({
      charset: "utf-8",
      odd: ["charset_unknown"],
    });
  });

  it("can be one of several bytes a character", () => {
    const shiftJis = Buffer.concat([
      latin('<meta charset="Shift_JIS"><p>'),
      Buffer.from("93fa967b8cea82cc83658358836782c582b78142", "hex"),
    ]);
    expect(decodePage(shiftJis)).toMatchObject({ charset: "shift_jis", odd: [] });
    expect(decodePage(shiftJis).text).toContain("日本語のテストです。");
    const iso2022 = latin('<meta charset="iso-2022-jp"><p>\x1b$BF|K\\8l\x1b(B</p>');
    expect(decodePage(iso2022).text).toContain("<p>日本語</p>");
    // What is said makes no sense of the bytes: the next that is said is taken.
    const wrong = decodePage(shiftJis, "text/html; charset=euc-kr");
    expect(wrong).toMatchObject({ charset: "shift_jis", from: "page", odd: ["charset_wrong"] });
  });

  it("is undone twice where it was done twice", () => {
    const text = page("“Déjà vu” – naïve, très très naïve…", "utf-8");
    const once = new TextDecoder("utf-8").decode(Buffer.from(text));
    const twice = Buffer.from(
      Buffer.from(once)
        .toString("latin1")
        .replace(/[\x80-\x9f]/g, (char) => new TextDecoder("windows-1252").decode(latin(char))),
    );
    const read = decodePage(twice);
    // Versions of Node differ in these 32 characters; what we decode does not.
    expect(read.odd).toEqual(["encoded_twice"]);
    expect(read.text).toBe(text);
    // Somebody who writes about this has not done it.
    const about = page("The letters Ã© and â€™ and Ã± on a page about 日本", "utf-8");
    expect(decodePage(Buffer.from(about))).toMatchObject({ text: about, odd: [] });
  });

  it("is found for any bytes", () => {
    const label = fc.constantFrom(
      "utf-8",
      "latin1",
      "shift_jis",
      "utf-16",
      "gbk",
      "iso-2022-jp",
      "big5",
      "nonsense",
      "",
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), label, label, (bytes, said, own) => {
        const whole = Buffer.concat([latin(own === "" ? "" : `<meta charset=${own}>`), bytes]);
        const read = decodePage(whole, said === "" ? undefined : `text/html; charset=${said}`);
        expect(new TextDecoder(read.charset).encoding).toBe(read.charset);
        expect(
          decodePage(Uint8Array.from(whole), said === "" ? undefined : `text/html; charset=${said}`),
        ).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps every text that is encoded as it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\ufeff") && !/[ÂÃâ]/.test(text));
        expect(decodePage(Buffer.from(page(text, "utf-8"))).text).toBe(page(text, "utf-8"));
      }),
    );
  });
});
