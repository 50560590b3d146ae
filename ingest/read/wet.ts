/** WET: archives of the text of pages. A conversion is a document; a line of it, as whoever made it put them, a paragraph. */
import type { Document } from "../stream/documents.js";
import type { Reading } from "../stream/lines.js";
import type { Attributes } from "../stream/tags.js";
import { recordsOf } from "../warc/reader.js";
import { Gathering } from "./gathering.js";
import type { Input } from "./inputs.js";

export async function* wetDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { name } = input.source;
  const gathering = new Gathering(name, reading);
  for await (const record of recordsOf(input, "warc", reading)) {
    const { type, url, date: fetched, contentType, block, offset } = record;
    if (type !== "conversion" || !/^text\/plain\b|^$/i.test(contentType)) continue;
    const text = Buffer.from(block.buffer, block.byteOffset, block.length).toString("utf8");
    if (text.includes("\ufffd"))
      reading.warnings.add(
        "invalid_utf8",
        "a document has U+FFFD, or bytes that are not UTF-8 and became it",
        {
          source: name,
          offset,
        },
      );
    const attributes: Attributes = { url };
    if (fetched !== undefined) attributes.fetched = fetched;
    gathering.begin(attributes);
    for (const line of text.split(/\r?\n/)) {
      gathering.paragraph();
      gathering.line(line.trim());
    }
    gathering.end();
    yield* gathering.take();
  }
}
