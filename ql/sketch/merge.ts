/**
 * Merges the runs of all tasks into the index (kind "sketch", version 2):
 *
 *   strings, ends         words in the order of their bytes, one behind the other; where each ends
 *   frequencies           how often each is the head of a token of the corpus
 *   weights               of each: the sum of the weights of its contexts (weigh.ts)
 *   heads                 for each word, and one more: its first slice
 *   slice.relation        a slice is a head and a relation; in order
 *   slice.triples, .rows  for each slice, and one more: its first triple, its first occurrence
 *   triple.word, .count   the collocate, and how often
 *   triple.first          the position of the head in the first occurrence
 *   gaps                  of all other occurrences: how far behind the one before
 *   distances             of each occurrence: where the collocate is, from the head (0, -1, 1, -2, 2 …)
 *   back.heads, back.slice.*, back.triple.word, .count      the same by collocate, relation, head
 *   back.first, back.gaps  of each slice: where its heads stand, whichever they are
 *   meta                  {info, orders}: orders are the places in the grammar by which relations are numbered
 *
 * First words and relations are numbered. Then threads sort portions of rows (stretch.ts), make pieces of the index of them (pieces.ts),
 * and put the same rows away the other way round; these are sorted in portions as well. In the end the pieces are packed, one
 * column after the other (columns.ts).
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeColumnOf } from "../../storage/column/writer.js";
import { FileWriter } from "../../storage/file/writer.js";
import { DugongError, sketchVersion } from "../../storage/index.js";
import { Arena } from "../../storage/kernels/arena.js";
import { relationCounts, writeDirection } from "./columns.js";
import type { Crew } from "./crew.js";
import type { SketchGrammar } from "./grammar.js";
import type { HeadList } from "./heads.js";
import { limits } from "./limits.js";
import type { PieceSizes } from "./pieces.js";
import type { RelationInfo, SketchInfo } from "./reader.js";
import { type BlockRecord, OpenRun } from "./rows.js";
import { eachPart, portionsOf, type RowSource, type SourceBlock } from "./stretch.js";
import { type BlockNames, rowWidth } from "./task.js";
import { frequentCount, weighHeads } from "./weigh.js";
import type { WorkOrder, WorkResult } from "./workplace.js";

/** What a file says of itself; which snapshot it is asked of, the catalogue says. */
export type StoredInfo = Omit<SketchInfo, "snapshot">;

export interface MergeOptions {
  /** Where the index is written, and what is needed until then. */
  path: string;
  folder: string;
  runs: string[];
  heads: HeadList;
  grammar: SketchGrammar;
  info: Omit<StoredInfo, "relations" | "triples" | "occurrences" | "frequentCount">;
  crew: Crew<WorkOrder, WorkResult>;
  rowsMax?: number;
  /** How much of it is done. */
  onProgress?: (fraction: number) => void;
}

type NamedBlock = Omit<SourceBlock, keyof BlockNames> & BlockNames;

