/** What the shell knows between two lines: the corpus, the query and what was done with it, and how things are shown. */
import type { Chain, Step, Strategy } from "../index.js";

export type View = "kwic" | "sentence";

export interface Settings {
  strategy?: Strategy;
  subcorpus?: string;
  /** Tokens "10", characters "40c", structures "1 s". */
  context?: string;
  /** Attributes of every token; references; structures whose tags are shown. */
  attributes?: string[];
  refs?: string[];
  tags?: string[];
  view: View;
  /** Lines of a page; as many as fit, if nothing is said. */
  page?: number;
  /** In a pipe: at most so many rows. */
  limit?: number;
  timing: boolean;
}

export interface State {
  /** "brown", or "brown@3". */
  corpus: string | undefined;
  query: string | undefined;
  steps: Step[];
  settings: Settings;
}

export function initialState(corpus?: string): State {
  return { corpus, query: undefined, steps: [], settings: { view: "kwic", timing: false } };
}

export const strategies: readonly Strategy[] = ["all", "shortest", "standard", "longest", "traditional"];

/** What `\set` can set, and the values that Tab offers. */
export const settable: Record<string, readonly string[]> = {
  strategy: [...strategies, "default"],
  view: ["kwic", "sentence"],
  context: ["default"],
  page: ["default"],
  limit: ["default"],
  timing: ["on", "off"],
};

/** The chain that the state stands for. */
export function chainOf({ query, steps, settings }: State): Chain | undefined {
  if (query === undefined) return undefined;
  const { strategy, subcorpus } = settings;
  return [
    { step: "query", query, ...(strategy && { strategy }), ...(subcorpus !== undefined && { subcorpus }) },
    ...steps,
  ];
}

/** A chain in a line, for people. */
export function described({ query = "", steps, settings }: State): string {
  const { strategy, subcorpus } = settings;
  const meant = [strategy && `(${strategy})`, subcorpus !== undefined && `in ${subcorpus}`].filter(Boolean);
  return [[query, ...meant].join(" "), ...steps.map(stepText)].join(" · ");
}

function stepText(step: Step): string {
  switch (step.step) {
    case "sort":
      return `sorted by ${step.keys.join(", ")}`;
    case "filter":
      return `${step.drop ? "without" : "with"} ${typeof step.query === "string" ? step.query : "…"}`;
    case "within":
      return `${step.drop ? "outside" : "inside"} ${typeof step.query === "string" ? step.query : "…"}`;
    case "sample":
      return `sample of ${step.percent === undefined ? step.count : `${step.percent}%`}`;
    case "first":
      return `first ${step.count ?? 1} in each ${step.structure}`;
    case "examples":
      return `${step.count === undefined ? "" : `${step.count} `}best examples`;
    default:
      return step.step;
  }
}

export function prompt({ corpus, settings }: State): string {
  if (corpus === undefined) return "dugong> ";
  return settings.subcorpus === undefined ? `${corpus}> ` : `${corpus}/${settings.subcorpus}> `;
}

/** Under the prompt, while brackets are open. */
export function continuation(state: State): string {
  return `${"· ".padStart(prompt(state).length)}`;
}
