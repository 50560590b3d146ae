/** A host whose turn it is or comes soon: an origin (scheme, name, port), with what is in memory of it. */
import type { Client } from "undici";
import type { Target } from "./addresses.js";
import type { Address } from "./politeness.js";
import type { Robots } from "./robots.js";
import type { HostRecord, QueuedUrls } from "./state.js";

/** A robots.txt that is to be fetched at a host: for itself or, after redirects, for another. */
export interface RobotsErrand {
  url: string;
  for: Host;
  redirects: number;
}

export class Host {
  address: Address | undefined;
  target: Target | undefined;
  client: Client | undefined;
  /** The next entries of its queue, the first of them last. */
  turn: QueuedUrls[] = [];
  /** How many it has had in this turn. */
  taken = 0;
  errands: RobotsErrand[] = [];
  robots: Robots | undefined;
  robotsUntil = 0;
  mayFetch: ((path: string) => boolean) | undefined;
  /** Its robots.txt is being fetched, here or elsewhere. */
  awaitsRobots = false;
  robotsTries = 0;
  /** In a row. */
  failures = 0;
  dueAt = 0;
  /** In line at its address, or until its time comes. */
  isWaiting = false;
  isGone = false;

  constructor(
    readonly origin: string,
    readonly record: HostRecord,
  ) {}
}
