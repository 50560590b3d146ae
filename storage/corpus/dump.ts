/**
 * A corpus back as vertical text. What comes out, encoded again, is the same corpus. It equals what went in but for
 * this: tags that stand between the same two tokens are put in order (end tags, innermost first; empty structures;
 * start tags, outermost first; <g/> before them, but behind them where one structure ends and another begins). Of
 * structures of different kinds with the same tokens the document is the outermost, then they stand in the corpus's
 * order. Attributes of a tag stand in the corpus's order, and in double quotes but where they hold some; a
 * structure that was never closed is closed; what the encoder left out (and counted) stays out.
 */
import { isComment, parseTag, printTag, type Tag } from "../input/tags.js";
import type { Attribute } from "./attribute.js";
import type { Segment } from "./segment.js";
import type { Snapshot } from "./snapshot.js";
import type { Structure } from "./structure.js";

export interface DumpOptions {
  /** Columns to write; all stored attributes, in order, unless named. */
  attributes?: string[];
  /** Global positions [from, to); all unless named. Structures are written where they lie inside. */
  from?: number;
  to?: number;
  structures?: boolean;
  /** Write & < > " as entities; unless said, where the input was read so. */
  entities?: boolean;
  /** Called for each value of a tag that cannot be written without entities, and is not read back as it was. */
  onUnwritable?: () => void;
}

const tokensPerPart = 8192;

/** The text in parts of some thousand lines. */
export function* dumpCorpus(snapshot: Snapshot, options: DumpOptions = {}): Generator<string> {
  const from = Math.max(0, options.from ?? 0);
  const to = Math.min(snapshot.tokens, options.to ?? snapshot.tokens);
  const names =
    options.attributes ?? snapshot.attributes.filter(({ derived }) => !derived).map(({ name }) => name);
  const entities = options.entities ?? snapshot.manifest.reading.entities;
  const columns = names.map((name) => new StringColumn(snapshot.attribute(name), entities));
  const tags =
    options.structures === false
      ? undefined
      : new TagWalk(snapshot, from, to, entities, options.onUnwritable ?? (() => {}));
  for (const segment of snapshot.segments) {
    if (segment.start >= to || segment.start + segment.tokens <= from) continue;
    const last = Math.min(to - segment.start, segment.tokens);
    for (let start = Math.max(0, from - segment.start); start < last; start += tokensPerPart) {
      const count = Math.min(tokensPerPart, last - start);
      yield dumpTokens(segment, start, count, columns, tags);
    }
  }
  if (tags) {
    const rest = tags.before(to, true);
    if (rest.length > 0) yield rest;
  }
}

function dumpTokens(
  segment: Segment,
  start: number,
  count: number,
  columns: StringColumn[],
  tags: TagWalk | undefined,
): string {
  for (const column of columns) column.read(segment, start, count);
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    if (tags) {
      const here =
        tags.next <= segment.start + start + i ? tags.before(segment.start + start + i, false) : "";
      if (!segment.glued(start + i)) lines.push(here);
      else lines.push(isTurn(here) ? `${here}<g/>\n` : `<g/>\n${here}`);
    }
    let line = columns[0].at(i);
    for (let c = 1; c < columns.length; c++) line += `\t${columns[c].at(i)}`;
    lines.push(`${isMistakable(line) ? `${line}\t` : line}\n`);
  }
  return lines.join("");
}

/** Does one structure end and another begin here, as between sentences? Glue then stands with the token behind it. */
function isTurn(tags: string): boolean {
  return tags.startsWith("</") && /\n<[^/]/.test(tags);
}

/** Would a reader take the line for something else than a token? One column more, and it will not. */
function isMistakable(line: string): boolean {
  if (line === "" || line.endsWith("\r")) return true;
  return line.startsWith("<") && (parseTag(line, false) !== null || isComment(line));
}

/** The strings of one attribute over a stretch of tokens. Strings are decoded once per id. */
class StringColumn {
  readonly #ids = new Uint32Array(tokensPerPart);
  readonly #strings: (string | undefined)[] = [];

  constructor(
    readonly attribute: Attribute,
    readonly entities: boolean,
  ) {}

