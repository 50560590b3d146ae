/**
 * References: where a hit is.
 *
 *   #        the number of its first token
 *   doc      the number of the structure around that token, counted from 0
 *   doc.id   the value of an attribute of that structure
 *
 * Nothing (null) where there is no such structure, or no value.
 */
import type { Snapshot, Structure } from "../../storage/index.js";
import type { Hits } from "../chain/hits.js";
import { checkStructureAttribute } from "../plan/names.js";
import { numbersAround } from "./context.js";
import { limits } from "./limits.js";

export type Reference = string | number | null;

/** What references say of some hits: a column for each, in the order in which they were named. */
export class References {
  readonly #structures = new Map<string, Structure>();
  readonly #readers: ((hits: Hits, numbers: Map<string, Float64Array>) => Reference[])[];

  constructor(
    readonly snapshot: Snapshot,
    readonly names: readonly string[],
  ) {
    this.#readers = names.map((name) => this.#reader(name));
  }

  #reader(name: string): (hits: Hits, numbers: Map<string, Float64Array>) => Reference[] {
    if (name === "#") return ({ begins, count }) => Array.from(begins.subarray(0, count));
    const dot = name.indexOf(".");
    const structure = this.snapshot.structure(dot < 0 ? name : name.slice(0, dot));
    this.#structures.set(structure.name, structure);
    if (dot < 0) {
      return (_, numbers) =>
        Array.from(numbers.get(structure.name)!, (number) => (number < 0 ? null : number));
    }
    const attribute = name.slice(dot + 1);
    checkStructureAttribute(this.snapshot, structure, attribute);
    const kept = new Map<number, string | null>();
    return (_, numbers) =>
      Array.from(numbers.get(structure.name)!, (number) => {
        if (number < 0) return null;
        let value = kept.get(number);
        if (value === undefined) {
          value = structure.value(number, attribute) ?? null;
          if (kept.size >= limits.keptOthersMax) kept.clear();
          kept.set(number, value);
        }
        return value;
      });
  }

  columns(hits: Hits): Reference[][] {
    const numbers = new Map<string, Float64Array>();
    for (const [name, structure] of this.#structures)
      numbers.set(name, numbersAround(this.snapshot, structure, hits.begins, hits));
    return this.#readers.map((read) => read(hits, numbers));
  }
}
