/**
 * What encoding means, over plain arrays and without any notion of segments: vertical text in, tokens, glue and
 * structures out, and every oddity with its place. Slow and obvious: the encoder and every reader are compared with
 * it. Nothing here is shared with the implementation.
 *
 * A line is empty, a comment, a tag, or else a token: columns between tabs. Tags keep these rules:
 *
 *   1 An end tag closes the innermost open structure of its name; if there is none it means nothing.
 *   2 What opened inside a structure that ends is overlapping: it waits for its own end tag. If that does not come,
 *     it ended where the structure around it ended, or where the last structure of its own name inside it did.
 *   3 It does not come once another structure of that name opens (or stands empty), a document opens, or the file ends.
 *   4 Documents do not nest: one that opens closes one that is open.
 *   5 Of one name at most 256 are open: one more closes the innermost.
 *   6 A file ends everything in it. <g/> glues the next token of its file to the one before.
 */

export interface TextFile {
  name: string;
  text: string;
}

export interface Range {
  begin: number;
  end: number;
  attributes: Map<string, string>;
}

export interface Oddity {
  kind: string;
  file: string;
  line: number;
}

export interface Corpus {
  /** Per attribute, the string of each token. */
  tokens: string[][];
  /** Is the token written without a space before it? */
  glue: boolean[];
  /** Per name, in the order of opening. */
  structures: Map<string, Range[]>;
  oddities: Oddity[];
}

export interface Reading {
  /** How many columns there are. */
  attributes: number;
  /** The structure that does not nest; null for none. */
  document: string | null;
  entities?: boolean;
}

const depthMax = 256;

interface Open {
  name: string;
  range: Range;
  /** Where what enclosed it ended, if that has ended. */
  waitingSince?: number;
  line: number;
}

export function readVertical(files: TextFile[], reading: Reading): Corpus {
  const tokens: string[][] = Array.from({ length: reading.attributes }, () => []);
  const corpus: Corpus = { tokens, glue: [], structures: new Map(), oddities: [] };
  for (const file of files) readFile(file, reading, corpus);
  return corpus;
}

