/**
 * Options that make a chain: what is done with the matches of a query before they are shown or counted. Steps are taken
 * in the order in which their options are written.
 */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { FilterStep, SampleStep } from "../../ql/index.js";
import type { Chain, Step } from "../index.js";
import { type AskingOptions, addAskingOptions, meaningOf } from "./asking.js";
import { names, wholeNumber } from "./options.js";
import { addPartOptions, type PartOptions, partOf } from "./part.js";
import { addWorkersOption } from "./session.js";

export interface ChainOptions extends AskingOptions, PartOptions {
  seed?: number;
  collation?: string;
  formula?: string;
  blacklist?: string;
  chain?: string;
}

/** The steps that a command was given, in order: options are read before the action runs. */
const stepsOf = new WeakMap<Command, Step[]>();

export function addChainOptions(command: Command): Command {
  const steps: Step[] = [];
  stepsOf.set(command, steps);
  const adding =
    <Value>(step: (value: Value) => Step, read: (text: string) => Value) =>
    (text: string): Value => {
      const value = read(text);
      steps.push(step(value));
      return value;
    };
  const text = (value: string) => value;
  addPartOptions(addAskingOptions(command))
    .option(
      "--filter <[window] cql>",
      'keep matches with another query near them: "-5..5 [tag=\\"NN\\"]", "s [lemma=\\"not\\"]" (default window: -5..5)',
      adding((step) => step, filterOf(false)),
    )
    .option(
      "--drop <[window] cql>",
      "drop such matches instead",
      adding((step) => step, filterOf(true)),
    )
    .option(
      "--inside <cql>",
      "keep matches that lie inside a match of another query: '<doc year=\"19.*\"/>'",
      adding((query) => ({ step: "within", query }), text),
    )
    .option(
      "--outside <cql>",
      "drop matches that lie inside a match of another query",
      adding((query) => ({ step: "within", query, drop: true }), text),
    )
    .option(
      "--first <structure[:n]>",
      "only the first match (the first n) in each structure",
      adding((step) => step, firstOf),
    )
    .option("--outermost", "drop matches that lie inside others")
    .option(
      "--sample <n|p%>",
      "a random choice of so many matches, or of so many percent",
      adding((step) => step, sampleOf),
    )
    .option("--shuffle", "put matches into a random order")
    .option(
      "--seed <n>",
      "for --sample and --shuffle: the same seed gives the same lines (default: 1)",
      wholeNumber,
    )
    .option(
      "--sort <keys>",
      'order matches: "word 1R", "lemma/i -1, doc.year" (flags: i case, d diacritics, r from the end, f by frequency, - falling)',
      adding(
        (keys: string[]) => ({ step: "sort", keys }),
        (value) => names(value),
      ),
    )
    .option(
      "--collation <language|bytes>",
      'how --sort compares: a language such as "cs", or "bytes" (default: as Unicode does)',
    )
    .option(
      "--examples <n>",
      "the n best examples, best first",
      adding((count) => ({ step: "examples", count }), wholeNumber),
    )
    .option("--formula <formula>", "what makes a good example")
    .option("--blacklist <file>", "words that a good example does not have, one a line")
    .addOption(
      new Option(
        "--chain <file>",
        "a chain as JSON, instead of a query and these options; - for standard input",
      ),
    );
  addWorkersOption(command);
  command.on("option:outermost", () => steps.push({ step: "outermost" }));
  command.on("option:shuffle", () => steps.push({ step: "shuffle" }));
  return command;
}

/** Options that say more about steps, and the steps that they are about. */
const belonging: { option: "seed" | "collation" | "formula" | "blacklist"; to: Step["step"][] }[] = [
  { option: "seed", to: ["sample", "shuffle"] },
  { option: "collation", to: ["sort"] },
  { option: "formula", to: ["examples"] },
  { option: "blacklist", to: ["examples"] },
];

