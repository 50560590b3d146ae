/**
 * Sketches that were computed before text was appended, as a run among the others: the rows of their index, column by column, in
 * the numbers of today's heads. What label 3 was bound to the index does not have; occurrences that differ in nothing else
 * are told by a number instead.
 */
import { Column } from "../../storage/column/reader.js";
import { FileReader } from "../../storage/file/reader.js";
import { sketchVersion } from "../../storage/index.js";
import { type Pool, PooledFile } from "../../storage/pool/pool.js";
import { limits } from "./limits.js";
import type { SketchInfo } from "./reader.js";
import { Rows, RunWriter, sorted } from "./rows.js";
import { type BlockNames, rowWidth } from "./task.js";

export class EarlierSketches {
  readonly #file: FileReader;
  readonly #pooled: PooledFile;

  /** Opened, it stays readable, even if somebody removes it. */
  constructor(
    readonly pool: Pool,
    path: string,
  ) {
    this.#file = FileReader.open(path, "sketch", sketchVersion);
    this.#pooled = new PooledFile(this.#file);
  }

  /** Writes its rows whose heads stand before a position as a run. Awaits turns, so that others are heard. */
  async writeRun(
    path: string,
    headStrings: string[],
    before: number,
    rowsMax: number = limits.taskRowsMax,
  ): Promise<void> {
    const run = new RunWriter<BlockNames>(path, rowWidth);
    try {
      await this.#write(run, headStrings, before, rowsMax);
      run.finish();
    } catch (error) {
      run.abandon();
      throw error;
    }
  }

  async #write(
    run: RunWriter<BlockNames>,
    headStrings: string[],
    before: number,
    rowsMax: number,
  ): Promise<void> {
    const { relations } = this.#file.contents.meta.info as SketchInfo;
    const orders = this.#file.contents.meta.orders as number[];
    const block = new BaseBlock(
      relations.map(({ name }, i) => ({ name, order: orders[i] })),
      numbersOf(this.#words(), headStrings),
      headStrings.length,
    );
    const cursor = (name: string) => new ColumnCursor(new Column(this.pool, this.#pooled, name));
    const [starts, triples] = [cursor("heads"), cursor("slice.triples")];
    const relation = cursor("slice.relation");
    const [word, count, first] = [cursor("triple.word"), cursor("triple.count"), cursor("triple.first")];
    const [gaps, distances] = [cursor("gaps"), cursor("distances")];
    let slice = 0;
    let triple = 0;
    triples.next();
    starts.next();
    for (let head = 0; starts.left > 0; head++) {
      for (const end = starts.next(); slice < end; slice++) {
        const own = relation.next();
        for (const last = triples.next(); triple < last; triple++) {
          const collocate = word.next();
          const times = count.next();
          let position = first.next();
          for (let i = 0; i < times; i++) {
            const gap = i === 0 ? 1 : gaps.next();
            if (i > 0) position += gap;
            // What stands at one place stays together: a block tells what is the same there.
            if (gap > 0 && block.count >= rowsMax) {
              block.writeTo(run);
              await new Promise((turn) => setImmediate(turn));
            }
            const distance = distances.next();
            const other = position + ((distance & 1) === 1 ? -((distance + 1) / 2) : distance / 2);
            if (position < before) block.add(head, own, collocate, position, other);
          }
        }
      }
    }
    block.writeTo(run);
  }

  #words(): Buffer[] {
    const strings = this.#file.read("strings");
    const ends = new Column(this.pool, this.#pooled, "ends").toArray();
    return Array.from(ends, (end, i) => strings.subarray(i === 0 ? 0 : ends[i - 1], end));
  }

  close(): void {
    this.#file.close();
  }
}

/** Numbers of words among the heads, or −1: both are in the order of their bytes. */
function numbersOf(words: Buffer[], headStrings: string[]): { heads: Int32Array; words: Buffer[] } {
  const heads = new Int32Array(words.length).fill(-1);
  let at = 0;
  for (let head = 0; head < headStrings.length && at < words.length; head++) {
    const bytes = Buffer.from(headStrings[head]);
    while (at < words.length && Buffer.compare(words[at], bytes) < 0) at++;
    if (at < words.length && words[at].equals(bytes)) heads[at++] = head;
  }
  return { heads, words };
}

/** Rows as they come, with names and strings of their own. */
class BaseBlock {
  readonly #rows = new Rows(rowWidth);
  readonly #names: Int32Array;
  readonly #strings = new Map<number, number>();
  readonly #before = new Uint32Array(rowWidth);

  constructor(
    readonly relations: BlockNames["names"],
    readonly words: { heads: Int32Array; words: Buffer[] },
    readonly headCount: number,
  ) {
    this.#names = new Int32Array(relations.length);
  }

  get count(): number {
    return this.#rows.count;
  }

  add(head: number, relation: number, word: number, position: number, other: number): void {
    const { heads } = this.words;
    let collocate = heads[word];
    if (collocate < 0) {
      this.#strings.set(word, 0);
      // For now the word's own number; those that come to a head are below.
      collocate = this.headCount + word;
    }
    const before = this.#before;
    const own = heads[head];
    const isSame =
      this.#rows.count > 0 &&
      before[0] === own &&
      before[1] === relation &&
      before[2] === collocate &&
      before[3] === position &&
      before[4] === other;
    const third = isSame ? before[5] + 1 : 0;
    const row = this.#rows.next();
    const [a, b, c, d, e, f] = this.#rows.columns;
    a[row] = before[0] = own;
    b[row] = before[1] = relation;
    c[row] = before[2] = collocate;
    d[row] = before[3] = position;
    e[row] = before[4] = other;
    f[row] = before[5] = third;
    this.#names[relation] = 1;
  }

  /** Only names and strings that occur are handed on. */
  writeTo(run: RunWriter<BlockNames>): void {
    const { columns, count } = this.#rows;
    const names = this.relations.filter((_, number) => this.#names[number] === 1);
    let next = 0;
    this.#names.forEach((used, number) => {
      if (used) this.#names[number] = next++;
    });
    const numbers = [...this.#strings.keys()].sort((a, b) => a - b);
    numbers.forEach((word, i) => {
      this.#strings.set(word, this.headCount + i);
    });
    const [, relations, words] = columns;
    for (let i = 0; i < count; i++) {
      relations[i] = this.#names[relations[i]];
      if (words[i] >= this.headCount) words[i] = this.#strings.get(words[i] - this.headCount)!;
    }
    const block = sorted(
      columns.map((column) => column.subarray(0, count)),
      count,
    );
    const strings = numbers.map((word) => this.words.words[word].toString());
    run.add(block.columns, block.count, { names, strings });
    this.#rows.count = 0;
    this.#names.fill(0);
    this.#strings.clear();
  }
}

/** A column from its beginning on. */
class ColumnCursor {
  readonly #buffer: Uint32Array;
  #at = 0;
  #filled = 0;
  #read = 0;

  constructor(readonly column: Column) {
    this.#buffer = new Uint32Array(Math.min(1 << 16, column.count));
  }

  get left(): number {
    return this.column.count - this.#read + this.#filled - this.#at;
  }

  next(): number {
    if (this.#at === this.#filled) {
      this.#filled = Math.min(this.#buffer.length, this.column.count - this.#read);
      this.column.read(this.#read, this.#filled, this.#buffer.subarray(0, this.#filled));
      this.#read += this.#filled;
      this.#at = 0;
    }
    return this.#buffer[this.#at++];
  }
}
