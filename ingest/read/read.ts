/** `dugong read`: whatever people bring, as the text stream. */
import { documentText, wordCount } from "../stream/documents.js";
import { bytesOf } from "../stream/lines.js";
import { writing } from "../stream/output.js";
import { type Step, Tally } from "../stream/report.js";
import { documentsOfAny } from "./documents.js";
import type { Format } from "./formats.js";

export interface ReadOptions {
  /** What all inputs are (default: told from their content). */
  format?: Format;
}

export const readText: Step<ReadOptions> = async ({ inputs, output }, { format }, context = {}) => {
  const tally = new Tally("read", bytesOf(inputs), context);
  const formats = new Map<string, number>();
  const { warnings } = tally;
  const onRead = (bytes: number) => {
    tally.bytesRead = bytes;
  };
  await writing(output, async (out) => {
    const reading = { warnings, onRead, signal: context.signal, format, formats };
    for await (const document of documentsOfAny(inputs, reading)) {
      tally.documentsIn++;
      tally.documentsOut++;
      for (const { text } of document.paragraphs) tally.wordsOut += wordCount(text);
      await out.write(documentText(document));
      tally.tick();
    }
  });
  return tally.report({ formats: Object.fromEntries(formats) });
};
