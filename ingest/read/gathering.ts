/** Puts documents together from paragraphs and lines, and hands them over in parts where they grow too long to be held. */
import { limits } from "../limits.js";
import type { Document } from "../stream/documents.js";
import type { Reading } from "../stream/lines.js";
import type { Attributes } from "../stream/tags.js";

export class Gathering {
  #document: Document | undefined;
  #chars = 0;
  #lines: string[] = [];
  #paragraph: Attributes = Object.create(null);
  #ready: Document[] = [];

  constructor(
    readonly source: string,
    readonly reading: Reading,
  ) {}

  /** Ends what is open, and begins a document. */
  begin(attributes: Attributes): void {
    this.end();
    this.#document = { attributes, paragraphs: [] };
  }

  get isOpen(): boolean {
    return this.#document !== undefined;
  }

  /** What is known of the document that is open, and may be added to. */
  get attributes(): Attributes | undefined {
    return this.#document?.attributes;
  }

  /** Begins a paragraph: lines go there until the next begins. */
  paragraph(attributes: Attributes = Object.create(null)): void {
    this.#endParagraph();
    this.#paragraph = attributes;
  }

  line(text: string): void {
    if (text === "") return;
    this.#document ??= { attributes: Object.create(null), paragraphs: [] };
    this.#lines.push(text);
    this.#chars += text.length + 1;
    if (this.#chars <= limits.documentCharsMax) return;
    const message = `a document of over ${limits.documentCharsMax} characters is cut in two`;
    this.reading.warnings.add("long_document", message, { source: this.source });
    const { attributes } = this.#document;
    this.begin({ ...attributes });
  }

  end(): void {
    this.#endParagraph();
    if (this.#document) this.#ready.push(this.#document);
    this.#document = undefined;
    this.#chars = 0;
  }

  /** Those that are complete, each once. */
  take(): Document[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  #endParagraph(): void {
    if (this.#lines.length > 0)
      this.#document!.paragraphs.push({ attributes: this.#paragraph, text: this.#lines.join("\n") });
    this.#lines = [];
    this.#paragraph = Object.create(null);
  }
}
