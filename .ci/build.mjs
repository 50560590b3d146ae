// Builds dist/: the AssemblyScript kernels to one .wasm, every TypeScript module to the .js of the same
// path. Types are checked apart (`npm run typecheck`), so a build takes a second.
// The encoding threads get all their modules in one file: each thread loads them anew, and starts twice as fast so.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const rooms = ["storage", "ql", "ingest", "client", "server", "bench"];
const assembly = "storage/kernels/assembly";
const wasm = "dist/storage/kernels/kernels.wasm";
const stamp = "dist/.built";
const threadModule = "storage/encode/worker.ts";

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
  buildSync({ ...options, entryPoints: modules.filter((file) => file !== threadModule) });
  // `built.ts` finds files from where it lies itself.
  const external = ["../built.js"];
  buildSync({ ...options, entryPoints: [threadModule], bundle: true, packages: "external", external });
  linkCommand();
  writeFileSync(stamp, "");
  return true;
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
