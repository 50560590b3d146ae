/**
 * jusText (Pomikálek, Removing Boilerplate and Duplicate Content from Web Corpora, 2011): whether a block is running text is told
 * first from itself, then from its neighbours.
 *
 *   by itself     many links                                             bad
 *                 a copyright sign, or inside <select>                   bad
 *                 shorter than lengthLow                                 bad if it has a link, else short
 *                 stop words ≥ stopWordsHigh                             good if longer than lengthHigh, else near good
 *                 stop words ≥ stopWordsLow                              near good
 *                 otherwise                                              bad
 *   headings      short ones with something good within headingDistance  near good
 *   short         between good ones                                      good
 *                 between bad ones                                       bad
 *                 between a good and a bad one                           good if something near good is before the bad one, else bad
 *   near good     between bad ones (or the page's ends)                  bad, else good
 *   headings      neither bad by themselves nor good yet,                good
 *                 with something good within headingDistance
 *
 * Without stop words, a block of any density counts as if it had enough of them.
 */
import type { Layout } from "./blocks.js";
import { densityScale, type StopWords, stopWordsOf, wordsOf } from "./stopwords.js";

export interface JustextParameters {
  lengthLow: number;
  lengthHigh: number;
  stopWordsLow: number;
  stopWordsHigh: number;
  linkDensityMax: number;
  headingDistanceMax: number;
  noHeadings: boolean;
}

/** As published. */
export const justextDefaults: JustextParameters = {
  lengthLow: 70,
  lengthHigh: 200,
  stopWordsLow: 0.3,
  stopWordsHigh: 0.32,
  linkDensityMax: 0.2,
  headingDistanceMax: 200,
  noHeadings: false,
};

/** A list of stop words, and the parameters for it. */
export interface Judging {
  /** Null for the mode without. */
  stopWords: StopWords | null;
  parameters: JustextParameters;
}

/** What a language's list asks for: lower densities where it covers less of the language than it does of most. */
export function judgingFor(language: string | undefined, parameters: JustextParameters): Judging {
  const scale = language === undefined ? 0 : densityScale(language);
  if (language === undefined || scale === 0) return { stopWords: null, parameters };
  const { stopWordsLow, stopWordsHigh } = parameters;
  return {
    stopWords: stopWordsOf(language),
    parameters: { ...parameters, stopWordsLow: stopWordsLow * scale, stopWordsHigh: stopWordsHigh * scale },
  };
}

export type BlockClass = "good" | "neargood" | "short" | "bad";

/** Which blocks are text. `stopWords` is null for the mode without them. */
export function justext(
  layout: Layout,
  stopWords: StopWords | null,
  parameters: JustextParameters = justextDefaults,
): boolean[] {
  const { blocks, elements } = layout;
  const lengths = blocks.map(({ text }) => text.length);
  const isHeading = blocks.map(({ element }) => !parameters.noHeadings && elements[element].heading > 0);
  const alone = blocks.map((_, i) => classAlone(layout, i, stopWords, parameters));
  return inContext(alone, lengths, isHeading, parameters.headingDistanceMax).map((one) => one === "good");
}

/** What a block is by itself. */
export function classAlone(
  { blocks, elements }: Layout,
  i: number,
  stopWords: StopWords | null,
  { lengthLow, lengthHigh, stopWordsLow, stopWordsHigh, linkDensityMax }: JustextParameters,
): BlockClass {
  const { text, linkChars, element } = blocks[i];
  const { length } = text;
  if (linkChars > linkDensityMax * length) return "bad";
  if (text.includes("©") || text.includes("&copy")) return "bad";
  for (let at = element; at > 0; at = elements[at].parent) {
    if (elements[at].name.name === "select") return "bad";
  }
  if (length < lengthLow) return linkChars > 0 ? "bad" : "short";
  const density = stopWords === null ? 1 : stopWordDensity(text, stopWords);
  if (density >= stopWordsHigh) return length > lengthHigh ? "good" : "neargood";
  return density >= stopWordsLow ? "neargood" : "bad";
}

export function stopWordDensity(text: string, stopWords: StopWords): number {
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  let count = 0;
  for (const word of words) if (stopWords.has(word)) count++;
  return count / words.length;
}

/** What blocks are among their neighbours: good or bad. */
export function inContext(
  alone: readonly BlockClass[],
  lengths: readonly number[],
  isHeading: readonly boolean[],
  headingDistanceMax: number,
): BlockClass[] {
  const classes = [...alone];
  const goodAhead = (i: number): boolean => {
    let distance = 0;
    for (let j = i + 1; j < classes.length && distance <= headingDistanceMax; j++) {
      if (classes[j] === "good") return true;
      distance += lengths[j];
    }
    return false;
  };
  for (let i = 0; i < classes.length; i++) {
    if (isHeading[i] && classes[i] === "short" && goodAhead(i)) classes[i] = "neargood";
  }

  const short = [...classes];
  const around = neighbours(classes);
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] !== "short") continue;
    const { before, after, nearBefore, nearAfter } = around;
    if (before[i] === after[i]) short[i] = before[i];
    else {
      const isNear = (before[i] === "bad" && nearBefore[i]) || (after[i] === "bad" && nearAfter[i]);
      short[i] = isNear ? "good" : "bad";
    }
  }

  const { before, after } = neighbours(short);
  const near = short.map((one, i) =>
    one === "neargood" ? (before[i] === "bad" && after[i] === "bad" ? "bad" : "good") : one,
  );

  for (let i = 0; i < classes.length; i++) classes[i] = near[i];
  for (let i = 0; i < classes.length; i++) {
    if (isHeading[i] && classes[i] === "bad" && alone[i] !== "bad" && goodAhead(i)) classes[i] = "good";
  }
  return classes;
}

/** For each block, the nearest good or bad one to each side, and whether something near good lies before that. */
function neighbours(classes: readonly BlockClass[]) {
  const count = classes.length;
  const before: ("good" | "bad")[] = new Array(count);
  const after: ("good" | "bad")[] = new Array(count);
  const nearBefore: boolean[] = new Array(count);
  const nearAfter: boolean[] = new Array(count);
  const walk = (from: number, step: number, decided: ("good" | "bad")[], near: boolean[]) => {
    let last: "good" | "bad" = "bad";
    let isNear = false;
    for (let i = from; i >= 0 && i < count; i += step) {
      decided[i] = last;
      near[i] = isNear;
      const one = classes[i];
      if (one === "good" || one === "bad") {
        last = one;
        isNear = false;
      } else if (one === "neargood") isNear = true;
    }
  };
  walk(0, 1, before, nearBefore);
  walk(count - 1, -1, after, nearAfter);
  return { before, after, nearBefore, nearAfter };
}
