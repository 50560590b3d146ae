/**
 * The words of one sentence of CoNLL-U: a table of where their fields are, filled line by line and then
 * written as lines of a vertical file.
 *
 *   row = line  id  range end  fields  start of field 0 … start of field 9  end of the last field + 1
 *
 * A field ends one byte (its tab) before the next starts. Of a line with fewer fields the starts after the
 * last are not set. What is written of it is told in conllu.ts.
 */

import type { ConlluIssues } from "./conllu.js";
import type { GrowingBytes } from "./growing.js";
import { isComment, parseTag } from "./tags.js";

export const fieldsMax = 10;
const headField = 6;
const miscField = 9;

const lineAt = 0;
const idAt = 1;
/** Of a range the id of the last word; of a word -1, or -2 if its id is not its own but was counted on. */
const rangeEndAt = 2;
const fieldsAt = 3;
export const startsAt = 4;
export const rowLength = startsAt + fieldsMax + 1;

/** In front of a line that is a word though it looks like a tag. */
export const tokenMark = 1;

const tab = 9;
const newline = 10;
const minus = 45;
const dot = 46;
const zero = 48;
const one = 49;
const less = 60;
const greater = 62;
const underscore = 95;
const bar = 124;

const ascii = (text: string) => new TextEncoder().encode(text);
const glueLine = ascii("<g/>\n");
const rangeStart = ascii("<mwt");
const quote = ascii('"');
const tagEnd = ascii(">\n");
const rangeEndLine = ascii("</mwt>\n");
const noSpaceAfter = ascii("SpaceAfter=No");

export class SentenceWords {
  /** The table. Who fills a row looks it up after nextRow, which may have moved it. */
  rows = new Int32Array(64 * rowLength);
  /** Rows kept, and words among them. */
  rowCount = 0;
  wordCount = 0;
  /** Whether the next word is written without a space before it. */
  glued = false;
  readonly #columnCount: number;
  /** Of each run of columns that stand side by side in the file too, the first and the last. */
  readonly #runs: Int32Array;
  /** What comes before the value of each field as an attribute of a range. */
  readonly #openings: readonly Uint8Array[];
  readonly #issues: ConlluIssues;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #text = new Uint8Array(0) as Uint8Array;
  #view = new DataView(new ArrayBuffer(0)) as DataView;
  #lastId = 0;
  /** Whether there is a word whose own id is 1. */
  #hasFirst = false;
  /** Whether the id of each word is its place, as it should be: then heads need not be looked up. */
  #inOrder = true;
  /** Where they are not in order: the place of each id, once a head is looked for. */
  #places: Map<number, number> | undefined;
  /** The place of the word that is written, from 1. */
  #place = 0;

  constructor(columns: readonly number[], names: readonly string[], issues: ConlluIssues) {
    this.#columnCount = columns.length;
    const runs: number[] = [];
    columns.forEach((column, index) => {
      const joins = index > 0 && columns[index - 1] === column - 1;
      if (joins && column !== headField && column !== headField + 1) runs[runs.length - 1] = column;
      else runs.push(column, column);
    });
    this.#runs = Int32Array.from(runs);
    this.#openings = ["id", "form", ...names.slice(1)].map((name) => ascii(` ${name}="`));
    this.#issues = issues;
  }

  begin(text: Uint8Array): void {
    this.#text = text;
    this.#view = new DataView(text.buffer, text.byteOffset, text.length);
    this.glued = false;
    this.clear();
  }

  clear(): void {
    this.rowCount = 0;
    this.wordCount = 0;
    this.#lastId = 0;
    this.#hasFirst = false;
    this.#inOrder = true;
    this.#places = undefined;
  }

