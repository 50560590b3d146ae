/**
 * English text to tokens with lemmas and parts of speech, by wink-nlp and its small model.
 *
 * wink-nlp remembers every string that it once took for a token, and never splits it again: "America's--and" would
 * make one token of every "America's" after it. So a space is put where a word ends and none stands; then what
 * becomes of a text depends on nothing that was read before. Where spaces stood is told by the text itself.
 *
 * Lemmas are as in Universal Dependencies: in lower case, but for names and "I"; names, signs and foreign words are
 * their own lemmas.
 */
import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction } from "wink-nlp";

/** The tokens of a text, in columns. */
export interface Tokens {
  words: string[];
  lemmas: string[];
  /** Parts of speech, of Universal Dependencies. */
  tags: string[];
  /** 1 where no space stands before the token. */
  glued: Uint8Array;
  /** The first token of each sentence, and the number of tokens at the end. */
  sentences: Uint32Array;
}

/** "it's" is "it is", and "let's" "let us": the model knows these. Any other 's is a token of its own. */
const possessive = /(?<=\p{L})(?<!\b(?:he|it|let|she|that|there|what|who))(?=['’]s(?!\p{L}))/giu;
const unspaced = [
  possessive,
  /(?<=\bI)(?=['’]m\b)/gu,
  /(?<=\bcan)(?=not\b)/gi,
  /(?<=\S)(?=--|—)|(?<=--|—)(?=\S)/g,
];
const ownLemma = new Set(["PROPN", "PUNCT", "SYM", "X"]);

export function englishTagger(): (text: string) => Tokens {
  const nlp = winkNLP(model, ["sbd", "pos"]);
  const { its } = nlp;
  return (text) => {
    const plain = text.replace(/[\s\p{Cc}]+/gu, " ");
    const document = nlp.readDoc(unspaced.reduce((spaced, place) => spaced.replace(place, " "), plain));
    const tokens = document.tokens();
    const words = tokens.out();
    const tags = tokens.out(its.pos);
    const lemmas = tokens
      .out(its.lemma as ItsFunction<string>)
      .map((lemma, i) => lemmaOf(words[i], tags[i], lemma));
    const spans = document.sentences().out(its.span) as number[][];
    const sentences = Uint32Array.from([...spans.map(([first]) => first), words.length]);
    return { words, lemmas, tags, glued: findGlue(plain, words), sentences };
  };
}

function lemmaOf(word: string, tag: string, lemma: string | undefined): string {
  if (ownLemma.has(tag) || word === "I") return word;
  // The model takes it for a noun.
  if (tag === "AUX" && /^being$/i.test(word)) return "be";
  return (lemma || word).toLowerCase();
}

/** Walks through the text from word to word. */
function findGlue(text: string, words: string[]): Uint8Array {
  const glued = new Uint8Array(words.length);
  let at = 0;
  words.forEach((word, i) => {
    if (text[at] === " ") at++;
    else glued[i] = i > 0 ? 1 : 0;
    if (!text.startsWith(word, at)) throw new Error(`there is no "${word}" at character ${at} of the text`);
    at += word.length;
  });
  return glued;
}
