/** The headers of records: a block of fields in WARC, a line in ARC. Read leniently, as they are written by many hands. */
import type { ArchiveRecord } from "./reader.js";

const newline = 0x0a;
const carriageReturn = 0x0d;

type Fields = Record<string, string>;
type Said = Omit<ArchiveRecord, "block" | "offset">;

export interface RecordHeader {
  bytes: number;
  /** Of the block; undefined if it makes no sense. */
  length: number | undefined;
  record: () => Said;
}

// ---- WARC

export function startsWarcRecord(bytes: Uint8Array): boolean {
  // WARC/d.
  return (
    bytes.length >= 7 &&
    (bytes[0] | 0x20) === 0x77 &&
    (bytes[1] | 0x20) === 0x61 &&
    (bytes[2] | 0x20) === 0x72 &&
    (bytes[3] | 0x20) === 0x63 &&
    bytes[4] === 0x2f &&
    bytes[5] >= 0x30 &&
    bytes[5] <= 0x39 &&
    bytes[6] === 0x2e
  );
}

/** "more" if it does not end in these bytes; undefined if none starts here. */
export function warcHeader(bytes: Uint8Array): RecordHeader | "more" | undefined {
  if (bytes.length < 7) return "more";
  if (!startsWarcRecord(bytes)) return undefined;
  const end = endOfFields(bytes, 0);
  if (end < 0) return "more";
  const headers = fieldsOf(textOf(bytes, end));
  const length = lengthOf(headers["content-length"]);
  const record = (): Said => ({
    format: "warc",
    type: (headers["warc-type"] ?? "").toLowerCase(),
    // wget writes <http://…>, as the grammar of 1.0 says and nobody else does.
    url: (headers["warc-target-uri"] ?? "").replace(/^<(.*)>$/, "$1"),
    date: isoDate(headers["warc-date"] ?? ""),
    contentType: headers["content-type"] ?? "",
    headers,
  });
  return { bytes: end, length, record };
}

/** Where what follows an empty line starts; -1 if there is none. */
export function endOfFields(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(newline, from); at >= 0; at = bytes.indexOf(newline, at + 1)) {
    if (bytes[at + 1] === newline) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === newline) return at + 3;
  }
  return -1;
}

/**
 * The fields of a header, without its first line: "name: value", names in lower case, lines that begin with white space
 * joined to the one before, lines without a colon left out. Of a name given twice, values with ", " between them.
 */
export function fieldsOf(text: string): Fields {
  const fields: Fields = Object.create(null);
  let last = "";
  const lines = text.split("\n");
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i];
    const first = line.charCodeAt(0);
    if (first === 0x20 || first === 0x09) {
      const more = line.trim();
      if (last !== "" && more !== "") fields[last] = `${fields[last]} ${more}`;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    last = name;
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
  }
  return fields;
}

/** "123"; also where two fields say the same. */
function lengthOf(value: string | undefined): number | undefined {
  const [, digits] = /^(\d{1,15})(?:, \1)*$/.exec(value ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function isoDate(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/.test(text) ? text : undefined;
}

// ---- ARC

/** Addresses may have spaces in them, as may types: what lies between is sure. Version 2 has more fields before the length. */
const arcLine = /^([a-z][a-z0-9+.-]*:.*?) +([0-9a-f.:]+|-) +(\d{8,18}) +(\S.*?) +(-?\w+)$/i;
const arcLineBytesMax = 64 * 1024;

export function startsArcRecord(bytes: Uint8Array): boolean {
  const header = arcHeader(bytes);
  return header !== undefined && header !== "more";
}

export function arcHeader(bytes: Uint8Array): RecordHeader | "more" | undefined {
  const end = bytes.indexOf(newline);
  if (end > arcLineBytesMax) return undefined;
  if (end < 0) return bytes.length > arcLineBytesMax ? undefined : "more";
  // Most lines are none, and a letter and a digit show it.
  if (!isLetter(bytes[0]) || !isDigitOrLetter(bytes[bytes[end - 1] === carriageReturn ? end - 2 : end - 1]))
    return undefined;
  const found = arcLine.exec(textOf(bytes, end).trim());
  if (!found) return undefined;
  const [, url, , date, type, length] = found;
  const record = (): Said => ({
    format: "arc",
    type: url.startsWith("filedesc:") ? "warcinfo" : "response",
    url,
    date: arcDate(date),
    contentType: type.split(" ")[0],
    headers: Object.create(null),
  });
  return { bytes: end + 1, length: lengthOf(length), record };
}

/** 20080430204825 */
function arcDate(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(digits) ?? [];
  return year && `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function isDigitOrLetter(byte: number): boolean {
  return isLetter(byte) || (byte >= 0x30 && byte <= 0x39);
}

function textOf(bytes: Uint8Array, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, end).toString("utf8");
}
