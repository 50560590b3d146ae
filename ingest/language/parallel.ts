/**
 * Parallel text: what the languages of a close group say of the same things. Of messages, those that all of them have; of the declaration
 * and of lists of words, everything, for these are the same in all languages.
 *
 * Of Bosnian there is little. Serbian stands in for it where Bosnian lacks a message that Serbian and Croatian have: most of the
 * words that Croatian does not share with Serbian, it does not share with Bosnian either.
 */
import type { CloseText } from "./close.js";
import type { Sample, Samples } from "./samples.js";

/** Languages that are so close that counting each for itself does not tell them apart. */
export const closeGroups: readonly (readonly string[])[] = [
  ["bos", "hrv"],
  ["nno", "nob"],
  ["nso", "tsn"],
  ["xho", "zul"],
];

/** Who speaks for whom, and how much that counts. */
const standIns = new Map([["bos", { language: "srp", weight: 0.3 }]]);

/** Lines are joined, and cut, to about as much as people ask about. */
const textChars = 100;
/** A source with so many texts of a language counts as much as one can; of larger ones each text counts less, by the root. */
const fullTexts = 200;
const weightMax = 1.5;

export function closeTexts(samples: Samples, languages: readonly string[]): CloseText[] {
  const own = languages.map(
    (language): Sample => samples.get(language) ?? { sentences: [], messages: new Map(), words: [] },
  );
  const texts: CloseText[] = [];
  const add = (lines: string[][], times = 1) =>
    lines.forEach((some, language) => {
      const joined = textsOf(some);
      const weight = times * Math.min(weightMax, Math.sqrt(fullTexts / joined.length));
      for (const text of joined) texts.push({ language, text, weight });
    });
  add(own.map(({ sentences }) => sentences));
  add(own.map(({ words }) => words));
  for (const lines of shared(own.map(({ messages }) => messages))) add(lines);
  for (const [name, { language, weight }] of standIns) {
    const at = languages.indexOf(name);
    if (at < 0) continue;
    const others = own.map(({ messages }) => messages);
    const missing = new Map(
      [...(samples.get(language)?.messages ?? [])]
        .filter(([key]) => !own[at].messages.has(key))
        .map(([key, text]) => [key, latin(text)]),
    );
    for (const lines of shared(others.map((own, i) => (i === at ? missing : own)))) add(lines, weight);
  }
  return texts;
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
