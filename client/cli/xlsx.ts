/**
 * Tables as XLSX, written row by row: a zip of XML files (ECMA-376), one for each sheet, and some that name them.
 *
 * Text stands in its cells as inline strings: it is text whatever it looks like, "=1+1" too. Characters that XML cannot have
 * are written as _xHHHH_, as spreadsheets do; so is the "_" of text that looks like that. A sheet that is full is followed by another
 * with the same headings (sheetRowsMax, sheetBytesMax); text that is longer than a cell may be is cut (cellCharsMax).
 */
import { limits } from "./limits.js";
import type { Sink } from "./sink.js";
import { ZipWriter } from "./zip.js";

export type Cell = string | number | null;

export interface XlsxLimits {
  sheetRowsMax: number;
  sheetBytesMax: number;
  cellCharsMax: number;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** XML that is handed on at a time. */
const partChars = 1 << 16;

export class XlsxWriter {
  readonly #zip: ZipWriter;
  readonly #letters: string[];
  #sheets = 0;
  /** Rows of the sheet that is being written. */
  #rows = 0;
  #text = "";
  /** Cells whose text was cut. */
  cut = 0;

  constructor(
    sink: Pick<Sink, "write">,
    /** What the sheets are called, with a number from the second on. */
    readonly name: string,
    readonly headings: readonly string[],
    readonly caps: XlsxLimits = limits,
  ) {
    this.#zip = new ZipWriter((bytes) => sink.write(bytes));
    this.#letters = headings.map((_, column) => letters(column));
  }

  get sheets(): number {
    return this.#sheets;
  }

  async row(cells: readonly Cell[]): Promise<void> {
    const full =
      this.#rows >= this.caps.sheetRowsMax ||
      this.#zip.unpacked + this.#text.length * 3 > this.caps.sheetBytesMax;
    if (this.#sheets === 0 || full) await this.#beginSheet();
    this.#add(cells);
    if (this.#text.length > partChars) await this.#flush();
  }

  #add(cells: readonly Cell[]): void {
    const row = ++this.#rows;
    let text = `<row r="${row}">`;
    for (let column = 0; column < cells.length; column++) {
      const cell = cells[column];
      if (cell === null || cell === "") continue;
      const at = `${this.#letters[column]}${row}`;
      text +=
        typeof cell === "number"
          ? `<c r="${at}"><v>${cell}</v></c>`
          : `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${this.#cellText(cell)}</t></is></c>`;
    }
    this.#text += `${text}</row>`;
  }

  #cellText(text: string): string {
    let shown = text;
    if (text.length > this.caps.cellCharsMax) {
      this.cut++;
      // Not between the two halves of a character.
      shown = `${text.slice(0, this.caps.cellCharsMax - 1).replace(/[\ud800-\udbff]$/, "")}…`;
    }
    return xmlText(shown);
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    await this.#zip.add(text);
  }

  async #beginSheet(): Promise<void> {
    await this.#endSheet();
    this.#sheets++;
    this.#rows = 0;
    await this.#zip.begin(`xl/worksheets/sheet${this.#sheets}.xml`);
    this.#text = `${declaration}<worksheet xmlns="${main}"><sheetData>`;
    this.#add(this.headings);
  }

  async #endSheet(): Promise<void> {
    if (this.#sheets === 0) return;
    this.#text += "</sheetData></worksheet>";
    await this.#flush();
    await this.#zip.end();
  }

  /** The rest of the file. */
  async finish(): Promise<void> {
    if (this.#sheets === 0) await this.#beginSheet();
    await this.#endSheet();
    const sheets = Array.from({ length: this.#sheets }, (_, i) => i + 1);
    await this.#zip.entry(
      "xl/workbook.xml",
      `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheets
        .map((n) => `<sheet name="${xmlText(this.#sheetName(n))}" sheetId="${n}" r:id="rId${n}"/>`)
        .join("")}</sheets></workbook>`,
    );
    await this.#zip.entry(
      "xl/_rels/workbook.xml.rels",
      `${declaration}<Relationships xmlns="${packages}/relationships">${sheets
        .map(
          (n) =>
            `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
        )
        .join("")}</Relationships>`,
    );
    await this.#zip.entry(
      "_rels/.rels",
      `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    );
    await this.#zip.entry(
      "[Content_Types].xml",
      `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>${sheets
        .map(
          (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`,
        )
        .join("")}</Types>`,
    );
    await this.#zip.finish();
  }

  /** At most 31 characters, and none of those that mean something in formulas. */
  #sheetName(number: number): string {
    const name = this.name.replace(/[[\]:*?/\\']/g, "_").slice(0, 25) || "lines";
    return number === 1 ? name : `${name} ${number}`;
  }
}

/** A, B, … Z, AA, AB … */
function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? letters(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as it may stand in XML. Readers of XML make a line feed of a carriage return, unless it is written so too. */
export function xmlText(text: string): string {
  if (!/[&<>"\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]|_x[0-9a-fA-F]{4}_/.test(text)) return text;
  return text
    .replace(/_(?=x[0-9a-fA-F]{4}_)/g, "_x005F_")
    .replace(/[\x00-\x08\x0b-\x1f\ufffe\uffff]|\p{Surrogate}/gu, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    })
    .replace(/[&<>"]/g, (character) => entities[character]);
}
