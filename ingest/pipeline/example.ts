/** What `dugong pipeline init` writes: a pipeline to begin with, and all that could be in it. */
import { crawlParameters } from "./crawl.js";
import type { StepEntry } from "./entry.js";
import { steps } from "./steps.js";

export function examplePipeline(): string {
  return `# A pipeline: from files to a corpus. \`dugong pipeline run\` does what has not been done since something changed.

# What is fetched first; its pages are inputs then. Parameters are those of \`dugong crawl\`.
# crawl:
#   seeds: seeds.txt
#   tld: [fo]
#   contact: corpus@example.org

# Files, directories and globs; paths are relative to this file.
inputs:
  - crawl/warc/*.warc.gz

# Where outputs, the log and the report lie (default: this file's name with .work).
# work: pipeline.work

# Processes at a time (default: one for each core), and how often a task that fails is tried again (default: 2).
# workers: 2
# retries: 2

# Compress what lies between the steps (default: false).
# compress: true

# Modules with steps of your own (docs/INGEST.md).
# modules: [steps.mjs]

# What is done, in this order. Each step is a name, or a name with parameters; defaults are in parentheses below.
steps:
  - clean
  - language:
      keep: [eng]
  - dedup:
      unit: paragraph
      threshold: 0.5
  - tokenise
  - tag:
      model: wink-english
  - encode:
      corpus: news
      attributes: [word, lemma, tag]
      unique: [doc.url]

# The steps there are, and their parameters:
#
${steps.map(described).join("#\n")}#
# # crawl: before all steps
${Object.entries(crawlParameters)
  .map(([name, { summary }]) => `#   ${name}: ${summary}\n`)
  .join("")}#
# # encode: the last step: makes a corpus of vertical text (all that \`dugong encode --help\` has)
`;
}

function described({ name, summary, takes, options }: StepEntry): string {
  const lines = [`# ${name}: ${summary} (${takes === "all" ? "all inputs at once" : "file by file"})`];
  for (const [option, { summary, values, sameAs }] of Object.entries(options)) {
    if (sameAs !== undefined) continue;
    lines.push(`#   ${option}: ${summary}${values ? `: ${values.join(" | ")}` : ""}`);
  }
  return lines.map((line) => `# ${line.slice(2)}\n`).join("");
}
