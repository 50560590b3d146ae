/** Is it a chain? What programs and people send is looked at before anything is computed; errors name the step. */
import { nearestName } from "../../storage/derive/nearest.js";
import { DugongError } from "../../storage/index.js";
import type { Strategy } from "../cql/ast.js";
import { checkFormula } from "./examples.js";
import { parseKey, parseKeys } from "./keys.js";
import { limits } from "./limits.js";
import { checkWindow } from "./near.js";
import type { Chain, FilterStep, GroupStep, SampleStep, Step } from "./steps.js";

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const object: Test = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const whole: Test = (value) => Number.isSafeInteger(value);
const natural: Test = (value) => whole(value) && (value as number) >= 0;
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const query: Test = (value) => text(value) || object(value);
const wordLists: Test = (value) => object(value) && Object.values(value as object).every(texts);
const oneOf =
  (...words: string[]): Test =>
  (value) =>
    words.includes(value as string);

const strategies: Strategy[] = ["all", "shortest", "standard", "longest", "traditional"];
const asked = { query, strategy: oneOf(...strategies), lists: wordLists, gapMax: natural };

/** The properties of each step; those with a "!" must be there. */
const steps: Record<string, Record<string, Test>> = {
  query: { "query!": query, ...asked, subcorpus: query },
  filter: {
    "query!": query,
    ...asked,
    drop: flag,
    window: object,
    subcorpus: query,
    node: flag,
    occurrence: (value) => whole(value) && value !== 0,
    label: text,
  },
  within: { "query!": query, ...asked, drop: flag },
  first: { "structure!": text, count: (value) => natural(value) && value !== 0 },
  outermost: {},
  sample: {
    count: natural,
    percent: (value) => typeof value === "number" && value >= 0 && value <= 100,
    seed: whole,
  },
  shuffle: { seed: whole },
  sort: { "keys!": texts, collation: text },
  examples: { count: natural, formula: text, structure: text, blacklist: texts },
};

/** What a list of frequencies may be told (stats/frequency.ts has what orders there are). */
const group: Record<string, Test> = {
  "by!": text,
  minCount: natural,
  maxCount: natural,
  from: natural,
  limit: natural,
  order: text,
  rising: flag,
  dispersion: flag,
  parts: (value) => natural(value) && value !== 0,
};

function bad(at: number, what: string, hint?: string): DugongError {
  return new DugongError("bad_chain", `step ${at + 1} of the chain ${what}`, hint);
}

export function checkChain(chain: Chain): void {
  if (!Array.isArray(chain) || chain.length === 0) {
    throw new DugongError(
      "bad_chain",
      "a chain is a list of steps",
      'The first one is {"step":"query","query":"…"}.',
    );
  }
  if (chain.length > limits.chainStepsMax) {
    throw new DugongError(
      "bad_chain",
      `the chain has ${chain.length} steps, more than ${limits.chainStepsMax} (limit chainStepsMax)`,
    );
  }
  chain.forEach((step, at) => {
    checkStep(step, at);
  });
}

function checkStep(step: unknown, at: number): void {
  if (!object(step)) throw bad(at, "is not an object");
  const { step: name, ...properties } = step as { step?: unknown } & Record<string, unknown>;
  if (name === "group")
    throw bad(
      at,
      "(group) gives rows, not hits",
      "It can only be the last one, where hits are counted: dugong freq.",
    );
  const known = typeof name === "string" && Object.hasOwn(steps, name) ? steps[name] : undefined;
  if (!known || (name === "query") !== (at === 0)) {
    const names = Object.keys(steps).filter((one) => (one === "query") === (at === 0));
    const near = typeof name === "string" && at > 0 ? nearestName(name, names) : undefined;
    throw bad(at, `is ${JSON.stringify(name)}, not ${names.join(", ")}`, near && `Did you mean ${near}?`);
  }
  checkProperties(name as string, known, properties, at);
  checkMeaning(step as Step, at);
}

