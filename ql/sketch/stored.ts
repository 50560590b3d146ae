/** The index of computed sketches as it is asked: columns of one file (merge.ts has the format), read through the pool. */
import { dirname, join } from "node:path";
import { Column } from "../../storage/column/reader.js";
import { FileReader } from "../../storage/file/reader.js";
import {
  Catalog,
  findSketches,
  type SketchesRecord,
  type Snapshot,
  sketchVersion,
} from "../../storage/index.js";
import { PooledFile } from "../../storage/pool/pool.js";
import type { Occurrences, SketchInfo, SketchReader, SketchWords, Slice, WordCounts } from "./reader.js";

/** Which sketches a snapshot has by that name (without one: the usual ones, or the only ones), or an error that says what to type. */
export function recordOf(snapshot: Snapshot, name?: string): SketchesRecord {
  const catalog = Catalog.open(dirname(snapshot.folder));
  try {
    return findSketches(catalog, snapshot.corpus, snapshot.number, name);
  } finally {
    void catalog.close();
  }
}

/** The sketches of a snapshot, or an error that says what to type. They are good as long as the snapshot is open. */
export function openSketches(snapshot: Snapshot, name?: string): StoredSketches {
  return new StoredSketches(snapshot, join(snapshot.folder, "parts", recordOf(snapshot, name).file));
}

/** Where a number is among ascending ones, or −1. */
function placeOf(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number ? low : -1;
}

const nothing = () => new Uint32Array(0);

/** By head, or by collocate. */
type Side = "" | "back.";
type SideColumns = Record<"heads" | "relation" | "triples" | "rows", Column>;

export class StoredSketches implements SketchReader {
  readonly info: SketchInfo;
  readonly words: SketchWords;
  readonly #file: FileReader;
  readonly #pooled: PooledFile;
  readonly #columns = new Map<string, Column>();
  readonly #sides = new Map<Side, SideColumns>();

  constructor(
    readonly snapshot: Snapshot,
    readonly path: string,
  ) {
    this.#file = FileReader.open(path, "sketch", sketchVersion);
    this.#pooled = new PooledFile(this.#file);
    this.info = { ...(this.#file.contents.meta.info as SketchInfo), snapshot: snapshot.number };
    this.words = new Words(this.#file, this.#column("ends"));
  }

  #column(name: string): Column {
    let column = this.#columns.get(name);
    if (!column) {
      column = new Column(this.snapshot.pool, this.#pooled, name);
      this.#columns.set(name, column);
    }
    return column;
  }

  #read(name: string, from: number, to: number): Uint32Array {
    const values = new Uint32Array(to - from);
    if (to > from) this.#column(name).read(from, to - from, values);
    return values;
  }

  #isWord(word: number): boolean {
    return word >= 0 && word < this.words.count;
  }

  corpusCount(word: number): number {
    return this.#isWord(word) ? this.#column("frequencies").get(word) : 0;
  }

  headCount(word: number): number {
    if (!this.#isWord(word)) return 0;
    const [from, to] = this.#slicesOf("", word);
    const { rows } = this.#side("");
    return rows.get(to) - rows.get(from);
  }

  headCounts(): Uint32Array {
    const starts = this.#column("heads").toArray();
    const rows = this.#column("slice.rows").toArray();
    return Uint32Array.from(
      { length: this.words.count },
      (_, word) => rows[starts[word + 1]] - rows[starts[word]],
    );
  }

  /** Of each word: how many triples it is the collocate of. */
  triplesOfCollocates(): Uint32Array {
    const starts = this.#column("back.heads").toArray();
    const triples = this.#column("back.slice.triples").toArray();
    return Uint32Array.from(
      { length: this.words.count },
      (_, word) => triples[starts[word + 1]] - triples[starts[word]],
    );
  }

  weight(word: number): number {
    return this.#isWord(word) ? this.#column("weights").get(word) : 0;
  }

  #side(side: Side): SideColumns {
    let columns = this.#sides.get(side);
    if (!columns) {
      columns = {
        heads: this.#column(`${side}heads`),
        relation: this.#column(`${side}slice.relation`),
        triples: this.#column(`${side}slice.triples`),
        rows: this.#column(`${side}slice.rows`),
      };
      this.#sides.set(side, columns);
    }
    return columns;
  }

  #slicesOf(side: Side, word: number): [from: number, to: number] {
    if (!this.#isWord(word)) return [0, 0];
    const { heads } = this.#side(side);
    return [heads.get(word), heads.get(word + 1)];
  }

  #relationsOf(side: Side, word: number) {
    const [from, to] = this.#slicesOf(side, word);
    const relations = this.#read(`${side}slice.relation`, from, to);
    const rows = from === to ? nothing() : this.#read(`${side}slice.rows`, from, to + 1);
    return { relations, counts: relations.map((_, i) => rows[i + 1] - rows[i]) };
  }

