/**
 * Documents from whatever people bring: WET, plain text, Leipzig corpora, TEI, CoNLL-U, vertical text, the text stream. Each file is
 * read by its own format. Pages of HTML hold more than text, and are for `dugong clean`.
 */
import { existsSync } from "node:fs";
import { DugongError } from "../../storage/errors.js";
import { type Document, documentsOf } from "../stream/documents.js";
import type { Reading } from "../stream/lines.js";
import type { Format } from "./formats.js";
import { type Input, openInputs } from "./inputs.js";
import { leipzigDocuments } from "./leipzig.js";
import { teiDocuments } from "./tei.js";
import { textDocuments } from "./text.js";
import { conlluDocuments, verticalDocuments } from "./tokens.js";
import { wetDocuments } from "./wet.js";

export interface AnyReading extends Reading {
  /** What all inputs are (default: told from their content). */
  format?: Format;
  /** Files of each format that were read. Counted here. */
  formats?: Map<string, number>;
}

type Reader = (input: Input, reading: Reading) => AsyncGenerator<Document>;

const readers: Partial<Record<Format, Reader>> = {
  wet: wetDocuments,
  text: textDocuments,
  leipzig: leipzigDocuments,
  tei: teiDocuments,
  conllu: conlluDocuments,
  vertical: verticalDocuments,
  stream: ({ source, stream }, reading) =>
    documentsOf([stream ? "-" : source.name], { ...reading, stdin: stream }),
};

/** The other files of a Leipzig corpus: its words and where its sentences come from. */
function isBesideSentences(name: string): boolean {
  const [, corpus] = /^(.+)-(?:sources|inv_so|inv_w|words|co_n|co_s|import|meta)\.\w+$/.exec(name) ?? [];
  return corpus !== undefined && existsSync(`${corpus}-sentences.txt`);
}

/** All documents of all inputs. */
export async function* documentsOfAny(
  inputs: readonly string[],
  options: AnyReading,
): AsyncGenerator<Document> {
  const { formats, warnings } = options;
  for await (const { input, reading } of openInputs(inputs, options, options.format)) {
    const { format, source } = input;
    if (format === "none") {
      warnings.add("no_text", "a file that is not text is left out", { source: source.name });
      continue;
    }
    if (options.format === undefined && isBesideSentences(source.name)) continue;
    const read = readers[format];
    if (!read) {
      throw new DugongError(
        "not_text_yet",
        `${source.name} holds pages (${format}), not text`,
        "`dugong clean` takes the text out of pages; `dugong read --list` shows what an archive holds.",
      );
    }
    formats?.set(format, (formats.get(format) ?? 0) + 1);
    yield* read(input, reading);
  }
}
