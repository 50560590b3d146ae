/**
 * Files that are there when they are complete: until then they are written under another name beside their place. What is no
 * plain file (a pipe, a device) keeps its place and is written to at once; renaming would put a file where it was.
 */
import { closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../storage/folder.js";

/** Where a file is written until it is complete. */
export function unfinishedPath(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && !found.isFile() && !found.isDirectory() ? path : `${path}.part`;
}

export function writeWhole(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
  const unfinished = unfinishedPath(path);
  writeFileSync(unfinished, content);
  if (unfinished === path) return;
  syncFile(unfinished);
  renameSync(unfinished, path);
}

/** Returns when the disk has it. */
export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
