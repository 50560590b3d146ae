/** Is it a chain? What programs and people send is looked at before anything is computed; errors name the step. */
import { nearestName } from "../../storage/derive/nearest.js";
import { DugongError } from "../../storage/index.js";
import { checkFormula } from "./examples.js";
import { parseKey } from "./keys.js";
import { limits } from "./limits.js";
import { checkWindow } from "./near.js";
import type { Chain, FilterStep, SampleStep, Step } from "./steps.js";

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const object: Test = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const whole: Test = (value) => Number.isSafeInteger(value);
const natural: Test = (value) => whole(value) && (value as number) >= 0;
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const query: Test = (value) => text(value) || object(value);

const asked = { query, strategy: text, lists: object, gapMax: natural };

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
  for (const [property, test] of Object.entries(known)) {
    if (property.endsWith("!") && !test(properties[property.slice(0, -1)]))
      throw bad(at, `(${name}) needs a ${property.slice(0, -1)}`);
  }
  for (const [property, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    const test = known[property] ?? known[`${property}!`];
    if (!test) throw bad(at, `(${name}) has no ${JSON.stringify(property)}`);
    if (!test(value))
      throw bad(at, `(${name}) cannot have ${property} = ${JSON.stringify(value)?.slice(0, 100)}`);
  }
  checkMeaning(step as Step, at);
}

function checkMeaning(step: Step, at: number): void {
  switch (step.step) {
    case "filter":
      checkShape(step, at);
      checkWindow(step.window, limits.windowTokensMax);
      break;
    case "sample":
      checkSample(step, at);
      break;
    case "sort":
      if (step.keys.length === 0) throw bad(at, "(sort) names no keys");
      for (const key of step.keys) parseKey(key);
      checkCollation(step.collation);
      break;
    case "examples":
      if (step.formula !== undefined) checkFormula(step.formula);
  }
}

function checkShape({ window }: FilterStep, at: number): void {
  if (!window) return;
  const right =
    "structure" in window
      ? text(window.structure)
      : whole(window.from) &&
        whole(window.to) &&
        (window.within === undefined || text(window.within)) &&
        (window.skip === undefined || query(window.skip));
  if (!right) throw bad(at, '(filter) needs a window of the form {"from":-5,"to":5} or {"structure":"s"}');
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
