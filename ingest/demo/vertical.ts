/**
 * The addresses as vertical text, one after the other:
 *
 *   <doc id="1961_kennedy" year="1961" president="John F. Kennedy" party="Democratic" title="…">
 *   <s>
 *   word  lemma  tag
 *   <g/>              no space stood before the next token
 *   …
 *   </s>
 *   </doc>
 */
import { setImmediate } from "node:timers/promises";
import { type Address, readAddress } from "./addresses.js";
import { englishTagger, type Tokens } from "./english.js";

export const attributes = ["word", "lemma", "tag"];

/** Yields an address at a time; `onAddress` is told how many tokens it has. */
export async function* verticalText(
  files: readonly string[],
  onAddress: (tokens: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const tag = englishTagger();
  for (const file of files) {
    const address = readAddress(file);
    const tokens = tag(address.text);
    yield Buffer.from(documentOf(address, tokens));
    onAddress(tokens.words.length);
    // Timers and signals get their turn.
    await setImmediate();
  }
}

function documentOf(address: Address, { words, lemmas, tags, glued, sentences }: Tokens): string {
  const { id, year, president, party, title } = address;
  let text = `<doc id="${id}" year="${year}" president="${president}" party="${party}" title="${title}">\n`;
  for (let s = 0; s + 1 < sentences.length; s++) {
    text += "<s>\n";
    for (let i = sentences[s]; i < sentences[s + 1]; i++) {
      text += `${glued[i] ? "<g/>\n" : ""}${words[i]}\t${lemmas[i]}\t${tags[i]}\n`;
    }
    text += "</s>\n";
  }
  return `${text}</doc>\n`;
}
