/**
 * What a step says of itself: how far it is, and at the end how much went in, how much came out, and what was odd. The same
 * for every step, so that a pipeline can put its steps side by side.
 */
import { limits } from "../limits.js";

export interface Place {
  source: string;
  line?: number;
  /** Where there are no lines: bytes from the start of the file. */
  offset?: number;
}

export interface Warning {
  kind: string;
  message: string;
  count: number;
  /** The first few. */
  places: Place[];
}

/** Odd places of the input, counted by kind. */
export class Warnings {
  readonly #kinds = new Map<string, Warning>();

  add(kind: string, message: string, place?: Place): void {
    let warning = this.#kinds.get(kind);
    if (!warning) this.#kinds.set(kind, (warning = { kind, message, count: 0, places: [] }));
    warning.count++;
    if (place && warning.places.length < limits.warningPlacesMax) warning.places.push(place);
  }

  get list(): Warning[] {
    return [...this.#kinds.values()];
  }
}

export interface StepReport {
  /** "clean", "dedup": the command's name. */
  step: string;
  documentsIn: number;
  documentsOut: number;
  /** Between white space; tokens, where the stream has them. Absent where nobody has counted words yet. */
  wordsIn?: number;
  wordsOut: number;
  seconds: number;
  warnings: Warning[];
  /** What only this step has to say: languages found, pages without text. JSON. */
  details?: Record<string, unknown>;
}

export interface StepProgress {
  /** 0 to 1; absent where the size of the input is not known. */
  fraction?: number;
  documents: number;
  words: number;
  seconds: number;
}

/** What every step is given beside its inputs and options. */
export interface StepContext {
  signal?: AbortSignal;
  /** At most ten times a second. */
  onProgress?: (progress: StepProgress) => void;
}

/** Every step of text: from streams to a stream. "-" is standard input, and standard output. */
export type Step<Options> = (
  streams: { inputs: readonly string[]; output: string },
  options: Options,
  context?: StepContext,
) => Promise<StepReport>;

const progressMs = 100;

/** Counts for a step, and tells how far it is. */
export class Tally {
  documentsIn = 0;
  documentsOut = 0;
  wordsIn: number | undefined;
  wordsOut = 0;
  bytesRead = 0;
  readonly warnings = new Warnings();
  readonly #began = performance.now();
  #told = 0;

  constructor(
    readonly step: string,
    readonly bytesTotal: number,
    readonly context: StepContext = {},
  ) {}

  /** Once for each document, say. Throws if somebody has had enough. */
  tick(): void {
    this.context.signal?.throwIfAborted();
    const now = performance.now();
    if (!this.context.onProgress || now - this.#told < progressMs) return;
    this.#told = now;
    const { bytesRead, bytesTotal } = this;
    this.context.onProgress({
      ...(bytesTotal > 0 && { fraction: Math.min(1, bytesRead / bytesTotal) }),
      documents: this.documentsIn,
      words: this.wordsOut,
      seconds: this.seconds,
    });
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  report(details?: Record<string, unknown>): StepReport {
    const { step, documentsIn, documentsOut, wordsIn, wordsOut, seconds } = this;
    return {
      step,
      documentsIn,
      documentsOut,
      ...(wordsIn !== undefined && { wordsIn }),
      wordsOut,
      seconds,
      warnings: this.warnings.list,
      ...(details && { details }),
    };
  }
}
