/** The server: started, and stopped. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { configOf, type StartOptions } from "./config.js";
import type { Looked } from "./counting.js";
import { createHttp } from "./http.js";
import { limits } from "./limits.js";
import { Metrics } from "./metrics.js";
import { Reception } from "./reception.js";
import { Sockets } from "./socket.js";

export interface RunningServer {
  /** ws://host:port */
  address: string;
  port: number;
  reception: Reception;
  /** Lets what runs go on for a while (the setting graceMs, unless another is given), then ends. */
  close(graceMs?: number): Promise<void>;
}

export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { data, version = "" } = options;
  const config = configOf(options.config ?? {});
  const log = pino(
    { level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
  let metrics: Metrics | undefined;
  const counting = (looked: Looked) => (metrics = new Metrics(looked));
  const reception = new Reception(data, config, { log, counting, threading: "ready", create: true, version });
  let http: Server;
  let sockets: Sockets;
  try {
    http = createHttp(config, {
      health: () => reception.health(),
      metrics: metrics!.registry,
      index: () => [
        `This is a corpus server (dugong ${options.version ?? ""}).`,
        "It is asked through a WebSocket at this address: dugong shell ws://…, or any client of its protocol.",
        "/healthz says whether it is well, /metrics what it has counted.",
      ],
    });
    sockets = new Sockets(http, config, reception);
    await new Promise<void>((resolve, reject) => {
      http.once("error", reject);
      http.listen(config.port, config.host, () => {
        http.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    await reception.close();
    throw error;
  }
  http.on("error", (error) => log.error({ err: error }, "the listening socket failed"));
  const sweeping = setInterval(() => reception.sweep(), limits.sweepMs);
  const pinging = setInterval(() => sockets.ping(), config.pingMs);
  const { port } = http.address() as AddressInfo;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const address = `${config.tls ? "wss" : "ws"}://${host}:${port}`;
  log.info({ address, data: options.data, threads: config.threads }, "listening");
  let closing: Promise<void> | undefined;
  const close = async (graceMs: number) => {
    clearInterval(pinging);
    log.info({ graceMs, requests: reception.lanes.asked.size }, "stopping");
    await reception.drain(graceMs);
    clearInterval(sweeping);
    http.close();
    reception.farewell();
    await sockets.emptied(limits.farewellMs);
    await reception.close();
    sockets.close();
    http.closeAllConnections();
    log.info("stopped");
  };
  return {
    address,
    port,
    reception,
    close: (graceMs = config.graceMs) => (closing ??= close(graceMs)),
  };
}
