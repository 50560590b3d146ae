/** A request that a thread answers, as the main thread knows it, from its arrival to its end. */
import type { RequestId } from "../client/protocol/messages.js";
import type { User } from "./access/users.js";
import type { Connection } from "./connection.js";
import type { OpenCorpus } from "./corpora.js";
import { limits } from "./limits.js";
import type { Before, Lane } from "./threads/messages.js";
import type { Thread } from "./threads/thread.js";
import type { DeskVerb, Parameters } from "./verbs/verb.js";

export interface Asked {
  /** In the whole server. */
  number: number;
  connection: Connection;
  user: User;
  id: RequestId;
  name: string;
  verb: DeskVerb;
  parameters: Parameters;
  corpus: OpenCorpus;
  /** Other corpora that it reads, by the names that parameters use. */
  others: Map<string, OpenCorpus>;
  /** Corpora that the user may not read. */
  denied: string[];
  hold: boolean;
  counting: boolean;
  timeoutMs: number;
  /** When it came, by performance.now(). */
  began: number;

  /** `withdrawn`: it has ended, but the thread that was told of it does not know yet. */
  state: "waiting" | "going" | "standing" | "withdrawn";
  lane: Lane;
  thread?: Thread;
  slot: number;
  stoodAt: number;
  /** Rows that may still be sent, seeks that were asked for, and where to. */
  credit: number;
  seeks: number;
  seekRow: number;
  /** From another thread. */
  before?: Before;
  rows: number;
  /** Computing time that was charged to the user. */
  cpuMs: number;
  progress?: { done: number; of: number };
}

/** What is asked, in few words: for lists of what is running, and for logs. */
export function summaryOf({ parameters }: Pick<Asked, "parameters">): string {
  const { query, chain } = parameters;
  const text = typeof query === "string" ? query : JSON.stringify(query ?? chain ?? parameters);
  return text.length > limits.summaryCharsMax ? `${text.slice(0, limits.summaryCharsMax)}…` : text;
}
