/** Chains that end in a table: the last step groups what the others give. */
import { DugongError } from "../../storage/index.js";
import type { Chain, GroupedChain, GroupStep } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { type FrequencyList, type FrequencyOptions, frequency } from "./frequency.js";

/** The chain without its last step, and that step if it groups. */
export function splitGroup(chain: Chain | GroupedChain): { chain: Chain; group?: GroupStep } {
  const last = Array.isArray(chain) ? chain.at(-1) : undefined;
  if (last?.step !== "group") return { chain: chain as Chain };
  return { chain: chain.slice(0, -1) as Chain, group: last };
}

/** What the options of a group step ask. */
export function groupOptions({ step: _, ...options }: GroupStep): FrequencyOptions {
  if (typeof options.by === "string") return options as FrequencyOptions;
  throw new DugongError(
    "bad_chain",
    'the last step (group) needs keys in "by"',
    'Write them as in {"step":"group","by":"lemma 0, tag 1R"}.',
  );
}

export function group(desk: Desk, grouped: GroupedChain): Promise<FrequencyList> {
  const { chain, group: last } = splitGroup(grouped);
  return frequency(desk, chain, groupOptions(last as GroupStep));
}