  /** Whether the line of a row whose starts are filled has the id 1, or a range from there on, though that was there. */
  startsAgain(row: number, fields: number): boolean {
    if (!this.#hasFirst || fields === 1) return false;
    const start = this.rows[row + startsAt];
    const end = this.rows[row + startsAt + 1] - 1;
    if (this.#text[start] !== one) return false;
    if (end === start + 1) return true;
    return this.#text[start + 1] === minus && end > start + 2 && this.#endOfDigits(start + 2, end) === end;
  }

  /** Forgets all rows but this, which is the first then. */
  beginWith(row: number): void {
    this.clear();
    this.rows.copyWithin(0, row, row + rowLength);
  }

  /** The line of the first row, if there is one. */
  get firstLine(): number {
    return this.rows[lineAt];
  }

  /** Where the next row is to be filled from. */
  nextRow(): number {
    const row = this.rowCount * rowLength;
    if (row + rowLength > this.rows.length) {
      const grown = new Int32Array(this.rows.length * 2);
      grown.set(this.rows);
      this.rows = grown;
    }
    return row;
  }

  /** Reads the ID of a row whose starts are filled, and keeps the row unless it is an empty node. */
  keep(row: number, fields: number, line: number, lineEnd: number): void {
    const rows = this.rows;
    rows[row + lineAt] = line;
    rows[row + fieldsAt] = fields;
    rows[row + rangeEndAt] = -1;
    const start = rows[row + startsAt];
    const end = rows[row + startsAt + 1] - 1;
    const firstEnd = this.#endOfDigits(start, end);
    if (firstEnd === end && end > start) {
      const id = this.#number(start, end);
      rows[row + idAt] = id;
      if (id !== this.#lastId + 1) this.#issues.add("id_out_of_order", line);
      if (id === 1) this.#hasFirst = true;
    } else {
      const joint = this.#text[firstEnd];
      const two = firstEnd > start && (joint === minus || joint === dot) && firstEnd + 1 < end;
      if (two && this.#endOfDigits(firstEnd + 1, end) === end) {
        if (joint === dot) {
          this.#issues.add("empty_node", line);
          return;
        }
        rows[row + idAt] = this.#number(start, firstEnd);
        rows[row + rangeEndAt] = this.#number(firstEnd + 1, end);
        this.rowCount++;
        return;
      }
      this.#issues.add("bad_id", line);
      rows[row + idAt] = this.#lastId + 1;
      rows[row + rangeEndAt] = -2;
      if (fields === 1) {
        // Nothing but text: that must be the word.
        rows[row + startsAt + 1] = start;
        rows[row + startsAt + 2] = lineEnd + 1;
        rows[row + fieldsAt] = 2;
      }
    }
    this.#lastId = rows[row + idAt];
    this.rowCount++;
    this.wordCount++;
    if (this.#lastId !== this.wordCount) this.#inOrder = false;
  }

  /** Where the digits that start here end; a number has nine at most. */
  #endOfDigits(start: number, end: number): number {
    const text = this.#text;
    let at = start;
    while (at < end && at - start < 9 && text[at] >= zero && text[at] <= zero + 9) at++;
    return at;
  }

  #number(start: number, end: number): number {
    const text = this.#text;
    let number = 0;
    for (; start < end; start++) number = number * 10 + text[start] - zero;
    return number;
  }

  /** Writes all rows. */
  write(out: GrowingBytes): void {
    const rows = this.rows;
    const end = this.rowCount * rowLength;
    let range = -1; // the row of the range that is open, or is to open at the next word
    let open = false;
    this.#place = 0;
    for (let row = 0; row < end; row += rowLength) {
      const id = rows[row + idAt];
      const isRange = rows[row + rangeEndAt] >= 0;
      if (range >= 0 && (isRange || id < rows[range + idAt] || id > rows[range + rangeEndAt])) {
        this.#issues.add("bad_range", rows[range + lineAt]);
        if (open) this.#closeRange(out, range);
        open = false;
        range = -1;
      }
      if (isRange) {
        range = row;
        continue;
      }
      if (this.glued) out.put(glueLine);
      if (range >= 0 && !open) this.#openRange(out, range);
      this.#place++;
      this.#writeWord(out, row);
      if (range < 0) {
        this.glued = this.#isGlued(row);
      } else if (id < rows[range + rangeEndAt]) {
        open = true;
        this.glued = true;
      } else {
        this.#closeRange(out, range);
        open = false;
        range = -1;
      }
    }
    if (range >= 0) this.#issues.add("bad_range", rows[range + lineAt]);
    if (open) this.#closeRange(out, range);
  }

  #closeRange(out: GrowingBytes, range: number): void {
    out.put(rangeEndLine);
    this.glued = this.#isGlued(range);
  }

  #openRange(out: GrowingBytes, row: number): void {
    const text = this.#text;
    const rows = this.rows;
    out.put(rangeStart);
    for (let field = 1; field < Math.min(fieldsMax, rows[row + fieldsAt]); field++) {
      const start = rows[row + startsAt + field];
      const end = rows[row + startsAt + field + 1] - 1;
      const nothing = end === start || (end === start + 1 && text[start] === underscore);
      if (field > 1 && nothing) continue;
      out.put(this.#openings[field]);
      out.putEscaped(text, start, end);
      out.put(quote);
    }
    out.put(tagEnd);
  }

  /** Whether SpaceAfter=No is among the items of MISC. */
  #isGlued(row: number): boolean {
    const rows = this.rows;
    if (rows[row + fieldsAt] <= miscField) return false;
    const text = this.#text;
    const end = rows[row + startsAt + miscField + 1] - 1;
    const length = noSpaceAfter.length;
    for (let at = rows[row + startsAt + miscField]; end - at >= length; at++) {
      let same = 0;
      while (same < length && text[at + same] === noSpaceAfter[same]) same++;
      if (same === length && (at + length === end || text[at + length] === bar)) return true;
      while (at < end && text[at] !== bar) at++;
    }
    return false;
  }