function readFile({ name: file, text }: TextFile, reading: Reading, corpus: Corpus): void {
  let open: Open[] = [];
  let glued = false;
  let line = 0;
  const odd = (kind: string, at = line) => corpus.oddities.push({ kind, file, line: at });
  const position = () => corpus.glue.length;

  const end = (structure: Open, at: number, kind?: string) => {
    structure.range.end = structure.waitingSince ?? at;
    open = open.filter((other) => other !== structure);
    if (kind) odd(kind, structure.line);
  };
  const makeWait = (inside: Open[]) => {
    for (const structure of inside) structure.waitingSince ??= position();
  };
  const giveUp = (name?: string) => {
    for (const structure of open) {
      if (structure.waitingSince === undefined || (name !== undefined && structure.name !== name)) continue;
      end(structure, position(), "not_closed");
    }
  };

  const begin = (name: string, attributes: Map<string, string>, empty: boolean) => {
    if (name === reading.document) {
      const before = open.find((structure) => structure.name === name);
      if (before) {
        makeWait(open.slice(open.indexOf(before) + 1));
        end(before, position(), "document_not_closed");
      }
      giveUp();
    }
    giveUp(name);
    const same = open.filter((structure) => structure.name === name);
    if (!empty && same.length >= depthMax) {
      end(same[same.length - 1], position());
      odd("too_deep");
    }
    const range = { begin: position(), end: position(), attributes };
    if (!corpus.structures.has(name)) corpus.structures.set(name, []);
    corpus.structures.get(name)?.push(range);
    if (!empty) open.push({ name, range, line });
  };

  const close = (name: string) => {
    const closed = open.findLast((structure) => structure.name === name);
    if (!closed) return odd("not_open");
    makeWait(open.slice(open.indexOf(closed) + 1));
    closed.waitingSince = undefined;
    end(closed, position());
    for (const outer of open) {
      if (outer.name === name && outer.waitingSince !== undefined) outer.waitingSince = position();
    }
  };

  const addToken = (text: string) => {
    const columns = text.split("\t");
    if (columns.length < reading.attributes) odd("missing_columns");
    if (columns.length > reading.attributes) odd("surplus_columns");
    if (reading.entities) {
      for (const [entity] of text.matchAll(/&#(\d+|[xX][\da-fA-F]+);/g)) {
        if (/[\t\n\r]/.test(decode(entity))) odd("entity_of_break");
        else if (decode(entity) === "\uFFFD" && !/^&#(0*65533|[xX]0*fffd);$/i.test(entity))
          odd("entity_of_nothing");
      }
    }
    corpus.tokens.forEach((column, i) => {
      const value = columns[i] ?? "";
      column.push(reading.entities ? decode(value).replace(/[\t\n\r]/g, " ") : value);
    });
    corpus.glue.push(glued);
    glued = false;
  };

  for (let content of linesOf(text, odd)) {
    line++;
    if (content.endsWith("\r")) {
      odd("carriage_return");
      content = content.slice(0, -1);
    }
    const tag = tagOf(content, reading.entities ?? false);
    if (content === "") odd("empty_line");
    else if (tag?.empty && tag.name === "g" && tag.attributes.size === 0) glued = true;
    else if (!tag && isComment(content)) odd("comment");
    else if (!tag) addToken(content);
    else {
      for (let i = 0; i < tag.repeated; i++) odd("repeated_attribute");
      if (tag.closes) close(tag.name);
      else begin(tag.name, tag.attributes, tag.empty);
    }
  }
  for (const structure of [...open].reverse()) end(structure, position(), "not_closed");
  if (glued) odd("glue_at_end");
}

function linesOf(text: string, odd: (kind: string, line: number) => void): string[] {
  if (text.startsWith("\uFEFF")) {
    odd("byte_order_mark", 1);
    text = text.slice(1);
  }
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  else odd("no_final_newline", lines.length);
  return lines;
}

function isComment(line: string): boolean {
  return /^(<!--((?!-->).)*-->|<\?((?!\?>).)*\?>|<!DOCTYPE[ \t].*>)$/isu.test(line);
}

const name = "[\\p{L}_][\\p{L}\\p{Nd}_.:-]*";
const white = "[ \\t]*";
const unquoted = `[^ \\t'"<>]+?(?=/>$)|[^ \\t'"<>]+(?=[ \\t>])`;
const attribute = `${white}(${name})${white}=${white}(?:"([^"]*)"|'([^']*)'|(${unquoted}))`;

function tagOf(line: string, entities: boolean) {
  const close = new RegExp(`^</(${name})${white}>$`, "u").exec(line);
  if (close)
    return { closes: true, empty: false, name: close[1], attributes: new Map<string, string>(), repeated: 0 };
  const open = new RegExp(`^<(${name})`, "u").exec(line);
  if (!open) return undefined;
  const attributes = new Map<string, string>();
  const repeated = new Set<string>();
  const next = new RegExp(attribute, "uy");
  let at = open[0].length;
  for (;;) {
    next.lastIndex = at;
    const found = next.exec(line);
    if (!found) break;
    at = next.lastIndex;
    const value = found[2] ?? found[3] ?? found[4];
    if (attributes.has(found[1])) repeated.add(found[1]);
    else attributes.set(found[1], entities ? decode(value) : value);
  }
  const rest = /^[ \t]*(\/?)>$/.exec(line.slice(at));
  return rest
    ? { closes: false, empty: rest[1] === "/", name: open[1], attributes, repeated: repeated.size }
    : undefined;
}

function decode(text: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d+)|#[xX]([\da-fA-F]+));/g,
    (_, word, decimal, hexadecimal) => {
      if (word) return named[word];
      const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
      const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return valid ? String.fromCodePoint(code) : "\uFFFD";
    },
  );
}
