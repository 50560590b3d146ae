/** Snippets of what was found, for terminals: terms in colour, or between brackets where there are no colours. */

import type { SearchItem } from "../index.js";
import { styleFor } from "../shell/colours.js";
import { harmless } from "./width.js";

export type { SearchItem, SearchResult } from "../index.js";

export function styledSnippet({ text, marks }: SearchItem, stream: { isTTY?: boolean }): string {
  const style = styleFor(stream);
  let shown = "";
  let at = 0;
  for (const [from, to] of marks) {
    const term = harmless(text.slice(from, to));
    shown += harmless(text.slice(at, from)) + (style.brackets ? `[${term}]` : style.match(term));
    at = to;
  }
  return shown + harmless(text.slice(at));
}
