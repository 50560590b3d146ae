/** The chain that a request is about: a whole one, or a query and how it is meant. */
import { type Chain, checkChain, type Desk, parse, print, type Query } from "../../ql/index.js";
import { isTold, refusal } from "../problems.js";
import { list, natural, object, type Parameters, type Test, text, textOrObject } from "./verb.js";

/** Every verb about hits can be asked in these ways. */
export const chainParameters: Record<string, Test> = {
  chain: list,
  query: textOrObject,
  strategy: text,
  lists: object,
  gapMax: natural,
  subcorpus: textOrObject,
};

export function chainOf(desk: Desk, parameters: Parameters): Chain {
  const { chain, query, strategy, lists, gapMax, subcorpus } = parameters;
  if ((chain === undefined) === (query === undefined)) {
    throw refusal(
      "bad_parameter",
      chain === undefined ? "the request needs a query or a chain" : "give a query or a chain, not both",
      'A query is "query": "[lemma=\\"make\\"]"; a chain a list of steps that begins with {"step":"query","query":"…"}.',
    );
  }
  const steps = (chain ?? [
    {
      step: "query",
      query,
      ...(strategy !== undefined && { strategy }),
      ...(lists !== undefined && { lists }),
      ...(gapMax !== undefined && { gapMax }),
      ...(subcorpus !== undefined && { subcorpus }),
    },
  ]) as Chain;
  checkChain(steps);
  noticeSubcorpora(desk, steps);
  return steps;
}

/** Trees that somebody sent may be anything: they are printed wherever they stand, and read again like any text. */
export function withQueriesAsText<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withQueriesAsText) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [
      name,
      (name === "query" || name === "skip") && object(own) ? queryText(own) : withQueriesAsText(own),
    ]),
  ) as Value;
}

function queryText(tree: Query): string {
  try {
    return print(tree);
  } catch (error) {
    if (isTold(error)) throw error;
    throw refusal(
      "bad_tree",
      "the query is neither text nor a syntax tree",
      "docs/PROTOCOL.md has the form of trees.",
    );
  }
}

/** The other corpora that a query asks: within de: [lemma="Haus"]. */
export function corporaNamed(query: string | Query): Set<string> {
  const names = new Set<string>();
  if (typeof query === "string" && !query.includes(":")) return names;
  const tree = typeof query === "string" ? parse(query).query : query;
  const walk = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    const { kind, corpus } = value as { kind?: unknown; corpus?: unknown };
    if (kind === "corpus" && typeof corpus === "string") names.add(corpus);
    for (const own of Object.values(value)) walk(own);
  };
  walk(tree);
  return names;
}

/** Which subcorpora names stood for when results were kept. */
const meanings = new WeakMap<Desk, Map<string, string>>();

/** Forgets results of a desk if a name in the request means another subcorpus than it did. */
export function noticeSubcorpora(desk: Desk, asked: unknown): void {
  const names = new Set<string>();
  collectNames(asked, names);
  if (names.size === 0) return;
  let known = meanings.get(desk);
  if (!known) meanings.set(desk, (known = new Map()));
  for (const name of names) {
    const id = String(desk.subcorpora.find(name).id);
    if ((known.get(name) ?? id) !== id) desk.results.clear();
    known.set(name, id);
  }
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const own of value) collectNames(own, names);
    return;
  }
  for (const [name, own] of Object.entries(value)) {
    if (name === "subcorpus" && typeof own === "string") names.add(own);
    else if (name === "of" && Array.isArray(own)) {
      for (const part of own)
        if (typeof part === "string") names.add(part);
        else collectNames(part, names);
    } else collectNames(own, names);
  }
}
