/** Queries: what they mean and will cost, where their matches are, how many there are. */
import {
  type Desk,
  measure,
  type PlanStep,
  type Prepared,
  parse,
  planInside,
  planOf,
  print,
  QueryError,
  type QueryStep,
  resolveSubcorpus,
} from "../../ql/index.js";
import { countInside, runInside } from "../../ql/subcorpus/ask.js";
import { chainOf, chainParameters } from "./chains.js";
import { estimateOf } from "./estimate.js";
import { HitRows } from "./hits.js";
import type { Asking, DeskVerb } from "./verb.js";

export const queryVerbs: Record<string, DeskVerb> = {
  /** A query read and planned, not run. Cost: O(query), and a walk over the lexicon for each pattern. */
  prepare: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: chainParameters,
    answer: prepare,
  },
  /** A query read, planned and run, in one thread, with what each step of the plan found and took. Cost: that of the query. */
  analyze: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: chainParameters,
    answer: analyze,
  },
  /** How many hits there are. Cost: O(1) for one condition on one token, else that of the query. */
  count: {
    kind: "result",
    access: "read",
    corpus: "needed",
    parameters: chainParameters,
    answer: count,
  },
};

async function prepare({ desk, parameters }: Asking): Promise<object> {
  const [step, ...later] = chainOf(desk, parameters);
  const text = step.query as string;
  const { query, diagnostics } = parse(text);
  const answer = { text, ...(query && { canonical: print(query), ast: query }), diagnostics };
  if (!query) return answer;
  const { strategy, lists, gapMax } = step;
  const { checkpoint } = desk;
  const before = performance.now();
  try {
    const prepared = desk.engine.prepare(text, { strategy, lists, gapMax, checkpoint });
    try {
      const isWhole = later.length === 0 && step.subcorpus === undefined;
      return {
        ...answer,
        strategy: prepared.strategy,
        labels: prepared.source.labels,
        plan: await planOfStep(desk, prepared, step),
        hits: estimateOf(prepared),
        // What later steps and a subcorpus leave of them is not known before.
        ...(!isWhole && { hitsOf: "query" }),
        estimatedMs: Number((prepared.source.cost / 1e6).toPrecision(3)),
        planMs: Number((performance.now() - before).toFixed(3)),
        notices: prepared.notices,
      };
    } finally {
      prepared.ground.release();
    }
  } catch (error) {
    // A query that is well formed, but not for this corpus.
    if (!(error instanceof QueryError)) throw error;
    return { ...answer, diagnostics: [...error.diagnostics, ...diagnostics] };
  }
}

function planOfStep(desk: Desk, prepared: Prepared, { subcorpus }: QueryStep): Promise<PlanStep> | PlanStep {
  return subcorpus === undefined ? planOf(prepared.source) : planInside(desk, prepared, subcorpus);
}

async function analyze({ desk, parameters, notices }: Asking): Promise<object> {
  const [step] = chainOf(desk, parameters);
  const { query, strategy, lists, gapMax } = step;
  const before = performance.now();
  const prepared = desk.engine.prepare(query, { strategy, lists, gapMax, checkpoint: desk.checkpoint });
  const planMs = performance.now() - before;
  try {
    measure(prepared.source);
    const start = performance.now();
    let hits = 0;
    const part = step.subcorpus === undefined ? undefined : await resolveSubcorpus(desk, step.subcorpus);
    for await (const block of part ? runInside(desk.engine, prepared, part) : desk.engine.run(prepared))
      hits += part ? countInside(part, block) : block.count;
    const runMs = performance.now() - start;
    notices.push(...prepared.notices);
    return {
      canonical: print(prepared.query),
      strategy: prepared.strategy,
      plan: await planOfStep(desk, prepared, step),
      hits: { value: hits, certainty: "exact" },
      planMs: Number(planMs.toFixed(3)),
      runMs: Number(runMs.toFixed(3)),
    };
  } finally {
    prepared.ground.release();
  }
}

async function count({ desk, parameters, notices }: Asking): Promise<object> {
  const chain = chainOf(desk, parameters);
  const kept = desk.results.longest(chain);
  if (kept?.steps === chain.length) {
    notices.push(...kept.result.notices);
    return { hits: { value: kept.result.hits.count, certainty: "exact" } };
  }
  if (chain.length > 1 || chain[0].subcorpus !== undefined) {
    const rows = new HitRows(desk, chain, [], () => ({ count: 0, columns: {} }), notices);
    try {
      while (await rows.count());
      return { hits: rows.total };
    } finally {
      await rows.close();
    }
  }
  return { hits: { value: await countQuery(desk, chain, notices), certainty: "exact" } };
}

async function countQuery(
  desk: Desk,
  [step]: ReturnType<typeof chainOf>,
  notices: Asking["notices"],
): Promise<number> {
  const { query, strategy, lists, gapMax } = step;
  const prepared = desk.engine.prepare(query, { strategy, lists, gapMax, checkpoint: desk.checkpoint });
  try {
    const hits = await desk.engine.count(prepared);
    notices.push(...prepared.notices);
    return hits;
  } finally {
    prepared.ground.release();
  }
}
