/**
 * What queries are to reach, and whether they do. Manatee's recorded times are for counting, CQP's for storing the matches:
 * each is compared with the same done here. The comparison with the better of the two whatever it did is printed beside it.
 */
import { ms } from "./measure.js";

export interface ClassTimes {
  name: string;
  listMs: number;
  countMs: number;
  firstMs: number;
  twoListMs: number;
  twoCountMs: number;
  /** How many times as fast two threads are; where one takes long enough for that to matter. */
  listGain?: number;
  countGain?: number;
  /** Of the streams that the query asks; 0: it asks none. */
  scanMs: number;
  manateeMs?: number;
  cqpMs?: number;
  wrong: boolean;
  /** Is there a recorded number of hits? */
  checked: boolean;
}

const aheadMin = 5;
/** Where both take less, being slower does not matter. */
const noMatterMs = 0.3;
const scansMax = 4;
const firstMsMax = 10;
const gainMin = 1.6;
/** Two threads have to bring something where one takes longer. */
export const gainFromMs = 20;

/** How many times as fast as Manatee counts and as CQP lists: the lesser of both. */
export function ahead({ listMs, countMs, manateeMs, cqpMs }: ClassTimes): number {
  return Math.min(
    (manateeMs ?? Number.POSITIVE_INFINITY) / countMs,
    (cqpMs ?? Number.POSITIVE_INFINITY) / listMs,
  );
}

/** Listing, compared with the better of the two whatever it did. */
export function strictlyAhead({ listMs, manateeMs, cqpMs }: ClassTimes): number {
  return Math.min(manateeMs ?? Number.POSITIVE_INFINITY, cqpMs ?? Number.POSITIVE_INFINITY) / listMs;
}

export function printTargets(classes: ClassTimes[]): void {
  if (classes.length === 0) return;
  const say = (met: boolean, target: string, found: string) =>
    console.log(`  ${met ? "met    " : "NOT MET"}  ${target}: ${found}`);
  console.log(`\ntargets, ${classes.length} classes`);

  const wrong = classes.filter((one) => one.wrong);
  const unknown = classes.filter(({ checked }) => !checked);
  say(
    wrong.length === 0,
    "hits as recorded",
    `${classes.length - wrong.length - unknown.length} right, ${wrong.length} wrong, ${unknown.length} without a recorded number`,
  );

  const [fair, strict] = [mean(classes.map(ahead)), mean(classes.map(strictlyAhead))];
  say(
    fair >= aheadMin,
    `${aheadMin} times as fast as both, geometric mean`,
    `${fair.toFixed(2)} (counting as Manatee did, listing as CQP did)`,
  );
  say(
    strict >= aheadMin,
    "… listing compared with Manatee's counting as well",
    `${strict.toFixed(2)}; counting compared with the better: ${mean(classes.map(countingAhead)).toFixed(2)}`,
  );

  const slower = classes.filter(
    (one) => isSlower(one.countMs, one.manateeMs) || isSlower(one.listMs, one.cqpMs),
  );
  say(
    slower.length === 0,
    `no class slower than either, but where both take under ${noMatterMs} ms`,
    named(slower, ({ countMs, listMs, manateeMs, cqpMs }) =>
      countMs > (manateeMs ?? Number.POSITIVE_INFINITY)
        ? `counted ${ms(countMs)}, Manatee ${ms(manateeMs!)}`
        : `listed ${ms(listMs)}, CQP ${ms(cqpMs!)}`,
    ),
  );
  const strictlySlower = classes.filter((one) => isSlower(one.listMs, better(one)));
  say(
    strictlySlower.length === 0,
    "… listing compared with Manatee's counting as well",
    named(strictlySlower, (one) => `${ms(one.listMs)}, ${ms(better(one))}`),
  );

  const scanned = classes.filter(({ scanMs }) => scanMs > 0);
  const scans = ({ listMs, scanMs }: ClassTimes) => listMs / scanMs;
  const long = scanned.filter((one) => scans(one) > scansMax);
  say(
    long.length === 0,
    `no class over ${scansMax} scans of its streams`,
    long.length > 0
      ? named(long, (one) => scans(one).toFixed(2))
      : most(scanned, scans, (value) => value.toFixed(2)),
  );

  const late = classes.filter(({ firstMs }) => firstMs > firstMsMax);
  say(
    late.length === 0,
    `first 50 matches within ${firstMsMax} ms`,
    late.length > 0 ? named(late, ({ firstMs }) => ms(firstMs)) : most(classes, ({ firstMs }) => firstMs, ms),
  );

  for (const [verb, name] of [
    ["counting", "countGain"],
    ["listing", "listGain"],
  ] as const) {
    const shared = classes.filter((times) => times[name] !== undefined);
    const gain = (times: ClassTimes) => times[name]!;
    const little = shared.filter((times) => gain(times) < gainMin);
    const gains = shared.length > 0 ? `, geometric mean ${mean(shared.map(gain)).toFixed(2)}` : "";
    say(
      little.length === 0,
      `two threads ${gainMin} times as fast where one takes over ${gainFromMs} ms, ${verb}`,
      `${shared.length - little.length} of ${shared.length}${gains}${little.length > 0 ? `; not ${named(little, (times) => gain(times).toFixed(2))}` : ""}`,
    );
  }
}

function better({ manateeMs, cqpMs }: ClassTimes): number {
  return Math.min(manateeMs ?? Number.POSITIVE_INFINITY, cqpMs ?? Number.POSITIVE_INFINITY);
}

function countingAhead(times: ClassTimes): number {
  return better(times) / times.countMs;
}

function isSlower(ours: number, theirs = Number.POSITIVE_INFINITY): boolean {
  return ours > theirs && (ours > noMatterMs || theirs > noMatterMs);
}

function named(classes: ClassTimes[], value: (one: ClassTimes) => string): string {
  return classes.length === 0 ? "none" : classes.map((one) => `${one.name} (${value(one)})`).join(", ");
}

function most(
  classes: ClassTimes[],
  value: (one: ClassTimes) => number,
  shown: (value: number) => string,
): string {
  const [first] = [...classes].sort((a, b) => value(b) - value(a));
  return first ? `at most ${shown(value(first))} (${first.name})` : "none";
}

function mean(values: number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
