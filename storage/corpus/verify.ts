/**
 * Checks a corpus from the bytes up: every checksum, then every invariant that a reader relies on. Says what is
 * wrong and where; an empty list means that all is well.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StructureRecord } from "../catalog/manifest.js";
import { END } from "../cursor.js";
import { structureKey } from "../encode/config.js";
import { DugongError } from "../errors.js";
import { FileReader } from "../file/reader.js";
import { lexiconVersion, mapVersion, statisticsVersion } from "../lexicon/format.js";
import { compareBytes, StringWalk } from "../lexicon/generation.js";
import type { Lexicon } from "../lexicon/lexicon.js";
import { verifyParts } from "../parts/verify.js";
import { postingsVersion } from "../postings/writer.js";
import { glueVersion, streamVersion } from "../stream/format.js";
import { structureVersion } from "../structures/writer.js";
import type { Attribute } from "./attribute.js";
import type { Segment } from "./segment.js";
import type { Snapshot } from "./snapshot.js";

export interface VerifyOptions {
  /** Only checksums and sizes. */
  quick?: boolean;
  onProgress?: (done: number, total: number, what: string) => void;
}

export interface VerifyReport {
  corpus: string;
  files: number;
  bytes: number;
  problems: string[];
}

const versions: Record<string, [kind: string, version: number]> = {
  stream: ["stream", streamVersion],
  postings: ["postings", postingsVersion],
  structure: ["structure", structureVersion],
  bits: ["glue", glueVersion],
  lexicon: ["lexicon", lexiconVersion],
  statistics: ["statistics", statisticsVersion],
  map: ["map", mapVersion],
};
/** Problems of one kind after which no more are listed. */
const problemsMax = 100;

export function verifyCorpus(snapshot: Snapshot, options: VerifyOptions = {}): VerifyReport {
  const report: VerifyReport = { corpus: snapshot.citation, files: 0, bytes: 0, problems: [] };
  const say = (problem: string) => {
    if (report.problems.length < problemsMax) report.problems.push(problem);
  };
  const files = filesOf(snapshot);
  files.forEach(({ path, bytes }, i) => {
    report.files++;
    report.bytes += bytes;
    for (const problem of verifyFile(path, bytes)) say(problem);
    options.onProgress?.(i + 1, files.length, "checksums");
  });
  for (const { bytes, problems } of verifyParts(snapshot)) {
    report.files++;
    report.bytes += bytes;
    problems.forEach(say);
  }
  if (report.problems.length > 0 || options.quick) return report;
  const steps = [
    () => verifyManifest(snapshot, say),
    ...snapshot.attributes.map((attribute) => () => verifyAttribute(snapshot, attribute, say)),
    ...snapshot.attributes.flatMap(({ values }) =>
      values ? [() => verifyAttribute(snapshot, values, say)] : [],
    ),
    ...snapshot.structures.map((structure) => () => verifyStructure(snapshot, structure.name, say)),
  ];
  steps.forEach((step, i) => {
    try {
      step();
    } catch (error) {
      if (error instanceof DugongError && error.code === "too_many_files") throw error;
      else if (error instanceof DugongError) say(error.message);
      else say(`a check failed: ${(error as Error).message}`);
    }
    options.onProgress?.(i + 1, steps.length, "invariants");
  });
  return report;
}

function filesOf(snapshot: Snapshot): { path: string; bytes: number }[] {
  const { manifest, folder } = snapshot;
  const files: { path: string; bytes: number }[] = [];
  for (const segment of manifest.segments) {
    for (const { name, bytes } of segment.files)
      files.push({ path: join(folder, "segments", segment.id, name), bytes });
  }
  for (const record of Object.values(manifest.lexicons)) {
    for (const { file, bytes } of [...record.generations, record.statistics, ...(record.maps ?? [])]) {
      files.push({ path: join(folder, "lexicon", file), bytes });
    }
  }
  return files;
}

