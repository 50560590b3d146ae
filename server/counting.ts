/** What is counted while requests come and go, as whoever counts sees it: metrics.ts, or nobody. */

/** What is looked up when somebody asks. */
export interface Looked {
  connections(): number;
  waiting(): number;
  active(lane: "quick" | "heavy"): number;
  standing(): number;
  helping(): number;
  corpora(): number;
}

interface Counter<Label extends string> {
  inc(labels: Record<Label, string>, by?: number): void;
}

export interface Counting {
  readonly requests: Counter<"verb" | "outcome">;
  readonly seconds: { observe(labels: { verb: string }, seconds: number): void };
  readonly cpuSeconds: Counter<"verb">;
  readonly rows: { inc(by?: number): void };
  readonly traffic: Counter<"what">;
  readonly ended: Counter<"reason">;
  readonly threadsFailed: { inc(by?: number): void };
}

const nothing = { inc: () => {}, observe: () => {} };

/** A server that nobody can ask what it has counted counts nothing. */
export const uncounted: Counting = {
  requests: nothing,
  seconds: nothing,
  cpuSeconds: nothing,
  rows: nothing,
  traffic: nothing,
  ended: nothing,
  threadsFailed: nothing,
};
