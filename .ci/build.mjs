// Builds dist/: the AssemblyScript kernels to one .wasm, every TypeScript module to the .js of the same
// path. Types are checked apart (`npm run typecheck`), so a build takes a second.
// What is started often gets its modules in few files, which load several times as fast as hundreds of small ones: the
// command line with what it loads later on in chunks, each kind of thread and child in one file of its own.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

const rooms = ["storage", "ql", "ingest", "client", "server", "bench"];
const assembly = "storage/kernels/assembly";
const wasm = "dist/storage/kernels/kernels.wasm";
const stamp = "dist/.built";
/** Started by a path: each alone in its thread or process. */
const threadModules = [
  "storage/encode/worker.ts",
  "ql/run/worker.ts",
  "ql/sketch/worker.ts",
  "ql/sketch/thesaurus/worker.ts",
  "ql/regex/backreference-worker.ts",
  "server/threads/worker.ts",
  "server/append-child.ts",
  "ingest/clean/worker.ts",
  "ingest/crawl/worker.ts",
  "ingest/dedup/worker.ts",
  "ingest/tag/worker.ts",
  "ingest/tokenise/worker.ts",
  "ingest/pipeline/child.ts",
];
/** Read by built code as they are. */
const carriedFiles = [
  "ingest/language/model.bin",
  "ql/sketch/grammars/english.wsdef.m4",
  "ql/sketch/grammars/penn.m4",
  "ql/sketch/grammars/universal.m4",
  "ql/sketch/grammars/ud.wsdef",
];
/** Share their chunks: a class is the same class wherever it comes from. */
const chunkedModules = ["client/cli/main.ts", "client/local.ts"];

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function newest(files) {
  return files.reduce((latest, file) => Math.max(latest, statSync(file).mtimeMs), 0);
}

export function build({ force = false } = {}) {
  const sources = rooms.flatMap(filesUnder).concat([".ci/build.mjs", "package-lock.json"]);
  if (!force && existsSync(stamp) && statSync(stamp).mtimeMs > newest(sources)) return false;
  rmSync(stamp, { force: true });
  const kernels = filesUnder(assembly);
  mkdirSync("dist/storage/kernels", { recursive: true });
  if (force || !existsSync(wasm) || statSync(wasm).mtimeMs < newest(kernels.concat(".ci/build.mjs"))) {
    run("node_modules/assemblyscript/bin/asc.js", [
      join(assembly, "index.ts"),
      "--outFile",
      wasm,
      "--runtime",
      "stub",
      "--optimizeLevel",
      "3",
      "--noAssert",
      // Names of functions: profiles name kernels by them.
      "--debug",
      "--importMemory",
      "--sharedMemory",
      "--initialMemory",
      "1",
      "--maximumMemory",
      "65536",
      "--enable",
      "simd",
      "--enable",
      "threads",
      "--enable",
      "bulk-memory",
      "--stackSize",
      "0",
      "--memoryBase",
      "1024",
    ]);
  }
  const modules = sources.filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith(assembly),
  );
  const options = {
    outdir: "dist",
    outbase: ".",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    logLevel: "warning",
  };
  const bundled = [...threadModules, ...chunkedModules];
  buildSync({ ...options, entryPoints: modules.filter((file) => !bundled.includes(file)) });
  const together = { ...options, bundle: true, external: packagesLeft() };
  for (const module of threadModules) buildSync({ ...together, entryPoints: [module] });
  rmSync("dist/chunks", { recursive: true, force: true });
  const chunks = { splitting: true, chunkNames: "chunks/[name]-[hash]" };
  buildSync({ ...together, ...chunks, entryPoints: chunkedModules });
  for (const file of carriedFiles) {
    mkdirSync(dirname(join("dist", file)), { recursive: true });
    copyFileSync(file, join("dist", file));
  }
  linkCommand();
  writeFileSync(stamp, "");
  return true;
}

/**
 * Packages that stay where they are: all but chevrotain, which is hundreds of small files with what it needs itself, and
 * xxhash-wasm, a small one that every thread would have to look for.
 */
function packagesLeft() {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  return Object.keys(dependencies).filter((name) => name !== "chevrotain" && name !== "xxhash-wasm");
}

/** `npx dugong` finds the command where npm would have put it, had the package been installed. */
function linkCommand() {
  const main = "dist/client/cli/main.js";
  if (!existsSync(main)) return;
  chmodSync(main, 0o755);
  const link = "node_modules/.bin/dugong";
  try {
    unlinkSync(link);
  } catch {}
  symlinkSync("../../dist/client/cli/main.js", link);
}

function run(script, args) {
  execFileSync(process.execPath, [script, ...args], { stdio: ["ignore", "inherit", "inherit"] });
}

if (process.argv[1]?.endsWith("build.mjs")) build({ force: process.argv.includes("--force") });
