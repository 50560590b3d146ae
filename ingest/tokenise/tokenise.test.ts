/** Tokens and sentences: nothing of the text is lost, nothing looks like a tag, and languages have what is theirs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { isComment, parseTag } from "../../storage/input/tags.js";
import { limits } from "../limits.js";
import { DocumentCutter } from "./documents.js";
import { tables } from "./languages/index.js";
import { languageCode, readTable } from "./table.js";
import { type TokeniseOptions, tokenise } from "./tokenise.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-tokenise-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cutters = new Map<string, DocumentCutter>();

function linesOf(text: string, language: string): string[] {
  let cutter = cutters.get(language);
  if (!cutter) cutters.set(language, (cutter = new DocumentCutter({ language })));
  const paragraph = { attributes: {}, text };
  return cutter
    .cut([{ attributes: {}, paragraphs: [paragraph] }])
    .text.split("\n")
    .slice(0, -1);
}

/** Tokens with spaces between them, "+" before those without a space before them, "|" between sentences. */
function cut(text: string, language = "und"): string {
  let shown = "";
  let glue = "";
  for (const line of linesOf(text, language)) {
    if (line === "<s>") shown += shown === "" ? "" : " |";
    else if (line === "<g/>") glue = "+";
    else if (!/^<\/?(?:doc|p|s)>$/.test(line)) {
      shown += `${shown === "" ? "" : " "}${glue}${line}`;
      glue = "";
    }
  }
  return shown;
}

describe("any text", () => {
  const marks = [
    "<",
    ">",
    "/",
    "g/",
    "s>",
    "!--",
    "-->",
    "?",
    ".",
    "...",
    "'",
    "n't",
    "l'",
    "3",
    "1,000",
    "http://a.b/c",
  ];
  const pieces = [
    "can",
    "not",
    "don",
    "Mr.",
    "U.S.",
    "日本語",
    "คำไทย",
    "한국",
    "é",
    "e\u0301",
    "👩‍👩‍👧",
    "🇫🇴",
    "\u200b",
    "@x",
    "#y",
    "-",
    "—",
    "·",
    'א"',
    "ג׳",
    "f.Kr.",
    "a.It",
    "བོ་",
    "v2.0",
  ];
  const unit = fc.oneof(
    fc.constantFrom(...marks, ...pieces, " ", "\n", "\u00a0"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const languages = ["und", "en", "fr", "de", "cs", "ca", "zh", "th", "fo", "he", "fi"];

  it("comes back from its tokens, up to white space, and no token is a tag", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.constantFrom(...languages), (units, language) => {
        const text = units.join("");
        let back = "";
        let glue = "";
        let open = false;
        for (const line of linesOf(text, language)) {
          if (/^<\/?(?:doc|p)>$/.test(line)) continue;
          if (line === "<s>" || line === "</s>") {
            expect(open).toBe(line === "</s>");
            open = line === "<s>";
          } else if (line === "<g/>") glue = "+";
          else {
            expect([line, parseTag(line, false), isComment(line)]).toEqual([line, null, false]);
            expect(line).not.toMatch(/[\s\p{Cc}]/u);
            back += (back === "" || glue !== "" ? "" : " ") + line;
            glue = "";
          }
        }
        const plain = text
          .replace(/[\s\p{Cc}\u200b]*[\s\p{Cc}][\s\p{Cc}\u200b]*/gu, " ")
          .replaceAll("\u200b", "")
          .trim();
        expect(back).toBe(plain);
      }),
      { numRuns: 600 },
    );
  });

  it("may have no space for long", () => {
    for (const text of ["x", "日", "ก", "-a", ".", "a.", "(", "<>", "👍", 'א"', "v2.", "བ་", "a·"]) {
      const long = text.repeat(50_000);
      const tokens = linesOf(long, "en").filter((line) => !/^<(?:g\/|\/?(?:doc|p|s))>$/.test(line));
      expect(tokens.join("") === long, text).toBe(true);
      expect(Math.max(...tokens.map((token) => token.length))).toBeLessThanOrEqual(limits.pieceCharsMax);
    }
  });
});

