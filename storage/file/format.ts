/**
 * The container that every flat file of a corpus is: a header, named sections, their table, and checksums.
 *
 *   file      = header body contents checksums
 *   header    = 64 bytes, little-endian:
 *                  0  8 bytes  "DUGONG\r\n"
 *                  8  16 bytes kind, ASCII, padded with NUL: "stream", "postings", "structure", …
 *                 24  u32      version of that kind's format
 *                 28  u32      bytes of contents
 *                 32  u64      offset of contents
 *                 40  u64      bytes of the whole file
 *                 48  u64      xxh64 (seed 0) of the checksums
 *                 56  u64      xxh64 (seed 0) of bytes 0 … 56
 *   body      = sections, each from an offset divisible by 16, zero-filled between
 *   contents  = JSON {"sections": {name: [offset, bytes]}, "meta": {…}}, UTF-8
 *   checksums = xxh64 (seed 0) of each 64 KiB of body and contents, counted from offset 64; u64 each
 *
 * A file is written once, and never changed after its header is there.
 */
import xxhash from "xxhash-wasm";

export const headerBytes = 64;
export const checksumBytes = 65_536;
export const sectionAlignment = 16;
export const magic = Buffer.from("DUGONG\r\n", "latin1");

export interface Contents {
  sections: Record<string, [offset: number, bytes: number]>;
  meta: Record<string, unknown>;
}

export interface Header {
  kind: string;
  version: number;
  contentsBytes: number;
  contentsOffset: number;
  fileBytes: number;
  checksumsHash: bigint;
}

const { h64Raw, create64 } = await xxhash();

export const xxh64 = h64Raw;

/** The xxh64 of a long stretch of bytes, in parts: the hash's own memory stays small. */
export function xxh64Long(bytes: Uint8Array): bigint {
  const hash = create64();
  for (let at = 0; at < bytes.length; at += 1 << 20) hash.update(bytes.subarray(at, at + (1 << 20)));
  return hash.digest();
}

export function writeHeader(header: Header): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  magic.copy(bytes, 0);
  bytes.write(header.kind, 8, 16, "latin1");
  bytes.writeUInt32LE(header.version, 24);
  bytes.writeUInt32LE(header.contentsBytes, 28);
  bytes.writeBigUInt64LE(BigInt(header.contentsOffset), 32);
  bytes.writeBigUInt64LE(BigInt(header.fileBytes), 40);
  bytes.writeBigUInt64LE(header.checksumsHash, 48);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, 56)), 56);
  return bytes;
}

/** The header of a file, or what is wrong with it. */
export function readHeader(bytes: Buffer): Header | string {
  if (bytes.length < headerBytes) return "it is shorter than a header";
  if (!bytes.subarray(0, 8).equals(magic)) return "it does not begin with DUGONG";
  if (xxh64(bytes.subarray(0, 56)) !== bytes.readBigUInt64LE(56))
    return "the checksum of its header is wrong";
  return {
    kind: bytes.toString("latin1", 8, 24).replace(/\0+$/, ""),
    version: bytes.readUInt32LE(24),
    contentsBytes: bytes.readUInt32LE(28),
    contentsOffset: Number(bytes.readBigUInt64LE(32)),
    fileBytes: Number(bytes.readBigUInt64LE(40)),
    checksumsHash: bytes.readBigUInt64LE(48),
  };
}

export function alignUp(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
