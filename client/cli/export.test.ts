/** What is exported can be read again: tables, JSON lines, and spreadsheets, which are unzipped and parsed here. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Line } from "../../ql/index.js";
import { type ExportOptions, exportLines, type Format, formatOf } from "./export.js";
import { limits } from "./limits.js";
import { fileSink, type Sink } from "./sink.js";
import { type Cell, type XlsxLimits, XlsxWriter } from "./xlsx.js";

/** A sink that keeps everything. */
function memory(): Sink & { bytes(): Buffer } {
  const parts: Buffer[] = [];
  return {
    write: async (data) => void parts.push(Buffer.from(data as Uint8Array)),
    close: async () => {},
    abandon: async () => {},
    bytes: () => Buffer.concat(parts),
  };
}

// ---- readers, written after the standards

/** RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else while (at < text.length && text[at] !== "," && !text.startsWith("\r\n", at)) cell += text[at++];
    rows.at(-1)!.push(cell);
    if (text[at] === ",") {
      at++;
      if (at === text.length || text.startsWith("\r\n", at)) rows.at(-1)!.push("");
    }
    if (text.startsWith("\r\n", at)) {
      at += 2;
      if (at < text.length) rows.push([]);
    }
  }
  return rows;
}

function readTsv(text: string): string[][] {
  const values: Record<string, string> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };
  return text
    .slice(0, -1)
    .split("\n")
    .map((row) => row.split("\t").map((cell) => cell.replace(/\\(.)/g, (_, letter) => values[letter])));
}

/** The entries of a zip file, by its directory; checksums and sizes are compared with what is there. */
function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const entries = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  expect(at + bytes.readUInt32LE(end + 12)).toBe(end);
  for (let n = 0; n < bytes.readUInt16LE(end + 10); n++) {
    expect(bytes.toString("latin1", at, at + 4)).toBe("PK\x01\x02");
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const header = bytes.readUInt32LE(at + 42);
    expect(bytes.toString("latin1", header, header + 4)).toBe("PK\x03\x04");
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    expect(content.length).toBe(unpacked);
    expect(crc32(content)).toBe(bytes.readUInt32LE(at + 16));
    expect(bytes.toString("latin1", start + packed, start + packed + 4)).toBe("PK\x07\x08");
    entries.set(name, content.toString());
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

const unescapeXml = (text: string) =>
  text
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name as "amp"])
    .replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** The sheets of a workbook, in its order: cells by row and column. */
