/**
 * The collocations of a list of words, as JSON lines.
 *
 *   node collocations.js ws://localhost:7717 demo lemma words.txt > collocations.jsonl
 */
import { readFileSync } from "node:fs";
import { connect } from "dugong";

const [address, corpusName, attribute, file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: collocations.js ADDRESS CORPUS ATTRIBUTE WORDS");
  process.exit(2);
}

const words = readFileSync(file, "utf8").split(/\r?\n/).filter(Boolean);
const session = await connect(address);
const corpus = session.corpus(corpusName);
for (const word of words) {
  // == compares with the word itself, whatever characters it has; quotes in it are doubled.
  const rows = corpus.coll(`[${attribute}=="${word.replaceAll('"', '""')}"]`, {
    attribute,
    window: { from: -5, to: 5 },
    measures: ["logDice", "MI", "T"],
    limit: 20,
  });
  const collocates = await rows.all();
  const { hits } = rows.known.summary ?? { hits: 0 };
  process.stdout.write(`${JSON.stringify({ word, hits, corpus: rows.known.corpus, collocates })}\n`);
}
await session.close();