/** The step at the end of a chain whose hits are counted (stats/group.ts). */
export function checkGroup(step: GroupStep, at: number): void {
  const { step: name, ...properties } = step;
  checkProperties(name, group, properties, at);
  inStep(name, at, () => parseKeys(step.by));
}

function checkProperties(
  name: string,
  known: Record<string, Test>,
  properties: Record<string, unknown>,
  at: number,
): void {
  for (const [property, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    const test = known[property] ?? known[`${property}!`];
    if (!test) {
      const names = Object.keys(known).map((one) => one.replace("!", ""));
      const near = nearestName(property, names);
      throw bad(at, `(${name}) has no ${JSON.stringify(property)}`, near && `Did you mean ${near}?`);
    }
    if (!test(value)) {
      const hint = property === "strategy" ? `There are ${strategies.join(", ")}.` : undefined;
      throw bad(at, `(${name}) cannot have ${property} = ${JSON.stringify(value)?.slice(0, 100)}`, hint);
    }
  }
  for (const marked of Object.keys(known)) {
    const property = marked.slice(0, -1);
    if (marked.endsWith("!") && properties[property] === undefined)
      throw bad(at, `(${name}) needs ${JSON.stringify(property)}`);
  }
}

function checkMeaning(step: Step, at: number): void {
  switch (step.step) {
    case "filter":
      checkShape(step, at);
      inStep("filter", at, () => checkWindow(step.window, limits.windowTokensMax));
      break;
    case "sample":
      checkSample(step, at);
      break;
    case "sort":
      if (step.keys.length === 0) throw bad(at, "(sort) names no keys");
      inStep("sort", at, () => {
        for (const key of step.keys) parseKey(key);
        checkCollation(step.collation);
      });
      break;
    case "examples":
      if (step.formula !== undefined) inStep("examples", at, () => checkFormula(step.formula!));
  }
}

/** What is wrong with something that stands in a step, with the step that it stands in. */
function inStep(name: string, at: number, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof DugongError)) throw error;
    const { code, message, hint, span } = error as DugongError & { span?: [number, number] };
    const placed = new DugongError(code, `step ${at + 1} of the chain (${name}): ${message}`, hint);
    throw span ? Object.assign(placed, { span }) : placed;
  }
}

/** What windows may have, by what kind they are. */
const windows: Record<"structure" | "tokens", Record<string, Test>> = {
  structure: { structure: text },
  tokens: {
    from: whole,
    to: whole,
    within: (value) => value === undefined || text(value),
    skip: (value) => value === undefined || query(value),
  },
};

function checkShape({ window }: FilterStep, at: number): void {
  if (!window) return;
  const known = windows["structure" in window ? "structure" : "tokens"];
  const own = window as Record<string, unknown>;
  const isRight =
    Object.entries(known).every(([name, test]) => test(own[name])) &&
    Object.keys(own).every((name) => Object.hasOwn(known, name));
  if (isRight) return;
  throw bad(
    at,
    `(filter) cannot have window = ${JSON.stringify(window).slice(0, 100)}`,
    'Windows are of the form {"from":-5,"to":5}, with "within":"s" or "skip":"[…]" if need be, or {"structure":"s"}.',
  );
}

function checkSample({ count, percent }: SampleStep, at: number): void {
  if ((count === undefined) === (percent === undefined))
    throw bad(at, "(sample) needs a count or a percent, not both");
  if (count !== undefined && count > limits.sampleMax)
    throw bad(
      at,
      `(sample) asks for more than ${limits.sampleMax.toLocaleString("en")} hits (limit sampleMax)`,
    );
}

function checkCollation(collation: string | undefined): void {
  if (collation === undefined || collation === "" || collation === "bytes") return;
  try {
    if (Intl.Collator.supportedLocalesOf(collation).length > 0) return;
  } catch {}
  throw new DugongError(
    "bad_collation",
    `there is no order for a language ${JSON.stringify(collation)}`,
    'Write the code of a language, as "cs" or "de-DE", or "bytes".',
  );
}
