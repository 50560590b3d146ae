/**
 * Ids and glue of many stretches of tokens at once, one behind the other in columns. Stretches that overlap the one
 * before are read together with it.
 */
import type { Attribute, Snapshot } from "../../storage/index.js";
import { looking } from "../pace.js";

export class Stretches {
  /** Where in the columns the first token of each stretch is. */
  readonly offsets: Float64Array;
  readonly #runs: { from: number; to: number; offset: number }[] = [];
  readonly #tokens: number;

  /** Of [froms[i], tos[i]) for i from `first` up to `last`. */
  constructor(
    readonly snapshot: Snapshot,
    froms: Float64Array,
    tos: Float64Array,
    first: number,
    last: number,
  ) {
    this.offsets = new Float64Array(last - first);
    let tokens = 0;
    let run = { from: 0, to: -1, offset: 0 };
    for (let i = first; i < last; i++) {
      if (froms[i] < run.from || froms[i] > run.to) {
        run = { from: froms[i], to: froms[i], offset: tokens };
        this.#runs.push(run);
      }
      if (tos[i] > run.to) {
        tokens += tos[i] - run.to;
        run.to = tos[i];
      }
      this.offsets[i - first] = run.offset + froms[i] - run.from;
    }
    this.#tokens = tokens;
  }

  /** Stretches that lie far from each other have to be brought from the disk, each for itself. */
  #looking(): () => void {
    return looking(this.snapshot.pool.checkpoint, 64);
  }

  ids(attribute: Attribute): Uint32Array {
    const ids = new Uint32Array(this.#tokens);
    const stream = this.snapshot.stream(attribute);
    const look = this.#looking();
    for (const { from, to, offset } of this.#runs) {
      look();
      stream.read(from, to - from, ids.subarray(offset, offset + to - from));
    }
    return ids;
  }

  /** 1 for each token that is written without a space before it. */
  glue(): Uint8Array {
    const glue = new Uint8Array(this.#tokens);
    const look = this.#looking();
    for (const { from, to, offset } of this.#runs) {
      look();
      for (let at = from; at < to; ) {
        const segment = this.snapshot.segmentAt(at);
        const end = Math.min(to, segment.start + segment.tokens);
        const bits = segment.glue;
        if (bits) {
          const shift = offset - from;
          for (let place = at - segment.start; place < end - segment.start; place++)
            glue[place + segment.start + shift] = (bits[place >>> 3] >>> (place & 7)) & 1;
        }
        at = end;
      }
    }
    return glue;
  }
}
