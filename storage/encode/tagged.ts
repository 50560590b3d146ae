/**
 * What the tags of one segment say, for the parsed file (parse.ts): the events that structures are built of, and
 * the attributes of the structures that open, as local lexicons and numbers.
 */
import { DugongError } from "../errors.js";
import type { FileWriter } from "../file/writer.js";
import type { Tag } from "../input/tags.js";
import { limits } from "../limits.js";
import { CLOSE, EMPTY, eventWords, FILE_END, OPEN } from "./builder.js";
import { structureKey } from "./config.js";

/** Stands for the end of a file where the line of a tag would stand. */
export const fileEndLine = 0xffffffff;

export interface ParsedStructure {
  name: string;
  /** Structures that open in the segment. */
  count: number;
  attributes: string[];
}

/** One kind of structure in the segment. */
class TaggedStructure {
  /** The distinct tag line of each structure that opens. */
  readonly lines: number[] = [];

  constructor(
    readonly name: string,
    readonly number: number,
  ) {}
}

export class TagWriter {
  readonly #structures = new Map<string, TaggedStructure>();

  /** `tags`: by the numbers of their distinct lines. `defaults`: default values, by lexicon key. */
  constructor(
    readonly tags: Map<number, Tag>,
    readonly defaults: Record<string, string>,
  ) {}

  /** `events`, as the line kernel collected them: distinct line, tokens before it, line in the text. */
  write(file: FileWriter, events: Uint32Array): ParsedStructure[] {
    const coded = new Uint32Array(events.length);
    for (let e = 0; e < events.length; e += eventWords) {
      coded[e] = this.#code(events[e]);
      coded[e + 1] = events[e + 1];
      coded[e + 2] = events[e + 2];
    }
    file.add("events", new Uint8Array(coded.buffer));
    if (this.#structures.size > limits.structuresMax) {
      throw new DugongError(
        "too_many_structures",
        `the input has more than ${limits.structuresMax} kinds of structure`,
        "Are these tokens rather than tags? A line is a tag if all of it is <name …>.",
      );
    }
    return [...this.#structures.values()].map((structure) => ({
      name: structure.name,
      count: structure.lines.length,
      attributes: this.#writeValues(file, structure),
    }));
  }

  #code(line: number): number {
    if (line === fileEndLine) return FILE_END;
    const tag = this.tags.get(line) as Tag;
    let structure = this.#structures.get(tag.name);
    if (!structure) {
      structure = new TaggedStructure(tag.name, this.#structures.size);
      this.#structures.set(tag.name, structure);
    }
    if (tag.kind === "close") return structure.number * 4 + CLOSE;
    structure.lines.push(line);
    return structure.number * 4 + (tag.kind === "open" ? OPEN : EMPTY);
  }

  /** Writes the values of all attributes of one kind of structure; returns the names of the attributes. */
  #writeValues(file: FileWriter, { name, lines }: TaggedStructure): string[] {
    const columns = new Map<string, LocalValues>();
    const columnOf = (attribute: string) => {
      let column = columns.get(attribute);
      if (!column) {
        column = new LocalValues(lines.length);
        columns.set(attribute, column);
      }
      return column;
    };
    const defaults = Object.entries(this.defaults)
      .map(([key, value]) => [...key.split("@"), value])
      .filter(([structure]) => structure === name);
    lines.forEach((line, i) => {
      for (const [attribute, value] of (this.tags.get(line) as Tag).attributes)
        columnOf(attribute).set(i, value);
      for (const [, attribute, value] of defaults) columnOf(attribute).setIfAbsent(i, value);
    });
    if (columns.size > limits.structureAttributesMax) {
      throw new DugongError(
        "too_many_attributes",
        `structure ${name} has more than ${limits.structureAttributesMax} attributes`,
      );
    }
    for (const [attribute, column] of columns) column.write(file, structureKey(name, attribute));
    return [...columns.keys()];
  }
}

/** The values of one attribute of one kind of structure. */
class LocalValues {
  readonly #numbers = new Map<string, number>();
  readonly #values: Uint32Array;

  constructor(count: number) {
    this.#values = new Uint32Array(count);
  }

  set(index: number, value: string): void {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
    }
    this.#values[index] = number + 1;
  }

  setIfAbsent(index: number, value: string): void {
    if (this.#values[index] === 0) this.set(index, value);
  }

  write(file: FileWriter, key: string): void {
    const counts = new Uint32Array(this.#numbers.size);
    for (const value of this.#values) if (value > 0) counts[value - 1]++;
    const strings = [...this.#numbers.keys()].map((string) => Buffer.from(string));
    const ends = new Uint32Array(strings.length);
    let end = 0;
    strings.forEach((string, i) => {
      ends[i] = end += string.length;
    });
    file.add(`value:${key}`, new Uint8Array(this.#values.buffer));
    file.add(`heap:${key}`, Buffer.concat(strings));
    file.add(`ends:${key}`, new Uint8Array(ends.buffer));
    file.add(`counts:${key}`, new Uint8Array(counts.buffer));
  }
}
