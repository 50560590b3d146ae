/**
 * A step as a pipeline knows it: one entry names it, says what it may be told, and loads it when it is needed. To add a step
 * is to add an entry to steps.ts.
 */
import { nearestName } from "../../storage/derive/nearest.js";
import type { Step } from "../stream/report.js";

export interface StepEntry {
  name: string;
  /** Part of what decides whether a task was done before: raise it when the step gives other output for the same input. */
  version: string;
  summary: string;
  load(): Promise<Step<never>>;
  options: OptionsSchema;
  /** One file at a time (many in parallel), or all inputs at once. */
  takes: "file" | "all";
  /** Which streams it can read; absent if it finds out by itself. "pages" are no stream: no step writes them. */
  reads?: readonly ("pages" | "text" | "vertical")[];
  /** What it writes: "same" is what it was given. */
  writes: "text" | "vertical" | "same";
  wrong?: WrongTogether;
}

/** What is wrong with parameters that are each right, in the words after "step tag: "; undefined if nothing is. */
export type WrongTogether = (parameters: Parameters) => string | undefined | Promise<string | undefined>;

export type OptionsSchema = Record<string, OptionSchema>;

export interface OptionSchema {
  /**
   * "file" is a path, beside the pipeline's file if it is relative; its content decides whether a task was done before.
   * If there are `values`, these are names of something that is no file. "command" is for the shell; the files that it names decide too.
   */
  type: "string" | "number" | "integer" | "boolean" | "strings" | "file" | "map" | "command";
  summary: string;
  values?: readonly string[];
  min?: number;
  max?: number;
  /** It has no effect on what comes out: threads, say. */
  isNeutral?: boolean;
  isRequired?: boolean;
  /** Another spelling of this parameter, which is not shown. */
  sameAs?: string;
}

export type Parameters = Record<string, unknown>;

/** Does a parameter of this value name a file? */
export function isFile({ type, values = [] }: OptionSchema, value: unknown): boolean {
  return type === "file" && !values.includes(value as string);
}

/** What is wrong with a parameter, in the words after "step dedup: "; undefined if nothing is. */
export function wrongParameter(name: string, value: unknown, schema: OptionsSchema): string | undefined {
  const option = Object.hasOwn(schema, name) ? schema[name] : undefined;
  if (!option) {
    const names = Object.keys(schema).filter((one) => schema[one].sameAs === undefined);
    const has = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    return `no parameter "${name}" (${has})${didYouMean(name, names)}`;
  }
  const { type, values, min, max } = option;
  const must = (what: string) => `${name} has to be ${what}, and is ${JSON.stringify(value)}`;
  if (type === "integer" || type === "number") {
    if (typeof value !== "number" || Number.isNaN(value)) return must("a number");
    if (type === "integer" && !Number.isSafeInteger(value)) return must("a whole number");
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
      return must(max === undefined ? `at least ${min}` : `from ${min ?? "any"} to ${max}`);
    }
  } else if (type === "boolean") {
    if (typeof value !== "boolean") return must("true or false");
  } else if (type === "strings") {
    if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
      return must("a list of texts");
    const unknown = values && value.find((one) => !values.includes(one));
    if (unknown !== undefined) return `${name} has no value "${unknown}"${didYouMean(unknown, values!)}`;
  } else if (type === "map") {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMap || !Object.values(value).every((one) => typeof one === "string"))
      return must("a map of texts");
  } else {
    if (typeof value !== "string" || value === "") return must("a text");
    if (values && type !== "file" && !values.includes(value)) {
      return `${name} has no value "${value}" (it has ${values.join(", ")})${didYouMean(value, values)}`;
    }
  }
  return undefined;
}

/** ". Did you mean ngram?", if something is near. */
export function didYouMean(word: string, words: readonly string[]): string {
  const nearest = nearestName(word, words);
  return nearest === undefined ? "" : `. Did you mean ${nearest}?`;
}
