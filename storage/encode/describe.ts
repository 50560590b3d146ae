/**
 * From what the user asked for to what a corpus is made of: attributes and structures from options or a Manatee
 * registry file, checked, with every mistake named.
 */
import { readFileSync } from "node:fs";
import { deriver, parseDerivation } from "../derive/derive.js";
import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import { ConlluConverter, conlluMultivalue } from "../input/conllu.js";
import { parseRegistry, type Registry, type RegistryAttribute } from "../input/registry.js";
import { limits } from "../limits.js";
import {
  type AttributeConfig,
  type CorpusConfig,
  type InputFormat,
  type ReadingConfig,
  type StructureAttributeConfig,
  storedAttributes,
  structureKey,
} from "./config.js";

export interface DescriptionOptions {
  /** Names of the input's columns, in order. */
  attributes?: string[];
  format?: InputFormat;
  /** A Manatee registry file. */
  registry?: string;
  /** Multi-value attributes, positional ("feats") or of structures ("doc.subject"), and their separators. */
  multivalue?: Record<string, string>;
  /** Structure attributes that get a string table and nothing else: "doc.url". */
  unique?: string[];
  /** Derived attributes: "lc", "lc=lowercase(word)", "folded=fold(lemma)". */
  derive?: string[];
  defaultAttribute?: string;
  /** The structure that is a document; "" for none; found out from the input where it is not said. */
  document?: string;
  language?: string;
  entities?: boolean;
  strict?: boolean;
  encoding?: string;
  skipComments?: string[];
}

export interface Description {
  config: CorpusConfig;
  reading: ReadingConfig;
  /** What of the registry file has no effect. */
  ignored: { option: string; line: number; why: string }[];
}

/** `sniffed`: the document structure that the input seems to have. */
export function describe(options: DescriptionOptions, sniffed: string | null): Description {
  const registry = options.registry ? readRegistry(options.registry) : undefined;
  const format = options.format ?? "vertical";
  const attributes = describeAttributes(options, format, registry);
  const stored = attributes.filter(({ derived }) => !derived);
  const defaultAttribute = options.defaultAttribute ?? registry?.defaultAttribute ?? stored[0].name;
  for (const text of options.derive ?? []) {
    const { name, ...derived } = parseDerivation(text, defaultAttribute);
    attributes.push({ name, derived });
  }
  const config: CorpusConfig = {
    attributes,
    structures: (registry?.structures ?? []).map(({ name, label, attributes: own, information }) => ({
      name,
      label,
      information,
      attributes: own.map(structureAttribute),
    })),
    defaultAttribute,
    document: documentOf(options, registry, format, sniffed),
    language: options.language ?? registry?.information.LANGUAGE,
    information: registry?.information,
  };
  applyStructureOptions(config, options);
  check(config);
  const defaultValues: Record<string, string> = {};
  for (const structure of config.structures) {
    for (const { name, defaultValue } of structure.attributes) {
      if (defaultValue !== undefined) defaultValues[structureKey(structure.name, name)] = defaultValue;
    }
  }
  return {
    config: dropUndefined(config),
    reading: {
      format,
      columns: stored.map(({ name }) => name),
      document: config.document,
      entities: options.entities ?? false,
      strict: options.strict ?? false,
      encoding: checkEncoding(options.encoding ?? registry?.encoding ?? "utf-8"),
      skipComments: options.skipComments ?? ["text"],
      defaultValues,
    },
    ignored: registry?.ignored ?? [],
  };
}

function readRegistry(path: string): Registry {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new DugongError(
      "input_not_found",
      `cannot read the registry file ${path}: ${(error as Error).message}`,
    );
  }
  return parseRegistry(text, path);
}

function describeAttributes(
  options: DescriptionOptions,
  format: InputFormat,
  registry: Registry | undefined,
): AttributeConfig[] {
  const multivalue = { ...(format === "conllu" ? conlluMultivalue : {}), ...options.multivalue };
  let attributes: AttributeConfig[];
  if (options.attributes && options.attributes.length > 0) {
    attributes = options.attributes.map((name) => ({
      ...positional(registry?.attributes.find((declared) => declared.name === name)),
      name,
    }));
    for (const declared of registry?.attributes ?? []) {
      if (declared.derived && options.attributes.includes(declared.derived.from))
        attributes.push(positional(declared));
    }
  } else if (registry && registry.attributes.length > 0) {
    attributes = registry.attributes.map(positional);
  } else if (format === "conllu") {
    attributes = ["word", "lemma", "tag", "xpos", "feats", "head", "deprel"].map((name) => ({ name }));
  } else {
    throw new DugongError(
      "no_attributes",
      "the columns of the input have no names",
      "Name them in order (--attributes word,lemma,tag), or give a registry file (--registry).",
    );
  }
  if (format === "conllu") {
    // A converter knows its columns, and says which it does not know.
    const columns = attributes.filter(({ derived }) => !derived).map(({ name }) => name);
    new ConlluConverter({ columns, skipComments: [] });
  }
  for (const attribute of attributes) {
    if (!attribute.derived && multivalue[attribute.name] !== undefined) {
      attribute.separator = multivalue[attribute.name];
    }
  }
  for (const name of Object.keys(options.multivalue ?? {})) {
    if (name.includes(".") || attributes.some((attribute) => attribute.name === name)) continue;
    throw unknownAttribute(name, attributes);
  }
  return attributes;
}

