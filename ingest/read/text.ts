/** Plain text: a file is a document, and what stands between empty lines a paragraph. Nothing in it is a tag or an entity. */
import type { Document } from "../stream/documents.js";
import type { Reading } from "../stream/lines.js";
import { Gathering } from "./gathering.js";
import { type Input, linesOfInput } from "./inputs.js";

export async function* textDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { name } = input.source;
  const gathering = new Gathering(name, reading);
  for await (const { lines } of linesOfInput(input, { ...reading, endsAtReturns: true })) {
    for (const line of lines) {
      const text = line.trim();
      if (text === "") {
        gathering.paragraph();
        continue;
      }
      if (!gathering.isOpen) gathering.begin({ id: name });
      gathering.line(text);
    }
    yield* gathering.take();
  }
  gathering.end();
  yield* gathering.take();
}
