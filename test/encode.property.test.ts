/**
 * Random corpora: whatever can be asked of what was encoded (in any number of segments, by any number of workers,
 * appended to, compacted) is what the naive model says.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "../storage/built.js";
import type { Column } from "../storage/column/reader.js";
import {
  type Attribute,
  type Automaton,
  appendToCorpus,
  compactCorpus,
  dumpCorpus,
  END,
  type EncodeOptions,
  encodeCorpus,
  type Lexicon,
  openCorpus,
  Pool,
  type PositionCursor,
  type Segment,
  type Snapshot,
  type Structure,
  verifyCorpus,
  type Warning,
} from "../storage/index.js";
import { type Corpus, type Range, type Reading, readVertical, type TextFile } from "./reference/corpus.js";

const pool = Pool.create(8 << 20);
let folder = "";
let serial = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dugong-property-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers that look random and depend on a seed alone. */
function randomFrom(seed: number) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (count: number) => Math.floor(next() * count) };
}
type Random = ReturnType<typeof randomFrom>;

// ---------------------------------------------------------------------------------------- random corpora

const oddStrings = [
  ..."aAbzÉéſßİıΣς0&<>\"'=/|;",
  "",
  "e\u0301",
  "😀",
  "𝒳y",
  "ﬁ",
  "<3>",
  "< b >",
  "<a",
  "<a b>",
  "</>",
  "&amp;",
  "&lt;b&gt;",
  "&#9;",
  "&#x1F600;",
  "&nbsp;",
  "ab",
  "abc",
  "abcdefgh",
  "abcdefghi",
  "-5",
  "+3.50",
  "1999",
  "01999",
  "a|b",
  "|",
  "a||b|a",
  "b|",
  "\u0001x",
  "\u0000",
  "\u00a0",
  "\ufffd",
  "x".repeat(300),
  `${"x".repeat(300)}y`,
];
const oddString = fc.constantFrom(...oddStrings);
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => (code >= 0xd800 && code < 0xe000 ? "x" : String.fromCodePoint(code)));
const anyString = fc
  .string({ unit: anyCharacter, maxLength: 6 })
  .map((string) => string.replace(/[\t\r\n\uFEFF]/g, ""));
const manyStrings = fc.integer({ min: 0, max: 100_000 }).map((number) => `w${number}`);

const tokenValue = fc.oneof(
  { weight: 6, arbitrary: oddString },
  { weight: 1, arbitrary: anyString },
  { weight: 3, arbitrary: manyStrings },
);
const tokenLine = fc.array(tokenValue, { minLength: 1, maxLength: 5 }).map((columns) => columns.join("\t"));

const names = ["doc", "p", "s", "x"];
const attributeValue = fc.oneof(
  oddString.filter((string) => !string.includes('"')),
  fc.constantFrom("a;b", ";", "a;;a", "1", "-2.5", "10", "9"),
);
const attributeText = fc
  .tuple(fc.constantFrom("id", "year", "topic", "url"), attributeValue, fc.constantFrom('"', "'", ""))
  .map(([attribute, value, quote]) => {
    const plain = quote === "" && /^[^\s'"<>/]+$/.test(value);
    const mark = plain ? "" : value.includes("'") ? '"' : quote || '"';
    return `${attribute}=${mark}${value}${mark}`;
  });
const openTag = fc
  .tuple(
    fc.constantFrom(...names),
    fc.array(attributeText, { maxLength: 3 }),
    fc.constantFrom(">", "/>", " >", " />"),
  )
  .map(([tagName, attributes, end]) => `<${[tagName, ...attributes].join(" ")}${end}`);
const startTag = fc.constantFrom(...names).map((tagName) => `<${tagName}>`);
const endTag = fc.constantFrom(...names).map((tagName) => `</${tagName}>`);
const oddLine = fc.constantFrom(
  "",
  "<!-- a -->",
  "<?xml?>",
  "<!DOCTYPE x>",
  "<g/>",
  "<g/>",
  "<g />",
  "<g a=b/>",
  "</g>",
);

const line = fc.oneof(
  { weight: 12, arbitrary: tokenLine },
  { weight: 3, arbitrary: openTag },
  { weight: 3, arbitrary: startTag },
  { weight: 5, arbitrary: endTag },
  { weight: 2, arbitrary: oddLine },
);

interface RandomFile {
  text: string;
  compressed: boolean;
}
const randomFile: fc.Arbitrary<RandomFile> = fc
  .record({
    lines: fc.array(line, { maxLength: 60, size: "max" }),
    repeat: fc.constantFrom(1, 1, 1, 1, 12),
    newline: fc.constantFrom("\n", "\n", "\n", "\r\n"),
    finalNewline: fc.boolean(),
    mark: fc.constantFrom("", "", "", "\uFEFF"),
    compressed: fc.boolean(),
  })
  .map(({ lines, repeat, newline, finalNewline, mark, compressed }) => {
    const all = Array.from({ length: repeat }, () => lines).flat();
    return { text: mark + all.join(newline) + (finalNewline && all.length > 0 ? newline : ""), compressed };
  });

/** Text in which everything is closed and nothing overlaps. */
const { nodes } = fc.letrec<{ node: string[]; nodes: string[] }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: tokenLine.map((token) => [token]) },
    { weight: 1, arbitrary: tokenLine.map((token) => ["<g/>", token]) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom("p", "s", "x"), fc.array(attributeText, { maxLength: 2 }), tie("nodes"))
        .map(([tagName, attributes, inside]) => [
          `<${[tagName, ...attributes].join(" ")}>`,
          ...inside,
          `</${tagName}>`,
        ]),
    },
  ),
  nodes: fc.array(tie("node"), { maxLength: 10 }).map((inside) => inside.flat()),
}));
const wellFormedFile: fc.Arbitrary<RandomFile> = fc
  .tuple(fc.array(fc.tuple(fc.array(attributeText, { maxLength: 2 }), nodes), { maxLength: 5 }), fc.boolean())
  .map(([documents, compressed]) => {
    const lines = documents.flatMap(([attributes, inside]) => [
      `<${["doc", ...attributes].join(" ")}>`,
      ...inside,
      "</doc>",
    ]);
    return { text: ["<corpus>", ...lines, "</corpus>", ""].join("\n"), compressed };
  });

