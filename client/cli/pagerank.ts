/** `dugong pagerank`: ranks the pages of a link table. */
import type { Command } from "commander";
import { counted, duration, grouped, table } from "./format.js";
import { examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { stepsOn } from "./progress.js";

interface Options extends GlobalOptions {
  limit: number;
}

export function addPageRank(program: Command): void {
  program
    .command("pagerank")
    .description(
      "Rank pages by who links to them: PageRank with damping 0.85, until no rank changes by a tenth of the average or more.",
    )
    .argument("<links>", "link table: an address, a tab and an address in each line; also gzip or Zstandard")
    .option("--limit <n>", "how many pages to show, 0 for all (default: 20)", wholeNumber, 20)
    .addHelpText(
      "after",
      examples(
        ["dugong pagerank crawl/links.tsv.gz", "the twenty first"],
        ["dugong pagerank links.tsv --limit 0 --json", "all, for a program"],
      ),
    )
    .action(rank);
}

async function rank(path: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { pageRanks, readLinks } = await import("../../storage/index.js");
  const steps = stepsOn(process.stderr, options.json ?? false);
  const began = performance.now();
  const links = await readLinks(path, {
    onRead: (bytes, total) => steps.report(total === 0 ? 0 : bytes / total, 1, "reading links"),
  });
  const { ranks, ...found } = pageRanks(links.graph, {
    onIteration: (iteration) => steps.report(1, 1, `iteration ${iteration}`),
  });
  steps.done();
  const order = new Uint32Array(ranks.length).map((_, page) => page);
  order.sort((a, b) => ranks[b] - ranks[a] || a - b);
  const shown = [...order.subarray(0, options.limit === 0 ? ranks.length : options.limit)];
  const items = shown.map((page) => ({ url: links.urls[page], rank: ranks[page] }));
  const { badLines, firstBadLine, repeated, issues } = links;
  const summary = {
    ...{ pages: ranks.length, links: links.graph.sources.length, repeated, badLines },
    ...(badLines > 0 && { firstBadLine }),
    ...(issues.length > 0 && { issues }),
    ...found,
  };
  if (options.json) return writeJson({ ...summary, items });
  await writeLines([
    `${counted(ranks.length, "page")}, ${counted(summary.links, "link")}, ${grouped(found.dangling)} without links; ${counted(found.iterations, "iteration")}, ${duration((performance.now() - began) / 1000)}`,
    ...issues,
    ...(badLines > 0
      ? [`${counted(badLines, "line")} could not be read, the first is line ${firstBadLine}`]
      : []),
    ...table(
      [">rank", "page"],
      items.map(({ url, rank: own }) => [own.toPrecision(4), url]),
    ),
  ]);
}
