/** Why a job ends before it is done: thrown from a checkpoint, through whatever is being computed. */
import type { Ending } from "./messages.js";

export class Stopped extends Error {
  constructor(readonly why: Ending | "memory") {
    super("stopped");
  }
}

/** The job belongs into the heavy lane, and begins there anew. */
export class HandOver extends Error {
  constructor(
    /** Does it always? What only took long this time may be quick the next. */
    readonly always: boolean,
  ) {
    super("handed over");
  }
}
