/** Every cap on what the command line shows and writes, in one place, units last. */
export const limits = {
  /** Lines that people are shown unless they ask for more. */
  linesDefault: 20,
  /** Tokens on each side of a match that is looked at closely. */
  expandTokens: 100,
  /** Rows that are on their way from whoever is asked, where all are wanted. */
  windowRows: 1 << 16,
  /** Lines, which are longer, and made as they are sent. */
  windowLines: 1 << 12,
  /** Queries of a batch that are under way at a time. */
  batchAhead: 8,
  /** Threads of a server in this process. */
  threadsMax: 32,
  /** How long a server that was lost is looked for. */
  reconnectMs: 10_000,
  /** Columns of a terminal that does not say how wide it is. */
  widthDefault: 120,
  /** Rows of one sheet of an XLSX file, its headings among them: what spreadsheets take. The next begins a new sheet. */
  sheetRowsMax: 1_048_576,
  /** Characters of a cell of an XLSX file: longer ones are cut, and counted. */
  cellCharsMax: 32_767,
  /** Bytes of one sheet before they are packed: the next row begins a new one. */
  sheetBytesMax: 3 * 1024 ** 3,
  /** Bytes of a packed file: the format has no place for more. */
  archiveBytesMax: 4 * 1024 ** 3 - 1,
} as const;
