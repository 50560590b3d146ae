/**
 * What a language adds to the general rules of tokens and sentences: a table, which is plain JSON, so that a linguist can
 * extend it (`dugong tokenise --table FILE.json`):
 *
 *   file     = { code: table, … }            code as "en" or "eng"; "und" is for all languages
 *   table    = { field: value, … }           fields as in LanguageTable
 *   list     = [ … ]                         added to the list that is there
 *            | { "add": [ … ], "remove": [ … ] }
 *
 * An apostrophe ' stands for ’ and ʼ too. Words are compared without regard to case, but abbreviations that have a capital letter
 * are taken only with it.
 */
import { readFileSync } from "node:fs";
import { DugongError } from "../../storage/errors.js";
import { weightsPattern } from "./boundaries.js";
import { tables as builtIn } from "./languages/index.js";

export interface LanguageTable {
  /** Another table of which this one has everything. */
  like?: string;
  /** With their periods: "etc.", "Inc.". A sentence may end with them, if the next word can only begin one. */
  abbreviations?: string[];
  /** Abbreviations that something follows: "Mr.", "z.", "e.g.". No sentence ends with them. */
  titles?: string[];
  /** Abbreviations before a number, otherwise words: "No.", "Fig.". */
  beforeNumbers?: string[];
  /** What is cut off at the start of a word: "l'". */
  prefixes?: string[];
  /** What is cut off at its end: "n't", "'s", "-t-il". */
  suffixes?: string[];
  /** Words that are several: "cannot": "can not". Nothing but spaces is added. */
  splits?: Record<string, string>;
  /** What stays one token: "e-mail", "o'clock", "C++". */
  wholes?: string[];
  /** Marks that stand between letters of a word, beside apostrophes and "·": ":" of "EU:n". */
  joiners?: string;
  /** Is "well-known" one token or three? */
  hyphens?: "join" | "split";
  /** Where hyphens split: beginnings and ends that stay joined nevertheless: "co-", "-ish". */
  hyphenParts?: string[];
  /** Does a period make a number an ordinal ("3. mai")? As one token, as two, or not at all. */
  ordinals?: "none" | "join" | "split";
  /** Words with a capital letter that may follow such an ordinal: months. */
  afterOrdinals?: string[];
  /** What makes numbers ordinals: "st", "ème"; and units that stay on the number. */
  numberSuffixes?: string[];
  /** Letters behind a number that are a token of their own: "am" of "10am". */
  units?: string[];
  /** Words that begin a sentence, if they have a capital letter, even after an abbreviation: "The". */
  starters?: string[];
  /** Words that end a letter, and begin one: "regards", "dear". Learnt weights know them. */
  partings?: string[];
  greetings?: string[];
  /** Learnt ends of sentences, as boundaries.ts has them. */
  boundaries?: string;
  /** Marks that end sentences, beside those that do in all languages. */
  sentenceEnds?: string;
  /** Quotation marks that close. */
  closingQuotes?: string;
}

type Tables = Record<string, LanguageTable>;
type Change<Value> = Value extends string[] ? string[] | { add?: string[]; remove?: string[] } : Value;
export type TableChanges = Record<
  string,
  { [Field in keyof LanguageTable]?: Change<NonNullable<LanguageTable[Field]>> }
>;

const lists = new Set([
  "abbreviations",
  "titles",
  "beforeNumbers",
  "prefixes",
  "suffixes",
  "wholes",
  "hyphenParts",
  "afterOrdinals",
  "numberSuffixes",
  "units",
  "starters",
  "partings",
  "greetings",
]);
const choices: Record<string, readonly string[]> = {
  hyphens: ["join", "split"],
  ordinals: ["none", "join", "split"],
};
const texts = new Set(["like", "joiners", "boundaries", "sentenceEnds", "closingQuotes"]);

/** "eng", "en-GB", "en" are all "en"; what is no code of a language is "und". */
export function languageCode(code: string | undefined): string {
  if (!code) return "und";
  try {
    return new Intl.Locale(code.replaceAll("_", "-")).language;
  } catch {
    return "und";
  }
}

