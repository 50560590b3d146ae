/** What the steps of a chain mean, in the fewest lines, over plain arrays of hits. */
import type { FilterStep, Step } from "../../ql/index.js";
import type { NaiveCorpus } from "./matcher.js";

export interface NaiveHit {
  begin: number;
  end: number;
  labels: Record<string, [number, number]>;
}

export type Find = (query: string) => NaiveHit[];

export function applyNaively(corpus: NaiveCorpus, find: Find, hits: NaiveHit[], step: Step): NaiveHit[] {
  switch (step.step) {
    case "filter":
      return filter(corpus, hits, step, find(step.query as string));
    case "within": {
      const around = find(step.query as string);
      const isInside = (hit: NaiveHit) =>
        around.some(({ begin, end }) => begin <= hit.begin && hit.end <= end);
      return hits.filter((hit) => isInside(hit) !== (step.drop ?? false));
    }
    case "first": {
      const seen = new Map<number, number>();
      return hits.filter(({ begin }) => {
        const number = structureAt(corpus, step.structure, begin);
        seen.set(number, (seen.get(number) ?? 0) + 1);
        return number >= 0 && seen.get(number)! <= (step.count ?? 1);
      });
    }
    case "outermost":
      return hits.filter(
        (hit) => !hits.some((other) => other !== hit && other.begin <= hit.begin && hit.end <= other.end),
      );
    case "sort":
      return sort(corpus, hits, step.keys, step.collation ?? "");
    default:
      throw new Error(`no naive ${step.step}`);
  }
}

function filter(corpus: NaiveCorpus, hits: NaiveHit[], step: FilterStep, matches: NaiveHit[]): NaiveHit[] {
  const { window = { from: -5, to: 5 }, occurrence, node = true, label, drop = false } = step;
  return hits.flatMap((hit) => {
    const allowed = placesOf(corpus, hit, window);
    const near = matches.filter(
      ({ begin, end }) =>
        range(begin, end).every((place) => allowed.has(place)) &&
        (node || end <= hit.begin || begin >= hit.end),
    );
    const found =
      occurrence === undefined ? near[0] : occurrence > 0 ? near[occurrence - 1] : near.at(occurrence);
    if ((found !== undefined) === drop) return [];
    const bound: NaiveHit["labels"] = found && label ? { [label]: [found.begin, found.end] } : {};
    return [{ ...hit, labels: { ...hit.labels, ...bound } }];
  });
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

/** Token by token: those of the hit lie between the left and the right. */
function placesOf(
  corpus: NaiveCorpus,
  hit: NaiveHit,
  window: NonNullable<FilterStep["window"]>,
): Set<number> {
  if ("structure" in window) {
    const number = structureAt(corpus, window.structure, hit.begin);
    const around = corpus.structures[window.structure][number];
    return new Set(around ? range(around.begin, around.end) : []);
  }
  const places = range(0, corpus.attributes.word.length).filter((place) => {
    const offset = place < hit.begin ? place - hit.begin : place >= hit.end ? place - hit.end + 1 : 0;
    return offset >= window.from && offset <= window.to;
  });
  return new Set(places);
}

/** The number of the innermost structure around a token: the one that opened last. */
export function structureAt(corpus: NaiveCorpus, name: string, position: number): number {
  return corpus.structures[name].reduce(
    (found, { begin, end }, number) => (begin <= position && position < end ? number : found),
    -1,
  );
}

/** A stable sort of values, key by key. */
function sort(corpus: NaiveCorpus, hits: NaiveHit[], keys: string[], collation: string): NaiveHit[] {
  const collator = new Intl.Collator(collation === "" || collation === "bytes" ? "und" : collation);
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const compare = (a: string, b: string) =>
    (collation === "bytes" ? 0 : collator.compare(a, b)) || bytes(a, b);
  const columns = keys.map((key) => {
    const { name, flags, place } = readKey(key);
    const texts = hits.map((hit) => keyValue(corpus, hit, name, place, flags));
    const ordered = texts.map((text) =>
      flags.includes("r") && text !== undefined ? [...text].reverse().join("") : text,
    );
    const count = (text: string | undefined) => ordered.filter((other) => other === text).length;
    return {
      texts: ordered,
      falling: flags.includes("-"),
      counts: flags.includes("f") ? ordered.map(count) : undefined,
    };
  });
  const order = hits.map((_, i) => i);
  order.sort((a, b) => {
    for (const { texts, falling, counts } of columns) {
      const [x, y] = [texts[a], texts[b]];
      let by = counts ? counts[b] - counts[a] : 0;
      by ||=
        x === undefined || y === undefined
          ? Number(x !== undefined) - Number(y !== undefined)
          : compare(x, y);
      if (by !== 0) return falling ? -by : by;
    }
    return a - b;
  });
  return order.map((i) => hits[i]);
}

export function readKey(key: string): { name: string; flags: string; place?: string } {
  const [name, place] = key.trim().split(" ");
  const [attribute, flags = ""] = name.split("/");
  return attribute.includes(".")
    ? { name: attribute, flags }
    : { name: attribute, flags, place: place ?? "0" };
}

/** What a key says of a hit; undefined where there is nothing. */
export function keyValue(
  corpus: NaiveCorpus,
  hit: NaiveHit,
  name: string,
  place: string | undefined,
  flags: string,
): string | undefined {
  const text = place === undefined ? structureValue(corpus, hit, name) : tokensAt(corpus, hit, name, place);
  if (text === undefined) return undefined;
  const lower = flags.includes("i") ? text.toLowerCase() : text;
  return flags.includes("d") ? lower.normalize("NFD").replace(/\p{M}/gu, "") : lower;
}

function structureValue(corpus: NaiveCorpus, { begin }: NaiveHit, name: string): string | undefined {
  const [structure, attribute] = name.split(".");
  const number = structureAt(corpus, structure, begin);
  return number < 0 ? undefined : corpus.structures[structure][number].attributes[attribute];
}

function tokensAt(corpus: NaiveCorpus, hit: NaiveHit, name: string, place: string): string | undefined {
  const [label, where] = place.includes(":") ? place.split(":") : [undefined, place];
  const span = label === undefined ? ([hit.begin, hit.end] as const) : hit.labels[label];
  if (!span) return undefined;
  const at = (text: string, last: boolean) => {
    if (text === "node") return last ? span[1] - 1 : span[0];
    if (text === "last") return span[1] - 1;
    const number = text.endsWith("L") ? -Number.parseInt(text, 10) : Number.parseInt(text, 10);
    return number > 0 ? span[1] - 1 + number : span[0] + number;
  };
  const [from, to = from] = where.split("..");
  const [a, b] = [at(from, false), at(to, true)];
  const places = a <= b ? range(a, b + 1) : range(b, a + 1).reverse();
  const words = places
    .map((position) => corpus.attributes[name][position])
    .filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(" ");
}
