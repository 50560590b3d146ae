/**
 * The first half of encoding a segment: its text becomes numbers that mean something in this segment only.
 *
 * Parsed file (kind "parsed"; lives in the job's work folder until the segment is written):
 *   tokens            packed column: the distinct line of each token
 *   line:<attribute>  packed column: for each distinct line, the local number of its value
 *   glue              a bit per token: no space before it; absent if there is none
 *   heap:<key> ends:<key> counts:<key>
 *                     the local strings of a lexicon: bytes, u32 ends, u32 counts
 *   events            the tags in order, three u32 each (builder.ts): the structures are built of them, all segments
 *                     in order, when they have been parsed
 *   begin:<s> end:<s> u32 per structure s in the order of opening: its first token, and the one behind its last;
 *                     only where the tags nest properly, and then good unless something was open before
 *   value:<s@a>       u32 per structure s in the order of opening: local number of attribute a, plus 1; 0: none
 *   meta              ParsedMeta
 */
import { writeColumn } from "../column/writer.js";
import { DugongError } from "../errors.js";
import { FileWriter } from "../file/writer.js";
import { isComment, isUsableName, parseTag, type Tag } from "../input/tags.js";
import type { Arena } from "../kernels/arena.js";
import { outOfMemory } from "../kernels/arena.js";
import { limits } from "../limits.js";
import type { ReadingConfig } from "./config.js";
import { OddLines } from "./odd-lines.js";
import { Slices } from "./slices.js";
import { fileEndLine, type ParsedStructure, TagWriter } from "./tagged.js";
import { type PiecePlace, type PieceWarning, WarningCollector, type WarningKind } from "./warnings.js";

export const parsedVersion = 3;

/** A stretch of one file that belongs to a segment. */
export interface Piece {
  name: string;
  startsFile: boolean;
  endsFile: boolean;
  /** The next piece of the file begins with a document. */
  endsDocument: boolean;
  /** It begins inside a document, which was cut because it is too long. */
  splitsDocument: boolean;
  /** It ends where nothing ends, in a line or a sentence that is longer than it may be. */
  tooLong?: boolean;
  /** Bytes [start, end) of an uncompressed file, or of a buffer that was filled from a stream. */
  path?: string;
  buffer?: SharedArrayBuffer;
  start: number;
  end: number;
  /** Tells the text: a hash of a stream's bytes; size, time and offset of a file. */
  identity: string;
}

export interface ParsedMeta {
  /** Tells the text that was parsed: the same text need not be parsed again. */
  input: string;
  tokens: number;
  lines: number;
  glue: number;
  /** A <g/> at the end glues the first token of the next segment. */
  gluesNext: boolean;
  /** Of the first piece: a <g/> before it glues its first token, if it has one. */
  firstPiece: { tokens: number; endsFile: boolean };
  structures: ParsedStructure[];
  /** The tags nest properly, and leave nothing open. */
  nested: boolean;
  warnings: PieceWarning[];
  /** Newlines in each piece as it was in its file. */
  pieceLines: number[];
  /** Which line of the segment's text each piece begins with. */
  pieceStarts: number[];
}

const [TOKEN, TAG, GLUE, COMMENT] = [0, 1, 2, 3];
/** Fields of the kernel's Lines, in words. */
export const field = {
  table: 0,
  kinds: 1,
  firsts: 2,
  tokens: 4,
  tokenCount: 5,
  events: 6,
  eventCount: 7,
  glue: 9,
  glueCount: 10,
  emptyLines: 11,
  firstEmpty: 12,
  returns: 13,
  firstReturn: 14,
  comments: 15,
  firstComment: 16,
  marked: 17,
  lineCount: 18,
  words: 19,
};

/** Bytes of a line, for a guess at how many there are. */
const lineBytesUsual = 12;

/** One per thread; its memory serves one segment after the other. */
export class Parser {
  #tags = new Map<number, Tag>();
  #linesAt = 0;

  constructor(
    readonly arena: Arena,
    readonly config: ReadingConfig,
  ) {}

