/**
 * Stop words: the most frequent words of a language. Running text is full of them, and menus are not. Lists come from the package
 * `stopword`; from a file, a word a line, or a word and its frequency, of which the most frequent make the list; and which
 * of the lists a page is measured with is said by the caller, by the page, or by which fits it best.
 */
import { readFileSync } from "node:fs";
import * as lists from "stopword";
import { DugongError } from "../../storage/errors.js";
import { english } from "./english.js";

export type StopWords = ReadonlySet<string>;

/** A list of the package is named by the language's code in ISO 639-3; these are two that it names otherwise, and varieties. */
const otherNames: Record<string, string> = { panGu: "pan", porBr: "por" };
/** Not a language (numbers); and parts of words, which no page is written in alone. */
const noLanguages = new Set(["_123", "lggNd"]);

/** ISO 639-1, and what else pages call the languages that there are lists for. */
const codes: Record<string, string> = Object.fromEntries(
  (
    "af:afr ar:ara bn:ben br:bre bg:bul ca:cat cs:ces da:dan de:deu el:ell en:eng eo:epo et:est eu:eus fa:fas fi:fin fr:fra " +
    "ga:gle gl:glg gu:guj ha:hau he:heb iw:heb hi:hin hr:hrv hu:hun hy:hye id:ind in:ind it:ita ja:jpn ko:kor ku:kur la:lat " +
    "lv:lav lt:lit mr:mar ms:msa my:mya nl:nld no:nob nb:nob pa:pan pl:pol pt:por ro:ron ru:rus sk:slk sl:slv so:som st:sot " +
    "es:spa sw:swa sv:swe tl:tgl fil:tgl th:tha tr:tur uk:ukr ur:urd vi:vie yo:yor zh:zho zu:zul " +
    "cze:ces ger:deu gre:ell fre:fra baq:eus per:fas arm:hye dut:nld may:msa bur:mya rum:ron slo:slk chi:zho cmn:zho"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

let byLanguage: Map<string, StopWords> | undefined;

function all(): Map<string, StopWords> {
  if (byLanguage) return byLanguage;
  const found = new Map<string, Set<string>>();
  for (const [name, words] of Object.entries(lists)) {
    if (!Array.isArray(words) || noLanguages.has(name)) continue;
    const language = otherNames[name] ?? name;
    const set = found.get(language) ?? new Set<string>();
    for (const word of words) set.add(word.toLowerCase());
    found.set(language, set);
  }
  for (const word of english) found.get("eng")!.add(word);
  byLanguage = found;
  return found;
}

/** The languages that there are lists for: codes of ISO 639-3. */
export function stopWordLanguages(): string[] {
  return [...all().keys()].sort();
}

/** The code of a language that a list goes by: "pt-BR", "por" and "pt" are "por". Undefined where there is no list. */
export function listedLanguage(tag: string | undefined): string | undefined {
  const code = tag?.toLowerCase().split(/[-_]/)[0] ?? "";
  const language = codes[code] ?? code;
  return all().has(language) ? language : undefined;
}

export function stopWordsOf(language: string): StopWords {
  const found = listedLanguage(language);
  if (found) return all().get(found)!;
  throw new DugongError(
    "no_stop_words",
    `no list of stop words for the language "${language}"`,
    `There are lists for ${stopWordLanguages().join(", ")}; others come from a file (--stopwords), or work without (--no-stopwords).`,
  );
}

/**
 * How much of running text the words of a list are, in hundredths, measured on 200 sentences of each language; of the languages that are missing here
 * nobody knows it. English, for which jusText was published, has 50.
 */
const covered: Record<string, number> = Object.fromEntries(
  (
    "tha:3 kor:5 zul:7 heb:13 som:15 est:16 fin:17 hye:17 eus:18 lat:18 lit:18 yor:18 mar:19 tur:20 urd:20 vie:20 fas:21 lav:21 slk:21 " +
    "ara:24 guj:26 zho:26 ell:27 msa:27 ukr:28 hrv:29 ces:30 ron:32 pol:33 epo:36 hun:36 ben:37 gle:37 rus:37 ita:38 slv:38 swa:38 sot:39 " +
    "spa:39 cat:41 fra:41 nob:41 hin:42 afr:43 jpn:43 bul:44 nld:44 ind:45 swe:45 tgl:46 dan:47 por:49 eng:50 deu:51 pan:54"
  )
    .split(" ")
    .map((pair) => pair.split(":"))
    .map(([language, hundredths]) => [language, Number(hundredths) / 100]),
);
const enough = 0.45;
const tooFew = 0.15;

/**
 * How a density that is asked of a block has to be lowered for a language whose list covers less than others do, so that it means
 * the same: 1 for most. 0 where the list covers so little that it says nothing, and is better not used.
 */
export function densityScale(language: string): number {
  const share = covered[listedLanguage(language) ?? ""] ?? enough;
  return share < tooFew ? 0 : Math.min(1, share / enough);
}

/** How many of the most frequent words of a frequency list count as stop words. */
const learnt = 400;

/** A list from a file: a word a line, or a word and its frequency with white space between them. */
export function stopWordsFrom(path: string): StopWords {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new DugongError("input_not_found", `cannot read ${path}: ${(error as Error).message}`);
  }
  const words: { word: string; frequency: number }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [word, frequency] = line.trim().split(/\s+/);
    if (word && !word.startsWith("#")) words.push({ word: word.toLowerCase(), frequency: Number(frequency) });
  }
  if (words.length === 0) {
    throw new DugongError(
      "no_stop_words",
      `no words in ${path}`,
      "Write a word a line, or a word and its frequency.",
    );
  }
  const isCounted = words.every(({ frequency }) => Number.isFinite(frequency));
  const letters = words.filter(({ word }) => /\p{L}/u.test(word));
  if (!isCounted) return new Set(letters.map(({ word }) => word));
  return new Set(
    letters
      .sort((a, b) => b.frequency - a.frequency)
      .slice(0, learnt)
      .map(({ word }) => word),
  );
}

let listsOf: Map<string, string[]> | undefined;

/** Which list has most of the words of a text: the language, or undefined if none has a tenth of them. */
export function bestList(words: readonly string[]): string | undefined {
  if (!listsOf) {
    listsOf = new Map();
    for (const [language, list] of all()) {
      for (const word of list) listsOf.set(word, [...(listsOf.get(word) ?? []), language]);
    }
  }
  const counts = new Map<string, number>();
  for (const word of words) {
    for (const language of listsOf.get(word) ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  let best: string | undefined;
  let most = words.length / 10;
  for (const [language, list] of all()) {
    // A longer list has more words by chance.
    const score = (counts.get(language) ?? 0) / (1 + list.size / 4000);
    if (score > most) [most, best] = [score, language];
  }
  return best;
}

/** The words of a text as lists have them. A character of Chinese, or a run of kana, is a word: lists have them so. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(wordPattern) ?? [];
  return words;
}

const wordPattern =
  /\p{sc=Han}|[\p{sc=Hiragana}\p{sc=Katakana}]|[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|[\p{L}\p{M}\p{N}_'’]+/gu;
