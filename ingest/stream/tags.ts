/**
 * The tags and the text of streams, as written here. In text, `&` and `<` and `>` are entities, so that no line of it can be
 * taken for a tag; in values, the quote is one too, and white space is one space.
 */
import { parseTag as parse, type Tag } from "../../storage/input/tags.js";

export type { Tag };
export type Attributes = Record<string, string>;

/** The tag that a line is; null if it is text. Entities in values are decoded. */
export function tagOf(line: string): Tag | null {
  return line.charCodeAt(0) === 0x3c ? parse(line, true) : null;
}

const special = /[&<>]/g;
const specialInValues = /[&<>"]|\s+/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeText(text: string): string {
  return text.replace(special, (char) => entities[char]);
}

/** What escapeText wrote; other entities stay as they are. */
export function unescapeText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** `<doc id="1">`; attributes that are undefined are left out. */
export function openTag(name: string, attributes: Record<string, string | number | undefined> = {}): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${escapeValue(String(value))}"`;
  }
  return `${tag}>`;
}

function escapeValue(value: string): string {
  return value.replace(specialInValues, (char) => entities[char] ?? " ");
}

export function attributesOf({ attributes }: Tag): Attributes {
  // A name such as __proto__ is a name like any other.
  const found: Attributes = Object.create(null);
  for (const [name, value] of attributes) found[name] = value;
  return found;
}
