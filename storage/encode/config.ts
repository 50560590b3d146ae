/** What a corpus is made of, as its manifest records it and as every step of encoding needs it. */

export interface AttributeConfig {
  name: string;
  label?: string;
  /** Multi-value: the separator between its values. */
  separator?: string;
  /** Derived: computed on the lexicon of another attribute; it has no column in the input. */
  derived?: { from: string; function: string; arguments: string[] };
  information?: Record<string, string>;
}

export interface StructureAttributeConfig {
  name: string;
  label?: string;
  separator?: string;
  /** A string per structure and nothing else: no lexicon, no postings. */
  unique?: boolean;
  /** What a structure without this attribute gets. */
  defaultValue?: string;
  information?: Record<string, string>;
}

export interface StructureConfig {
  name: string;
  label?: string;
  attributes: StructureAttributeConfig[];
  information?: Record<string, string>;
}

export type InputFormat = "vertical" | "conllu";

export interface CorpusConfig {
  /** Stored attributes in the order of the input's columns, derived ones anywhere among them. */
  attributes: AttributeConfig[];
  /** Structures that were declared; those found in the input are added behind them, in the order of their finding. */
  structures: StructureConfig[];
  defaultAttribute: string;
  /** The structure that a document is; null in a corpus without. */
  document: string | null;
  language?: string;
  information?: Record<string, string>;
}

/** How the input is read: the same for every piece of it. */
export interface ReadingConfig {
  format: InputFormat;
  /** Names of the input's columns, in order. */
  columns: string[];
  document: string | null;
  /** Decode &lt; and the like in tokens and attribute values. */
  entities: boolean;
  /** Refuse invalid UTF-8 instead of replacing it. */
  strict: boolean;
  /** A label that TextDecoder knows; "utf-8" needs no conversion. */
  encoding: string;
  /** CoNLL-U comments that are not kept as attributes. */
  skipComments: string[];
  /** Default values of structure attributes, by lexicon key. */
  defaultValues: Record<string, string>;
}

export function storedAttributes(config: CorpusConfig): AttributeConfig[] {
  return config.attributes.filter((attribute) => !attribute.derived);
}

/** The name under which the lexicon of a structure's attribute goes: "@" can be in no name. */
export function structureKey(structure: string, attribute: string): string {
  return `${structure}@${attribute}`;
}

/** The lexicon of the single values of a multi-value attribute. */
export function valuesKey(key: string): string {
  return `${key}#values`;
}
