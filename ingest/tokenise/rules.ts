/**
 * A language's table made ready: sets to look words up in, and one pattern that finds the next token of a piece of text without
 * white space. Its alternatives, the first that matches taken:
 *
 *   whole      what the table keeps together; abbreviations that would else be taken for something else: "f.Kr."  "c.-à-d."
 *   address    a URL, an e-mail address, the name of a host or a file
 *   face       :-) <3 ^_^
 *   emoji      with all that is joined to it; flags; keycaps
 *   name       #hashtag @mention
 *   number     1,000.50  3/4/2024  2024-03-04  12:30  and ordinals by their suffixes
 *   dotted     words with periods in them or behind them: U.S.  e.g.  Mr.   (whether the last period belongs, the table says)
 *   word       letters, with apostrophes and the like inside; with hyphens, where they join
 *   unspaced   a run of a script that has no spaces
 *   run        ... !!! -- ***: the same mark again
 *   any        one character with its marks
 */
import { Boundaries } from "./boundaries.js";
import type { LanguageTable } from "./table.js";

const unspacedChar =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\u30fc\\uff70]";
/** What begins a word, what goes on with it (marks, soft hyphens, joiners, the Hebrew geresh), and that with digits. */
const p = `(?:(?!${unspacedChar})\\p{L})`;
const l = `(?:(?!${unspacedChar})[\\p{L}\\p{M}\\u00ad\\u05f3\\u200c\\u200d\\u2060])`;
const w = `(?:(?!${unspacedChar})[\\p{L}\\p{M}\\p{N}_\\u00ad\\u05f3\\u200c\\u200d\\u2060])`;
const apostrophes = "['’ʼ׳]";
/** In Hebrew acronyms, mostly before the last letter; not where it opens what another one closes. */
const hebrew = "\\p{Script=Hebrew}";
const gershayim = `["״](?<=${hebrew}.)(?=${hebrew}(?!${hebrew})|${hebrew}+(?!["״]|${hebrew}))`;
const hyphens = "[-‐‑]";

/** Top-level domains that make a dotted word a host even where no www stands before it. */
const domains =
  "com|org|net|edu|gov|mil|info|biz|int|museum|mobi|io|tv|me|eu|uk|us|ca|au|nz|ie|de|at|ch|fr|be|nl|lu|it|es|pt|se|no|dk|fi|is|fo|gl|pl|cz|sk|hu|ro|bg|gr|tr|ru|ua|by|lt|lv|ee|si|hr|rs|ba|mk|al|jp|cn|kr|in|br|mx|ar|cl|co|za|il|ir";
const extensions =
  "docx?|xlsx?|pptx?|pdf|txt|html?|php|jpe?g|png|gif|zip|exe|csv|xml|json|mp3|mp4|avi|mpe?g|wav|rtf|tar|gz|js|css|asp|jsp|bat|dll";

/**
 * Text of scripts without spaces stands before and behind addresses without one: none begins or goes on with their letters and marks.
 * Blocks, since scripts take long to compile.
 */
const foreign =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff00-\\uff9f\\u{20000}-\\u{3ffff}";
const notInUrl = `\\s<>"“”«»${foreign}`;
const urlRest = `[^${notInUrl}]*[^${notInUrl}.,;:!?'’)\\]}]`;
/** A host may have such letters: http://例え.jp/ */
const urlLabels = `(?:[\\p{L}\\p{N}${foreign}-]{1,63}[.]){1,8}`;
const mailLabel = `(?:(?![${foreign}])[\\p{L}\\p{N}-]){1,63}`;
const address = [
  `(?:https?|ftps?|sftp|file|gopher|news|irc|git|ssh|magnet):\\/{1,3}(?:${urlLabels})?${urlRest}`,
  `mailto:${urlRest}`,
  `www\\d?\\.${urlRest}`,
  `(?![${foreign}])[\\p{L}\\p{N}._%+-]{1,64}@${mailLabel}(?:\\.${mailLabel}){1,8}`,
].join("|");
const hostLabels = `(?![${foreign}])(?:[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,62}\\.){1,8}`;
const host = `${hostLabels}(?:${domains})(?!${w}|[-'’]${l})(?:\\/(?:${urlRest})?)?`;
const file = `[\\p{L}\\p{N}_-]{1,64}(?:\\.[\\p{L}\\p{N}_-]{1,32}){0,4}\\.(?:${extensions})(?!${w})`;

