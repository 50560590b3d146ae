/** Every number that the shell chooses, in one place, units last. */
export const limits = {
  historyEntriesMax: 5_000,
  /** Values that Tab offers. */
  completionsMax: 60,
  /** Rows of a page where the terminal does not say how high it is. */
  pageRowsDefault: 20,
  /** Columns of a terminal that does not say how wide it is. */
  widthDefault: 120,
  /** Characters that what \\help says of a command has room for at least, however narrow the terminal is. */
  helpCharsMin: 30,
  /** How often a count that goes on is drawn anew. */
  drawMs: 100,
  /** Rows that are made and written at a time, in a pipe or to a file. */
  blockRows: 1024,
  /** Tokens on each side of a match that is looked at closely. */
  expandTokens: 100,
} as const;
