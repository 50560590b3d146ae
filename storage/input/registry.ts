/**
 * Registry files: how Manatee is told of a corpus, read for what is of use here.
 *
 *   registry  = line*
 *   line      = [ option | attribute | structure | process ] [ comment ] end of line
 *   option    = KEY value
 *   attribute = "ATTRIBUTE" value [ "{" line* "}" ]
 *   structure = "STRUCTURE" value [ "{" line* "}" ]
 *   process   = "PROCESS" value [ "{" line* "}" ]
 *   value     = '"' any but '"' '"'  |  "'" any but "'" "'"  |  one or more of any but white { } # ' "
 *   KEY       = A…Z ( A…Z | 0…9 | "_" )*
 *   comment   = "#" anything
 *
 * Strings end on the line they start on. A block may stand on one line with its name.
 *
 * What options say of the text itself (attributes, separators, default values, derived attributes) comes
 * back as such; what they say to people comes back as `information`; what has no meaning outside Manatee
 * (where its files lie, how it stores them) comes back in `ignored`, with the reason.
 */

import { deriver } from "../derive/derive.js";
import { DugongError } from "../errors.js";

export interface RegistryAttribute {
  name: string;
  label?: string;
  /** What separates the values of a multi-value attribute; absent if it has one value. */
  separator?: string;
  /** No two structures have the same value. */
  unique?: boolean;
  /** The value of structures that do not give one. */
  defaultValue?: string;
  derived?: { from: string; function: string; arguments: string[] };
  /** All options that have no field of their own. */
  information: Record<string, string>;
}

export interface RegistryStructure {
  name: string;
  label?: string;
  attributes: RegistryAttribute[];
  information: Record<string, string>;
}

export interface Registry {
  /** All top-level options that have no field of their own: NAME, INFO, LANGUAGE, … */
  information: Record<string, string>;
  /** As the file has it, but for spellings of UTF-8, which is also what is meant if nothing is said. */
  encoding: string;
  defaultAttribute?: string;
  documentStructure?: string;
  attributes: RegistryAttribute[];
  structures: RegistryStructure[];
  /** What the file says that has no effect here. Lines count from 1. */
  ignored: { option: string; line: number; why: string }[];
}

/** Reads the text of a registry file; `file` is for messages only. */
export function parseRegistry(text: string, file: string): Registry {
  const reader = new RegistryReader(text.startsWith("\uFEFF") ? text.slice(1) : text, file);
  return interpret(reader.block(0));
}

interface Entry {
  key: string;
  value: string;
  line: number;
}

/** A block as written: options in order, and named blocks within it. */
interface Block {
  options: Entry[];
  blocks: (Entry & { body: Block })[];
}

/** Blocks within blocks; two are all that have a meaning. */
const depthMax = 16;

class RegistryReader {
  readonly #text: string;
  readonly #file: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  /** Reads lines up to the closing brace, or to the end of the file. */
  block(depth: number, opened?: { line: number; column: number; name: string }): Block {
    const block: Block = { options: [], blocks: [] };
    for (;;) {
      this.#skip(true);
      const char = this.#text[this.#at];
      if (char === undefined) {
        if (depth === 0) return block;
        throw this.#error(`the block of ${opened!.name} is not closed`, opened, 'Close it with "}".');
      }
      if (char === "}") {
        if (depth === 0) throw this.#error('"}" closes no block');
        this.#at++;
        return block;
      }
      this.#entry(block, depth);
    }
  }

