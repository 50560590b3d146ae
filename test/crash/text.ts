/** Small vertical texts, the same for the same seed, in the very form in which `dump` writes them. */

/** Numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const topics = ["law", "law|tax", "tax", "art", "art|law|tax"];

/** Documents of some 10 sentences of some 12 tokens with three columns: word, lemma, tag. */
export function verticalText(seed: number, documents: number): string {
  const random = randomNumbers(seed);
  const lines: string[] = [];
  for (let document = 0; document < documents; document++) {
    const topic = topics[Math.floor(random() * topics.length)];
    lines.push(`<doc topic="${topic}" id="${seed}-${document}">`);
    for (let sentences = 4 + random() * 12; sentences > 0; sentences--) {
      lines.push("<s>");
      for (let token = 0, tokens = 2 + random() * 20; token < tokens; token++) {
        // Few words are frequent, and most are rare.
        const rank = Math.floor(8000 ** random());
        if (token > 0 && random() < 0.1) lines.push("<g/>");
        lines.push(
          `${rank % 9 === 0 ? "W" : "w"}${rank.toString(36)}\tw${rank.toString(36)}\t${"NVAP"[rank % 4]}`,
        );
      }
      lines.push("</s>");
    }
    lines.push("</doc>");
  }
  return `${lines.join("\n")}\n`;
}
