/**
 * Where in a query somebody is while typing: in a string and of what, in a token's conditions, in a tag. The text need
 * not be a query yet, so it is not parsed: brackets and quotes are followed from its beginning.
 */

export interface Place {
  /** Brackets that were opened and not closed, the innermost last: "[", "(", "{", "<". */
  open: string[];
  /** In a string: its quote, where its text begins, and what it is a value of. */
  string?: { quote: string; from: number; attribute?: string };
  /** In a tag: the structure's name. */
  structure?: string;
}

const closing: Record<string, string> = { "]": "[", ")": "(", "}": "{" };

/** The place behind the last character. */
export function placeIn(text: string): Place {
  const open: string[] = [];
  let structure: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "'") {
      const end = endOfString(text, at);
      if (end < 0) {
        const attribute = attributeBefore(text.slice(0, at), open, structure);
        const string = { quote: character, from: at + 1, ...(attribute !== undefined && { attribute }) };
        return { open, string, ...(structure !== undefined && { structure }) };
      }
      at = end;
    } else if (character === "[" || character === "(" || character === "{") open.push(character);
    else if (character === "<" && !open.includes("[") && open.at(-1) !== "<") {
      // <doc …>, </s>, <s/>, or the beginning of one; not a comparison: a.word < b.word.
      const tag = /^<{1,2}\/?(?:([\p{L}_][\p{L}\p{M}\p{N}_-]*)(?![.(])|$)/u.exec(text.slice(at));
      if (!tag) continue;
      open.push("<");
      structure = tag[1] ?? "";
      at += tag[0].length - 1;
    } else if (character === ">" && open.at(-1) === "<") {
      open.pop();
      structure = undefined;
      if (text[at + 1] === ">") at++;
    } else if (closing[character] !== undefined) {
      const last = open.lastIndexOf(closing[character]);
      if (last >= 0) open.length = last;
    }
  }
  return { open, ...(structure !== undefined && { structure }) };
}

/** The quote that ends a string, or −1: a backslash takes the next character's meaning, two quotes are one. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at;
      at++;
    }
  }
  return -1;
}

/** [lemma="…, <doc year="…; undefined for a string that stands alone. */
function attributeBefore(text: string, open: string[], structure: string | undefined): string | undefined {
  const name = /([\p{L}_][\p{L}\p{M}\p{N}_.-]*)\s*(?:!?={1,2}|[<>]=?)\s*$/u.exec(text)?.[1];
  if (open.at(-1) === "<") return name !== undefined && structure ? `${structure}.${name}` : undefined;
  return open.includes("[") ? name : undefined;
}

/** Is there more to come? */
export function isUnfinished(text: string): boolean {
  const { open, string } = placeIn(text);
  return string !== undefined || open.length > 0;
}
