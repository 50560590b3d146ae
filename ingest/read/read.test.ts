/** Files as people have them: told apart by what is in them, and read as pages or as documents. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Document, documentText } from "../stream/documents.js";
import type { Page } from "../stream/page.js";
import { Warnings } from "../stream/report.js";
import { documentsOfAny } from "./documents.js";
import { Entities } from "./entities.js";
import { type Format, formatOf } from "./formats.js";
import { entriesOf } from "./list.js";
import { pagesOf } from "./pages.js";
import { readText } from "./read.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-read-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};

const samples: Record<Format | "none", string[]> = {
  warc: [
    "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n",
  ],
  wet: ["WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n\r\n\r\nWARC/1.0\r\nWARC-Type: conversion\r\n"],
  arc: ["filedesc://x.arc 0.0.0.0 20080430204825 text/plain 76\n1 1 X\n"],
  html: [
    "<!DOCTYPE html>\n<p>x",
    "<html lang='en'>",
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">\n<html xmlns="x">',
    "<!-- a page --><body>",
    "some text <div class='x'>and <p>more</p></div>",
  ],
  text: ["Once upon a time\n\nthere was", "a < b & c", "", "1\tno\n1 sentences\n", "<3 is a heart"],
  leipzig: ["1\tEin Satz.\n2\tNoch einer.\n", "17\tÓlavur kom.\n"],
  tei: [
    '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="x">',
    "<teiCorpus.2>",
    "<!-- x -->\n<tei:TEI xmlns:tei='x'>",
  ],
  conllu: [
    "# newdoc id = x\n# text = Go.\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n",
  ],
  vertical: [
    '<doc id="1">\n<s>\nGo\tgo\n<g/>\n.\t.\n</s>\n</doc>\n',
    "<doc>\nGo\tgo\tV\n.\t.\tX\n</doc>\n",
    "a\tb\nc\td\n",
  ],
  stream: ['<doc id="1">\n<p>\nSome text here.\n</p>\n</doc>\n', "<p>\nx y\n</p>\n", "<doc>\n</doc>\n"],
  none: ["\x00\x01\x02", "PNG\x01\x02\x03\x04\x05"],
};

describe("a format", () => {
  for (const [format, texts] of Object.entries(samples)) {
    it(`${format} is told from the first bytes`, () => {
      for (const text of texts) expect(formatOf(Buffer.from(text)), text).toBe(format);
    });
  }

  it("is always told, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, text) => {
        formatOf(bytes);
        formatOf(Buffer.from(text));
      }),
    );
  });
});

async function documents(inputs: string[], format?: Format, stdin?: Readable) {
  const warnings = new Warnings();
  const found: Document[] = [];
  for await (const one of documentsOfAny(inputs, { warnings, format, stdin })) found.push(one);
  const texts = found.map(({ paragraphs }) => paragraphs.map(({ text }) => text));
  return { found, texts, attributes: found.map((one) => ({ ...one.attributes })), warnings: warnings.list };
}

describe("documents", () => {
  it("of plain text are files, with paragraphs between empty lines and nothing taken for a tag", async () => {
    const path = file("plain.txt", "One line\nanother &amp; one\r\n \n\n<p>\nlast < line");
    const { texts, attributes } = await documents([path]);
    expect(texts).toEqual([["One line\nanother &amp; one", "<p>\nlast < line"]]);
    expect(attributes).toEqual([{ id: path }]);
  });

  it("of text of old Macs have lines that end in CR", async () => {
    const { texts } = await documents([file("mac.txt", "one\rtwo\rthree\r\rfour\r")]);
    expect(texts).toEqual([["one\ntwo\nthree", "four"]]);
  });

  it("of UTF-16 are told and read as its mark says", async () => {
    const text = Buffer.from("\ufeffHøga\n\nfjall\n", "utf16le");
    for (const bytes of [text, Buffer.from(text).swap16()]) {
      const { texts, warnings } = await documents([file("wide.txt", bytes)]);
      expect(texts).toEqual([["Høga", "fjall"]]);
      expect(warnings).toEqual([]);
    }
  });

  it("of a treebank are read, and its broken lines counted", async () => {
    const row = (id: number, form: string) => `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t_\n`;
    const sentence = row(1, "Go") + row(2, "on") + row(3, "!");
    const broken = "A broken line without columns\n";
    for (const text of [
      `${sentence}\n${sentence}\n${sentence}\n${row(1, "x")}${broken}`,
      `# sent_id = 1\n${sentence}${broken}\n`,
    ]) {
      const { texts, warnings } = await documents([file("broken.conllu", text)]);
      expect(texts[0][0].split("\n")[0]).toBe("Go on !");
      expect(warnings).toMatchObject([{ kind: "no_word", count: 1 }]);
    }
    expect(formatOf(Buffer.from(`${row(1, "a")}${"some text\n".repeat(3)}`))).toBe("text");
  });

  it("of a Leipzig corpus are sentences, with the sources that lie beside them", async () => {
    const path = file(
      "leipzig/fao_wikipedia_2021_10K-sentences.txt",
      "1\tEin.\n2\tTveir & trý.\nno sentence\n3\tFýra.\n",
    );
    file("leipzig/fao_wikipedia_2021_10K-sources.txt", "7\thttp://a\t2021-01-02\n8\thttp://b\t\n");
    file("leipzig/fao_wikipedia_2021_10K-inv_so.txt", "7\t1\n8\t2\n7\t3\n");
    const name = "fao_wikipedia_2021_10K";
    const whole = await documents([dirname(path)], undefined);
    // The line that is none made it text for those who guess; whoever knows better says so.
    expect(whole.texts.flat().length).toBe(1);
    const { texts, attributes, warnings } = await documents([path], "leipzig");
    expect(texts).toEqual([["Ein."], ["Tveir & trý."], ["Fýra."]]);
    expect(attributes).toEqual([
      { id: `${name}:1`, url: "http://a", date: "2021-01-02", declared: "fao" },
      { id: `${name}:2`, url: "http://b", declared: "fao" },
      { id: `${name}:3`, url: "http://a", date: "2021-01-02", declared: "fao" },
    ]);
    expect(warnings).toMatchObject([{ kind: "no_sentence", count: 1, places: [{ line: 3 }] }]);
  });

  it("of CoNLL-U are text again: spaces, words written as one, empty nodes", async () => {
    const row = (id: string, form: string, misc = "_") => `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n`;
    const text =
      `# newdoc id = d1\n# newpar id = p1\n# sent_id = 1\n${row("1-2", "Don't", "SpaceAfter=No")}${row("1", "Do")}` +
      `${row("2", "n't")}${row("3", ",")}${row("3.1", "you")}${row("4", "go", "SpaceAfter=No|X=1")}${row("5", "!")}\n` +
      `${row("1", "Stay")}\n# newpar\n${row("1", "New")}\n# newdoc id = d2\n${row("1", "x")}`;
    const { texts, attributes, found } = await documents([file("a.conllu", text)]);
    expect(texts).toEqual([["Don't, go!\nStay", "New"], ["x"]]);
    expect(attributes).toEqual([{ id: "d1" }, { id: "d2" }]);
    expect({ ...found[0].paragraphs[0].attributes }).toEqual({ id: "p1" });
  });

  it("of vertical text are text again, with the attributes of documents", async () => {
    const vertical =
      '<doc id="1" url="http://x/?a=1&amp;b=2">\n<p heading="1">\n<s>\nGo\tgo\n<g/>\n,\t,\n<b>\nnow\tnow\n</b>\n</s>\n<s>\n&lt;\tx\n</s>\n</p>\n<p>\nlast\n</p>\n</doc>\nstray\tx\n';
    const { texts, attributes } = await documents([file("a.vert", vertical)]);
    expect(texts).toEqual([["Go, now\n&lt;", "last"], ["stray"]]);
    expect(attributes[0]).toEqual({ id: "1", url: "http://x/?a=1&b=2" });
  });

  it("of the text stream are as they were", async () => {
    const path = file("a.stream.gz", gzipSync("<doc id='1'>\n<p>\na &amp; b\n</p>\n</doc>\n"));
    expect((await documents([path])).texts).toEqual([["a & b"]]);
  });

  it("of WET are its conversions, a line a paragraph", async () => {
    const record = (type: string, text: string) =>
      `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: http://x/\r\nWARC-Date: 2024-05-18T01:58:10Z\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}\r\n\r\n`;
    const path = file(
      "a.wet.gz",
      Buffer.concat([
        gzipSync(record("warcinfo", "x: y")),
        gzipSync(record("conversion", "Títul\n\n líne \r\n")),
      ]),
    );
    const { texts, attributes } = await documents([path]);
    expect(texts).toEqual([["Títul", "líne"]]);
    expect(attributes).toEqual([{ url: "http://x/", fetched: "2024-05-18T01:58:10Z" }]);
  });

  it("come from standard input as from files, compressed or not", async () => {
    for (const pack of [Buffer.from, gzipSync]) {
      for (const text of ["Some\n\ntext", "1\tEin.\n2\tTveir.\n", samples.tei[0], samples.vertical[0]]) {
        const piped = await documents(
          ["-"],
          undefined,
          Readable.from([pack(text as never)], { objectMode: false }),
        );
        const filed = await documents([file("same", text)]);
        expect(piped.texts).toEqual(filed.texts);
      }
    }
  });

  it("are not made of pages, nor of what is no text", async () => {
    await expect(documents([file("page", "<html><body>x")])).rejects.toMatchObject({
      code: "not_text_yet",
      hint: expect.stringContaining("dugong clean"),
    });
    expect((await documents([file("binary", "\x00\x01")])).warnings).toMatchObject([{ kind: "no_text" }]);
  });

  it("are written as a stream that reads the same", async () => {
    const path = file("again.txt", "a < b\n\n<doc>\n& c");
    const output = join(folder, "again.stream");
    const report = await readText({ inputs: [path], output }, {});
    expect(report).toMatchObject({
      step: "read",
      documentsOut: 1,
      wordsOut: 6,
      details: { formats: { text: 1 } },
    });
    const before = (await documents([path])).found;
    expect(readFileSync(output, "utf8")).toBe(before.map(documentText).join(""));
    expect((await documents([output])).texts).toEqual([["a < b", "<doc>\n& c"]]);
  });
});

describe("TEI", () => {
  const tei = async (body: string, header = "") =>
    documents([
      file(
        "a.xml",
        `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader>${header}</teiHeader><text><body>${body}</body></text></TEI>`,
      ),
    ]);

  it("has the entities that it declares itself, within bounds; others are counted", async () => {
    const document = (declared: string, body: string) =>
      `<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE TEI SYSTEM "tei.dtd" [\n<!-- <!ENTITY no "x"> -->\n${declared}\n]>\n<TEI><teiHeader/><text><body><p>${body}</p></body></text></TEI>`;
    const path = file(
      "declared.xml",
      document(
        `<!ENTITY fo "Føroyar"><!ENTITY both '&fo; &amp; <hi>Ísland</hi>'><!ENTITY fo "later"><!ENTITY far SYSTEM "x.xml">`,
        "&fo;, &both; &amp;fo; &far; &none; &notit; &lt; &#233; &eacute;&mdash;&LT;",
      ),
    );
    const { texts, warnings } = await documents([path]);
    expect(texts).toEqual([["Føroyar, Føroyar & Ísland &fo; &far; &none; &notit; < é é—<"]]);
    expect(warnings).toMatchObject([{ kind: "unknown_entity", count: 3 }]);

    const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`);
    const bomb = file(
      "bomb.xml",
      document(`<!ENTITY l0 "haha"><!ENTITY me "&me;">${laughs.join("")}`, "&l1; &l20; &me;"),
    );
    const bombed = await documents([bomb]);
    expect(bombed.texts).toEqual([[`${"haha".repeat(10)} &l20; &me;`]]);
    expect(bombed.warnings).toMatchObject([{ kind: "unknown_entity", count: 2 }]);

    const many = file("many.xml", document(`<!ENTITY big "${"x".repeat(60_000)}">`, "&big; ".repeat(2000)));
    const grown = await documents([many]);
    expect(grown.texts.flat(2).join("").length).toBeLessThan(20 * 1024 * 1024);
    expect(grown.warnings).toMatchObject([{ kind: "large_entities" }]);
  });

  it("is the same however it is cut, entities too", async () => {
    const whole = `<!DOCTYPE TEI [<!ENTITY fo "Før'oyar">]><TEI><teiHeader/><text><body><p>Í &fo; &amp; &x;.</p></body></text></TEI>`;
    for (const size of [1, 2, 3, 7]) {
      const entities = new Entities("x", { warnings: new Warnings() });
      let text = "";
      for (let at = 0; at < whole.length; at += size) text += entities.replaced(whole.slice(at, at + size));
      expect(text + entities.replaced("", true)).toBe(
        "<TEI><teiHeader/><text><body><p>Í Før'oyar &amp; &x;.</p></body></text></TEI>",
      );
    }
  });

  it("gives paragraphs, headings and lines, without notes and the other one of a choice", async () => {
    const { texts, found } = await tei(
      "<div><head>The <hi>title</hi></head><p>One &amp;\n two&#xe9;<note>not this</note>.</p>loose text<lg><l>first verse</l><l>second</l></lg>" +
        "<p>a<lb/>b hyphen-<lb break='no'/>ated <choice><sic>rong</sic><corr>wrong</corr></choice> <abbr>Dr</abbr></p></div>",
    );
    expect(texts).toEqual([
      ["The title", "One & twoé.", "loose text", "first verse", "second", "a b hyphen-ated wrong Dr"],
    ]);
    expect({ ...found[0].paragraphs[0].attributes }).toEqual({ heading: "1" });
  });

  it("joins tokens as the file says: by white space, by join, or with a space where there is neither", async () => {
    const spaced = "<p><s><w>Go</w><pc>,</pc> <w>now</w><pc>!</pc></s> <s><w>Stay</w></s></p>";
    const joined =
      "<p><s>\n<w join='right'>Go</w>\n<pc>,</pc>\n<w>now</w>\n<pc join='left'>!</pc>\n</s><s><w>Stay</w></s></p>";
    const bare =
      "<p><s><w join='right'>Go</w><pc>,</pc><w>now</w><pc join='left'>!</pc></s><s><w>Stay</w></s></p>";
    const inside = "<p><s><w>Go</w><pc>, </pc><w>now</w><pc>!</pc></s><s><w>Stay</w></s></p>";
    for (const body of [spaced, joined, bare, inside])
      expect((await tei(body)).texts).toEqual([["Go, now!\nStay"]]);
  });

  it("that is cut off is read as far as it goes, and counted", async () => {
    const whole = "<TEI><teiHeader/><text><body><p>One.</p><p>Two.</p></body></text></TEI>";
    expect((await documents([file("whole.xml", whole)])).warnings).toEqual([]);
    const { texts, warnings } = await documents([file("cut.xml", whole.slice(0, whole.indexOf("Two") + 3))]);
    expect(texts).toEqual([["One.", "Two"]]);
    expect(warnings).toMatchObject([{ kind: "truncated_xml", count: 1 }]);
  });

  it("takes title, date and id from headers, and a document for each text of a corpus", async () => {
    const header =
      "<fileDesc><titleStmt><title>A <hi>title</hi></title><title>other</title></titleStmt><publicationStmt><idno>id7</idno><date when='1999-01-02'>then</date></publicationStmt></fileDesc>";
    expect((await tei("<p>x</p>", header)).attributes).toEqual([
      { id: "id7", title: "A title", date: "1999-01-02" },
    ]);
    const corpus = `<teiCorpus><teiHeader><title>all</title></teiHeader>${["a", "b"]
      .map(
        (id) => `<TEI xml:id="${id}"><teiHeader><date>1850</date></teiHeader><text><p>${id}</p></text></TEI>`,
      )
      .join("")}</teiCorpus>`;
    const { texts, attributes } = await documents([file("corpus.xml", corpus)]);
    expect(texts).toEqual([["a"], ["b"]]);
    expect(attributes).toEqual([
      { id: "a", date: "1850" },
      { id: "b", date: "1850" },
    ]);
  });

  it("is read in the encoding that it names", async () => {
    const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><TEI><text><p>Þórður</p></text></TEI>';
    expect((await documents([file("latin1.xml", Buffer.from(xml, "latin1"))])).texts).toEqual([["Þórður"]]);
  });

  it("never fails, however it is cut", async () => {
    const xml =
      "<TEI><teiHeader><title>t</title></teiHeader><text><p><s><w join='left'>a</w> &#x; <pc>.</pc></s></p></text></TEI>";
    for (let end = 5; end < xml.length; end += 3)
      await documents([file("cut.xml", xml.slice(0, end))], "tei");
  });
});

describe("pages", () => {
  const html = "<!doctype html><title>x</title>";
  const response = (url: string, http: string, type = "response", contentType = "application/http") =>
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nWARC-Date: 2024-05-18T01:58:10Z\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(http)}\r\n\r\n${http}\r\n\r\n`;
  const ok = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX-A: 1\r\n\r\n${html}`;
  const archive = [
    response("http://a/", ok),
    response("http://b/", ok.replace("200", "404")),
    response("http://c/", ok.replace("text/html", "image/png")),
    response("dns:a", "20240518015810\na. 1 IN A 127.0.0.1\n", "response", "text/dns"),
    response("http://d/", "GET / HTTP/1.1\r\n\r\n", "request"),
    response("http://e/", html, "resource", "text/html"),
    response("metadata://x", "log", "resource", "text/plain"),
    response("http://f/", ok, "revisit"),
    response("http://g/", "no http at all"),
    response("http://h/", `HTTP/1.1 200 OK\r\n\r\n${html}`),
    response("ftp://i/", "plain text", "response", "text/plain"),
    response("http://j/", "text", "conversion", "text/plain"),
  ].join("");

  async function pages(inputs: string[], more = {}) {
    const warnings = new Warnings();
    const passed = new Map<string, number>();
    const found: Page[] = [];
    for await (const page of pagesOf(inputs, { warnings, passed, ...more })) found.push(page);
    return { found, passed: Object.fromEntries(passed), kinds: warnings.list.map(({ kind }) => kind) };
  }

  it("of an archive are its good responses and resources, and the rest is counted", async () => {
    const { found, passed, kinds } = await pages([file("x.warc", archive)]);
    expect(found.map(({ url }) => url)).toEqual(["http://a/", "http://e/", "http://h/", "ftp://i/"]);
    expect(found[0]).toMatchObject({
      fetched: "2024-05-18T01:58:10Z",
      contentType: "text/html; charset=utf-8",
      headers: { "x-a": "1" },
      offset: 0,
    });
    expect(Buffer.from(found[0].body).toString()).toBe(html);
    expect(passed).toEqual({
      "status 404": 1,
      "type image/png": 1,
      "dns:": 1,
      request: 1,
      "metadata:": 1,
      revisit: 1,
      conversion: 1,
    });
    expect(kinds).toEqual(["broken_response"]);
    const images = await pages([file("x.warc", archive)], { types: ["image/png"] });
    expect(images.found.map(({ url }) => url)).toEqual(["http://c/"]);
  });

  it("of a directory are its HTML files and archives, told by content", async () => {
    file("mixed/a.txt", html);
    file("mixed/b/c.gz", gzipSync(html));
    file("mixed/d.html", archive);
    file("mixed/e.css", "body { color: red }");
    const { found, kinds } = await pages([join(folder, "mixed")]);
    expect(found).toHaveLength(6);
    expect(found[0].url).toBe(join(folder, "mixed/a.txt"));
    expect(kinds.sort()).toEqual(["broken_response", "no_page"]);
  });

  it("that are cut off are left out, unless they are whole by their own account", async () => {
    const whole = response("http://a/", ok.replace("X-A: 1", `Content-Length: ${html.length}`)).replace(
      /Content-Length: \d+/,
      "Content-Length: 9999",
    );
    expect((await pages([file("cut.warc", whole)])).found).toHaveLength(1);
    const { found, passed } = await pages([file("cut.warc", response("http://a/", ok).slice(0, -20))]);
    expect([found, passed]).toEqual([[], { "cut off": 1 }]);
  });

  it("can be listed", async () => {
    const entries = [];
    for await (const entry of entriesOf([file("y.warc.gz", gzipSync(archive))], { warnings: new Warnings() }))
      entries.push(entry);
    expect(entries.map(({ url, status, type, bytes }) => [url, status, type, bytes]).slice(0, 2)).toEqual([
      ["http://a/", 200, "text/html", html.length],
      ["http://b/", 404, "text/html", html.length],
    ]);
    expect(entries).toHaveLength(11);
    const listing = entriesOf([file("z.txt", "text")], { warnings: new Warnings() });
    await expect(listing.next()).rejects.toMatchObject({ code: "not_an_archive" });
  });
});
