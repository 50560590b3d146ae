/** The steps that pipelines have, each loaded when it is first needed. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import { formats } from "../read/formats.js";
import type { Step } from "../stream/report.js";
import { cleanOptions, cleanParameters, wrongCleaning } from "./clean.js";
import type { OptionSchema, Parameters, StepEntry } from "./entry.js";

const workers: OptionSchema = {
  type: "integer",
  min: 1,
  max: 256,
  isNeutral: true,
  summary: "threads (one for each core)",
};

export const steps: StepEntry[] = [
  {
    name: "read",
    version: "2",
    summary: "texts in many formats, as a text stream",
    load: async () => (await import("../read/read.js")).readText as Step<never>,
    takes: "file",
    writes: "text",
    options: {
      format: { type: "string", values: formats, summary: "what the input is (told by its content)" },
    },
  },
  {
    name: "clean",
    version: "2",
    summary: "the text of pages in WARC, ARC and HTML files, without boilerplate",
    load: async () => {
      const { clean } = await import("../clean/clean.js");
      const step: Step<Parameters> = (streams, parameters, context) =>
        clean(streams, cleanOptions(parameters), context);
      return step as Step<never>;
    },
    takes: "file",
    reads: ["pages"],
    writes: "text",
    options: { ...cleanParameters, workers },
    wrong: wrongCleaning,
  },
  {
    name: "language",
    version: "2",
    summary: "which language text is in; keep some",
    load: async () => (await import("../language/language.js")).identifyLanguages as Step<never>,
    takes: "file",
    reads: ["text"],
    writes: "text",
    options: {
      unit: { type: "string", values: ["doc", "p", "line"], summary: "what has a language of its own (doc)" },
      model: { type: "file", summary: "a model of `dugong language-train` (the one that Dugong comes with)" },
      languages: { type: "strings", summary: "only these are possible (all of the model)" },
      threshold: {
        type: "number",
        min: 0,
        max: 1,
        summary: "und below this confidence (0.25; of your own models 0.5)",
      },
      keep: { type: "strings", summary: "leave out what is in other languages" },
      minChars: { type: "integer", min: 0, summary: "leave out what has fewer characters (0)" },
    },
  },
  {
    name: "dedup",
    version: "1",
    summary: "drop documents and paragraphs that were seen before",
    load: async () => (await import("../dedup/dedup.js")).dedup as Step<never>,
    takes: "all",
    reads: ["text", "vertical"],
    writes: "same",
    options: {
      format: {
        type: "string",
        values: ["text", "vertical"],
        summary: "what the input is (told by how it begins)",
      },
      ngram: { type: "integer", min: 1, max: limits.ngramMax, summary: "words in an n-gram (7)" },
      threshold: {
        type: "number",
        min: 0,
        max: 1,
        summary: "more than this share seen makes a duplicate (0.5)",
      },
      unit: {
        type: "string",
        values: ["paragraph", "document"],
        summary: "what is dropped as a whole (paragraph)",
      },
      stub: { type: "integer", min: 0, summary: "words of what is dropped between duplicates (20)" },
      smoothing: { type: "boolean", summary: "drop what is left between duplicates (true)" },
      exact: { type: "boolean", summary: "drop exact copies of documents first (true)" },
      lines: {
        type: "boolean",
        summary: "drop lines that were seen before, and look for no n-grams (false)",
      },
      mark: { type: "boolean", summary: "drop nothing, but mark what would be (false)" },
      document: { type: "string", summary: "vertical streams: the tag of documents (doc)" },
      paragraph: { type: "string", summary: "vertical streams: the tag of paragraphs (p)" },
      workers,
    },
  },
  {
    name: "tokenise",
    version: "2",
    summary: "sentences and tokens",
    load: async () => (await import("../tokenise/tokenise.js")).tokenise as Step<never>,
    takes: "file",
    reads: ["text"],
    writes: "vertical",
    options: {
      language: { type: "string", summary: "of text that does not say (what holds for all)" },
      table: { type: "file", summary: "tables laid over those that are built in" },
      lines: { type: "boolean", summary: "every line ends a sentence (false)" },
      workers,
    },
  },
  {
    name: "tag",
    version: "2",
    summary: "parts of speech and lemmas",
    load: async () => (await import("../tag/tag.js")).tag as Step<never>,
    takes: "file",
    reads: ["vertical"],
    writes: "vertical",
    options: {
      model: { type: "file", values: ["wink-english"], summary: "a file that tag-train has made, or" },
      command: { type: "command", summary: "or a program that tags" },
      processes: { type: "integer", min: 1, isNeutral: true, summary: "how many of that program (1)" },
      output: { type: "strings", summary: "columns to write (word, lemma, tag)" },
      workers,
    },
    wrong: ({ model, command, output }) => {
      if ((model === undefined) === (command === undefined))
        return "it needs the parameter model or command, and not both";
      return command !== undefined && output !== undefined
        ? "a command writes the columns that it writes: leave output out"
        : undefined;
    },
  },
];

/** All entries: ours, and those of modules that export `steps`. A later one takes the place of one of the same name. */
export async function loadSteps(modules: readonly string[]): Promise<Map<string, StepEntry>> {
  const found = new Map(steps.map((entry) => [entry.name, entry]));
  for (const path of modules) {
    const module: { steps?: StepEntry[] } = await import(pathToFileURL(path).href);
    if (!Array.isArray(module.steps))
      throw new DugongError(
        "bad_module",
        `${path} exports no list named "steps"`,
        "docs/INGEST.md shows one.",
      );
    // Such a module is worked on: what it did when it was another is not taken for what it does now.
    const hash = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12);
    for (const entry of module.steps)
      found.set(entry.name, { ...entry, version: `${entry.version}+${hash}` });
  }
  return found;
}
