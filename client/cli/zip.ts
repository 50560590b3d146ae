/**
 * A zip file written from front to back, entry after entry, without knowing sizes beforehand: each entry is deflated as it
 * comes, and followed by its checksum and sizes; the directory of all stands at the end.
 *
 *   file       = (header deflated sizes)* directory* end
 *   header     = "PK\3\4" version flags method time date 0 0 0 name; bit 3 of the flags: the sizes follow
 *   sizes      = "PK\7\8" checksum packed unpacked
 *   directory  = "PK\1\2" as in the header, with sizes, and the offset of the header
 *   end        = "PK\5\6" number of entries, size and offset of the directory
 *
 * Sizes and offsets have 32 bits, hence archiveBytesMax. Times are those of 1980: the same content gives the same bytes.
 */
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";
import { problem } from "../errors.js";
import { limits } from "./limits.js";

interface Entry {
  name: Buffer;
  offset: number;
  checksum: number;
  packed: number;
  unpacked: number;
}

const version = 20;
/** Sizes follow (3), names are UTF-8 (11). */
const flags = (1 << 3) | (1 << 11);
const deflated = 8;
/** The first of January 1980. */
const date = (1 << 5) | 1;
/** Quick to write: text of rows packs well anyway. */
const level = 3;

export class ZipWriter {
  readonly #entries: Entry[] = [];
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #offset = 0;
  #deflate: DeflateRaw | undefined;
  /** Packed, and not yet written. */
  #packed: Buffer[] = [];

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write;
  }

  /** Bytes of the entry that is being written, before they are packed. */
  get unpacked(): number {
    return this.#entries.at(-1)?.unpacked ?? 0;
  }

  async begin(name: string): Promise<void> {
    const entry = { name: Buffer.from(name), offset: this.#offset, checksum: 0, packed: 0, unpacked: 0 };
    this.#entries.push(entry);
    const header = Buffer.alloc(30);
    header.write("PK\x03\x04", 0, "latin1");
    describe(header, 4, entry, false);
    await this.#put(Buffer.concat([header, entry.name]));
    this.#deflate = createDeflateRaw({ level });
    this.#deflate.on("data", (bytes: Buffer) => this.#packed.push(bytes));
  }

  async add(text: string): Promise<void> {
    const entry = this.#entries.at(-1)!;
    const bytes = Buffer.from(text);
    entry.checksum = crc32(bytes, entry.checksum);
    entry.unpacked += bytes.length;
    await new Promise<void>((resolve, reject) => {
      this.#deflate!.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    await this.#putPacked(entry);
  }

  async end(): Promise<void> {
    const entry = this.#entries.at(-1)!;
    const deflate = this.#deflate!;
    await new Promise<void>((resolve, reject) => {
      deflate.on("end", resolve).on("error", reject);
      deflate.end();
    });
    await this.#putPacked(entry);
    const sizes = Buffer.alloc(16);
    sizes.write("PK\x07\x08", 0, "latin1");
    sizes.writeUInt32LE(entry.checksum, 4);
    sizes.writeUInt32LE(entry.packed, 8);
    sizes.writeUInt32LE(entry.unpacked, 12);
    await this.#put(sizes);
  }

  /** A whole entry. */
  async entry(name: string, text: string): Promise<void> {
    await this.begin(name);
    await this.add(text);
    await this.end();
  }

  /** The directory: the file is complete. */
  async finish(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) {
      const record = Buffer.alloc(46);
      record.write("PK\x01\x02", 0, "latin1");
      record.writeUInt16LE(version, 4);
      describe(record, 6, entry, true);
      record.writeUInt32LE(entry.offset, 42);
      await this.#put(Buffer.concat([record, entry.name]));
    }
    const end = Buffer.alloc(22);
    end.write("PK\x05\x06", 0, "latin1");
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#offset - start, 12);
    end.writeUInt32LE(start, 16);
    await this.#put(end);
  }

  async #putPacked(entry: Entry): Promise<void> {
    const packed = this.#packed;
    this.#packed = [];
    for (const bytes of packed) {
      entry.packed += bytes.length;
      await this.#put(bytes);
    }
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    if (this.#offset > limits.archiveBytesMax) {
      throw problem(
        "file_too_large",
        "the file would have more than 4 GiB (limit archiveBytesMax)",
        "Write fewer lines with --limit, or use --format csv.",
      );
    }
    await this.#write(bytes);
  }
}

/** What headers and the directory say of an entry, from its version on. */
function describe(record: Buffer, at: number, entry: Entry, known: boolean): void {
  record.writeUInt16LE(version, at);
  record.writeUInt16LE(flags, at + 2);
  record.writeUInt16LE(deflated, at + 4);
  record.writeUInt16LE(date, at + 8);
  if (known) {
    record.writeUInt32LE(entry.checksum, at + 10);
    record.writeUInt32LE(entry.packed, at + 14);
    record.writeUInt32LE(entry.unpacked, at + 18);
  }
  record.writeUInt16LE(entry.name.length, at + 22);
}
