/** The version in package.json, found by the package's own name: built code may lie anywhere below dist/. */
import { createRequire } from "node:module";

export function version(): string {
  const require = createRequire(import.meta.url);
  return (require("dugong/package.json") as { version: string }).version;
}
