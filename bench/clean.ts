/**
 * `npm run bench -- clean`: how well and how fast text is told from boilerplate, on pages that people have marked (clean-pages.ts).
 * The default algorithm was trained on these pages: how good it is on pages of other sites is what clean-train says.
 */

import { cleaningOf } from "../ingest/clean/clean.js";
import { type Cleaning, cleanPage } from "../ingest/clean/page.js";
import { goldPages, mean, score } from "./clean-pages.js";
import { printTable, printTargets, type Target } from "./table.js";

/** Macro F1 on these pages, and pages per second of CPU, of what others have published. */
const published = [
  ["jusText (Python)", "0.807", "39"],
  ["trafilatura (Python)", "0.897", "28"],
];

const settings: [name: string, cleaning: Cleaning][] = [
  ["default", cleaningOf({})],
  ["default, no comments", cleaningOf({ noComments: true })],
  ["justext", cleaningOf({ algorithm: "justext" })],
  ["justext, no stop words", cleaningOf({ algorithm: "justext", noStopWords: true })],
];

export async function run(): Promise<void> {
  const pages = goldPages().map((page) => ({
    ...page,
    fetched: { url: page.name, body: page.bytes, source: page.name, contentType: "text/html" },
  }));
  const sets = [...new Set(pages.map(({ set }) => set))];
  const rows: string[][] = [];
  const perSet: string[][] = [];
  const targets: Target[] = [];
  for (const [name, cleaning] of settings) {
    for (const { fetched } of pages.slice(0, 300)) cleanPage(fetched, cleaning);
    const began = process.cpuUsage();
    const texts = pages.map(({ fetched }) =>
      (cleanPage(fetched, cleaning).document?.paragraphs ?? []).map(({ text }) => text).join("\n"),
    );
    const { user, system } = process.cpuUsage(began);
    const rate = pages.length / ((user + system) / 1e6);
    const scores = pages.map(({ gold }, i) => score(gold, texts[i]));
    const empty = texts.filter((text) => text === "").length;
    const figure = (of: (one: (typeof scores)[number]) => number) => mean(scores.map(of)).toFixed(3);
    rows.push([
      name,
      figure(({ f1 }) => f1),
      Math.round(rate).toString(),
      figure(({ precision }) => precision),
      figure(({ recall }) => recall),
      String(empty),
    ]);
    const f1 = mean(scores.map((one) => one.f1));
    if (name === "default" || name === "justext")
      targets.push(
        {
          what: name === "default" ? "F1, default (trained on these pages)" : `F1, ${name}`,
          value: f1,
          least: name === "default" ? 0.9 : 0.8,
          digits: 3,
        },
        { what: `pages/s, ${name}`, value: rate, least: 300 },
      );
    perSet.push([
      name,
      ...sets.map((set) =>
        mean(scores.filter((_, i) => pages[i].set === set).map(({ f1 }) => f1)).toFixed(3),
      ),
    ]);
  }
  const others = published.map((row) => [...row, "", "", ""]);
  const columns = ["algorithm", "F1", "pages/s", "precision", "recall", "empty"];
  printTable(`${pages.length} pages, per second of CPU`, columns, [...rows, ...others]);
  const counts = sets.map((set) => `${set} (${pages.filter((page) => page.set === set).length})`);
  printTable("F1 by set", ["algorithm", ...counts], perSet);
  // Ten times trafilatura's 28 pages/s is less than what is aimed at.
  printTargets(targets);
}
