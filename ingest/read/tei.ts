/**
 * TEI: texts in XML, read as a stream of tags.
 *
 *   teiCorpus | TEI     a document for each TEI, wherever it stands
 *   teiHeader           id (xml:id, else the first idno), title (the first), date (the first that is one), and nothing else
 *   p ab head l u …     a paragraph each (a head is a heading); text between them is one too
 *   s                   a line
 *   w pc                tokens: white space between them counts as it stands, and join="left|right|both" says there was none.
 *                       Where none stands between any tokens of a paragraph, a space is put between those that do not join
 *   choice              of orig/reg, sic/corr, abbr/expan: the second
 *   note fw figDesc del left out, as they are not what the text says
 *
 * Entities are those of XML and of HTML, and those that the file declares itself (entities.ts). The encoding is the one that the XML declaration names.
 */
import { Parser } from "htmlparser2";
import { readSource } from "../../storage/input/sources.js";
import type { Document } from "../stream/documents.js";
import { encodingOf } from "../stream/encoding.js";
import type { Reading } from "../stream/lines.js";
import type { Attributes } from "../stream/tags.js";
import { Entities } from "./entities.js";
import { Gathering } from "./gathering.js";
import type { Input } from "./inputs.js";

const paragraphs = new Set(
  "p ab head l u item cell label salute signed opener closer byline dateline trailer quote speaker stage docTitle lg div seg sp list table row front body back group floatingText titlePage".split(
    " ",
  ),
);
/** Inside of a paragraph these do not begin another. */
const inline = new Set(["seg", "quote", "stage", "speaker", "label", "list", "table", "row"]);
const leftOut = new Set("note fw figDesc del teiHeader standOff facsimile sourceDoc".split(" "));
/** Left out of a choice, which has something better. */
const leftOutOfChoices = new Set(["orig", "sic", "abbr"]);

export async function* teiDocuments(input: Input, reading: Reading): AsyncGenerator<Document> {
  const { source } = input;
  const texts = new TeiTexts(source.name, reading);
  const entities = new Entities(source.name, reading);
  const onIssue = ({ kind, message }: { kind: string; message: string }) =>
    reading.warnings.add(kind, message, { source: source.name });
  let decoder: TextDecoder | undefined;
  for await (const chunk of readSource(source, onIssue, reading.onRead)) {
    reading.signal?.throwIfAborted();
    decoder ??= decoderOf(chunk);
    texts.write(entities.replaced(decoder.decode(chunk, { stream: true })));
    yield* texts.take();
  }
  texts.end(entities.replaced(decoder?.decode() ?? "", true));
  yield* texts.take();
}

/** As the byte order mark says, or the declaration. */
function decoderOf(start: Uint8Array): TextDecoder {
  const encoding = encodingOf(start);
  if (encoding !== "utf-8") return new TextDecoder(encoding);
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, 256)).toString("latin1");
  const [, label = "utf-8"] =
    /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/.exec(text) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** A word or a mark of a line, or text that stands between them. */
interface Part {
  text: string;
  isToken: boolean;
  joinsLeft: boolean;
  joinsRight: boolean;
}

class TeiTexts {
  readonly #parser: Parser;
  readonly #gathering: Gathering;
  /** The names of the elements that are open. */
  readonly #open: string[] = [];
  /** How deep in elements that are left out. */
  #leftOut = 0;
  #choices = 0;
  #inText = 0;
  #parts: Part[] = [];
  #token: Part | undefined;
  /** What the header says, as it is read. */
  #header: { title?: string; date?: string; idno?: string } | undefined;
  #headerText = "";
  #lines: Part[][] = [];