  read(segment: Segment, start: number, count: number): void {
    segment.stream(this.attribute).read(start, count, this.#ids);
  }

  at(place: number): string {
    const id = this.#ids[place];
    let string = this.#strings[id];
    if (string === undefined) {
      string = this.attribute.lexicon.string(id);
      if (this.entities)
        string = string.replace(
          /[&<>]/g,
          (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[char] as string,
        );
      this.#strings[id] = string;
    }
    return string;
  }
}

interface OpenTag {
  end: number;
  name: string;
}

interface Starting {
  walk: RangeWalk;
  number: number;
  end: number;
}

/** Those of one kind stay in their order; of different kinds the empty ones come first, then the longest. */
function inOrder(starting: Starting[], here: number): Starting[] {
  const kinds = new Map<RangeWalk, Starting[]>();
  for (const start of starting) kinds.set(start.walk, [...(kinds.get(start.walk) ?? []), start]);
  const length = ({ end }: Starting) => (end === here ? Number.POSITIVE_INFINITY : end);
  const ordered: Starting[] = [];
  while (ordered.length < starting.length) {
    const heads = [...kinds.values()].filter((kind) => kind.length > 0);
    ordered.push(heads.reduce((a, b) => (length(b[0]) > length(a[0]) ? b : a)).shift() as Starting);
  }
  return ordered;
}

/** All tags in order of position, made as they are needed. */
class TagWalk {
  readonly #walks: RangeWalk[];
  readonly #opened: OpenTag[] = [];
  /** The first position before which there is a tag to write. */
  next = 0;

  constructor(
    readonly snapshot: Snapshot,
    from: number,
    to: number,
    readonly entities: boolean,
    readonly onUnwritable: () => void,
  ) {
    const { document } = snapshot.config;
    const isDocument = ({ structure }: RangeWalk) => Number(structure.name === document);
    this.#walks = snapshot.structures
      .map((structure) => new RangeWalk(structure, from, to))
      .sort((a, b) => isDocument(b) - isDocument(a));
    this.#advance();
  }

  #advance(): void {
    this.next = Number.POSITIVE_INFINITY;
    for (const { begin } of this.#walks) if (begin < this.next) this.next = begin;
    for (const { end } of this.#opened) if (end < this.next) this.next = end;
  }

  /** The tags that stand before the token at `position`; `last`: no token follows. */
  before(position: number, last: boolean): string {
    const lines: string[] = [];
    while (this.next <= position) {
      this.#tagsAt(this.next, lines);
      this.#advance();
    }
    if (last) this.#tagsAt(Number.POSITIVE_INFINITY, lines);
    return lines.join("");
  }

  #tagsAt(here: number, lines: string[]): void {
    let starting: Starting[] = [];
    for (const walk of this.#walks) {
      while (walk.begin === here && Number.isFinite(here)) {
        starting.push({ walk, number: walk.number, end: walk.end });
        walk.advance();
      }
    }
    starting = inOrder(starting, here);
    const open = (wanted: (start: Starting) => boolean) => {
      for (const start of starting.filter(wanted)) this.#open(start, here, lines);
      starting = starting.filter((start) => !wanted(start));
    };
    for (let i = this.#opened.length - 1; i >= 0; i--) {
      if (this.#opened[i].end > here) continue;
      // What goes on beyond the end of what it began in must not meet another of its name, or a document, after
      // that end: a reader would take it for ended. Where those begin here they come first.
      const beyond = new Set(
        this.#opened.slice(i + 1).flatMap(({ end, name }) => (end > here ? [name] : [])),
      );
      const { document } = this.snapshot.config;
      if (beyond.size > 0)
        open(({ walk: { structure } }) => beyond.has(structure.name) || structure.name === document);
      lines.push(`</${this.#opened[i].name}>\n`);
      this.#opened.splice(i, 1);
    }
    open(() => true);
  }

  #open({ walk, number, end }: Starting, here: number, lines: string[]): void {
    const kind = end === here ? "empty" : "open";
    lines.push(`${printTag(this.#tag(walk.structure, number, kind), this.entities)}\n`);
    if (kind === "open") this.#opened.push({ end, name: walk.structure.name });
  }

  #tag(structure: Structure, number: number, kind: Tag["kind"]): Tag {
    const attributes: [string, string][] = [];
    for (const { name } of structure.attributes) {
      const value = structure.value(number, name);
      if (value === undefined) continue;
      attributes.push([name, value]);
      if (!this.entities && !isWritable(value)) this.onUnwritable();
    }
    return { kind, name: structure.name, attributes };
  }
}

/** Can the value stand in a tag as it is? */
function isWritable(value: string): boolean {
  return !value.includes("\n") && !(value.includes('"') && value.includes("'"));
}

/** The ranges of one kind of structure, one after the other, that lie inside [from, to). */
class RangeWalk {
  number: number;
  begin = Number.POSITIVE_INFINITY;
  end = 0;

  constructor(
    readonly structure: Structure,
    readonly from: number,
    readonly to: number,
  ) {
    // The first structure that begins at `from` or behind it.
    let low = 0;
    let high = structure.count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (structure.range(middle)[0] < from) low = middle + 1;
      else high = middle;
    }
    this.number = low - 1;
    this.advance();
  }

  advance(): void {
    this.number++;
    this.begin = Number.POSITIVE_INFINITY;
    if (this.number >= this.structure.count) return;
    const [begin, end] = this.structure.range(this.number);
    if (begin > this.to || (begin === this.to && this.to < this.from)) return;
    this.begin = begin;
    this.end = Math.min(end, this.to);
    if (begin === this.to && end > begin) this.begin = Number.POSITIVE_INFINITY;
  }
}