function verifyFile(path: string, bytes: number): string[] {
  const [kind, version] = versions[path.slice(path.lastIndexOf(".") + 1)] ?? ["", 0];
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) return [`${path} is missing`];
    if (size !== bytes) return [`${path} has ${size} bytes; the manifest says ${bytes}`];
    const file = FileReader.open(path, kind, version);
    try {
      return file.verify();
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof DugongError && error.code === "too_many_files") throw error;
    return [(error as Error).message];
  }
}

function verifyManifest(snapshot: Snapshot, say: (problem: string) => void): void {
  let start = 0;
  for (const segment of snapshot.segments) {
    if (segment.start !== start) say(`segment ${segment.id} starts at ${segment.start}, not at ${start}`);
    start += segment.tokens;
    const folder = readdirSync(segment.folder);
    for (const name of folder) {
      if (!segment.record.files.some((file) => file.name === name))
        say(`segment ${segment.id} has a file ${name} too many`);
    }
  }
  if (start !== snapshot.tokens)
    say(`the segments have ${start} tokens; the manifest says ${snapshot.tokens}`);
}

function verifyLexicon(name: string, lexicon: Lexicon, say: (problem: string) => void): void {
  let base = 0;
  for (const generation of lexicon.generations) {
    if (generation.base !== base)
      say(`a generation of lexicon ${name} begins at id ${generation.base}, not ${base}`);
    base += generation.count;
    const walk = new StringWalk(generation, 0);
    let before: Buffer | undefined;
    const seen = new Uint8Array(generation.count);
    for (let rank = 0; walk.next(); rank++) {
      if (before && compareBytes(walk.bytes, walk.length, before) <= 0)
        say(`lexicon ${name} is out of order at rank ${rank}`);
      before = Buffer.from(walk.bytes.subarray(0, walk.length));
      const id = generation.ids[rank];
      if (id >= generation.count || seen[id]) say(`lexicon ${name} gives id ${id} twice, or wrongly`);
      else if (generation.ranks[id] !== rank) say(`lexicon ${name} does not find id ${id} at its rank`);
      seen[id] = 1;
    }
  }
  if (base !== lexicon.size) say(`lexicon ${name} has ${base} strings; the manifest says ${lexicon.size}`);
  if (lexicon.frequencies.length !== lexicon.size) say(`statistics of ${name} do not cover its lexicon`);
}

function verifyAttribute(snapshot: Snapshot, attribute: Attribute, say: (problem: string) => void): void {
  const { name, lexicon } = attribute;
  verifyLexicon(name, lexicon, say);
  const frequency = new Float64Array(lexicon.size);
  for (const segment of snapshot.segments) {
    if (attribute.derived) {
      // Base counts are checked with the base: here only that the derived ones follow from them.
      const { ids, counts } = segment.postings(attribute.derived.base).all();
      ids.forEach((id, i) => {
        for (const derived of attribute.derived!.map.of(id)) frequency[derived] += counts[i];
      });
    } else verifyPostings(segment, attribute, frequency, say);
  }
  for (let id = 0; id < lexicon.size; id++) {
    if (frequency[id] !== lexicon.frequencies[id]) {
      say(
        `${name} ${JSON.stringify(lexicon.string(id))} occurs ${frequency[id]} times; its statistics say ${lexicon.frequencies[id]}`,
      );
    }
  }
}