  relationsOf(head: number) {
    return this.#relationsOf("", head);
  }

  relationsOfCollocate(collocate: number) {
    return this.#relationsOf("back.", collocate);
  }

  /** The number of a slice, or −1. */
  #slice(side: Side, word: number, relation: number): number {
    const [from, to] = this.#slicesOf(side, word);
    const column = this.#side(side).relation;
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (column.get(middle) < relation) low = middle + 1;
      else high = middle;
    }
    return low < to && column.get(low) === relation ? low : -1;
  }

  #wordsOf(side: Side, slice: number): WordCounts {
    if (slice < 0) return { words: nothing(), counts: nothing() };
    const { triples } = this.#side(side);
    const [from, to] = [triples.get(slice), triples.get(slice + 1)];
    return {
      words: this.#read(`${side}triple.word`, from, to),
      counts: this.#read(`${side}triple.count`, from, to),
    };
  }

  collocatesOf(head: number, relation: number): WordCounts {
    return this.#wordsOf("", this.#slice("", head, relation));
  }

  headsOf(collocate: number, relation: number): WordCounts {
    return this.#wordsOf("back.", this.#slice("back.", collocate, relation));
  }

  #countOf(side: Side, word: number, relation: number): number {
    const slice = this.#slice(side, word, relation);
    if (slice < 0) return 0;
    const { rows } = this.#side(side);
    return rows.get(slice + 1) - rows.get(slice);
  }

  countOfHead(head: number, relation: number): number {
    return this.#countOf("", head, relation);
  }

  countOfCollocate(relation: number, collocate: number): number {
    return this.#countOf("back.", collocate, relation);
  }

  countsOfCollocates(relation: number, collocates: ArrayLike<number>): Uint32Array {
    return Uint32Array.from(collocates, (collocate) => this.countOfCollocate(relation, collocate));
  }

  contextsOf(relation: number, collocates: ArrayLike<number>): { counts: Uint32Array; heads: Uint32Array } {
    const { rows, triples } = this.#side("back.");
    const counts = new Uint32Array(collocates.length);
    const heads = new Uint32Array(collocates.length);
    for (let i = 0; i < collocates.length; i++) {
      const slice = this.#slice("back.", collocates[i], relation);
      if (slice < 0) continue;
      counts[i] = rows.get(slice + 1) - rows.get(slice);
      heads[i] = triples.get(slice + 1) - triples.get(slice);
    }
    return { counts, heads };
  }

  count(head: number, relation: number, collocate: number): number {
    return this.#triple(head, relation, collocate)?.count ?? 0;
  }

  /** Its number, its count, and the number of its first occurrence. */
  #triple(head: number, relation: number, collocate: number) {
    const slice = this.#slice("", head, relation);
    if (slice < 0) return undefined;
    const from = this.#column("slice.triples").get(slice);
    const to = this.#column("slice.triples").get(slice + 1);
    const words = this.#column("triple.word");
    const at = words.upperBound(collocate, from, to) - 1;
    if (at < from || words.get(at) !== collocate) return undefined;
    const counts = this.#read("triple.count", from, at + 1);
    let row = this.#column("slice.rows").get(slice);
    for (let i = 0; i < counts.length - 1; i++) row += counts[i];
    return { number: at, count: counts[counts.length - 1], row };
  }

  positionsOf(head: number, relation: number, collocate: number): Occurrences {
    const triple = this.#triple(head, relation, collocate);
    if (!triple) return { positions: nothing(), collocates: nothing() };
    return this.#occurrences(triple.number, triple.row, Uint32Array.of(triple.count));
  }

  positionsOfEach(head: number, relation: number, collocates: ArrayLike<number>): Occurrences[] {
    const slice = this.#slice("", head, relation);
    const { words, counts } = this.#wordsOf("", slice);
    if (slice < 0) return Array.from(collocates, () => ({ positions: nothing(), collocates: nothing() }));
    const first = this.#column("slice.triples").get(slice);
    const rows = new Float64Array(words.length);
    let row = this.#column("slice.rows").get(slice);
    for (let i = 0; i < words.length; i++) {
      rows[i] = row;
      row += counts[i];
    }
    return Array.from(collocates, (collocate) => {
      const at = placeOf(words, collocate);
      if (at < 0) return { positions: nothing(), collocates: nothing() };
      return this.#occurrences(first + at, rows[at], counts.subarray(at, at + 1));
    });
  }

  occurrencesOf(head: number, relation: number): WordCounts & Occurrences {
    const slice = this.#slice("", head, relation);
    const own = this.#wordsOf("", slice);
    if (slice < 0) return { ...own, positions: nothing(), collocates: nothing() };
    const triple = this.#column("slice.triples").get(slice);
    const row = this.#column("slice.rows").get(slice);
    return { ...own, ...this.#occurrences(triple, row, own.counts) };
  }

  /** Of triples in a row, from one on. */
  #occurrences(triple: number, row: number, counts: Uint32Array): Occurrences {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const firsts = this.#read("triple.first", triple, triple + counts.length);
    // Each triple's first occurrence has no gap.
    const gaps = this.#read("gaps", row - triple, row - triple + total - counts.length);
    const distances = this.#read("distances", row, row + total);
    const positions = new Uint32Array(total);
    const collocates = new Uint32Array(total);
    let at = 0;
    let gap = 0;
    for (let t = 0; t < counts.length; t++) {
      let position = firsts[t];
      for (let i = 0; i < counts[t]; i++, at++) {
        if (i > 0) position += gaps[gap++];
        positions[at] = position;
        const distance = distances[at];
        collocates[at] = position + ((distance & 1) === 1 ? -((distance + 1) / 2) : distance / 2);
      }
    }
    return { positions, collocates };
  }

  positionsOfHeads(collocate: number, relation: number): Uint32Array {
    const slice = this.#slice("back.", collocate, relation);
    if (slice < 0) return nothing();
    const rows = this.#column("back.slice.rows");
    const [from, to] = [rows.get(slice), rows.get(slice + 1)];
    const gaps = this.#read("back.gaps", from - slice, to - slice - 1);
    const positions = new Uint32Array(to - from);
    positions[0] = this.#column("back.first").get(slice);
    for (let i = 1; i < positions.length; i++) positions[i] = positions[i - 1] + gaps[i - 1];
    return positions;
  }

  slices(from?: number, to?: number): Iterable<Slice> {
    return this.#slices("", from, to);
  }

  contexts(from?: number, to?: number): Iterable<Slice> {
    return this.#slices("back.", from, to);
  }

  *#slices(side: Side, from = 0, to = this.words.count): Generator<Slice> {
    for (let head = from; head < Math.min(to, this.words.count); head++) {
      const [first, last] = this.#slicesOf(side, head);
      const relations = this.#read(`${side}slice.relation`, first, last);
      for (let slice = first; slice < last; slice++)
        yield { head, relation: relations[slice - first], ...this.#wordsOf(side, slice) };
    }
  }

  close(): void {
    this.#file.close();
  }
}

