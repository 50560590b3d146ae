/** What a corpus is: the numbers that `dugong info` shows. */
import type { Manifest } from "../catalog/manifest.js";
import { manifestBytes, structureCount } from "../catalog/manifest.js";
import { structureKey, valuesKey } from "../encode/config.js";

export interface AttributeInfo {
  types: number;
  label?: string;
  /** Where a derived attribute comes from. */
  derived?: string;
  /** Of a multi-value attribute: its separator and how many single values there are. */
  separator?: string;
  values?: number;
}

export interface StructureInfo {
  count: number;
  label?: string;
  attributes: Record<
    string,
    { types?: number; unique?: true; label?: string; separator?: string; values?: number }
  >;
}

export interface CorpusInfo {
  name: string;
  snapshot: number;
  created: string;
  tokens: number;
  documents?: number;
  defaultAttribute: string;
  document: string | null;
  language?: string;
  attributes: Record<string, AttributeInfo>;
  structures: Record<string, StructureInfo>;
  /** Tokens written without a space before them. */
  glue: number;
  segments: number;
  bytes: number;
  /** Bytes of streams, postings, structures, lexicons, glue, and of each file name over all segments. */
  parts: Record<string, number>;
  information: Record<string, string>;
}

export function describeCorpus(manifest: Manifest): CorpusInfo {
  const { config, lexicons } = manifest;
  const typesOf = (key: string) => lexicons[key]?.size;
  const attributes: Record<string, AttributeInfo> = {};
  for (const { name, label, derived, separator } of config.attributes) {
    attributes[name] = withoutUndefined({
      types: typesOf(name) ?? 0,
      label,
      derived: derived && `${derived.function}(${[derived.from, ...derived.arguments].join(",")})`,
      separator,
      values: typesOf(valuesKey(name)),
    });
  }
  const structures: Record<string, StructureInfo> = {};
  for (const structure of config.structures) {
    const own: StructureInfo["attributes"] = {};
    for (const { name, label, unique, separator } of structure.attributes) {
      const key = structureKey(structure.name, name);
      own[name] = withoutUndefined({
        types: typesOf(key),
        unique: unique ? (true as const) : undefined,
        label,
        separator,
        values: typesOf(valuesKey(key)),
      });
    }
    structures[structure.name] = withoutUndefined({
      count: structureCount(manifest, structure.name),
      label: structure.label,
      attributes: own,
    });
  }
  const glue = manifest.segments.reduce((sum, segment) => sum + segment.glue, 0);
  // Glue is a bit per token, but people know it as the structure g.
  if (glue > 0)
    structures.g = { attributes: structures.g?.attributes ?? {}, count: glue + (structures.g?.count ?? 0) };
  return withoutUndefined({
    name: manifest.corpus,
    snapshot: manifest.snapshot,
    created: manifest.created,
    tokens: manifest.tokens,
    documents: config.document === null ? undefined : structureCount(manifest, config.document),
    defaultAttribute: config.defaultAttribute,
    document: config.document,
    language: config.language,
    attributes,
    structures,
    glue,
    segments: manifest.segments.length,
    bytes: manifestBytes(manifest),
    parts: partsOf(manifest),
    information: config.information ?? {},
  });
}

function partsOf(manifest: Manifest): Record<string, number> {
  const parts: Record<string, number> = {};
  const add = (part: string, bytes: number) => {
    parts[part] = (parts[part] ?? 0) + bytes;
  };
  for (const { files } of manifest.segments) for (const { name, bytes } of files) add(name, bytes);
  for (const [key, record] of Object.entries(manifest.lexicons)) {
    for (const { bytes } of record.generations) add(`${key}.lexicon`, bytes);
    for (const { bytes } of record.maps ?? []) add(`${key}.map`, bytes);
    add(`${key}.statistics`, record.statistics.bytes);
  }
  return parts;
}

function withoutUndefined<Value extends object>(value: Value): Value {
  for (const key of Object.keys(value) as (keyof Value)[]) if (value[key] === undefined) delete value[key];
  return value;
}
