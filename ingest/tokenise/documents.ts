/** Documents of the text stream as lines of the vertical stream. */
import { type Document, wordCount } from "../stream/documents.js";
import { openTag } from "../stream/tags.js";
import { tables } from "./languages/index.js";
import { rulesOf } from "./rules.js";
import { SentenceCutter } from "./sentences.js";
import { changed, languageCode, type TableChanges, tableOf } from "./table.js";

export interface CutterOptions {
  /** Where neither the document nor the paragraph says which. */
  language?: string;
  /** Laid over the tables that are built in. */
  changes?: TableChanges;
  /** Does every line end a sentence? */
  lines?: boolean;
}

export interface CutDocuments {
  text: string;
  documents: number;
  words: number;
  tokens: number;
  sentences: number;
  /** Tokens by language, as its code is here: "en"; "und" where nothing is known. */
  languages: Record<string, number>;
}

/** For each language that is met a cutter, made when it is. */
export class DocumentCutter {
  readonly #tables: Parameters<typeof tableOf>[0];
  readonly #cutters = new Map<string, SentenceCutter>();
  readonly #codes = new Map<string, string>();

  constructor(readonly options: CutterOptions = {}) {
    this.#tables = options.changes ? changed(tables, options.changes) : tables;
  }

  cut(documents: readonly Document[]): CutDocuments {
    const languages: Record<string, number> = {};
    const found: CutDocuments = { text: "", documents: 0, words: 0, tokens: 0, sentences: 0, languages };
    for (const { attributes, paragraphs } of documents) {
      let text = "";
      for (const paragraph of paragraphs) {
        found.words += wordCount(paragraph.text);
        const code = this.#codeOf(paragraph.attributes.lang ?? attributes.lang ?? this.options.language);
        const cut = this.#cutterOf(code).paragraph(paragraph.text);
        // Is it empty? Looking at a character also makes one string of the thousands that it was put together from, which would
        // else be kept until the document is written.
        if (Number.isNaN(cut.text.charCodeAt(0))) continue;
        text += `${openTag("p", paragraph.attributes)}\n${cut.text}</p>\n`;
        found.tokens += cut.tokens;
        found.sentences += cut.sentences;
        languages[code] = (languages[code] ?? 0) + cut.tokens;
      }
      if (text === "") continue;
      found.text += `${openTag("doc", attributes)}\n${text}</doc>\n`;
      found.documents++;
    }
    return found;
  }

  #codeOf(language: string | undefined): string {
    const key = language ?? "";
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = languageCode(language);
      // Values of an attribute: there may be any number of different ones.
      if (this.#codes.size < codesKept) this.#codes.set(key, code);
    }
    return code;
  }

  /** Languages without a table share a cutter, unless their words have to be told apart without spaces. */
  #cutterOf(code: string): SentenceCutter {
    const language = this.#tables[code] || unspacedLanguages.has(code) ? code : "und";
    let cutter = this.#cutters.get(language);
    if (!cutter) {
      const rules = rulesOf(language, tableOf(this.#tables, language));
      this.#cutters.set(language, (cutter = new SentenceCutter(rules, this.options.lines)));
    }
    return cutter;
  }
}

const codesKept = 10_000;
const unspacedLanguages = new Set(["zh", "yue", "wuu", "ja", "th", "lo", "km", "my"]);