  #entry(block: Block, depth: number): void {
    const line = this.#line;
    const key = /[A-Z][A-Z0-9_]*/y;
    key.lastIndex = this.#at;
    const found = key.exec(this.#text)?.[0];
    if (!found) {
      throw this.#error(
        "an option in capital letters should be here",
        undefined,
        'Write e.g. NAME "My corpus".',
      );
    }
    this.#at += found.length;
    this.#skip(false);
    const value = this.#value(found);
    const entry = { key: found, value, line };
    this.#skip(false);
    if (found !== "ATTRIBUTE" && found !== "STRUCTURE" && found !== "PROCESS") {
      block.options.push(entry);
    } else if (this.#text[this.#at] === "{") {
      const opened = { line: this.#line, column: this.#at - this.#lineStart + 1, name: `${found} ${value}` };
      if (depth === depthMax) throw this.#error("blocks stand in each other too deep", opened);
      this.#at++;
      block.blocks.push({ ...entry, body: this.block(depth + 1, opened) });
      this.#skip(false);
    } else {
      block.blocks.push({ ...entry, body: { options: [], blocks: [] } });
    }
    const next = this.#text[this.#at];
    if (next !== undefined && next !== "\n" && next !== "}") {
      throw this.#error(
        `this does not belong to the value of ${found}`,
        undefined,
        "Put a value with spaces in quotes.",
      );
    }
  }

  #value(key: string): string {
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'") {
      const end = this.#text.indexOf(quote, this.#at + 1);
      const lineEnd = this.#text.indexOf("\n", this.#at);
      if (end < 0 || (lineEnd >= 0 && lineEnd < end)) {
        throw this.#error("this quote is not closed on its line", undefined, `Close it with ${quote}.`);
      }
      const value = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      return value;
    }
    const bare = /[^\s{}#"']+/y;
    bare.lastIndex = this.#at;
    const value = bare.exec(this.#text)?.[0];
    if (value === undefined) throw this.#error(`${key} has no value`, undefined, `Write e.g. ${key} "…".`);
    this.#at += value.length;
    return value;
  }

  /** Skips white space and comments, and the ends of lines if told so. */
  #skip(lines: boolean): void {
    for (; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === "#") {
        const end = this.#text.indexOf("\n", this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      }
      if (this.#text[this.#at] === "\n") {
        if (!lines) return;
        this.#line++;
        this.#lineStart = this.#at + 1;
      } else if (char !== " " && char !== "\t" && char !== "\r") {
        return;
      }
    }
  }

  #error(what: string, place?: { line: number; column: number }, hint?: string): DugongError {
    const { line, column } = place ?? { line: this.#line, column: this.#at - this.#lineStart + 1 };
    return new DugongError("bad_registry", `${this.#file}:${line}:${column}: ${what}`, hint);
  }
}

const elsewhere = "it says where Manatee keeps something, which has no meaning here";
const unsketched = "word sketches and terms are not part of a corpus here";

/** Top-level options without effect, and why. */
const meaningless = new Map([
  ["PATH", elsewhere],
  ["VERTICAL", "the text is named when it is added, not in the registry"],
  ["SUBCBASE", elsewhere],
  ["SUBCDEF", elsewhere],
  ["WSBASE", unsketched],
  ["WSDEF", unsketched],
  ["WSTHES", unsketched],
  ["WSATTR", unsketched],
  ["WSHIST", unsketched],
  ["TERMBASE", unsketched],
  ["TERMDEF", unsketched],
]);

function interpret(top: Block): Registry {
  const registry: Registry = {
    information: {},
    encoding: "UTF-8",
    attributes: [],
    structures: [],
    ignored: [],
  };
  for (const { key, value, line } of top.options) {
    const why = meaningless.get(key);
    if (why !== undefined) registry.ignored.push({ option: key, line, why });
    else if (key === "ENCODING") registry.encoding = /^utf-?8$/i.test(value) ? "UTF-8" : value;
    else if (key === "DEFAULTATTR") registry.defaultAttribute = value;
    else if (key === "DOCSTRUCTURE") registry.documentStructure = value;
    else registry.information[key] = value;
  }
  registry.attributes = attributesOf(top, "", registry.ignored);
  const names = new Set<string>();
  for (const block of top.blocks) {
    const { key, value: name, line, body } = block;
    if (key === "PROCESS") {
      registry.ignored.push({ option: `PROCESS ${name}`, line, why: "text is not processed on its way in" });
    } else if (key === "STRUCTURE" && names.has(name)) {
      registry.ignored.push({
        option: `STRUCTURE ${name}`,
        line,
        why: "it was there before; the first counts",
      });
    } else if (key === "STRUCTURE") {
      names.add(name);
      registry.structures.push(structureOf(name, body, registry.ignored));
    }
  }
  registry.ignored.sort((one, other) => one.line - other.line);
  return registry;
}

function structureOf(name: string, body: Block, ignored: Registry["ignored"]): RegistryStructure {
  const structure: RegistryStructure = { name, attributes: [], information: {} };
  for (const { key, value, line } of body.options) {
    if (key === "LABEL") structure.label = value;
    else if (key === "TYPE") ignored.push({ option: `TYPE of ${name}`, line, why: storedOtherwise(value) });
    else structure.information[key] = value;
  }
  structure.attributes = attributesOf(body, `${name}.`, ignored);
  for (const { key, value, line } of body.blocks) {
    if (key === "ATTRIBUTE") continue;
    ignored.push({ option: `${key} ${value}`, line, why: `it stands in the block of STRUCTURE ${name}` });
  }
  return structure;
}

function storedOtherwise(type: string): string {
  return `"${type}" says how Manatee stores it, which has no meaning here`;
}

