/**
 * WARC 1.1 (ISO 28500), a gzip member for each record, so that any of them can be read from where it begins.
 *
 *   file     = warcinfo response*
 *   record   = "WARC/1.1" CRLF (field CRLF)* CRLF block CRLF CRLF
 *   response = the status line and header lines as they came, an empty line, the body as it came
 *
 * The body keeps its content encoding. Of a chunked one the chunks are gone; it is written as a single chunk, so that header and
 * body agree. Digests are SHA-1 in base 32, of the body without any chunks. What was cut off has WARC-Truncated.
 *
 * Records are put together in memory and written with `flush`, which says up to where the file is whole. A writer that is told to go
 * on from such a place cuts off what lies behind it. All is synchronous: this belongs into a thread of its own.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DugongError } from "../../storage/errors.js";

export interface WarcResponse {
  url: string;
  fetched: Date;
  /** The address that it came from. */
  address?: string;
  /** "HTTP/1.1 200 OK" and the header lines, each with its CRLF. */
  head: Uint8Array;
  body: Uint8Array;
  isChunked?: boolean;
  /** Why there is no more of the body. */
  truncated?: "length" | "time" | "disconnect";
}

/** Up to here all is whole. */
export interface WarcPlace {
  /** Of the file, from 1; 0 before there is any. */
  serial: number;
  bytes: number;
}

export interface WarcWriterOptions {
  folder: string;
  /** Files are PREFIX-00001.warc.gz and so on. */
  prefix: string;
  /** A file that is as large is ended. */
  bytesMax: number;
  /** Of zlib. */
  level: number;
  /** For the warcinfo record: software, robots, … */
  info: Record<string, string>;
  from?: WarcPlace;
}

const crlf = Buffer.from("\r\n");
const recordEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

export class WarcWriter {
  #serial = 0;
  #bytes = 0;
  #file: number | undefined;
  #infoId = "";
  #members: Uint8Array[] = [];
  #pending = 0;

  constructor(readonly options: WarcWriterOptions) {
    mkdirSync(options.folder, { recursive: true });
    const { serial, bytes } = options.from ?? { serial: 0, bytes: 0 };
    this.#dropAfter(serial);
    this.#serial = serial;
    if (serial > 0) this.#reopen(bytes);
  }

  /** Where the record will begin: the file's number, and bytes from its start. */
  add(response: WarcResponse): WarcPlace {
    if (this.#file === undefined || this.#bytes + this.#pending >= this.options.bytesMax) this.#next();
    const place = { serial: this.#serial, bytes: this.#bytes + this.#pending };
    const { url, fetched, address, head, body, isChunked, truncated } = response;
    const block = isChunked
      ? [head, crlf, Buffer.from(`${body.length.toString(16)}\r\n`), body, body.length > 0 ? lastChunk : crlf]
      : [head, crlf, body];
    this.#push(
      {
        "WARC-Type": "response",
        "WARC-Record-ID": `<urn:uuid:${randomUUID()}>`,
        "WARC-Warcinfo-ID": this.#infoId || undefined,
        "WARC-Date": fetched.toISOString(),
        "WARC-Target-URI": url,
        "WARC-IP-Address": address,
        "WARC-Payload-Digest": payloadDigest(body),
        "WARC-Truncated": truncated,
        "Content-Type": "application/http;msgtype=response",
      },
      block,
    );
    return place;
  }

  /** Writes what was added. */
  flush(): WarcPlace {
    if (this.#pending > 0) {
      const bytes = Buffer.concat(this.#members, this.#pending);
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(this.#file!, bytes, at);
      } catch (error) {
        throw new DugongError("cannot_write", `cannot write ${this.path}: ${(error as Error).message}`);
      }
      this.#bytes += this.#pending;
      this.#members = [];
      this.#pending = 0;
    }
    return { serial: this.#serial, bytes: this.#bytes };
  }

  close(): WarcPlace {
    const place = this.flush();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    return place;
  }

  get path(): string {
    return this.#pathOf(this.#serial);
  }

  #pathOf(serial: number): string {
    const { folder, prefix } = this.options;
    return join(folder, `${prefix}-${String(serial).padStart(5, "0")}.warc.gz`);
  }

  #reopen(bytes: number): void {
    if (!existsSync(this.path))
      throw new DugongError("missing_warc", `${this.path} is gone, and was to be continued`);
    this.#file = openSync(this.path, "r+");
    const { size } = fstatSync(this.#file);
    if (size < bytes) {
      throw new DugongError("short_warc", `${this.path} has ${size} bytes; ${bytes} had been written`);
    }
    ftruncateSync(this.#file, bytes);
    closeSync(this.#file);
    this.#file = openSync(this.path, "a");
    this.#bytes = bytes;
  }

  /** Files that were begun and are not known of. */
  #dropAfter(serial: number): void {
    const { folder, prefix } = this.options;
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${prefix}-`)) continue;
      const [, digits] = /^-(\d+)\.warc\.gz$/.exec(name.slice(prefix.length)) ?? [];
      if (digits && Number(digits) > serial) rmSync(join(folder, name));
    }
  }

  #next(): void {
    this.close();
    this.#serial++;
    this.#bytes = 0;
    this.#file = openSync(this.path, "a");
    const id = `<urn:uuid:${randomUUID()}>`;
    this.#infoId = id;
    const lines = Object.entries(this.options.info).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#push(
      {
        "WARC-Type": "warcinfo",
        "WARC-Record-ID": id,
        "WARC-Date": new Date().toISOString(),
        "WARC-Filename": this.path.slice(this.path.lastIndexOf("/") + 1),
        "Content-Type": "application/warc-fields",
      },
      [Buffer.from(lines.join(""))],
    );
  }

  #push(fields: Record<string, string | undefined>, block: Uint8Array[]): void {
    let header = "WARC/1.1\r\n";
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) header += `${name}: ${value}\r\n`;
    }
    const length = block.reduce((sum, part) => sum + part.length, 0);
    header += `Content-Length: ${length}\r\n\r\n`;
    const record = Buffer.concat([Buffer.from(header), ...block, recordEnd]);
    const member = gzipSync(record, { level: this.options.level });
    this.#members.push(member);
    this.#pending += member.length;
  }
}

/** "sha1:" and the digest in base 32. */
export function payloadDigest(body: Uint8Array): string {
  return `sha1:${base32(createHash("sha1").update(body).digest())}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, without padding: digests of SHA-1 need none. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31];
    }
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}
