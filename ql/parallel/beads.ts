/** Beads as they are gathered: structures of two corpora that belong together, and what was odd about them. */
import type { Beads } from "../../storage/index.js";
import { limits } from "./limits.js";

export interface AlignWarning {
  kind: "overlap" | "unmatched" | "repeated_value" | "bad_row" | "unknown_number" | "unknown_value";
  /** The one that it is about, if it is one. */
  corpus?: string;
  message: string;
  count: number;
  /** The first ones: a line of the file, what it is about. */
  places: { line?: number; what: string }[];
}

export class Warnings {
  readonly #all = new Map<string, AlignWarning>();

  add(
    kind: AlignWarning["kind"],
    message: string,
    place: AlignWarning["places"][number],
    corpus?: string,
  ): void {
    const key = `${kind} ${corpus ?? ""}`;
    let warning = this.#all.get(key);
    if (!warning) {
      warning = { kind, ...(corpus !== undefined && { corpus }), message, count: 0, places: [] };
      this.#all.set(key, warning);
    }
    warning.count++;
    if (warning.places.length < limits.warningPlacesMax) warning.places.push(place);
  }

  list(): AlignWarning[] {
    return [...this.#all.values()];
  }
}

/** A column that grows. */
class Growing {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  done(): Uint32Array {
    return this.#values.slice(0, this.length);
  }
}

export class BeadBuilder {
  readonly #offsets = [new Growing(), new Growing()];
  readonly #numbers = [new Growing(), new Growing()];
  /** Structures that are in a bead already, a bit for each. */
  readonly #seen: Uint32Array[];
  /** Beads with structures on both sides. */
  pairs = 0;
  count = 0;

  constructor(
    counts: [number, number],
    readonly structures: [string, string],
    readonly warnings: Warnings,
  ) {
    this.#seen = counts.map((count) => new Uint32Array((count >>> 5) + 1));
    for (const offsets of this.#offsets) offsets.push(0);
  }

  /** Numbers of each side, in any order; a bead without any is none. */
  add(sides: [ArrayLike<number>, ArrayLike<number>], line?: number): void {
    if (sides[0].length + sides[1].length === 0) return;
    sides.forEach((numbers, side) => {
      const ascending = numbers.length < 2 ? numbers : Uint32Array.from(numbers).sort();
      let before = -1;
      for (let i = 0; i < ascending.length; i++) {
        const number = ascending[i];
        if (number === before) continue;
        before = number;
        this.#numbers[side].push(number);
        this.#mark(side, number, line);
      }
      this.#offsets[side].push(this.#numbers[side].length);
    });
    this.count++;
    if (sides[0].length > 0 && sides[1].length > 0) this.pairs++;
  }

  #mark(side: number, number: number, line?: number): void {
    const seen = this.#seen[side];
    const bit = 1 << (number & 31);
    if (seen[number >>> 5] & bit) {
      const message = "structures stand in several rows; they are aligned with all that those name";
      this.warnings.add("overlap", message, {
        ...(line && { line }),
        what: `${this.structures[side]} ${number}`,
      });
    }
    seen[number >>> 5] |= bit;
  }

  done(): Beads {
    const side = (i: number) => ({ offsets: this.#offsets[i].done(), numbers: this.#numbers[i].done() });
    return { count: this.count, sides: [side(0), side(1)] };
  }
}
