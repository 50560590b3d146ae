/** Removes files of a corpus that no snapshot names. Only for whoever holds the corpus for writing. */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Catalog } from "./catalog.js";

/** `job`: a job whose files are kept, though nothing names them yet. */
export function sweep(catalog: Catalog, corpus: string, job?: number): void {
  const folder = catalog.corpusFolder(corpus);
  if (!existsSync(folder)) return;
  const manifests = catalog.prune(corpus);
  const segments = new Set<string>();
  const lexicons = new Set<string>();
  for (const manifest of manifests) {
    for (const { id } of manifest.segments) segments.add(id);
    for (const record of Object.values(manifest.lexicons)) {
      for (const { file } of [...record.generations, record.statistics, ...(record.maps ?? [])])
        lexicons.add(file);
    }
  }
  clear(join(folder, "segments"), (name) => segments.has(name) || name.startsWith(`${job}.`));
  clear(join(folder, "lexicon"), (name) => lexicons.has(name) || name.includes(`.${job}.`));
  clear(join(folder, "work"), (name) => name === String(job));
  if (manifests.length === 0 && job === undefined) rmSync(folder, { recursive: true, force: true });
}

function clear(folder: string, keep: (name: string) => boolean): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!keep(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Makes the names in a folder safe, as fsync makes the bytes of a file. */
export function syncFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
