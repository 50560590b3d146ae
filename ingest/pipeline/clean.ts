/** The parameters of `clean`: those of `dugong clean`, which stand side by side there, as the step wants them. */
import type { CleanOptions } from "../clean/clean.js";
import type { OptionsSchema, Parameters } from "./entry.js";

export const cleanParameters: OptionsSchema = {
  algorithm: { type: "string", values: ["default", "justext"], summary: "how text is told (default)" },
  noComments: { type: "boolean", summary: "leave out readers' comments (false)" },
  language: { type: "string", summary: "for justext: whose stop words (what the page says)" },
  stopwords: { type: "file", summary: "for justext: a file of stop words" },
  noStopwords: { type: "boolean", summary: "for justext: use none (false)" },
  lengthLow: { type: "integer", min: 0, summary: "for justext: a shorter block is short (70)" },
  lengthHigh: { type: "integer", min: 0, summary: "for justext: a longer block can be good (200)" },
  stopwordsLow: {
    type: "number",
    min: 0,
    max: 1,
    summary: "for justext: in a block that is near good (0.3)",
  },
  stopwordsHigh: { type: "number", min: 0, max: 1, summary: "for justext: in a block that is good (0.32)" },
  maxLinkDensity: {
    type: "number",
    min: 0,
    max: 1,
    summary: "for justext: of a block that is not bad (0.2)",
  },
  maxHeadingDistance: {
    type: "integer",
    min: 0,
    summary: "for justext: characters from a heading to its text (200)",
  },
  noHeadings: { type: "boolean", summary: "for justext: headings are blocks like any other (false)" },
  // As they were called once.
  stopWords: { type: "file", sameAs: "stopwords", summary: "" },
  noStopWords: { type: "boolean", sameAs: "noStopwords", summary: "" },
};

interface Given {
  algorithm?: "default" | "justext";
  noComments?: boolean;
  language?: string;
  stopwords?: string;
  noStopwords?: boolean;
  lengthLow?: number;
  lengthHigh?: number;
  stopwordsLow?: number;
  stopwordsHigh?: number;
  maxLinkDensity?: number;
  maxHeadingDistance?: number;
  noHeadings?: boolean;
  workers?: number;
}

function givenIn(parameters: Parameters): Given {
  const given: Parameters = {};
  for (const [name, value] of Object.entries(parameters))
    given[cleanParameters[name]?.sameAs ?? name] = value;
  return given;
}

export function cleanOptions(parameters: Parameters): CleanOptions {
  const given = givenIn(parameters);
  const { algorithm, noComments, language, stopwords: stopWords, noStopwords: noStopWords, workers } = given;
  const justext = {
    lengthLow: given.lengthLow,
    lengthHigh: given.lengthHigh,
    stopWordsLow: given.stopwordsLow,
    stopWordsHigh: given.stopwordsHigh,
    linkDensityMax: given.maxLinkDensity,
    headingDistanceMax: given.maxHeadingDistance,
    noHeadings: given.noHeadings,
  };
  // What is not said is as published.
  const said = Object.fromEntries(Object.entries(justext).filter(([, value]) => value !== undefined));
  return { algorithm, noComments, language, stopWords, noStopWords, parameters: said, workers };
}

/** As the command refuses it. */
export function wrongCleaning(parameters: Parameters): string | undefined {
  const { algorithm, language, stopwords, noStopwords } = givenIn(parameters);
  const alone = Object.keys(parameters).find(
    (name) => !["algorithm", "noComments", "workers"].includes(name) && parameters[name] !== false,
  );
  if (alone !== undefined && algorithm !== "justext") return `${alone} is for algorithm: justext`;
  if (language !== undefined && (stopwords !== undefined || noStopwords))
    return "give language or stop words, not both";
  if (stopwords !== undefined && noStopwords) return "give stopwords or noStopwords, not both";
  for (const [name, { sameAs }] of Object.entries(cleanParameters))
    if (sameAs !== undefined && name in parameters && sameAs in parameters)
      return `${name} and ${sameAs} are the same`;
  return undefined;
}
