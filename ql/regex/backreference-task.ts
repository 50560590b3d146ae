/** What the thread for backreferences is given, and what it tells. Apart from it: who imports its module becomes it. */
export interface BackreferenceTask {
  source: string;
  flags: string;
  /** String i is bytes [starts[i], starts[i + 1]). */
  bytes: Uint8Array;
  starts: Uint32Array;
  /** Shared: the state of the task, and the number of the string that is being looked at. */
  control: Int32Array;
  /** Shared: 1 for each string that matches. */
  results: Uint8Array;
}

/** control[0]; anything but these two lasts until the next. */
export const [WAITING, RUNNING, DONE, FAILED] = [0, 1, 2, 3];
