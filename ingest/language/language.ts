/**
 * `dugong language`: says of each document, paragraph or line which language it is in; keeps some languages, or writes each to a
 * file of its own.
 *
 *   unit doc    the document has lang
 *   unit p      each paragraph has lang, and the document that of most of its characters
 *   unit line   as p, where lines of different languages that follow each other become paragraphs of their own
 */

import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import { type Document, documentsOf, documentText, type Paragraph, wordCount } from "../stream/documents.js";
import { bytesOf } from "../stream/lines.js";
import { type Output, writing } from "../stream/output.js";
import { type StepContext, type StepReport, Tally } from "../stream/report.js";
import { codeIn } from "./codes.js";
import { defaultModel } from "./default.js";
import { LanguageModel, undetermined } from "./model.js";
import { splitting } from "./split.js";

export interface LanguageOptions {
  unit?: "doc" | "p" | "line";
  /** A model's file (default: the one that Dugong comes with). */
  model?: string;
  /** Only these are possible. */
  languages?: readonly string[];
  /** Below this confidence the language is "und" (default: 0.25 for the model that Dugong comes with, 0.5 for others). */
  threshold?: number;
  /** Units in other languages are left out. */
  keep?: readonly string[];
  /** Units of fewer characters are left out before anything is asked (default 0). */
  minChars?: number;
  /** A folder for a file of each language, instead of the output. */
  split?: string;
}

export async function identifyLanguages(
  { inputs, output }: { inputs: readonly string[]; output: string },
  given: LanguageOptions,
  context: StepContext = {},
): Promise<StepReport> {
  const model = given.model === undefined ? defaultModel() : LanguageModel.open(given.model);
  const codes = (list: readonly string[] | undefined) => list?.map((code) => codeIn(model.languages, code));
  const options = { ...given, languages: codes(given.languages), keep: codes(given.keep) };
  checkLanguages(model, [...(options.languages ?? []), ...(options.keep ?? [])]);
  const tally = new Tally("language", bytesOf(inputs), context);
  tally.wordsIn = 0;
  const found = new Map<string, number>();
  const judge = new Judge(model, options, found);
  const onRead = (bytes: number) => {
    tally.bytesRead = bytes;
  };
  const run = async (write: (language: string, document: Document) => Promise<void> | undefined) => {
    const { warnings } = tally;
    for await (const document of documentsOf(inputs, { warnings, onRead, signal: context.signal })) {
      tally.documentsIn++;
      for (const { text } of document.paragraphs) tally.wordsIn! += wordCount(text);
      const parts = judge.parts(document);
      if (parts.length > 0) tally.documentsOut++;
      for (const [language, part] of parts) {
        for (const { text } of part.paragraphs) tally.wordsOut += wordCount(text);
        await write(language, part);
      }
      tally.tick();
    }
  };
  if (options.split !== undefined)
    await splitting(options.split, inputs, (split) =>
      run((language, part) => split.write(language, documentText(part))),
    );
  else await writing(output, (out: Output) => run((_, part) => out.write(documentText(part))));
  const counts = [...found].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return tally.report({ unit: options.unit ?? "doc", languages: Object.fromEntries(counts) });
}

function checkLanguages(model: LanguageModel, named: readonly string[]): void {
  const unknown = named.find((language) => language !== undetermined && !model.languages.includes(language));
  if (unknown === undefined) return;
  throw new DugongError(
    "unknown_language",
    `the model knows no language "${unknown}"`,
    `It knows ${model.languages.join(", ")}.`,
  );
}

class Judge {
  readonly #keep: ReadonlySet<string> | undefined;

  constructor(
    readonly model: LanguageModel,
    readonly options: LanguageOptions,
    /** Units of each language. Counted here. */
    readonly found: Map<string, number>,
  ) {
    this.#keep = options.keep && new Set(options.keep);
  }

  /** What is left of a document, by language: one document, but where each language has a file of its own. */
  parts(document: Document): [string, Document][] {
    const { unit = "doc", minChars = 0, split } = this.options;
    if (unit === "doc") {
      const text = startOf(document);
      if (text.length < minChars) return [];
      const lang = this.#language(text);
      if (!this.#isKept(lang)) return [];
      return [[lang, { attributes: { ...document.attributes, lang }, paragraphs: document.paragraphs }]];
    }
    const paragraphs = document.paragraphs
      .flatMap((paragraph) => (unit === "p" ? this.#paragraph(paragraph) : this.#lines(paragraph)))
      .filter(({ attributes }) => this.#isKept(attributes.lang));
    if (paragraphs.length === 0) return [];
    const chars = new Map<string, number>();
    for (const { attributes, text } of paragraphs)
      chars.set(attributes.lang, (chars.get(attributes.lang) ?? 0) + text.length);
    const languages = [...chars.keys()].sort((a, b) => chars.get(b)! - chars.get(a)!);
    if (split === undefined) {
      const [lang] = languages;
      return [[lang, { attributes: { ...document.attributes, lang }, paragraphs }]];
    }
    return languages.map((lang) => [
      lang,
      {
        attributes: { ...document.attributes, lang },
        paragraphs: paragraphs.filter(({ attributes }) => attributes.lang === lang),
      },
    ]);
  }

  #paragraph({ attributes, text }: Paragraph): Paragraph[] {
    const { minChars = 0 } = this.options;
    return text.length < minChars
      ? []
      : [{ attributes: { ...attributes, lang: this.#language(text) }, text }];
  }

  #lines({ attributes, text }: Paragraph): Paragraph[] {
    const { minChars = 0 } = this.options;
    const made: Paragraph[] = [];
    for (const line of text.split("\n")) {
      if (line.length < minChars || line === "") continue;
      const lang = this.#language(line);
      const last = made.at(-1);
      if (last?.attributes.lang === lang) last.text += `\n${line}`;
      else made.push({ attributes: { ...attributes, lang }, text: line });
    }
    return made;
  }

  #language(text: string): string {
    const { languages, threshold } = this.options;
    const { language } = this.model.classify(text, { languages, threshold });
    this.found.set(language, (this.found.get(language) ?? 0) + 1);
    return language;
  }

  #isKept(language: string): boolean {
    return this.#keep === undefined || this.#keep.has(language);
  }
}

/** As much of the document's text as is looked at; the longest paragraphs come first, for menus are short. */
function startOf({ paragraphs }: Document): string {
  let text = "";
  for (const paragraph of [...paragraphs].sort((a, b) => b.text.length - a.text.length)) {
    if (text.length >= limits.classifyChars) break;
    text += `${paragraph.text}\n`;
  }
  return text;
}
