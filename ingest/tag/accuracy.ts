/** How much of treebanks a model gets right. */
import type { GoldSentence } from "./conllu.js";
import { sentenceOf } from "./features.js";
import { Lemmatiser, placeOfCase } from "./lemmas.js";
import type { Model } from "./model.js";
import { Tagger } from "./tagger.js";
import { wordOf } from "./words.js";

export interface Accuracy {
  tokens: number;
  /** Shares of tokens; of columns that the model has. */
  right: Partial<Record<"tag" | "xpos" | "feats" | "lemma", number>>;
  /** Lemmas that are right but for capitals, which names and headlines have or have not; absent without lemmas. */
  lemmaAnyCase?: number;
  /** Lemmas, had all tags been right; absent without lemmas. */
  lemmaOfRightTags?: number;
  /** Of words that do not occur in training. */
  unknown: { tokens: number; tag: number };
}

/** How much of treebanks a model gets right, given their tokens. */
export function accuracyOf(model: Model, sentences: Iterable<GoldSentence>): Accuracy {
  const tagger = new Tagger(model);
  const columns = tagger.columns.filter((column) => column !== "word");
  const wanted = new Set<string>(columns);
  const counts: Record<string, number> = {};
  let tokens = 0;
  let unknown = 0;
  let unknownRight = 0;
  let lemmas = 0;
  let anyCase = 0;
  const lemmatiser = model.lemmas && new Lemmatiser(model.lemmas, model.lexicon);
  const hasXpos = model.layers.some(({ name }) => name === "xpos");
  for (const sentence of sentences) {
    const analysis = tagger.analyse(
      sentence.tokens.map(({ form }) => form),
      wanted,
    );
    const { words, capitals } = sentenceOf(sentence.tokens.map(({ form }) => wordOf(form)));
    sentence.tokens.forEach((token, i) => {
      tokens++;
      const isUnknown = model.lexicon.classOf(words[i].small) === 0;
      if (isUnknown) unknown++;
      const { form, upos, xpos, lemma } = token;
      const tag = hasXpos ? `${upos} ${xpos}` : upos;
      if (lemmatiser?.lemmaOf(form, tag, placeOfCase(words, capitals, i)) === lemma) lemmas++;
      if (lemmatiser && analysis.lemma![i].toLowerCase() === lemma.toLowerCase()) anyCase++;
      for (const column of columns) {
        const gold = column === "tag" ? token.upos : token[column];
        if (analysis[column]![i] !== gold) continue;
        counts[column] = (counts[column] ?? 0) + 1;
        if (isUnknown && column === "tag") unknownRight++;
      }
    });
  }
  const right = Object.fromEntries(
    columns.map((column) => [column, (counts[column] ?? 0) / Math.max(1, tokens)]),
  );
  const lemmaOfRightTags = lemmas / Math.max(1, tokens);
  return {
    tokens,
    right,
    ...(lemmatiser && { lemmaAnyCase: anyCase / Math.max(1, tokens), lemmaOfRightTags }),
    unknown: { tokens: unknown, tag: unknownRight / Math.max(1, unknown) },
  };
}
