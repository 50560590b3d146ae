/**
 * What the labels of a chain's query are bound to, for the hits that are shown. Finding it out takes a look at the text of
 * each hit, so it is not done for others.
 */
import { type Hits, NOWHERE, positionColumn, type Ranges } from "../chain/hits.js";
import type { Asked, Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { labelsOfRange } from "../match/chosen.js";
import type { Prepared } from "../run/prepare.js";

export class LabelReader {
  readonly #prepared: Prepared;

  constructor(
    readonly desk: Desk,
    { query, strategy, lists, gapMax }: Asked,
  ) {
    const { checkpoint } = desk;
    this.#prepared = desk.engine.prepare(query, { strategy, lists, gapMax, checkpoint });
  }

  get labels(): readonly string[] {
    return this.#prepared.source.labels;
  }

  /** The hits with a column for each label of the query, besides those they have. */
  bind(hits: Hits): Hits {
    const missing = this.labels.filter((label) => !hits.labels.has(label));
    if (missing.length === 0) return hits;
    const { snapshot, checkpoint } = this.desk;
    const { count } = hits;
    const column = () => positionColumn(snapshot, count).fill(NOWHERE);
    const columns = missing.map((): Ranges => ({ begins: column(), ends: column() }));
    const { begins, ends } = hits.before ?? hits;
    for (let i = 0; i < count; i++) {
      if ((i & 0x3f) === 0) checkpoint();
      const bound = labelsOfRange(this.#prepared.source, begins[i], ends[i]);
      for (let n = 0; n < missing.length; n++) {
        if (!Object.hasOwn(bound, missing[n])) continue;
        [columns[n].begins[i], columns[n].ends[i]] = bound[missing[n]];
      }
    }
    const labels = new Map(hits.labels);
    missing.forEach((label, n) => {
      labels.set(label, columns[n]);
    });
    return { ...hits, labels };
  }

  release(): void {
    this.#prepared.ground.release();
  }
}

/** Names that a chain's filters give to what they found. */
export function filterLabels(chain: Chain): string[] {
  return chain.flatMap((step) => (step.step === "filter" && step.label !== undefined ? [step.label] : []));
}
