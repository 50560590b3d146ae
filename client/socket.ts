/** A WebSocket as transport: the one that browsers (and Node from 22 on) have, else that of the package `ws`. */
import { disconnected, problem } from "./errors.js";
import { codecOf } from "./protocol/codec.js";
import { type ServerMessage, type Subprotocol, subprotocols } from "./protocol/messages.js";
import type { Channel, Receiver, Transport } from "./transport.js";

/** What both kinds of socket have. */
type Socket = Pick<WebSocket, "protocol" | "readyState" | "send" | "close" | "addEventListener"> & {
  binaryType: string;
};
type SocketClass = new (address: string, protocols: string[]) => Socket;

const OPEN = 1;

export class SocketTransport implements Transport {
  constructor(
    readonly address: string,
    readonly offered: readonly Subprotocol[] = subprotocols,
  ) {
    let protocol = "";
    try {
      ({ protocol } = new URL(address));
    } catch {}
    if (protocol !== "ws:" && protocol !== "wss:") {
      throw problem(
        "bad_address",
        `${JSON.stringify(address)} is not the address of a server`,
        'It begins with ws:// or wss://, for instance "ws://localhost:7717". A folder is opened with connect({ data }).',
      );
    }
  }

  async open(receiver: Receiver, signal: AbortSignal): Promise<Channel> {
    const SocketOf = await socketClass();
    signal.throwIfAborted();
    const socket = new SocketOf(this.address, [...this.offered]);
    socket.binaryType = "arraybuffer";
    return new Promise((resolve, reject) => {
      let isOpen = false;
      let lastError = "";
      const abort = () => {
        reject(signal.reason);
        socket.close();
      };
      signal.addEventListener("abort", abort);
      socket.addEventListener("error", (event) => {
        lastError = (event as { message?: string }).message ?? "";
      });
      socket.addEventListener("open", () => {
        isOpen = true;
        signal.removeEventListener("abort", abort);
        const { encode } = codecOf(socket.protocol as Subprotocol);
        resolve({
          send: (message, bytesMax) => {
            const frame = encode(message);
            // Characters of JSON may be several bytes: three at most.
            const isFitting =
              frame.length <= bytesMax &&
              (typeof frame !== "string" || frame.length * 3 <= bytesMax || bytesOf(frame) <= bytesMax);
            if (isFitting && socket.readyState === OPEN) socket.send(frame as Uint8Array<ArrayBuffer>);
            return isFitting;
          },
          close: () => socket.close(1000),
        });
      });
      socket.addEventListener("message", ({ data }) => {
        const decoded = codecOf(socket.protocol as Subprotocol).decode(data);
        if ("message" in decoded) receiver.receive(decoded.message as unknown as ServerMessage);
        else {
          lastError = decoded.problem.message;
          socket.close(1002);
        }
      });
      socket.addEventListener("close", ({ reason }) => {
        signal.removeEventListener("abort", abort);
        const why = reason || lastError;
        if (isOpen) receiver.closed(why);
        else reject(unreachable(this.address, why));
      });
    });
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function unreachable(address: string, why: string): Error {
  return disconnected(
    `cannot connect to ${address}${why ? `: ${why}` : ""}`,
    "Is a server running there? `dugong serve` starts one.",
  );
}

async function socketClass(): Promise<SocketClass> {
  if (typeof WebSocket === "function") return WebSocket as unknown as SocketClass;
  const { WebSocket: NodeSocket } = await import("ws");
  return NodeSocket as unknown as SocketClass;
}
