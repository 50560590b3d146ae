import { describe, expect, it } from "vitest";
import { ResultCache } from "./cache.js";
import type { Hits } from "./hits.js";
import type { Chain } from "./steps.js";

const hits = (count: number): Hits => ({
  count,
  begins: new Uint32Array(count),
  ends: new Uint32Array(count),
  ascending: true,
  labels: new Map(),
});
const chain = (query: string): Chain => [{ step: "query", query }];

describe("kept results", () => {
  it("stay within their bytes, also where they have no hits at all", () => {
    const cache = new ResultCache(1 << 20);
    for (let i = 0; i < 20_000; i++) cache.keep(chain(`"w${i}"`), 1, { hits: hits(0), notices: [] });
    expect(cache.bytes).toBeLessThanOrEqual(1 << 20);
    const kept = Array.from({ length: 20_000 }, (_, i) => cache.longest(chain(`"w${i}"`))).filter(Boolean);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(2000);
    cache.clear();
    expect(cache.bytes).toBe(0);
  });

  it("are forgotten in the order in which they were last asked for", () => {
    const cache = new ResultCache(3 * 10_000);
    for (const name of ["a", "b", "c"]) cache.keep(chain(name), 1, { hits: hits(1000), notices: [] });
    expect(cache.longest(chain("a"))).toBeDefined();
    cache.keep(chain("d"), 1, { hits: hits(1000), notices: [] });
    expect(["a", "b", "c", "d"].filter((name) => cache.longest(chain(name)))).toEqual(["a", "c", "d"]);
    // The same once more takes no more.
    const before = cache.bytes;
    cache.keep(chain("d"), 1, { hits: hits(1000), notices: [] });
    expect(cache.bytes).toBe(before);
  });

  it("are of the lists that came along, whatever these are called", () => {
    const cache = new ResultCache(1 << 20);
    const of = (word: string): Chain => [{ step: "query", query: "[word=$span]", lists: { span: [word] } }];
    cache.keep(of("a"), 1, { hits: hits(1), notices: [] });
    expect(cache.longest(of("b"))).toBeUndefined();
    expect(cache.longest(of("a"))).toBeDefined();
  });
});
