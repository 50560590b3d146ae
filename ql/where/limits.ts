/** Every cap on conditions of --where, in one place, units last. */
export const limits = {
  textCharsMax: 10_000,
  /** Brackets and nots inside each other. */
  depthMax: 64,
  /** Comparisons in one condition. */
  testsMax: 500,
  /** Names that an error lists. */
  namesShownMax: 12,
} as const;
