/** What the server says to those who speak HTTP: whether it is well, what it has counted, and where to go. */

import { readFileSync } from "node:fs";
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createSecure } from "node:https";
import type { Registry } from "prom-client";
import type { Config } from "./config.js";
import { refusal } from "./problems.js";

export interface Pages {
  health(): { status: "ok" | "draining"; [detail: string]: unknown };
  metrics: Registry;
  /** Lines of the index page, as plain text. */
  index(): string[];
}

export function createHttp(config: Config, pages: Pages): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    void respond(pages, request, response).catch(() => response.destroy());
  };
  const { handshakeMs } = config;
  // Node looks for those who are late every half minute, unless it is told to look more often.
  const options = { connectionsCheckingInterval: Math.max(50, Math.min(1000, handshakeMs / 2)) };
  const server = config.tls
    ? secured(config.tls, handshakeMs, options, answer)
    : createPlain(options, answer);
  server.headersTimeout = handshakeMs;
  server.requestTimeout = handshakeMs;
  server.keepAliveTimeout = handshakeMs;
  server.maxHeadersCount = 100;
  return server;
}

function secured(
  { certificate, key }: NonNullable<Config["tls"]>,
  handshakeTimeout: number,
  options: ServerOptions,
  answer: RequestListener,
): Server {
  try {
    const files = { cert: readFileSync(certificate), key: readFileSync(key) };
    return createSecure({ ...options, ...files, handshakeTimeout }, answer);
  } catch (error) {
    throw refusal(
      "bad_config",
      `cannot use the certificate ${certificate} with the key ${key}: ${(error as Error).message}`,
      "The setting `tls` names two files of PEM that belong together: the certificate, and its private key.",
    );
  }
}

async function respond(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method } = request;
  const path = (request.url ?? "/").split("?")[0];
  request.resume();
  if (method !== "GET" && method !== "HEAD") {
    send(response, 405, "text/plain; charset=utf-8", "this server is asked through its WebSocket\n", {
      allow: "GET, HEAD",
    });
    return;
  }
  switch (path) {
    case "/healthz": {
      const health = pages.health();
      const status = health.status === "ok" ? 200 : 503;
      send(response, status, "application/json", `${JSON.stringify(health)}\n`);
      return;
    }
    case "/metrics":
      send(response, 200, pages.metrics.contentType, await pages.metrics.metrics());
      return;
    case "/":
      send(response, 200, "text/html; charset=utf-8", page(pages.index()));
      return;
    default:
      send(response, 404, "text/plain; charset=utf-8", "there is no such page; / says what there is\n");
  }
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    ...headers,
  });
  response.end(body);
}

function page(lines: string[]): string {
  const escaped = lines.map((line) =>
    line.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character]!),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dugong</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
<h1>Dugong</h1>
${escaped.map((line) => `<p>${line}</p>`).join("\n")}
</html>
`;
}
