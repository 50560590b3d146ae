/** How evenly the hits of rows are spread, and all hits: a second look at them, when their numbers are known. */
import { pieces } from "../pace.js";
import { type Dispersion, type DispersionColumns, Dispersions, dispersionAt } from "./dispersion.js";
import type { Parts } from "./dispersion-parts.js";
import type { Rows } from "./frequency-rows.js";
import type { OrderedHits } from "./ordered.js";
import type { Whole } from "./whole.js";

export class RowDispersions {
  /** Where the numbers of a row are; 0 is where those of all hits are. */
  readonly #placeOf: Uint32Array;
  readonly #columns: DispersionColumns;

  private constructor(placeOf: Uint32Array, columns: DispersionColumns) {
    this.#placeOf = placeOf;
    this.#columns = columns;
  }

  static async measure(
    whole: Whole,
    ordered: OrderedHits,
    {
      rows,
      wanted,
      counts,
      hits: all,
    }: { rows: Rows; wanted: Uint32Array; counts: Float64Array; hits: number },
    parts: Parts | undefined,
    checkpoint: () => void,
  ): Promise<RowDispersions> {
    const placeOf = new Uint32Array(rows.size + 1);
    const ofPlaces = new Float64Array(wanted.length + 1);
    ofPlaces[0] = all;
    for (const [from, to] of pieces(wanted.length, checkpoint)) {
      for (let i = from; i < to; i++) {
        placeOf[wanted[i]] = i + 1;
        ofPlaces[i + 1] = counts[wanted[i]];
      }
    }
    const dispersions = new Dispersions(whole.tokens, ofPlaces, parts);
    for await (const hits of ordered.blocks()) {
      const places = whole.places(hits);
      const numbers = parts?.read(hits, places);
      for (let i = 0; i < hits.count; i++) dispersions.add(0, places[i], numbers ? numbers[i] : 0);
      checkpoint();
      const entries = rows.read(hits);
      for (let i = 0; i < entries.count; i++) {
        const place = placeOf[entries.rows[i]];
        if (place === 0) continue;
        const hit = entries.hits ? entries.hits[i] : i;
        dispersions.add(place, places[hit], numbers ? numbers[hit] : 0);
      }
    }
    return new RowDispersions(placeOf, dispersions.finish(checkpoint));
  }

  get all(): Dispersion {
    return dispersionAt(this.#columns, 0);
  }

  of(row: number): Dispersion {
    return dispersionAt(this.#columns, this.#placeOf[row]);
  }

  /** One measure, by row; NaN where it is not defined. */
  column(measure: keyof Dispersion): Float64Array {
    const column = this.#columns[measure];
    return Float64Array.from(this.#placeOf, (place) => column[place]);
  }
}