  constructor(
    readonly source: string,
    readonly reading: Reading,
  ) {
    this.#gathering = new Gathering(source, reading);
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#opened(name.replace(/^\w+:/, ""), attributes),
        onclosetag: (name) => this.#closed(name.replace(/^\w+:/, "")),
        ontext: (text) => this.#text(text),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(text: string): void {
    this.#parser.write(text);
    if (this.#open.length > 0)
      this.reading.warnings.add(
        "truncated_xml",
        "a file ends inside an element; what there is of it is read",
        {
          source: this.source,
        },
      );
    this.#parser.end();
    this.#endParagraph();
    this.#gathering.end();
  }

  take(): Document[] {
    return this.#gathering.take();
  }

  #opened(name: string, attributes: Record<string, string>): void {
    this.#open.push(name);
    if (name === "TEI" || name === "TEI.2") {
      this.#endParagraph();
      const id = attributes["xml:id"] ?? attributes.id;
      this.#gathering.begin(id ? { id } : Object.create(null));
    } else if (name === "teiHeader") {
      this.#header = {};
    } else if (name === "choice") {
      this.#choices++;
    } else if (this.#header && (name === "title" || name === "idno" || name === "date")) {
      this.#headerText = "";
      const { when, from, notBefore } = attributes;
      if (name === "date") this.#header.date ??= when ?? from ?? notBefore;
    }
    if (isLeftOut(name, this.#choices)) this.#leftOut++;
    if (name === "text" && this.#leftOut === 0) this.#inText++;
    if (!this.#reads) return;
    if (paragraphs.has(name) && !(inline.has(name) && this.#parts.length > 0)) {
      this.#endParagraph();
      this.#gathering.paragraph(name === "head" ? { heading: "1" } : undefined);
    } else if (name === "s") {
      this.#endLine();
    } else if (name === "w" || name === "pc") {
      const { join = "" } = attributes;
      const isBoth = join === "both" || join === "overlap";
      const joins = { joinsLeft: isBoth || join === "left", joinsRight: isBoth || join === "right" };
      this.#token = { text: "", isToken: true, ...joins };
    } else if (name === "lb" || name === "cb" || name === "gap") {
      // <lb break="no"/> stands inside a word.
      if (attributes.break !== "no") this.#text(" ");
    }
  }

  #closed(name: string): void {
    this.#open.pop();
    if (this.#reads) {
      if ((name === "w" || name === "pc") && this.#token) {
        this.#parts.push(this.#token);
        this.#token = undefined;
      } else if (name === "s") {
        this.#endLine();
      } else if (paragraphs.has(name) && !inline.has(name)) {
        this.#endParagraph();
      }
    }
    if (this.#header && name !== "teiHeader") this.#headerElement(name);
    if (name === "teiHeader") this.#endHeader();
    if (name === "text" && this.#leftOut === 0) {
      this.#endParagraph();
      this.#inText--;
    }
    if (isLeftOut(name, this.#choices)) this.#leftOut--;
    if (name === "choice") this.#choices--;
    if (name === "TEI" || name === "TEI.2") {
      this.#endParagraph();
      this.#gathering.end();
    }
  }

  #text(text: string): void {
    if (this.#header) this.#headerText += text;
    if (!this.#reads) return;
    if (this.#token) {
      this.#token.text += text;
      return;
    }
    const last = this.#parts.at(-1);
    if (last && !last.isToken) last.text += text;
    else this.#parts.push({ text, isToken: false, joinsLeft: false, joinsRight: false });
  }

  get #reads(): boolean {
    return this.#inText > 0 && this.#leftOut === 0;
  }

  // ---- the header

  #headerElement(name: string): void {
    const header = this.#header!;
    const text = this.#headerText.replace(/\s+/g, " ").trim();
    if (text === "") return;
    if (name === "title") header.title ??= text;
    if (name === "idno") header.idno ??= text;
    if (name === "date" && /\d{3}/.test(text)) header.date ??= text;
  }

  #endHeader(): void {
    const header = this.#header;
    this.#header = undefined;
    const { attributes } = this.#gathering;
    // The header of a teiCorpus is about all texts of it: each has its own.
    if (!header || !attributes) return;
    const id = attributes.id ?? header.idno ?? this.source;
    const said: Attributes = { id };
    if (header.title) said.title = header.title;
    if (header.date) said.date = header.date;
    Object.assign(attributes, said);
  }

  // ---- paragraphs

  #endLine(): void {
    if (this.#parts.length > 0) this.#lines.push(this.#parts);
    this.#parts = [];
  }

  #endParagraph(): void {
    this.#endLine();
    const lines = this.#lines;
    this.#lines = [];
    const isSpaced = lines.some((parts) => parts.some(({ text }) => /\s/.test(text)));
    for (const parts of lines) this.#gathering.line(lineOf(parts, isSpaced));
    if (lines.length > 0) this.#gathering.paragraph();
  }
}

function isLeftOut(name: string, choices: number): boolean {
  return leftOut.has(name) || (choices > 0 && leftOutOfChoices.has(name));
}

/** Tokens and what stands between them, as one line of text. */
function lineOf(parts: Part[], isSpaced: boolean): string {
  let text = "";
  let before: Part | undefined;
  for (const part of parts) {
    const { isToken } = part;
    if (isToken && before?.isToken) {
      // Nothing stands between the two tags.
      if (!isSpaced && !before.joinsRight && !part.joinsLeft) text += " ";
    } else if (!isToken && part.text.trim() === "" && before?.joinsRight) {
      continue;
    }
    if (isToken && part.joinsLeft) text = text.trimEnd();
    text += part.text;
    before = part;
  }
  return text.replace(/\s+/g, " ").trim();
}
