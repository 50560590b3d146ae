/**
 * Whose turn it is. At an address there is one request at a time, and after it has ended nobody asks there before the delay is
 * over; a host is asked again when its own delay is over (the address's, its Crawl-delay, or the time that it has asked for), whatever
 * address it has. Hosts that share an address take turns.
 *
 *   host     resting ──its time──▶ ready, in line at its address ──its turn──▶ asked ──done──▶ resting
 *   address  resting ──its time──▶ free, if somebody is in line ──▶ busy ──done──▶ resting
 */
import type { Host } from "./host.js";

export class Address {
  /** Hosts in line. */
  readonly line: Host[] = [];
  isBusy = false;
  /** In `free` or in the timetable. */
  isListed = false;
  dueAt = 0;
  /** Hosts that have this address, in line or not. */
  hosts = 0;

  constructor(
    readonly ip: string,
    readonly delayMs: number,
  ) {}
}

export class Politeness {
  readonly #addresses = new Map<string, Address>();
  readonly #timetable = new Timetable<Host | Address>();
  #free: Address[] = [];
  #freeFrom = 0;

  /** The host has this address from now on. */
  attach(host: Host, ip: string, delayMs: number): void {
    this.detach(host);
    let address = this.#addresses.get(ip);
    if (!address) this.#addresses.set(ip, (address = new Address(ip, delayMs)));
    address.hosts++;
    host.address = address;
  }

  /** It has no more to ask for. */
  detach(host: Host): void {
    if (host.address) host.address.hosts--;
    host.address = undefined;
  }

  /** The host has something to ask for. */
  wait(host: Host, now: number): void {
    if (host.isWaiting || host.isGone) return;
    host.isWaiting = true;
    if (host.dueAt > now) this.#timetable.add(host.dueAt, host);
    else this.#lineUp(host, now);
  }

  /** A host that may be asked now; its address is busy until `done` or `pass`. */
  next(now: number): Host | undefined {
    for (let due = this.#timetable.take(now); due; due = this.#timetable.take(now)) {
      if (due instanceof Address) this.#free.push(due);
      else this.#lineUp(due, now);
    }
    while (this.#freeFrom < this.#free.length) {
      const address = this.#free[this.#freeFrom++];
      if (this.#freeFrom > 1000 && this.#freeFrom * 2 > this.#free.length) {
        this.#free = this.#free.slice(this.#freeFrom);
        this.#freeFrom = 0;
      }
      address.isListed = false;
      const host = address.isBusy ? undefined : address.line.shift();
      if (!host) continue;
      host.isWaiting = false;
      // Hosts that are gone stay in line until it is their turn.
      if (host.isGone) {
        if (address.line.length > 0) this.#list(address, now);
        continue;
      }
      address.isBusy = true;
      return host;
    }
    return undefined;
  }

  /** A request has ended. */
  done(address: Address, now: number): void {
    address.isBusy = false;
    address.dueAt = now + address.delayMs;
    if (address.line.length > 0) this.#list(address, now);
  }

  /** It was the host's turn, and there was nothing to ask. */
  pass(address: Address, now: number): void {
    address.isBusy = false;
    if (address.line.length > 0) this.#list(address, now);
  }

  /** When somebody's turn comes next, as far as that depends on time alone. */
  get nextAt(): number {
    return this.#freeFrom < this.#free.length ? 0 : this.#timetable.nextAt;
  }

  /** Addresses that nobody has and that may be asked: they can be forgotten. */
  sweep(now: number): void {
    for (const [ip, address] of this.#addresses) {
      if (address.hosts === 0 && !address.isBusy && !address.isListed && address.dueAt <= now)
        this.#addresses.delete(ip);
    }
  }

  #lineUp(host: Host, now: number): void {
    const { address } = host;
    if (!address) return;
    address.line.push(host);
    if (!address.isBusy) this.#list(address, now);
  }

  #list(address: Address, now: number): void {
    if (address.isListed) return;
    address.isListed = true;
    if (address.dueAt > now) this.#timetable.add(address.dueAt, address);
    else this.#free.push(address);
  }
}

/** What is due when: a binary heap. */
class Timetable<Item> {
  readonly #times: number[] = [];
  readonly #items: Item[] = [];

  get nextAt(): number {
    return this.#times.length > 0 ? this.#times[0] : Number.POSITIVE_INFINITY;
  }

  add(at: number, item: Item): void {
    const times = this.#times;
    const items = this.#items;
    let i = times.length;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (times[parent] <= at) break;
      times[i] = times[parent];
      items[i] = items[parent];
      i = parent;
    }
    times[i] = at;
    items[i] = item;
  }

  /** The first item, if its time has come. */
  take(now: number): Item | undefined {
    const times = this.#times;
    const items = this.#items;
    if (times.length === 0 || times[0] > now) return undefined;
    const first = items[0];
    const at = times.pop()!;
    const item = items.pop()!;
    const { length } = times;
    if (length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= length) break;
      if (child + 1 < length && times[child + 1] < times[child]) child++;
      if (times[child] >= at) break;
      times[i] = times[child];
      items[i] = items[child];
      i = child;
    }
    times[i] = at;
    items[i] = item;
    return first;
  }
}
