/** The strings of a unique attribute, as a structure file keeps them (writer.ts). */
import type { ColumnLoader } from "../column/reader.js";
import { columnShape } from "../column/reader.js";
import type { FileReader } from "../file/reader.js";
import { type FrontCoded, StringWalk, stringAt } from "../lexicon/generation.js";

export class StringTable implements FrontCoded {
  readonly strings: Uint8Array;
  readonly blocks: Uint32Array;
  readonly count: number;
  readonly #absent: Set<number>;

  constructor(file: FileReader, attribute: string, load: ColumnLoader) {
    this.strings = file.read(`table:${attribute}`);
    this.blocks = load(file, `blocks:${attribute}`);
    this.count = columnShape(file, "begins").count;
    this.#absent = new Set(file.has(`absent:${attribute}`) ? load(file, `absent:${attribute}`) : []);
  }

  get(index: number): Buffer | undefined {
    return this.#absent.has(index) ? undefined : stringAt(this, index);
  }

  all(): (Buffer | undefined)[] {
    const walk = new StringWalk(this, 0);
    const strings: (Buffer | undefined)[] = [];
    for (let i = 0; walk.next(); i++) {
      strings.push(this.#absent.has(i) ? undefined : Buffer.from(walk.bytes.subarray(0, walk.length)));
    }
    return strings;
  }
}

export function readStringTable(
  file: FileReader,
  attribute: string,
  load: ColumnLoader,
): (Buffer | undefined)[] {
  return new StringTable(file, attribute, load).all();
}
