/** What is counted, in the form that Prometheus reads. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Counting, Looked } from "./counting.js";

export class Metrics implements Counting {
  readonly registry = new Registry();
  readonly requests: Counter<"verb" | "outcome">;
  readonly seconds: Histogram<"verb">;
  readonly cpuSeconds: Counter<"verb">;
  readonly rows: Counter;
  readonly traffic: Counter<"what">;
  readonly ended: Counter<"reason">;
  readonly threadsFailed: Counter;

  constructor(looked: Looked) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Counter({
      name: "dugong_requests_total",
      help: "Requests that have ended, by verb and how",
      labelNames: ["verb", "outcome"],
      registers,
    });
    this.seconds = new Histogram({
      name: "dugong_request_seconds",
      help: "From a request's arrival to its end",
      labelNames: ["verb"],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers,
    });
    this.cpuSeconds = new Counter({
      name: "dugong_request_cpu_seconds_total",
      help: "Time that requests have computed",
      labelNames: ["verb"],
      registers,
    });
    this.rows = new Counter({ name: "dugong_rows_total", help: "Rows sent", registers });
    this.traffic = new Counter({
      name: "dugong_traffic_total",
      help: "Frames and bytes, in and out",
      labelNames: ["what"],
      registers,
    });
    this.ended = new Counter({
      name: "dugong_connections_ended_total",
      help: "Connections that the server has ended, by why",
      labelNames: ["reason"],
      registers,
    });
    this.threadsFailed = new Counter({
      name: "dugong_threads_failed_total",
      help: "Threads that have ended on their own",
      registers,
    });
    const gauges: [name: string, help: string, value: () => number][] = [
      ["dugong_connections", "Connections that are open", looked.connections],
      ["dugong_requests_waiting", "Requests that wait for a thread", looked.waiting],
      ["dugong_requests_quick", "Requests that compute in the quick lane", () => looked.active("quick")],
      ["dugong_requests_heavy", "Requests that compute in the heavy lane", () => looked.active("heavy")],
      ["dugong_streams_standing", "Streams that wait for credit or for their reader", looked.standing],
      ["dugong_threads_helping", "Threads that help with queries", looked.helping],
      ["dugong_corpora_open", "Snapshots that are open", looked.corpora],
    ];
    for (const [name, help, value] of gauges) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    }
  }
}
