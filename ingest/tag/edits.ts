/**
 * What makes a word its lemma, in two parts that are decided one by one: an edit of the word in lower case, and the case of the lemma.
 *
 *   edit = startCut tab startAdd tab endCut tab endAdd     "ies" at the end becomes "y": "\t\ties\ty"
 *        | char                                            is left out wherever it stands: "8,000" becomes "8000"
 *   case = 0 as the word is | 1 in lower case | 2 the first letter large, the others small
 */

export const asItIs = 0;
export const inSmall = 1;
export const inTitle = 2;
export const caseKinds = 3;

/** Nothing is done. */
export const unchanged = "\t\t\t";

/** How words are written: in lower case (or without letters), with a capital first, in capitals (two at least), otherwise. */
export function markOf(form: string, small: string): number {
  if (form === small) return 0;
  const [first] = form;
  if (form.slice(first.length) === small.slice(first.toLowerCase().length)) return 1;
  return form === form.toUpperCase() ? 2 : 3;
}

/** Null if nothing of the word is left in the lemma. Both in lower case. */
export function editOf(small: string, lemma: string): string | null {
  if (small === lemma) return unchanged;
  if (/\p{Nd}/u.test(small)) {
    for (const char of small)
      if (!/[\p{L}\p{N}]/u.test(char) && small.replaceAll(char, "") === lemma) return char;
  }
  const [from, at, length] = longestCommon(small, lemma);
  if (length === 0) return null;
  return [
    small.slice(0, from),
    lemma.slice(0, at),
    small.slice(from + length),
    lemma.slice(at + length),
  ].join("\t");
}

/** Does it do something at the start of words? */
export const changesStart = (edit: string) => edit.length > 1 && !edit.startsWith("\t\t");

/** Null if the edit is not for this word, or would leave nothing of it. `form` is the word in lower case, or as it is written. */
export function applyEdit(form: string, edit: string): string | null {
  if (edit === unchanged) return form;
  if (edit.length <= 1) {
    const rest = form.replaceAll(edit, "");
    return rest === form || rest === "" ? null : rest;
  }
  const [startCut, startAdd, endCut, endAdd] = edit.split("\t");
  const small = form.toLowerCase();
  if (small.length !== form.length || small.length <= startCut.length + endCut.length) return null;
  if (!small.startsWith(startCut) || !small.endsWith(endCut)) return null;
  const isShouted = markOf(form, small) === 2;
  const added = (text: string) => (isShouted ? text.toUpperCase() : text);
  return added(startAdd) + form.slice(startCut.length, form.length - endCut.length) + added(endAdd);
}

/** The lemma of a word; null if the edit is not for it. */
export function lemmaBy(form: string, edit: string, kind: number): string | null {
  if (kind === asItIs) return applyEdit(form, edit);
  const lemma = applyEdit(form.toLowerCase(), edit);
  return kind === inTitle && lemma !== null ? titled(lemma) : lemma;
}

export function titled(small: string): string {
  const [first = ""] = small;
  return first.toUpperCase() + small.slice(first.length);
}

/** The case that makes a lemma of a word; of several the one that says most of other words. -1 if none does. */
export function caseOf(form: string, edit: string, lemma: string): number {
  const order = lemma === lemma.toLowerCase() ? [inSmall, asItIs, inTitle] : [asItIs, inTitle, inSmall];
  return order.find((kind) => lemmaBy(form, edit, kind) === lemma) ?? -1;
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
