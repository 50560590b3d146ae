/**
 * What decides on the output of a command for the shell, beside its text: files that its words name (scripts, models) by their content, and
 * programs that are found in PATH by their place, size and time. What these load in turn is not known here.
 */
import { statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { ContentHashes } from "./inputs.js";

export async function commandIdentity(command: string, hashes: ContentHashes): Promise<string[]> {
  const found: string[] = [];
  let isProgram = true;
  for (const [, operator, double, single, plain] of command.matchAll(
    /([|&;()<>]+)|"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'|&;()<>\\]|\\.)+)/g,
  )) {
    if (operator !== undefined) {
      isProgram = !/[<>]/.test(operator);
      continue;
    }
    const word = single ?? (double ?? plain).replace(/\\(.)/g, "$1");
    const isSetting = isProgram && /^\w+=/.test(word);
    // --model=FILE names a file too.
    for (const path of [word, word.slice(word.indexOf("=") + 1)].slice(0, word.includes("=") ? 2 : 1))
      if (isFile(path)) found.push(await hashes.of(path));
    if (isProgram && !isSetting) {
      if (!word.includes("/")) found.push(programIdentity(word));
      isProgram = false;
    }
  }
  return found;
}

function programIdentity(name: string): string {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder || ".", name);
    if (!isFile(path)) continue;
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  }
  return name;
}

function isFile(path: string): boolean {
  try {
    return path !== "" && statSync(path).isFile();
  } catch {
    return false;
  }
}