describe("tokens", () => {
  it.each([
    ["en", "I don't, can't, won't and cannot.", "I do +n't +, ca +n't +, wo +n't and can +not +."],
    [
      "en",
      "She’s gonna say we'll see the dogs' owner's",
      "She +’s gon +na say we +'ll see the dogs +' owner +'s",
    ],
    ["en", "a well-known e-mail co-author", "a well +- +known e-mail co-author"],
    [
      "en",
      "$1,000.50 or 50% at 10:30am on 3/4/2024 (2024-03-04), the 2nd",
      "$ +1,000.50 or 50 +% at 10:30 +am on 3/4/2024 ( +2024-03-04 +) +, the 2nd",
    ],
    [
      "en",
      "See http://a.org/b?c=d, www.x.com. Mail a.b@c.org!",
      "See http://a.org/b?c=d +, www.x.com +. | Mail a.b@c.org +!",
    ],
    ["en", "wow :-) <3 ... #tag @me 👩‍👩‍👧🇫🇴!!", "wow :-) <3 ... #tag @me 👩‍👩‍👧 +🇫🇴 +!!"],
    ["en", "<b>no tag</b> <br/> <g/>", "< +b +> +no tag +< +/ +b +> < +br +/ +> < +g +/ +>"],
    [
      "fr",
      "L'homme qu'il a vu aujourd'hui, a-t-il dit : « oui »",
      "L' +homme qu' +il a vu aujourd'hui +, a +-t-il dit : « oui »",
    ],
    ["it", "Dell'acqua, un po' d'olio", "Dell' +acqua +, un po' d' +olio"],
    ["ca", "L'home va dir-ho, anar-se'n", "L' +home va dir +-ho +, anar +-se'n"],
    ["de", "Am 3. Mai kam Dr. Maier z.B. mit der U-Bahn", "Am 3. Mai kam Dr. Maier z.B. mit der U-Bahn"],
    ["cs", "Přišel 1. prosince česko-slovenský tým", "Přišel 1 +. prosince česko +- +slovenský tým"],
    ["uk", "п'ять об'єктів", "п'ять об'єктів"],
    ["ar", "مرحبا، كيف حالك؟ بخير.", "مرحبا +، كيف حالك +؟ | بخير +."],
    ["hi", "यह घर है। वह बड़ा है।", "यह घर है +। | वह बड़ा है +।"],
    ["ko", "저는 학생입니다. 안녕하세요?", "저는 학생입니다 +. | 안녕하세요 +?"],
    ["zh", "我们去北京。你呢？", "我们 +去 +北京 +。 | +你 +呢 +？"],
    ["ja", "私は学生です。ABC社", "私 +は +学生 +です +。 | +ABC +社"],
    ["th", "ภาษาไทย", "ภาษา +ไทย"],
    ["da", "Cæsar døde i 44 f.Kr. i Rom, kr.dk", "Cæsar døde i 44 f.Kr. i Rom +, kr.dk"],
    ["pl", "Są tam m.in. Polacy", "Są tam m.in. Polacy"],
    ["ro", "d-l. Pop, 300 î.Hr. și d.hr.", "d-l. Pop +, 300 î.Hr. și d.hr +."],
    ["en", "Ask Amazon.Com, amazon.it or late.It/x", "Ask Amazon.Com +, amazon.it or late.It/x"],
    ["pt", "Foi.Com Amazon.com", "Foi +. | +Com Amazon.com"],
    ["en", "v2.0.1 of UTF8, H2O.", "v2.0.1 of UTF8 +, H2O +."],
    ["ca", "una col·legi, l'il·lusió, Il·lm. X", "una col·legi +, l' +il·lusió +, Il·lm. X"],
    ["fi", "EU:n ja USA:ssa: niin 1990:n", "EU:n ja USA:ssa +: niin 1990:n"],
    ["sv", "EU:s 1:a: så", "EU:s 1:a +: så"],
    ["en", "one:two", "one +: +two"],
    ["fr", "n° 5, N°12 et n°. 3", "n° 5 +, N° +12 et n°. 3"],
    ["he", 'צה"ל או ד״ר "שלום" ב"הארץ" ג׳ורג׳', 'צה"ל או ד״ר " +שלום +" ב +" +הארץ +" ג׳ורג׳'],
    [
      "ja",
      "https://example.jp/です。a@b.jpへhttp://例え.jp/え",
      "https://example.jp/ +です +。 | +a@b.jp +へ +http://例え.jp/ +え",
    ],
    ["zh", "看www.a.cn/b，好", "看 +www.a.cn/b +， +好"],
    ["bo", "བོད་སྐད་ཡིན།", "བོད་ +སྐད་ +ཡིན +།"],
  ])("of %s: %s", (language, text, expected) => expect(cut(text, language)).toBe(expected));

  it("are the same of unspaced scripts, wherever a window of the segmenter ends", () => {
    const sentence = "我们去北京";
    const words = cut(sentence, "zh").split(" +").length;
    expect(cut(sentence.repeat(150), "zh").split(" +")).toHaveLength(words * 150);
  });
});

