/** How a page becomes blocks: what begins one, what is left out, what markup that is broken does; and what it says of itself. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.js";
import { layoutOf } from "./blocks.js";
import { elementIn, elementNamed, mark, marksOf } from "./elements.js";
import { isoDate } from "./metadata.js";
import { keptLines, oneLine } from "./text.js";

const texts = (html: string) => layoutOf(html).blocks.map(({ text }) => text);
const about = (head: string) =>
  layoutOf(`<html><head>${head}</head><body><p>text</p></body></html>`).metadata;

describe("blocks", () => {
  it("begin and end at block-level tags, and not at others", () => {
    expect(texts("<div>one<p>two <b>bo</b>ld<h2>three</h2>four</div>five<ul><li>six<li>seven</ul>")).toEqual([
      "one",
      "two bold",
      "three",
      "four",
      "five",
      "six",
      "seven",
    ]);
    expect(texts("<table><tr><td>a<td>b<tr><th>c</table><article>d<section>e</section></article>")).toEqual([
      ..."abcde",
    ]);
  });

  it("end at two line breaks, and not at one", () => {
    expect(texts("<p>one<br>two<br/><br />three<br> \n <BR>four</p>")).toEqual(["one two", "three", "four"]);
  });

  it("keep lines in pre, and end at its empty lines", () => {
    expect(texts("<pre>one\n  two  words\n\nthree\r\n \r\nfour<br>five</pre>")).toEqual([
      "one\ntwo words",
      "three",
      "four\nfive",
    ]);
  });

  it("have no white space but single spaces", () => {
    expect(texts("<p>  a\n\tb&nbsp;&nbsp;c\u3000d </p><p> &#160; </p>")).toEqual(["a b c d"]);
  });

  it("have entities decoded once", () => {
    expect(texts("<p>&lt;b&gt; &amp;amp; &eacute; &#8217; &unknown; & AT&T</p>")).toEqual([
      "<b> &amp; é ’ &unknown; & AT&T",
    ]);
  });

  it("know how much of them is links", () => {
    const [one, two, three] = layoutOf(
      '<p>in <a href="x">a link</a> out<p><a name=top>no link</a><p><a href=y>all <b>of</b> it</a>',
    ).blocks;
    expect(one).toMatchObject({ linkChars: 6, links: 1 });
    expect(two).toMatchObject({ linkChars: 0, links: 0 });
    expect(three.linkChars).toBeGreaterThanOrEqual("allofit".length);
  });

  it("leave out what is not for readers", () => {
    const html = `<p>one</p><script>var a = "<p>no</p>";</script><style>p { }</style><noscript><p>no</p></noscript>
      <template><p>no<template>no</template>no</p></template><svg><title>no</title><text>no</text></svg><iframe>no</iframe>
      <textarea>no</textarea><!-- <p>no</p> --><object><p>no</p></object><p>two</p>`;
    expect(texts(html)).toEqual(["one", "two"]);
    expect(texts("<script/>no</script><svg/><p>yes")).toEqual(["yes"]);
  });

  it("come back where such an element is never closed", () => {
    expect(texts("<p>one<noscript><p>two<p>three")).toEqual(["one", "two", "three"]);
    const { blocks, odd } = layoutOf("<title>never closed<p>one</p><noscript><template><p>two");
    expect(blocks.map(({ text }) => text)).toEqual(["never closed", "one", "two"]);
    expect(odd).toEqual(["unclosed_element"]);
    expect(layoutOf("<title>t</title><p>one").odd).toEqual([]);
  });

  it("lie in headings, and in the elements around them", () => {
    const { blocks, elements } = layoutOf(
      '<div class="sidebar"><h3>head <i>ing</i></h3><p>text</div><h2>a<h2>b</h2>c',
    );
    expect(blocks.map(({ element }) => elements[element].heading)).toEqual([3, 0, 2, 2, 0]);
    expect(blocks.map(({ element }) => (elements[element].marksAround & mark.side) !== 0)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("are closed by end tags of what is open, not beyond a table's cell", () => {
    const { blocks, elements } = layoutOf(
      '<div id="nav">a<table><tr><td>b</div>c</td></tr></table>d</div>e</p></ul>f',
    );
    const inNav = blocks.map(({ element }) => (elements[element].marksAround & mark.nav) !== 0);
    expect(blocks.map(({ text }) => text).join("")).toBe("abcdef");
    expect(inNav).toEqual([true, true, true, true, false, false]);
  });

  it("know what is hidden", () => {
    const { blocks, elements } = layoutOf('<div style="color:red; DISPLAY : none"><p>a</div><p hidden>b<p>c');
    expect(blocks.map(({ element }) => elements[element].isHidden)).toEqual([true, true, false]);
  });

  it("are found however deep they lie, however long the page is, whatever attributes it has", () => {
    const deep = layoutOf(`${"<div>".repeat(100_000)}text${"</div>".repeat(100_000)}<p>after`);
    expect(deep.blocks.map(({ text }) => text)).toEqual(["text", "after"]);
    expect(deep.odd).toEqual(["deep_page"]);
    expect(deep.elements.length).toBeLessThan(limits.elementDepthMax + 2);
    const many = layoutOf("<p>x".repeat(limits.elementsMax + 10));
    expect(many.odd).toEqual(["long_page"]);
    expect(many.blocks.length).toBe(limits.elementsMax);
    const attributes = `<div ${Array.from({ length: 5000 }, (_, i) => `a${i}=${i}`).join(" ")} class=${"x".repeat(1e6)}>text</div>`;
    expect(texts(attributes)).toEqual(["text"]);
    expect(texts(`<${"x".repeat(1e6)}>text</p></${"y".repeat(1e6)}>`)).toEqual(["text"]);
  });

  it("survive NUL bytes and tags that never end", () => {
    expect(texts("<p>a\0b\0</p><p>c</p><p title='")).toEqual(["ab", "c"]);
    expect(texts("a < b and b > c <3")).toEqual(["a < b and b > c <3"]);
  });
});

describe("names of elements", () => {
  it("mean what their words mean, however they are written", () => {
    expect(marksOf("post-content") & mark.content).toBeTruthy();
    expect(marksOf("articleBody") & mark.story).toBeTruthy();
    expect(marksOf("article_body") & mark.story).toBeTruthy();
    expect(marksOf("left SideBar2") & mark.side).toBeTruthy();
    expect(marksOf("comments-list") & mark.comment).toBeTruthy();
    expect(marksOf("xyzzy")).toBe(0);
    expect(marksOf("loads shadow") & mark.advert).toBe(0);
    expect(marksOf("ads") & mark.advert).toBeTruthy();
  });
});

describe("text", () => {
  it("has no characters that nobody sees, but those that spelling needs", () => {
    expect(oneLine("co\u00adop\u200be\ufeffrate\u2060d\x07")).toBe("cooperated");
    expect(oneLine("می\u200cخواهم 👩\u200d🚀")).toBe("می\u200cخواهم 👩\u200d🚀");
    expect(oneLine("ภาษา\u200bไทย x\u200by \u200b")).toBe("ภาษา\u200bไทย xy");
    expect(oneLine("a\u0085b\u2028c\u00a0\u202fd")).toBe("a b c d");
    expect(keptLines(" a  b \r\n\n c\rd ")).toBe("a b\nc\nd");
  });
});

describe("what a page says of itself", () => {
  it("is its title", () => {
    expect(about("<title> A &amp; B\n| Site</title>").title).toBe("A & B | Site");
    expect(about('<title>A | Site</title><meta property="og:title" content="A">').title).toBe("A");
    expect(layoutOf("<svg><title>icon</title></svg><title>T</title>").metadata.title).toBe("T");
    expect(about("").title).toBeUndefined();
  });

  it("is its date, as ISO 8601", () => {
    expect(about('<meta property="article:published_time" content="2012-07-24T10:00:00+0200">').date).toBe(
      "2012-07-24T10:00:00+02:00",
    );
    expect(about('<meta name="DC.date" content="July 24, 2012">').date).toBe("2012-07-24");
    expect(about('<script type="application/ld+json">{"datePublished": "2012-07-24"}</script>').date).toBe(
      "2012-07-24",
    );
    expect(layoutOf('<time datetime="2012-07-24 10:00">x</time>').metadata.date).toBe("2012-07-24T10:00");
    expect(isoDate("20120724")).toBe("2012-07-24");
    expect(isoDate("Tue, 24 Jul 2012 10:00:00 GMT")).toBe("2012-07-24T10:00:00Z");
    for (const text of ["", "yesterday", "24/07/2012", "2012-13-01", "0000-00-00", "Item 2012 of many"])
      expect(isoDate(text)).toBeUndefined();
  });

  it("is its language and its licence", () => {
    expect(layoutOf('<html lang="en_GB"><p>x').metadata.language).toBe("en-GB");
    expect(layoutOf('<html xml:lang="cs"><p>x').metadata.language).toBe("cs");
    expect(about('<meta http-equiv="Content-Language" content="de, en">').language).toBe("de");
    expect(about("").language).toBeUndefined();
    const licence = "https://creativecommons.org/licenses/by-sa/4.0/";
    expect(layoutOf(`<a rel="license nofollow" href="/terms">x</a>`).metadata.licence).toBe("/terms");
    expect(about(`<link rel="license" href="${licence}">`).licence).toBe(licence);
    expect(layoutOf(`<p>Under <a href="${licence}">CC</a>`).metadata.licence).toBe(licence);
    expect(layoutOf(`<p><a href="https://creativecommons.org/">CC</a>`).metadata.licence).toBeUndefined();
  });

  it("can be its text, as data", () => {
    const data = JSON.stringify({ "@graph": [{ "@type": "NewsArticle", articleBody: "All of it." }] });
    expect(about(`<script type="application/ld+json">${data}</script>`).articleBody).toBe("All of it.");
    expect(
      about('<script type="application/ld+json">{"articleBody": broken</script>').articleBody,
    ).toBeUndefined();
    expect(about(`<script>${data}</script>`).articleBody).toBeUndefined();
  });
});

describe("the name of a tag", () => {
  it("is found in a page as it is when it is cut out of it", () => {
    const name = fc.oneof(
      fc.constantFrom("p", "DIV", "Article", "h1", "noscript", "lin\u212a", "custom-part", "", "sp"),
      fc.string({ unit: fc.constantFrom("a", "L", "p", "1", " ", "\n", "\u00a0", "é", "-"), maxLength: 8 }),
    );
    const around = fc.constantFrom("", "<", "</", " \t", "><b>");
    fc.assert(
      fc.property(around, name, around, (before, written, behind) => {
        const html = before + written + behind;
        const found = elementIn(html, before.length, before.length + written.length);
        expect(found).toBe(elementNamed(written.trim()));
      }),
    );
  });
});
