/**
 * How much wanted text the pages of a domain have, for the bytes that they took: its yield. A domain whose yield stays below
 *
 *     step × (log₁₀ pages − 1)
 *
 * after 20 pages is dropped: below 1 % after a hundred pages, 2 % after a thousand, 3 % after ten thousand (with the step of
 * 0.01 that is the default; 0 keeps every domain). The few pages of a small site are fetched whatever they are; a large one has
 * to be worth it.
 */
import { limits } from "./limits.js";

export interface DomainYield {
  pages: number;
  /** Of pages, their content encodings undone. */
  bytes: number;
  /** Of running text; with a language filter, of text in the language. */
  wanted: number;
}

export function isLowYield({ pages, bytes, wanted }: DomainYield, step: number): boolean {
  if (step <= 0 || pages < limits.yieldPagesMin) return false;
  return wanted / Math.max(bytes, 1) < step * (Math.log10(pages) - 1);
}
