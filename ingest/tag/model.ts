/**
 * A trained tagger as one file. Numbers are little-endian:
 *
 *   file     = "DUGTAG" version:u16  header length:u32  header  body length:u32  body  checksum:u64
 *   header   = JSON: language, what it was trained on, layers with their labels, where each column lies in the body
 *   body     = columns, one after the other, each at a multiple of four; deflated
 *   checksum = XXH64 of all bytes before it
 *
 *   columns of a layer:   features starts labels values                 (weights.ts)
 *   columns of all:       hashes classes                                (lexicon.ts)
 *   columns of lemmas:    edits smallWords words                        (lemmas.ts; JSON; absent without lemmas, as are all)
 *                         lemmas                                        (hashes, sorted)
 *                         of "edit" and of "case", as of a layer
 */
import { readFileSync } from "node:fs";
import { deflateSync, inflateSync } from "node:zlib";
import xxhash from "xxhash-wasm";
import { DugongError } from "../../storage/errors.js";
import type { LemmaModel } from "./lemmas.js";
import { Lexicon } from "./lexicon.js";
import { Weights } from "./weights.js";

export type LayerName = "tag" | "xpos" | "feats";

export interface Layer {
  name: LayerName;
  labels: string[];
  weights: Weights;
  /** Of a finer layer: for labels of the layers before it, with tabs between them, which of its own may stand there. */
  candidates: Record<string, number[]>;
}

export interface Model {
  language: string;
  /** Sentences and tokens it was trained on. */
  sentences: number;
  tokens: number;
  lexicon: Lexicon;
  /** The first is the part of speech. */
  layers: Layer[];
  lemmas?: LemmaModel;
}

const magic = "DUGTAG";
const version = 2;
const columnTypes = { Int32Array, Uint32Array, Uint16Array, Int16Array, Uint8Array };
type ColumnType = keyof typeof columnTypes;
type Column = Int32Array | Uint32Array | Uint16Array | Int16Array | Uint8Array;

interface Header {
  language: string;
  sentences: number;
  tokens: number;
  layers: { name: LayerName; labels: string[]; candidates: Record<string, number[]> }[];
  columns: { name: string; type: ColumnType; offset: number; length: number }[];
}

export async function modelBytes(model: Model): Promise<Uint8Array> {
  const columns: Header["columns"] = [];
  const parts: Uint8Array[] = [];
  let offset = 0;
  const add = (name: string, column: Column) => {
    const type = column.constructor.name as ColumnType;
    columns.push({ name, type, offset, length: column.length });
    const bytes = new Uint8Array(Math.ceil(column.byteLength / 4) * 4);
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    parts.push(bytes);
    offset += bytes.length;
  };
  add("hashes", model.lexicon.hashes);
  add("classes", model.lexicon.classes);
  const addWeights = (name: string, weights: Weights) => {
    for (const column of ["features", "starts", "labels", "values"] as const)
      add(`${name}.${column}`, weights[column]);
  };
  for (const { name, weights } of model.layers) addWeights(name, weights);
  if (model.lemmas) {
    for (const column of ["edits", "smallWords", "words"] as const)
      add(column, new TextEncoder().encode(JSON.stringify(model.lemmas[column])));
    add("lemmas", model.lemmas.lemmas);
    addWeights("edit", model.lemmas.editWeights);
    addWeights("case", model.lemmas.caseWeights);
  }
  const { language, sentences, tokens } = model;
  const layers = model.layers.map(({ name, labels, candidates }) => ({ name, labels, candidates }));
  const header: Header = { language, sentences, tokens, layers, columns };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const body = deflateSync(Buffer.concat(parts), { level: 9 });
  const start = magic.length + 2;
  const bytes = new Uint8Array(start + 4 + headerBytes.length + 4 + body.length + 8);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(magic));
  view.setUint16(magic.length, version, true);
  view.setUint32(start, headerBytes.length, true);
  bytes.set(headerBytes, start + 4);
  view.setUint32(start + 4 + headerBytes.length, body.length, true);
  bytes.set(body, start + 8 + headerBytes.length);
  const { h64Raw } = await xxhash();
  view.setBigUint64(bytes.length - 8, h64Raw(bytes.subarray(0, -8)), true);
  return bytes;
}

/** Reads a model; throws bad_model if it is none, or not as it was written. */
export async function readModel(path: string): Promise<Model> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new DugongError(
      "model_not_found",
      `cannot read the model ${path}: ${(error as Error).message}`,
      "`dugong tag-train` makes one; wink-english is built in.",
    );
  }
  return modelOf(bytes, path);
}

async function modelOf(bytes: Uint8Array, path: string): Promise<Model> {
  const bad = (what: string, hint = "Train it again with `dugong tag-train`.") =>
    new DugongError("bad_model", `${path} ${what}`, hint);
  const start = magic.length + 2;
  if (bytes.length < start + 16 || new TextDecoder().decode(bytes.subarray(0, magic.length)) !== magic)
    throw bad("is not a tagger's model", "`dugong tag-train` makes one.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = view.getUint16(magic.length, true);
  if (found !== version) throw bad(`has version ${found}; this program reads version ${version}`);
  const { h64Raw } = await xxhash();
  if (view.getBigUint64(bytes.length - 8, true) !== h64Raw(bytes.subarray(0, -8)))
    throw bad("is damaged: its checksum is wrong");
  const headerLength = view.getUint32(start, true);
  const text = new TextDecoder().decode(bytes.subarray(start + 4, start + 4 + headerLength));
  const header = JSON.parse(text) as Header;
  // A copy, so that columns lie at multiples of four.
  const body = Uint8Array.from(inflateSync(bytes.subarray(start + 8 + headerLength, bytes.length - 8)));
  const column = <Type extends Column>(name: string): Type => {
    const place = header.columns.find((one) => one.name === name);
    if (!place) throw bad(`has no ${name}`);
    return new columnTypes[place.type](body.buffer, place.offset, place.length) as Column as Type;
  };
  const json = (name: string) =>
    Object.assign(Object.create(null), JSON.parse(new TextDecoder().decode(column(name))));
  const { language, sentences, tokens } = header;
  const weights = (name: string) =>
    new Weights(
      column(`${name}.features`),
      column(`${name}.starts`),
      column(`${name}.labels`),
      column(`${name}.values`),
    );
  const hasLemmas = header.columns.some((one) => one.name === "lemmas");
  const lemmas = () => ({
    edits: json("edits"),
    smallWords: json("smallWords"),
    words: json("words"),
    lemmas: column<Int32Array>("lemmas"),
    editWeights: weights("edit"),
    caseWeights: weights("case"),
  });
  return {
    language,
    sentences,
    tokens,
    lexicon: new Lexicon(column("hashes"), column("classes")),
    layers: header.layers.map((layer) => ({ ...layer, weights: weights(layer.name) })),
    ...(hasLemmas && { lemmas: lemmas() }),
  };
}
