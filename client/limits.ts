/** Every number that the client library chooses, in one place, units last. */
export const limits = {
  /** Rows of a stream that may be on their way or waiting to be taken. */
  windowRows: 1000,
  /** How long the end of a stream that was closed is waited for, where somebody wants to know what it says. */
  finishMs: 500,
  /** From connecting to the welcome. */
  handshakeMs: 10_000,
  /** Before the first attempt to connect again, and the most before any. Each waits twice as long as the one before. */
  backoffFirstMs: 100,
  backoffMostMs: 5_000,
  /** Attempts go on for so long. */
  reconnectMs: 60_000,
} as const;
