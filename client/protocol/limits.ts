/** Every cap of the wire protocol, in one place, units last. A limit that is hit is reported by name. */
export const limits = {
  /** One frame, in either direction. */
  frameBytesMax: 16 * 1024 * 1024,
  /** Arrays and maps inside each other: a query's tree may have a thousand levels of two each. */
  nestingMax: 2_500,
  /** How much of what was wrong is quoted in an error. */
  quotedCharsMax: 200,
} as const;