export async function mergeRuns(
  options: MergeOptions,
): Promise<{ bytes: number; triples: number; occurrences: number; relations: number }> {
  const { folder, heads, grammar, crew, rowsMax = limits.mergeRowsMax, onProgress = () => {} } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const blocks: NamedBlock[] = options.runs.flatMap((path) => blocksOf<BlockNames>(path));
  const words = numberWords(blocks, heads.strings);
  const names = numberRelations(blocks);
  const relations = names.list.length;
  const source: RowSource = {
    width: rowWidth,
    positionColumn: 3,
    ofHead: words.ofHead,
    strings: words.ofString,
    blocks: blocks.map(({ path, at, count, names: own }, i) => ({
      ...{ path, at, count, strings: words.begins[i] },
      names: own.map(({ name }) => names.numbers.get(name)!),
    })),
  };
  onProgress(0.05);
  const pieces = async (kind: "forward" | "backward", own: RowSource, weights: Uint32Array) => {
    await crew.everywhere({ kind: "source", source: own });
    const portions = [...portionsOf(own, weights, relations, rowsMax)];
    const [from, share] = kind === "forward" ? [0.05, 0.5] : [0.55, 0.3];
    let done = 0;
    const sizes = await crew.run(
      portions.map((portion, i) => ({
        ...{ kind, portion, words: words.list.length },
        path: join(folder, `${kind}.${i}`),
      })),
      () => onProgress(from + (share * ++done) / portions.length),
    );
    return sizes as PieceSizes[];
  };
  const forward = await pieces("forward", source, words.weights);
  const occurrences = forward.reduce((sum, { rows }) => sum + rows, 0);
  if (occurrences >= 2 ** 32)
    throw new DugongError(
      "sketches_too_large",
      `these sketches have ${occurrences} occurrences; an index has fewer than 2^32`,
      "Leave out some relations, or compute sketches of a part of the corpus.",
    );
  const back: RowSource = {
    ...{ width: 4, positionColumn: 2 },
    blocks: forward.flatMap(({ path }) => blocksOf<object>(`${path}.back`)),
  };
  const backWeights = new Uint32Array(words.list.length);
  for (const block of back.blocks)
    eachPart(block, 0, (values) => {
      for (let i = 0; i < values.length; i++) backWeights[values[i]]++;
    });
  const backward = await pieces("backward", back, backWeights);
  const frequencies = new Uint32Array(words.list.length);
  for (let i = 0; i < heads.strings.length; i++) {
    const own = words.ofHead[i];
    if (own < words.list.length && words.list[own] === heads.strings[i]) frequencies[own] = heads.counts[i];
  }
  const file = new FileWriter(options.path, "sketch", sketchVersion);
  try {
    const counts = relationCounts(forward, relations);
    const triples = forward.reduce((sum, piece) => sum + piece.triples, 0);
    const info: StoredInfo = {
      ...options.info,
      triples,
      occurrences,
      frequentCount: frequentCount(forward, words.list.length),
      relations: names.list.map((one, number) =>
        relationInfo(grammar, one, number, counts[number], names.numbers),
      ),
    };
    file.meta.info = info;
    file.meta.orders = names.list.map(({ order }) => order);
    const arena = new Arena();
    writeWords(file, arena, words.list);
    writeColumnOf(file, arena, "frequencies", frequencies);
    const isUnary = info.relations.map(({ kind }) => kind === "unary");
    const weights = await weighHeads(forward, backward, words.list.length, isUnary);
    writeColumnOf(file, arena, "weights", weights);
    onProgress(0.9);
    writeDirection(file, arena, "", forward, words.list.length);
    onProgress(0.95);
    writeDirection(file, arena, "back.", backward, words.list.length);
    const bytes = await file.finish();
    return { bytes, triples, occurrences, relations };
  } catch (error) {
    file.abandon();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function blocksOf<Meta extends object>(path: string): (BlockRecord<Meta> & { path: string })[] {
  const run = new OpenRun(path);
  try {
    return run.blocks<Meta>().map((block) => ({ ...block, path }));
  } finally {
    run.close();
  }
}

function writeWords(file: FileWriter, arena: Arena, words: string[]): void {
  const ends = new Uint32Array(words.length);
  let end = 0;
  file.section("strings");
  for (let from = 0; from < words.length; from += 4096) {
    const parts = words.slice(from, from + 4096).map((word, i) => {
      const bytes = Buffer.from(word);
      end += bytes.length;
      ends[from + i] = end;
      return bytes;
    });
    file.write(Buffer.concat(parts));
  }
  writeColumnOf(file, arena, "ends", ends, { ordered: true });
}

function sharedIntegers(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(count * 4));
}

/** All strings that occur as heads or collocates, what the blocks' numbers come to, and how many rows each word has as head. */
function numberWords(blocks: NamedBlock[], heads: string[]) {
  const rows = new Uint32Array(heads.length);
  const used = new Uint8Array(heads.length);
  const numbers = new Map<string, number>();
  for (const block of blocks) {
    eachPart(block, 0, (values) => {
      for (let i = 0; i < values.length; i++) rows[values[i]]++;
    });
    eachPart(block, 2, (values) => {
      for (let i = 0; i < values.length; i++) if (values[i] < heads.length) used[values[i]] = 1;
    });
    for (const text of block.strings) numbers.set(text, 0);
  }
  const extra = Array.from(numbers.keys(), (text) => Buffer.from(text)).sort(Buffer.compare);
  const list: string[] = [];
  const ofHead = sharedIntegers(heads.length);
  let next = 0;
  const addExtra = () => {
    const text = extra[next++].toString();
    numbers.set(text, list.push(text) - 1);
  };
  for (let i = 0; i < heads.length; i++) {
    if (!used[i] && rows[i] === 0) {
      ofHead[i] = list.length;
      continue;
    }
    const bytes = Buffer.from(heads[i]);
    while (next < extra.length && Buffer.compare(extra[next], bytes) < 0) addExtra();
    if (next < extra.length && extra[next].equals(bytes)) addExtra();
    else list.push(heads[i]);
    ofHead[i] = list.length - 1;
  }
  while (next < extra.length) addExtra();
  const ofString = sharedIntegers(blocks.reduce((sum, { strings }) => sum + strings.length, 0));
  let at = 0;
  const begins = blocks.map(({ strings }) => {
    const begin = at;
    for (const text of strings) ofString[at++] = numbers.get(text)!;
    return begin;
  });
  const weights = new Uint32Array(list.length);
  rows.forEach((count, head) => {
    if (count > 0) weights[ofHead[head]] = count;
  });
  return { list, ofHead, ofString, begins, weights };
}

/** Relations are told by their names, and numbered in the order of the grammar, then of the names' bytes. */
function numberRelations(blocks: NamedBlock[]) {
  const orders = new Map<string, number>();
  for (const { names } of blocks)
    for (const { order, name } of names) orders.set(name, Math.min(order, orders.get(name) ?? order));
  const list = [...orders]
    .map(([name, order]) => ({ name, order, bytes: Buffer.from(name) }))
    .sort((a, b) => a.order - b.order || Buffer.compare(a.bytes, b.bytes));
  return { list, numbers: new Map(list.map(({ name }, number) => [name, number])) };
}
function relationInfo(
  grammar: SketchGrammar,
  { name, order }: { name: string; order: number },
  number: number,
  count: number,
  numbers: Map<string, number>,
): RelationInfo {
  const { kind, isConstruction, page, ...relation } = grammar.relations[order >> 1];
  const isReverse = (order & 1) === 1;
  const other = isReverse ? relation.name : relation.reverse?.name;
  // Names of a family have their counterpart where it is filled in alike.
  const reverse =
    other === (isReverse ? relation.reverse?.name : relation.name)
      ? number
      : other === undefined
        ? undefined
        : numbers.get(other);
  const unimap = isReverse ? relation.reverseUnimap : relation.unimap;
  return {
    number,
    name,
    base: isReverse ? relation.reverse!.name : relation.name,
    kind,
    ...(reverse !== undefined && { reverse }),
    isReverse,
    ...(unimap !== undefined && { unimap }),
    ...(page !== undefined && { page }),
    isConstruction,
    count,
  };
}
