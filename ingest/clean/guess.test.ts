/** Charsets that bytes show of themselves. */
import { describe, expect, it } from "vitest";
import { decodeAs, decodePage } from "./charset.js";

/** As a charset of one byte. */
function encoded(text: string, label: string): Buffer {
  const bytes = new Map<string, number>();
  for (let byte = 0x80; byte < 0x100; byte++) bytes.set(decodeAs(label, Uint8Array.of(byte)), byte);
  return Buffer.from(Array.from(text, (char) => (char < "\x80" ? char.charCodeAt(0) : bytes.get(char)!)));
}

const russian = "Все люди рождаются свободными и равными в своем достоинстве и правах.";
const french =
  "Tous les êtres humains naissent libres et égaux en dignité et en droits, où qu’ils soient nés.";
const chinese = "人人生而自由,在尊严和权利上一律平等。".repeat(300);
const japanese = "すべてのひとは うまれながらにして じゆうであり。".repeat(300);
const page = (text: string, meta?: string) =>
  `<html><head>${meta ? `<meta charset="${meta}">` : ""}</head><body><p>${text}</p></body></html>`;

describe("bytes without a declaration", () => {
  it("are UTF-16 if every other byte of their markup is zero", () => {
    for (const text of ["plain", french, russian, chinese, japanese]) {
      const bytes = Buffer.from(page(text, "utf-8"), "utf16le");
      expect(decodePage(bytes)).toMatchObject({ charset: "utf-16le", from: "bytes", odd: [] });
      expect(decodePage(bytes).text).toContain(text);
      const swapped = decodePage(Buffer.from(bytes).swap16(), "text/html; charset=iso-8859-1");
      expect(swapped).toMatchObject({ charset: "utf-16be", odd: ["charset_wrong"] });
      expect(swapped.text).toContain(text);
      expect(decodePage(bytes, "text/html; charset=utf-16le").odd).toEqual([]);
    }
    // A few zeros in a page are rubbish.
    expect(decodePage(Buffer.from(`${page("plain")}\0\0 a\0b\0c`))).toMatchObject({ charset: "utf-8" });
    expect(decodePage(Buffer.from(page("plain")), "text/html; charset=utf-16").text).toContain("plain");
    expect(decodePage(encoded(page(french), "windows-1252"), "text/html; charset=utf-16").text).toContain(
      french,
    );
  });

  it("are ISO-2022-JP if they escape to two bytes a character and back", () => {
    for (const [begin, end] of [
      ["$B", "(B"],
      ["$@", "(J"],
    ]) {
      const bytes = Buffer.from(page(`\x1b${begin}F|K\\8l\x1b${end}`));
      expect(decodePage(bytes)).toMatchObject({ charset: "iso-2022-jp", from: "bytes", odd: [] });
      expect(decodePage(bytes).text).toContain("<p>日本語</p>");
      expect(decodePage(bytes, "text/html; charset=utf-8").odd).toEqual(["charset_wrong"]);
    }
    const terminal = Buffer.from("\x1b[1mbold\x1b[0m, and \x1b(B of a terminal that costs $B");
    expect(decodePage(terminal)).toMatchObject({ charset: "utf-8" });
  });

  it("are Thai by the order of vowels and tone marks, and Cyrillic of DOS by where its letters lie", () => {
    const thai = "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม";
    const bytes = encoded(page(thai), "windows-874");
    expect(decodePage(bytes)).toMatchObject({
      charset: "windows-874",
      from: "bytes",
      odd: ["charset_guessed"],
    });
    expect(decodePage(bytes).text).toContain(thai);
    expect(decodePage(encoded(page(russian), "ibm866"))).toMatchObject({ charset: "ibm866" });
    for (const label of ["windows-1251", "koi8-r", "iso-8859-5"])
      expect(decodePage(encoded(page(russian), label))).toMatchObject({ charset: label });
    expect(decodePage(encoded(page(french), "windows-1252"))).toMatchObject({ charset: "windows-1252" });
  });
});

