/** Every cap of the ingest room, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** One line of a stream; a longer one is cut there, and counted. */
  lineCharsMax: 16 * 1024 * 1024,
  /** Text of one document that is held in memory; what follows becomes another document with the same attributes. */
  documentCharsMax: 64 * 1024 * 1024,
  /** Places kept for each kind of warning. */
  warningPlacesMax: 5,
  /** Of an archive: the header of one record; a longer one is not taken for one. */
  recordHeaderBytesMax: 256 * 1024,
  /** Of an archive: the block of one record, as it lies there, that is held in memory; a larger one is passed over. */
  recordBytesMax: 64 * 1024 * 1024,
  /** A page without its encodings: what some kilobytes of gzip or brotli may grow to. A larger one is passed over. */
  pageBytesMax: 64 * 1024 * 1024,
  /** Content encodings, one over the other, that are taken off a page. */
  contentEncodingsMax: 4,
  /** A member of a gzip file that is inflated in one go, as it lies there and as text; larger ones go through a stream. */
  memberBytesMax: 4 * 1024 * 1024,
  memberTextBytesMax: 32 * 1024 * 1024,
  /** What stands before the root of an XML file; more declares nothing. */
  declarationCharsMax: 1024 * 1024,
  /** What one entity that a file declares may stand for, and all of a file together. */
  entityValueCharsMax: 64 * 1024,
  entityCharsMax: 16 * 1024 * 1024,
  /** Names of entities that are remembered. */
  entityNamesMax: 10_000,
  /** From the start of a file, to tell its format. */
  sampleBytes: 64 * 1024,
  /** Sources of a Leipzig corpus that are held in memory, to give sentences their addresses. */
  leipzigSourcesMax: 4_000_000,
  /** Of a text whose language is asked, what is looked at. */
  classifyChars: 4096,
  /** A language model as it lies in memory. */
  languageModelBytesMax: 256 * 1024 * 1024,
  /** Sample text of one language that is trained on. */
  trainingCharsMax: 8 * 1024 * 1024,
  /** Text of one language, and of all, that waits to be written to the files of languages. */
  splitChars: 256 * 1024,
  splitCharsMax: 16 * 1024 * 1024,
  /** Text that is put together before it is written. */
  writeChars: 256 * 1024,
  /** De-duplication: hashes that occur more than once, which are held in memory (some 24 bytes each). */
  repeatedHashesMax: 1_000_000_000,
  /** De-duplication: text that goes to a thread at a time, cut where documents begin. */
  blockBytes: 1024 * 1024,
  /** De-duplication: words in an n-gram. */
  ngramMax: 1000,
  /** A pipeline's task that failed is tried again after this; the next time after twice as long. */
  retryMs: 1000,
  /** Documents of one input, which are numbered in 31 bits. */
  documentsMax: 2 ** 31 - 2,
  /** Text without a space that is looked at at once; longer text is cut, at a mark if there is one. No token is longer. */
  pieceCharsMax: 1000,
  /** Pieces of text whose tokens are remembered (a power of two), and the longest of them. */
  piecesKept: 65_536,
  pieceCharsKept: 40,
  /** Where a page's own declaration of its charset is looked for. */
  charsetDeclarationBytes: 4096,
  /** What the charset of a page is guessed from. */
  charsetSampleBytes: 16 * 1024,
  /** One page; the rest of a longer one is left out, and counted. */
  htmlBytesMax: 10 * 1024 * 1024,
  /** Elements inside each other that are told apart; deeper ones belong to the deepest of these. */
  elementDepthMax: 256,
  /** Elements and blocks of one page; what follows is left out, and counted. */
  elementsMax: 200_000,
  /** One attribute of an element; the rest is not looked at. */
  attributeCharsMax: 4096,
  /** Attributes of one element that are looked at. */
  attributesMax: 64,
  /** Elements of one page that should have been closed, and for which it is read again. */
  unclosedMax: 8,
  /** A page's title. */
  titleCharsMax: 1000,
  /** Pages that a cleaning thread is given at a time: so many, or so many bytes of them. */
  batchPages: 32,
  batchBytes: 2 * 1024 * 1024,
  /** Batches under way for each cleaning thread. */
  batchesAhead: 3,
  /** Text and documents that a thread is given at once, and the input for which threads are started at all. */
  batchChars: 256 * 1024,
  batchDocuments: 1000,
  threadedBytesMin: 2 * 1024 * 1024,
  /** Words of which a tagger remembers what they add to scores. */
  wordsKept: 65_536,
  /** Tokens after which wink-nlp is made anew, because it remembers every word. */
  winkTokensMax: 2_000_000,
  /** A longer run of tokens without the end of a sentence is cut for the tagger. */
  sentenceTokensMax: 500,
  /** Text of one document that an external tagger is given; a longer one is cut at the end of a sentence. */
  commandChars: 1024 * 1024,
  /** Documents on their way to one process of an external tagger: more than its buffers hold of usual ones. */
  commandDocuments: 64,
  /** An external tagger that has all it is going to get for now and says nothing: its input is closed, then it is ended. */
  commandStallMs: 2000,
  commandSilentMs: 120_000,
  /** A line of an external tagger; and lines between two tokens that are none: tags, empty ones. */
  commandLineCharsMax: 4 * 1024 * 1024,
  commandPassedMax: 100_000,
  /** Documents that may fail before any has been tagged. */
  commandFailuresMax: 3,
} as const;
