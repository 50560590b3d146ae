// What `npm start` and `npm test` need before they can begin: the packages of package-lock.json and dist/.
// Uses nothing but Node itself, because it runs in a clone where nothing is installed yet.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const marker = "node_modules/.dugong-lock";
const lock = readFileSync("package-lock.json", "utf8");
if (!existsSync(marker) || readFileSync(marker, "utf8") !== lock) {
  console.error("installing packages …");
  const npm = process.env.npm_execpath;
  // Not `npm ci`: it refuses a lock file that leaves out packages of other platforms.
  const args = ["install", "--no-save", "--no-fund", "--no-audit", "--include=dev"];
  if (npm) execFileSync(process.execPath, [npm, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  else execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(marker, lock);
}
const { build } = await import("./build.mjs");
if (build()) console.error("built dist/");
