/** Reads a flat file: header and contents when it is opened, sections when they are asked for. */
import { readSync } from "node:fs";
import { DugongError } from "../errors.js";
import { type Contents, checksumBytes, type Header, headerBytes, readHeader, xxh64 } from "./format.js";
import { Handle } from "./handle.js";

/** Bytes of a section that are read without a break. */
const pieceBytes = 2 << 20;

export class FileReader {
  private constructor(
    readonly path: string,
    readonly handle: Handle,
    readonly header: Header,
    readonly contents: Contents,
    /** Tells this very file from every other, also from one that had its name before: the buffer pool's key. */
    readonly identity: bigint,
  ) {}

  /** Opens a file of the given kind, or says what is wrong with it. */
  static open(path: string, kind: string, version: number): FileReader {
    let handle: Handle;
    try {
      handle = new Handle(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      throw broken(path, "there is no such file");
    }
    const { fd, stat } = handle;
    try {
      const head = Buffer.allocUnsafe(headerBytes);
      const got = readSync(fd, head, 0, headerBytes, 0);
      const header = readHeader(head.subarray(0, got));
      if (typeof header === "string") throw broken(path, header);
      if (header.kind !== kind) throw broken(path, `it is of kind ${header.kind}, not ${kind}`);
      if (header.version !== version) {
        throw new DugongError(
          "wrong_version",
          `${path} has version ${header.version} of the ${kind} format; this program reads version ${version}`,
          "Encode the corpus again, or use the version of Dugong that wrote it.",
        );
      }
      if (Number(stat.size) !== header.fileBytes) {
        throw broken(path, `it has ${stat.size} bytes and should have ${header.fileBytes}`);
      }
      const contents = Buffer.allocUnsafe(header.contentsBytes);
      readFully(fd, contents, header.contentsOffset);
      const identity = xxh64(Buffer.from(`${path}\0${stat.dev}\0${stat.ino}\0${stat.mtimeNs}\0${stat.size}`));
      return new FileReader(path, handle, header, JSON.parse(contents.toString()) as Contents, identity);
    } catch (error) {
      handle.close();
      if (error instanceof SyntaxError) throw broken(path, "its table of contents cannot be read");
      throw error;
    }
  }

  /** To be read from at once: what is opened next may close it. */
  get fd(): number {
    return this.handle.fd;
  }

  get bytes(): number {
    return this.header.fileBytes;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.contents.sections, name);
  }

  /** Offset and bytes of a section. */
  section(name: string): [offset: number, bytes: number] {
    const section = this.contents.sections[name];
    if (!section) throw broken(this.path, `it has no section ${name}`);
    return section;
  }

  /** A whole section, copied out; `checkpoint` is called now and then while a long one is read. */
  read(name: string, checkpoint: () => void = () => {}): Buffer<ArrayBuffer> {
    const [offset, bytes] = this.section(name);
    const target = Buffer.from(new ArrayBuffer(bytes));
    for (let from = 0; from < bytes; from += pieceBytes) {
      checkpoint();
      readFully(this.fd, target.subarray(from, from + pieceBytes), offset + from);
    }
    return target;
  }

  /** A whole section as integers. */
  integers(name: string): Uint32Array {
    const bytes = this.read(name);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  }

  /** Compares every checksum; returns what is wrong, or nothing. */
  verify(): string[] {
    const { contentsOffset, contentsBytes, fileBytes, checksumsHash } = this.header;
    const end = contentsOffset + contentsBytes;
    const checksums = Buffer.allocUnsafe(fileBytes - end);
    readFully(this.fd, checksums, end);
    if (xxh64(checksums) !== checksumsHash) return [`${this.path}: its table of checksums is damaged`];
    const problems: string[] = [];
    const buffer = Buffer.allocUnsafe(16 * checksumBytes);
    let index = 0;
    for (let start = headerBytes; start < end; start += buffer.length) {
      const part = buffer.subarray(0, Math.min(buffer.length, end - start));
      readFully(this.fd, part, start);
      for (let at = 0; at < part.length; at += checksumBytes, index++) {
        if (xxh64(part.subarray(at, at + checksumBytes)) !== checksums.readBigUInt64LE(index * 8)) {
          problems.push(
            `${this.path}: bytes ${start + at} to ${start + Math.min(at + checksumBytes, part.length)} are damaged`,
          );
        }
      }
    }
    return problems;
  }

  close(): void {
    this.handle.close();
  }
}

export function readFully(fd: number, target: Uint8Array, position: number): void {
  let done = 0;
  while (done < target.length) {
    const got = readSync(fd, target, done, target.length - done, position + done);
    if (got === 0)
      throw new DugongError("broken_file", `a file of the corpus ends at byte ${position + done}`);
    done += got;
  }
}

export function broken(path: string, what: string): DugongError {
  return new DugongError(
    "broken_file",
    `cannot read ${path}: ${what}`,
    "Run `dugong verify` on the corpus; encode it again if it is damaged.",
  );
}
