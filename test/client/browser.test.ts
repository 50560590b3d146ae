/** The client library in a browser. Needs Chromium; where CI is true, it must be there. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../server/index.js";
import { temporaryFolder } from "../server/corpora.js";
import type { Report, Told } from "./browser-page.js";
import { BrowserPage, findChromium } from "./chromium.js";
import { encodeTales } from "./corpus.js";

const chromium = findChromium();
const { folder, remove } = temporaryFolder();

if (!chromium) {
  describe("the library in a browser", () => {
    const message = "Chromium is not there, and could not be installed";
    it.skipIf(process.env.CI !== "true")("can be tested", () => expect.fail(message));
    console.warn(`${message}: the library is not tested in a browser`);
  });
}

/** A site: the page with the script at /, and whatever else the test wants; what the page reports comes out. */
class Site {
  readonly #server: Server;
  readonly report: Promise<Report>;
  html = "";

  constructor(script: string) {
    let reported: (report: Report) => void;
    this.report = new Promise((resolve) => {
      reported = resolve;
    });
    this.#server = createServer((request, response) => {
      const path = request.url?.split("?")[0];
      if (path === "/report") {
        let body = "";
        request.on("data", (text) => {
          body += text;
        });
        request.on("end", () => {
          response.end();
          reported(JSON.parse(body) as Report);
        });
      } else if (path === "/script.js") {
        response.setHeader("content-type", "text/javascript; charset=utf-8");
        response.end(script);
      } else {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(
          `<!doctype html><title>test</title>${this.html}<script type="module" src="/script.js"></script>`,
        );
      }
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe.skipIf(!chromium)("the library in a browser", () => {
  let server: RunningServer;
  let page: BrowserPage;
  const sites: Site[] = [];
  let [allowed, other]: Promise<Report>[] = [];

  beforeAll(async () => {
    await encodeTales(folder, folder);
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, "browser-page.ts")],
      bundle: true,
      platform: "browser",
      format: "esm",
      write: false,
      logLevel: "silent",
    });
    const [{ text: script }] = outputFiles;
    for (let i = 0; i < 2; i++) sites.push(new Site(script));
    const [origin, foreign] = await Promise.all(sites.map((site) => site.listen()));
    server = await startServer({
      data: folder,
      config: { port: 0, logLevel: "silent", threads: 1, origins: [origin] },
    });
    const query = `?server=${encodeURIComponent(server.address)}`;
    // A page of another site inside the first: one browser will do.
    sites[0].html = `<iframe src="${foreign}/${query}"></iframe>`;
    page = new BrowserPage(chromium!, `${origin}/${query}`);
    [allowed, other] = sites.map(({ report }) => report);
  });

  afterAll(async () => {
    await page?.close();
    await Promise.all(sites.map((site) => site.close()));
    await server?.close(0);
    remove();
  });

  const withinMs = async (report: Promise<Report>) => {
    const late = new Promise<never>((_, reject) => {
      setTimeout(
        () => reject(new Error(`the page did not report: ${page.said.slice(-2000)}`)),
        90_000,
      ).unref();
    });
    return Promise.race([report, late]);
  };

  it.each(["dugong.v1.msgpack", "dugong.v1.json"] as const)(
    "gives pages over %s, aborts, and says where a query is wrong",
    async (subprotocol) => {
      const told = (await withinMs(allowed))[subprotocol] as Told;
      expect(told).not.toHaveProperty("refused");
      expect(told.pages.map(({ from, texts }) => [from, texts.length])).toEqual([
        [0, 5],
        [5, 5],
        [2000, 5],
      ]);
      for (const { texts } of told.pages)
        expect(texts.every((text) => text === "goes" || text === "went")).toBe(true);
      expect(told.pages.at(-1)?.total).toBe(4025);
      expect(told.aborted).toBe("AbortError");
      expect(told.left).toBe(0);
      expect(told.error).toMatchObject({ code: "unknown_attribute", span: [1, 5] });
      expect(told.error.hint).toContain("lemma");
    },
  );

  it("is refused where the page is of an origin that may not connect", async () => {
    const report = await withinMs(other);
    for (const told of Object.values(report))
      expect(told).toEqual({ refused: expect.stringContaining(`cannot connect to ${server.address}`) });
  });
});
