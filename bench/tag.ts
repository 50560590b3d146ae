/**
 * `npm run bench -- tag [--quick]`: taggers trained on treebanks and tried on their test sets, with the tokens of the treebank;
 * how much is right, and how fast. Lemmas are compared as they are written, and without regard to capitals, as those did whose
 * figures the target was set by (a perceptron 0.983, wink-nlp 0.964).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Warnings } from "../ingest/stream/report.js";
import { accuracyOf } from "../ingest/tag/accuracy.js";
import { type GoldSentence, treebank } from "../ingest/tag/conllu.js";
import { modelBytes } from "../ingest/tag/model.js";
import { Tagger } from "../ingest/tag/tagger.js";
import { train } from "../ingest/tag/train.js";
import { winkTagger } from "../ingest/tag/wink.js";
import { best, printTable, printTargets, type Target } from "./table.js";

const shared = join(import.meta.dirname, "../../../shared/data/ud");

async function read(name: string): Promise<GoldSentence[]> {
  const sentences: GoldSentence[] = [];
  for await (const sentence of treebank([join(shared, name)], { warnings: new Warnings() }))
    sentences.push(sentence);
  return sentences;
}

const percent = (share: number | undefined) => (share === undefined ? "" : (100 * share).toFixed(2));

export async function run(args: string[]): Promise<void> {
  if (!existsSync(shared)) throw new Error(`there is no ${shared}`);
  const rounds = args.includes("--quick") ? 2 : undefined;
  const quality: string[][] = [];
  const speeds: string[][] = [];
  const targets: Target[] = [];
  for (const [language, training, tests] of [
    ["en", "en_ewt-train.conllu.gz", ["en_ewt-dev.conllu.gz", "en_ewt-test.conllu.gz"]],
    ["fo", "fo_farpahc-ud-train.conllu.gz", ["fo_farpahc-ud-test.conllu.gz", "fo_oft-ud-test.conllu.gz"]],
  ] as const) {
    const began = process.cpuUsage();
    const model = await train(await read(training), { language, rounds, layers: ["xpos", "feats"] });
    const used = process.cpuUsage(began);
    const size = (await modelBytes(model)).length;
    for (const test of tests) {
      const gold = await read(test);
      const { tokens, right, lemmaAnyCase, lemmaOfRightTags, unknown } = accuracyOf(model, gold);
      quality.push([
        `${test.replace(/\.conllu\.gz$/, "")} (${tokens} tokens)`,
        percent(right.tag),
        percent(right.xpos),
        percent(right.feats),
        percent(right.lemma),
        percent(lemmaAnyCase),
        percent(lemmaOfRightTags),
        percent(unknown.tag),
      ]);
      const forms = gold.map((sentence) => sentence.tokens.map(({ form }) => form));
      const rate = (columns: string[]) => {
        const tagger = new Tagger(model);
        const wanted = new Set(columns);
        const seconds = best(3, () => {
          for (const sentence of forms) tagger.analyse(sentence, wanted);
        });
        return tokens / seconds;
      };
      const rates = [["tag"], ["tag", "lemma"], ["tag", "lemma", "xpos", "feats"]].map(rate);
      if (test === "en_ewt-test.conllu.gz")
        targets.push(
          { what: "tag, %", value: 100 * right.tag!, least: 95, digits: 2 },
          { what: "lemma, any case, %", value: 100 * lemmaAnyCase!, least: 98, digits: 2 },
          { what: "tokens/s, tag and lemma", value: rates[1], least: 100_000 },
        );
      speeds.push([
        test.replace(/\.conllu\.gz$/, ""),
        ...rates.map((value) => Math.round(value).toLocaleString("en")),
        `${(size / 1e6).toFixed(1)} MB`,
        `${((used.user + used.system) / 1e6).toFixed(0)} s`,
      ]);
    }
  }
  const wink = winkTagger();
  const gold = await read("en_ewt-test.conllu.gz");
  let tokens = 0;
  let tags = 0;
  let lemmas = 0;
  let anyCase = 0;
  for (const sentence of gold) {
    const found = wink(sentence.tokens.map(({ form }) => form));
    sentence.tokens.forEach((token, i) => {
      tokens++;
      if (found.tag![i] === token.upos) tags++;
      if (found.lemma![i] === token.lemma) lemmas++;
      if (found.lemma![i].toLowerCase() === token.lemma.toLowerCase()) anyCase++;
    });
  }
  quality.push([
    "en_ewt-test, wink-english",
    percent(tags / tokens),
    "",
    "",
    percent(lemmas / tokens),
    percent(anyCase / tokens),
    "",
    "",
  ]);
  printTable(
    "right, % of gold tokens",
    ["", "tag", "xpos", "feats", "lemma", "lemma, any case", "lemma, gold tags", "tag of unknown words"],
    quality,
  );
  printTable("tokens/s on one core", ["", "tag", "tag, lemma", "all", "model", "training, CPU"], speeds);
  printTargets(targets);
}