/** Changes as a file has them; throws bad_table, which says where. */
export function readTable(path: string): TableChanges {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new DugongError("bad_table", `cannot read the table ${path}: ${(error as Error).message}`);
  }
  const wrong = (where: string, what: string) =>
    new DugongError("bad_table", `${path}: ${where} ${what}`, "docs/INGEST.md says what a table has.");
  if (!isRecord(parsed)) throw wrong("the table", "is not an object of languages");
  for (const [code, table] of Object.entries(parsed)) {
    if (code !== "und" && languageCode(code) === "und")
      throw wrong(`"${code}"`, "is not the code of a language");
    if (!isRecord(table)) throw wrong(`"${code}"`, "is not an object");
    for (const [field, value] of Object.entries(table)) {
      const problem = problemOf(field, value);
      if (problem) throw wrong(`${field} of "${code}"`, problem);
    }
  }
  const changes = parsed as TableChanges;
  const tables = changed(builtIn, changes);
  for (const [code, { like }] of Object.entries(changes)) {
    const problem = like !== undefined && problemOfLike(languageCode(code), like, tables);
    if (problem) throw wrong(`like of "${code}"`, problem);
  }
  return changes;
}

function problemOfLike(code: string, like: string, tables: Tables): string | undefined {
  const other = languageCode(like);
  if (!tables[other] || (other === "und" && like !== "und"))
    return `is "${like}", for which there is no table`;
  const way = [code];
  for (let at: string | undefined = other; at && at !== code && !way.includes(at); at = tables[at]?.like)
    way.push(at);
  const isCircle = tables[way[way.length - 1]]?.like === code;
  return isCircle ? `leads back to itself: ${[...way, code].join(" → ")}` : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && /^\S+$/.test(one));
}

function problemOf(field: string, value: unknown): string | undefined {
  if (lists.has(field)) {
    if (isList(value)) return undefined;
    const isChange =
      isRecord(value) &&
      Object.keys(value).every((key) => key === "add" || key === "remove") &&
      Object.values(value).every(isList);
    return isChange ? undefined : 'is neither a list of words nor { "add": […], "remove": […] }';
  }
  if (field === "boundaries" && typeof value === "string" && !weightsPattern.test(value))
    return "is not a list of weights";
  if (texts.has(field)) return typeof value === "string" ? undefined : "is not a string";
  if (field === "splits") {
    if (!isRecord(value)) return "is not an object";
    const bad = Object.entries(value).find(
      ([word, parts]) => typeof parts !== "string" || parts.replaceAll(" ", "") !== word,
    );
    return bad && `has "${bad[0]}", which its parts do not give back`;
  }
  const allowed = choices[field];
  if (!allowed) return "is not a field of tables";
  return allowed.includes(value as string) ? undefined : `is none of ${allowed.join(", ")}`;
}

/** Tables with changes laid over them. */
export function changed(tables: Tables, changes: TableChanges): Tables {
  const result: Tables = { ...tables };
  for (const [code, table] of Object.entries(changes)) {
    const language = languageCode(code);
    const target: Record<string, unknown> = { ...result[language] };
    for (const [field, value] of Object.entries(table)) {
      const before = target[field];
      if (lists.has(field)) {
        const { add = [], remove = [] } = Array.isArray(value) ? { add: value } : (value as ListChange);
        const kept = ((before as string[] | undefined) ?? []).filter((word) => !remove.includes(word));
        target[field] = [...kept, ...add];
      } else if (field === "splits") target[field] = { ...(before as object), ...(value as object) };
      else target[field] = field === "like" ? languageCode(value as string) : value;
    }
    result[language] = target;
  }
  return result;
}

interface ListChange {
  add?: string[];
  remove?: string[];
}

/** All that holds for a language: the general table, those that it is like, its own. */
export function tableOf(tables: Tables, language: string): LanguageTable {
  const chain: LanguageTable[] = [];
  const seen = new Set<string>();
  for (let code: string | undefined = language; code && !seen.has(code); code = tables[code]?.like) {
    seen.add(code);
    if (tables[code]) chain.unshift(tables[code]);
  }
  if (!seen.has("und")) chain.unshift(tables.und ?? {});
  const result: Record<string, unknown> = {};
  for (const table of chain) {
    for (const [field, value] of Object.entries(table)) {
      const before = result[field];
      if (Array.isArray(value)) result[field] = [...((before as string[] | undefined) ?? []), ...value];
      else if (field === "splits") result[field] = { ...(before as object), ...(value as object) };
      else if (field === "sentenceEnds" || field === "closingQuotes" || field === "joiners")
        result[field] = `${before ?? ""}${value}`;
      else result[field] = value;
    }
  }
  return result as LanguageTable;
}
