/**
 * Hits over time: how frequent they are for each value of a numeric attribute of a structure (doc.year), or each bin of
 * `bin` values ([v, v + bin), where v is a multiple of bin), and whether that rises or falls (trend.ts, with perMillion
 * over where bins begin: a slope of 1 is one hit per million tokens more for each unit of time).
 *
 * Values with tokens but without hits are points too. What is not a number is counted, but no point.
 */
import { DugongError } from "../../storage/index.js";
import { parseKey } from "../chain/keys.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import type { Notice } from "../plan/errors.js";
import { columnFor } from "./frequency-columns.js";
import { RowNumbers } from "./frequency-rows.js";
import { limits } from "./limits.js";
import { OrderedHits } from "./ordered.js";
import { TextTypes } from "./text-types.js";
import { documentNotices, perMillion, TotalCount, type Totals } from "./totals.js";
import { type Trend, trendOf } from "./trend.js";
import { Whole } from "./whole.js";

export interface TrendOptions {
  /** "doc.year" */
  over: string;
  /** So many values at once. Default: each for itself. */
  bin?: number;
}

export interface Point {
  /** Where the bin begins. */
  value: number;
  tokens: number;
  hits: number;
  perMillion: number;
}

export interface TrendResult extends Totals {
  over: string;
  bin: number | null;
  points: Point[];
  /** Of what has no number there. */
  other: { tokens: number; hits: number };
  /** Null for fewer than two points, and for too many. */
  trend: Trend | null;
  notices: Notice[];
}

export async function trend(desk: Desk, chain: Chain, { over, bin }: TrendOptions): Promise<TrendResult> {
  const key = parseKey(over);
  if (key.place)
    throw new DugongError(
      "bad_option",
      `${JSON.stringify(over)} is not an attribute of a structure`,
      "Time is told by one, as doc.year.",
    );
  if (bin !== undefined && !(bin > 0 && Number.isFinite(bin)))
    throw new DugongError("bad_option", "a bin has to be larger than 0");
  const column = columnFor(desk.snapshot, key);
  const whole = await Whole.of(desk, chain);
  const types = new TextTypes(whole, [column], desk.checkpoint);
  const hitsOf = new RowNumbers();
  const total = new TotalCount(whole);
  const ordered = new OrderedHits(desk, chain);
  for await (const hits of ordered.blocks()) {
    total.add(hits);
    const entries = types.types.read(hits);
    const counts = hitsOf.reach(types.types.size);
    for (let i = 0; i < entries.count; i++) counts[entries.rows[i]]++;
  }
  const { points, other } = inBins(types, hitsOf.reach(types.types.size), bin);
  if (points.length === 0 && whole.tokens > 0) throw notNumeric(over, types);
  const notices = [
    ...ordered.running.notices,
    ...documentNotices(whole),
    ...pointNotices(over, points, other),
  ];
  return {
    ...total.totals,
    over,
    bin: bin ?? null,
    points,
    other,
    trend:
      points.length > limits.trendPointsMax
        ? null
        : (trendOf(
            points.map(({ value }) => value),
            points.map((point) => point.perMillion),
          ) ?? null),
    notices,
  };
}

/** Values that are the same number, or in the same bin, as one point; ascending. */
function inBins(
  types: TextTypes,
  hits: Float64Array,
  bin: number | undefined,
): Pick<TrendResult, "points" | "other"> {
  const points = new Map<number, Point>();
  const other = { tokens: 0, hits: 0 };
  for (let type = 1; type <= types.types.size; type++) {
    const number = numberIn(types.types.texts(type)[0]);
    const value = bin === undefined ? number : Math.floor(number / bin) * bin;
    let point: Pick<Point, "tokens" | "hits"> | undefined = Number.isNaN(value) ? other : points.get(value);
    if (!point) {
      const fresh = { value, tokens: 0, hits: 0, perMillion: 0 };
      points.set(value, fresh);
      point = fresh;
    }
    point.tokens += types.tokens(type);
    point.hits += hits[type];
  }
  const ascending = [...points.values()].sort((a, b) => a.value - b.value);
  for (const point of ascending) point.perMillion = perMillion(point.hits, point.tokens);
  return { points: ascending.filter(({ tokens }) => tokens > 0), other };
}

function numberIn(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function pointNotices(over: string, points: Point[], other: TrendResult["other"]): Notice[] {
  const notices: Notice[] = [];
  if (other.tokens > 0)
    notices.push({
      code: "not_numeric",
      message: `${other.tokens.toLocaleString("en")} tokens with ${other.hits.toLocaleString("en")} hits have no number in ${over}: they are left out`,
    });
  if (points.length > limits.trendPointsMax)
    notices.push({
      code: "limit_hit",
      message: `${points.length.toLocaleString("en")} points are too many for a trend (limit trendPointsMax): give larger bins`,
    });
  return notices;
}

function notNumeric(over: string, { types }: TextTypes): DugongError {
  const some = Array.from({ length: Math.min(3, types.size) }, (_, i) =>
    JSON.stringify(types.texts(i + 1)[0]),
  );
  return new DugongError(
    "not_numeric",
    `no value of ${over} is a number (it has ${some.join(", ")}${types.size > 3 ? " …" : ""})`,
    "Time has to be an attribute with numbers, as doc.year.",
  );
}
