/** Requests under way: sent, timed, and handed back when they have ended. */
import type { Host, RobotsErrand } from "./host.js";
import type { Hosts } from "./hosts.js";
import { limits } from "./limits.js";
import { Pages } from "./pages.js";
import type { Address } from "./politeness.js";
import { Request, type RequestResult } from "./request.js";
import type { QueuedUrl } from "./state.js";
import { pathOf } from "./url.js";

export type Task = { entry: QueuedUrl; errand?: undefined } | { errand: RobotsErrand; entry?: undefined };

/** What is asked, of whom, and where that is. */
export interface Flight {
  host: Host;
  address: Address;
  task: Task;
}

export interface Landed extends Flight {
  result: RequestResult;
}

export class Flights {
  /** In the order in which they were sent, with the time when they are given up. */
  readonly #under = new Map<Request, number>();
  #landed: Landed[] = [];

  constructor(
    readonly hosts: Hosts,
    readonly now: () => number,
    readonly wake: () => void,
  ) {}

  /** Under way, or ended and not taken yet. */
  get size(): number {
    return this.#under.size + this.#landed.length;
  }

  get hasLanded(): boolean {
    return this.#landed.length > 0;
  }

  send(flight: Flight): void {
    const { host, task } = flight;
    const { userAgent, responseBytes, timeoutMs } = this.hosts.settings;
    const isPage = task.entry !== undefined;
    const request: Request = new Request({
      path: pathOf(isPage ? task.entry.url : task.errand.url),
      userAgent,
      bytesMax: isPage ? responseBytes : limits.robotsBytesMax,
      wantsBody: isPage ? Pages.wants : (status) => status >= 200 && status < 300,
      onDone: (result) => {
        this.#under.delete(request);
        this.#landed.push({ ...flight, result });
        this.wake();
      },
    });
    this.#under.set(request, this.now() + timeoutMs);
    request.send(this.hosts.clientOf(host), this.hosts.keepsConnection(host));
  }

  /** Gives up those whose time is over. */
  expire(now: number): void {
    for (const [request, deadline] of this.#under) {
      if (deadline > now) return;
      request.timeOut();
    }
  }

  /** When the next is given up. */
  get expiresAt(): number {
    for (const deadline of this.#under.values()) return deadline;
    return Number.POSITIVE_INFINITY;
  }

  takeLanded(): Landed[] {
    const landed = this.#landed;
    this.#landed = [];
    return landed;
  }
}
