/**
 * The text stream: documents of paragraphs, before they are cut into tokens. What `dugong read` and `dugong clean` write, and
 * `language`, `dedup` and `tokenise` read:
 *
 *   stream    = document*
 *   document  = <doc attribute*>  paragraph*  </doc>
 *   paragraph = <p attribute*>  line*  </p>           (a line is text, with &amp; &lt; &gt; for & < >)
 *
 * Lines outside paragraphs are paragraphs of their own, one for each run of lines between empty lines and tags; lines
 * outside documents are a document without attributes. Other tags than doc and p are left out, and counted.
 *
 * The attributes that steps know of a document (all optional): id, url, title, date, fetched (ISO 8601), hash (of the bytes
 * as fetched), charset, lang (ISO 639-3, decided by us), declared (the language that the page says), licence; of
 * a paragraph: heading="1", lang, dup.
 */
import { limits } from "../limits.js";
import { type LineBatch, linesOf, type Reading } from "./lines.js";
import { type Attributes, attributesOf, escapeText, openTag, tagOf, unescapeText } from "./tags.js";

export interface Paragraph {
  attributes: Attributes;
  /** Its lines, with line breaks between them; no entities. */
  text: string;
}

export interface Document {
  attributes: Attributes;
  paragraphs: Paragraph[];
}

/** All documents of all inputs. */
export async function* documentsOf(inputs: readonly string[], reading: Reading): AsyncGenerator<Document> {
  const reader = new DocumentReader(reading);
  let source: string | undefined;
  for await (const batch of linesOf(inputs, reading)) {
    // A document ends with its file.
    if (source !== undefined && source !== batch.source) yield* reader.end();
    source = batch.source;
    yield* reader.take(batch);
  }
  yield* reader.end();
}

/** Lines in, whole documents out. */
export class DocumentReader {
  #document: Document | undefined;
  /** Was it begun by a tag? */
  #isTagged = false;
  #paragraph: Attributes | undefined;
  #lines: string[] = [];
  #chars = 0;

  constructor(readonly reading: Reading) {}

  *take({ lines, source, from }: LineBatch): Generator<Document> {
    const { warnings } = this.reading;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      const tag = tagOf(line);
      if (!tag) {
        this.#text(line);
        if (this.#chars > limits.documentCharsMax) {
          warnings.add(
            "long_document",
            `a document of over ${limits.documentCharsMax} characters is cut in two`,
            {
              source,
              line: from + i,
            },
          );
          const { attributes } = this.#document!;
          yield* this.end();
          this.#begin(attributes);
        }
      } else if (tag.name === "doc" && tag.kind !== "empty") {
        if (tag.kind === "open") {
          if (this.#isTagged) warnings.add("unclosed_doc", "<doc> inside <doc>", { source, line: from + i });
          yield* this.end();
          this.#begin(attributesOf(tag));
        } else {
          if (!this.#isTagged) warnings.add("stray_tag", "</doc> without <doc>", { source, line: from + i });
          yield* this.end();
        }
      } else if (tag.name === "p" && tag.kind !== "empty") {
        this.#endParagraph();
        if (tag.kind === "open") {
          if (!this.#document) this.#begin();
          this.#paragraph = attributesOf(tag);
        }
      } else {
        if (this.#paragraph === undefined) this.#endParagraph();
        if (tag.name !== "p" && tag.name !== "doc")
          warnings.add("other_tag", "a tag that is neither doc nor p is left out", {
            source,
            line: from + i,
          });
      }
    }
  }

  #begin(attributes?: Attributes): void {
    this.#document = { attributes: attributes ?? Object.create(null), paragraphs: [] };
    this.#isTagged = attributes !== undefined;
    this.#chars = 0;
  }

  #text(line: string): void {
    if (line === "") {
      if (this.#paragraph === undefined) this.#endParagraph();
      return;
    }
    if (!this.#document) this.#begin();
    this.#lines.push(line);
    this.#chars += line.length + 1;
  }

  #endParagraph(): void {
    if (this.#lines.length > 0 || this.#paragraph !== undefined) {
      const attributes = this.#paragraph ?? Object.create(null);
      this.#document!.paragraphs.push({ attributes, text: unescapeText(this.#lines.join("\n")) });
    }
    this.#lines = [];
    this.#paragraph = undefined;
  }

  *end(): Generator<Document> {
    this.#endParagraph();
    if (this.#document) yield this.#document;
    this.#document = undefined;
    this.#isTagged = false;
  }
}

/** A document as lines of the stream. */
export function documentText({ attributes, paragraphs }: Document): string {
  let text = `${openTag("doc", attributes)}\n`;
  for (const paragraph of paragraphs) {
    text += `${openTag("p", paragraph.attributes)}\n`;
    if (paragraph.text !== "") text += `${escapeText(paragraph.text)}\n`;
    text += "</p>\n";
  }
  return `${text}</doc>\n`;
}

/** Words, as all steps count them: what stands between white space. */
export function wordCount(text: string): number {
  let words = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isWhite =
      code <= 0x20 ||
      code === 0xa0 ||
      code === 0x3000 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028;
    if (!isWhite && !inside) words++;
    inside = !isWhite;
  }
  return words;
}
