/**
 * The values of an attribute of structures ("doc.category"):
 *
 *   count   structures with the value; in a subcorpus, those that have a token in it
 *   tokens  the tokens of these structures, in a subcorpus those that are in it. A token in two of them, one inside the
 *           other, counts for both.
 *
 * Structures without the attribute are not listed. Where an attribute may have several values at once, a structure counts
 * for each of them.
 */
import { DugongError, type Structure } from "../../storage/index.js";
import { compareBytes } from "../../storage/lexicon/generation.js";
import { parseKey } from "../chain/keys.js";
import { foldText } from "../chain/values.js";
import type { Desk } from "../desk.js";
import { structureIndex } from "../match/structures.js";
import { checkStructureAttribute } from "../plan/names.js";
import { resolveSubcorpus } from "../subcorpus/resolve.js";
import type { Subcorpus } from "../subcorpus/subcorpus.js";
import { tokensOf } from "./counts.js";
import { patternOf } from "./pattern.js";
import { checkCounts, pageOf } from "./ranking.js";
import type { Wordlist, WordlistOptions } from "./wordlist.js";

export interface StructureRow {
  value: string;
  /** Structures. */
  count: number;
  tokens: number;
  /** tokens · 10⁶ / N */
  perMillion: number;
}

/** The word list of one attribute of structures. */
export async function structureList(desk: Desk, options: WordlistOptions): Promise<Wordlist<StructureRow>> {
  const { minCount = 1, maxCount = Number.POSITIVE_INFINITY, order = "count", patterns = [] } = options;
  if (order === "documents" || order === "arf")
    throw new DugongError(
      "bad_option",
      `structures are not listed by ${order === "arf" ? "ARF" : order}`,
      "Order them by count or by value.",
    );
  checkCounts(options);
  const key = parseKey(options.attributes[0]);
  const dot = key.attribute.indexOf(".");
  const structure = desk.snapshot.structure(key.attribute.slice(0, dot));
  const attribute = key.attribute.slice(dot + 1);
  checkStructureAttribute(desk.snapshot, structure, attribute);
  const subcorpus = options.subcorpus ? await resolveSubcorpus(desk, options.subcorpus) : undefined;
  const wholes = countStructures(desk, structure, attribute, subcorpus, (text) => foldText(text, key));
  const folds = { ignoreCase: key.ignoreCase, ignoreDiacritics: key.ignoreDiacritics };
  const pattern = patterns[0] === undefined ? undefined : patternOf(patterns[0], folds);
  const setOf = (strings?: readonly string[]) =>
    strings && new Set(strings.map((text) => foldText(text, key)));
  const [include, exclude] = [setOf(options.include), setOf(options.exclude)];
  const rows = [...byValue(wholes)]
    .filter(([value, { count }]) => {
      if (count < minCount || count > maxCount || (pattern && !pattern.matches(value))) return false;
      return (!include || include.has(value)) && !exclude?.has(value);
    })
    .map(([value, sums]) => ({ value, bytes: Buffer.from(value), ...sums }));
  const listed = new Set(rows.map(({ value }) => value));
  const compare = (a: number, b: number) => compareBytes(rows[a].bytes, rows[a].bytes.length, rows[b].bytes);
  const score = Float64Array.from(rows, ({ count }) => (order === "value" ? 0 : count));
  const page = pageOf(Uint32Array.from(rows.keys()), score, compare, options);
  const all = tokensOf(desk, subcorpus);
  return {
    corpus: desk.snapshot.citation,
    types: rows.length,
    occurrences: wholes.reduce(
      (sum, { values, count }) => sum + (values.some((value) => listed.has(value)) ? count : 0),
      0,
    ),
    tokens: all,
    notices: [],
    rows: Array.from(page.rows, (i) => {
      const { value, count, tokens } = rows[i];
      return { value, count, tokens, perMillion: (tokens * 1e6) / all };
    }),
  };
}

interface Sums {
  count: number;
  tokens: number;
}

/** Structures with the same value, or with the same values at once. */
interface Whole extends Sums {
  /** Each once. */
  values: string[];
}

function byValue(wholes: readonly Whole[]): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { values, count, tokens } of wholes) {
    for (const value of values) {
      const known = sums.get(value);
      if (known) {
        known.count += count;
        known.tokens += tokens;
      } else sums.set(value, { count, tokens });
    }
  }
  return sums;
}

/** Structures and their tokens by value, segment by segment. */
function countStructures(
  desk: Desk,
  structure: Structure,
  attribute: string,
  subcorpus: Subcorpus | undefined,
  fold: (text: string) => string,
): Whole[] {
  const { snapshot } = desk;
  const index = structureIndex(snapshot, structure);
  const lexicon = structure.lexicon(attribute);
  const counts = new Float64Array(lexicon?.size ?? 0);
  const tokens = new Float64Array(lexicon?.size ?? 0);
  const unique = new Map<string, Sums>();
  /** The first range of the subcorpus that does not end before the structure. */
  let range = 0;
  for (let at = 0; at < snapshot.segments.length; at++) {
    const { start, count, carriedIn } = index.pieces(at);
    const structures = snapshot.segments[at].structures(structure.name);
    if (!structures) continue;
    const ids = new Uint32Array(count);
    if (lexicon) structures.valueIds(attribute, 0, count, ids);
    const { begins } = index.pieces(at);
    // What began in an earlier segment was counted there, as a whole.
    for (let i = carriedIn; i < count; i++) {
      const begin = start + begins[i];
      const end = index.endOf(at, i);
      let own = end - begin;
      if (subcorpus) {
        while (range < subcorpus.begins.length && subcorpus.ends[range] <= begin) range++;
        own = 0;
        for (let r = range; r < subcorpus.begins.length && subcorpus.begins[r] < end; r++)
          own += Math.min(end, subcorpus.ends[r]) - Math.max(begin, subcorpus.begins[r]);
        if (own === 0) continue;
      }
      if (lexicon) {
        if (ids[i] === 0) continue;
        counts[ids[i] - 1]++;
        tokens[ids[i] - 1] += own;
        continue;
      }
      const value = structures.uniqueValue(i, attribute);
      if (value === undefined) continue;
      const sums = unique.get(value) ?? { count: 0, tokens: 0 };
      unique.set(value, { count: sums.count + 1, tokens: sums.tokens + own });
    }
    desk.checkpoint();
  }
  if (!lexicon) return Array.from(unique, ([value, sums]) => ({ values: [fold(value)], ...sums }));
  const singles = structure.values(attribute);
  const textsOf = (id: number) =>
    singles
      ? Array.from(singles.map.of(id), (single) => singles.lexicon.string(single))
      : [lexicon.string(id)];
  const wholes: Whole[] = [];
  for (let id = 0; id < counts.length; id++) {
    if (counts[id] === 0) continue;
    wholes.push({ values: [...new Set(textsOf(id).map(fold))], count: counts[id], tokens: tokens[id] });
  }
  return wholes;
}
