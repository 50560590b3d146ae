/**
 * Where built files lie. Workers and kernels exist only in dist/; code that runs from its TypeScript source
 * (under the test runner) finds them there too.
 */
import { fileURLToPath } from "node:url";

/** The built file at `path` relative to the project's root, e.g. "storage/kernels/kernels.wasm". */
export function builtFile(path: string): string {
  const here = fileURLToPath(import.meta.url);
  const root = here.endsWith(".ts") ? new URL("../dist/", import.meta.url) : new URL("../", import.meta.url);
  return fileURLToPath(new URL(path, root));
}
