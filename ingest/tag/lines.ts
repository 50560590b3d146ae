/** Lines of the vertical stream with a tagger's columns; structure stays as it is. */
import { limits } from "../limits.js";
import { readModel } from "./model.js";
import { type Analysis, type OutputColumn, Tagger } from "./tagger.js";
import { endsSentence, isStructure, wordOfLine } from "./vertical.js";
import { winkTagger } from "./wink.js";

export const winkModel = "wink-english";

export type Analyse = (forms: readonly string[], wanted: ReadonlySet<string>) => Analysis;

export interface Loaded {
  analyse: Analyse;
  columns: readonly OutputColumn[];
}

/** A model by its path, or the one that is built in. */
export async function loadTagger(model: string): Promise<Loaded> {
  if (model === winkModel) return { analyse: winkTagger(), columns: ["word", "lemma", "tag"] };
  const tagger = new Tagger(await readModel(model));
  return { analyse: (forms, wanted) => tagger.analyse(forms, wanted), columns: tagger.columns };
}

export interface TaggedLines {
  text: string;
  tokens: number;
  /** Columns behind the word that were there and are gone. */
  replaced: number;
  documents: number;
}

export function tagLines(
  lines: readonly string[],
  analyse: Analyse,
  columns: readonly OutputColumn[],
): Omit<TaggedLines, "documents"> {
  const wanted = new Set<string>(columns);
  let text = "";
  let tokens = 0;
  let replaced = 0;
  /** Lines of the sentence, and which of them are words. */
  let kept: string[] = [];
  let forms: string[] = [];
  const finish = () => {
    if (forms.length > 0) {
      const analysis = analyse(forms, wanted);
      const values = columns.map((column) => (column === "word" ? forms : analysis[column]!));
      let word = 0;
      for (const line of kept) {
        if (line !== "") text += `${line}\n`;
        else {
          for (let c = 0; c < values.length; c++) text += c === 0 ? values[c][word] : `\t${values[c][word]}`;
          text += "\n";
          word++;
        }
      }
      tokens += forms.length;
    } else for (const line of kept) text += `${line}\n`;
    kept = [];
    forms = [];
  };
  for (const line of lines) {
    if (line === "") continue;
    if (line.charCodeAt(0) === 0x3c && isStructure(line)) {
      if (endsSentence(line)) finish();
      kept.push(line);
      continue;
    }
    const form = wordOfLine(line);
    if (form.length < line.length) replaced++;
    forms.push(form);
    kept.push("");
    if (forms.length >= limits.sentenceTokensMax) finish();
  }
  finish();
  return { text, tokens, replaced };
}
