/**
 * `npm run bench -- clean-train`: trains what tells text from boilerplate, and says how good it is on pages of sites that it
 * has not seen. With --write, it then trains on all pages and writes ingest/clean/model.ts. With --sets, also on
 * sets of pages that it has not seen, whose makers had other ideas of what text is.
 */
import { writeFileSync } from "node:fs";
import { type Layout, layoutOf } from "../ingest/clean/blocks.js";
import { decodePage } from "../ingest/clean/charset.js";
import { mostlyText } from "../ingest/clean/choose.js";
import { featureCount, type Measures, measure } from "../ingest/clean/features.js";
import { Forest } from "../ingest/clean/trees.js";
import { type Boosting, boost, randomFrom, type Table } from "./clean-boosting.js";
import { markedShares } from "./clean-labels.js";
import { type GoldPage, goldPages, mean, score, tokens } from "./clean-pages.js";
import { printTable } from "./table.js";

/** Folds of sites. */
const foldCount = 5;

export interface Example {
  page: GoldPage;
  fold: number;
  layout: Layout;
  measures: Measures;
  share: Float32Array;
  weight: Float32Array;
}

export const boosting: Boosting = {
  trees: 120,
  leaves: 24,
  rate: 0.1,
  leafWeightMin: 20,
  ridge: 5,
  featureShare: 0.4,
  groupShare: 0.7,
  seed: 1,
};

export async function run(args: string[]): Promise<void> {
  const examples = prepare(goldPages());
  console.log(
    `${examples.length} pages, ${examples.reduce((sum, { share }) => sum + share.length, 0)} blocks`,
  );
  const oracle = examples.map((one) =>
    f1Of(
      one,
      Array.from(one.share, (share) => share >= 0.5),
    ),
  );
  console.log(`best that blocks allow: ${mean(oracle).toFixed(4)}`);
  report(
    "sites that it has not seen",
    examples,
    crossFitted(examples, boosting, ({ fold }) => fold),
  );
  if (args.includes("--sets"))
    report(
      "sets that it has not seen",
      examples,
      crossFitted(examples, boosting, ({ page }) => page.set),
    );
  if (args.includes("--write")) writeModel(boost(tableOf(examples), boosting));
}

export function prepare(pages: GoldPage[]): Example[] {
  const random = randomFrom(7);
  const folds = new Map<string, number>();
  return pages.map((page) => {
    if (!folds.has(page.site)) folds.set(page.site, Math.floor(random() * foldCount));
    const layout = layoutOf(decodePage(page.bytes).text);
    const { share, words } = markedShares(
      layout.blocks.map(({ text }) => text),
      page.gold,
    );
    const goldWords = tokens(page.gold).length;
    const pageWords = words.reduce((sum, one) => sum + one, 0);
    // Each page counts about the same, as it does in the measure.
    const weight = words.map((one) => one / (goldWords + 0.2 * pageWords + 20));
    return {
      page,
      fold: folds.get(page.site)!,
      layout,
      measures: measure(layout, layout.metadata.title),
      share,
      weight,
    };
  });
}

export function tableOf(examples: Example[]): Table {
  const count = examples.reduce((sum, { share }) => sum + share.length, 0);
  const table: Table = {
    rows: new Float32Array(count * featureCount),
    featureCount,
    target: new Float32Array(count),
    weight: new Float32Array(count),
    group: new Int32Array(count),
  };
  let at = 0;
  examples.forEach((one, group) => {
    table.rows.set(one.measures.features, at * featureCount);
    table.target.set(one.share, at);
    table.weight.set(one.weight, at);
    table.group.fill(group, at, at + one.share.length);
    at += one.share.length;
  });
  return table;
}

/** What is said of each page by trees that have seen no page of its fold. */
export function crossFitted(
  examples: Example[],
  options: Boosting,
  foldOf: (one: Example) => number | string,
): Float32Array[] {
  const said: Float32Array[] = new Array(examples.length);
  for (const fold of new Set(examples.map(foldOf))) {
    const seen = examples.filter((one) => foldOf(one) !== fold);
    const forest = Forest.parse(boost(tableOf(seen), options));
    examples.forEach((one, i) => {
      if (foldOf(one) === fold) said[i] = forest.likelihoods(one.measures.features);
    });
  }
  return said;
}

export function f1Of({ page, layout }: Example, kept: readonly boolean[]): number {
  const text = layout.blocks
    .filter((_, i) => kept[i])
    .map(({ text }) => text)
    .join("\n");
  return score(page.gold, text).f1;
}

export function report(title: string, examples: Example[], likely: Float32Array[]): void {
  const adaptive = examples.map((one, i) => f1Of(one, mostlyText(likely[i], one.measures.words)));
  const fixed = examples.map((one, i) =>
    f1Of(
      one,
      Array.from(likely[i], (p) => p >= 0.5),
    ),
  );
  const sets = ["ALL", ...new Set(examples.map(({ page }) => page.set))];
  const rows = sets.map((set) => {
    const isIn = (_: number, i: number) => set === "ALL" || examples[i].page.set === set;
    return [
      set,
      adaptive.filter(isIn).length,
      mean(fixed.filter(isIn)).toFixed(4),
      mean(adaptive.filter(isIn)).toFixed(4),
    ];
  });
  printTable(title, ["set", "pages", "F1 at 0.5", "F1 chosen"], rows);
}

export function writeModel(forest: readonly string[]): void {
  writeFileSync(
    "ingest/clean/model.ts",
    [
      "/**",
      " * The trees that tell text from boilerplate: made by `npm run bench -- clean-train --write`, not by hand. trees.ts says how",
      " * they are written; features.ts has the features in their order.",
      " */",
      "// biome-ignore-all format: a tree a line",
      `export const model = [`,
      ...forest.map((line) => `  "${line}",`),
      "];",
      "",
    ].join("\n"),
  );
}
