/**
 * What the tags of one segment say, for the parsed file (parse.ts): the events that structures are built of, their
 * ranges where the tags nest as they should, and the attributes of the structures that open, as local lexicons and
 * numbers. What a tag means is worked out once per distinct line; what is done per tag, the kernels do.
 */
import { DugongError } from "../errors.js";
import type { FileWriter } from "../file/writer.js";
import type { Tag } from "../input/tags.js";
import type { Arena } from "../kernels/arena.js";
import { limits } from "../limits.js";
import { CLOSE, EMPTY, eventWords, OPEN } from "./builder.js";
import { structureKey } from "./config.js";

/** Stands for the end of a file where the line of a tag would stand. */
export const fileEndLine = 0xffffffff;

export interface ParsedStructure {
  name: string;
  /** Structures that open in the segment. */
  count: number;
  attributes: string[];
}

export interface ParsedTags {
  structures: ParsedStructure[];
  /** All nest properly and end in the segment: `begin:` and `end:` are there. */
  nested: boolean;
}

/** One kind of structure in the segment. */
class TaggedStructure {
  /** The distinct lines that open it, ascending. */
  readonly lines: number[] = [];
  /** How many open, and how many of the kinds before it do. */
  count = 0;
  start = 0;

  constructor(
    readonly name: string,
    readonly number: number,
  ) {}
}

export class TagWriter {
  readonly #structures = new Map<string, TaggedStructure>();

  constructor(
    readonly arena: Arena,
    /** By the numbers of their distinct lines, ascending. */
    readonly tags: Map<number, Tag>,
    readonly config: {
      /** Default values, by lexicon key. */
      defaults: Record<string, string>;
      /** Structures that do not nest. */
      flat: string[];
    },
  ) {}

