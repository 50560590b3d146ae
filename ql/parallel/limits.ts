/** Every cap on alignments, in one place, units last. */
export const limits = {
  /** Places kept for each kind of warning. */
  warningPlacesMax: 5,
  /** Different values that structures without a lexicon are told by: what a table of strings can have. */
  distinctValuesMax: 16_000_000,
} as const;
