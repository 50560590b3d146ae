import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageRanks } from "./pagerank.js";
import { graphOf, readLinks } from "./table.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-links-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Links = [from: number, to: number][];

function graph(pages: number, links: Links) {
  const from = Uint32Array.from(links, ([one]) => one);
  return graphOf(
    from,
    Uint32Array.from(links, ([, other]) => other),
    links.length,
    pages,
  );
}

/** Solves (1 − d · M) r = (1 − d) / N by elimination: M has a column for each page, with what it gives to each. */
function solved(pages: number, links: Links, damping: number): number[] {
  const gives = Array.from({ length: pages }, () => new Set<number>());
  for (const [from, to] of links) if (from !== to) gives[from].add(to);
  const rows = Array.from({ length: pages }, (_, to) => [
    ...gives.map((own, from) => {
      const share = own.size === 0 ? 1 / pages : own.has(to) ? 1 / own.size : 0;
      return (from === to ? 1 : 0) - damping * share;
    }),
    (1 - damping) / pages,
  ]);
  for (let pivot = 0; pivot < pages; pivot++) {
    let best = pivot;
    for (let row = pivot; row < pages; row++)
      if (Math.abs(rows[row][pivot]) > Math.abs(rows[best][pivot])) best = row;
    [rows[pivot], rows[best]] = [rows[best], rows[pivot]];
    for (let row = 0; row < pages; row++) {
      if (row === pivot) continue;
      const factor = rows[row][pivot] / rows[pivot][pivot];
      for (let column = pivot; column <= pages; column++) rows[row][column] -= factor * rows[pivot][column];
    }
  }
  return rows.map((row, page) => row[pages] / row[page]);
}

describe("PageRank", () => {
  it("is what solving the equations gives, of any graph", () => {
    const graphs = fc.integer({ min: 1, max: 25 }).chain((pages) => {
      const page = fc.nat(pages - 1);
      return fc.record({
        pages: fc.constant(pages),
        links: fc.array(fc.tuple(page, page), { maxLength: 80 }),
        damping: fc.constantFrom(0.85, 0.5, 0.99),
      });
    });
    fc.assert(
      fc.property(graphs, ({ pages, links, damping }) => {
        const exact = solved(pages, links, damping);
        const own = pageRanks(graph(pages, links), { damping, tolerance: 1e-13, iterationsMax: 10_000 });
        expect(own.converged).toBe(true);
        let sum = 0;
        for (let p = 0; p < pages; p++) {
          expect(own.ranks[p]).toBeCloseTo(exact[p], 9);
          sum += own.ranks[p];
        }
        expect(sum).toBeCloseTo(1, 9);
        // Where it ends by itself, what is still to come is at most d / (1 − d) as much as the last change, over all pages.
        const usual = pageRanks(graph(pages, links), { damping });
        expect(usual.change).toBeLessThan(1 / (10 * pages));
        const away = usual.ranks.reduce((far, rank, p) => far + Math.abs(rank - exact[p]), 0);
        expect(away).toBeLessThanOrEqual((damping / (1 - damping)) * pages * usual.change + 1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it("spreads what reaches a page without links over all pages", () => {
    // 0 → 1, 1 has no links: r0 = 0.075 + 0.425 r1, r1 = 0.075 + 0.85 r0 + 0.425 r1, r0 + r1 = 1.
    const { ranks, dangling } = pageRanks(graph(2, [[0, 1]]), { tolerance: 1e-14 });
    expect(dangling).toBe(1);
    expect(ranks[0]).toBeCloseTo(0.5 / 1.425, 12);
    expect(ranks[1]).toBeCloseTo(0.925 / 1.425, 12);
  });

  it("is the same for all where no page differs, and where there are no links at all", () => {
    const ring: Links = Array.from({ length: 7 }, (_, p) => [p, (p + 1) % 7]);
    for (const links of [ring, [] as Links])
      for (const rank of pageRanks(graph(7, links)).ranks) expect(rank).toBeCloseTo(1 / 7, 12);
  });

  it("knows a star, whose leaves link to a sink in the middle, by hand", () => {
    // Four leaves → the middle m, which has no links: l = 0.03 + 0.17 m, m = 0.03 + 0.85 · 4 l + 0.17 m.
    const links: Links = [1, 2, 3, 4].map((leaf) => [leaf, 0]);
    const { ranks } = pageRanks(graph(5, links), { tolerance: 1e-14 });
    const middle = (0.03 + 3.4 * 0.03) / (1 - 0.17 - 3.4 * 0.17);
    expect(ranks[0]).toBeCloseTo(middle, 12);
    for (const leaf of [1, 2, 3, 4]) expect(ranks[leaf]).toBeCloseTo(0.03 + 0.17 * middle, 12);
  });

  it("counts several links from one page to another once, and a page's links to itself not at all", () => {
    const plain = pageRanks(
      graph(3, [
        [0, 1],
        [0, 2],
        [1, 2],
      ]),
    ).ranks;
    const repeated = pageRanks(
      graph(3, [
        [0, 1],
        [0, 1],
        [0, 0],
        [0, 2],
        [1, 2],
        [0, 1],
        [2, 2],
      ]),
    ).ranks;
    expect(repeated).toEqual(plain);
  });

  it("of nothing is nothing, and ends when nobody wants it", () => {
    expect(pageRanks(graph(0, []))).toMatchObject({ iterations: 0, converged: true });
    const checkpoint = () => {
      throw new Error("enough");
    };
    expect(() => pageRanks(graph(2, [[0, 1]]), { checkpoint })).toThrow("enough");
  });
});

describe("a link table", () => {
  const text =
    "http://a/\thttp://b/\r\nhttp://b/\thttp://c/\tanchor\n\nno tab here\nhttp://a/\thttp://b/\n\thttp://x/\nhttp://ü/\thttp://a/";

  it("is read plain or compressed, and says what it could not read", async () => {
    for (const [name, bytes] of [
      ["a.tsv", text],
      ["b.tsv.gz", gzipSync(text)],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      const table = await readLinks(path);
      expect(table).toMatchObject({ lines: 4, badLines: 2, firstBadLine: 4, repeated: 1, issues: [] });
      expect(table.urls).toEqual(["http://a/", "http://b/", "http://c/", "http://ü/"]);
      expect([...table.graph.firsts]).toEqual([0, 1, 2, 3, 3]);
      expect([...table.graph.sources]).toEqual([3, 0, 1]);
    }
  });

  it("that ends too soon is read as far as it goes, and says so", async () => {
    const path = join(folder, "cut.gz");
    const whole = gzipSync("a\tb\n".repeat(5000));
    writeFileSync(path, whole.subarray(0, whole.length - 9));
    const { issues } = await readLinks(path);
    expect(issues).toHaveLength(1);
    await expect(readLinks(join(folder, "none"))).rejects.toThrow(/no file/);
  });
});
