/** What the main thread and those that compute say to each other. */
import type { EndReason, ErrorBody, RequestId, Subprotocol } from "../../client/protocol/messages.js";
import type { PlanStep } from "../../ql/index.js";
import type { Manifest, PoolHandle } from "../../storage/index.js";
import type { Parameters } from "../verbs/verb.js";

export type Lane = "quick" | "heavy";

export interface ThreadStart {
  lane: Lane;
  data: string;
  kernels: WebAssembly.Module;
  pool: PoolHandle;
  /** A word for each job: why it has to end, 0 while it may go on. */
  flags: SharedArrayBuffer;
  /** Of results that the thread keeps. */
  resultBytes: number;
  slowQueryMs: number;
  /** Cores.ts: what its constructor takes. */
  cores: { threads: number; shared: SharedArrayBuffer; owner: number };
  caps: Caps;
}

/** Limits that verbs and jobs keep to. */
export interface Caps {
  /** Of one message: what a client takes. */
  answerBytesMax: number;
  tableRowsMax: number;
  lineContextMax: number;
  lineTokensMax: number;
}

/** Words in the flags. Who changes one does so only if it is what it was held to be: main thread and threads agree on what came first. */
export const flagOf = {
  going: 0,
  cancelled: 1,
  timeout: 2,
  killed: 3,
  budget: 4,
  dropped: 5,
  idle: 6,
  /** Told to a thread that has not begun: what it waits for is not known, nor how long. */
  unbegun: 7,
  /** Ended by the main thread before that: the client has been answered. */
  withdrawn: 8,
  /** The token is not good any more. */
  expired: 9,
  /** The budget of rows is used up, by this and others; `budget` is that of computing time. */
  rows: 10,
} as const;
export type Flag = (typeof flagOf)[keyof typeof flagOf];
/** Why a job has to end. */
export type Ending = Exclude<Flag, typeof flagOf.going | typeof flagOf.unbegun | typeof flagOf.withdrawn>;

/** A snapshot that jobs will name by its citation. Whoever tells of it holds the lease. */
export interface OpenTold {
  kind: "open";
  citation: string;
  folder: string;
  manifest: Manifest;
}

export interface CloseTold {
  kind: "close";
  citation: string;
}

export interface JobTold {
  kind: "job";
  /** Its number in the server, and its word in the flags. */
  job: number;
  slot: number;
  connection: number;
  /** As the client knows it. */
  id: RequestId;
  subprotocol: Subprotocol;
  verb: string;
  parameters: Parameters;
  /** The citation of its snapshot. */
  corpus: string;
  /** Those of other corpora, by the names that parameters use. */
  others: Record<string, string>;
  /** Corpora that whoever asks may not read, though a query could name them. */
  denied: string[];
  /** Since it arrived. */
  waitedMs: number;
  credit: number;
  hold: boolean;
  /** Goes on counting without credit. */
  counting: boolean;
  /** What may still be used up. */
  timeoutMs: number;
  rowsMax: number;
  /** The name of that limit. */
  rowsLimit: string;
  cpuMsMax: number;
  memoryBytesMax: number;
  /** How long it may stand still. Kept by the main thread; said when it was too long. */
  standingMs: number;
  /** Of a job that began in another thread: rows that were sent, and what it has used. */
  before?: Before;
}

export interface Before {
  nextRow: number;
  rows: number;
  seeks: number;
  cpuMs: number;
  /** Is it heavy whenever it is asked? */
  always?: boolean;
}

export interface CreditTold {
  kind: "credit";
  job: number;
  rows: number;
}

export interface SeekTold {
  kind: "seek";
  job: number;
  row: number;
  credit: number;
}

/** So many bytes of the job's rows have left the server. */
export interface TakenTold {
  kind: "taken";
  job: number;
  bytes: number;
}

/** Look at the flag: a job that stands still does not. */
export interface WakeTold {
  kind: "wake";
  job: number;
}

export type Told = OpenTold | CloseTold | JobTold | CreditTold | SeekTold | TakenTold | WakeTold;

/** What a job has to say: frames for its client, ready to be sent, and what the server has to know. */
export interface Said {
  job: number;
  frames?: Uint8Array[];
  /** Of these frames: rows in all, and bytes that the job wants to hear of when they have been taken. */
  rows?: number;
  bytes?: number;
  /** How many seeks the job had heard of then. */
  seeks?: number;
  /** Computed for it so far. */
  cpuMs?: number;
  state?: "standing" | "going";
  progress?: { done: number; of: number };
  handOver?: Before;
  done?: Done;
}

export interface Done {
  reason: EndReason | "result";
  rows: number;
  cpuMs: number;
  error?: ErrorBody;
  /** Of an error that should not happen. */
  stack?: string;
  plan?: PlanStep;
}
