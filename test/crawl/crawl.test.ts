/** Crawls of a web on loopback: what is found, what is not asked for, and what lies in the files at the end. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { crawl } from "../../ingest/crawl/crawl.js";
import type { CrawlOptions } from "../../ingest/crawl/options.js";
import type { CrawlProgress } from "../../ingest/crawl/report.js";
import { startDns } from "./dns.js";
import { httpOf, readWarcs } from "./warc.js";
import { html, sendHtml, shortestPause, site, Web } from "./web.js";

const folder = mkdtempSync(join(tmpdir(), "dugong-crawl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let web: Web;
afterEach(() => web.stop());
let made = 0;

async function run(
  seeds: string[],
  options: Partial<CrawlOptions> = {},
  progress?: (progress: CrawlProgress) => void,
) {
  const out = options.out ?? join(folder, `out${made++}`);
  const file = join(folder, `seeds${made}`);
  writeFileSync(file, `# seeds\n${seeds.join("\n")}\n`);
  const report = await crawl(
    {
      seeds: [file],
      out,
      scope: { tlds: ["fo"] },
      allowPrivate: true,
      delayMs: 0,
      timeoutMs: 1500,
      mapping: web.mapping,
      ...options,
    },
    { onProgress: progress },
  );
  const log = readFileSync(join(out, "log.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map(
      (line) =>
        JSON.parse(line) as { url: string; reason: string; status?: number; to?: string; bytes?: number },
    );
  const records = report.pages > 0 ? readWarcs(out) : [];
  const stored = records.filter(({ fields }) => fields["warc-type"] === "response");
  const reasonOf = (url: string) => log.filter((entry) => entry.url === url).map(({ reason }) => reason);
  return {
    out,
    report,
    log,
    records,
    reasonOf,
    stored: stored.map(({ fields }) => fields["warc-target-uri"]).sort(),
  };
}

function once(list: string[]): string[] {
  expect(list.length).toBe(new Set(list).size);
  return [...list].sort();
}

describe("a crawl", () => {
  it("finds every page of hundreds of hosts, each once, and nothing that robots.txt forbids", async () => {
    web = new Web();
    const hosts = 200;
    const pages = new Map<string, string[]>();
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let h = 0; h < hosts; h++) {
      const own: Record<string, string[]> = {};
      for (let p = 0; p < 6; p++) {
        const path = p === 0 ? "/" : p === 5 ? "/secret/5" : `/page/${p}`;
        own[path] = [
          "/",
          `/page/${random(5)}`,
          `page/${random(5)}#part`,
          "/secret/5",
          `http://h${(h + 1) % hosts}.fo/`,
          `http://H${random(hosts)}.fo:80/./page/${random(5)}`,
          "/report.pdf",
          "/search?q=x",
          "http://elsewhere.dk/",
          "mailto:x@y.fo",
        ];
        pages.set(`http://h${h}.fo${path}`, own[path]);
      }
      const isOpen = h % 3 === 0;
      web.add(
        `h${h}.fo`,
        site(own, isOpen ? undefined : "User-agent: *\nDisallow: /secret/\n"),
        `127.0.0.${1 + (h % 50)}`,
      );
    }
    // What can be reached, in the plainest way.
    const expected = new Set<string>();
    const asked = new Set<string>();
    const reach = (url: string) => {
      const { host, pathname } = new URL(url);
      const isOpen = Number(host.slice(1, -3)) % 3 === 0;
      if (asked.has(url) || !host.endsWith(".fo") || /pdf|search/.test(url) || !url.startsWith("http"))
        return;
      if (!isOpen && pathname.startsWith("/secret/")) return;
      asked.add(url);
      if (!pages.has(url)) return;
      expected.add(url);
      for (const href of pages.get(url)!) reach(new URL(href, url).href.replace(/#.*/, ""));
    };
    reach("http://h0.fo/");
    await web.start();
    const { report, stored } = await run(["h0.fo"]);
    expect(report.ended).toBe("complete");
    expect(stored).toEqual([...expected].sort());
    expect(expected.size).toBeGreaterThan(500);
    expect(once(web.fetched)).toEqual([...asked].sort());
    expect(web.visits.filter(({ path }) => path === "/robots.txt")).toHaveLength(hosts);
    expect(new Set(web.visits.map(({ userAgent }) => userAgent))).toEqual(
      new Set(["dugong/1.0 (private crawl)"]),
    );
    expect(report).toMatchObject({ pages: expected.size, queued: 0, hosts, resumed: false });
  });

  it("asks a host and an address one thing at a time, with the delay between", async () => {
    web = new Web();
    for (let h = 0; h < 9; h++) {
      const pages = { "/": ["/a", "/b", `http://h${(h + 1) % 9}.fo/`], "/a": [], "/b": [] };
      const answer = site(pages, h === 0 ? "User-agent: *\nCrawl-delay: 0.6" : undefined);
      // Some take their time, so that requests would overlap if they could.
      web.add(
        `h${h}.fo`,
        (path, response, request) => setTimeout(() => answer(path, response, request), h % 2 === 0 ? 60 : 0),
        `127.0.0.${1 + (h % 3)}`,
      );
    }
    await web.start();
    const seen: CrawlProgress[] = [];
    const { stored } = await run(["http://h0.fo/"], { delayMs: 200 }, (progress) => seen.push(progress));
    expect(stored).toHaveLength(27);
    expect(shortestPause(web.visits, "host")).toBeGreaterThanOrEqual(199);
    expect(shortestPause(web.visits, "address")).toBeGreaterThanOrEqual(199);
    const slow = web.visits.filter(({ host }) => host === "h0.fo");
    expect(shortestPause(slow, "host")).toBeGreaterThanOrEqual(599);
    const waits = seen.flatMap(({ waiting }) => waiting ?? []);
    expect(waits.some(({ reason, hosts }) => reason === "politeness" && hosts > 0)).toBe(true);
  });

  it("follows redirects, as far and to where it may", async () => {
    web = new Web();
    const to = (targets: Record<string, string>): Parameters<Web["add"]>[1] => {
      return (path, response) => {
        if (targets[path]) response.writeHead(302, { location: targets[path] }).end();
        else if (path === "/robots.txt") response.writeHead(404).end();
        else sendHtml(response, html([]));
      };
    };
    const chain = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/chain/${i}`, `/chain/${i + 1}`]));
    web.add(
      "a.fo",
      site({
        "/": [
          "/r",
          "http://b.fo/chain/0",
          "http://b.fo/loop",
          "http://b.fo/out",
          "http://b.fo/far",
          "http://b.fo/public",
          "http://b.fo/shut",
          "http://b.fo/file",
        ],
      }),
    );
    web.add(
      "b.fo",
      to({
        ...chain,
        "/loop": "/loop2",
        "/loop2": "/loop",
        "/out": "http://x.dk/",
        "/far": "//c.fo/found",
        "/public": "http://93.184.216.34.fo/",
        "/shut": "http://c.fo/shut",
        "/file": "/x.pdf",
      }),
    );
    web.add("c.fo", site({ "/found": [], "/shut": [] }, "User-agent: dugong\nDisallow: /shut"));
    await web.start();
    const mapping = new Map<string, { ip: string; port?: number }>([
      ...web.mapping,
      ["93.184.216.34.fo", { ip: "93.184.216.34" }],
    ]);
    const { stored, log, report, reasonOf } = await run(["http://a.fo/"], { mapping });
    expect(stored).toEqual(["http://a.fo/", "http://c.fo/found"]);
    expect(once(web.fetched)).toEqual([
      "http://a.fo/",
      "http://a.fo/r",
      ...[0, 1, 2, 3, 4, 5].map((i) => `http://b.fo/chain/${i}`),
      "http://b.fo/far",
      "http://b.fo/file",
      "http://b.fo/loop",
      "http://b.fo/loop2",
      "http://b.fo/out",
      "http://b.fo/public",
      "http://b.fo/shut",
      "http://c.fo/found",
    ]);
    expect(log.find(({ url }) => url === "http://b.fo/far")).toMatchObject({
      reason: "redirect",
      to: "http://c.fo/found",
    });
    expect(reasonOf("http://c.fo/shut")).toEqual(["robots"]);
    expect(report.left).toMatchObject({ redirects: 1, out_of_scope: 1, file_type: 1 });
    expect(report.hostsRefused).toEqual({ public_address: 1 });
  });

  it("obeys robots.txt wherever it is and whatever comes of it", async () => {
    web = new Web();
    const index = ["broken", "gone", "moved", "maze", "hung", "big", "mute", "packed"];
    web.add("a.fo", site({ "/": index.map((name) => `http://${name}.fo/page`) }));
    const robots = (answer: Parameters<Web["add"]>[1]): Parameters<Web["add"]>[1] => {
      return (path, response, request) =>
        path.startsWith("/robots") ? answer(path, response, request) : sendHtml(response, html([]));
    };
    web.add(
      "broken.fo",
      robots((_, response) => void response.writeHead(500).end()),
    );
    web.add(
      "gone.fo",
      robots((_, response) => void response.writeHead(403).end()),
      "127.0.0.2",
    );
    web.add(
      "moved.fo",
      robots((_, response) => void response.writeHead(301, { location: "http://rules.fo/robots.txt" }).end()),
      "127.0.0.3",
    );
    web.add(
      "rules.fo",
      robots((_, response) => void response.writeHead(200).end("User-agent: *\nDisallow: /page")),
      "127.0.0.3",
    );
    web.add(
      "maze.fo",
      robots((path, response) => void response.writeHead(301, { location: `${path}x` }).end()),
      "127.0.0.4",
    );
    web.add(
      "hung.fo",
      robots(() => {}),
      "127.0.0.5",
    );
    web.add(
      "big.fo",
      robots(
        (_, response) =>
          void response.writeHead(200).end(`User-agent: *\nDisallow: /page\n${"# filler\n".repeat(100_000)}`),
      ),
      "127.0.0.6",
    );
    web.add(
      "mute.fo",
      robots((_, response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0, 1]))),
      "127.0.0.7",
    );
    web.add(
      "packed.fo",
      robots((_, response) => {
        const packed = gzipSync("User-agent: *\nDisallow: /page");
        response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
      }),
      "127.0.0.8",
    );
    await web.start();
    const { stored, report } = await run(["http://a.fo/"], { timeoutMs: 300, delayMs: 20 });
    expect(stored).toEqual([
      "http://a.fo/",
      "http://gone.fo/page",
      "http://maze.fo/page",
      "http://mute.fo/page",
    ]);
    expect(web.visits.filter(({ host }) => host === "maze.fo").map(({ path }) => path.length)).toEqual([
      11, 12, 13, 14, 15, 16, 5,
    ]);
    expect(web.visits.filter(({ host }) => host === "broken.fo")).toHaveLength(3);
    expect(web.visits.filter(({ host }) => host === "hung.fo")).toHaveLength(3);
    expect(report.hostsRefused).toEqual({ robots_unreachable: 2 });
    expect(report.errors).toMatchObject({ robots: 3 });
  });

  it("waits for robots.txt as long as the server asks", async () => {
    web = new Web();
    let asked = 0;
    web.add("busy.fo", (path, response) => {
      if (path !== "/robots.txt") sendHtml(response, html([]));
      else if (asked++ === 0) response.writeHead(503, { "retry-after": "1" }).end();
      else response.writeHead(200).end("User-agent: *\nDisallow: /x");
    });
    web.add(
      "away.fo",
      (_, response) => void response.writeHead(429, { "retry-after": "100000" }).end(),
      "127.0.0.2",
    );
    await web.start();
    const { stored, report } = await run(["busy.fo", "away.fo"], { delayMs: 20 });
    expect(stored).toEqual(["http://busy.fo/"]);
    const [first, second] = web.visits.filter(({ host }) => host === "busy.fo");
    expect(second.began - first.ended).toBeGreaterThanOrEqual(999);
    // More than a day is more patience than there is.
    expect(web.visits.filter(({ host }) => host === "away.fo")).toHaveLength(1);
    expect(report.hostsRefused).toEqual({ asks_to_wait: 1 });
  });

  it("passes over thousands of URLs that are forbidden", async () => {
    web = new Web();
    const closed = Array.from({ length: 2500 }, (_, i) => `/closed/${i}`);
    web.add("a.fo", site({ "/": [...closed, "/open"], "/open": [] }, "User-agent: *\nDisallow: /closed"));
    await web.start();
    const { report, stored } = await run(["a.fo"]);
    expect(stored).toHaveLength(2);
    expect(report).toMatchObject({ requests: 3, errors: { robots: 2500 }, queued: 0 });
  });

  it("survives servers that hang, break off, lie and send bombs, and says what each did", async () => {
    web = new Web();
    const bomb = gzipSync(Buffer.alloc(30_000_000));
    const odd: Record<string, Parameters<Web["add"]>[1]> = {
      "/hang": () => {},
      "/drip": (_, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const timer = setInterval(() => response.write("<p>x"), 100);
        response.on("close", () => clearInterval(timer));
      },
      "/reset": (_, response) => response.socket?.resetAndDestroy(),
      "/short": (_, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-length": "5000" });
        response.write("<p>short");
        setTimeout(() => response.socket?.destroy(), 20);
      },
      "/nonsense": (_, response) => void response.socket?.end("this is not HTTP\r\n\r\n"),
      "/headers": (_, response) => sendHtml(response, "x", { "x-large": "x".repeat(100_000) }),
      "/bomb": (_, response) => sendHtml(response, bomb, { "content-encoding": "gzip" }),
      "/badgzip": (_, response) => sendHtml(response, "not gzip", { "content-encoding": "gzip" }),
      "/zstd": (_, response) => sendHtml(response, "?", { "content-encoding": "zstd" }),
      "/picture": (_, response) =>
        void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(100_000)),
      "/untyped": (_, response) => void response.writeHead(200).end("<p>x"),
      "/error": (_, response) => void response.writeHead(500).end(),
      "/huge": (_, response) => sendHtml(response, html(["/late"]) + "x".repeat(3_000_000)),
      "/early": (_, response) => {
        response.writeEarlyHints({ link: "</x>; rel=preload" });
        sendHtml(response, html([]));
      },
      "/charset": (_, response) =>
        sendHtml(response, Buffer.from(html(["/f\u00f8r"]), "latin1"), {
          "content-type": "text/html; charset=latin1",
        }),
      "/wrongcharset": (_, response) =>
        sendHtml(response, Buffer.from(html(["/w\u00f8r"]), "latin1"), {
          "content-type": "text/html; charset=utf-8",
        }),
    };
    const names = Object.keys(odd);
    web.add("a.fo", site({ "/": names.map((path) => `http://${path.slice(1)}.fo${path}`) }));
    names.forEach((path, i) => {
      web.add(
        `${path.slice(1)}.fo`,
        (asked, response, request) =>
          asked === path
            ? odd[path](asked, response, request)
            : asked === "/robots.txt"
              ? response.writeHead(404).end()
              : sendHtml(response, html([])),
        `127.0.1.${1 + i}`,
      );
    });
    await web.start();
    const mapping = new Map([...web.mapping, ["dead.fo", { ip: "127.0.2.1", port: 9 }]]);
    const { reasonOf, stored, report, records } = await run(["http://a.fo/", "http://dead.fo/"], {
      mapping,
      timeoutMs: 1000,
    });
    const reasons = Object.fromEntries(
      names.map((path) => [path, reasonOf(`http://${path.slice(1)}.fo${path}`).join()]),
    );
    expect(reasons).toEqual({
      "/hang": "timeout",
      "/drip": "timeout",
      "/reset": "broken",
      "/short": "broken",
      "/nonsense": "broken",
      "/headers": "broken",
      "/bomb": "too_large",
      "/badgzip": "bad_encoding",
      "/zstd": "bad_encoding",
      "/picture": "wrong_type",
      "/untyped": "wrong_type",
      "/error": "status_500",
      "/huge": "stored",
      "/early": "stored",
      "/charset": "stored",
      "/wrongcharset": "stored",
    });
    expect(report.hostsRefused).toEqual({ connection: 1 });
    expect(stored).toContain("http://charset.fo/f%C3%B8r");
    expect(stored).toContain("http://huge.fo/late");
    const huge = records.find(({ fields }) => fields["warc-target-uri"] === "http://huge.fo/huge")!;
    expect(huge.fields["warc-truncated"]).toBe("length");
    expect(httpOf(huge).body).toHaveLength(1024 * 1024);
    once(web.fetched);
  });

  it("gets out of traps", async () => {
    web = new Web();
    web.add("calendar.fo", (path, response) => {
      const [, year, month] = /^\/events\/(\d+)\/(\d+)$/.exec(path) ?? ["", "2024", "1"];
      const next = Number(month) % 12 === 0 ? `${Number(year) + 1}/1` : `${year}/${Number(month) + 1}`;
      const skips = Array.from({ length: 40 }, (_, i) => `/events/${Number(year) + i}/${month}`);
      if (path === "/robots.txt") response.writeHead(404).end();
      else sendHtml(response, html([`/events/${next}`, ...skips]));
    });
    web.add(
      "circle.fo",
      (path, response) =>
        path === "/robots.txt"
          ? response.writeHead(404).end()
          : sendHtml(response, html([`${path === "/" ? "" : path}/a/`, "b/"])),
      "127.0.0.2",
    );
    web.add(
      "deep.fo",
      (path, response) =>
        path === "/robots.txt"
          ? response.writeHead(404).end()
          : sendHtml(response, html([`/${Number(path.slice(1) || 0) + 1}`])),
      "127.0.0.3",
    );
    web.add(
      "session.fo",
      (path, response) =>
        path === "/robots.txt"
          ? response.writeHead(404).end()
          : sendHtml(response, html([`/x?PHPSESSID=${Math.random()}`, `/${"long".repeat(300)}`])),
      "127.0.0.4",
    );
    await web.start();
    const { report } = await run(["calendar.fo", "circle.fo", "deep.fo", "session.fo"], { depth: 6 });
    const visits = (host: string) =>
      web.visits.filter((visit) => visit.host === host && visit.path !== "/robots.txt").length;
    expect(report.ended).toBe("complete");
    expect(visits("calendar.fo")).toBe(301);
    expect(visits("deep.fo")).toBe(7);
    expect(visits("session.fo")).toBe(1);
    expect(visits("circle.fo")).toBeLessThan(40);
    expect(report.left).toMatchObject({ session_id: 1, long_url: 1 });
    expect(report.left.calendar).toBeGreaterThan(0);
    expect(report.left.repeated_path).toBeGreaterThan(0);
    expect(report.left.too_deep).toBeGreaterThan(0);
  });

  it("comes back when it is told to, and leaves hosts that keep failing", async () => {
    web = new Web();
    let busy = 0;
    web.add("a.fo", (path, response) => {
      if (path === "/robots.txt") response.writeHead(404).end();
      else if (path === "/busy" && busy++ === 0) response.writeHead(503, { "retry-after": "1" }).end();
      else if (path === "/never") response.writeHead(429).end();
      else if (path === "/weeks") response.writeHead(503, { "retry-after": "9999999" }).end();
      else sendHtml(response, html(path === "/" ? ["/busy", "/never"] : []));
    });
    web.add(
      "w.fo",
      (path, response) =>
        path === "/robots.txt"
          ? response.writeHead(404).end()
          : response.writeHead(503, { "retry-after": "9999999" }).end(),
      "127.0.0.2",
    );
    await web.start();
    const { report, stored, reasonOf } = await run(["http://a.fo/", "http://w.fo/"], { delayMs: 20 });
    expect(stored).toEqual(["http://a.fo/", "http://a.fo/busy"]);
    expect(reasonOf("http://a.fo/busy")).toEqual(["later", "stored"]);
    expect(reasonOf("http://a.fo/never")).toEqual(["later", "later", "status_429"]);
    const [first, second] = web.visits.filter(({ path }) => path === "/busy");
    expect(second.began - first.ended).toBeGreaterThanOrEqual(999);
    const between = web.visits.filter(
      ({ host, began }) => host === "a.fo" && began > first.ended && began < first.ended + 999,
    );
    expect(between).toEqual([]);
    expect(report.hostsRefused).toEqual({ asks_to_wait: 1 });
  });

  it("keeps out what does not want to be kept, and does not follow what is not to be followed", async () => {
    web = new Web();
    web.add("a.fo", (path, response) => {
      const page = (head: string, headers: Record<string, string> = {}) =>
        sendHtml(response, html([`${path}/next`], { head }), headers);
      if (path === "/")
        sendHtml(
          response,
          `${html(["/meta", "/metafollow", "/header", "/headerother", "/none"])}<a rel="x NoFollow" href="/rel">`,
        );
      else if (path === "/meta") page('<meta name="robots" content="noindex">');
      else if (path === "/metafollow") page('<meta name="dugong" content="nofollow">');
      else if (path === "/header") page("", { "x-robots-tag": "noindex, nofollow" });
      else if (path === "/headerother") page("", { "x-robots-tag": "otherbot: noindex, nofollow" });
      else if (path === "/none") page("", { "x-robots-tag": "dugong: none" });
      else if (path === "/robots.txt") response.writeHead(404).end();
      else sendHtml(response, html([]));
    });
    await web.start();
    const { stored } = await run(["http://a.fo/"]);
    expect(stored).toEqual(
      ["/", "/headerother", "/headerother/next", "/meta/next", "/metafollow"].map(
        (path) => `http://a.fo${path}`,
      ),
    );
    expect(once(web.fetched)).toHaveLength(8);
  });

  it("drops domains that are not worth it", async () => {
    web = new Web();
    const chain = (paragraphs: number): Parameters<Web["add"]>[1] => {
      return (path, response) => {
        const number = Number(path.slice(1) || 0);
        if (path === "/robots.txt") response.writeHead(404).end();
        else
          sendHtml(
            response,
            html(number < 60 ? [`/${2 * number + 1}`, `/${2 * number + 2}`] : [], { paragraphs }),
          );
      };
    };
    web.add("text.fo", chain(3));
    web.add("empty.fo", chain(0), "127.0.0.2");
    web.add("www.empty.fo", chain(0), "127.0.0.2");
    web.add("foreign.fo", chain(3), "127.0.0.3");
    await web.start();
    const visits = (host: string) => web.visits.filter((visit) => visit.host === host).length;
    const { report } = await run(["text.fo", "empty.fo", "www.empty.fo"]);
    expect(visits("text.fo")).toBe(122);
    expect(visits("empty.fo") + visits("www.empty.fo")).toBeLessThan(40);
    expect(report).toMatchObject({ domainsDropped: 1, queued: 0, hostsRefused: { low_yield: 2 } });
    const asked: string[] = [];
    const isWanted = (text: string) => {
      asked.push(text);
      return 0;
    };
    const { report: second } = await run(["foreign.fo"], { isWanted });
    expect(second).toMatchObject({ domainsDropped: 1 });
    expect(visits("foreign.fo")).toBeLessThan(40);
    expect(asked[0]).toMatch(/^The dugong grazes/);
    const { report: third } = await run(["foreign.fo"], { isWanted, minYield: 0 });
    expect(third).toMatchObject({ domainsDropped: 0, pages: 121 });
  });

  it("ends with as many pages as were wanted, and goes on when more are", async () => {
    web = new Web();
    web.add(
      "a.fo",
      site({
        "/": Array.from({ length: 30 }, (_, i) => `/p${i}`),
        ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`/p${i}`, []])),
      }),
    );
    await web.start();
    const out = join(folder, "going-on");
    const first = await run(["a.fo"], { out, pagesMax: 10 });
    expect(first.report).toMatchObject({ ended: "max_pages", pages: 10, queued: 21 });
    expect(first.stored).toHaveLength(10);
    const second = await run(["a.fo"], { out });
    expect(second.report).toMatchObject({
      ended: "complete",
      pages: 31,
      resumed: true,
      queued: 0,
      run: { pages: 21 },
    });
    expect(second.stored).toHaveLength(31);
    expect(once(web.fetched)).toHaveLength(31);
    expect(web.visits.filter(({ path }) => path === "/robots.txt")).toHaveLength(1);
    expect(await run(["a.fo"], { out }).then(({ report }) => report)).toMatchObject({
      pages: 31,
      run: { requests: 0 },
    });
  });

  it("keeps only some hosts in memory, and all of them have their turns", async () => {
    web = new Web();
    const pages = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`/p${i}`, []]));
    for (let h = 0; h < 12; h++)
      web.add(`h${h}.fo`, site({ "/": Object.keys(pages), ...pages }), `127.0.0.${1 + h}`);
    await web.start();
    const most: number[] = [];
    const seeds = Array.from({ length: 12 }, (_, h) => `h${h}.fo`);
    const { stored } = await run(seeds, { activeHosts: 3 }, ({ hosts }) => most.push(hosts));
    expect(stored).toHaveLength(12 * 41);
    expect(Math.max(...most)).toBeLessThanOrEqual(3);
    // Nobody is through before everybody has begun.
    const first = (host: string) => web.visits.findIndex((visit) => visit.host === host);
    const last = (host: string) => web.visits.findLastIndex((visit) => visit.host === host);
    expect(Math.max(...seeds.map(first))).toBeLessThan(Math.max(...seeds.map(last)) / 2);
  });
});

