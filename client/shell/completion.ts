/**
 * What Tab offers: commands and what they take, attributes in a token's conditions, structures in tags, values between
 * quotes from the corpus's own lexicons, the words of the language elsewhere.
 */
import { placeIn } from "./place.js";

/** What names there are. Asked when they are needed. */
export interface Names {
  corpora(): Promise<string[]>;
  attributes(): Promise<string[]>;
  /** By structure: the names of its attributes. */
  structures(): Promise<Record<string, string[]>>;
  subcorpora(): Promise<string[]>;
  /** Values of "lemma" or "doc.year" (undefined: the default attribute) that begin so, the most frequent first. */
  values(attribute: string | undefined, prefix: string): Promise<string[]>;
}

/** What can stand in the place of `word`, the end of what was typed. */
export interface Completion {
  word: string;
  matches: string[];
}

/** What a command's argument consists of. */
export type Argument =
  | "corpus"
  | "attributes"
  | "keys"
  | "names"
  | "subcorpus"
  | "cql"
  | "settings"
  | "switch"
  | "commands"
  | "text"
  | "nothing";

export interface CommandNames {
  /** By name, without the backslash. */
  commands: Record<string, { argument: Argument }>;
  /** What can be set, and the values there are. */
  settings: Record<string, readonly string[]>;
}

const nothing: Completion = { word: "", matches: [] };
const languageWords = ["within", "containing", "meet", "union"];

export async function complete(text: string, names: Names, known: CommandNames): Promise<Completion> {
  const command = /^\s*\\(\w*)(\s+)?/.exec(text);
  if (!command) return query(text, names);
  const [head, name, space] = command;
  if (space === undefined)
    return among(
      `\\${name}`,
      Object.keys(known.commands).map((one) => `\\${one} `),
    );
  const argument = text.slice(head.length);
  const last = /[^\s,]*$/.exec(argument)![0];
  switch (known.commands[name]?.argument) {
    case "corpus":
      return among(last, await names.corpora());
    case "subcorpus":
      return among(last, await names.subcorpora());
    case "attributes":
      return among(last, await names.attributes());
    case "keys":
    case "names":
      return among(last, await allNames(names));
    case "cql":
      return query(argument, names);
    case "commands":
      return among(last, Object.keys(known.commands));
    case "switch":
      return among(last, ["on", "off"]);
    case "settings":
      return setting(argument, last, known.settings);
    default:
      return nothing;
  }
}

async function allNames(names: Names): Promise<string[]> {
  const structures = await names.structures();
  const dotted = Object.entries(structures).flatMap(([name, own]) => own.map((one) => `${name}.${one}`));
  return [...(await names.attributes()), ...dotted];
}

function setting(argument: string, last: string, settings: CommandNames["settings"]): Completion {
  const [name, ...more] = argument.trimStart().split(/\s+/);
  return more.length === 0
    ? among(
        last,
        Object.keys(settings).map((one) => `${one} `),
      )
    : among(last, settings[name] ?? []);
}

function among(word: string, list: readonly string[]): Completion {
  return { word, matches: list.filter((one) => one.startsWith(word)) };
}

// ---- in a query

async function query(text: string, names: Names): Promise<Completion> {
  const { open, string, structure } = placeIn(text);
  if (string) return value(text.slice(string.from), string, names);
  const word = /[\p{L}\p{N}_-]*$/u.exec(text)![0];
  const before = text.slice(0, text.length - word.length).trimEnd();
  if (open.at(-1) === "<") return inTag(word, before, structure ?? "", names);
  if (open.includes("[")) {
    if (!/[[&|!(]$/.test(before)) return nothing;
    return among(
      word,
      (await names.attributes()).map((name) => `${name}="`),
    );
  }
  if (word === "" || !/(^|[\])}>"'\s])$/.test(text.slice(0, text.length - word.length))) return nothing;
  return among(
    word,
    languageWords.map((one) => `${one} `),
  );
}

async function inTag(word: string, before: string, structure: string, names: Names): Promise<Completion> {
  const structures = await names.structures();
  if (/<\/?$/.test(before)) {
    const end = before.endsWith("/") ? ">" : "";
    return among(
      word,
      Object.keys(structures).map((name) => name + end),
    );
  }
  if (!/(&|\||!|\(|[\p{L}\p{N}_-])$/u.test(before)) return nothing;
  return among(
    word,
    (structures[structure] ?? []).map((name) => `${name}="`),
  );
}

/** A value is a regular expression: what would have a meaning there is escaped, and what has one is not completed. */
async function value(
  typed: string,
  { quote, attribute }: { quote: string; attribute?: string },
  names: Names,
): Promise<Completion> {
  if (/(^|[^\\])(\\\\)*[.*+?()[\]{}|^$&]/.test(typed) || /\\[a-z0-9]/i.test(typed)) return nothing;
  const prefix = typed.replaceAll(quote + quote, quote).replace(/\\(.)/g, "$1");
  const values = await names.values(attribute, prefix).catch(() => []);
  const escaped = values.map((one) => one.replace(/[.*+?()[\]{}|^$&\\"']/g, "\\$&"));
  const matches = escaped.filter((one) => one.startsWith(typed));
  return { word: typed, matches: matches.length === 1 ? [`${matches[0]}${quote}`] : matches };
}
