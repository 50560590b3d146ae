/** Every cap on subcorpora, in one place, units last. */
export const limits = {
  /** Subcorpora that a desk keeps once they are computed. */
  keptBytesMax: 256 * 1024 * 1024,
  /** Definitions inside each other. */
  depthMax: 32,
  /** Definitions that one is made of. */
  partsMax: 1000,
  /** Values of a list that nothing has which are named. */
  missingShownMax: 5,
} as const;
