/** Reads WARC files in the plainest way: member by member, each of them one whole record. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

export interface WarcRecord {
  file: string;
  offset: number;
  fields: Record<string, string>;
  block: Buffer;
}

export interface WarcHttp {
  statusLine: string;
  headers: Record<string, string>;
  body: Buffer;
}

export function readWarcs(out: string): WarcRecord[] {
  const folder = join(out, "warc");
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readWarc(join(folder, name)));
}

function readWarc(file: string): WarcRecord[] {
  const bytes = readFileSync(file);
  const records: WarcRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 3] !== 0)
      throw new Error(`no gzip member at ${at}`);
    const { buffer, engine } = inflateRawSync(bytes.subarray(at + 10), {
      info: true,
    } as object) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    records.push(recordOf(buffer, file, at));
    at += 10 + engine.bytesWritten + 8;
    if (at > bytes.length) throw new Error("a member is cut off");
  }
  return records;
}

function recordOf(record: Buffer, file: string, offset: number): WarcRecord {
  const [version, fields, block] = split(record);
  if (version !== "WARC/1.1") throw new Error(`not a record: ${version}`);
  const length = Number(fields["content-length"]);
  if (block.length !== length + 4 || block.subarray(length).toString() !== "\r\n\r\n")
    throw new Error("a record does not have the length that it says");
  return { file, offset, fields, block: block.subarray(0, length) };
}

export function httpOf({ block }: WarcRecord): WarcHttp {
  const [statusLine, headers, rest] = split(block);
  if (!/chunked/.test(headers["transfer-encoding"] ?? "")) return { statusLine, headers, body: rest };
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, end).toString(), 16);
    if (size === 0) return { statusLine, headers, body: Buffer.concat(chunks) };
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function split(message: Buffer): [string, Record<string, string>, Buffer] {
  const end = message.indexOf("\r\n\r\n");
  const [first, ...lines] = message.subarray(0, end).toString("latin1").split("\r\n");
  const fields = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return [first, Object.fromEntries(fields), message.subarray(end + 4)];
}
