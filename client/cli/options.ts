/** Options that several commands have, and what their values may be. A value that makes no sense is wrong usage. */
import { type Command, InvalidArgumentError, Option } from "commander";

export const dataFolderDefault = "./dugong-data";

/** What every command can be told. */
export interface GlobalOptions {
  data?: string;
  json?: boolean;
}

export function dataFolder(options: GlobalOptions): string {
  return options.data || process.env.DUGONG_DATA || dataFolderDefault;
}

/** The end of a command's help: what to type, and what it does. */
export function examples(...list: [line: string, what: string][]): string {
  return ["", "Examples:", ...list.flatMap(([line, what]) => [`  # ${what}`, `  ${line}`])].join("\n");
}

/** How the input is to be read: the same for encode and append, which has other defaults. */
export function addReadingOptions(command: Command, asBefore?: string): Command {
  const otherwise = (usual: string) => `(default: ${asBefore ?? usual})`;
  const formats = new Option("--format <format>", `what the input is ${otherwise("vertical")}`);
  return command
    .addOption(formats.choices(["vertical", "conllu"]))
    .option("--entities", `decode &lt; &amp; &#65; and the like ${otherwise("off")}`)
    .option("--strict", `refuse invalid UTF-8 instead of replacing it ${otherwise("off")}`)
    .option("--encoding <label>", `the input's encoding, for instance "latin1" ${otherwise("utf-8")}`)
    .option("--skip-comments <names>", `CoNLL-U comments to leave out ${otherwise('"text"')}`, names)
    .option("--workers <n>", "threads (default: one for each core)", workers);
}

/** "word,lemma,tag" */
export function nameList(text: string): string[] {
  const list = names(text);
  if (list.length === 0) throw new InvalidArgumentError("It names nothing.");
  return list;
}

/** Names between commas; none in an empty string. */
export function names(text: string): string[] {
  if (text.trim() === "") return [];
  const list = text.split(",").map((name) => name.trim());
  if (list.includes("")) throw new InvalidArgumentError("There is nothing between two commas.");
  return list;
}

/** "feats:|", "doc.subject:,": the name ends at the first colon, and the rest is the separator. */
export function multivalue(text: string, before: Record<string, string> = {}): Record<string, string> {
  const colon = text.indexOf(":");
  if (colon < 1 || colon === text.length - 1) {
    throw new InvalidArgumentError('Write the name, a colon and the separator: "feats:|".');
  }
  return { ...before, [text.slice(0, colon)]: text.slice(colon + 1) };
}

/** Collects an option that may be given several times. */
export function repeated(text: string, before: string[] = []): string[] {
  return [...before, text];
}

export function workers(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > 256) throw new InvalidArgumentError("Use a whole number from 1 to 256.");
  return count;
}

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError("It is not a whole number.");
  }
  return number;
}

/** "1000000", "512k", "48M", "1G": units of 1024. */
export function byteCount(text: string): number {
  const [, digits, unit] = /^(\d+)([kmg]?)b?$/i.exec(text) ?? [];
  if (!digits) throw new InvalidArgumentError('Write a number of bytes, as "48M" or "512k".');
  return Number(digits) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
}
