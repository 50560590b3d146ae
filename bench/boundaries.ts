/**
 * `npm run bench -- boundaries TREEBANK… [--language en]`: learns where sentences end, and writes the module that the language's
 * table takes its weights from (ingest/tokenise/languages/*-boundaries.ts) to standard output.
 */
import { Boundaries, featureCount, features, weightsText } from "../ingest/tokenise/boundaries.js";
import { tables } from "../ingest/tokenise/languages/index.js";
import { rulesOf } from "../ingest/tokenise/rules.js";
import { SentenceCutter } from "../ingest/tokenise/sentences.js";
import { tableOf } from "../ingest/tokenise/table.js";
import { goldOf } from "./tokenise.js";

const epochs = 10;
const margin = 3;
const seed = 20;

export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--language");
  const [, language = "en"] = at < 0 ? [] : args.splice(at, 2);
  const places: number[] = [];
  const ends: boolean[] = [];
  for (const path of args) await collect(path, language, places, ends);
  const weights = learn(Int32Array.from(places), ends);
  const text = weightsText(weights).replace(/(.{1,100})(?: |$)/g, "$1\n");
  console.log(`/** Learnt (\`npm run bench -- boundaries\`): what the weights mean is told in boundaries.ts. */
export const ${({ en: "english" })[language] ?? language}Boundaries = \`
${text}\`;`);
}

/** Every space of a treebank's text, and whether a sentence ends there. Contexts are those of the right sentences. */
async function collect(path: string, language: string, places: number[], ends: boolean[]): Promise<void> {
  const gold = await goldOf(path);
  const lasts = new Set([...gold.sentences].map((range) => Number(range.split(" ")[1])));
  const rules = { ...rulesOf(language, tableOf(tables, language)), boundaries: new Boundaries("") };
  const cutter = new SentenceCutter(rules);
  const found = new Int32Array(featureCount);
  let from = 0;
  let chars: number[] = [];
  rules.boundaries.ends = (context) => {
    features(context, found);
    places.push(...found);
    const isEnd = lasts.has(chars[cutter.tokensSoFar - 1]);
    ends.push(isEnd);
    return isEnd;
  };
  const plain = new SentenceCutter(rulesOf(language, { ...rules.table, boundaries: "" }));
  for (const paragraph of gold.paragraphs) {
    chars = [];
    let length = from;
    for (const line of plain.paragraph(paragraph).text.split("\n")) {
      if (line === "" || line === "<s>" || line === "</s>" || line === "<g/>") continue;
      chars.push((length += line.length));
    }
    cutter.paragraph(paragraph);
    from = length;
  }
}

/** An averaged perceptron with a margin, its weights rounded. */
function learn(places: Int32Array, ends: readonly boolean[]): Int8Array {
  const { length } = new Boundaries("").weights;
  const weights = new Float64Array(length);
  const sums = new Float64Array(length);
  const order = ends.map((_, i) => i);
  let state = seed;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    for (const one of order) {
      step++;
      const sign = ends[one] ? 1 : -1;
      let sum = 0;
      for (let f = 0; f < featureCount; f++) sum += weights[places[one * featureCount + f]];
      if (sign * sum > margin) continue;
      for (let f = 0; f < featureCount; f++) {
        weights[places[one * featureCount + f]] += sign;
        sums[places[one * featureCount + f]] += sign * step;
      }
    }
  }
  return Int8Array.from(weights, (weight, i) =>
    Math.max(-127, Math.min(127, Math.round(1.5 * (weight - sums[i] / step)))),
  );
}
