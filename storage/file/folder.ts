/** Makes a folder, and those it lies in. Node's own way never ends where the system refuses with "no such file", as in /proc. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

export function makeFolders(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || existsSync(parent)) throw error;
    makeFolders(parent);
    makeFolders(path);
  }
}
