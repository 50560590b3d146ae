/** Folders of computations that were ended: what of them is gone on with, and what nobody needs. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Tells what is computed from what: the same parts, the same hash. */
export function hashOf(parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** What was left of computations of this name that nobody goes on with. */
export function clearOthers(folder: string, name: string, own: string): void {
  if (!existsSync(folder)) return;
  for (const other of readdirSync(folder))
    if (other !== own && other.slice(0, other.lastIndexOf(".")) === name)
      rmSync(join(folder, other), { recursive: true, force: true });
}