interface RandomCorpus {
  files: RandomFile[];
  appends: { files: RandomFile[]; workers: number; compact: boolean }[];
  attributes: number;
  document: string | undefined;
  entities: boolean;
  /** About how many segments the files are to make; 0: one byte of text each. */
  segments: number;
  workers: number;
  compact: boolean;
  seed: number;
}

const randomFiles = fc.array(randomFile, { minLength: 1, maxLength: 3 });
const workers = fc.integer({ min: 1, max: 4 });
const randomCorpus: fc.Arbitrary<RandomCorpus> = fc.record({
  files: randomFiles,
  appends: fc.array(fc.record({ files: randomFiles, workers, compact: fc.boolean() }), { maxLength: 2 }),
  attributes: fc.integer({ min: 1, max: 4 }),
  document: fc.constantFrom(undefined, "", "doc", "p"),
  entities: fc.boolean(),
  segments: fc.constantFrom(1, 0, 2, 3, 5, 8),
  workers,
  compact: fc.boolean(),
  seed: fc.integer(),
});

const attributeNames = ["word", "feats", "tag", "lemma"];

function optionsOf(corpus: RandomCorpus) {
  const attributes = attributeNames.slice(0, corpus.attributes);
  const bytes = corpus.files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const segmentBytes =
    corpus.segments === 1
      ? undefined
      : corpus.segments === 0 && bytes < 200
        ? 1
        : Math.ceil((bytes + 1) / (corpus.segments || 8));
  return {
    attributes,
    multivalue: { "doc.topic": ";", ...(attributes.includes("feats") ? { feats: "|" } : {}) },
    unique: ["doc.url", "s.url"],
    derive: ["lc", "fold"],
    document: corpus.document,
    entities: corpus.entities,
    segmentBytes,
    workers: corpus.workers,
  } satisfies Partial<EncodeOptions>;
}

/** Writes files and returns their paths, and the files as the model reads them. */
function writeFiles(
  where: string,
  files: RandomFile[],
  compressed?: boolean,
): { inputs: string[]; read: TextFile[] } {
  const read = files.map(({ text, compressed: own }, i) => {
    const path = join(where, `${serial++}-${i}.vert`);
    writeFileSync(path, (compressed ?? own) ? gzipSync(text) : text);
    return { name: path, text };
  });
  return { inputs: read.map(({ name }) => name), read };
}

// ---------------------------------------------------------------------------------------- checks

/** As expect(…).toEqual(…), but quick when all is well, which is a million times. */
function same(actual: unknown, wanted: unknown): void {
  if (actual !== wanted && !isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted);
}

/** How the model's answers to whole-corpus questions are found: by looking everywhere. */
class Model {
  constructor(
    readonly corpus: Corpus,
    readonly reading: Reading,
  ) {}

  get size(): number {
    return this.corpus.glue.length;
  }

  ranges(name: string): Range[] {
    return this.corpus.structures.get(name) ?? [];
  }

  documents(): Range[] {
    return this.reading.document === null ? [] : this.ranges(this.reading.document);
  }
}