  /** Called by the line kernel for each distinct line that may be a tag. */
  readonly classify = (start: number, length: number): number => {
    const line = Buffer.from(
      this.arena.memory.buffer as unknown as ArrayBuffer,
      start >>> 0,
      length,
    ).toString();
    if (line.charCodeAt(0) !== 60) return TOKEN;
    const tag = parseTag(line, this.config.entities || this.config.format === "conllu");
    if (!tag) return isComment(line) ? COMMENT : TOKEN;
    if (!isUsableName(tag.name)) return TOKEN;
    // A plain loop: what pairs that are taken apart come to takes the compiler longest, in every thread.
    for (let i = 0; i < tag.attributes.length; i++) if (!isUsableName(tag.attributes[i][0])) return TOKEN;
    if (tag.kind === "empty" && tag.name === "g" && tag.attributes.length === 0) return GLUE;
    const table = this.arena.u32[(this.#linesAt >>> 2) + field.table] >>> 2;
    this.#tags.set(this.arena.u32[table + 2] - 1, tag);
    return TAG;
  };

  /** Parses the pieces of one segment into the file at `path`. */
  async parse(pieces: Piece[], path: string): Promise<ParsedMeta> {
    const { arena, config } = this;
    const { kernels } = arena;
    arena.reset();
    this.#tags = new Map();
    const warnings = new WarningCollector();
    const lines = this.#newLines(pieces.reduce((sum, { start, end }) => sum + end - start, 0));
    const state = (name: keyof typeof field) => arena.u32[(lines >>> 2) + field[name]];
    const odd = new OddLines();
    const counted = () => ({
      returns: state("returns"),
      emptyLines: state("emptyLines"),
      comments: state("comments"),
    });
    const slices = new Slices(arena, config, warnings);
    const pieceLines: number[] = [];
    const pieceStarts: number[] = [];
    const linesKept: boolean[] = [];
    let glueEnds = 0;
    let firstPiece = { tokens: 0, endsFile: false };
    pieces.forEach((piece, index) => {
      const before = state("tokenCount");
      pieceStarts.push(state("lineCount"));
      const read = slices.read(piece, index, (start, end, newlines) => {
        this.#makeRoom(lines, newlines + 1);
        const first = state("lineCount");
        if (!kernels.readLines(lines, start, end)) throw outOfMemory();
        odd.look(() => arena.bytes(start, end - start), first, counted());
      });
      pieceLines.push(read.lines);
      linesKept.push(read.linesKept);
      if (index === 0) firstPiece = { tokens: state("tokenCount"), endsFile: piece.endsFile };
      if (piece.endsFile) {
        if (!kernels.addEvent(lines, fileEndLine, state("tokenCount"))) throw outOfMemory();
        glueEnds += this.#dropGlue(lines, state("tokenCount"));
      }
      if (state("tokenCount") > limits.segmentTokensMax) throw tooManyTokens(state("tokenCount") - before);
    });
    const gluesNext = this.#dropGlue(lines, state("tokenCount")) > 0;
    const place = (line: number): PiecePlace => {
      const piece = pieceStarts.findLastIndex((start) => start <= line);
      return { piece, line: linesKept[piece] ? line - pieceStarts[piece] : 0 };
    };
    const warnOf = (kind: WarningKind, count: number, [line, ...others]: number[]) => {
      warnings.add(kind, count, () => place(line));
      for (const other of others) warnings.addPlace(kind, place(other));
    };
    warnOf("carriage_return", state("returns"), odd.places.returns);
    warnOf("empty_line", config.format === "conllu" ? 0 : state("emptyLines"), odd.places.emptyLines);
    warnOf("comment", state("comments"), odd.places.comments);
    warnings.add("glue_at_end", glueEnds);
    const placeOfLine = (line: number) => place(arena.u32[(state("firsts") >>> 2) + line]);

    const file = new FileWriter(path, "parsed", parsedVersion);
    try {
      const tokens = state("tokenCount");
      const distinct = arena.u32[(state("table") >>> 2) + 2];
      writeColumn(file, arena, "tokens", state("tokens"), tokens);
      this.#writeAttributes(file, lines, distinct, warnings, placeOfLine);
      if (state("glueCount") > 0) file.add("glue", arena.bytes(state("glue"), Math.ceil(tokens / 8)));
      this.#warnOfTags(warnings, placeOfLine);
      const tags = new TagWriter(arena, this.#tags, {
        defaults: config.defaultValues,
        flat: flatStructures(config),
      });
      const { structures, nested } = tags.write(file, state("events"), state("eventCount"), state("table"));
      const meta: ParsedMeta = {
        input: pieces.map(pieceInput).join("\n"),
        tokens,
        lines: distinct,
        glue: state("glueCount"),
        gluesNext,
        firstPiece,
        structures,
        nested,
        warnings: warnings.take(),
        pieceLines,
        pieceStarts,
      };
      Object.assign(file.meta, meta);
      await file.finish({ durable: false });
      return meta;
    } catch (error) {
      file.abandon();
      throw error;
    }
  }

  /** Tokens that there is room for. */
  #room = 0;

  #newLines(textBytes: number): number {
    const { arena } = this;
    const lines = arena.zeroed(field.words);
    this.#linesAt = lines;
    const lineCount = Math.ceil(textBytes / lineBytesUsual);
    const table = arena.kernels.newTable(Math.min(65_536, lineCount)) >>> 0;
    if (table === 0) throw outOfMemory();
    const words = arena.integers(lines, field.words);
    words[field.table] = table;
    words[field.marked] = this.config.format === "conllu" || this.config.entities ? 1 : 0;
    this.#room = 0;
    this.#makeRoom(lines, lineCount);
    return lines;
  }

