/**
 * Good examples: how well the sentence around a hit can stand alone, be understood, and show what is meant.
 *
 * A formula (examples-formula.ts) over what is measured of a sentence (examples-measures.ts) gives points from 0 to 100;
 * scores are points / 100, never below 0 or above 1. Unless another is given it is
 *
 *   50 * all(is_whole_sentence(), length > 4, length < 40, blacklist == 0, symbols == 0)
 *   + 50 * optimal_interval(length, 10, 20) * max(0, 1 - 0.15 * rare(5)) * (1 - 0.4 * anaphora)
 *        * (1 - 0.1 * min(5, digits + capitals)) * (1 - 0.1 * min(5, long_words(12))) * (1 - 0.1 * (position == 0))
 *
 * so that a whole sentence of ten to twenty tokens, of words that are not rare, that does not point back, is best.
 *
 * Hits outside a sentence, and those in one of more than `exampleTokensMax` tokens, score 0. In a corpus without sentences
 * (where no structure is named) some tokens around a hit are measured, which are no whole sentence.
 *
 * Each sentence is read and measured once, whatever hits it has, and words are looked up once: some hundred thousand hits a
 * second.
 */
import type { Structure } from "../../storage/index.js";
import type { Desk } from "../desk.js";
import { comparing, upTo } from "../pace.js";
import { structureNumbers } from "./around.js";
import { type Formula, parseFormula } from "./examples-formula.js";
import { Example, vocabularyOf } from "./examples-measures.js";
import { Words } from "./examples-words.js";
import { type Hits, pick } from "./hits.js";
import { limits } from "./limits.js";
import type { ExamplesStep } from "./steps.js";

export const defaultFormula = `50 * all(is_whole_sentence(), length > 4, length < 40, blacklist == 0, symbols == 0)
+ 50 * optimal_interval(length, 10, 20) * max(0, 1 - 0.15 * rare(5)) * (1 - 0.4 * anaphora)
     * (1 - 0.1 * min(5, digits + capitals)) * (1 - 0.1 * min(5, long_words(12))) * (1 - 0.1 * (position == 0))`;

/** The score of each hit, in the order of the hits: from 0, a bad example, to 1. */
export async function scoreExamples(desk: Desk, hits: Hits, step: ExamplesStep): Promise<Float64Array> {
  const { snapshot } = desk;
  const attribute = snapshot.defaultAttribute;
  const words = new Words(snapshot, attribute);
  const formula = parseFormula(step.formula ?? defaultFormula, vocabularyOf(words, step.blacklist ?? []));
  const scores = new Float64Array(hits.count);
  const structure = sentenceStructure(desk, step);
  const sentences = structure && sentencesInOrder(desk, structure, hits);
  const stream = snapshot.stream(attribute);
  const ids = new Uint32Array(limits.exampleTokensMax);
  const example = new Example(words, limits.exampleTokensMax);
  let sentence = -1;
  let [begin, end] = [0, 0];
  const score = (n: number) => {
    const i = sentences ? sentences.order[n] : n;
    if (structure && sentences) {
      const number = sentences.numbers[i];
      if (number < 0) return;
      if (number !== sentence) {
        sentence = number;
        [begin, end] = structure.range(number);
        if (end - begin <= limits.exampleTokensMax) {
          stream.read(begin, end - begin, ids);
          example.read(ids, end - begin, true);
        }
      }
    } else {
      begin = Math.max(0, hits.begins[i] - windowTokens);
      end = Math.min(snapshot.tokens, hits.ends[i] + windowTokens);
      if (end - begin <= limits.exampleTokensMax) {
        stream.read(begin, end - begin, ids);
        example.read(ids, end - begin, false);
      }
    }
    if (end - begin > limits.exampleTokensMax) return;
    example.setNode(hits.begins[i] - begin, Math.min(hits.ends[i], end) - begin);
    scores[i] = scoreOf(formula, example);
  };
  const some = (from: number, to: number) => {
    for (let n = from; n < to; n++) score(n);
  };
  for (let from = 0; from < hits.count; from += measuredHits) {
    desk.checkpoint();
    const wait = desk.turn();
    if (wait) await wait;
    some(from, Math.min(hits.count, from + measuredHits));
  }
  return scores;
}

/** Hits that are measured without a break. */
const measuredHits = 256;

/** Around hits in a corpus without sentences. */
const windowTokens = 10;

function scoreOf(formula: Formula<Example>, example: Example): number {
  const points = formula(example);
  return points > 0 ? Math.min(1, points / 100) : 0;
}

/** What is an example: the structure that is named, else sentences, if there are any. */
function sentenceStructure({ snapshot }: Desk, { structure }: ExamplesStep): Structure | undefined {
  if (structure !== undefined) return snapshot.structure(structure);
  return snapshot.structures.find(({ name }) => name === "s");
}

/** The sentence of each hit (−1: none), and the hits ordered by it, so that each is read once. */
function sentencesInOrder(
  { snapshot, checkpoint }: Desk,
  structure: Structure,
  hits: Hits,
): { numbers: Float64Array; order: Uint32Array } {
  const numbers = structureNumbers(snapshot, structure, hits, checkpoint);
  const order = upTo(hits.count);
  let ordered = true;
  for (let i = 1; i < hits.count && ordered; i++) ordered = numbers[i - 1] <= numbers[i];
  if (!ordered) order.sort(comparing((a, b) => numbers[a] - numbers[b] || a - b, checkpoint));
  return { numbers, order };
}

/** Is it a formula? Throws what is wrong with it, before anything is searched for. */
export function checkFormula(formula: string): void {
  parseFormula(formula, vocabularyOf({ addList: () => 1 }, []));
}

/** The hits ordered by their scores, the best first; those that are equal stay in the order they were in. */
export async function bestExamples(desk: Desk, hits: Hits, step: ExamplesStep): Promise<Hits> {
  const { checkpoint } = desk;
  const scores = await scoreExamples(desk, hits, step);
  const order = upTo(hits.count).sort(comparing((a, b) => scores[b] - scores[a] || a - b, checkpoint));
  return pick(hits, order.subarray(0, step.count ?? hits.count), false, checkpoint);
}
