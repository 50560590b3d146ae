/** What no compiler checks: which room may import which, and that the house stays as the README says it is. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** What each room may import of the others. `client/cli` alone loads other rooms, and only when they are needed. */
const rooms: Record<string, string[]> = {
  storage: [],
  ql: ["storage"],
  ingest: [],
  client: [],
  server: ["ql", "storage", "client/protocol"],
  test: ["storage", "ql", "ingest", "client", "server", "bench"],
  bench: ["storage", "ql", "ingest", "client", "server"],
};

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("storage/kernels/assembly/"));
}

interface Import {
  file: string;
  target: string;
  lazy: boolean;
}

/** Relative imports of a file, as paths from the root. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found: Import[] = [];
  const add = (specifier: string, lazy: boolean) => {
    if (specifier.startsWith(".")) found.push({ file, target: join(dirname(file), specifier), lazy });
  };
  for (const match of text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"/g))
    add(match[1], false);
  for (const match of text.matchAll(/(?:^|\n)import\s+"([^"]+)"/g)) add(match[1], false);
  for (const match of text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)) add(match[1], true);
  return found;
}

function mayImport({ file, target, lazy }: Import): boolean {
  const [from] = file.split("/");
  const [to] = target.split("/");
  if (from === to) return true;
  if (file.startsWith("client/cli/") || file.startsWith("client/shell/")) {
    return lazy || isTypeOnly(file, target) || file.endsWith(".test.ts");
  }
  return rooms[from].some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

/** Types cost nothing when the program runs: the command line may name them. */
function isTypeOnly(file: string, target: string): boolean {
  const text = readFileSync(join(root, file), "utf8");
  const specifier = target.split("/").slice(1).join("/");
  return [...text.matchAll(/import\s+(type\s+)?[^;]*?from\s+"([^"]+)"/g)]
    .filter((match) => match[2].endsWith(specifier))
    .every((match) => match[1] !== undefined);
}

describe("the house", () => {
  const files = Object.keys(rooms).flatMap(sourcesOf);

  it("lets each room import only what it may", () => {
    const wrong = files
      .flatMap(importsOf)
      .filter((found) => !mayImport(found))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(wrong).toEqual([]);
    expect(files.length).toBeGreaterThan(30);
  });

  it("notices an import that is not allowed", () => {
    expect(mayImport({ file: "storage/x.ts", target: "ql/y.js", lazy: false })).toBe(false);
    expect(mayImport({ file: "ingest/x.ts", target: "storage/y.js", lazy: false })).toBe(false);
    expect(mayImport({ file: "server/x.ts", target: "client/cli/y.js", lazy: false })).toBe(false);
    expect(mayImport({ file: "server/x.ts", target: "client/protocol/y.js", lazy: false })).toBe(true);
  });

  it("has nothing at the top level but what belongs there", () => {
    const allowed = [
      ...Object.keys(rooms),
      ...["package.json", "package-lock.json", "README.md", "LICENSE", "docs", "dist", "node_modules"],
      ...["tsconfig.json", "dugong-data"],
    ];
    const entries = readdirSync(root).filter((name) => !name.startsWith(".") && !allowed.includes(name));
    expect(entries).toEqual([]);
  });

  it("keeps the address of no registry in the lock file", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(
      /"resolved"|https?:\/\/[^"]*registry/,
    );
  });

  it("leaves no test unrun", () => {
    const skipped = files.filter(
      (file) =>
        file.endsWith(".test.ts") &&
        /\b(it|test|describe)\.(only|todo|skip)\(/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(skipped.filter((file) => file !== "test/tidy.test.ts")).toEqual([]);
  });
});