  /** Makes room for so many more tokens. */
  #makeRoom(lines: number, more: number): void {
    const { arena } = this;
    const words = () => arena.integers(lines, field.words);
    const count = words()[field.tokenCount];
    const roomBefore = this.#room;
    if (count + more <= roomBefore) return;
    this.#room = Math.max(count + more, roomBefore * 2);
    const tokens = arena.allocate(this.#room * 4 + 512);
    const glue = arena.zeroed((this.#room >>> 5) + 2);
    const before = words();
    if (roomBefore > 0) {
      arena.u32.copyWithin(tokens >>> 2, before[field.tokens] >>> 2, (before[field.tokens] >>> 2) + count);
      arena.u8.copyWithin(glue, before[field.glue], before[field.glue] + (count >>> 3) + 1);
    }
    before[field.tokens] = tokens;
    before[field.glue] = glue;
  }

  /** A <g/> at the end of a file glues nothing: takes its bit back. */
  #dropGlue(lines: number, token: number): number {
    const { u8, u32 } = this.arena;
    const byte = u32[(lines >>> 2) + field.glue] + (token >>> 3);
    const bit = 1 << (token & 7);
    if ((u8[byte] & bit) === 0) return 0;
    u8[byte] &= ~bit;
    u32[(lines >>> 2) + field.glueCount]--;
    return 1;
  }

  #warnOfTags(warnings: WarningCollector, placeOfLine: (line: number) => PiecePlace): void {
    const { u32 } = this.arena;
    const entries = u32[(u32[(this.#linesAt >>> 2) + field.table] >>> 2) + 3] >>> 2;
    for (const [line, tag] of this.#tags) {
      if (!tag.repeated && !tag.replaced) continue;
      const times = u32[entries + line * 4 + 2];
      const place = () => placeOfLine(line);
      if (tag.repeated) warnings.add("repeated_attribute", tag.repeated.length * times, place);
      if (tag.replaced) warnings.add("entity_of_nothing", tag.replaced * times, place);
    }
  }

  /** Splits the distinct lines into columns and writes the local lexicon of each attribute. */
  #writeAttributes(
    file: FileWriter,
    lines: number,
    distinct: number,
    warnings: WarningCollector,
    placeOfLine: (line: number) => PiecePlace,
  ): void {
    const { arena, config } = this;
    const columns = config.columns.length;
    const expected = Math.min(distinct, 65_536);
    const tables = new Uint32Array(columns);
    const numbers = new Uint32Array(columns);
    for (let c = 0; c < columns; c++) {
      tables[c] = arena.kernels.newTable(expected) >>> 0;
      if (tables[c] === 0) throw outOfMemory();
      numbers[c] = arena.allocate(distinct * 4 + 512);
    }
    const columnsOf = arena.allocate(distinct * 4);
    const [tablesAt, numbersAt] = [arena.put(tables), arena.put(numbers)];
    const odd = arena.kernels.splitColumns(lines, columns, tablesAt, numbersAt, columnsOf);
    if (odd < 0) throw outOfMemory();
    if (odd > 0) this.#warnOfColumns(lines, distinct, columnsOf, warnings, placeOfLine);
    config.columns.forEach((name, c) => {
      writeColumn(file, arena, `line:${name}`, numbers[c], distinct);
      writeTable(file, arena, name, tables[c]);
    });
  }

  #warnOfColumns(
    lines: number,
    distinct: number,
    columnsOf: number,
    warnings: WarningCollector,
    placeOfLine: (line: number) => PiecePlace,
  ): void {
    const { u32 } = this.arena;
    const wanted = this.config.columns.length;
    const found = columnsOf >>> 2;
    const entries = u32[(u32[(lines >>> 2) + field.table] >>> 2) + 3] >>> 2;
    for (let line = 0; line < distinct; line++) {
      const columns = u32[found + line];
      if (columns === wanted || columns === 0) continue;
      const count = u32[entries + line * 4 + 2];
      warnings.add(columns < wanted ? "missing_columns" : "surplus_columns", count, () => placeOfLine(line));
    }
  }
}

/** The structures that do not nest: documents, and the paragraphs of CoNLL-U, which have no end there. */
export function flatStructures({ document, format }: Pick<ReadingConfig, "document" | "format">): string[] {
  return [...(document === null ? [] : [document]), ...(format === "conllu" ? ["doc", "p"] : [])];
}

/** Writes the strings of a kernel's table as a local lexicon. */
function writeTable(file: FileWriter, arena: Arena, key: string, table: number): void {
  const [, , count, , , heap, heapLength] = arena.integers(table, 8);
  const mark = arena.mark();
  // Strings stand one behind the other: each ends where the next starts.
  const starts = arena.allocate(count * 4 + 4);
  const counts = arena.allocate(count * 4);
  arena.kernels.tableColumns(table, starts, 0, counts);
  file.add(`heap:${key}`, arena.bytes(heap, heapLength));
  file.add(`ends:${key}`, arena.bytes(starts + 4, count * 4));
  file.add(`counts:${key}`, arena.bytes(counts, count * 4));
  arena.release(mark);
}

/** Tells the text of a piece from any other text. */
export function pieceInput(piece: Piece): string {
  const ends = `${piece.startsFile ? "^" : ""}${piece.endsFile ? "$" : ""}${piece.endsDocument ? "|" : ""}`;
  return `${piece.name} ${piece.end - piece.start}${ends} ${piece.identity}`;
}

function tooManyTokens(count: number): DugongError {
  return new DugongError(
    "segment_too_large",
    `a segment would have more than ${limits.segmentTokensMax} tokens (${count} in one piece)`,
    "Use smaller segments (--segment-bytes).",
  );
}