describe("two declarations that differ", () => {
  const texts: [label: string, text: string][] = [
    ["windows-1251", russian],
    ["koi8-r", russian],
    ["ibm866", russian],
    ["windows-1250", "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv."],
    ["iso-8859-2", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw."],
    ["iso-8859-7", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."],
    ["windows-1254", "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar, akıl sahibidirler."],
    ["windows-1255", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."],
    ["windows-1256", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق"],
    ["windows-874", "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"],
  ];

  it("are decided by the bytes, where the header is a server's default", () => {
    for (const [label, text] of texts) {
      for (const header of ["iso-8859-1", "us-ascii", "windows-1252"]) {
        const read = decodePage(encoded(page(text, label), label), `text/html; charset=${header}`);
        expect(read, label).toMatchObject({ charset: label, from: "page", odd: ["charset_wrong"] });
        expect(read.text).toContain(text);
      }
    }
    const shiftJis = Buffer.concat([
      Buffer.from('<meta charset="Shift_JIS"><p>'),
      Buffer.from("93fa967b8cea82cc83658358836782c582b78142", "hex"),
    ]);
    const read = decodePage(shiftJis, "text/html; charset=iso-8859-1");
    expect(read).toMatchObject({ charset: "shift_jis", odd: ["charset_wrong"] });
    expect(read.text).toContain("日本語のテストです。");
  });

  it("are decided by the bytes, where it is the page that is wrong", () => {
    for (const [label, text] of texts) {
      const read = decodePage(encoded(page(text, "iso-8859-1"), label), `text/html; charset=${label}`);
      expect(read, label).toMatchObject({ charset: label, from: "header", odd: [] });
    }
    const bytes = (meta: string) => encoded(page(french, meta), "windows-1252");
    for (const meta of ["windows-1251", "euc-kr", "gb2312", "iso-8859-2", "iso-8859-7"])
      expect(decodePage(bytes(meta), "text/html; charset=iso-8859-1"), meta).toMatchObject({
        charset: "windows-1252",
        from: "header",
      });
    for (const meta of ["latin1", "us-ascii", "iso-8859-15", "iso8859_1"]) {
      const read = decodePage(bytes(meta), "text/html; charset=windows-1252");
      expect(read, meta).toMatchObject({ charset: "windows-1252", odd: [] });
      expect(read.text).toContain("qu’ils soient nés");
    }
  });

  it("are of no account where the bytes are UTF-8 with some flaws", () => {
    const text = "“Příliš žluťoučký kůň” – úpěl ďábelské ódy";
    const bytes = Buffer.concat([Buffer.from(page(text, "utf-8")), Buffer.from([0xc5])]);
    const read = decodePage(bytes, "text/html; charset=iso-8859-1");
    expect(read).toMatchObject({ charset: "utf-8", odd: expect.arrayContaining(["charset_wrong"]) });
    expect(read.text).toContain(text);
    expect(decodePage(bytes, "text/html; charset=shift_jis").text).toContain(text);
  });
});

describe("UTF-8 and another charset in one page", () => {
  const pieces = (meta?: string) =>
    Buffer.concat([
      Buffer.from(page("If you’re here", meta)),
      encoded("<p>don’t – caf\u00e9 – it’s £5</p>", "windows-1252"),
      Buffer.from("<p>that’s “it”</p>"),
    ]);

  it("are each decoded as what they are", () => {
    for (const [meta, header] of [["utf-8"], [undefined, "utf-8"], ["iso-8859-1"]]) {
      const read = decodePage(pieces(meta), header && `text/html; charset=${header}`);
      expect(read.charset).toBe("utf-8");
      expect(read.odd).toContain("mixed_charsets");
      for (const text of ["If you’re here", "don’t – café – it’s £5", "that’s “it”"])
        expect(read.text).toContain(text);
    }
    const cyrillic = Buffer.concat([
      Buffer.from(page("“свой” — “чужой” — «другой»".repeat(3), "windows-1251")),
      encoded(russian, "windows-1251"),
    ]);
    expect(decodePage(cyrillic).text).toContain(russian);
    expect(decodePage(cyrillic).text).toContain("«другой»");
  });

  it("are not seen in text of one charset, whatever it says", () => {
    for (const label of ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"])
      expect(decodePage(encoded(page(russian, "utf-8"), label))).toMatchObject({ charset: label });
    const korean = Buffer.from(
      "b8f0b5e720c0ceb0a3c0ba20c5c2bef6b3af20b6a7bacec5cd20c0dac0afb7cebfecb8e7",
      "hex",
    );
    expect(
      decodePage(Buffer.concat([Buffer.from("<meta charset=utf-8><p>"), korean, korean])).odd,
    ).not.toContain("mixed_charsets");
  });
});
