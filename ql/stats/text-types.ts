/**
 * Text types: what texts have in the attributes of their structures (doc.category), and how many tokens there are of
 * each. A token is of the type that its innermost structures say; where an attribute has several values at once, it is
 * of several types.
 */
import type { Column } from "./frequency-columns.js";
import { structureOf } from "./frequency-columns.js";
import { RowNumbers, Rows } from "./frequency-rows.js";
import type { Whole } from "./whole.js";

export class TextTypes {
  /** By the same columns, so that numbers of values are the same. */
  readonly types: Rows;
  readonly #tokens = new RowNumbers();

  /** Columns that ask structures: one at least. */
  constructor(whole: Whole, columns: readonly Column[], checkpoint: () => void) {
    this.types = new Rows(columns, checkpoint);
    const structures = columns.map(({ key }) => structureOf(whole.snapshot, key)!);
    for (const stretches of whole.stretches([...new Set(structures)])) {
      const entries = this.types.read(stretches);
      const tokens = this.#tokens.reach(this.types.size);
      for (let i = 0; i < entries.count; i++) {
        const stretch = entries.hits ? entries.hits[i] : i;
        tokens[entries.rows[i]] += stretches.ends[stretch] - stretches.begins[stretch];
      }
    }
  }

  /** Tokens of a type, by its number. */
  tokens(type: number): number {
    return this.#tokens.numbers[type] ?? 0;
  }
}

/** Of rows by any columns: the tokens of each one's text type. */
export class RowTextTypes {
  readonly #types: TextTypes | undefined;
  /** Which columns ask structures. */
  readonly #structural: number[];

  constructor(
    whole: Whole,
    readonly rows: Rows,
    checkpoint: () => void,
  ) {
    this.#structural = [...rows.columns.keys()].filter((at) => !rows.columns[at].key.place);
    if (this.#structural.length > 0)
      this.#types = new TextTypes(
        whole,
        this.#structural.map((at) => rows.columns[at]),
        checkpoint,
      );
  }

  /** Does any column ask a structure? */
  get asked(): boolean {
    return this.#types !== undefined;
  }

  /** Undefined where no column asks a structure. */
  tokens(row: number): number | undefined {
    if (!this.#types) return undefined;
    const values = this.#structural.map((at) => this.rows.value(row, at));
    return this.#types.tokens(this.#types.types.row(values));
  }
}