/** For each string its positions. A token may have several strings, or none. */
function positionsOf(tokens: string[][]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  tokens.forEach((strings, position) => {
    for (const string of new Set(strings)) {
      const list = positions.get(string);
      if (list) list.push(position);
      else positions.set(string, [position]);
    }
  });
  return positions;
}

function splitValues(value: string, separator: string): string[] {
  return value.includes(separator) ? value.split(separator).filter((part) => part !== "") : [value];
}

function fold(value: string): string {
  return value
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .normalize("NFC");
}

const compareBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function checkLexicon(lexicon: Lexicon, frequencies: Map<string, number>, random: Random): void {
  const strings = [...frequencies.keys()];
  const sorted = [...strings].sort(compareBytes);
  same(lexicon.size, strings.length);
  const inOrder: string[] = [];
  for (const { id, bytes } of lexicon.inOrder()) {
    inOrder.push(Buffer.from(bytes).toString());
    same(lexicon.string(id), inOrder.at(-1));
  }
  same(inOrder, sorted);
  const ids = new Set<number>();
  for (const string of strings) {
    const id = lexicon.find(string);
    same(lexicon.string(id), string);
    same(lexicon.frequency(id), frequencies.get(string));
    ids.add(id);
  }
  same(ids.size, strings.length);
  same(
    [...lexicon.order.idOfRank].map((id) => lexicon.string(id)),
    sorted,
  );
  same(
    [...lexicon.order.idOfRank].map((id) => lexicon.order.rankOfId[id]),
    [...sorted.keys()],
  );
  for (const absent of [
    "absent",
    "\u{10ffff}",
    "a\u0000",
    ...sorted.map((string) => `${string}~`).slice(0, 20),
  ]) {
    if (!frequencies.has(absent)) same(lexicon.find(absent), -1);
  }
  const stringsOf = (found: Uint32Array) => [...found].map((id) => lexicon.string(id)).sort(compareBytes);
  const prefixes = ["", "a", "abcdefgh", "😀", "w1", "\u{10ffff}"];
  for (let i = 0; i < 3 && strings.length > 0; i++) {
    const string = [...strings[random.below(strings.length)]];
    prefixes.push(string.slice(0, random.below(string.length + 1)).join(""));
  }
  for (const prefix of prefixes) {
    const wanted = sorted.filter((string) => string.startsWith(prefix));
    const found = lexicon.idsWithPrefix(prefix);
    same(stringsOf(found), wanted);
    same(
      [...found],
      [...found].sort((a, b) => a - b),
    );
    same(stringsOf(lexicon.idsMatching(beginsWith(prefix))), wanted);
    same(stringsOf(lexicon.idsMatching(equals(prefix))), frequencies.has(prefix) ? [prefix] : []);
  }
  for (const byte of [0x61, 0x31, 0xc3, 0xf0]) {
    const wanted = sorted.filter((string) => Buffer.from(string).includes(byte));
    same(stringsOf(lexicon.idsMatching(containsByte(byte))), wanted);
  }
  const numeric = (string: string) => (/^[+-]?\d+(\.\d+)?$/.test(string) ? Number(string) : Number.NaN);
  for (const [low, high] of [
    [-10, 2],
    [3, 2000],
    [9, 10],
    [5, 4],
  ]) {
    const found = [...lexicon.idsBetween(low, high)].map((id) => lexicon.string(id));
    const wanted = sorted.filter((string) => numeric(string) >= low && numeric(string) <= high);
    same([...found].sort(compareBytes), wanted);
    same(
      found.map(numeric),
      found.map(numeric).sort((a, b) => a - b),
    );
  }
}

function beginsWith(prefix: string): Automaton {
  const bytes = Buffer.from(prefix);
  return {
    start: 0,
    dead: -1,
    step: (state, byte) => (state === bytes.length ? state : bytes[state] === byte ? state + 1 : -1),
    accepts: (state) => state === bytes.length,
  };
}

function equals(string: string): Automaton {
  const bytes = Buffer.from(string);
  return {
    start: 0,
    dead: -1,
    step: (state, byte) => (bytes[state] === byte && state < bytes.length ? state + 1 : -1),
    accepts: (state) => state === bytes.length,
  };
}

function containsByte(wanted: number): Automaton {
  return {
    start: 0,
    dead: -1,
    step: (state, byte) => (byte === wanted ? 1 : state),
    accepts: (state) => state === 1,
  };
}