  #writeWord(out: GrowingBytes, row: number): void {
    const text = this.#text;
    const view = this.#view;
    const rows = this.rows;
    const runs = this.#runs;
    const starts = row + startsAt;
    const found = rows[row + fieldsAt];
    const size = rows[starts + Math.min(found, fieldsMax)] - rows[starts];
    out.reserve(this.#columnCount * (size + 16) + 8);
    const bytes = out.bytes;
    const target = out.view;
    const lastWord = text.length - 4;
    const start = out.length;
    let at = start;
    for (let i = 0; i < runs.length; i += 2) {
      const runEnd = runs[i + 1];
      const whole = runEnd < found && this.#isFull(starts + runs[i], starts + runEnd);
      for (let field = runs[i]; field <= runEnd; field++) {
        if (at > start) bytes[at++] = tab;
        let from = field < found ? rows[starts + field] : 0;
        if (whole) field = runEnd;
        const to = field < found ? rows[starts + field + 1] - 1 : 0;
        if (from === to) {
          bytes[at++] = underscore;
          if (field < found) this.#issues.add("empty_value", rows[row + lineAt]);
          continue;
        }
        if (field === headField) {
          const offset = this.#offsetOfHead(row, from, to);
          if (offset !== noOffset) {
            at = writeNumber(bytes, at, offset);
            continue;
          }
        }
        if (to <= lastWord) {
          // Four bytes at a time; those too many are written over by what follows.
          for (; from < to; from += 4, at += 4) target.setInt32(at, view.getInt32(from, true), true);
          at -= from - to;
        } else {
          while (from < to) bytes[at++] = text[from++];
        }
      }
    }
    const first = bytes[start];
    if (
      first === tokenMark ||
      (first === less && bytes[at - 1] === greater && this.#isTag(bytes, start, at))
    ) {
      bytes.copyWithin(start + 1, start, at++);
      bytes[start] = tokenMark;
    }
    bytes[at++] = newline;
    out.length = at;
  }

  /** Whether no field of a run is empty. */
  #isFull(first: number, last: number): boolean {
    const rows = this.rows;
    for (let at = first; at <= last; at++) if (rows[at + 1] - rows[at] < 2) return false;
    return true;
  }

  #isTag(bytes: Uint8Array, start: number, end: number): boolean {
    const line = this.#decoder.decode(bytes.subarray(start, end));
    return isComment(line) || parseTag(line, false) !== null;
  }

  #offsetOfHead(row: number, start: number, end: number): number {
    const text = this.#text;
    if (text[start] === underscore && end === start + 1) return noOffset;
    const rows = this.rows;
    const negative = text[start] === minus && end > start + 1;
    if (this.#endOfDigits(start + (negative ? 1 : 0), end) !== end) {
      this.#issues.add("head_not_a_number", rows[row + lineAt]);
      return noOffset;
    }
    const head = negative ? -1 : this.#number(start, end);
    if (head === 0) return 0;
    const place = this.#inOrder ? head : (this.#placeOf(head) ?? -1);
    if (place < 0 || place > this.wordCount) {
      this.#issues.add("head_outside_sentence", rows[row + lineAt]);
      return noOffset;
    }
    if (place === this.#place) this.#issues.add("head_is_itself", rows[row + lineAt]);
    return place - this.#place;
  }

  /** The place of the first word that has this id, or else of the first for which it was counted on. */
  #placeOf(id: number): number | undefined {
    if (!this.#places) {
      const rows = this.rows;
      const places = new Map<number, number>();
      for (const kind of [-1, -2]) {
        for (let row = 0, place = 0; row < this.rowCount * rowLength; row += rowLength) {
          if (rows[row + rangeEndAt] >= 0) continue;
          place++;
          if (rows[row + rangeEndAt] === kind && !places.has(rows[row + idAt])) {
            places.set(rows[row + idAt], place);
          }
        }
      }
      this.#places = places;
    }
    return this.#places.get(id);
  }
}

/** No offset: the head is written as it is. */
const noOffset = 0x7fffffff;

/** Writes a number of up to nine digits in decimal and says where it ends. */
function writeNumber(bytes: Uint8Array, at: number, number: number): number {
  if (number < 0) {
    bytes[at++] = minus;
    number = -number;
  }
  let power = 1;
  while (power * 10 <= number) power *= 10;
  for (; power >= 1; power = (power / 10) | 0) bytes[at++] = zero + (((number / power) | 0) % 10);
  return at;
}