function verifyPostings(
  segment: Segment,
  attribute: Attribute,
  frequency: Float64Array,
  say: (problem: string) => void,
): void {
  const where = `${attribute.name} of segment ${segment.id}`;
  const stream = segment.stream(attribute);
  if (stream.count !== segment.tokens)
    say(`the stream of ${where} has ${stream.count} tokens, not ${segment.tokens}`);
  const tokens = new Uint32Array(segment.tokens);
  stream.read(0, segment.tokens, tokens);
  const postings = segment.postings(attribute);
  const { ids, counts } = postings.all();
  const block = new Uint32Array(8192);
  let total = 0;
  ids.forEach((id, i) => {
    if (i > 0 && ids[i - 1] >= id) say(`the directory of ${where} is out of order at id ${id}`);
    if (id >= attribute.lexicon.size) {
      say(`${where} has an id ${id} that the lexicon does not have`);
      return;
    }
    frequency[id] += counts[i];
    total += counts[i];
    const cursor = postings.cursor(id);
    let count = 0;
    let last = -1;
    for (let got = cursor.fill(block); got > 0; got = cursor.fill(block)) {
      for (let k = 0; k < got; k++) {
        if (block[k] <= last || tokens[block[k]] !== id)
          say(`the list of id ${id} of ${where} is wrong at ${block[k]}`);
        last = block[k];
      }
      count += got;
    }
    if (count !== counts[i] || cursor.next() !== END)
      say(`the list of id ${id} of ${where} has ${count} positions, not ${counts[i]}`);
  });
  if (total !== segment.tokens)
    say(`the lists of ${where} have ${total} positions for ${segment.tokens} tokens`);
}

function verifyStructure(snapshot: Snapshot, name: string, say: (problem: string) => void): void {
  const structure = snapshot.structure(name);
  for (const segment of snapshot.segments) {
    const structures = segment.structures(name);
    if (!structures) continue;
    const where = `${name} of segment ${segment.id}`;
    const { carriedIn, carriedOut } = structures.meta;
    const stored = JSON.stringify({ count: structures.count, carriedIn, carriedOut });
    const { count, ...carried } = segment.structureRecord(name) as StructureRecord;
    if (stored !== JSON.stringify({ count, carriedIn: carried.carriedIn, carriedOut: carried.carriedOut }))
      say(`the manifest and the file disagree on the structures of ${where}`);
    const begins = new Uint32Array(structures.count);
    const ends = new Uint32Array(structures.count);
    structures.ranges(0, structures.count, begins, ends);
    const open: number[] = [];
    for (let i = 0; i < structures.count; i++) {
      if (ends[i] > segment.tokens || begins[i] > ends[i])
        say(`structure ${i} of ${where} is not inside its segment`);
      if (i > 0 && begins[i] < begins[i - 1])
        say(`structure ${i} of ${where} begins before the one before it`);
      while (open.length > 0 && (ends[open.at(-1)!] < ends[i] || ends[open.at(-1)!] <= begins[i])) open.pop();
      const parent = structures.parent(i);
      if (parent >= 0 && (parent >= i || begins[parent] > begins[i] || ends[parent] < ends[i])) {
        say(`structure ${i} of ${where} is not inside ${parent}, its parent`);
      }
      if (!structures.nested && (open.length > 0 || begins[i] === ends[i]))
        say(`structures of ${where} nest but have no parents`);
      open.push(i);
    }
    for (const { name: attribute, unique } of structure.attributes) {
      if (unique) continue;
      const lexicon = structure.lexicon(attribute) as Lexicon;
      const values = new Uint32Array(structures.count);
      structures.valueIds(attribute, 0, structures.count, values);
      const counts = new Map<number, number>();
      for (const value of values) {
        if (value > lexicon.size) say(`${where} has a value of ${attribute} that its lexicon does not have`);
        if (value > 0) counts.set(value - 1, (counts.get(value - 1) ?? 0) + 1);
      }
      for (const [id, count] of counts) {
        const cursor = structures.withValue(attribute, id);
        let found = 0;
        for (let index = cursor.next(); index !== END; index = cursor.next()) {
          if (values[index] !== id + 1)
            say(`the list of value ${id} of ${attribute} of ${where} is wrong at ${index}`);
          found++;
        }
        if (found !== count)
          say(`the list of value ${id} of ${attribute} of ${where} has ${found} structures, not ${count}`);
      }
    }
  }
  for (const { name: attribute, unique } of structure.attributes) {
    if (!unique) verifyLexicon(structureKey(name, attribute), structure.lexicon(attribute) as Lexicon, say);
  }
}
