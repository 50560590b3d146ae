/**
 * Where built files lie. Workers and kernels exist only in dist/; code that runs from its TypeScript source
 * (under the test runner) finds them there too.
 */
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const below = `${sep}dist${sep}`;

/** The built file at `path` relative to dist/, e.g. "storage/kernels/kernels.wasm". Built code may lie anywhere below it. */
export function builtFile(path: string): string {
  const here = fileURLToPath(import.meta.url);
  if (here.endsWith(".ts")) return fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
  return join(here.slice(0, here.lastIndexOf(below) + below.length), path);
}
