/** Links and URLs: the scanner against htmlparser2, normalisation against its own laws. */
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { isPublicAddress, parseAddress } from "../../ingest/crawl/addresses.js";
import { readLinks } from "../../ingest/crawl/links.js";
import { decodeContent, decodeText } from "../../ingest/crawl/page.js";
import { domainOf, makeScope } from "../../ingest/crawl/scope.js";
import { calendarShape, excludedWords, makeExclusion } from "../../ingest/crawl/traps.js";
import { hostOf, normaliseLink, normaliseUrl, originOf, pathOf } from "../../ingest/crawl/url.js";

function parsedLinks(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href, rel }) {
      if (
        (name === "a" || name === "area") &&
        href &&
        !href.startsWith("#") &&
        rel?.toLowerCase() !== "nofollow"
      )
        links.push(href);
    },
  });
  parser.end(html);
  return links;
}

describe("links of a page", () => {
  it("are those that htmlparser2 finds, in any soup of tags", () => {
    const value = fc.constantFrom("/a", "b?x=1&amp;y=2", "#c", "", "http://x.fo/>", "d'e", "&#47;f", "g h");
    const quoted = fc
      .tuple(value, fc.constantFrom('"', "'"))
      .filter(([text, quote]) => !text.includes(quote))
      .map(([text, quote]) => `${quote}${text}${quote}`);
    const bare = fc.constantFrom("/k", "l?m=n", "o/");
    const attribute = fc
      .tuple(
        fc.constantFrom("href", "HREF", "title", "rel", "data-x", "href "),
        fc.constantFrom("=", " = ", "=\n"),
        fc.oneof(quoted, bare, fc.constant("nofollow")),
      )
      .map((parts) => parts.join(""));
    const tag = fc
      .tuple(
        fc.constantFrom("a", "A", "area", "p", "div", "b", "abbr", "link"),
        fc.array(attribute, { maxLength: 3 }),
        fc.constantFrom("", " ", " disabled", " /"),
      )
      .map(([name, attributes, end]) => `<${[name, ...attributes].join(" ")}${end}>`);
    const other = fc.constantFrom(
      "text",
      " < ",
      "<!-- <a href='/no'> -->",
      "<!doctype html>",
      "<?xml ?>",
      "</a>",
      "</p>",
      "<script>'<a href=/no>'</script>",
      "<style><a href=/no></style>",
      "<title><a href=/no></title>",
      "<textarea><a href='/no'></textarea>",
      "<SCRIPT src='>'><a href=/no></ScRiPt >",
      "&lt;a href=x&gt;",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, tag, other), { maxLength: 12 }), (pieces) => {
        const html = pieces.join("");
        expect(readLinks(html, "dugong", false).hrefs).toEqual(parsedLinks(html));
      }),
      { numRuns: 3000 },
    );
  });

  it("come to an end in any text, cut off anywhere", () => {
    const html = `<base href="/x/"><a href='/1' title=">">a</a><!-- <a href=2> --><script>if (a < b)</script><meta http-equiv=refresh content="0; URL='/3'"><iframe src=/4></iframe>`;
    for (let end = 0; end <= html.length; end++) readLinks(html.slice(0, end), "dugong", true);
    const page = readLinks(html, "dugong", false);
    expect(page).toMatchObject({ hrefs: ["/1", "/3", "/4"], base: "/x/" });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", "a", "/", "!", "-", '"', "=", " ", "href", "script") }),
        (text) => {
          readLinks(text, "dugong", true);
        },
      ),
    );
  });

  it("say what robots are asked, all of them or us", () => {
    const read = (content: string, name = "robots") => {
      const { noindex, nofollow } = readLinks(`<META NAME="${name}" content="${content}">`, "dugong", false);
      return [noindex, nofollow];
    };
    expect(read("noindex")).toEqual([true, false]);
    expect(read("NOINDEX, NoFollow")).toEqual([true, true]);
    expect(read("none")).toEqual([true, true]);
    expect(read("index,follow")).toEqual([false, false]);
    expect(read("nofollow", "Dugong")).toEqual([false, true]);
    expect(read("nofollow", "otherbot")).toEqual([false, false]);
  });

  it("are told from running text", () => {
    const prose =
      "A paragraph of running text that is as long as paragraphs are, and longer than any menu entry is.";
    const menu = `<ul>${"<li><a href=/x>menu entry</a></li>".repeat(50)}</ul>`;
    const { textChars, sample } = readLinks(
      `${menu}<p>${prose}</p><div><a href=/y>${prose}</a></div>`,
      "dugong",
      true,
    );
    expect(textChars).toBe(prose.length);
    expect(sample).toBe(`${prose}\n`);
  });
});