describe("sentences", () => {
  it.each([
    ["en", "Mr. Smith met J. R. Brown in the U.S. Army. He left at 5 p.m. The end.", 3],
    ["en", 'He said "Go!" and went. "Why?" she asked. See No. 5. No. Really.', 5],
    ["en", "He came, e.g. on Monday, etc. and so on... And then? yes.", 3],
    ["und", "One. Two! Three? four. «Five. »  Six", 5],
    ["de", "Das ist z. B. am 3. Mai so. Dr. Maier kam um 5 Uhr. „Ja.“ Er ging.", 4],
    ["fo", "Hann kom t.d. hin 3. mai. Hon fór kl. 5. Ja!", 3],
    ["ru", "Он жил в г. Москве в 1990 г. и работал. Потом уехал.", 2],
    ["el", "Τι κάνεις; Καλά.", 2],
    ["ja", "「はい。」と言った。次。", 3],
    ["pl", "Byli tam m.in. Polacy. Poszli.", 2],
    ["en", "He left the house.It was late.In 1990 he died.No one came.", 4],
    ["en", "He knew it.Was it so.is It? See index.html now.", 3],
    ["ka", "ის მოვიდა სახლში გუშინ. რა მოხდა მერე. კარგი დღეა დღეს.", 3],
    ["ka", "აქ იყო ი. ჭავჭავაძე. ისიც წავიდა.", 2],
    ["chr", "ᎣᏏᏲ. ᎭᏩ… ᎣᏍᏓ.", 2],
    ["ru", "«Как дела?» — спросила она. — Привет! — сказал он. — Он ушёл.", 3],
    ["es", "—¡Hola! —dijo él. —¿Qué? —preguntó ella.", 2],
    ["de", "„Komm!“ – sagte er. Er ging. – Ja.", 3],
  ])("of %s: %s", (language, text, count) =>
    expect(cut(text, language).split(" |"), cut(text, language)).toHaveLength(count as number),
  );

  it("end with every line, if that is asked for", () => {
    const paragraph = { attributes: {}, text: "roses are red\nviolets are blue" };
    const documents = [{ attributes: {}, paragraphs: [paragraph] }];
    expect(new DocumentCutter({ lines: true }).cut(documents).sentences).toBe(2);
    expect(new DocumentCutter().cut(documents).sentences).toBe(1);
  });
});