const mouth = "[)(\\]\\[}{DPpOo3/\\\\|*@$cSX]";
const face = [
  `[:;=8xX][-o^'’~]{1,2}${mouth}+(?!${w})`,
  `[:;=]${"[)(\\]\\[}{DPp/\\\\|*]"}+(?!${w}|\\/)`,
  `[)(\\]\\[][-o^'’]?[:;=](?!${w})`,
  "<3+(?!\\d)|<\\/3(?!\\d)",
  "[\\^][_.-]?[\\^]|[oO]_[oO](?!\\p{L})|-_+-|>[:;]-?[()]|T_T|[xX]D+(?!\\p{L})|¯\\\\_\\(ツ\\)_\\/¯",
].join("|");

const pictograph = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})*";
const emoji = `\\p{RI}\\p{RI}|[0-9#*]\\ufe0f?\\u20e3|${pictograph}(?:\\u200d${pictograph})*(?:[\\u{e0020}-\\u{e007f}]+)?`;

const name = `#[\\p{L}_]${w}*|@[\\p{L}_]${w}+`;

/** What a list of words looks like in a pattern, the longest first. */
function anyOf(words: readonly string[]): string {
  const escaped = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) =>
      word
        .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
        .replaceAll("'", apostrophes)
        .replaceAll('"', '["״]'),
    );
  return escaped.length > 0 ? `(?:${escaped.join("|")})` : "(?!)";
}

export interface Rules {
  language: string;
  table: LanguageTable;
  /** What `next` finds may turn out to be none, by the case of its letters: then `nextPlain` has neither of the two. */
  next: RegExp;
  readonly nextPlain: RegExp;
  /** In lower case, apostrophes straight. */
  wholes: ReadonlySet<string>;
  splits: ReadonlyMap<string, readonly number[]>;
  prefixes: readonly string[];
  suffixes: readonly string[];
  hyphenParts: ReadonlySet<string>;
  splitsHyphens: boolean;
  titles: Abbreviations;
  abbreviations: Abbreviations;
  beforeNumbers: Abbreviations;
  afterOrdinals: ReadonlySet<string>;
  starters: ReadonlySet<string>;
  /** The same with a small first letter. */
  smallStarters: ReadonlySet<string>;
  partings: ReadonlySet<string>;
  greetings: ReadonlySet<string>;
  boundaries?: Boundaries;
  sentenceEnds: ReadonlySet<string>;
  closers: ReadonlySet<string>;
}

/** Those with a capital letter are taken as they are written, the others in any case. */
export class Abbreviations {
  readonly #words: ReadonlySet<string>;

  constructor(words: readonly string[] = []) {
    this.#words = new Set(words.map(straight));
  }

  has(found: string): boolean {
    const word = straight(found);
    return this.#words.has(word) || this.#words.has(word.toLowerCase());
  }
}

export const openingMarks = new Set("([{¿¡‚„“‘\"'«‹「『《〈【〔");
const closingMarks = ")]}\"'”’»›";

export function straight(text: string): string {
  return /[’ʼ׳״]/.test(text) ? text.replace(/[’ʼ׳]/g, "'").replaceAll("״", '"') : text;
}

/** Groups of `next` and `nextPlain`. */
export const group = { abbreviation: 1, host: 2, dotted: 3, unspaced: 4, word: 5 } as const;

const dotted = `${p}${l}*(?:[.]-?${p}${l}*)*`;
const onlyDotted = new RegExp(`^${dotted}[.]?$`, "u");
const looksLikeAddress = new RegExp(`^(?:${host}|${file})`, "iu");

/** Would it be cut, or taken for a host or a file? */
function isStrange(abbreviation: string): boolean {
  return !onlyDotted.test(abbreviation) || looksLikeAddress.test(abbreviation);
}

