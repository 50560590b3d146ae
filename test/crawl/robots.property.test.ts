/** robots.txt: the matcher against the plainest one that can be written, and what RFC 9309 says by example. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowAll, makeRobotsCheck, parseRobots } from "../../ingest/crawl/robots.js";

const check = (text: string, agent = "dugong") => makeRobotsCheck(parseRobots(Buffer.from(text), agent));

/** Does the pattern match from the beginning? Tried in every way, character by character. */
function naiveMatch(pattern: string, path: string): boolean {
  if (pattern === "") return true;
  if (pattern === "$") return path === "";
  if (pattern[0] === "*") {
    for (let i = 0; i <= path.length; i++) if (naiveMatch(pattern.slice(1), path.slice(i))) return true;
    return false;
  }
  return path !== "" && pattern[0] === path[0] && naiveMatch(pattern.slice(1), path.slice(1));
}

function naiveCheck(rules: [boolean, string][], path: string): boolean {
  const matching = rules.filter(([, pattern]) => naiveMatch(pattern, path));
  const longest = Math.max(...matching.map(([, pattern]) => pattern.length));
  const deciding = matching.filter(([, pattern]) => pattern.length === longest);
  return deciding.length === 0 || deciding.some(([allow]) => allow);
}

describe("rules of robots.txt", () => {
  it("are matched as a naive matcher does", () => {
    const unit = fc.constantFrom("a", "b", "/", "*", "?", "=", ".");
    const pattern = fc
      .tuple(fc.string({ unit, maxLength: 7 }), fc.boolean())
      .map(([text, anchored]) => `/${text}${anchored ? "$" : ""}`);
    const path = fc
      .string({ unit: fc.constantFrom("a", "b", "/", "?", "=", "."), maxLength: 9 })
      .map((text) => `/${text}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), pattern), { maxLength: 6 }), path, (rules, at) => {
        const lines = rules.map(([allow, text]) => `${allow ? "Allow" : "Disallow"}: ${text}\n`).join("");
        expect(check(`User-agent: *\n${lines}`)(at)).toBe(naiveCheck(rules, at));
      }),
      { numRuns: 5000 },
    );
  });

  it("are those of the groups that name us, else of those for all", () => {
    const text =
      "User-agent: OtherBot\nUser-agent: DUGONG/2.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-Agent:dugong # us\nDisallow: /b\nAllow: /b/c\n";
    const may = check(text);
    expect(["/", "/a", "/ab", "/b", "/b/c"].map(may)).toEqual([true, false, false, false, true]);
    expect(check(text, "somebot")("/x")).toBe(false);
    expect(check("Disallow: /\n")("/x")).toBe(true);
    expect(check("User-agent: dugongs\nDisallow: /\n")("/x")).toBe(true);
  });

  it("compare percent-encodings alike, and paths with case", () => {
    const may = check(
      "User-agent: *\nDisallow: /føroyar\nDisallow: /%7ejoe\nDisallow: /x%2ay\nDisallow: /a%2fb\nDisallow: /Case\nDisallow: /c$d",
    );
    expect(may("/f%C3%B8royar/x")).toBe(false);
    expect(may("/f%c3%b8royar")).toBe(false);
    expect(may("/~joe/")).toBe(false);
    expect(may("/x*y")).toBe(false);
    expect(may("/xzy")).toBe(true);
    expect(may("/a/b")).toBe(true);
    expect(may("/a%2Fb")).toBe(false);
    expect(may("/case")).toBe(true);
    expect(may("/c$d")).toBe(false);
  });

  it("are read whatever the line ends, comments and byte order marks; nonsense is passed over", () => {
    const may = check(
      "\ufeffuser-AGENT : *\rdisallow : /a # not this\r\nnonsense\n: x\nSitemap: /b\nDISALLOW:/c\nDisallow:\n",
    );
    expect(["/a", "/b", "/c", "/d"].map(may)).toEqual([false, true, false, true]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        makeRobotsCheck(parseRobots(bytes, "dugong"))("/x");
      }),
    );
  });

  it("always allow /robots.txt, and have a delay", () => {
    expect(check("User-agent: *\nDisallow: /")("/robots.txt")).toBe(true);
    expect(parseRobots(Buffer.from("User-agent: *\nCrawl-delay: 2.5\nDisallow: /x"), "dugong").delay).toBe(
      2.5,
    );
    expect(makeRobotsCheck(allowAll)("/x")).toBe(true);
  });

  it("are not slow for patterns of many stars", () => {
    const may = check(`User-agent: *\nDisallow: /${"*a".repeat(2000)}b\n`);
    expect(may(`/${"a".repeat(5000)}`)).toBe(true);
  });

  it("end at 500 KiB", () => {
    const filler = `#${"x".repeat(1023)}\n`.repeat(500);
    expect(check(`User-agent: *\n${filler}Disallow: /\n`)("/x")).toBe(true);
    expect(check(`User-agent: *\nDisallow: /\n${filler}`)("/x")).toBe(false);
  });
});