describe("tables", () => {
  it("have abbreviations with their periods, clitics with their apostrophes or hyphens, and known relatives", () => {
    for (const [code, table] of Object.entries(tables)) {
      const { titles = [], abbreviations = [], beforeNumbers = [], prefixes = [], suffixes = [] } = table;
      for (const word of [...titles, ...abbreviations, ...beforeNumbers])
        expect(word, code).toMatch(/^\S+\.$/);
      for (const word of prefixes) expect(word, code).toMatch(/^\S+['-]$/);
      for (const word of suffixes) expect(word, code).toMatch(/^(?:['-]|n't$)\S*$/);
      for (const [word, parts] of Object.entries(table.splits ?? {}))
        expect(parts.replaceAll(" ", ""), code).toBe(word);
      expect(table.like === undefined || tables[table.like] !== undefined, code).toBe(true);
      expect(code === "und" || languageCode(code) === code, code).toBe(true);
    }
  });

  it.each(Object.keys(tables))("have no abbreviation that is cut: %s", (language) => {
    const { titles = [], abbreviations = [], beforeNumbers = [] } = tables[language];
    const texts = [
      ...[...titles, ...abbreviations].map((word) => `xx ${word} yy`),
      ...beforeNumbers.map((word) => `xx ${word} 5`),
    ];
    for (const text of texts) expect(cut(text, language).replaceAll(" |", "")).toBe(text);
  });

  it("are found by any code of a language", () => {
    expect(["eng", "en-GB", "en", "fao", "cmn", "??", undefined].map(languageCode)).toEqual([
      "en",
      "en",
      "en",
      "fo",
      "zh",
      "und",
      "und",
    ]);
  });

  const table = (content: unknown) => {
    const path = join(folder, "table.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };

  it("are extended by a file", async () => {
    const path = table({
      eng: {
        abbreviations: ["Xyz."],
        suffixes: { remove: ["'s"] },
        splits: { kinda: "kind a" },
        hyphens: "join",
      },
      mis: {},
    });
    const text = "kinda well-known Xyz. Smith's";
    writeFileSync(join(folder, "own.txt"), text);
    const run = async (options: TokeniseOptions) => {
      await tokenise({ inputs: [join(folder, "own.txt")], output: join(folder, "own.vert") }, options);
      return readFileSync(join(folder, "own.vert"), "utf8").replaceAll("\n", " ");
    };
    expect(await run({ language: "en", table: path })).toContain("kind <g/> a well-known Xyz. Smith's </s>");
    expect(await run({ language: "en" })).toContain("kinda well <g/> - <g/> known Xyz <g/> .");
  });

  it("may be like others, by any code of theirs, and take abbreviations that look like hosts", () => {
    const changes = readTable(
      table({ fo: { abbreviations: ["a.b.com.", "x.doc.", "k/o."] }, gmh: { like: "fao" } }),
    );
    const cutter = new DocumentCutter({ language: "gmh", changes });
    const { text } = cutter.cut([
      { attributes: {}, paragraphs: [{ attributes: {}, text: "44 f.Kr. a.b.com. x.doc. k/o. K/O. x" }] },
    ]);
    expect(text.split("\n").slice(3, -4)).toEqual(["44", "f.Kr.", "a.b.com.", "x.doc.", "k/o.", "K/O.", "x"]);
  });

  it.each([
    ["{", /cannot read the table/],
    [[], /not an object of languages/],
    [{ en: { abreviations: [] } }, /abreviations of "en" is not a field/],
    [{ en: { titles: "Mr." } }, /titles of "en" is neither a list/],
    [{ en: { splits: { a: "b c" } } }, /has "a", which its parts do not give back/],
    [{ en: { hyphens: "maybe" } }, /none of join, split/],
    [{ en: { boundaries: "b=x" } }, /not a list of weights/],
    [{ "no language": {} }, /not the code of a language/],
    [{ fo: { like: "nolang" } }, /like of "fo" is "nolang", for which there is no table/],
    [{ fo: { like: "mis" }, mis: { like: "??" } }, /like of "mis" is "\?\?", for which there is no table/],
    [{ fo: { like: "fo" } }, /like of "fo" leads back to itself: fo → fo/],
    [{ da: { like: "nb" } }, /like of "da" leads back to itself: da → nb → da/],
  ])("that are wrong are refused: %j", (content, message) =>
    expect(() => readTable(table(content))).toThrow(message as RegExp),
  );
});

describe("the step", () => {
  it("takes languages from paragraphs and documents, keeps attributes, and leaves out what is empty", async () => {
    const input = join(folder, "in.txt");
    writeFileSync(
      input,
      `<doc id="1" lang="fra" title="a &quot;b&quot;">\n<p heading="1">\nL'homme\n</p>\n<p lang="eng">\nDon't\n</p>\n<p>\n</p>\n</doc>\n<doc id="2">\n</doc>\n`,
    );
    const output = join(folder, "out.vert");
    const report = await tokenise({ inputs: [input], output }, { language: "de" });
    expect(readFileSync(output, "utf8")).toBe(
      `<doc id="1" lang="fra" title="a &quot;b&quot;">\n<p heading="1">\n<s>\nL'\n<g/>\nhomme\n</s>\n</p>\n<p lang="eng">\n<s>\nDo\n<g/>\nn't\n</s>\n</p>\n</doc>\n`,
    );
    expect(report).toMatchObject({
      documentsIn: 2,
      documentsOut: 1,
      wordsOut: 4,
      details: { sentences: 2, languages: { fr: 2, en: 2 } },
    });
  });

  it("writes the same with threads, in the same order", async () => {
    const input = join(folder, "many.txt");
    const text = "It isn't e.g. Mr. Brown's. 我们去北京。 http://a.b/c (sic) ";
    writeFileSync(
      input,
      Array.from({ length: 3000 }, (_, i) => `<doc id="${i}">\n${text.repeat(i % 7)}${i}\n</doc>\n`).join(""),
    );
    const outputs = await Promise.all(
      [1, 3].map(async (workers) => {
        const output = join(folder, `many-${workers}.vert`);
        const report = await tokenise({ inputs: [input], output }, { language: "en", workers });
        return { text: readFileSync(output, "utf8"), report: { ...report, seconds: 0 } };
      }),
    );
    expect(outputs[1].text === outputs[0].text).toBe(true);
    expect(outputs[1].report).toEqual(outputs[0].report);
    expect(outputs[0].report.documentsOut).toBe(3000);
  });
});