class Words implements SketchWords {
  readonly count: number;
  #loaded: { strings: Buffer; ends: Uint32Array } | undefined;

  constructor(
    readonly file: FileReader,
    readonly column: Column,
  ) {
    this.count = column.count;
  }

  get #strings() {
    this.#loaded ??= { strings: this.file.read("strings"), ends: this.column.toArray() };
    return this.#loaded;
  }

  #bytes(id: number): Buffer {
    const { strings, ends } = this.#strings;
    return strings.subarray(id === 0 ? 0 : ends[id - 1], ends[id]);
  }

  /** The first word that is not before some bytes. */
  #lowerBound(bytes: Uint8Array): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#bytes(middle), bytes) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  id(text: string): number | undefined {
    const bytes = Buffer.from(text);
    const id = this.#lowerBound(bytes);
    return id < this.count && this.#bytes(id).equals(bytes) ? id : undefined;
  }

  text(id: number): string {
    return id >= 0 && id < this.count ? this.#bytes(id).toString() : "";
  }

  withPrefix(text: string): [from: number, to: number] {
    const bytes = Buffer.from(text);
    let to = this.#lowerBound(bytes);
    const from = to;
    let high = this.count;
    while (to < high) {
      const middle = (to + high) >>> 1;
      if (this.#bytes(middle).subarray(0, bytes.length).equals(bytes)) to = middle + 1;
      else high = middle;
    }
    return [from, to];
  }
}
