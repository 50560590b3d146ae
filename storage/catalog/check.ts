/**
 * Is a catalogue's file one that LMDB can map into memory? LMDB trusts it, and a file that was cut off or overwritten ends the
 * process without a word. It begins with two pages that say what there is; the newer one counts:
 *
 *   page = header:24  magic:4  version:4  address:8  map size:8  free pages:48  records:48  last page:8  transaction:8
 *   free pages, records = page size:4 (of the first)  …:36  root page:8      (numbers in the machine's order, of 64 bits)
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { DugongError } from "../errors.js";

const magic = 0xbeefc0de;
const pageBytesMin = 512;
const pageBytesMax = 65_536;
const noPage = 2n ** 64n - 1n;
const at = { magic: 24, pageBytes: 48, freeRoot: 88, recordsRoot: 136, transaction: 152 };
const headBytes = 160;

/** Throws if the file cannot be a catalogue. One that is empty, or is not there, is one that is about to be made. */
export function checkFile(path: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0 || endianness() !== "LE") return;
  const problem = problemOf(path, bytes);
  if (!problem) return;
  throw new DugongError(
    "broken_catalog",
    `${path} is damaged: ${problem}`,
    "Put back a copy of it, or move it away and encode the corpora again: without it nobody knows what their files are.",
  );
}

function problemOf(path: string, bytes: number): string | undefined {
  const fd = openSync(path, "r");
  try {
    const first = Buffer.alloc(headBytes);
    if (readSync(fd, first, 0, headBytes, 0) < headBytes) return "it ends too soon";
    const pageBytes = first.readUInt32LE(at.pageBytes);
    if (first.readUInt32LE(at.magic) !== magic || pageBytes < pageBytesMin || pageBytes > pageBytesMax)
      return "it does not begin as a catalogue does";
    const second = Buffer.alloc(headBytes);
    if (readSync(fd, second, 0, headBytes, pageBytes) < headBytes) return "it ends too soon";
    if (second.readUInt32LE(at.magic) !== magic) return "its second page is not that of a catalogue";
    const [older, newer] = [first, second].sort((a, b) =>
      Number(a.readBigUInt64LE(at.transaction) - b.readBigUInt64LE(at.transaction)),
    );
    // The older one counts where the newer one was not written whole.
    for (const page of [older, newer]) {
      for (const root of [page.readBigUInt64LE(at.freeRoot), page.readBigUInt64LE(at.recordsRoot)])
        if (root !== noPage && (root + 1n) * BigInt(pageBytes) > bytes) return "it ends too soon";
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}
