/**
 * Pieces of text that were met, with their cuts. Each has a place in one of two slots, by its hash; of the two, the one that was
 * asked for less lately is given up. So what is rare passes through, and what is frequent stays.
 */
import { limits } from "../limits.js";
import type { Cut } from "./cut.js";

const sets = limits.piecesKept / 2;
const room = limits.pieceCharsKept;

export class KnownCuts {
  readonly #cuts: (Cut | undefined)[] = new Array(limits.piecesKept).fill(undefined);
  readonly #lengths = new Uint8Array(limits.piecesKept);
  /** The code units of the piece in each slot. */
  readonly #units = new Uint16Array(limits.piecesKept * room);
  /** Which of the two was asked for last. */
  readonly #latest = new Uint8Array(sets);

  /** What was kept of the piece that lies there in the text. */
  find(text: Uint16Array, from: number, to: number, hash: number): Cut | undefined {
    const set = hash & (sets - 1);
    for (let way = 0; way < 2; way++) {
      const slot = 2 * set + way;
      if (this.#lengths[slot] !== to - from) continue;
      let at = from;
      for (let own = slot * room; at < to && this.#units[own] === text[at]; own++) at++;
      if (at < to) continue;
      this.#latest[set] = way;
      return this.#cuts[slot];
    }
    return undefined;
  }

  /** A piece of at most `pieceCharsKept` characters, and at least one. */
  keep(cut: Cut, text: Uint16Array, from: number, to: number, hash: number): void {
    const set = hash & (sets - 1);
    const way = 1 - this.#latest[set];
    const slot = 2 * set + way;
    this.#cuts[slot] = cut;
    this.#lengths[slot] = to - from;
    for (let at = from, own = slot * room; at < to; ) this.#units[own++] = text[at++];
    this.#latest[set] = way;
  }
}
