/**
 * Link tables: which page links to which.
 *
 *   table = line*, plain, gzip or Zstandard
 *   line  = from, tab, to [, tab, anything]; both are addresses, as they are written; empty lines are passed over
 *
 * Pages are numbered in the order in which they are first named. Several links from one page to another count once, a page's links to itself
 * not at all. A line without a tab, or with an empty address, is counted and passed over.
 */
import { DugongError } from "../errors.js";
import { findSources, readSource } from "../input/sources.js";
import { limits } from "../limits.js";
import type { Graph } from "./pagerank.js";

export interface LinkTable {
  urls: string[];
  numbers: Map<string, number>;
  graph: Graph;
  /** Lines that name two pages. */
  lines: number;
  /** Lines that do not, and where the first of them is. */
  badLines: number;
  firstBadLine: number;
  /** Lines that said nothing new: named before, or of a page to itself. */
  repeated: number;
  /** The file ends too soon, or has something behind its end. */
  issues: string[];
}

const newline = 10;
const tab = 9;
const carriageReturn = 13;

export async function readLinks(
  path: string,
  options: { onRead?: (bytes: number, total: number) => void; checkpoint?: () => void } = {},
): Promise<LinkTable> {
  const [source] = findSources([path]);
  const reader = new LineReader();
  const issues: string[] = [];
  let left = Buffer.alloc(0);
  const chunks = readSource(
    source,
    ({ message }) => issues.push(message),
    (bytes) => options.onRead?.(bytes, source.bytes),
  );
  for await (const chunk of chunks) {
    options.checkpoint?.();
    const bytes =
      left.length > 0
        ? Buffer.concat([left, chunk])
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const last = bytes.lastIndexOf(newline);
    reader.read(bytes, last + 1);
    // The chunk may be used again by its reader: what is left is copied.
    left = Buffer.from(bytes.subarray(last + 1));
  }
  reader.read(Buffer.concat([left, Buffer.of(newline)]), left.length + 1);
  return { ...reader.table(), issues };
}

class LineReader {
  readonly #urls: string[] = [];
  readonly #numbers = new Map<string, number>();
  #from: Uint32Array = new Uint32Array(1 << 16);
  #to: Uint32Array = new Uint32Array(1 << 16);
  #edges = 0;
  #lines = 0;
  #line = 0;
  #bad = 0;
  #firstBad = 0;

  read(bytes: Buffer, end: number): void {
    for (let start = 0; start < end; ) {
      const stop = bytes.indexOf(newline, start);
      this.#line++;
      const last = stop > start && bytes[stop - 1] === carriageReturn ? stop - 1 : stop;
      if (last > start) this.#take(bytes, start, last);
      start = stop + 1;
    }
  }

  #take(bytes: Buffer, start: number, end: number): void {
    const middle = bytes.indexOf(tab, start);
    let behind = middle < 0 ? -1 : bytes.indexOf(tab, middle + 1);
    if (behind < 0 || behind > end) behind = end;
    if (middle <= start || middle >= end || behind === middle + 1) {
      if (this.#bad++ === 0) this.#firstBad = this.#line;
      return;
    }
    this.#lines++;
    const from = this.#number(bytes.toString("utf8", start, middle));
    const to = this.#number(bytes.toString("utf8", middle + 1, behind));
    if (from === to) return;
    if (this.#edges === this.#from.length) {
      this.#from = doubled(this.#from);
      this.#to = doubled(this.#to);
    }
    this.#from[this.#edges] = from;
    this.#to[this.#edges++] = to;
  }

  #number(url: string): number {
    const known = this.#numbers.get(url);
    if (known !== undefined) return known;
    if (this.#urls.length >= limits.linkPagesMax)
      throw new DugongError("too_many_pages", `a link table has at most ${limits.linkPagesMax} pages`);
    const number = this.#urls.push(url) - 1;
    this.#numbers.set(url, number);
    return number;
  }

  table(): Omit<LinkTable, "issues"> {
    const graph = graphOf(this.#from, this.#to, this.#edges, this.#urls.length);
    return {
      urls: this.#urls,
      numbers: this.#numbers,
      graph,
      lines: this.#lines,
      badLines: this.#bad,
      firstBadLine: this.#firstBad,
      repeated: this.#lines - graph.sources.length,
    };
  }
}

function doubled(values: Uint32Array): Uint32Array {
  const larger = new Uint32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Links, by the page that they lead to; each once, none of a page to itself. */
export function graphOf(from: Uint32Array, to: Uint32Array, edges: number, pages: number): Graph {
  // By source first, then by target: in each target's list sources then ascend, and equal ones stand side by side.
  const bySource = placesBy(from, undefined, edges, pages).order;
  const { order, starts } = placesBy(to, bySource, edges, pages);
  const sources = new Uint32Array(edges);
  const firsts = new Uint32Array(pages + 1);
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    firsts[page] = kept;
    for (let i = starts[page]; i < starts[page + 1]; i++) {
      const source = from[order[i]];
      if (source === page || (kept > firsts[page] && sources[kept - 1] === source)) continue;
      sources[kept++] = source;
    }
  }
  firsts[pages] = kept;
  return { pages, firsts, sources: sources.slice(0, kept) };
}

function placesBy(
  keys: Uint32Array,
  before: Uint32Array | undefined,
  count: number,
  most: number,
): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(most + 1);
  for (let i = 0; i < count; i++) starts[keys[i] + 1]++;
  for (let key = 0; key < most; key++) starts[key + 1] += starts[key];
  const next = starts.slice();
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const place = before ? before[i] : i;
    order[next[keys[place]]++] = place;
  }
  return { order, starts };
}
