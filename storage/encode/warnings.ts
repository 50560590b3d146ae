/**
 * What was odd about the input: each kind counted, with the first places. Nothing is dropped or mended without
 * being counted here; docs/INPUT.md has the rule behind each kind.
 */
import { limits } from "../limits.js";

export const warningKinds = {
  invalid_utf8: "bytes that are not text in the encoding of the input were replaced by U+FFFD",
  entity_of_nothing: "numeric entities of no character (as &#0;) became U+FFFD",
  entity_of_break: "entities of tabs and line breaks in tokens became spaces",
  byte_order_mark: "a byte order mark at the start of a file was left out",
  carriage_return: "lines ended in CR LF",
  empty_line: "empty lines were left out",
  comment: "comment lines (<!-- … -->, <?…?>) were left out",
  missing_columns: "token lines had too few columns; the missing values are empty (in CoNLL-U: _)",
  surplus_columns: "token lines had too many columns; the surplus was left out",
  no_final_newline: "a file ended in the middle of a line; the line was taken as it is",
  truncated_compression: "a compressed file ended too early; what could be read was taken",
  trailing_garbage: "something follows the compressed data of a file; it was left out",
  not_closed: "structures were never closed; each ends with what encloses it",
  not_open: "end tags had nothing to close and were left out",
  document_not_closed: "documents were not closed before the next one began",
  too_deep: "structures of one name were nested too deep; the innermost was closed",
  glue_at_end: "a <g/> had no token after it in its file and was left out",
  repeated_attribute: "a tag had an attribute twice; the first was taken",
  document_split: "documents longer than a segment may be continue in the next segment",
  no_document: "the input begins with no structure that could be the document; --document names one",
  comment_skipped: "CoNLL-U comments were left out (--skip-comments)",
  empty_node: "CoNLL-U empty nodes were left out",
  empty_value: "empty CoNLL-U values became _",
  bad_id: "CoNLL-U lines had no valid ID and were taken as tokens",
  id_out_of_order: "CoNLL-U IDs were not one more than the ID before; words keep the order of their lines",
  head_not_a_number: "CoNLL-U heads were not numbers and were kept as they are",
  head_outside_sentence:
    "CoNLL-U heads were IDs that no word of their sentence has and were kept as they are",
  head_is_itself: "CoNLL-U words were their own heads; they count as roots",
  bad_range: "CoNLL-U multiword ranges did not fit the words that follow",
  comment_repeated: "a CoNLL-U sentence had a comment twice; the first was taken",
  comment_surplus: "a CoNLL-U sentence had too many comments; the surplus was left out",
  comment_unnamed:
    "CoNLL-U comments had a key that can be no name (too long); each became part of attribute comment",
  missing_blank_line: "a CoNLL-U sentence began without a blank line before it",
  sentence_without_words: "CoNLL-U comments had no words after them and were left out",
  // These are refused (job.ts): they are counted only to be told by their place.
  line_too_long: `a line is longer than ${limits.lineBytesMax} bytes`,
  sentence_too_long: `a CoNLL-U sentence is longer than ${limits.lineBytesMax} bytes`,
} as const;

export type WarningKind = keyof typeof warningKinds;

/** What is refused always, and what with --strict. */
export const refusedKinds: WarningKind[] = ["line_too_long", "sentence_too_long"];
export const refusedStrictly: WarningKind[] = [...refusedKinds, "invalid_utf8"];

export interface Place {
  file: string;
  /** From 1. */
  line: number;
}

export interface Warning {
  kind: WarningKind;
  message: string;
  count: number;
  places: Place[];
}

/** A place inside a piece: `line` counts from 0 at the start of that piece of its file. */
export interface PiecePlace {
  piece: number;
  line: number;
}

export interface PieceWarning {
  kind: WarningKind;
  count: number;
  places: PiecePlace[];
}

/** Collects warnings while one segment is parsed. */
export class WarningCollector {
  readonly #kinds = new Map<WarningKind, PieceWarning>();

  add(kind: WarningKind, count: number, place?: () => PiecePlace): void {
    if (count === 0) return;
    let warning = this.#kinds.get(kind);
    if (!warning) {
      warning = { kind, count: 0, places: [] };
      this.#kinds.set(kind, warning);
    }
    warning.count += count;
    if (place && warning.places.length < limits.warningPlacesMax) warning.places.push(place());
  }

  /** One more place of what was counted already. */
  addPlace(kind: WarningKind, place: PiecePlace): void {
    const warning = this.#kinds.get(kind);
    if (warning && warning.places.length < limits.warningPlacesMax) warning.places.push(place);
  }

  take(): PieceWarning[] {
    return [...this.#kinds.values()];
  }
}

/** A tag: which line it is of the text of its segment. */
export interface TagPlace {
  segment: number;
  line: number;
}

/** Counts odd tags while structures are built. Where the first ones stand in their files is worked out later. */
export class TagWarnings {
  readonly #kinds = new Map<WarningKind, { count: number; places: TagPlace[] }>();

  add(kind: WarningKind, segment: number, line: number): void {
    let warning = this.#kinds.get(kind);
    if (!warning) {
      warning = { count: 0, places: [] };
      this.#kinds.set(kind, warning);
    }
    warning.count++;
    if (warning.places.length < limits.warningPlacesMax) warning.places.push({ segment, line });
  }

  list(): { kind: WarningKind; count: number; places: TagPlace[] }[] {
    return [...this.#kinds].map(([kind, warning]) => ({ kind, ...warning }));
  }
}

/** Where each piece lies: its file, and how many lines of that file come before it. */
export interface PieceOrigin {
  file: string;
  firstLine: number;
}

/** Adds up the warnings of all segments in order. */
export class WarningSummary {
  readonly #kinds = new Map<WarningKind, Warning>();

  add(kind: WarningKind, count: number, places: Place[]): void {
    if (count === 0) return;
    let warning = this.#kinds.get(kind);
    if (!warning) {
      warning = { kind, message: warningKinds[kind], count: 0, places: [] };
      this.#kinds.set(kind, warning);
    }
    warning.count += count;
    for (const place of places) {
      if (warning.places.length < limits.warningPlacesMax) warning.places.push(place);
    }
  }

  addPieces(warnings: PieceWarning[], origins: PieceOrigin[]): void {
    for (const { kind, count, places } of warnings) {
      this.add(
        kind,
        count,
        places.map(({ piece, line }) => ({
          file: origins[piece].file,
          line: origins[piece].firstLine + line + 1,
        })),
      );
    }
  }

  list(): Warning[] {
    const order = Object.keys(warningKinds);
    return [...this.#kinds.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  }
}
