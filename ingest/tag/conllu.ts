/**
 * Treebanks of Universal Dependencies, to learn from and to measure with: CoNLL-U, plain or compressed. Of a line the columns
 * id, form, lemma, upos, xpos and feats are read, and SpaceAfter=No.
 *
 * A word of several ("du" = "de" + "le", in lines 3-4, 3 and 4) is one token where its parts do not give its form, because
 * that is what a tokeniser finds in text; its values are those of its parts with "+" between them. Where they do ("don't" = "do" +
 * "n't"), its parts are the tokens.
 */
import type { LineBatch, Reading } from "../stream/lines.js";
import { linesOf } from "../stream/lines.js";

export interface GoldToken {
  form: string;
  lemma: string;
  upos: string;
  xpos: string;
  feats: string;
  /** No space before it. */
  glued: boolean;
}

export interface GoldSentence {
  tokens: GoldToken[];
  /** Of its words as they are written: "don't" is one. */
  surface: { form: string; glued: boolean }[];
  /** Does it begin a document, a paragraph? */
  startsDocument: boolean;
  startsParagraph: boolean;
}

/** All sentences of treebanks; lines that are none of CoNLL-U are counted. */
export async function* treebank(inputs: readonly string[], reading: Reading): AsyncGenerator<GoldSentence> {
  const reader = new TreebankReader(reading);
  for await (const batch of linesOf(inputs, reading)) yield* reader.take(batch);
  yield* reader.end();
}

interface Range {
  form: string;
  last: number;
  glued: boolean;
  isOpen: boolean;
  parts: GoldToken[];
}

class TreebankReader {
  #tokens: GoldToken[] = [];
  #surface: GoldSentence["surface"] = [];
  #startsDocument = false;
  #startsParagraph = false;
  #range: Range | undefined;
  #glued = false;

  constructor(readonly reading: Reading) {}

  *take({ lines, source, from }: LineBatch): Generator<GoldSentence> {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (line === "") {
        yield* this.end();
      } else if (line.startsWith("#")) {
        const [, starts] = /^#\s*(newdoc|newpar)\b/.exec(line) ?? [];
        if (starts) {
          this.#startsParagraph = true;
          this.#startsDocument ||= starts === "newdoc";
          this.#glued = false;
        }
      } else if (!this.#word(line.split("\t"))) {
        this.reading.warnings.add("not_conllu", "a line that is not CoNLL-U is passed over", {
          source,
          line: from + i,
        });
      }
    }
  }

  /** False if it is none. */
  #word([id, form, lemma = "_", upos = "_", xpos = "_", feats = "_", , , , misc = ""]: string[]): boolean {
    const numbers = /^(\d+)(?:([-.])(\d+))?$/.exec(id);
    if (!numbers || form === undefined || form === "") return false;
    // Words that are not in the text.
    if (numbers[2] === ".") return true;
    const hasSpace = !/(?:^|\|)SpaceAfter=No(?:\||$)/.test(misc);
    if (numbers[2] === "-") {
      this.#endRange();
      this.#surface.push({ form, glued: this.#glued });
      this.#range = { form, last: Number(numbers[3]), glued: this.#glued, isOpen: true, parts: [] };
      this.#glued = !hasSpace;
      return true;
    }
    const range = this.#range;
    if (range && Number(id) <= range.last) {
      range.parts.push({ form, lemma, upos, xpos, feats, glued: range.parts.length > 0 || range.glued });
      if (Number(id) === range.last) this.#endRange();
      return true;
    }
    this.#endRange();
    this.#surface.push({ form, glued: this.#glued });
    this.#tokens.push({ form, lemma, upos, xpos, feats, glued: this.#glued });
    this.#glued = !hasSpace;
    return true;
  }

  #endRange(): void {
    const range = this.#range;
    if (!range) return;
    this.#range = undefined;
    const { form, glued, parts } = range;
    if (parts.length === 0) return;
    const all = (value: (part: GoldToken) => string) => parts.map(value).join("");
    if (all((part) => part.form) === form) {
      this.#tokens.push(...parts);
      return;
    }
    const joined = (field: "lemma" | "upos" | "xpos" | "feats") => {
      const values = parts.map((part) => part[field]);
      return values.every((value) => value === "_") ? "_" : values.join("+");
    };
    this.#tokens.push({
      form,
      lemma: joined("lemma"),
      upos: joined("upos"),
      xpos: joined("xpos"),
      feats: joined("feats"),
      glued,
    });
  }

  *end(): Generator<GoldSentence> {
    this.#endRange();
    if (this.#tokens.length > 0) {
      yield {
        tokens: this.#tokens,
        surface: this.#surface,
        startsDocument: this.#startsDocument,
        startsParagraph: this.#startsParagraph,
      };
      this.#startsDocument = this.#startsParagraph = false;
    }
    this.#tokens = [];
    this.#surface = [];
  }
}
