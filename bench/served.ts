/** A server process on loopback, and as little of a client as can be: what is measured is the server. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import WebSocket from "ws";
import { codecOf } from "../client/protocol/codec.js";

const main = fileURLToPath(new URL("../client/cli/main.js", import.meta.url));
const { encode, decode } = codecOf("dugong.v1.msgpack");

export interface Server {
  child: ChildProcess;
  address: string;
  stop(): Promise<void>;
}

export async function startProcess(data: string): Promise<Server> {
  const child = spawn(process.execPath, [main, "serve", "--data", data, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).once("line", resolve);
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await exit;
  };
  return { child, address: (JSON.parse(line) as { address: string }).address, stop };
}

/** Resident bytes of the server. */
export function memoryOf({ child }: Server): number {
  return Number(readFileSync(`/proc/${child.pid}/statm`, "latin1").split(" ")[1]) * 4096;
}

export type Message = {
  type: string;
  id?: number;
  count?: number;
  columns?: Record<string, unknown[]>;
  [field: string]: unknown;
};

export class Client {
  readonly #ends = new Map<number, (last: Message) => void>();
  #next = 1;
  onRows: (rows: Message) => void = () => {};

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (bytes: Buffer) => {
      const decoded = decode(bytes);
      if ("problem" in decoded) throw new Error(decoded.problem.message);
      const message = decoded.message as Message;
      if (message.type === "rows") this.onRows(message);
      if (!["result", "end", "error"].includes(message.type)) return;
      this.#ends.get(message.id!)?.(message);
      this.#ends.delete(message.id!);
    });
  }

  static async connect({ address }: Server): Promise<Client> {
    const socket = new WebSocket(address, ["dugong.v1.msgpack"], { perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Client(socket);
  }

  send(message: object): void {
    this.socket.send(encode(message));
  }

  open(request: object): { id: number; last: Promise<Message> } {
    const id = this.#next++;
    const last = new Promise<Message>((resolve) => this.#ends.set(id, resolve));
    this.send({ id, ...request });
    return { id, last };
  }

  async ask(request: object): Promise<Message> {
    const last = await this.open(request).last;
    if (last.type === "error" || last.reason === "error") throw new Error(JSON.stringify(last));
    return last;
  }

  close(): void {
    this.socket.terminate();
  }
}
