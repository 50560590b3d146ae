/**
 * CoNLL-U to vertical text.
 *
 *   file      = sentence*
 *   sentence  = comment* ( word | range | empty node )+ blank line
 *   word      = n      TAB form TAB lemma TAB upos TAB xpos TAB feats TAB head TAB deprel TAB deps TAB misc
 *   range     = n "-" n TAB …            a word written as one that is several: don't = do + n't
 *   empty node = n "." n TAB …           a word that is not written at all
 *
 *   # newdoc, # newpar      <doc …>, <p …>, closing what is open; other comments: attributes of <s …>
 *   word                    a line of the chosen columns
 *   range                   <mwt form="…" …> … </mwt> around its words
 *   empty node              left out
 *   SpaceAfter=No           <g/> before the next word, but not over the start of a document or paragraph;
 *                           within a range, words are glued to each other
 *   head                    how far off the word with that ID is: -2 is two words before, 0 the root
 *   an ID that was there    where IDs start again at 1, a sentence starts, blank line or not
 *
 * A word's line that would be read as a tag or a comment has the byte 1 in front. Values of tags are
 * escaped, values of words are not. A piece of a file (whole lines, cut between sentences) is converted
 * without knowing the others: it closes the sentences it opens, and documents and paragraphs only where it
 * opened them itself.
 *
 * What is wrong with a file is counted and mended as well as may be; no word of it is lost. Two passes over
 * bytes: one finds the columns of a sentence, one writes them, no string being made for a word.
 */

import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import { limits } from "../limits.js";
import { SentenceComments } from "./comments.js";
import { GrowingBytes } from "./growing.js";
import { fieldsMax, SentenceWords, startsAt } from "./words.js";

export { tokenMark } from "./words.js";

/** The columns after ID, in the order of the file, by the names that attributes made of them have. */
export const conlluColumns: readonly string[] = [
  "word",
  "lemma",
  "tag",
  "xpos",
  "feats",
  "head",
  "deprel",
  "deps",
  "misc",
];

/** Other names that are accepted for columns. */
const aliases = new Map([
  ["form", "word"],
  ["upos", "tag"],
]);

/** What separates the values of columns that may have several. */
export const conlluMultivalue: Record<string, string> = { feats: "|", deps: "|", misc: "|" };

export type ConlluIssueKind =
  | "crlf"
  | "bad_id"
  | "id_out_of_order"
  | "bad_range"
  | "missing_columns"
  | "surplus_columns"
  | "empty_value"
  | "empty_node"
  | "head_not_a_number"
  | "head_outside_sentence"
  | "head_is_itself"
  | "comment_skipped"
  | "comment_repeated"
  | "comment_surplus"
  | "comment_unnamed"
  | "missing_blank_line"
  | "sentence_without_words";

export interface ConlluIssue {
  kind: ConlluIssueKind;
  count: number;
  /** The first few lines it was found on, from 0 at the start of the piece. */
  lines: number[];
}

export interface ConlluPiece {
  /** The text is in its first `length` bytes, until the next piece is converted. */
  vertical: Uint8Array;
  length: number;
  issues: ConlluIssue[];
  /** Ends of lines in the piece. */
  lines: number;
}

/** What is wrong with a piece, by kind, in the order in which it was found. */
export class ConlluIssues {
  #issues = new Map<ConlluIssueKind, ConlluIssue>();

  add(kind: ConlluIssueKind, line: number): void {
    let issue = this.#issues.get(kind);
    if (!issue) {
      issue = { kind, count: 0, lines: [] };
      this.#issues.set(kind, issue);
    }
    issue.count++;
    if (issue.lines.length < limits.warningPlacesMax) issue.lines.push(line);
  }

  /** Gives all, and forgets them. */
  take(): ConlluIssue[] {
    const issues = [...this.#issues.values()];
    this.#issues = new Map();
    return issues;
  }
}

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const hash = 35;
const one = 49;

const ascii = (text: string) => new TextEncoder().encode(text);
const sentenceEnd = ascii("</s>\n");
const paragraphEnd = ascii("</p>\n");
const documentEnd = ascii("</doc>\n");

export class ConlluConverter {
  readonly #comments: SentenceComments;
  readonly #words: SentenceWords;
  readonly #issues = new ConlluIssues();
  readonly #out = new GrowingBytes();
  #text = new Uint8Array(0) as Uint8Array;
  #commentLine = 0;
  #documentOpen = false;
  #paragraphOpen = false;

  constructor(options: { columns: readonly string[]; skipComments: readonly string[] }) {
    const columns = options.columns.map((name) => {
      const index = conlluColumns.indexOf(aliases.get(name) ?? name);
      if (index >= 0) return index + 1;
      const near = nearestName(name, [...conlluColumns, ...aliases.keys()]);
      throw new DugongError(
        "unknown_column",
        `no column "${name}" in CoNLL-U (it has ${conlluColumns.join(", ")})`,
        near ? `Did you mean ${near}?` : undefined,
      );
    });
    this.#comments = new SentenceComments(options.skipComments);
    this.#words = new SentenceWords(columns, conlluColumns, this.#issues);
  }

