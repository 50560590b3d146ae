/** Chains that end in a table: the last step groups what the others give. */
import { checkGroup } from "../chain/check.js";
import type { Chain, GroupedChain, GroupStep } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { type FrequencyList, type FrequencyOptions, frequency } from "./frequency.js";

/** The chain without its last step, and that step if it groups. */
export function splitGroup(chain: Chain | GroupedChain): { chain: Chain; group?: GroupStep } {
  const last = Array.isArray(chain) ? chain.at(-1) : undefined;
  if (last?.step !== "group") return { chain: chain as Chain };
  return { chain: chain.slice(0, -1) as Chain, group: last };
}

/** What a group step asks that stands behind so many others. */
export function groupOptions(step: GroupStep, behind: number): FrequencyOptions {
  checkGroup(step, behind);
  const { step: _, ...options } = step;
  return options as FrequencyOptions;
}

export function group(desk: Desk, grouped: GroupedChain): Promise<FrequencyList> {
  const { chain, group: last } = splitGroup(grouped);
  return frequency(desk, chain, groupOptions(last as GroupStep, chain.length));
}