function positional(declared: RegistryAttribute | undefined): AttributeConfig {
  if (!declared) return { name: "" };
  const { name, label, separator, derived, information } = declared;
  return { name, label, separator: derived ? undefined : separator, derived, information };
}

function structureAttribute(declared: RegistryAttribute): StructureAttributeConfig {
  const { name, label, separator, unique, defaultValue, information } = declared;
  return { name, label, separator: unique ? undefined : separator, unique, defaultValue, information };
}

function documentOf(
  options: DescriptionOptions,
  registry: Registry | undefined,
  format: InputFormat,
  sniffed: string | null,
): string | null {
  if (options.document !== undefined) return options.document === "" ? null : options.document;
  if (format === "conllu") return sniffed;
  return registry?.documentStructure ?? sniffed;
}

/** --multivalue doc.subject:| and --unique doc.url declare structures and attributes that may not be known yet. */
function applyStructureOptions(config: CorpusConfig, options: DescriptionOptions): void {
  const attributeOf = (path: string): StructureAttributeConfig => {
    const dot = path.indexOf(".");
    if (dot < 1 || dot === path.length - 1) {
      throw new DugongError(
        "bad_name",
        `${path} does not name a structure's attribute`,
        "Write it as doc.url.",
      );
    }
    const [structureName, name] = [path.slice(0, dot), path.slice(dot + 1)];
    let structure = config.structures.find((known) => known.name === structureName);
    if (!structure) {
      structure = { name: structureName, attributes: [] };
      config.structures.push(structure);
    }
    let attribute = structure.attributes.find((known) => known.name === name);
    if (!attribute) {
      attribute = { name };
      structure.attributes.push(attribute);
    }
    return attribute;
  };
  for (const [path, separator] of Object.entries(options.multivalue ?? {})) {
    if (path.includes(".")) attributeOf(path).separator = separator;
  }
  for (const path of options.unique ?? []) {
    const attribute = attributeOf(path);
    attribute.unique = true;
    delete attribute.separator;
  }
}

function check(config: CorpusConfig): void {
  const stored = storedAttributes(config);
  const names = config.attributes.map(({ name }) => name);
  for (const [i, { name, derived, separator }] of config.attributes.entries()) {
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) {
      throw new DugongError(
        "bad_name",
        `${JSON.stringify(name)} cannot be the name of an attribute`,
        "Use letters, digits, _ and -, beginning with a letter or _.",
      );
    }
    if (names.indexOf(name) !== i) throw new DugongError("bad_name", `attribute ${name} is named twice`);
    if (separator === "") throw new DugongError("bad_separator", `the separator of ${name} is empty`);
    if (!derived) continue;
    if (!stored.some((base) => base.name === derived.from)) throw unknownAttribute(derived.from, stored);
    deriver(derived);
  }
  if (!names.includes(config.defaultAttribute))
    throw unknownAttribute(config.defaultAttribute, config.attributes);
  if (stored.length > limits.attributesMax) {
    throw new DugongError("too_many_attributes", `a corpus can have ${limits.attributesMax} attributes`);
  }
}

function unknownAttribute(name: string, attributes: { name: string }[]): DugongError {
  const names = attributes.map((attribute) => attribute.name);
  const near = nearestName(name, names);
  return new DugongError(
    "unknown_attribute",
    `no attribute ${JSON.stringify(name)} (there are ${names.join(", ")})`,
    near && `Did you mean ${near}?`,
  );
}

function checkEncoding(label: string): string {
  let name: string;
  try {
    name = new TextDecoder(label).encoding;
  } catch {
    throw new DugongError(
      "unknown_encoding",
      `${label} is not the name of an encoding`,
      "For instance: utf-8, latin1, windows-1250.",
    );
  }
  if (name.startsWith("utf-16")) {
    throw new DugongError(
      "unknown_encoding",
      "UTF-16 cannot be read as lines of bytes",
      "Convert the file first: iconv -f UTF-16 -t UTF-8.",
    );
  }
  return name;
}

/** LMDB and JSON keep no undefined: what is not there is left out. */
function dropUndefined<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
