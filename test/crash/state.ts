/** What a corpus is at a moment: its text, what is wrong with it, its files and their hashes. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Catalog, dumpCorpus, type Manifest, openCorpus, Pool, verifyCorpus } from "../../storage/index.js";

let pool: Pool | undefined;

/** Undefined while nothing has been published. */
export async function readCorpus(data: string, corpus: string, snapshot?: number) {
  if (!(await isPublished(data, corpus))) return undefined;
  pool ??= Pool.create(16 << 20);
  const open = openCorpus({ data, corpus, snapshot, pool });
  try {
    const text = [...dumpCorpus(open)].join("");
    return { text, problems: verifyCorpus(open).problems, snapshot: open.number };
  } finally {
    await open.close();
  }
}

async function isPublished(data: string, corpus: string): Promise<boolean> {
  if (!existsSync(join(data, "catalog.mdb"))) return false;
  const catalog = Catalog.open(data);
  try {
    return catalog.has(corpus);
  } finally {
    await catalog.close();
  }
}

export interface CorpusFiles {
  hashes: Record<string, string>;
  snapshots: number;
  leftovers: string[];
}

/**
 * The files of a corpus: a hash for each that the current snapshot names, under a name that does not depend on the
 * number of the job that wrote it; how many snapshots are kept; and what no snapshot names.
 */
export async function readFiles(data: string, corpus: string): Promise<CorpusFiles> {
  const catalog = Catalog.open(data);
  try {
    const folder = catalog.corpusFolder(corpus);
    const snapshots = catalog.snapshots(corpus);
    const hashes: Record<string, string> = {};
    for (const [role, path] of filesOf(catalog.manifest(corpus))) {
      hashes[role] = createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex");
    }
    const named = new Set(snapshots.flatMap((manifest) => [...filesOf(manifest).values()]));
    const leftovers = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => !named.has(path));
    return { hashes, snapshots: snapshots.length, leftovers };
  } finally {
    await catalog.close();
  }
}

/** How the files of one corpus differ from those of another, in a few words. */
export function differences(found: CorpusFiles, expected: CorpusFiles): string[] {
  const list = found.leftovers.map((path) => `${path} belongs to no snapshot`);
  if (found.snapshots !== expected.snapshots)
    list.push(`${found.snapshots} snapshots, not ${expected.snapshots}`);
  for (const role of Object.keys({ ...found.hashes, ...expected.hashes })) {
    if (!(role in found.hashes)) list.push(`${role} is missing`);
    else if (!(role in expected.hashes)) list.push(`${role} is too many`);
    else if (found.hashes[role] !== expected.hashes[role]) list.push(`${role} differs`);
  }
  return list.length > 10 ? [...list.slice(0, 10), `and ${list.length - 10} more`] : list;
}

/** What each file is for, and where it lies. */
function filesOf(manifest: Manifest): Map<string, string> {
  const files = new Map<string, string>();
  manifest.segments.forEach(({ id, files: own }, place) => {
    for (const { name } of own) files.set(`segment ${place}: ${name}`, join("segments", id, name));
  });
  for (const [key, { generations, maps, statistics }] of Object.entries(manifest.lexicons)) {
    for (const [i, { file }] of generations.entries())
      files.set(`${key}: lexicon ${i}`, join("lexicon", file));
    for (const [i, { file }] of (maps ?? []).entries()) files.set(`${key}: map ${i}`, join("lexicon", file));
    files.set(`${key}: statistics`, join("lexicon", statistics.file));
  }
  return files;
}