/** The law of cursors, under a random sequence of calls. */
function checkCursor(
  make: () => PositionCursor,
  positions: number[],
  universe: number,
  random: Random,
): void {
  if (positions.length === 0) {
    const cursor = make();
    same(
      [cursor.next(), cursor.seek(0), cursor.fill(new Uint32Array(1)), cursor.remaining],
      [END, END, 0, 0],
    );
    same(cursor.position, END);
    return;
  }
  const cursor = make();
  same(cursor.position, -1);
  same(cursor.remaining >= positions.length, true);
  /** Index of the position that the cursor stands at. */
  let at = -1;
  const expectPlace = (returned: number) => {
    const wanted = at < positions.length ? positions[at] : END;
    same(returned, wanted);
    same(cursor.position, wanted);
  };
  for (let step = 0; step < 8 || at < positions.length; step++) {
    const choice = step > 400 ? 2 : random.below(3);
    if (choice === 0) {
      at = Math.min(at + 1, positions.length);
      expectPlace(cursor.next());
    } else if (choice === 1) {
      const near = at < 0 ? 0 : at < positions.length ? positions[at] : universe;
      const far = random.below(4) === 0 ? universe + 2 : random.below(2) === 0 ? 3 : 300;
      const target = Math.max(0, near - 2 + random.below(far));
      if (at < 0) at = 0;
      while (at < positions.length && positions[at] < target) at++;
      expectPlace(cursor.seek(target));
    } else {
      const size = step > 400 ? 5000 : 1 + random.below(random.below(2) === 0 ? 5 : 700);
      const lent = random.below(3) === 0 ? pool.lend(size) : undefined;
      const out = lent ?? new Uint32Array(size);
      const wanted = positions.slice(at + 1, at + 1 + size);
      same(cursor.fill(out), wanted.length);
      same([...out.subarray(0, wanted.length)], wanted);
      at = wanted.length === 0 ? positions.length : at + wanted.length;
      same(cursor.position, at < positions.length ? positions[at] : END);
      if (lent) pool.restore(lent);
    }
    same(cursor.remaining >= positions.length - 1 - at, true);
    same(cursor.cost >= 0, true);
    if (at >= positions.length) same(cursor.remaining, 0);
  }
}

/** One attribute: `tokens` has the strings of each token, which is one unless these are single values. */
function checkAttribute(
  snapshot: Snapshot,
  attribute: Attribute,
  tokens: string[][],
  documents: Range[],
  random: Random,
  hasStream = true,
): void {
  const { lexicon } = attribute;
  const positions = positionsOf(tokens);
  checkLexicon(lexicon, new Map([...positions].map(([string, list]) => [string, list.length])), random);
  for (const [string, list] of positions) {
    const inDocuments = documents.filter(({ begin, end }) =>
      list.some((at) => at >= begin && at < end),
    ).length;
    same([string, lexicon.documentFrequency(lexicon.find(string))], [string, inDocuments]);
  }
  if (hasStream) checkStream(snapshot, attribute, tokens, random);
  for (const segment of snapshot.segments) {
    const end = segment.start + segment.tokens;
    const local = positionsOf(tokens.slice(segment.start, end));
    const strings = [...local.keys()];
    for (const string of strings.filter((_, i) => i < 4 || random.below(strings.length) < 10)) {
      const id = lexicon.find(string);
      const wanted = local.get(string) as number[];
      same(segment.count(attribute, id), wanted.length);
      checkCursor(() => segment.positions(attribute, id), wanted, segment.tokens, random);
    }
    const other = [...positions.keys()].find((string) => !local.has(string));
    if (other !== undefined) {
      same(segment.count(attribute, lexicon.find(other)), 0);
      checkCursor(() => segment.positions(attribute, lexicon.find(other)), [], segment.tokens, random);
    }
    const some = [...positions.keys()].filter(() => random.below(3) === 0);
    const union = [...new Set(some.flatMap((string) => local.get(string) ?? []))].sort((a, b) => a - b);
    const ids = some.map((string) => lexicon.find(string));
    checkCursor(() => segment.positionsOfAny(attribute, ids), union, segment.tokens, random);
  }
}

function checkStream(snapshot: Snapshot, attribute: Attribute, tokens: string[][], random: Random): void {
  const size = tokens.length;
  const ids = Uint32Array.from(tokens, ([string]) => attribute.lexicon.find(string));
  for (const segment of snapshot.segments) {
    const stream = segment.stream(attribute);
    same(stream.count, segment.tokens);
    const own = ids.subarray(segment.start, segment.start + segment.tokens);
    const all = new Uint32Array(segment.tokens);
    stream.read(0, segment.tokens, all);
    same(all, own.slice());
    const places = Array.from({ length: segment.tokens > 0 ? 20 : 0 }, () => random.below(segment.tokens));
    for (const place of places) same(stream.at(place), own[place]);
    const gathered = new Uint32Array(places.length);
    stream.gather(places, gathered);
    same(
      [...gathered],
      places.map((place) => own[place]),
    );
  }
  for (let i = 0; i < 5 && size > 0; i++) {
    const from = random.below(size);
    const count = random.below(size - from + 1);
    const out = new Uint32Array(count);
    snapshot.ids(attribute, from, count, out);
    same(out, ids.slice(from, from + count));
  }
  const stream = snapshot.stream(attribute);
  const positions = Array.from({ length: size > 0 ? 40 : 0 }, () => random.below(size));
  const wanted = positions.map((position) => ids[position]);
  same(
    positions.map((position) => stream.at(position)),
    wanted,
  );
  const gathered = new Uint32Array(positions.length);
  stream.gather(positions, gathered);
  same([...gathered], wanted);
}

