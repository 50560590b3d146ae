/**
 * Files that are there when they are complete: until then they are written under another name beside their place. What is no
 * plain file (a pipe, a device) keeps its place and is written to at once; renaming would put a file where it was.
 */
import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Where a file is written until it is complete. */
export function partOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && !found.isFile() && !found.isDirectory() ? path : `${path}.part`;
}

export function writeWhole(path: string, bytes: Uint8Array): void {
  const part = partOf(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(part, bytes);
  if (part !== path) renameSync(part, path);
}
