/**
 * Parallel text: what the languages of a close group say of the same things. Of messages, those that all of them have; of the declaration
 * and of lists of words, everything, for these are the same in all languages. Texts of our own (texts/) say it sentence by sentence as
 * newspapers do, and tables (close/) set word by word what differs.
 *
 * Serbian is set beside its neighbours in Latin letters. Of Bosnian there is little: of messages that it lacks, Croatian and Serbian
 * teach what is in one of the two alone.
 */
import { rowsFor, wordTables } from "./close/tables.js";
import type { CloseText } from "./close.js";
import type { Sample, Samples } from "./samples.js";
import { ownTexts } from "./texts/texts.js";

/** Languages that are so close that counting each for itself does not tell them apart. */
export const closeGroups: readonly (readonly string[])[] = [
  ["bos", "hrv", "srp"],
  ["ind", "msa"],
  ["nno", "nob"],
  ["nso", "tsn"],
  ["xho", "zul"],
];

/**
 * Where nothing tells them apart. Of Indonesian there is ten times as much as of Malay, and more. Half of Serbian is written
 * in Cyrillic letters, and not asked about here.
 */
const biases = new Map([
  ["srp", Math.log(0.5)],
  ["ind", Math.log(10)],
]);

export function closeBias(languages: readonly string[]): number[] {
  return languages.map((language) => biases.get(language) ?? 0);
}

/** Of which there is too little to ask for messages that it has as well, and how much those count that it lacks. */
const lacking = new Map([["bos", 0.3]]);
/** Written in two scripts, of which its neighbours have one. */
const inLatin = new Set(["srp"]);

/** Lines are joined, and cut, to about as much as people ask about. */
const textChars = 100;
/** A source with so many texts of a language counts as much as one can; of larger ones each text counts less, by the root. */
const fullTexts = 200;
const weightMax = 1.5;
/** How much a text of our own counts, and each word of a table. */
const ownWeight = 3;
const wordWeight = 3;

export function closeTexts(samples: Samples, languages: readonly string[]): CloseText[] {
  const own = languages.map((language) => sampleOf(samples, language));
  const texts: CloseText[] = [];
  const add = (lines: string[][], times = 1, among = languages.map((_, i) => i)) =>
    lines.forEach((some, i) => {
      const joined = textsOf(some);
      const weight = times * Math.min(weightMax, Math.sqrt(fullTexts / joined.length));
      for (const text of joined) texts.push({ language: among[i], text, weight, among });
    });
  add(own.map(({ sentences }) => sentences));
  add(own.map(({ words }) => words));
  const messages = own.map(({ messages }) => messages);
  for (const lines of shared(messages)) add(lines);
  languages.forEach((name, language) => {
    for (const text of ownTexts.get(name) ?? []) texts.push({ language, text, weight: ownWeight });
  });
  for (const table of wordTables)
    for (const row of rowsFor(table, languages))
      row.forEach((cell, language) => {
        for (const text of cell.split(" ")) texts.push({ language, text, weight: wordWeight });
      });
  for (const [name, weight] of lacking) {
    const at = languages.indexOf(name);
    if (at < 0) continue;
    const others = languages.map((_, i) => i).filter((i) => i !== at);
    const missing = others.map((i) => new Map([...messages[i]].filter(([key]) => !messages[at].has(key))));
    for (const lines of shared(missing)) add(lines, weight, others);
  }
  return texts;
}

function sampleOf(samples: Samples, language: string): Sample {
  const sample = samples.get(language) ?? { sentences: [], messages: new Map(), words: [] };
  if (!inLatin.has(language)) return sample;
  return {
    sentences: sample.sentences.map(latin),
    messages: new Map([...sample.messages].map(([key, text]) => [key, latin(text)])),
    words: sample.words.map(latin),
  };
}

/** Of each source, the messages that all have: lines of each. */
function shared(messages: readonly ReadonlyMap<string, string>[]): string[][][] {
  const sources = new Map<string, string[][]>();
  for (const key of messages[0].keys()) {
    if (!messages.every((own) => own.has(key))) continue;
    const source = key.slice(0, key.indexOf(" "));
    const lines = sources.get(source) ?? messages.map(() => []);
    sources.set(source, lines);
    messages.forEach((own, i) => {
      lines[i].push(own.get(key)!);
    });
  }
  return [...sources.values()];
}

/** Texts of about the same length. */
function textsOf(lines: readonly string[]): string[] {
  const texts: string[] = [];
  let text = "";
  for (const line of lines) {
    for (const piece of line.match(/.{60,120}(?=\s)|.+$/g) ?? []) {
      text += ` ${piece}`;
      if (text.length < 0.8 * textChars) continue;
      texts.push(text);
      text = "";
    }
  }
  return texts;
}

const letters = new Map(
  "а:a б:b в:v г:g д:d ђ:đ е:e ж:ž з:z и:i ј:j к:k л:l љ:lj м:m н:n њ:nj о:o п:p р:r с:s т:t ћ:ć у:u ф:f х:h ц:c ч:č џ:dž ш:š"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

/** Serbian in Latin letters. */
export function latin(text: string): string {
  return text.toLowerCase().replace(/[\u0400-\u04ff]/g, (letter) => letters.get(letter) ?? letter);
}
