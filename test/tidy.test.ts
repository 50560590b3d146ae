/** What no compiler checks: which room may import which, and that the house stays as the README says it is. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** What each room may import of the others. The client names their types; a few of its files load them (below). */
const rooms: Record<string, string[]> = {
  storage: [],
  ql: ["storage"],
  // It reads files and starts threads as the encoder does, and fails as all rooms do; it knows nothing of corpora.
  ingest: [
    "storage/input",
    "storage/built.js",
    "storage/errors.js",
    "storage/folder.js",
    "storage/derive/nearest.js",
  ],
  client: [],
  server: ["ql", "storage", "client/protocol"],
  test: ["storage", "ql", "ingest", "client", "server", "bench"],
  bench: ["storage", "ql", "ingest", "client", "server"],
};

/**
 * The command line asks through the client library, which speaks the wire protocol; so does the shell. What of it loads
 * other rooms when it runs, and why. (The library's own `local.ts` loads the server.)
 */
const loaders: Record<string, { rooms: string[]; why: string }> = {
  "client/cli/align.ts": { rooms: ["ql", "storage"], why: "makes and removes alignments" },
  "client/cli/append.ts": { rooms: ["storage"], why: "encodes" },
  "client/cli/catalog.ts": { rooms: ["storage"], why: "looks up what is there, for those who make corpora" },
  "client/cli/clean.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/coll.ts": { rooms: ["ql/stats/measures.js"], why: "its help explains every measure" },
  "client/cli/compact.ts": { rooms: ["storage"], why: "encodes" },
  "client/cli/crawl.ts": { rooms: ["ingest"], why: "crawls" },
  "client/cli/dedup.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/demo.ts": { rooms: ["storage", "ingest"], why: "makes a corpus" },
  "client/cli/demo-sketches.ts": { rooms: ["ql", "storage"], why: "computes sketches" },
  "client/cli/dump.ts": { rooms: ["storage"], why: "writes all of a corpus" },
  "client/cli/encode.ts": { rooms: ["storage"], why: "encodes" },
  "client/cli/language.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/language-train.ts": { rooms: ["ingest"], why: "makes a model" },
  "client/cli/pagerank.ts": { rooms: ["storage"], why: "ranks the pages of a link table" },
  "client/cli/pipeline.ts": { rooms: ["ingest", "storage"], why: "runs steps, and encodes" },
  "client/cli/places.ts": { rooms: ["ql/cql/diagnose.js"], why: "draws marks under a text" },
  "client/cli/read.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/remove.ts": { rooms: ["storage"], why: "removes files" },
  "client/cli/serve.ts": { rooms: ["server"], why: "is the server" },
  "client/cli/sketch-compute.ts": { rooms: ["ql", "storage"], why: "computes and removes sketches" },
  "client/cli/space-build.ts": { rooms: ["storage"], why: "builds and removes spaces" },
  "client/cli/space.ts": { rooms: ["storage"], why: "looks into spaces, checks and dumps them" },
  "client/cli/tag.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/tag-train.ts": { rooms: ["ingest"], why: "makes a model" },
  "client/cli/tokenise.ts": { rooms: ["ingest"], why: "a step of ingest" },
  "client/cli/thesaurus-compute.ts": { rooms: ["ql"], why: "computes a thesaurus" },
  "client/cli/token.ts": { rooms: ["server", "storage"], why: "says who may ask" },
  "client/cli/verify.ts": { rooms: ["storage"], why: "checks every byte" },
  "client/cli/welcome.ts": { rooms: ["server"], why: "serves" },
  "client/shell/trouble.ts": { rooms: ["ql/cql/diagnose.js"], why: "draws marks under a text" },
  "client/local.ts": { rooms: ["server/local.js"], why: "is the server in this process" },
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
  if (from === "client") {
    if (file.endsWith(".test.ts") || (!lazy && isTypeOnly(file, target))) return true;
    const { rooms: loaded = [] } = loaders[file] ?? {};
    return lazy && loaded.some((room) => target === room || target.startsWith(`${room}/`));
  }
  return rooms[from].some((allowed) => target === allowed || target.startsWith(`${allowed}/`));
}

/** Types cost nothing when the program runs: the command line may name them. */
function isTypeOnly(file: string, target: string): boolean {
  const text = readFileSync(join(root, file), "utf8");
  const specifier = target.split("/").slice(1).join("/");
  return [...text.matchAll(/(?:^|\n)(?:import|export)\s+(type\s+)?[^;]*?from\s+"([^"]+)"/g)]
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
    expect(mayImport({ file: "client/index.ts", target: "server/index.js", lazy: true })).toBe(false);
    expect(mayImport({ file: "client/local.ts", target: "server/local.js", lazy: true })).toBe(true);
    expect(mayImport({ file: "client/cli/query.ts", target: "ql/index.js", lazy: true })).toBe(false);
    expect(mayImport({ file: "client/cli/coll.ts", target: "ql/index.js", lazy: true })).toBe(false);
  });

  it("has no loader on its list that loads nothing", () => {
    for (const [file, { rooms: loaded }] of Object.entries(loaders)) {
      const targets = importsOf(file).filter(({ lazy }) => lazy);
      for (const room of loaded)
        expect(targets.map(({ target }) => target)).toContainEqual(expect.stringMatching(`^${room}(/|$)`));
    }
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
