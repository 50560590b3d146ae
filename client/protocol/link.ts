/** A connection as a client holds it: frames out and in. A WebSocket is one; so is a server in the same process. */
import type { Frame } from "./codec.js";
import type { Subprotocol } from "./messages.js";

export interface Link {
  readonly subprotocol: Subprotocol;
  /** Set before the first frame can come: in the same turn in which the link was made. */
  onFrame: (frame: Frame) => void;
  /** Called once, whoever ends it. Codes are those of WebSockets. */
  onClose: (code: number, reason: string) => void;
  send(frame: Frame): void;
  close(): void;
}