describe("a normalised URL", () => {
  it("is one, stays the same, and the shortcut for links gives the same", () => {
    const unit = fc.constantFrom(
      "a",
      "B",
      "/",
      ".",
      "..",
      "%41",
      "%2f",
      "%zz",
      "?",
      "&",
      "=",
      "#",
      "ø",
      ";",
      ":",
      "@",
      "//",
      "-",
      " ",
      "<",
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), fc.boolean(), (text, rooted) => {
        const href = rooted ? `/${text}` : text;
        const base = "http://Example.FO/dir/page?q";
        const url = normaliseUrl(href, base);
        expect(normaliseLink(href, normaliseUrl(base)!, "http://example.fo")).toBe(url);
        if (url === undefined) return;
        expect(normaliseUrl(url)).toBe(url);
        expect(url).not.toMatch(/[#\s<>]/);
        expect(originOf(url) + pathOf(url)).toBe(url);
        expect(hostOf(url)).toBe(new URL(url).hostname);
      }),
      { numRuns: 5000 },
    );
  });

  it("that is whole needs no parsing where it is plain", () => {
    const unit = fc.constantFrom(
      "a",
      "b.",
      "xn--a",
      "x",
      "-",
      "1",
      "0x1.",
      ".",
      "fo",
      "F",
      ":80",
      "/",
      "//",
      "/..",
      "/.",
      "?",
      "%61",
      "_",
      "@",
    );
    fc.assert(
      fc.property(
        fc.constantFrom("http://", "https://", "HTTP://"),
        fc.string({ unit, maxLength: 9 }),
        (scheme, rest) => {
          const href = scheme + rest;
          expect(normaliseLink(href, "http://a.fo/", "http://a.fo")).toBe(normaliseUrl(href));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("is written in one way", () => {
    const same: [string, string | undefined][] = [
      ["HTTP://WWW.Example.FO:80/a/./b/../c?#x", "http://www.example.fo/a/c"],
      ["https://føroyar.fo./%7Ejoe/%c3%b8", "https://xn--froyar-bya.fo/~joe/%C3%B8"],
      ["http://a.fo/?b=2&a=1", "http://a.fo/?b=2&a=1"],
      ["http://a.fo:8080", "http://a.fo:8080/"],
      ["http://0x7f.1/", "http://127.0.0.1/"],
      ["http://[0:0::1]/", "http://[::1]/"],
      ["http://user:secret@a.fo/", undefined],
      ["mailto:a@a.fo", undefined],
      ["javascript:void(0)", undefined],
      ["http://a.fo/a b", undefined],
      ["http://a.fo/<b>", undefined],
      ["  http://a.fo/x\n", "http://a.fo/x"],
    ];
    for (const [text, url] of same) expect(normaliseUrl(text), text).toBe(url);
    expect(hostOf("http://[::1]:8080/x")).toBe("[::1]");
  });

  it("belongs to the crawl by top-level domain, domain, host and pattern", () => {
    const within = (scope: Parameters<typeof makeScope>[0], host: string) =>
      makeScope(scope)(`http://${host}/x`);
    expect(within({ tlds: ["fo"] }, "a.fo")).toBe(true);
    expect(within({ tlds: [".fo"] }, "a.info")).toBe(false);
    expect(within({ tlds: ["co.uk"] }, "a.co.uk")).toBe(true);
    expect(within({ domains: ["a.fo"] }, "www.a.fo")).toBe(true);
    expect(within({ domains: ["a.fo"] }, "a.fo")).toBe(true);
    expect(within({ domains: ["a.fo"] }, "ba.fo")).toBe(false);
    expect(within({ hosts: ["a.fo"] }, "www.a.fo")).toBe(false);
    expect(within({ anywhere: true, pattern: "/y" }, "a.fo")).toBe(false);
    expect(domainOf("www.a.co.uk")).toBe("a.co.uk");
    expect(domainOf("127.0.0.1")).toBe("127.0.0.1");
  });

  it("is left out if it leads to files, searches, sessions and circles", () => {
    const trapOf = makeExclusion({ words: excludedWords });
    const left: [string, string | undefined][] = [
      ["/a.pdf", "file_type"],
      ["/a.PDF?x=1", "file_type"],
      ["/a.html", undefined],
      ["/article.2024", undefined],
      ["/downloads/x", "url_word"],
      ["/x?search=y", "url_word"],
      ["/research/x", undefined],
      ["/Images/", "url_word"],
      ["/x;jsessionid=12", "session_id"],
      ["/x?PHPSESSID=ab", "session_id"],
      ["/x?sid=12", "session_id"],
      ["/x?side=12", undefined],
      ["/a/b/a/b", undefined],
      ["/a/b/a/b/a/b", "repeated_path"],
      [`/${"a/".repeat(2)}${"bcdefghijklmnopqrs".split("").join("/")}`, "repeated_path"],
      [`/${"a".repeat(1000)}`, "long_url"],
      [`/?${Array.from({ length: 12 }, (_, i) => `p${i}=1`).join("&")}`, "long_url"],
    ];
    for (const [path, why] of left) expect(trapOf(`http://a.fo${path}`), path).toBe(why);
    expect(trapOf("http://downloads.fo/")).toBeUndefined();
  });

  it("has a shape if it has a date", () => {
    expect(calendarShape("http://a.fo/cal/2024/05")).toBe("http://a.fo/cal/0/0");
    expect(calendarShape("http://a.fo/cal?month=5&year=2031")).toBe("http://a.fo/cal?month=0&year=0");
    expect(calendarShape("http://a.fo/events/2031-05-01")).toBe("http://a.fo/events/0-0-0");
    expect(calendarShape("http://a.fo/article/123456")).toBeUndefined();
    expect(calendarShape("http://a.fo/page/7")).toBeUndefined();
  });
});

describe("an address", () => {
  it("is public or not, however it is written", () => {
    const ours =
      "127.0.0.1 127.9.9.9 10.1.2.3 192.168.0.1 172.16.0.1 169.254.169.254 0.0.0.0 100.64.0.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::";
    for (const ip of ours.split(" ")) expect(isPublicAddress(ip), ip).toBe(false);
    for (const ip of ["93.184.216.34", "1.1.1.1", "2a00:1450:4001::1"])
      expect(isPublicAddress(ip), ip).toBe(true);
    expect(isPublicAddress("nonsense")).toBe(false);
  });

  it("may have a port", () => {
    expect(parseAddress("127.0.0.5")).toEqual({ ip: "127.0.0.5" });
    expect(parseAddress("127.0.0.5:80")).toEqual({ ip: "127.0.0.5", port: 80 });
    expect(parseAddress("[::1]:80")).toEqual({ ip: "::1", port: 80 });
    expect(parseAddress("::1")).toEqual({ ip: "::1" });
    for (const text of ["", "x", "127.0.0.5:0", "127.0.0.5:70000", "127.0.0.5:x", "300.0.0.1"])
      expect(parseAddress(text), text).toBeUndefined();
  });
});

describe("the text of a response", () => {
  it("is decoded by its mark, its header, its own word, or by what it is", () => {
    const latin = Buffer.from("føroyar", "latin1");
    expect(decodeText(latin, "text/html; charset=ISO-8859-1")).toBe("føroyar");
    expect(decodeText(latin, "text/html")).toBe("føroyar");
    expect(decodeText(Buffer.from("føroyar"), "text/html")).toBe("føroyar");
    expect(decodeText(Buffer.from("føroyar"), "text/html; charset=nonsense")).toBe("føroyar");
    expect(decodeText(Buffer.from("\ufefføl", "utf16le"), "text/html; charset=latin1")).toBe("øl");
    const own = Buffer.concat([Buffer.from('<meta charset="windows-1251">'), Buffer.from([0xcf])]);
    expect(decodeText(own, "text/html")).toContain("П");
  });

  it("is not decoded beyond its limit, nor if nobody knows how", () => {
    expect(decodeContent(new Uint8Array(3), "zstd", 100)).toEqual({ failure: "bad_encoding" });
    expect(decodeContent(new Uint8Array(3), "gzip", 100)).toEqual({ failure: "bad_encoding" });
    expect(decodeContent(new Uint8Array(3), "identity", 100)).toEqual({ bytes: new Uint8Array(3) });
  });
});
