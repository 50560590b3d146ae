/**
 * `where`: a condition on metadata, which every verb takes that takes a subcorpus. With a subcorpus, or with one that a chain has,
 * both must hold.
 */
import type { Chain, SubcorpusDefinition } from "../../ql/index.js";
import type { Parameters } from "./verb.js";

export function narrowed(parameters: Parameters): Parameters {
  const { where, ...others } = parameters;
  if (where === undefined) return others;
  const condition: SubcorpusDefinition = { kind: "where", where: where as string };
  const both = (part: unknown) =>
    part === undefined
      ? condition
      : { kind: "intersection" as const, of: [part as string | SubcorpusDefinition, condition] };
  const { chain } = others;
  // What is no chain is refused when it is read.
  if (!Array.isArray(chain) || typeof chain[0] !== "object" || chain[0] === null)
    return { ...others, subcorpus: both(others.subcorpus) };
  const [first, ...steps] = chain as Chain;
  return { ...others, chain: [{ ...first, subcorpus: both(first.subcorpus) }, ...steps] };
}
