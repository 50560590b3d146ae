/**
 * Words of scripts that write no spaces, by Intl.Segmenter and the dictionaries that Node carries. It takes time that grows with
 * the square of what it is given (in Node 20), so it is given short windows: of each, all words but the last few are
 * taken, and the next window starts there, so that no word is cut where a window ends.
 */
const windowChars = 96;
const overlapChars = 24;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    const locale = language === "und" ? undefined : language;
    segmenter = new Intl.Segmenter(locale ?? "en", { granularity: "word" });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}

/** The words of a run of such a script, in order; together they are the run. */
export function segment(run: string, language: string, words: string[]): void {
  const segmenter = segmenterOf(language);
  let from = 0;
  while (from < run.length) {
    const isLast = run.length - from <= windowChars;
    const window = isLast ? run.slice(from) : run.slice(from, from + windowChars);
    let taken = 0;
    for (const { segment: word, index } of segmenter.segment(window)) {
      if (!isLast && index > windowChars - overlapChars && taken > 0) break;
      words.push(word);
      taken = index + word.length;
    }
    from += taken;
  }
}
