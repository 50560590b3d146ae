/**
 * Alignments that are written down: a row for each bead, two columns with a tab between.
 *
 *   row     = side TAB side
 *   side    = "-1" | "-" | ""      none
 *           | number               a structure, numbered from 0 in the order in which they open
 *           | number "," number    from the first to the second, as Manatee writes it
 *           | number ("-" | "..") number    the same
 *           | number "," number "," number …    several that need not follow each other
 *           | number ":" number    with as many on the other side: the first with the first, and so on
 *
 * With an attribute, values of it stand in the place of numbers: one ("s12"), several with commas between, or first and
 * last with ".." between. Empty rows, and those that begin with "#" and have no tab, say nothing.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { BeadBuilder, Warnings } from "./beads.js";
import type { Gathered, Side } from "./match.js";
import { type StructureValues, structureValues } from "./values.js";

export async function readMapping(file: string, sides: [Side, Side]): Promise<Gathered> {
  const warnings = new Warnings();
  const counts = sides.map(({ structure }) => structure.count) as [number, number];
  const names = sides.map(({ structure }) => structure.name) as [string, string];
  const builder = new BeadBuilder(counts, names, warnings);
  const readers = sides.map((side) => new SideReader(side, warnings)) as [SideReader, SideReader];
  let line = 0;
  for await (const text of linesOf(file)) {
    line++;
    const row = line === 1 ? text.replace(/^\uFEFF/, "") : text;
    if (row.trim() === "" || (row.startsWith("#") && !row.includes("\t"))) continue;
    readRow(row, line, readers, builder, warnings);
  }
  return { beads: builder.done(), pairs: builder.pairs, warnings };
}

function linesOf(file: string): AsyncIterable<string> {
  const source = file === "-" ? process.stdin : createReadStream(file);
  const input = file.endsWith(".gz") ? source.pipe(createGunzip()) : source;
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  return orFail(lines, source);
}

/** A file that cannot be read is an error, not the end of its lines. */
async function* orFail(lines: AsyncIterable<string>, source: NodeJS.ReadableStream): AsyncGenerator<string> {
  let failure: Error | undefined;
  source.once("error", (error: Error) => {
    failure = error;
  });
  yield* lines;
  if (failure) throw failure;
}

function readRow(
  row: string,
  line: number,
  readers: [SideReader, SideReader],
  builder: BeadBuilder,
  warnings: Warnings,
): void {
  const columns = row.split("\t");
  const [a, b] = readers.map((reader, i) => reader.read(columns[i]?.trim() ?? "", line));
  if (columns.length < 2 || !a || !b || !agree(a, b)) {
    const what = row.length > 60 ? `${row.slice(0, 60)}…` : row;
    warnings.add("bad_row", "rows that say nothing; they are left out", { line, what });
  } else if (a.pairwise) {
    const known = (reader: SideReader, number: number) => (reader.has(number, line) ? [number] : []);
    a.numbers.forEach((number, i) => {
      builder.add([known(readers[0], number), known(readers[1], b.numbers[i])], line);
    });
  } else builder.add([a.numbers, b.numbers], line);
}

/** One by one on both sides, and as many, or on neither. */
function agree(a: SideOfRow, b: SideOfRow): boolean {
  return a.pairwise === b.pairwise && (!a.pairwise || a.numbers.length === b.numbers.length);
}

interface SideOfRow {
  numbers: number[];
  /** One by one with the other side's. */
  pairwise: boolean;
}

class SideReader {
  readonly #values: StructureValues | undefined;

  constructor(
    readonly side: Side,
    readonly warnings: Warnings,
  ) {
    const { snapshot, structure, attribute } = side;
    this.#values = attribute === undefined ? undefined : structureValues(snapshot, structure, attribute);
  }

  /** Undefined where it cannot be read. What the corpus does not have is left out. */
  read(text: string, line: number): SideOfRow | undefined {
    if (text === "" || text === "-1" || text === "-") return { numbers: [], pairwise: false };
    if (this.#values) return { numbers: this.#byValue(this.#values, text, line), pairwise: false };
    const [, from, mark, to] = /^(\d+)(?:(,|-|\.\.|:)(\d+))?$/.exec(text) ?? [];
    if (from !== undefined) {
      const last = Number(to ?? from);
      if (last < Number(from) || last - Number(from) > this.side.structure.count) return undefined;
      const numbers = Array.from({ length: last - Number(from) + 1 }, (_, i) => Number(from) + i);
      return mark === ":"
        ? { numbers, pairwise: true }
        : { numbers: numbers.filter((number) => this.has(number, line)), pairwise: false };
    }
    if (!/^\d+(,\d+)+$/.test(text)) return undefined;
    const numbers = text.split(",").map(Number);
    return { numbers: numbers.filter((number) => this.has(number, line)), pairwise: false };
  }

  has(number: number, line: number): boolean {
    const { structure, snapshot } = this.side;
    if (number < structure.count) return true;
    const message = `numbers of ${structure.name} that ${snapshot.corpus} does not have (it has ${structure.count})`;
    this.warnings.add("unknown_number", message, { line, what: String(number) }, snapshot.corpus);
    return false;
  }

  /** A value may have any character in it: as a whole it comes before any of its parts. */
  #byValue(values: StructureValues, text: string, line: number): number[] {
    const numbersOf = (value: string) => {
      const found = values.find(value);
      return found < 0 ? [] : [...values.structures(found)];
    };
    const whole = numbersOf(text);
    if (whole.length > 0) return whole;
    const dots = text.indexOf("..");
    if (dots > 0) {
      const [first] = numbersOf(text.slice(0, dots));
      const last = numbersOf(text.slice(dots + 2)).at(-1);
      if (first !== undefined && last !== undefined)
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    }
    return text.split(",").flatMap((part) => {
      const numbers = numbersOf(part.trim());
      if (numbers.length > 0) return numbers;
      const { structure, attribute, snapshot } = this.side;
      const message = `values of ${structure.name}.${attribute} that ${snapshot.corpus} does not have`;
      const what = JSON.stringify(part.trim());
      this.warnings.add("unknown_value", message, { line, what }, snapshot.corpus);
      return [];
    });
  }
}
