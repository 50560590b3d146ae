/**
 * Results that are known as a whole, by the chain that made them. A chain that begins with the steps of a kept one goes on
 * from there. The least lately used are forgotten when there are more bytes than allowed.
 */
import { isSpan } from "../cql/tree.js";
import type { Notice } from "../plan/errors.js";
import { bytesOf, type Hits } from "./hits.js";
import { limits } from "./limits.js";
import type { Chain } from "./steps.js";

export interface Result {
  hits: Hits;
  notices: Notice[];
}

export class ResultCache {
  readonly #results = new Map<string, Result>();
  #bytes = 0;

  constructor(
    readonly bytesMax: number = limits.resultBytesMax,
    /** What a subcorpus of that name is now: names may be given to something else. */
    readonly identify: (subcorpus: string) => string | number = (name) => name,
  ) {}

  #keyOf(chain: Chain, steps: number): string {
    return keyOf(chain, steps, this.identify);
  }

  /** The result of the longest beginning of a chain that is kept, and how many steps that has. */
  longest(chain: Chain): { result: Result; steps: number } | undefined {
    for (let steps = chain.length; steps > 0; steps--) {
      const key = this.#keyOf(chain, steps);
      const result = this.#results.get(key);
      if (!result) continue;
      this.#results.delete(key);
      this.#results.set(key, result);
      return { result, steps };
    }
    return undefined;
  }

  /** Keeps a result, unless it alone is more than may be kept. */
  keep(chain: Chain, steps: number, result: Result): void {
    const key = this.#keyOf(chain, steps);
    const known = this.#results.get(key);
    if (known) this.#bytes -= bytesTaken(key, known);
    this.#results.delete(key);
    const bytes = bytesTaken(key, result);
    if (bytes > this.bytesMax) return;
    this.#results.set(key, result);
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#results) {
      if (this.#bytes <= this.bytesMax) break;
      this.#results.delete(oldest);
      this.#bytes -= bytesTaken(oldest, kept);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  clear(): void {
    this.#results.clear();
    this.#bytes = 0;
  }
}

function bytesTaken(key: string, { hits }: Result): number {
  return bytesOf(hits) + 2 * key.length + limits.resultEntryBytes;
}

function keyOf(chain: Chain, steps: number, identify: (subcorpus: string) => string | number): string {
  return JSON.stringify(chain.slice(0, steps), (key, value) => {
    if (isSpan(key, value)) return undefined;
    if (key === "subcorpus" && typeof value === "string") return { id: identify(value) };
    if (key === "of" && Array.isArray(value))
      return value.map((part) => (typeof part === "string" ? { id: identify(part) } : part));
    // The order in which somebody wrote a step's properties says nothing.
    if (value && typeof value === "object" && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    return value;
  });
}
