/**
 * Rows of text files.
 *
 *   csv   RFC 4180: cells with a comma, a quote or a line end stand in quotes, quotes are doubled, rows end with CR LF.
 *         For spreadsheets: text that they would take for a formula (it begins with = + - @, a tab or a carriage return)
 *         gets a ' before it, so that it is text.
 *   tsv   For programs: exactly what there is. A tab, a line end and a backslash are written \t \n \r \\.
 */
import type { Cell } from "./xlsx.js";

export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const escapes: Record<string, string> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };

export function tsvRow(cells: readonly Cell[]): string {
  return `${cells.map(tsvCell).join("\t")}\n`;
}

function tsvCell(cell: Cell): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  return /[\t\n\r\\]/.test(cell) ? cell.replace(/[\t\n\r\\]/g, (character) => escapes[character]) : cell;
}
