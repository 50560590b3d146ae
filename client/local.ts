/** A server in this process as transport: for programs that have their corpora with them. Loads the server when it is opened. */
import type { LocalOptions, LocalServer } from "../server/index.js";
import { codecOf } from "./protocol/codec.js";
import type { ServerMessage } from "./protocol/messages.js";
import type { Channel, Receiver, Transport } from "./transport.js";

export class LocalTransport implements Transport {
  readonly address: string;
  #server: LocalServer | undefined;

  constructor(readonly options: LocalOptions) {
    this.address = options.data;
  }

  async open(receiver: Receiver, signal: AbortSignal): Promise<Channel> {
    // Not all of the server: what it has for sockets is not needed here, and takes long to load.
    const { startLocally } = await import("../server/local.js");
    signal.throwIfAborted();
    this.#server ??= startLocally(this.options);
    const link = this.#server.connect();
    const { encode, decodeOwn } = codecOf(link.subprotocol);
    link.onFrame = (frame) => receiver.receive(decodeOwn(frame) as unknown as ServerMessage);
    link.onClose = (_, reason) => receiver.closed(reason);
    const send: Channel["send"] = (message) => {
      link.send(encode(message));
      return true;
    };
    return { send, close: () => link.close() };
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
