/**
 * Training: from sample text of each language to a model. Counts runs of characters (grams.ts), and keeps those whose share of all
 * runs of their length is above a floor: what is rarer tells little, and would favour languages of which much text is known.
 *
 * The same samples give the same model, byte for byte.
 */
import { DugongError } from "../../storage/errors.js";
import { type CloseGroup, keyBits } from "./close.js";
import { Grams, orders } from "./grams.js";
import { LanguageModel, scoreSteps } from "./model.js";

/** Lines of one kind, and how much each counts. */
export interface Lines {
  lines: readonly string[];
  weight: number;
}

export interface TrainingText {
  language: string;
  parts: readonly Lines[];
}

/** The share of all runs of its length that a run must have to be kept. */
const floorDefault = 1.4e-5;
/** Taken off each count: what was seen once was seen by chance. */
const discount = 0.5;
/** Text without the marks on its letters, as people write who have no time, counts so much. */
const unmarkedWeight = 0.3;
/** A script has a profile of its own if so much of the text is written in it. */
const scriptShareMin = 0.2;
const profilesMax = 255;
const lineCharsMax = 100_000;

export function trainModel(
  texts: readonly TrainingText[],
  {
    floor = floorDefault,
    about,
    groups = [],
  }: { floor?: number; about?: string; groups?: readonly CloseGroup[] } = {},
): LanguageModel {
  const profiles = [...texts]
    .sort((a, b) => (a.language < b.language ? -1 : 1))
    .flatMap(({ language, parts }) => byScript(parts).map((own) => ({ language, parts: own })));
  if (profiles.length === 0)
    throw new DugongError("no_samples", "there is no text to train on", "Give a file for each language.");
  if (profiles.length > profilesMax)
    throw new DugongError("many_languages", `a model has at most ${profilesMax} languages and scripts`);
  const keys: number[][] = [];
  const scores: number[][] = [];
  const grams = new Grams(lineCharsMax);
  for (const { parts } of profiles) {
    const { kept, steps } = profileOf(parts, grams, floor);
    keys.push(kept);
    scores.push(steps);
  }
  return new LanguageModel(
    {
      profiles: profiles.map(({ language }) => language),
      groups: groups.map(({ languages, scale, bias }) => ({ languages, scale, ...(bias && { bias }) })),
      ...(about && { about }),
    },
    merged(keys, scores),
    groups,
  );
}

// ---- scripts

const scripts: [string, RegExp][] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Arabic", /\p{Script=Arabic}/u],
  ["Devanagari", /\p{Script=Devanagari}/u],
];

function scriptOf(word: string): string {
  return scripts.find(([, script]) => script.test(word))?.[0] ?? "other";
}

const words = /[\p{L}\p{M}]+/gu;

/** The lines of each script that the language is written in; words in other scripts are not its own. */
function byScript(parts: readonly Lines[]): Lines[][] {
  const chars = new Map<string, number>();
  let total = 0;
  for (const { lines, weight } of parts) {
    for (const line of lines) {
      for (const [word] of line.matchAll(words)) {
        const script = scriptOf(word);
        chars.set(script, (chars.get(script) ?? 0) + weight * word.length);
        total += weight * word.length;
      }
    }
  }
  const used = [...chars.keys()].filter((script) => chars.get(script)! >= scriptShareMin * total).sort();
  return used.map((script) =>
    parts.map(({ lines, weight }) => ({
      weight,
      lines: lines.map((line) =>
        (line.match(words) ?? []).filter((word) => scriptOf(word) === script).join(" "),
      ),
    })),
  );
}

// ---- counts

interface Counted {
  order: number;
  count: number;
}

/** The runs of a language that are frequent enough, with rising keys, and what each is worth. */
function profileOf(
  parts: readonly Lines[],
  grams: Grams,
  floor: number,
): { kept: number[]; steps: number[] } {
  const counts = new Map<number, Counted>();
  const totals = new Float64Array(orders);
  const add = (line: string, weight: number) => {
    grams.fill(line);
    const { hashes, orderOf, count } = grams;
    for (let i = 0; i < count; i++) {
      const key = hashes[i] & (2 ** keyBits - 1);
      const order = orderOf[i];
      totals[order] += weight;
      const found = counts.get(key);
      // Of runs that share a key, the shorter is the more frequent one.
      if (!found) counts.set(key, { order, count: weight });
      else found.count += weight;
    }
  };
  for (const { lines, weight } of parts) {
    for (const line of lines) {
      add(line, weight);
      const unmarked = line.normalize("NFD").replace(/\p{M}/gu, "");
      if (unmarked !== line && scriptOf(line) === "Latin") add(unmarked, weight * unmarkedWeight);
    }
  }
  const kept = [...counts.keys()].sort((a, b) => a - b);
  const steps: number[] = [];
  const good = kept.filter((key) => {
    const { order, count } = counts.get(key)!;
    const share = (count - discount) / totals[order];
    const step = share <= 0 ? 0 : Math.round(scoreSteps * Math.log(share / floor));
    if (step <= 0) return false;
    steps.push(Math.min(255, step));
    return true;
  });
  return { kept: good, steps };
}

/** The runs of all profiles, each once, with the entries of those that have it. */
function merged(keys: number[][], scores: number[][]) {
  const all = Uint32Array.from(new Set(keys.flat())).sort();
  const entries = keys.reduce((sum, own) => sum + own.length, 0);
  const starts = new Uint32Array(all.length + 1);
  const profiles = new Uint8Array(entries);
  const steps = new Uint8Array(entries);
  const next = new Uint32Array(keys.length);
  let entry = 0;
  for (let run = 0; run < all.length; run++) {
    for (let profile = 0; profile < keys.length; profile++) {
      if (keys[profile][next[profile]] !== all[run]) continue;
      profiles[entry] = profile;
      steps[entry++] = scores[profile][next[profile]++];
    }
    starts[run + 1] = entry;
  }
  return { keys: all, starts, profiles, scores: steps };
}