function checkStructure(
  snapshot: Snapshot,
  structure: Structure,
  ranges: Range[],
  size: number,
  random: Random,
): void {
  same(structure.count, ranges.length);
  same(
    ranges.map((_, i) => structure.range(i)),
    ranges.map(({ begin, end }) => [begin, end]),
  );
  for (let position = 0; position < size; position++) {
    const around = ranges.flatMap(({ begin, end }, i) => (begin <= position && position < end ? [i] : []));
    same([position, structure.containing(position)], [position, around.at(-1) ?? -1]);
    if (random.below(3) > 0) continue;
    const segment = snapshot.segmentAt(position);
    const local = segment.structures(structure.name);
    const found = local?.allContaining(position - segment.start) ?? [];
    const here = (at: number) => Math.min(Math.max(at - segment.start, 0), segment.tokens);
    same(
      found.map((index) => [local?.begin(index), local?.end(index)]),
      around.reverse().map((i) => [here(ranges[i].begin), here(ranges[i].end)]),
    );
  }
  same(structure.containing(size), -1);
  const attributes = new Set(ranges.flatMap((range) => [...range.attributes.keys()]));
  for (const attribute of attributes)
    expect(structure.attributes.map(({ name }) => name)).toContain(attribute);
  for (const { name, unique, separator } of structure.attributes) {
    const values = ranges.map((range) => range.attributes.get(name));
    same(
      ranges.map((_, i) => structure.value(i, name)),
      values,
    );
    if (unique) {
      expect(structure.lexicon(name)).toBeUndefined();
      continue;
    }
    const lexicon = structure.lexicon(name) as Lexicon;
    const lists = positionsOf(values.map((value) => (value === undefined ? [] : [value])));
    checkLexicon(lexicon, new Map([...lists].map(([value, list]) => [value, list.length])), random);
    same(
      ranges.map((_, i) => structure.valueId(i, name)),
      values.map((value) => (value === undefined ? -1 : lexicon.find(value))),
    );
    for (const [value, list] of lists) same([...structure.withValue(name, lexicon.find(value))], list);
    same([...structure.withValue(name, lexicon.size)], []);
    if (separator === undefined) continue;
    const single = structure.values(name);
    const parts = positionsOf(
      values.map((value) => (value === undefined ? [] : splitValues(value, separator))),
    );
    expect(single).toBeDefined();
    checkLexicon(single!.lexicon, new Map([...parts].map(([value, list]) => [value, list.length])), random);
    for (const value of lists.keys()) {
      const own = [...single!.map.of(lexicon.find(value))].map((id) => single!.lexicon.string(id));
      same(own.sort(compareBytes), [...new Set(splitValues(value, separator))].sort(compareBytes));
    }
  }
}

function checkSnapshot(snapshot: Snapshot, model: Model, seed: number): void {
  const random = randomFrom(seed);
  const { corpus } = model;
  same(snapshot.tokens, model.size);
  snapshot.config.attributes.forEach(({ name, separator, derived }, i) => {
    const attribute = snapshot.attribute(name);
    const base = corpus.tokens[i] ?? corpus.tokens[0];
    const strings = derived
      ? base.map(derived.function === "fold" ? fold : (value) => value.toLowerCase())
      : base;
    const documents = model.documents();
    checkAttribute(
      snapshot,
      attribute,
      strings.map((string) => [string]),
      documents,
      random,
    );
    same(attribute.values !== undefined, separator !== undefined);
    if (!attribute.values || separator === undefined) return;
    const parts = strings.map((string) => splitValues(string, separator));
    checkAttribute(snapshot, attribute.values, parts, documents, random, false);
  });
  for (const name of corpus.structures.keys())
    expect(snapshot.structures.map((known) => known.name)).toContain(name);
  for (const structure of snapshot.structures) {
    checkStructure(snapshot, structure, model.ranges(structure.name), model.size, random);
  }
  const glued = (segment: Segment) => Array.from({ length: segment.tokens }, (_, i) => segment.glued(i));
  same(snapshot.segments.flatMap(glued), corpus.glue);
  same(verifyCorpus(snapshot).problems, []);
}