describe("addresses", () => {
  it("that are not public are refused, whoever leads there", async () => {
    web = new Web();
    for (const host of ["inside.fo", "127.0.0.1", "localhost"]) web.add(host, site({ "/": [], "/x": [] }));
    await web.start();
    const port = web.portOf("127.0.0.1");
    const dns = await startDns(() => "127.0.0.1");
    const seeds = [
      "inside.fo",
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
    ];
    const { report } = await run(
      seeds.map((host) => `http://${host}:${port}/`),
      {
        allowPrivate: false,
        contact: "me@example.org",
        delayMs: 1000,
        mapping: undefined,
        dnsServers: [dns.server],
        scope: { anywhere: true },
      },
    );
    await dns.close();
    // Three of the seeds are ways to write one.
    expect(report.hostsRefused).toEqual({ private_address: 5 });
    expect(report.requests).toBe(0);
    expect(web.visits).toEqual([]);
  });

  it("are looked up once: what was checked is what is connected to", async () => {
    web = new Web();
    web.add("a.fo", site({ "/": ["/x", "/y"], "/x": [], "/y": [] }));
    await web.start();
    const asked: string[] = [];
    // Here only addresses that are not public are allowed; the second answer would lead out.
    const dns = await startDns((name) => {
      asked.push(name);
      return name === "a.fo" ? (asked.length === 1 ? "127.0.0.1" : "93.184.216.34") : undefined;
    });
    const { report, stored } = await run([`http://a.fo:${web.portOf("127.0.0.1")}/`, "http://none.fo/"], {
      mapping: undefined,
      dnsServers: [dns.server],
    });
    await dns.close();
    expect(stored).toHaveLength(3);
    expect(asked.filter((name) => name === "a.fo")).toHaveLength(1);
    expect(report.hostsRefused).toEqual({ dns: 1 });
  });
});

