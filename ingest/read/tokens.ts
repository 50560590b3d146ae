/**
 * Text that is tokens already, as text again: CoNLL-U and vertical. Words stand with a space between them, but where the file
 * says that there was none (SpaceAfter=No, <g/>); a sentence is a line. Who wants the tokens as they are gives the
 * file to `dugong encode`, which reads both.
 *
 *   CoNLL-U    # newdoc id = … begins a document, # newpar a paragraph; of a word written as one that is several, that one
 *   vertical   <doc …> (or <text …>) and <p …> with their attributes, <s>, <g/>; other structures are passed over
 */
import type { Document } from "../stream/documents.js";
import type { Reading } from "../stream/lines.js";
import { attributesOf, tagOf } from "../stream/tags.js";
import { Gathering } from "./gathering.js";
import { type Input, linesOfInput } from "./inputs.js";

/** Words that make a line. */
class Sentence {
  #text = "";
  #isGlued = true;

  add(word: string): void {
    this.#text += this.#isGlued ? word : ` ${word}`;
    this.#isGlued = false;
  }

  /** No space stands before the next word. */
  glue(): void {
    this.#isGlued = true;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    this.#isGlued = true;
    return text;
  }
}

export async function* conlluDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { name } = input.source;
  const gathering = new Gathering(name, reading);
  const sentence = new Sentence();
  /** The last word of the one that is written as one. */
  let rangeEnd = 0;
  const endSentence = () => {
    const text = sentence.take();
    rangeEnd = 0;
    if (text === "") return;
    if (!gathering.isOpen) gathering.begin({ id: name });
    gathering.line(text);
  };
  for await (const { lines, from } of linesOfInput(input, reading)) {
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (line === "") {
        endSentence();
      } else if (line.startsWith("#")) {
        const [, what, id] = /^#\s*(newdoc|newpar)\b(?:\s+id)?\s*(?:=\s*(.*?))?\s*$/.exec(line) ?? [];
        if (what) endSentence();
        if (what === "newdoc") gathering.begin({ id: id || name });
        if (what === "newpar") gathering.paragraph(id ? { id } : undefined);
      } else {
        const columns = line.split("\t");
        const [, first, dash, last] = /^(\d+)(?:([-.])(\d+))?$/.exec(columns[0]) ?? [];
        if (first === undefined || columns.length < 2) {
          reading.warnings.add("no_word", "a line that is no word of CoNLL-U is left out", {
            source: name,
            line: from + i,
          });
          continue;
        }
        if (dash === "." || (dash === undefined && Number(first) <= rangeEnd)) continue;
        if (dash === "-") rangeEnd = Number(last);
        sentence.add(columns[1]);
        if (/(?:^|\|)SpaceAfter=No(?:\||$)/.test(columns[9] ?? "")) sentence.glue();
      }
    }
    yield* gathering.take();
  }
  endSentence();
  gathering.end();
  yield* gathering.take();
}

export async function* verticalDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { name } = input.source;
  const gathering = new Gathering(name, reading);
  const sentence = new Sentence();
  const endSentence = () => {
    const text = sentence.take();
    if (text === "") return;
    if (!gathering.isOpen) gathering.begin({ id: name });
    gathering.line(text);
  };
  for await (const { lines } of linesOfInput(input, reading)) {
    for (const line of lines) {
      const tag = tagOf(line);
      if (!tag) {
        const tab = line.indexOf("\t");
        const word = (tab < 0 ? line : line.slice(0, tab)).trim();
        if (word !== "") sentence.add(word);
      } else if (tag.name === "g" && tag.kind !== "close") {
        sentence.glue();
      } else if (tag.name === "s") {
        endSentence();
      } else if (tag.name === "p" || tag.name === "doc" || tag.name === "text") {
        endSentence();
        if (tag.name === "p") gathering.paragraph(tag.kind === "open" ? attributesOf(tag) : undefined);
        else if (tag.kind === "open") gathering.begin(attributesOf(tag));
        else gathering.end();
      }
    }
    yield* gathering.take();
  }
  endSentence();
  gathering.end();
  yield* gathering.take();
}