/** Every kind counted as the model counts it, and only places that the model knows. */
function checkWarnings(warnings: Warning[], corpus: Corpus): void {
  const told = warnings.filter(({ kind }) => kind !== "document_split");
  const counts = new Map<string, number>();
  for (const { kind } of corpus.oddities) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  same(Object.fromEntries(told.map(({ kind, count }) => [kind, count])), Object.fromEntries(counts));
  for (const { kind, places } of told) {
    const known = corpus.oddities
      .filter((oddity) => oddity.kind === kind)
      .map(({ file, line }) => ({ file, line }));
    for (const place of places) expect(known).toContainEqual(place);
  }
}

/** All that a corpus says, in one order. */
function contentOf(corpus: Corpus) {
  const byName = <Value>([a]: [string, Value], [b]: [string, Value]) => compareBytes(a, b);
  const ranges = ({ begin, end, attributes }: Range) => ({
    begin,
    end,
    attributes: [...attributes].sort(byName),
  });
  return {
    tokens: corpus.tokens,
    glue: corpus.glue,
    structures: [...corpus.structures].sort(byName).map(([name, own]) => [name, own.map(ranges)]),
  };
}

// ---------------------------------------------------------------------------------------- properties

async function checkCorpus(random: RandomCorpus): Promise<void> {
  const where = join(folder, `run${serial++}`);
  const data = join(where, "data");
  mkdirSync(where);
  try {
    const { inputs, read } = writeFiles(where, random.files);
    const encoded = await encodeCorpus({ data, corpus: "c", inputs, ...optionsOf(random) });
    const reading: Reading = {
      attributes: random.attributes,
      document: encoded.manifest.config.document,
      entities: random.entities,
    };
    checkWarnings(encoded.warnings, readVertical(read, reading));
    const look = async (seed: number) => {
      const snapshot = openCorpus({ data, corpus: "c", pool });
      const corpus = readVertical(read, reading);
      checkSnapshot(snapshot, new Model(corpus, reading), seed);
      const text = [...dumpCorpus(snapshot, { entities: random.entities })].join("");
      expect(contentOf(readVertical([{ name: "dump", text }], reading))).toEqual(contentOf(corpus));
      await snapshot.close();
    };
    await look(random.seed);
    const compact = async () => {
      await compactCorpus({ data, corpus: "c", workers: random.workers });
      await look(random.seed + 1);
    };
    if (random.compact) await compact();
    for (const append of random.appends) {
      const more = writeFiles(where, append.files);
      const appended = await appendToCorpus({
        data,
        corpus: "c",
        inputs: more.inputs,
        entities: random.entities,
        workers: append.workers,
        compact: append.compact,
      });
      checkWarnings(appended.warnings, readVertical(more.read, reading));
      read.push(...more.read);
      await look(random.seed + 2);
      if (append.compact) await compact();
    }
  } finally {
    rmSync(where, { recursive: true, force: true });
  }
}

/** The hash of every file of a corpus. */
function filesOf(corpusFolder: string): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const entry of readdirSync(corpusFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    hashes[path.slice(corpusFolder.length)] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return hashes;
}

/** So many corpora, within a time; DUGONG_TEST_SCALE=20 looks at twenty times as many. */
function runs(count: number): { numRuns: number; interruptAfterTimeLimit: number } {
  const scale = Number(process.env.DUGONG_TEST_SCALE ?? 1);
  return { numRuns: count * scale, interruptAfterTimeLimit: 50_000 * scale };
}
const timeoutMs = 150_000 * Number(process.env.DUGONG_TEST_SCALE ?? 1);

describe("a random corpus", { timeout: timeoutMs }, () => {
  it("answers every question as the naive model does, in one segment, appended to and compacted", async () => {
    const inOneSegment = randomCorpus.map((random) => ({ ...random, segments: 1 }));
    await fc.assert(fc.asyncProperty(inOneSegment, checkCorpus), runs(10));
  });

  it("answers every question as the naive model does, in any number of segments", async () => {
    await fc.assert(fc.asyncProperty(randomCorpus, checkCorpus), runs(35));
  });

  it("answers every question as the naive model does, well-formed in any number of segments", async () => {
    const files = fc.array(wellFormedFile, { minLength: 1, maxLength: 3 });
    const appends = fc.array(fc.record({ files, workers, compact: fc.boolean() }), { maxLength: 1 });
    const wellFormed = fc.tuple(randomCorpus, files, appends).map(([random, own, more]) => ({
      ...random,
      document: random.document === "p" ? "doc" : random.document,
      files: own,
      appends: more,
    }));
    await fc.assert(fc.asyncProperty(wellFormed, checkCorpus), runs(10));
  });

  it("has the same bytes for any number of workers, from plain and from compressed input", async () => {
    const check = async (random: RandomCorpus) => {
      const where = join(folder, `run${serial++}`);
      mkdirSync(where);
      const encode = async (name: string, inputs: string[], count: number) => {
        const data = join(where, name);
        await encodeCorpus({ data, corpus: "c", inputs, ...optionsOf(random), workers: count });
        return filesOf(join(data, "c"));
      };
      const plain = writeFiles(where, random.files, false).inputs;
      const one = await encode("1", plain, 1);
      for (const count of [2, 3, 4]) expect(await encode(String(count), plain, count)).toEqual(one);
      const compressed = writeFiles(where, random.files, true).inputs;
      expect(await encode("compressed", compressed, 2)).toEqual(one);
      rmSync(where, { recursive: true, force: true });
    };
    await fc.assert(fc.asyncProperty(randomCorpus, check), runs(4));
  });
});

