/**
 * Where messages go and come from. A socket and a server in this process are the same to all who use them.
 *
 * Law: `open` resolves to a channel, or rejects. On an open channel `receive` is called for each message in order, then
 * `closed` exactly once; after that nothing is called, and `send` does nothing.
 */
import type { ClientMessage, ServerMessage } from "./protocol/messages.js";

export interface Transport {
  /** For people: "ws://localhost:7717", or a folder. */
  readonly address: string;
  open(receiver: Receiver, signal: AbortSignal): Promise<Channel>;
  /** Nothing more will be opened. */
  close?(): Promise<void>;
}

export interface Receiver {
  receive(message: ServerMessage): void;
  /** Why, if that is known. */
  closed(why: string): void;
}

export interface Channel {
  /** False, and nothing was sent, if the message has more bytes than may be sent. */
  send(message: ClientMessage, bytesMax: number): boolean;
  close(): void;
}