describe("what is written", () => {
  it("has pages as they came, with their digests, in files of the size that was asked for", async () => {
    web = new Web();
    const text = html(["/gzip", "/br", "/chunked", "/latin1"], { paragraphs: 30 });
    const bodies: Record<string, Buffer> = {
      "/": Buffer.from(text),
      "/gzip": gzipSync(text),
      "/br": brotliCompressSync(text),
      "/chunked": Buffer.from(text),
      "/latin1": Buffer.from(html(["/ø"]), "latin1"),
    };
    web.add("a.fo", (path, response) => {
      const body = bodies[path];
      if (!body) response.writeHead(404).end();
      else if (path === "/chunked") {
        response.writeHead(200, { "Content-Type": "text/html", "X-Odd": "a  b" });
        response.write(body.subarray(0, 100));
        setTimeout(() => response.end(body.subarray(100)), 30);
      } else {
        const coding = path === "/gzip" || path === "/br" ? { "content-encoding": path.slice(1) } : undefined;
        response
          .writeHead(200, { "content-type": "text/html", "content-length": body.length, ...coding })
          .end(body);
      }
    });
    await web.start();
    const { out, records, stored, log, report } = await run(["http://a.fo/"], {
      warcBytes: 1500,
      contact: "me@example.org",
    });
    expect(stored).toHaveLength(5);
    expect(report.warcFiles).toBeGreaterThan(1);
    const files = new Set(records.map(({ file }) => file));
    expect(files.size).toBe(report.warcFiles);
    for (const file of files) {
      const [info, ...rest] = records.filter((record) => record.file === file);
      expect(info.fields["warc-type"]).toBe("warcinfo");
      expect(info.block.toString()).toContain("software: dugong/1.0 (+me@example.org)\r\n");
      for (const { fields } of rest) expect(fields["warc-warcinfo-id"]).toBe(info.fields["warc-record-id"]);
    }
    for (const record of records.filter(({ fields }) => fields["warc-type"] === "response")) {
      const { fields } = record;
      const path = new URL(fields["warc-target-uri"]).pathname;
      const { statusLine, headers, body } = httpOf(record);
      expect(statusLine).toBe("HTTP/1.1 200 OK");
      expect(body.equals(bodies[path]), path).toBe(true);
      if (path === "/chunked")
        expect(headers).toMatchObject({ "x-odd": "a  b", "transfer-encoding": "chunked" });
      const hex = createHash("sha1").update(bodies[path]).digest("hex");
      const bits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
      const digest = bits
        .match(/.{5}/g)!
        .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five, 2)]);
      expect(fields).toMatchObject({
        "warc-payload-digest": `sha1:${digest.join("")}`,
        "warc-ip-address": "127.0.0.1",
        "content-type": "application/http;msgtype=response",
      });
      expect(fields["warc-record-id"]).toMatch(/^<urn:uuid:[0-9a-f-]{36}>$/);
      expect(Math.abs(Date.parse(fields["warc-date"]) - Date.now())).toBeLessThan(60_000);
    }
    const links = gunzipSync(readFileSync(join(out, "links.tsv.gz")))
      .toString()
      .trim()
      .split("\n");
    expect(links).toContain("http://a.fo/\thttp://a.fo/gzip");
    expect(links).toContain("http://a.fo/latin1\thttp://a.fo/%C3%B8");
    expect(new Set(links).size).toBe(links.length);
    expect(log.find(({ url }) => url === "http://a.fo/gzip")).toMatchObject({
      status: 200,
      bytes: bodies["/gzip"].length,
      reason: "stored",
    });
  });
});
