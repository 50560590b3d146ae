/** Lines to read: hits with what stands around them, and more of it where somebody looks closer. */
import {
  type Aligned,
  alignedCorpus,
  alignedRanges,
  type Chain,
  type Context,
  type Desk,
  extendedContext,
  filterLabels,
  type Hits,
  LabelReader,
  type Line,
  type LineOptions,
  LineReader,
  parseContext,
} from "../../ql/index.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";
import type { Caps } from "../threads/messages.js";
import { chainOf, chainParameters } from "./chains.js";
import { HitRows, positionRows } from "./hits.js";
import {
  type Asking,
  type DeskVerb,
  flag,
  natural,
  type Parameters,
  positive,
  type Test,
  text,
  textOrObject,
  texts,
} from "./verb.js";

const fields: Test = (value) => texts(value) && (value as string[]).length <= limits.lineFieldsMax;

const lineParameters: Record<string, Test> = {
  attributes: fields,
  nodeAttributes: fields,
  tags: fields,
  refs: fields,
  marks: flag,
  aligned: fields,
};

export const concordanceVerbs: Record<string, DeskVerb> = {
  /** Begin and end of each hit, and of its labels. Cost: that of the query, as far as rows are asked for. */
  positions: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, labels: flag },
    open: ({ desk, parameters, notices }) => {
      const chain = chainOf(desk, parameters);
      const labels = labelReader(desk, chain, parameters);
      const rowsOf = (hits: Hits) => positionRows(desk, labels?.bind(hits) ?? hits);
      return new HitRows(desk, chain, filterLabels(chain), rowsOf, notices, labels && 1, () =>
        labels?.release(),
      );
    },
  },
  /** Hits with their context. Cost: that of the query as far as rows are asked for, and O(context) for each row. */
  lines: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: { ...chainParameters, ...lineParameters, context: textOrObject, labels: flag },
    others: ({ aligned }) => (aligned as string[] | undefined) ?? [],
    open: lines,
  },
  /** What stands around a place: tokens, or whole structures. Cost: O(what is shown). */
  context: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: {
      ...lineParameters,
      "begin!": natural,
      "end!": natural,
      tokens: natural,
      structure: text,
      count: positive,
    },
    others: ({ aligned }) => (aligned as string[] | undefined) ?? [],
    answer: context,
  },
  /** The ranges of an aligned corpus that belong to a place, and their text. Cost: O(what is shown). */
  aligned: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: { "other!": text, "begin!": natural, "end!": natural },
    others: ({ other }) => [other as string],
    answer: aligned,
  },
};

/** Undefined where the query has no labels, or nobody wants them. */
function labelReader(desk: Desk, [step]: Chain, { labels = true }: Parameters): LabelReader | undefined {
  // Labels are written with a colon, or as @; most queries have none, and need not be read once more.
  if (!labels || !/[:@]/.test(step.query as string)) return undefined;
  const reader = new LabelReader(desk, step);
  if (reader.labels.length > 0) return reader;
  reader.release();
  return undefined;
}

function lines({ desk, parameters, notices, limits: hit, caps }: Asking): HitRows {
  const chain = chainOf(desk, parameters);
  const options: LineOptions = {
    ...lineOptions(desk, parameters),
    ...(parameters.context !== undefined && { context: contextOf(parameters.context, caps) }),
    tokensMax: caps.lineTokensMax,
  };
  const reader = new LineReader(desk, options);
  const labels = labelReader(desk, chain, parameters);
  const tokensMax = Math.floor(limits.rowsTokens / Math.max(1, options.attributes?.length ?? 1));
  const rowsOf = (hits: Hits) => {
    const made = reader.read(labels?.bind(hits) ?? hits, tokensMax);
    if (made.some(({ cut }) => cut)) hit.lineTokensMax = caps.lineTokensMax;
    return { count: made.length, columns: lineColumns(made) };
  };
  return new HitRows(desk, chain, filterLabels(chain), rowsOf, notices, labels && 1, () => labels?.release());
}

