/** Every cap on the text of a query, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** Text of one query, in UTF-16 units. */
  queryCharsMax: 2 * 1024 * 1024,
  /** Brackets inside brackets, and nodes inside nodes of the tree: whatever walks a tree may use recursion. */
  nestingMax: 1_000,
  /** Parsing ends at this many errors, and so many warnings are kept: the first few are what people read. */
  diagnosticsMax: 20,
  /** How much of a query's line a rendered message shows, in UTF-16 units. */
  renderedCharsMax: 120,
} as const;
