/** What there is of a query's hits as a whole: how many, in how many documents, how evenly spread. */
import type { Hits } from "../chain/hits.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { type Dispersion, Dispersions, dispersionAt } from "./dispersion.js";
import { documentParts, equalParts, type Parts } from "./dispersion-parts.js";
import { Documents } from "./documents.js";
import { OrderedHits } from "./ordered.js";
import { Whole } from "./whole.js";

export interface Totals {
  hits: number;
  /** N: of the corpus, or of the subcorpus. */
  tokens: number;
  perMillion: number;
  /** Documents that have hits; null in a corpus without documents. */
  documents: number | null;
}

/** What evenness was measured over; null where there are no documents and no number of parts was given. */
export interface PartsMeasured {
  parts: { kind: Parts["kind"]; count: number } | null;
}

export interface TotalsResult extends Totals, Dispersion, PartsMeasured {
  notices: Notice[];
}

export interface DispersionOptions {
  /** So many parts of equal length, instead of documents. */
  parts?: number;
}

export async function totals(
  desk: Desk,
  chain: Chain,
  options: DispersionOptions = {},
): Promise<TotalsResult> {
  const whole = await Whole.of(desk, chain);
  const parts = partsOf(whole, options);
  const ordered = new OrderedHits(desk, chain, [], true);
  const counted = new TotalCount(whole);
  for await (const hits of ordered.blocks()) counted.add(hits);
  const { hits } = counted;
  const dispersions = new Dispersions(whole.tokens, Float64Array.of(hits), parts);
  for await (const block of ordered.blocks()) {
    const places = whole.places(block);
    const numbers = parts?.read(block, places);
    desk.checkpoint();
    for (let i = 0; i < block.count; i++) dispersions.add(0, places[i], numbers ? numbers[i] : 0);
  }
  return {
    ...counted.totals,
    ...dispersionAt(dispersions.finish(), 0),
    ...partsMeasured(parts),
    notices: [...ordered.running.notices, ...documentNotices(whole, { parts })],
  };
}

/** Counts hits and documents, block by block. */
export class TotalCount {
  hits = 0;
  #documents = 0;
  #last = -1;

  constructor(readonly whole: Whole) {}

  /** The number of each hit's document, −1 where there is none; undefined in a corpus without. */
  add(hits: Hits): Float64Array | undefined {
    this.hits += hits.count;
    const numbers = Documents.of(this.whole.snapshot)?.numbers(hits);
    if (!numbers) return undefined;
    for (let i = 0; i < hits.count; i++) {
      if (numbers[i] === this.#last || numbers[i] < 0) continue;
      this.#last = numbers[i];
      this.#documents++;
    }
    return numbers;
  }

  get totals(): Totals {
    const { hits, whole } = this;
    return {
      hits,
      tokens: whole.tokens,
      perMillion: perMillion(hits, whole.tokens),
      documents: Documents.of(whole.snapshot) ? this.#documents : null,
    };
  }
}

export function perMillion(count: number, tokens: number): number {
  return tokens > 0 ? (count * 1e6) / tokens : 0;
}

export function partsOf(whole: Whole, { parts }: DispersionOptions): Parts | undefined {
  if (parts !== undefined) return equalParts(whole, parts);
  const documents = Documents.of(whole.snapshot);
  return documents && documentParts(whole, documents);
}

export function partsMeasured(parts: Parts | undefined): PartsMeasured {
  return { parts: parts ? { kind: parts.kind, count: parts.count } : null };
}

/** What a corpus without documents cannot say. */
export function documentNotices({ snapshot }: Whole, measured?: { parts: Parts | undefined }): Notice[] {
  if (Documents.of(snapshot)) return [];
  const why = `corpus ${snapshot.corpus} has no documents (no structure ${snapshot.config.document ?? "doc"})`;
  const without =
    measured && !measured.parts ? "; Juilland's D, DP and DPnorm need them, or a number of parts" : "";
  return [{ code: "no_documents", message: `${why}: they are not counted${without}` }];
}
