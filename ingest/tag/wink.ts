/**
 * English out of the box, by wink-nlp and its small model. It cuts text into tokens itself and cannot be given any; so the
 * tokens of a sentence are written with spaces between them, and where it cuts one of ours in several, the last of them
 * that has a letter or digit says what it is.
 *
 * It remembers every word that it has met; so it is made anew after some millions of tokens.
 */
import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction } from "wink-nlp";
import { limits } from "../limits.js";
import type { Analysis } from "./tagger.js";

/** Their own lemmas, as in Universal Dependencies. */
const ownLemma = new Set(["PROPN", "PUNCT", "SYM", "X"]);

export function winkTagger(): (forms: readonly string[]) => Analysis {
  const start = () => winkNLP(model, ["sbd", "pos"]);
  let nlp = start();
  let tokens = 0;
  return (forms) => {
    if ((tokens += forms.length) > limits.winkTokensMax) {
      nlp = start();
      tokens = forms.length;
    }
    const { its } = nlp;
    const found = nlp.readDoc(forms.join(" ")).tokens();
    const parts = found.out();
    const tags = found.out(its.pos);
    const lemmas = found.out(its.lemma as ItsFunction<string>);
    const analysis = { tag: [] as string[], lemma: [] as string[] };
    let part = 0;
    for (const form of forms) {
      let left = form.length;
      let last = -1;
      let before = 0;
      for (; left > 0 && part < parts.length; part++) {
        left -= parts[part].length;
        if (last >= 0 && !/[\p{L}\p{N}]/u.test(parts[part])) continue;
        last = part;
        before = form.length - left - parts[part].length;
      }
      const tag = last < 0 ? "X" : tags[last];
      analysis.tag.push(tag);
      analysis.lemma.push(last < 0 ? form : form.slice(0, before) + lemmaOf(parts[last], tag, lemmas[last]));
    }
    return analysis;
  };
}

function lemmaOf(word: string, tag: string, lemma: string | undefined): string {
  if (ownLemma.has(tag) || word === "I") return word;
  // The model takes it for a noun.
  if (tag === "AUX" && /^being$/i.test(word)) return "be";
  return (lemma || word).toLowerCase();
}
