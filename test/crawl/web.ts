/**
 * A web on loopback: virtual hosts by name, on several addresses, that keeps a record of every request. Hosts are functions from a request to
 * an answer; whoever wants to break things gets the socket.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Visit {
  host: string;
  address: string;
  path: string;
  began: number;
  /** When the response was over; infinite while it is not. */
  ended: number;
  userAgent: string;
}

export type HostAnswer = (path: string, response: ServerResponse, request: IncomingMessage) => void;

export class Web {
  readonly visits: Visit[] = [];
  readonly #hosts = new Map<string, { answer: HostAnswer; address: string }>();
  readonly #servers = new Map<string, Server>();

  add(host: string, answer: HostAnswer, address = "127.0.0.1"): void {
    this.#hosts.set(host, { answer, address });
  }

  async start(): Promise<void> {
    for (const address of new Set([...this.#hosts.values()].map((host) => host.address))) {
      const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) =>
        this.#answer(address, request, response),
      );
      server.keepAliveTimeout = 10_000;
      await new Promise<void>((resolve) => server.listen(0, address, resolve));
      this.#servers.set(address, server);
    }
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.values()) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  portOf(address: string): number {
    return (this.#servers.get(address)!.address() as AddressInfo).port;
  }

  /** As the crawler's options want it. */
  get mapping(): Map<string, { ip: string; port: number }> {
    return new Map(
      [...this.#hosts].map(([name, { address }]) => [name, { ip: address, port: this.portOf(address) }]),
    );
  }

  get hostsFile(): string {
    return [...this.mapping].map(([name, { ip, port }]) => `${ip}:${port} ${name}\n`).join("");
  }

  /** "http://host/path" of all requests, those for robots.txt left out. */
  get fetched(): string[] {
    return this.visits
      .filter(({ path }) => path !== "/robots.txt")
      .map(({ host, path }) => `http://${host}${path}`);
  }

  #answer(address: string, request: IncomingMessage, response: ServerResponse): void {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const path = request.url ?? "";
    const userAgent = request.headers["user-agent"] ?? "";
    const visit: Visit = {
      host,
      address,
      path,
      began: performance.now(),
      ended: Number.POSITIVE_INFINITY,
      userAgent,
    };
    this.visits.push(visit);
    // Before its last byte leaves: when it has left can only be told later, and the crawler may know it by then.
    const over = () => {
      visit.ended = Math.min(visit.ended, performance.now());
    };
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = ((...args: unknown[]) => {
      over();
      return end(...args);
    }) as typeof response.end;
    response.on("close", over);
    const known = this.#hosts.get(host);
    if (!known || known.address !== address) response.writeHead(421).end("this host is elsewhere");
    else known.answer(path, response, request);
  }
}

const prose =
  "The dugong grazes on sea grass in shallow water, and where it has grazed the meadow grows anew within some months. ";

/** A page with links and with some running text. */
export function html(links: readonly string[], { head = "", paragraphs = 3 } = {}): string {
  const list = links.map((href) => `<li><a href="${href.replaceAll("&", "&amp;")}">link</a></li>`).join("\n");
  return `<!DOCTYPE html><html><head><title>t</title>${head}</head><body><ul>${list}</ul>${`<p>${prose.repeat(3)}</p>\n`.repeat(paragraphs)}</body></html>`;
}

export function sendHtml(
  response: ServerResponse,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
}

/** A host of pages by path, with a robots.txt or without; what is not there is 404. */
export function site(pages: Record<string, readonly string[]>, robots?: string): HostAnswer {
  return (path, response) => {
    if (path === "/robots.txt" && robots !== undefined) {
      response.writeHead(200, { "content-type": "text/plain" }).end(robots);
    } else if (Object.hasOwn(pages, path)) sendHtml(response, html(pages[path]));
    else response.writeHead(404, { "content-type": "text/html" }).end("no such page");
  };
}

/** Requests to the same (host, address) are one after the other, and so far apart. Returns the shortest pause. */
export function shortestPause(visits: readonly Visit[], by: "host" | "address"): number {
  const groups = new Map<string, Visit[]>();
  for (const visit of visits) groups.set(visit[by], [...(groups.get(visit[by]) ?? []), visit]);
  let shortest = Number.POSITIVE_INFINITY;
  for (const group of groups.values()) {
    group.sort((a, b) => a.began - b.began);
    for (let i = 1; i < group.length; i++) shortest = Math.min(shortest, group[i].began - group[i - 1].ended);
  }
  return shortest;
}
