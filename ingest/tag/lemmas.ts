/**
 * Lemmas by edit scripts: what has to be done to a word's two ends, and to its case, to make it its lemma. Scripts are learnt
 * for each tag and ending; the longest ending that was seen decides. Words of which that is wrong in training are in a
 * list of their own.
 *
 *   script = case "|" cut "|" add "|" cut "|" add        at the start, at the end
 *   case   = "k" as it is | "l" in lower case | "t" the first letter large, the others small
 */
const endingCharsMax = 7;
/** A script that changes the start of words is a rule of the language if so many words have it, and else an exception. */
const startFormsMin = 3;

/** Null if nothing of the word is left in the lemma. */
export function scriptOf(form: string, lemma: string): string | null {
  let best: { script: string; cost: number } | undefined;
  for (const kind of lemma === lemma.toLowerCase() ? "lkt" : "ktl") {
    const base = inCase(form, kind);
    const [from, at, length] = longestCommon(base, lemma);
    if (length === 0) continue;
    const endCut = base.length - from - length;
    const script = `${kind}|${from}|${lemma.slice(0, at)}|${endCut}|${lemma.slice(at + length)}`;
    const cost = base.length + lemma.length - 2 * length;
    if (!best || cost < best.cost) best = { script, cost };
  }
  return best?.script ?? null;
}

/** What a script does at the start of words: "0|" is nothing. */
function startOf(script: string): string {
  const [, cut, add] = script.split("|");
  return `${cut}|${add}`;
}

const unchanged = "0|";

function inCase(form: string, kind: string): string {
  if (kind === "k") return form;
  const small = form.toLowerCase();
  if (kind === "l") return small;
  const [first = ""] = form;
  return first.toUpperCase() + form.slice(first.length).toLowerCase();
}

/** The longest part that both have: where it starts in each, and its length. Of equal ones the first, so that ends change. */
function longestCommon(a: string, b: string): [number, number, number] {
  let found: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
      if (length > found[2]) found = [i, j, length];
    }
  }
  return found;
}

/** Null if the word is too short for it. */
export function applyScript(form: string, script: string): string | null {
  const [kind, startCut, startAdd, endCut, endAdd] = script.split("|");
  const base = inCase(form, kind);
  const from = Number(startCut);
  const to = base.length - Number(endCut);
  return to > from ? startAdd + base.slice(from, to) + endAdd : null;
}

export interface LemmaModel {
  /** tag, tab, ending with "^" before a whole word → script */
  rules: Record<string, string>;
  /** tag, tab, form → lemma */
  words: Record<string, string>;
}

/** Counts what becomes of words. */
export class LemmaLearning {
  readonly #lemmas = new Map<string, Map<string, number>>();

  add(form: string, tag: string, lemma: string): void {
    if (lemma === "_" && form !== "_") return;
    count(this.#lemmas, `${tag}\t${form}`, lemma);
  }

  get isEmpty(): boolean {
    return this.#lemmas.size === 0;
  }

  model(): LemmaModel {
    const found: { tag: string; form: string; script: string }[] = [];
    const startForms = new Map<string, Set<string>>();
    for (const [key, lemmas] of this.#lemmas) {
      const [tag, form] = key.split("\t");
      const [lemma] = mostFrequent(lemmas);
      // Scripts have bars between their parts.
      if (form.includes("|") || lemma.includes("|")) continue;
      const script = scriptOf(form, lemma);
      // Of digits nothing can be learnt: "8,000" is not like "38,000".
      if (script === null || /\p{Nd}/u.test(form)) continue;
      found.push({ tag, form, script });
      const start = startOf(script);
      if (start === unchanged) continue;
      const forms = startForms.get(start) ?? new Set();
      startForms.set(start, forms.add(form.toLowerCase()));
    }
    const scripts = new Map<string, Map<string, number>>();
    for (const { tag, form, script } of found) {
      const start = startOf(script);
      if (start !== unchanged && startForms.get(start)!.size < startFormsMin) continue;
      for (const ending of endingsOf(form)) count(scripts, `${tag}\t${ending}`, script);
    }
    const rules: Record<string, string> = Object.create(null);
    for (const [key, counts] of scripts) rules[key] = mostFrequent(counts)[0];
    // An ending says nothing that the next shorter one does not say too.
    for (const key of Object.keys(rules).sort((a, b) => b.length - a.length)) {
      const [tag, ending] = key.split("\t");
      if (ending === "") continue;
      if (nextRule(rules, tag, ending) === rules[key]) delete rules[key];
    }
    const model: LemmaModel = { rules, words: Object.create(null) };
    const lemmatise = lemmatiser(model);
    for (const [key, lemmas] of this.#lemmas) {
      const [tag, form] = key.split("\t");
      const [lemma] = mostFrequent(lemmas);
      if (lemmatise(form, tag) !== lemma) model.words[key] = lemma;
    }
    return model;
  }
}

function count(counts: Map<string, Map<string, number>>, key: string, value: string): void {
  let found = counts.get(key);
  if (!found) counts.set(key, (found = new Map()));
  found.set(value, (found.get(value) ?? 0) + 1);
}

/** Of equal ones the first in the order of the alphabet, so that learning twice gives the same. */
function mostFrequent(counts: ReadonlyMap<string, number>): [string, number] {
  return [...counts].reduce((best, one) =>
    one[1] > best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best,
  );
}

/** The empty ending first. Words with and without a capital have rules of their own. */
function endingsOf(form: string): string[] {
  const small = form.toLowerCase();
  const mark = small === form ? "" : small.slice(1) === form.slice(1) ? "^" : "^^";
  const endings = [mark];
  for (let k = 1; k <= Math.min(endingCharsMax, small.length); k++) endings.push(mark + small.slice(-k));
  return endings;
}

function nextRule(rules: Record<string, string>, tag: string, ending: string): string | undefined {
  const [mark] = /^\^*/.exec(ending)!;
  for (let at = mark.length + 1; at <= ending.length; at++) {
    const rule = rules[`${tag}\t${mark}${ending.slice(at)}`];
    if (rule !== undefined) return rule;
  }
  return undefined;
}

export function lemmatiser({ rules, words }: LemmaModel): (form: string, tag: string) => string {
  return (form, tag) => {
    const known = words[`${tag}\t${form}`];
    if (known !== undefined) return known;
    if (/\p{Nd}/u.test(form)) return form;
    const endings = endingsOf(form);
    for (let i = endings.length - 1; i >= 0; i--) {
      const script = rules[`${tag}\t${endings[i]}`];
      const lemma = script === undefined ? null : applyScript(form, script);
      if (lemma !== null) return lemma;
    }
    return form;
  };
}