  /**
   * `events`: where the line kernel collected them, each a distinct line, the tokens before it, its line in the text.
   * `table`: the kernel's table of distinct lines.
   */
  write(file: FileWriter, events: number, eventCount: number, table: number): ParsedTags {
    const { arena } = this;
    const { kernels } = arena;
    const mark = arena.mark();
    const distinct = arena.u32[(table >>> 2) + 2];
    const timesAt = arena.allocate(distinct * 4);
    kernels.tableColumns(table, 0, 0, timesAt);
    const times = arena.integers(timesAt, distinct);
    const codes = arena.allocate(distinct * 4);
    this.#readTags(arena.integers(codes, distinct), times);
    const structures = [...this.#structures.values()];
    let total = 0;
    for (const structure of structures) {
      structure.start = total;
      total += structure.count;
    }
    const [begins, ends, lines] = [0, 0, 0].map(() => arena.allocate(total * 4));
    kernels.codeEvents(events, eventCount, codes, this.#starts(), begins, lines);
    file.add("events", arena.bytes(events, eventCount * eventWords * 4));
    const nested = this.#nest(events, eventCount, ends);
    if (nested) {
      for (const { name, start, count } of structures) {
        if (count === 0) continue;
        file.add(`begin:${name}`, arena.bytes(begins + start * 4, count * 4));
        file.add(`end:${name}`, arena.bytes(ends + start * 4, count * 4));
      }
    }
    const numberOf = arena.zeroed(distinct);
    const parsed = structures.map((structure) => ({
      name: structure.name,
      count: structure.count,
      attributes: this.#writeValues(file, structure, lines + structure.start * 4, numberOf, times),
    }));
    arena.release(mark);
    return { structures: parsed, nested };
  }

  /** The code of each line that is a tag, and the kinds of structure that there are. */
  #readTags(codes: Uint32Array, times: Uint32Array): void {
    for (const [line, { name, kind }] of this.tags) {
      let structure = this.#structures.get(name);
      if (!structure) {
        structure = new TaggedStructure(name, this.#structures.size);
        this.#structures.set(name, structure);
      }
      codes[line] = structure.number * 4 + (kind === "close" ? CLOSE : kind === "open" ? OPEN : EMPTY);
      if (kind === "close") continue;
      structure.lines.push(line);
      structure.count += times[line];
    }
    if (this.#structures.size > limits.structuresMax) {
      throw new DugongError(
        "too_many_structures",
        `the input has more than ${limits.structuresMax} kinds of structure`,
        "Are these tokens rather than tags? A line is a tag if all of it is <name …>.",
      );
    }
  }

  #starts(): number {
    return this.arena.put(Uint32Array.from(this.#structures.values(), ({ start }) => start));
  }

  #nest(events: number, eventCount: number, ends: number): boolean {
    const { arena } = this;
    const { flat } = this.config;
    const flags = Uint32Array.from(this.#structures.keys(), (name) => (flat.includes(name) ? 1 : 0));
    const open = arena.zeroed(flags.length);
    return arena.kernels.nestEvents(events, eventCount, this.#starts(), arena.put(flags), open, ends) !== 0;
  }

  /**
   * Writes the values of all attributes of one kind of structure; returns the names of the attributes. `lines` is where
   * the line of each structure stands, `numberOf` zeroed scratch for each distinct line, `times` how often each occurs.
   */
  #writeValues(
    file: FileWriter,
    { name, lines, count }: TaggedStructure,
    linesAt: number,
    numberOf: number,
    times: Uint32Array,
  ): string[] {
    const columns = new Map<string, LocalValues>();
    const columnOf = (attribute: string) => {
      let column = columns.get(attribute);
      if (!column) {
        column = new LocalValues();
        columns.set(attribute, column);
      }
      return column;
    };
    const defaults = Object.entries(this.config.defaults)
      .map(([key, value]) => [...key.split("@"), value])
      .filter(([structure]) => structure === name);
    // Plain loops: what they come to is compiled in every thread anew, and pairs that are taken apart cost most there.
    for (let l = 0; l < lines.length; l++) {
      const line = lines[l];
      const { attributes } = this.tags.get(line) as Tag;
      for (let a = 0; a < attributes.length; a++) {
        const pair = attributes[a];
        columnOf(pair[0]).set(line, pair[1], times[line]);
      }
      for (let d = 0; d < defaults.length; d++) {
        const column = columnOf(defaults[d][1]);
        if (column.lines.at(-1) !== line) column.set(line, defaults[d][2], times[line]);
      }
    }
    if (columns.size > limits.structureAttributesMax) {
      throw new DugongError(
        "too_many_attributes",
        `structure ${name} has more than ${limits.structureAttributesMax} attributes`,
      );
    }
    for (const [attribute, column] of columns) {
      this.#writeColumn(file, structureKey(name, attribute), column, { linesAt, count, numberOf });
    }
    return [...columns.keys()];
  }

  #writeColumn(
    file: FileWriter,
    key: string,
    column: LocalValues,
    { linesAt, count, numberOf }: { linesAt: number; count: number; numberOf: number },
  ): void {
    const { arena } = this;
    const mark = arena.mark();
    const values = arena.allocate(count * 4);
    column.spread(arena.u32, numberOf >>> 2);
    arena.kernels.gather(linesAt, count, numberOf, values);
    column.clear(arena.u32, numberOf >>> 2);
    file.add(`value:${key}`, arena.bytes(values, count * 4));
    arena.release(mark);
    column.writeStrings(file, key);
  }
}

/** The values of one attribute of one kind of structure. */
class LocalValues {
  /** The distinct lines that have one, ascending, and its number plus 1. */
  readonly lines: number[] = [];
  readonly values: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #counts: number[] = [];

  set(line: number, value: string, times: number): void {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
      this.#counts.push(0);
    }
    this.lines.push(line);
    this.values.push(number + 1);
    this.#counts[number] += times;
  }

  /** Puts the number of each line (plus 1) behind `start`, where each line has its place. */
  spread(target: Uint32Array, start: number): void {
    const { lines, values } = this;
    for (let i = 0; i < lines.length; i++) target[start + lines[i]] = values[i];
  }

  clear(target: Uint32Array, start: number): void {
    const { lines } = this;
    for (let i = 0; i < lines.length; i++) target[start + lines[i]] = 0;
  }

  writeStrings(file: FileWriter, key: string): void {
    const strings = [...this.#numbers.keys()];
    let end = 0;
    const ends = Uint32Array.from(strings, (string) => (end += Buffer.byteLength(string)));
    file.add(`heap:${key}`, Buffer.from(strings.join("")));
    file.add(`ends:${key}`, new Uint8Array(ends.buffer));
    file.add(`counts:${key}`, new Uint8Array(Uint32Array.from(this.#counts).buffer));
  }
}
