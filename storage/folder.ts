/**
 * Makes a folder, with those that it lies in. One level after the other: where the system refuses what may not be made (in /proc),
 * mkdirSync with `recursive` tries again without end.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DugongError } from "./errors.js";

export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = kindOf(at);
    if (found === "folder") break;
    if (found === "other") throw cannotMake(folder, `${at} is no folder`);
    missing.push(at);
  }
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path);
    } catch (error) {
      // Another process may have made it since.
      if (kindOf(path) !== "folder") throw cannotMake(folder, (error as Error).message);
    }
  }
}

function kindOf(path: string): "folder" | "other" | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && (found.isDirectory() ? "folder" : "other");
  } catch {
    // Below something that is no folder, or that may not be looked into: its own turn comes.
    return undefined;
  }
}

function cannotMake(folder: string, why: string): DugongError {
  return new DugongError(
    "cannot_write",
    `cannot make the folder ${folder}: ${why}`,
    "Name another, or ask whoever owns it.",
  );
}