/** The attributes of a block, without those that cannot be had; `prefix` is the structure's, for messages. */
function attributesOf(block: Block, prefix: string, ignored: Registry["ignored"]): RegistryAttribute[] {
  const attributes = new Map<string, RegistryAttribute>();
  const lines = new Map<string, number>();
  for (const { key, value: name, line, body } of block.blocks) {
    if (key !== "ATTRIBUTE") continue;
    const option = `ATTRIBUTE ${prefix}${name}`;
    if (attributes.has(name)) {
      ignored.push({ option, line, why: "it was there before; the first counts" });
      continue;
    }
    for (const inner of body.blocks) {
      const { key, value, line } = inner;
      ignored.push({ option: `${key} ${value}`, line, why: `it stands in the block of ${option}` });
    }
    const attribute = attributeOf(name, option, body, prefix !== "", line, ignored);
    if (!attribute) continue;
    attributes.set(name, attribute);
    lines.set(name, line);
  }
  // What derives from an attribute that is left out is left out too, and so on.
  for (let again = true; again; ) {
    again = false;
    for (const [name, { derived }] of attributes) {
      if (!derived || (attributes.has(derived.from) && derived.from !== name)) continue;
      const why = `left out: there is no attribute ${prefix}${derived.from} to derive it from`;
      ignored.push({ option: `ATTRIBUTE ${prefix}${name}`, line: lines.get(name)!, why });
      attributes.delete(name);
      again = true;
    }
  }
  return [...attributes.values()];
}

/** Options of a derived attribute that its `derived` holds. */
const derivedOptions = new Set(["DYNAMIC", "DYNLIB", "FUNTYPE", "FROMATTR", "ARG1", "ARG2"]);

function attributeOf(
  name: string,
  option: string,
  body: Block,
  ofStructure: boolean,
  line: number,
  ignored: Registry["ignored"],
): RegistryAttribute | undefined {
  const attribute: RegistryAttribute = { name, information: {} };
  const options = new Map(body.options.map((entry) => [entry.key, entry]));
  const said = (key: string) => options.get(key)?.value;
  const dynamic = said("DYNAMIC");
  for (const { key, value, line } of options.values()) {
    if (key === "LABEL") attribute.label = value;
    else if (key === "DEFAULTVALUE") attribute.defaultValue = value;
    else if (key === "TYPE" && ofStructure && value === "UNIQUE") attribute.unique = true;
    else if (key === "TYPE") ignored.push({ option: `TYPE of ${option}`, line, why: storedOtherwise(value) });
    else if (key === "MULTIVALUE" || key === "MULTISEP") continue;
    else if (key === "TRANSQUERY" && isYes(value)) {
      const why = "values in queries stay as they are written: write them as they are derived, or use %c";
      ignored.push({ option: `TRANSQUERY of ${option}`, line, why });
    } else if (dynamic === undefined || !derivedOptions.has(key)) attribute.information[key] = value;
  }
  const separator = options.get("MULTISEP");
  if (isYes(said("MULTIVALUE"))) {
    if (separator?.value === "") {
      const why = "an empty separator separates nothing; the attribute has one value";
      ignored.push({ option: `MULTISEP of ${option}`, line: separator.line, why });
    } else {
      attribute.separator = separator?.value ?? ",";
    }
  } else if (separator) {
    const why = "without MULTIVALUE yes the attribute has one value";
    ignored.push({ option: `MULTISEP of ${option}`, line: separator.line, why });
  }
  if (dynamic === undefined) return attribute;
  const why = derive(attribute, dynamic, said);
  if (why === undefined) return attribute;
  ignored.push({ option, line, why: `left out: ${why}` });
  return undefined;
}

function isYes(value: string | undefined): boolean {
  return /^(y|yes|t|true|1)$/i.test(value ?? "");
}

/** Sets how an attribute is derived; if that cannot be, says why. */
function derive(
  attribute: RegistryAttribute,
  dynamic: string,
  said: (key: string) => string | undefined,
): string | undefined {
  const library = said("DYNLIB") ?? "internal";
  if (library !== "internal") return `its values come from the library ${library}`;
  const from = said("FROMATTR");
  if (from === undefined) return "FROMATTR does not say which attribute it derives from";
  const given = [said("ARG1"), said("ARG2")].filter((argument) => argument !== undefined);
  try {
    deriver({ function: dynamic, arguments: given });
  } catch (error) {
    if (error instanceof DugongError) return error.message;
    throw error;
  }
  attribute.derived = { from, function: dynamic, arguments: given };
  return undefined;
}