/** The chain that a query and options mean. `command` is the one that the options were added to. */
export function chainOf(command: Command, cql: string | undefined, options: ChainOptions): Chain {
  const own = stepsOf.get(command) ?? [];
  if (options.chain !== undefined) {
    const others = ["strategy", "list", "gapMax", ...belonging.map(({ option }) => option)] as const;
    const isMore = partOf(options) !== undefined || others.some((option) => options[option] !== undefined);
    if (cql !== undefined || own.length > 0 || isMore)
      command.error("give a query with its options or --chain, not both");
    return chainFile(command, options.chain);
  }
  if (cql === undefined) command.error("give a query, or --chain with a file");
  for (const { option, to } of belonging) {
    if (options[option] === undefined || own.some(({ step }) => to.includes(step))) continue;
    command.error(`--${option} belongs to ${to.map((step) => `--${step}`).join(" or ")}`);
  }
  const { seed, collation, formula, blacklist } = options;
  const words = blacklist === undefined ? undefined : linesOf(blacklist);
  const steps = own.map((step): Step => {
    if (step.step === "sample" || step.step === "shuffle")
      return seed === undefined ? step : { ...step, seed };
    if (step.step === "sort") return collation === undefined ? step : { ...step, collation };
    if (step.step === "examples")
      return { ...step, ...(formula && { formula }), ...(words && { blacklist: words }) };
    return step;
  });
  const subcorpus = partOf(options);
  const asked = { query: cql as string, ...meaningOf(options) };
  return [{ step: "query", ...asked, ...(subcorpus !== undefined && { subcorpus }) }, ...steps];
}

function chainFile(command: Command, file: string): Chain {
  let chain: unknown;
  try {
    chain = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof SyntaxError) command.error(`${file} is not JSON: ${error.message}`);
    throw error;
  }
  if (!Array.isArray(chain))
    command.error(
      `${file} has no chain: a chain is a list of steps\n(The first one is {"step":"query","query":"…"}.)`,
    );
  return chain as Chain;
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

// ---- what the options' texts mean

/**
 *   filter = word* cql
 *   word   = -5..5 | s          the window, in tokens or as a structure
 *          | outside            not over the match itself
 *          | first | last | #3  which of several is meant
 *          | as:NAME            a name for it, for --sort and keys
 */
export function filterOf(drop: boolean): (text: string) => FilterStep {
  return (text) => {
    const step: FilterStep = { step: "filter", query: "", ...(drop && { drop }) };
    let rest = text.trim();
    for (;;) {
      const found = /^([\p{L}\p{N}_.:#+-]+)(\s+|$)/u.exec(rest);
      if (!found || !addWord(step, found[1])) break;
      rest = rest.slice(found[0].length);
    }
    if (rest === "") throw new InvalidArgumentError("Write a query behind the window.");
    return { ...step, query: rest };
  };
}

function addWord(step: FilterStep, word: string): boolean {
  const [, from, to] = /^([+-]?\d+)\.\.([+-]?\d+)$/.exec(word) ?? [];
  if (from !== undefined) step.window = { from: Number(from), to: Number(to) };
  else if (word === "outside") step.node = false;
  else if (word === "first") step.occurrence = 1;
  else if (word === "last") step.occurrence = -1;
  else if (/^#-?\d+$/.test(word)) step.occurrence = Number(word.slice(1));
  else if (word.startsWith("as:")) step.label = word.slice(3);
  else if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(word) && !/^(MU|TAB)$/i.test(word))
    step.window = { structure: word };
  else return false;
  return true;
}

export function firstOf(text: string): Step {
  const [, structure, count] = /^([^:]+)(?::([1-9]\d*))?$/.exec(text) ?? [];
  if (!structure) throw new InvalidArgumentError('Write a structure, as "doc" or "doc:3".');
  return { step: "first", structure, ...(count && { count: Number(count) }) };
}

export function sampleOf(text: string): SampleStep {
  if (text.endsWith("%")) {
    const percent = Number(text.slice(0, -1));
    if (text === "%" || !(percent >= 0 && percent <= 100))
      throw new InvalidArgumentError("Write a number from 0 to 100 before the %.");
    return { step: "sample", percent };
  }
  return { step: "sample", count: wholeNumber(text) };
}
