/**
 * A concordance as CSV, as long as it may be: rows are written as they come, and the server waits for the disk.
 *
 *   node export-csv.js ws://localhost:7717 demo '[lemma="war"]' war.csv doc.year doc.president
 */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect, type Rows } from "dugong";

const [address, corpusName, query, output, ...refs] = process.argv.slice(2);
if (output === undefined) {
  console.error("usage: export-csv.js ADDRESS CORPUS QUERY FILE [REFERENCE …]");
  process.exit(2);
}

const session = await connect(address);
const lines = session.corpus(corpusName).query(query, { refs, context: "10" });
await pipeline(Readable.from(csv(lines, refs)), createWriteStream(output));
console.error(`${lines.total?.value} lines of ${lines.known.corpus} written to ${output}`);
await session.close();

interface Written {
  left: string;
  match: string;
  right: string;
  refs: Record<string, unknown>;
}

async function* csv(rows: Rows<Written>, names: string[]): AsyncGenerator<string> {
  yield row([...names, "left", "match", "right"]);
  for await (const { refs: own = {}, left, match, right } of rows)
    yield row([...names.map((name) => own[name]), left, match, right]);
}

function row(cells: unknown[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Text that a spreadsheet would take for a formula gets a ' before it. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const harmless = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