function lineOptions(desk: Desk, parameters: Parameters): Omit<LineOptions, "context"> {
  const {
    attributes,
    nodeAttributes,
    tags,
    refs,
    marks,
    aligned: others,
  } = parameters as {
    [name in "attributes" | "nodeAttributes" | "tags" | "refs" | "aligned"]?: string[];
  } & { marks?: boolean };
  return {
    attributes,
    nodeAttributes,
    tags,
    refs,
    marks,
    aligned: others?.map((other) => alignedTo(desk, other)),
  };
}

function alignedTo(desk: Desk, corpus: string): Aligned {
  return {
    corpus,
    snapshot: alignedCorpus(desk, corpus),
    ranges: (begin, end) => alignedRanges(desk, corpus, begin, end),
  };
}

function contextOf(given: unknown, { lineContextMax }: Caps): Context {
  const context = typeof given === "string" ? parseContext(given) : (given as Context);
  const { tokens, characters, structure, count } = context as {
    [name in "tokens" | "characters" | "count"]?: unknown;
  } & { structure?: unknown };
  const size = tokens ?? characters ?? (typeof structure === "string" ? (count ?? 1) : undefined);
  if (!natural(size))
    throw refusal(
      "bad_context",
      "a context is so many tokens, characters or structures",
      'As "10", "40c" or "1 s".',
    );
  if ((size as number) > lineContextMax)
    throw refusal(
      "bad_context",
      `a line has at most ${lineContextMax} of its context on each side (limit lineContextMax)`,
      "The verb context shows more of one place.",
    );
  return context;
}

/** A column for each field that some line has. */
function lineColumns(made: Line[]): Record<string, unknown[]> {
  const columns: Record<string, unknown[]> = {
    begin: made.map(({ begin }) => begin),
    end: made.map(({ end }) => end),
    left: made.map(({ left }) => left),
    match: made.map(({ match }) => match),
    right: made.map(({ right }) => right),
  };
  for (const field of ["gluedLeft", "gluedRight", "cut"] as const)
    if (made.some((line) => line[field])) columns[field] = made.map((line) => line[field] ?? false);
  for (const field of ["refs", "labels", "aligned"] as const)
    if (made[0]?.[field]) columns[field] = made.map((line) => line[field]);
  return columns;
}

function context({ desk, parameters, limits: hit, caps }: Asking): object {
  const { begin, end, tokens, structure, count } = parameters as {
    begin: number;
    end: number;
    tokens?: number;
    structure?: string;
    count?: number;
  };
  checkPlace(desk, begin, end);
  const options = { ...lineOptions(desk, parameters), tokensMax: caps.lineTokensMax };
  const line = extendedContext(desk, begin, end, { ...options, tokens, structure, count });
  if (line.cut) hit.lineTokensMax = caps.lineTokensMax;
  return line;
}

function aligned({ desk, parameters, limits: hit, caps }: Asking): object {
  const { other, begin, end } = parameters as { other: string; begin: number; end: number };
  checkPlace(desk, begin, end);
  const line = extendedContext(desk, begin, end, {
    tokens: 0,
    aligned: [alignedTo(desk, other)],
    tokensMax: caps.lineTokensMax,
  });
  if (line.cut) hit.lineTokensMax = caps.lineTokensMax;
  return { other: alignedCorpus(desk, other).citation, ranges: line.aligned?.[other] ?? [] };
}

function checkPlace({ snapshot }: Desk, begin: number, end: number): void {
  if (begin <= end && end <= snapshot.tokens) return;
  throw refusal(
    "bad_parameter",
    `${begin} to ${end} is not a place in ${snapshot.citation}`,
    `It has ${snapshot.tokens} tokens, counted from 0; begin is the first one, end the one behind the last.`,
  );
}
