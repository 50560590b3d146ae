/**
 * The step `tokenise`: from the text stream to the vertical stream.
 *
 *   <doc …> <p …> <s> a token a line, <g/> where no space stood before the next </s> </p> </doc>
 *
 * Attributes stay as they are. The language of a paragraph is its `lang`, else the document's, else the one that is given; without any,
 * what holds for all languages is done. Paragraphs and documents without text are left out.
 */
import { availableParallelism } from "node:os";
import { limits } from "../limits.js";
import { type Document, documentsOf } from "../stream/documents.js";
import { bytesOf } from "../stream/lines.js";
import { inOrder, type Lane, ownLane, threadLane } from "../stream/ordered.js";
import { writing } from "../stream/output.js";
import { type Step, Tally } from "../stream/report.js";
import { type CutDocuments, type CutterOptions, DocumentCutter } from "./documents.js";
import { readTable } from "./table.js";

export interface TokeniseOptions {
  /** "en", "eng": where the stream does not say. */
  language?: string;
  /** A JSON file of tables, laid over those that are built in. */
  table?: string;
  /** Does every line end a sentence? */
  lines?: boolean;
  /** Threads (default: one for each core; none for little text). */
  workers?: number;
}

export const tokenise: Step<TokeniseOptions> = async ({ inputs, output }, options, context) => {
  const tally = new Tally("tokenise", bytesOf(inputs), context);
  const { language, lines } = options;
  const cutting: CutterOptions = {
    language,
    lines,
    ...(options.table && { changes: readTable(options.table) }),
  };
  const isLittle = tally.bytesTotal > 0 && tally.bytesTotal < limits.threadedBytesMin;
  const workers = options.workers ?? (isLittle ? 1 : availableParallelism());
  const lanes = Array.from({ length: workers }, (): Lane<Document[], CutDocuments> => {
    if (workers > 1) return threadLane("ingest/tokenise/worker.js", cutting);
    const cutter = new DocumentCutter(cutting);
    return ownLane((documents) => cutter.cut(documents));
  });
  async function* batches(): AsyncGenerator<Document[]> {
    let batch: Document[] = [];
    let chars = 0;
    const { warnings } = tally;
    const onRead = (bytes: number) => {
      tally.bytesRead = bytes;
    };
    for await (const document of documentsOf(inputs, { warnings, onRead, signal: context?.signal })) {
      tally.documentsIn++;
      batch.push(document);
      for (const { text } of document.paragraphs) chars += text.length;
      if (chars < limits.batchChars && batch.length < limits.batchDocuments) continue;
      yield batch;
      batch = [];
      chars = 0;
    }
    if (batch.length > 0) yield batch;
  }
  let words = 0;
  let sentences = 0;
  const languages: Record<string, number> = {};
  await writing(output, async (file) => {
    for await (const cut of inOrder(batches(), lanes)) {
      tally.documentsOut += cut.documents;
      words += cut.words;
      tally.wordsOut += cut.tokens;
      sentences += cut.sentences;
      for (const [code, tokens] of Object.entries(cut.languages))
        languages[code] = (languages[code] ?? 0) + tokens;
      await file.write(cut.text);
      tally.tick();
    }
  });
  return tally.report({ "between spaces": words, sentences, languages });
};
