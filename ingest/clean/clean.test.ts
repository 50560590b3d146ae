/** Cleaning as a step: pages in, the text stream out, the same with any number of threads. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { limits } from "../limits.js";
import { documentsOf } from "../stream/documents.js";
import { Warnings } from "../stream/report.js";
import { mostlyText } from "./choose.js";
import { type CleanOptions, clean, cleaningOf } from "./clean.js";
import { cleanPage } from "./page.js";
import { Forest } from "./trees.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-clean-"));
afterAll(() => rmSync(folder, { recursive: true }));

const paragraphs = [
  "The dugong is a medium-sized marine mammal, and it is the only one of its family that is still alive today.",
  "It is found in warm coastal waters from East Africa to Australia, where it grazes on the seagrass that grows in shallow bays.",
  "Because they depend on these meadows, dugongs are restricted to the coasts that support them, and many of those are in danger.",
  "They have been hunted for thousands of years for their meat and oil, although hunting is now banned in most of the countries.",
];
const article = (body = paragraphs.map((text) => `<p>${text}</p>`).join("\n")) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Dugongs of the world | Sea News</title>
<meta property="og:title" content="Dugongs of the world"><meta property="article:published_time" content="2020-05-04">
<link rel="license" href="https://creativecommons.org/licenses/by/4.0/"></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/sea">Sea</a></li></ul></nav>
<main><article class="post"><h1>Dugongs of the world</h1><div class="entry-content">${body}</div></article>
<section class="comments"><h3>2 comments</h3><div class="comment"><p>What a lovely animal this is, I would like to meet one some day soon.</p></div></section></main>
<aside class="sidebar"><h4>Popular</h4><ul><li><a href="/1">Ten whales you should know about</a></li><li><a href="/2">Why the sea is salty</a></li></ul></aside>
<footer><p>© 2020 Sea News. All rights reserved. <a href="/terms">Terms</a> <a href="/privacy">Privacy</a></p></footer></body></html>`;
const page = (html: string | Uint8Array, contentType?: string) => ({
  url: "http://sea.example/dugong",
  fetched: "2021-01-01T00:00:00Z",
  contentType,
  body: typeof html === "string" ? Buffer.from(html) : html,
  source: "sea.warc",
  offset: 100,
});
const textsOf = (html: string | Uint8Array, options: CleanOptions = {}, contentType?: string) =>
  cleanPage(page(html, contentType), cleaningOf(options)).document?.paragraphs.map(({ text }) => text) ?? [];

describe("a page", () => {
  it("becomes a document with what is known of it, its headings marked", () => {
    const { document, wordsIn, wordsOut, odd } = cleanPage(page(article()), cleaningOf({}));
    expect({ ...document?.attributes }).toEqual({
      url: "http://sea.example/dugong",
      title: "Dugongs of the world",
      date: "2020-05-04",
      fetched: "2021-01-01T00:00:00Z",
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      charset: "utf-8",
      declared: "en",
      licence: "https://creativecommons.org/licenses/by/4.0/",
    });
    const kept = document!.paragraphs;
    expect(kept[0]).toMatchObject({ text: "Dugongs of the world", attributes: { heading: "1" } });
    expect(kept.slice(1, 5).map(({ text }) => text)).toEqual(paragraphs);
    expect(kept[1].attributes.heading).toBeUndefined();
    const rest = kept.map(({ text }) => text).join("\n");
    expect(rest).not.toMatch(/Home|Popular|Ten whales|©|Terms/);
    expect(wordsIn).toBeGreaterThan(wordsOut);
    expect(odd).toEqual([]);
  });

  it("keeps lists, tables and quotes of its text", () => {
    const body = `<p>${paragraphs[0]}</p><ul><li>It eats seagrass, and nothing else but the roots of it.</li><li>It lives for seventy years or more.</li></ul>
      <p>${paragraphs[1]}</p><blockquote>${paragraphs[2]}</blockquote><p>${paragraphs[3]}</p>`;
    const kept = textsOf(article(body));
    expect(kept).toContain(paragraphs[2]);
    expect(kept).toContain("It eats seagrass, and nothing else but the roots of it.");
  });

  it("can be cleaned as jusText does", () => {
    const kept = textsOf(article(`<p>${paragraphs.join(" ")}</p>`), { algorithm: "justext" });
    expect(kept).toContain(paragraphs.join(" "));
    expect(kept.join("\n")).not.toMatch(/Home|Popular|©/);
    const { stopWords } = cleanPage(page(article()), cleaningOf({ algorithm: "justext" }));
    expect(stopWords).toBe("eng");
    // Of a page that says nothing, what fits best; of one in a language without a list, none.
    const silent = article().replace(' lang="en"', "");
    expect(cleanPage(page(silent), cleaningOf({ algorithm: "justext" })).stopWords).toBe("eng");
  });

  it("is judged by the stop words that are given", () => {
    const long = article(`<p>${paragraphs.join(" ")}</p>`);
    const list = join(folder, "stop.txt");
    writeFileSync(list, "qwerty\n");
    expect(textsOf(long, { algorithm: "justext", stopWords: list })).toEqual([]);
    expect(textsOf(long, { algorithm: "justext", language: "cs" })).toEqual([]);
    expect(textsOf(long, { algorithm: "justext", noStopWords: true })).toContain(paragraphs.join(" "));
    expect(() => cleaningOf({ algorithm: "justext", language: "tlh" })).toThrow(/tlh/);
  });

  it("can lose its comments", () => {
    const comment = /lovely animal/;
    const justext = (noComments: boolean) =>
      textsOf(article(paragraphs.concat(paragraphs).join(" ")), {
        algorithm: "justext",
        noComments,
        parameters: { lengthLow: 40, lengthHigh: 50 },
      }).join("\n");
    expect(justext(false)).toMatch(comment);
    expect(justext(true)).not.toMatch(comment);
    expect(textsOf(article(), { noComments: true }).join("\n")).not.toMatch(comment);
  });

  it("has its text in its data, if scripts put it together", () => {
    const data = JSON.stringify({ articleBody: paragraphs.join("\n") });
    const html = `<html><head><script type="application/ld+json">${data}</script></head><body><div id="app">Loading…</div></body></html>`;
    expect(textsOf(html)).toEqual(paragraphs);
    expect(cleanPage(page(html), cleaningOf({})).odd).toContain("text_from_data");
    expect(textsOf(html, { algorithm: "justext" })).toEqual([]);
  });

  it("can be plain text", () => {
    expect(textsOf("one\ntwo\r\n\r\n  three  \n\n\n", {}, "text/plain; charset=utf-8")).toEqual([
      "one\ntwo",
      "three",
    ]);
    expect(textsOf(article(), {}, "text/plain")).toContain(paragraphs[0]);
  });

  it("is no page if it is a picture, or says so, and has no document if it has no text", () => {
    const odd = (html: string | Uint8Array, type?: string) => cleanPage(page(html, type), cleaningOf({})).odd;
    expect(odd(article(), "image/png")).toEqual(["not_text"]);
    expect(odd("%PDF-1.4 …")).toEqual(["not_text"]);
    expect(odd(new Uint8Array(500))).toEqual(["not_text"]);
    expect(odd(Buffer.from("\xff\xd8\xff\xe0 JFIF", "latin1"), "text/html")).toEqual(["not_text"]);
    expect(odd(Buffer.from(article(), "utf16le"), "text/html; charset=utf-8")).toEqual(["charset_wrong"]);
    const robots = { ...page("User-agent: *", "text/plain"), url: "http://sea.example/robots.txt" };
    expect(cleanPage(robots, cleaningOf({})).odd).toEqual(["robots_txt"]);
    expect(odd("")).toEqual(["no_text"]);
    expect(odd("<html><body></body></html>")).toEqual(["no_text"]);
  });

  it("has no text where it lists thousands of other pages", () => {
    const rows = Array.from(
      { length: 300 },
      (_, i) =>
        `<tr><td><a href="/p/${i}">Re: Thread number ${i}</a></td><td><a href="/who">sailor</a></td><td>${i % 7}</td><td>${i}</td><td>April 3, 2008 01:28:22pm</td></tr>`,
    );
    const html = `<html><body><h1>Forum</h1><table>${rows.join("")}</table></body></html>`;
    expect(textsOf(html).length).toBeLessThan(3);
    const after = cleanPage(
      page(article(`<p>${paragraphs.join("</p><p>")}</p><table>${rows.slice(0, 12).join("")}</table>`)),
      cleaningOf({}),
    );
    expect(after.odd).toEqual([]);
    expect(after.document?.paragraphs.map(({ text }) => text)).toContain(paragraphs[3]);
  });

  it("is cut where it is too long", () => {
    const html = Buffer.alloc(limits.htmlBytesMax + 100, 0x20);
    html.write(article());
    html.write("<p>behind the end</p>", limits.htmlBytesMax + 10);
    const cut = cleanPage(page(html), cleaningOf({}));
    expect(cut.odd).toEqual(["long_page"]);
    expect(cut.document?.paragraphs.map(({ text }) => text)).toContain(paragraphs[0]);
  });
});

describe("what is most likely text", () => {
  const chosen = (likely: number[], words: number[]) =>
    mostlyText(Float32Array.from(likely), Float32Array.from(words)).map(Number);

  it("is the set with the best F1 to be expected", () => {
    expect(chosen([0.9, 0.1, 0.8], [100, 100, 100])).toEqual([1, 0, 1]);
    // All is doubt: the least doubtful is kept, but not what is almost certainly none.
    expect(chosen([0.3, 0.01, 0.01], [100, 100, 100])).toEqual([1, 0, 0]);
    expect(chosen([0.1, 0.1], [10, 10])).toEqual([0, 0]);
    expect(chosen([], [])).toEqual([]);
    // 0.4 is kept beside doubt, and not beside certainty.
    expect(chosen([0.4, 0.4], [100, 100])).toEqual([1, 1]);
    expect(chosen([0.99, 0.4], [100, 100])).toEqual([1, 0]);
  });

  it("is said by trees", () => {
    const forest = Forest.parse(["2 0", "0:1.5 -1 1:0 1 2", "0.5"]);
    const found = forest.likelihoods(Float32Array.from([1, 9, 2, 0, 2, 1]));
    const logistic = (sum: number) => 1 / (1 + Math.exp(-sum));
    [-0.5, 1.5, 2.5].forEach((sum, i) => {
      expect(found[i]).toBeCloseTo(logistic(sum), 6);
    });
  });
});

describe("the step", () => {
  const pages = join(folder, "pages");
  mkdirSync(pages);
  for (let i = 0; i < 150; i++) {
    const own = paragraphs.map((text) => `<p>${text} This is number ${i}.</p>`).join("");
    const name = join(pages, `${String(i).padStart(3, "0")}.html`);
    if (i % 50 === 7) writeFileSync(name, "<!DOCTYPE html><html><body></body></html>");
    else if (i % 50 === 8)
      writeFileSync(
        name,
        Buffer.from(article(own).replace("number", "num\xe9ro").replace("utf-8", "latin1"), "latin1"),
      );
    else writeFileSync(name, article(own));
  }

  async function run(name: string, options: CleanOptions) {
    const output = join(folder, name);
    const report = await clean({ inputs: [pages], output }, options);
    return { text: readFileSync(output, "utf8"), report };
  }

  it("writes documents in order, and says the same with any number of threads", async () => {
    const { text, report } = await run("one.txt", { workers: 1 });
    const three = await run("three.txt", { workers: 3 });
    expect(three.text).toBe(text);
    expect({ ...three.report, seconds: 0 }).toEqual({ ...report, seconds: 0 });
    expect(report).toMatchObject({ step: "clean", documentsIn: 150, documentsOut: 147 });
    expect(report.wordsIn).toBeGreaterThan(report.wordsOut);
    expect(report.details).toEqual({ algorithm: "default", charsets: { "utf-8": 147, "windows-1252": 3 } });
    const [empty] = report.warnings.filter(({ kind }) => kind === "no_text");
    expect(empty).toMatchObject({ count: 3, places: [{ source: join(pages, "007.html") }, {}, {}] });
    const numbers: number[] = [];
    for await (const document of documentsOf([join(folder, "three.txt")], { warnings: new Warnings() })) {
      numbers.push(
        Number(/number (\d+)/.exec(document.paragraphs.map((one) => one.text).join("\n"))?.[1] ?? -1),
      );
    }
    expect(numbers.filter((one) => one >= 0)).toEqual(
      [...numbers.filter((one) => one >= 0)].sort((a, b) => a - b),
    );
    expect(numbers.length).toBe(147);
  }, 30_000);

  it("names the stop words that it chose", async () => {
    const { report } = await run("justext.txt", { workers: 1, algorithm: "justext" });
    expect(report.details).toMatchObject({ algorithm: "justext", "stop words": { eng: 147 } });
  });

  it("leaves nothing behind when it is stopped", async () => {
    const stop = new AbortController();
    stop.abort();
    const output = join(folder, "stopped.txt");
    await expect(
      clean({ inputs: [pages], output }, { workers: 2 }, { signal: stop.signal }),
    ).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  it("reads archives, whose pages share their memory", async () => {
    const record = (i: number) => {
      const response = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${article(`<p>${paragraphs[i % 4]} This is number ${i}.</p><p>${paragraphs[(i + 1) % 4]}</p>`)}`;
      const fields = `WARC-Type: response\r\nWARC-Target-URI: http://sea.example/${i}\r\nContent-Type: application/http`;
      return `WARC/1.0\r\n${fields}\r\nContent-Length: ${Buffer.byteLength(response)}\r\n\r\n${response}\r\n\r\n`;
    };
    const archive = join(folder, "sea.warc");
    writeFileSync(archive, Array.from({ length: 200 }, (_, i) => record(i)).join(""));
    const outputs = await Promise.all(
      [1, 3].map(async (workers) => {
        const output = join(folder, `sea-${workers}.txt`);
        const report = await clean({ inputs: [archive], output }, { workers });
        expect(report).toMatchObject({ documentsIn: 200, documentsOut: 200 });
        return readFileSync(output, "utf8");
      }),
    );
    expect(outputs[1]).toBe(outputs[0]);
  });
});
