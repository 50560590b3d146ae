/**
 * Entities that an XML file declares itself: <!DOCTYPE TEI [ <!ENTITY fo "Føroyar"> ]>; those of HTML are known without. They are replaced
 * in the source, before it is parsed, so their values may have tags and entities. How much they may grow to is bounded, each
 * and all together (limits.ts). What stays as it is written, because the file does not say what it means (or another
 * file would), is counted.
 */
import { Parser } from "htmlparser2";
import { limits } from "../limits.js";
import type { Reading } from "../stream/lines.js";

const reference = /&([\p{L}_:][\p{L}\p{N}_:.-]*);/gu;
/** The start of a reference that a chunk of text may end with. */
const cutReference = /&[\p{L}\p{N}_:.#-]{0,100}$/u;
const depthMax = 16;

/** The parser decodes these. */
const xmlNames = new Set(["amp", "lt", "gt", "quot", "apos"]);

/** `&eacute;`, which people use without declaring it; in words of XML. Undefined if HTML has none of that name. */
function ofHtml(name: string): string | undefined {
  let text = "";
  const parser = new Parser({
    ontext: (part) => {
      text += part;
    },
  });
  parser.end(`<a>&${name};</a>`);
  // "&notit;" begins as one does.
  if (text.endsWith(";") && name !== "semi") return undefined;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

export class Entities {
  /** What stands before the root, until it is known to be whole. */
  #prolog: string | undefined = "";
  #rest = "";
  readonly #declared = new Map<string, string>();
  /** Whole; undefined if it is too large, or needs itself. */
  readonly #values = new Map<string, string | undefined>();
  #chars = 0;

  constructor(
    readonly source: string,
    readonly reading: Reading,
  ) {}

  /** The source without its document type declaration, and with entities replaced, as far as that is known. */
  replaced(text: string, isLast = false): string {
    let found = text;
    if (this.#prolog !== undefined) {
      this.#prolog += text;
      const end = this.#declarations(this.#prolog);
      if (end < 0 && !isLast && this.#prolog.length <= limits.declarationCharsMax) return "";
      found = end < 0 ? this.#prolog : this.#prolog.slice(end);
      this.#prolog = undefined;
    }
    found = this.#rest + found;
    this.#rest = "";
    if (!isLast) {
      const [cut = ""] = cutReference.exec(found.slice(-102)) ?? [];
      this.#rest = cut;
      found = found.slice(0, found.length - cut.length);
    }
    return found.includes("&")
      ? found.replace(reference, (whole, name) => this.#valueOf(name) ?? whole)
      : found;
  }

  #valueOf(name: string): string | undefined {
    if (xmlNames.has(name)) return undefined;
    let value = this.#values.get(name);
    if (value === undefined && !this.#values.has(name)) {
      value = this.#expanded(name, depthMax);
      if (this.#values.size < limits.entityNamesMax) this.#values.set(name, value);
    }
    const { warnings } = this.reading;
    if (value === undefined) {
      warnings.add("unknown_entity", "an entity whose meaning the file does not say stays as it is written", {
        source: this.source,
      });
      return undefined;
    }
    this.#chars += value.length;
    if (this.#chars <= limits.entityCharsMax) return value;
    const message = `entities of over ${limits.entityCharsMax} characters in all stay as they are written`;
    warnings.add("large_entities", message, { source: this.source });
    return undefined;
  }

  /** With the entities in it; undefined if there is none of that name, or it is too large. */
  #expanded(name: string, depth: number): string | undefined {
    const declared = this.#declared.get(name);
    if (declared === undefined) return ofHtml(name);
    if (depth === 0) return undefined;
    let value = "";
    let at = 0;
    for (const match of declared.matchAll(reference)) {
      const [whole, inner] = match;
      const part = xmlNames.has(inner) ? whole : this.#expanded(inner, depth - 1);
      if (part === undefined) return undefined;
      value += declared.slice(at, match.index) + part;
      at = match.index + whole.length;
      if (value.length > limits.entityValueCharsMax) return undefined;
    }
    value += declared.slice(at);
    return value.length > limits.entityValueCharsMax ? undefined : value;
  }

  /** Reads declarations; where the root or what is no prolog begins, -1 if more text is needed. */
  #declarations(text: string): number {
    const next = /\s*(?:(<\?)|(<!--)|(<!DOCTYPE\b))?/iy;
    let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    for (;;) {
      next.lastIndex = at;
      const [skipped, instruction, comment, doctype] = next.exec(text)!;
      const from = at + skipped.length;
      if (doctype) {
        const end = this.#doctype(text, from);
        if (end < 0) return -1;
        at = end;
      } else if (instruction || comment) {
        const closing = instruction ? "?>" : "-->";
        const end = text.indexOf(closing, from);
        if (end < 0) return -1;
        at = end + closing.length;
      } else {
        // "<!DOC": it may be going to be one.
        return from + "<!DOCTYPE".length > text.length ? -1 : at;
      }
    }
  }

  /** Behind the declaration; -1 if it is not whole. */
  #doctype(text: string, from: number): number {
    const part =
      /<!ENTITY\s+([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>|<!--[\s\S]*?-->|"[^"]*"|'[^']*'|[[\]>]/gu;
    part.lastIndex = from;
    let isInside = false;
    for (let match = part.exec(text); match; match = part.exec(text)) {
      const [whole, name, double, single] = match;
      if (name !== undefined) {
        // The first declaration of a name is the one that counts.
        if (isInside && !this.#declared.has(name)) this.#declared.set(name, double ?? single);
      } else if (whole === "[") isInside = true;
      else if (whole === "]") isInside = false;
      else if (whole === ">" && !isInside) return part.lastIndex;
    }
    return -1;
  }
}