  /** Converts whole lines; `endsFile` if they are the last, so that all is closed. */
  convert(text: Uint8Array, endsFile: boolean): ConlluPiece {
    this.#text = text;
    this.#comments.begin(text);
    this.#words.begin(text);
    this.#documentOpen = false;
    this.#paragraphOpen = false;
    const out = this.#out;
    out.length = 0;
    out.reserve(text.length);
    const lines = this.#readLines();
    this.#endSentence();
    if (endsFile && this.#paragraphOpen) out.put(paragraphEnd);
    if (endsFile && this.#documentOpen) out.put(documentEnd);
    return { vertical: out.bytes, length: out.length, issues: this.#issues.take(), lines };
  }

  /** Goes over all lines, writing each sentence when it is over. Gives how many lines end. */
  #readLines(): number {
    const text = this.#text;
    const words = this.#words;
    const view = new DataView(text.buffer, text.byteOffset, text.length);
    const end = text.length;
    const lastWord = end - 4;
    let lines = 0;
    let at = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
    while (at < end) {
      const line = lines;
      const start = at;
      const first = text[start];
      const row = words.nextRow();
      let fields = 1;
      if (first === hash) {
        at = text.indexOf(newline, start);
        if (at < 0) at = end;
      } else {
        const rows = words.rows;
        const starts = row + startsAt;
        rows[starts] = start;
        while (at < end) {
          // Four bytes at a time: the lowest bit of `low` is that of the first byte that is at most 10.
          if (at <= lastWord) {
            const four = view.getInt32(at, true);
            const low = (four - 0x0b0b0b0b) & ~four & 0x80808080;
            if (low === 0) {
              at += 4;
              continue;
            }
            at += (31 - Math.clz32(low & -low)) >> 3;
          }
          const byte = text[at];
          if (byte === newline) break;
          at++;
          if (byte !== tab) continue;
          if (fields <= fieldsMax) rows[starts + fields] = at;
          fields++;
        }
      }
      let lineEnd = at;
      if (at < end) lines++;
      at++;
      if (lineEnd > start && text[lineEnd - 1] === carriageReturn) {
        this.#issues.add("crlf", line);
        lineEnd--;
      }
      if (first === hash) {
        this.#readComment(start + 1, lineEnd, line);
      } else if (lineEnd === start || (first <= space && this.#isWhite(start, lineEnd))) {
        this.#endSentence();
      } else {
        if (fields <= fieldsMax) words.rows[row + startsAt + fields] = lineEnd + 1;
        if (fields !== fieldsMax) {
          this.#issues.add(fields < fieldsMax ? "missing_columns" : "surplus_columns", line);
        }
        if (first === one && words.startsAgain(row, fields)) {
          this.#issues.add("missing_blank_line", line);
          this.#endSentence();
          words.beginWith(row);
          words.keep(0, fields, line, lineEnd);
        } else {
          words.keep(row, fields, line, lineEnd);
        }
      }
    }
    return lines;
  }

  #isWhite(at: number, end: number): boolean {
    while (at < end && (this.#text[at] === space || this.#text[at] === tab)) at++;
    return at === end;
  }

  #readComment(start: number, end: number, line: number): void {
    if (this.#words.rowCount > 0 && this.#comments.startsSentence(start, end)) {
      this.#issues.add("missing_blank_line", line);
      this.#endSentence();
    }
    if (!this.#comments.any) this.#commentLine = line;
    const became = this.#comments.add(start, end);
    if (became !== "taken") this.#issues.add(`comment_${became}`, line);
  }

  /** Writes what was read since the last sentence ended, if anything. */
  #endSentence(): void {
    const words = this.#words;
    const comments = this.#comments;
    if (words.rowCount === 0 && !comments.any) return;
    const out = this.#out;
    const { document, paragraph, sentence } = comments;
    if (document.present || paragraph.present) {
      words.glued = false;
      if (this.#paragraphOpen) out.put(paragraphEnd);
      if (document.present && this.#documentOpen) out.put(documentEnd);
      if (document.present) document.write(out, this.#text);
      if (paragraph.present) paragraph.write(out, this.#text);
      this.#documentOpen ||= document.present;
      this.#paragraphOpen = paragraph.present;
    }
    if (words.wordCount > 0) {
      sentence.write(out, this.#text);
      words.write(out);
      out.put(sentenceEnd);
    } else if (words.rowCount > 0 || sentence.hasAttributes) {
      this.#issues.add("sentence_without_words", comments.any ? this.#commentLine : words.firstLine);
    }
    words.clear();
    comments.clear();
  }
}
