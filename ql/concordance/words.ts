/** Strings of a lexicon, kept while lines are made: the frequent ones for good, the others until they are too many. */
import type { Lexicon } from "../../storage/index.js";
import { limits } from "./limits.js";

export class Words {
  readonly #frequent: (string | undefined)[] = [];
  readonly #others = new Map<number, string>();

  constructor(readonly lexicon: Lexicon) {}

  string(id: number): string {
    if (id >= limits.keptWords) return this.#other(id);
    let string = this.#frequent[id];
    if (string === undefined) {
      string = this.lexicon.string(id);
      this.#frequent[id] = string;
    }
    return string;
  }

  #other(id: number): string {
    let string = this.#others.get(id);
    if (string === undefined) {
      string = this.lexicon.string(id);
      if (this.#others.size >= limits.keptOthersMax) this.#others.clear();
      this.#others.set(id, string);
    }
    return string;
  }
}