describe("a corpus of 300,000 tokens", () => {
  const size = 300_000;
  const random = randomFrom(7);
  /** Words by Zipf's law, of which most occur once or twice; numbers that are all as frequent; a few tags. */
  const columns: Record<string, string[]> = { word: [], number: [], tag: [] };
  const glue: boolean[] = [];
  const data = () => join(folder, "large");
  let snapshot: Snapshot;

  beforeAll(async () => {
    const lines: string[] = [];
    for (let position = 0; position < size; position++) {
      if (position % 1000 === 0) lines.push(`<doc id="${position / 1000}">`);
      if (position % 25 === 0) lines.push("<s>");
      glue[position] = position % 7 === 3;
      if (glue[position]) lines.push("<g/>");
      const rank = Math.floor(3_000_000 ** random.next());
      const tag = Math.floor(60 * random.next() ** 4);
      const token = [`w${rank}`, `n${random.below(60_000)}`, `t${position % 30_000 === 0 ? "rare" : tag}`];
      Object.values(columns).forEach((column, i) => {
        column.push(token[i]);
      });
      lines.push(token.join("\t"));
      if (position % 25 === 24) lines.push("</s>");
      if (position % 1000 === 999) lines.push("</doc>");
    }
    const path = join(folder, "large.vert");
    writeFileSync(path, `${lines.join("\n")}\n`);
    const attributes = Object.keys(columns);
    const options = { data: data(), corpus: "c", attributes, derive: ["last=getlastn(word,1)"] };
    await encodeCorpus({ ...options, inputs: [path], workers: 2, segmentBytes: 900_000 });
    snapshot = openCorpus({ data: data(), corpus: "c", pool });
  });
  afterAll(() => snapshot.close());

  const positionsByString = (strings: string[]) => positionsOf(strings.map((string) => [string]));

  it("has columns of every encoding, long lists and scanned ones", () => {
    expect(snapshot.segments.length).toBeGreaterThan(4);
    const encodings = snapshot.segments.flatMap((segment) =>
      ["word", "number", "tag"].map(
        (name) =>
          (segment.stream(snapshot.attribute(name)) as unknown as { column: Column }).column.shape.encoding,
      ),
    );
    expect(new Set(encodings)).toEqual(new Set(["packed", "raw16", "raw8"]));
    expect(verifyCorpus(snapshot).problems).toEqual([]);
  });

  it.each(["word", "number", "tag", "last"])("answers every question about %s as plain arrays do", (name) => {
    const attribute = snapshot.attribute(name);
    const { lexicon } = attribute;
    const strings = name === "last" ? columns.word.map((word) => word.slice(-1)) : columns[name];
    const positions = positionsByString(strings);
    same(lexicon.size, positions.size);
    const perDocument = new Map<string, Set<number>>();
    for (const [string, list] of positions) {
      same(lexicon.frequency(lexicon.find(string)), list.length);
      perDocument.set(string, new Set(list.map((position) => Math.floor(position / 1000))));
    }
    for (const [string, documents] of perDocument) {
      same(lexicon.documentFrequency(lexicon.find(string)), documents.size);
    }
    const ids = Uint32Array.from(strings, (string) => lexicon.find(string));
    const read = new Uint32Array(size);
    snapshot.ids(attribute, 0, size, read);
    same(Buffer.compare(Buffer.from(read.buffer), Buffer.from(ids.buffer)), 0);
    const byFrequency = [...positions].sort(([, a], [, b]) => b.length - a.length);
    const some = [
      ...byFrequency.slice(0, 15),
      ...byFrequency.filter(() => random.below(positions.size) < 40),
    ];
    for (const segment of snapshot.segments) {
      const stream = segment.stream(attribute);
      const places = Array.from({ length: 500 }, () => random.below(segment.tokens));
      const gathered = new Uint32Array(places.length);
      stream.gather(places, gathered);
      same(
        [...gathered],
        places.map((place) => ids[segment.start + place]),
      );
      for (const place of places.slice(0, 100)) same(stream.at(place), ids[segment.start + place]);
      for (const [string, list] of some) {
        const end = segment.start + segment.tokens;
        const local = list.filter((at) => at >= segment.start && at < end).map((at) => at - segment.start);
        const id = lexicon.find(string);
        same(segment.count(attribute, id), local.length);
        checkCursor(() => segment.positions(attribute, id), local, segment.tokens, random);
      }
    }
  });

  it("knows its structures and its glue", () => {
    for (const [name, length] of [
      ["doc", 1000],
      ["s", 25],
    ] as const) {
      const structure = snapshot.structure(name);
      same(structure.count, size / length);
      for (let i = 0; i < 2000; i++) {
        const position = random.below(size);
        const number = Math.floor(position / length);
        same(structure.containing(position), number);
        same(structure.range(number), [number * length, (number + 1) * length]);
      }
    }
    const doc = snapshot.structure("doc");
    same(
      Array.from({ length: doc.count }, (_, i) => doc.value(i, "id")),
      Array.from({ length: doc.count }, (_, i) => String(i)),
    );
    same(
      snapshot.segments.flatMap((segment) =>
        Array.from({ length: segment.tokens }, (_, i) => segment.glued(i)),
      ),
      glue,
    );
  });

  it("answers several threads at once from a pool that holds a fraction of it", async () => {
    const shared = Pool.create(0);
    const idsOf = Object.fromEntries(
      Object.entries(columns).map(([name, strings]) => {
        const ids = new Uint32Array(new SharedArrayBuffer(size * 4));
        ids.set(strings.map((string) => snapshot.attribute(name).lexicon.find(string)));
        return [name, ids];
      }),
    );
    const code = `
      const { parentPort, workerData } = require("node:worker_threads");
      const { storage, handle, folder, manifest, idsOf, seed } = workerData;
      import(storage).then(async ({ attachSnapshot, Pool }) => {
        const snapshot = attachSnapshot(Pool.attach(handle), folder, manifest);
        let state = seed;
        const below = (count) => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return Math.floor((state / 2 ** 32) * count);
        };
        const wrong = [];
        const out = new Uint32Array(2000);
        const names = Object.keys(idsOf);
        for (let round = 0; round < 250; round++) {
          const name = names[below(names.length)];
          const attribute = snapshot.attribute(name);
          const ids = idsOf[name];
          const stream = snapshot.stream(attribute);
          const from = below(snapshot.tokens - out.length);
          snapshot.ids(attribute, from, out.length, out);
          for (let i = 0; i < out.length; i++) if (out[i] !== ids[from + i]) wrong.push([name, from + i]);
          for (let i = 0; i < 50; i++) {
            const position = below(snapshot.tokens);
            const segment = snapshot.segmentAt(position);
            const got = segment.stream(attribute).at(position - segment.start);
            if (got !== ids[position]) wrong.push([name, position]);
            if (stream.at(position) !== got) wrong.push([name, position, "by global position"]);
          }
          const position = below(snapshot.tokens);
          const segment = snapshot.segmentAt(position);
          const id = ids[position];
          const cursor = segment.positions(attribute, id);
          let at = segment.start;
          const end = segment.start + segment.tokens;
          for (let step = 0; step < 400 && cursor.position !== 0xffffffff; step++) {
            const target = step % 3 === 0 ? at - segment.start + below(300) : 0;
            const got = target > 0 ? cursor.seek(target) : cursor.next();
            if (target > 0) at = Math.max(at, segment.start + target);
            while (at < end && ids[at] !== id) at++;
            if (got !== (at < end ? at - segment.start : 0xffffffff)) wrong.push([name, "list", id, at]);
            if (target === 0 || got !== 0xffffffff) at = Math.min(end, at + 1);
            if (target > 0 && got === 0xffffffff) break;
          }
        }
        await snapshot.close();
        parentPort.postMessage(wrong.slice(0, 5));
      });`;
    const storage = pathToFileURL(builtFile("storage/index.js")).href;
    const { manifest } = snapshot;
    const threads = Array.from({ length: 4 }, (_, seed) => {
      const workerData = {
        storage,
        handle: shared.handle,
        folder: snapshot.folder,
        manifest,
        idsOf,
        seed: seed + 1,
      };
      const worker = new Worker(code, { eval: true, workerData });
      return new Promise<unknown[]>((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
      });
    });
    expect(await Promise.all(threads)).toEqual([[], [], [], []]);
  });
});
