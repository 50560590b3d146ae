/**
 * From names to the addresses that are connected to. An address is looked up once (and again after an hour), checked, and then
 * handed to the connection as it is: what was checked is what is connected to, whatever the DNS says a moment later.
 *
 * Unless they are allowed, addresses that are not of the public internet (loopback, private, link-local, reserved, IPv4 inside
 * IPv6) are refused. Names can be given addresses by hand, as a hosts file does, with ports.
 */
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { DugongError } from "../../storage/errors.js";
import { limits } from "./limits.js";

export interface Target {
  ip: string;
  /** Instead of the URL's. */
  port?: number;
  isPublic: boolean;
}

export type Resolved =
  | { target: Target; failure?: undefined }
  | { failure: "dns" | "private_address" | "public_address" };

export interface AddressRules {
  /** Addresses that are not of the public internet. */
  allowPrivate: boolean;
  allowPublic: boolean;
  /** By host name. */
  mapping?: ReadonlyMap<string, { ip: string; port?: number }>;
  /** "127.0.0.1:5353": instead of the system's. */
  dnsServers?: readonly string[];
}

export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false;
  return ipaddr.process(ip).range() === "unicast";
}

export class Addresses {
  readonly #resolver: Resolver;
  readonly #known = new Map<string, { resolved: Promise<Resolved>; until: number }>();

  constructor(readonly rules: AddressRules) {
    this.#resolver = new Resolver({ timeout: limits.dnsTimeoutMs, tries: limits.dnsTries });
    if (rules.dnsServers && rules.dnsServers.length > 0) this.#resolver.setServers(rules.dnsServers);
  }

  /** `host` is of a normalised URL. Never throws. */
  resolve(host: string): Promise<Resolved> {
    const now = performance.now();
    const known = this.#known.get(host);
    if (known && known.until > now) return known.resolved;
    if (this.#known.size >= limits.dnsCacheMax) this.#known.delete(this.#known.keys().next().value!);
    const resolved = this.#lookUp(host).then((found) => this.#checked(found));
    this.#known.set(host, { resolved, until: now + limits.dnsAgeMsMax });
    return resolved;
  }

  async #lookUp(host: string): Promise<{ ip: string; port?: number } | undefined> {
    const mapped = this.rules.mapping?.get(host);
    if (mapped) return mapped;
    const literal = host.replace(/^\[(.*)\]$/, "$1");
    if (isIP(literal) !== 0) return { ip: literal };
    if (host === "localhost" || host.endsWith(".localhost")) return { ip: "127.0.0.1" };
    for (const look of [() => this.#resolver.resolve4(host), () => this.#resolver.resolve6(host)]) {
      const [ip] = await look().catch(() => [] as string[]);
      if (ip !== undefined) return { ip };
    }
    return undefined;
  }

  #checked(found: { ip: string; port?: number } | undefined): Resolved {
    if (!found) return { failure: "dns" };
    const isPublic = isPublicAddress(found.ip);
    if (!isPublic && !this.rules.allowPrivate) return { failure: "private_address" };
    if (isPublic && !this.rules.allowPublic) return { failure: "public_address" };
    return { target: { ...found, isPublic } };
  }

  cancel(): void {
    this.#resolver.cancel();
  }
}

/** "127.0.0.5", "127.0.0.5:8080", "[::1]:8080", "::1". */
export function parseAddress(text: string): { ip: string; port?: number } | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(text) ?? [];
  // Without brackets, IPv6 cannot have a port.
  const ip = isIP(text) === 6 ? text : (bracketed ?? plain);
  if (ip === undefined || isIP(ip) === 0) return undefined;
  const number = ip === text || port === undefined ? undefined : Number(port);
  if (number !== undefined && (number < 1 || number > 65535)) return undefined;
  return number === undefined ? { ip } : { ip, port: number };
}

/** Lines as of a hosts file: an address, then names; "#" begins a comment. */
export function parseHostsFile(text: string, file: string): Map<string, { ip: string; port?: number }> {
  const mapping = new Map<string, { ip: string; port?: number }>();
  text.split(/\r?\n/).forEach((line, i) => {
    const [address, ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (address === "") return;
    const parsed = parseAddress(address);
    if (!parsed || names.length === 0) {
      throw new DugongError(
        "bad_hosts_file",
        `${file}:${i + 1} is not an address and names: ${line.trim()}`,
        'Write lines such as "127.0.0.5:8080 www.example.fo example.fo".',
      );
    }
    for (const name of names) mapping.set(name.toLowerCase(), parsed);
  });
  return mapping;
}