function readXlsx(bytes: Buffer): { name: string; rows: Cell[][] }[] {
  const entries = readZip(bytes);
  expect(entries.get("[Content_Types].xml")).toContain("/xl/workbook.xml");
  expect(entries.get("_rels/.rels")).toContain("xl/workbook.xml");
  const targets = new Map(
    [...entries.get("xl/_rels/workbook.xml.rels")!.matchAll(/Id="(\w+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id, target]) => [id, target],
    ),
  );
  const sheets = [...entries.get("xl/workbook.xml")!.matchAll(/<sheet name="([^"]*)"[^>]*r:id="(\w+)"/g)];
  return sheets.map(([, name, id]) => {
    const xml = entries.get(`xl/${targets.get(id)}`)!;
    expect(xml).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
    const rows: Cell[][] = [];
    for (const [, number, inside] of xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
      const row: Cell[] = [];
      for (const [, column, at, type, value] of inside.matchAll(
        /<c r="([A-Z]+)(\d+)"( t="inlineStr")?>(?:<v>|<is><t xml:space="preserve">)(.*?)(?:<\/v>|<\/t><\/is>)<\/c>/gs,
      )) {
        expect(at).toBe(number);
        const place = [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
        row[place] = type ? unescapeXml(value) : Number(value);
      }
      rows[Number(number) - 1] = row;
    }
    return { name, rows };
  });
}

// ---- lines of anything

const nasty = fc.string({
  unit: fc.constantFrom(
    "a",
    " ",
    ",",
    '"',
    "\t",
    "\n",
    "\r",
    "\\",
    "=",
    "+",
    "-",
    "@",
    "'",
    "<",
    "&",
    "_x0041_",
    "\x01",
    "漢",
    "👍",
    "\ud800",
  ),
  maxLength: 12,
});
const ref = fc.oneof(nasty, fc.nat(), fc.constant(null));
const lineList = fc.array(
  fc.record({ begin: fc.nat(), left: nasty, match: nasty, right: nasty, id: ref }).map(
    ({ begin, left, match, right, id }): Line => ({
      begin,
      end: begin + 1,
      left,
      match,
      right,
      refs: { "doc.id": id },
    }),
  ),
  { maxLength: 30 },
);

const options = (format: Format): ExportOptions => ({
  format,
  corpus: "tiny",
  refs: ["doc.id"],
  aligned: [],
  view: "kwic",
  width: 80,
});

async function exportedBytes(lines: Line[], format: Format): Promise<Buffer> {
  const sink = memory();
  async function* pages() {
    for (let at = 0; at < lines.length; at += 7) yield lines.slice(at, at + 7);
  }
  expect(await exportLines(pages(), sink, options(format))).toMatchObject({ lines: lines.length });
  return sink.bytes();
}

const headings = ["begin", "end", "doc.id", "left", "match", "right"];
const rowOf = ({ begin, end, refs, left, match, right }: Line) => [
  begin,
  end,
  refs!["doc.id"],
  left,
  match,
  right,
];
/** Bytes have no halves of characters. */
const whole = (text: string) => Buffer.from(text).toString();

describe("lines that are exported", () => {
  it("come back from CSV, formulas as text", () =>
    fc.assert(
      fc.asyncProperty(lineList, async (lines) => {
        const rows = readCsv((await exportedBytes(lines, "csv")).toString());
        const asText = (cell: Cell) =>
          typeof cell === "string"
            ? whole(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
            : String(cell ?? "");
        expect(rows).toEqual([headings, ...lines.map((line) => rowOf(line).map(asText))]);
      }),
    ));

  it("come back from TSV as they are", () =>
    fc.assert(
      fc.asyncProperty(lineList, async (lines) => {
        const rows = readTsv((await exportedBytes(lines, "tsv")).toString());
        expect(rows).toEqual([
          headings,
          ...lines.map((line) => rowOf(line).map((cell) => whole(String(cell ?? "")))),
        ]);
      }),
    ));

  it("come back from JSON lines as they are", () =>
    fc.assert(
      fc.asyncProperty(lineList, async (lines) => {
        const text = (await exportedBytes(lines, "jsonl")).toString();
        expect(
          text
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        ).toEqual(lines);
      }),
    ));

  it("come back from spreadsheets as they are", () =>
    fc.assert(
      fc.asyncProperty(lineList, async (lines) => {
        const [sheet, ...others] = readXlsx(await exportedBytes(lines, "xlsx"));
        expect(others).toEqual([]);
        expect(sheet.name).toBe("tiny");
        const cells = (line: Line) =>
          rowOf(line).map((cell) => (cell === "" || cell === null ? undefined : cell));
        // Cells without anything are not written.
        const got = sheet.rows.map((row) => headings.map((_, column) => row[column]));
        expect(got).toEqual([headings, ...lines.map(cells)]);
      }),
    ));

  it("are as people read them in text", async () => {
    const line = (match: string): Line => ({
      begin: 5,
      end: 6,
      left: "a",
      match,
      right: "c",
      refs: { "doc.id": "x" },
    });
    const text = (
      await exportedBytes(
        Array.from({ length: 10 }, (_, i) => line(`b${i}`)),
        "text",
      )
    ).toString();
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(new Set(lines.map((one) => one.indexOf("["))).size).toBe(1);
  });

  it("are whole in text, unless a width is given", async () => {
    const long = (word: string) => Array(60).fill(word).join(" ");
    const aligned = { de: [{ begin: 0, end: 1, text: long("c") }] };
    const refs = { "doc.id": "d".repeat(50) };
    const line: Line = {
      begin: 5,
      end: 6,
      left: long("a"),
      match: long("m"),
      right: long("b"),
      refs,
      aligned,
    };
    const whole = `${refs["doc.id"]}  ${line.left} [${line.match}] ${line.right}\n  de: ${aligned.de[0].text}\n`;
    const text = async (width?: number) => {
      const sink = memory();
      async function* pages() {
        yield [line];
      }
      const options = { format: "text" as const, corpus: "c", refs: ["doc.id"], aligned: ["de"] };
      await exportLines(pages(), sink, { ...options, view: "kwic", width });
      return sink.bytes().toString();
    };
    expect(await text()).toBe(whole);
    for (const cut of (await text(160)).trimEnd().split("\n")) expect(cut.length).toBeLessThanOrEqual(160);
  });

  it("have the format that a file's name speaks of", () => {
    expect(["a.csv", "b.TSV", "c.jsonl", "d.xlsx", "e.txt", "f", "g.pdf"].map(formatOf)).toEqual([
      "csv",
      "tsv",
      "jsonl",
      "xlsx",
      "text",
      undefined,
      undefined,
    ]);
  });
});

describe("a spreadsheet", () => {
  async function written(caps: Partial<XlsxLimits>, rows: Cell[][], headings = ["a", "b"]) {
    const sink = memory();
    const writer = new XlsxWriter(sink, "a/b:c*'d'", headings, { ...limits, ...caps });
    for (const row of rows) await writer.row(row);
    await writer.finish();
    return { sheets: readXlsx(sink.bytes()), writer };
  }

  it("begins a new sheet with the same headings when one has all the rows it may have", async () => {
    const rows = Array.from({ length: 10 }, (_, i): Cell[] => [i, `row ${i}`]);
    const { sheets } = await written({ sheetRowsMax: 5 }, rows);
    expect(sheets.map(({ name }) => name)).toEqual(["a_b_c__d_", "a_b_c__d_ 2", "a_b_c__d_ 3"]);
    expect(sheets.map((sheet) => sheet.rows.length)).toEqual([5, 5, 3]);
    expect(sheets.map((sheet) => sheet.rows[0])).toEqual(Array(3).fill(["a", "b"]));
    expect(sheets.flatMap((sheet) => sheet.rows.slice(1))).toEqual(rows);
  });

  it("cuts what does not fit into a cell, between characters, and counts it", async () => {
    const { sheets, writer } = await written({ cellCharsMax: 5 }, [["abcde", "abc👍👍"]]);
    expect(sheets[0].rows[1]).toEqual(["abcde", "abc…"]);
    expect(writer.cut).toBe(1);
  });

  it("has headings where there is no row", async () => {
    expect((await written({}, [])).sheets.map((sheet) => sheet.rows)).toEqual([[["a", "b"]]]);
  });

  it("has columns beyond Z", async () => {
    const headings = Array.from({ length: 30 }, (_, i) => `h${i}`);
    expect((await written({}, [], headings)).sheets[0].rows).toEqual([headings]);
  });
});

describe("a file that is written", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "dugong-export-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is there when it is complete, and what was there before until then", async () => {
    const path = join(folder, "lines.csv");
    writeFileSync(path, "before");
    const sink = await fileSink(path);
    await sink.write("after");
    expect(readFileSync(path, "utf8")).toBe("before");
    await sink.close();
    expect(readFileSync(path, "utf8")).toBe("after");
    const failed = await fileSink(path);
    await failed.write("half of");
    await failed.abandon();
    expect(readFileSync(path, "utf8")).toBe("after");
    expect(readdirSync(folder)).toEqual(["lines.csv"]);
  });

  it("may be no plain file", async () => {
    const sink = await fileSink("/dev/null");
    await sink.write(new Uint8Array(10));
    await sink.close();
  });
});