export function rulesOf(language: string, table: LanguageTable): Rules {
  const { numberSuffixes = [], units = [], suffixes = [] } = table;
  const wholes = table.wholes ?? [];
  const splitsHyphens = table.hyphens === "split";
  const clitics = suffixes.filter((suffix) => suffix.startsWith("'"));
  const digits = "\\p{Nd}+(?:[.,:'’٫٬]\\p{Nd}+)*";
  const number = [
    "\\p{Nd}{4}-\\p{Nd}{1,2}-\\p{Nd}{1,2}(?:T\\p{Nd}{2}:\\p{Nd}{2}(?::\\p{Nd}{2}(?:\\.\\p{Nd}+)?)?Z?)?(?![\\p{L}\\p{N}])",
    "\\p{Nd}{1,4}\\/\\p{Nd}{1,2}\\/\\p{Nd}{1,4}(?![\\p{L}\\p{N}])",
    "\\p{Nd}{3}-\\p{Nd}{3}-\\p{Nd}{4}(?![\\p{L}\\p{N}-])",
    `${digits}(?=${anyOf(units)}(?!${w}))`,
    `${digits}${anyOf(numberSuffixes)}(?!${w}|${apostrophes}${l})`,
    `['’]\\p{Nd}{2}s?(?!${w})`,
    `${digits}(?:${w}${splitsHyphens ? "" : `|${hyphens}(?=\\p{L})`})*`,
    `(?<![\\p{L}\\p{N})])[+−]${digits}`,
    `\\.\\p{Nd}+(?!${w})`,
  ].join("|");
  const joiners = `['’ʼ׳·\\u0387${(table.joiners ?? "").replace(/[\\^\]-]/g, "\\$&")}]`;
  // With versions ("v2.0.1") and the tsheg, which ends a Tibetan syllable.
  const inner = `(?:${joiners}|${gershayim})${p}|[.](?<=\\p{Nd}.)\\p{Nd}`;
  const joined = `${p}${w}*(?:(?:${inner})${w}*)*[\\u0f0b\\u0f0c]?`;
  const word = splitsHyphens ? joined : `${joined}(?:${hyphens}${w}+(?:${apostrophes}${p}${w}*)*)*`;
  // Named groups would cost more than the search: of those that matter, the numbers are in `group`.
  const strange = [...(table.titles ?? []), ...(table.abbreviations ?? [])].filter(isStrange);
  const alternatives = (abbreviations: readonly string[], hosts: string) => [
    emoji,
    `(${anyOf(abbreviations)}(?![.]|${w}|['’]${p}))`,
    `${anyOf(wholes)}(?!${w}|['’]${p})`,
    // Numero, also before the number itself.
    "n°(?!\\p{L})",
    address,
    `(${hosts})`,
    file,
    `(?<!${w})(?:${face})`,
    `(?<=[\\p{L}\\p{N}.])${anyOf(clitics)}(?!${w})`,
    name,
    number,
    `(${dotted}[.](?![.]))`,
    `(${unspacedChar}+)`,
    `(${word}|_+${w}+)`,
    "[.]{2,}|…+|[!?]{2,}|''|``|([-=*_~#+|^%&$@<>•·—–/\\\\])\\6+",
    "[^][\\p{M}\\u200d\\ufe0e\\ufe0f]*",
  ];
  const pattern = (parts: readonly string[]) => new RegExp(parts.join("|"), "yiu");
  let plain: RegExp | undefined;
  return {
    language,
    table,
    next: pattern(alternatives(strange, host)),
    // Made when it is asked for, which is seldom.
    get nextPlain() {
      plain ??= pattern(alternatives([], "(?!)"));
      return plain;
    },
    wholes: new Set(wholes.map((text) => text.toLowerCase())),
    splits: new Map(
      Object.entries(table.splits ?? {}).map(([text, parts]) => [
        text.toLowerCase(),
        parts.split(" ").map((part) => part.length),
      ]),
    ),
    prefixes: lowered(table.prefixes),
    suffixes: lowered(suffixes),
    hyphenParts: new Set(lowered(table.hyphenParts)),
    splitsHyphens,
    titles: new Abbreviations(table.titles),
    abbreviations: new Abbreviations(table.abbreviations),
    beforeNumbers: new Abbreviations(table.beforeNumbers),
    afterOrdinals: new Set(table.afterOrdinals ?? []),
    starters: new Set(table.starters ?? []),
    smallStarters: new Set(table.starters?.map((text) => text[0].toLowerCase() + text.slice(1))),
    partings: new Set(lowered(table.partings)),
    greetings: new Set(lowered(table.greetings)),
    ...(table.boundaries && { boundaries: new Boundaries(table.boundaries) }),
    sentenceEnds: new Set(table.sentenceEnds ?? ""),
    closers: new Set(closingMarks + (table.closingQuotes ?? "")),
  };
}

/** The longest first: "-t-il" before "-il". */
function lowered(words: readonly string[] = []): string[] {
  return words.map((text) => text.toLowerCase()).sort((a, b) => b.length - a.length);
}
