/**
 * One client: what it sends is read and passed on, what belongs to it is sent. Where the frames come from and go to is
 * the transport's affair: a socket, or this very process.
 */
import { type Codec, codecOf, type Frame } from "../client/protocol/codec.js";
import type {
  ClientMessage,
  ErrorBody,
  Goodbye,
  Request,
  RequestId,
  Subprotocol,
} from "../client/protocol/messages.js";
import { readClientMessage } from "../client/protocol/requests.js";
import type { User } from "./access/users.js";
import { limits } from "./limits.js";
import { problem } from "./problems.js";
import type { Asked } from "./requests.js";

export interface Transport {
  readonly subprotocol: Subprotocol;
  readonly remote: string;
  /** `sent` is called when the frame has left this process. */
  send(frame: Frame, sent: () => void): void;
  /** Sends what waits, and ends. */
  close(code: number, reason: string): void;
  /** Ends at once. */
  drop(): void;
  /** Reads nothing more, until `resume`. */
  pause(): void;
  resume(): void;
}

/** Whoever answers. */
export interface Desk {
  /** A request; `connection.requests` has the id already if a thread will answer it. */
  take(connection: Connection, request: Request): void;
  credit(asked: Asked, rows: number): void;
  seek(asked: Asked, row: number, credit: number): void;
  cancel(asked: Asked): void;
  gone(connection: Connection): void;
  /** It has taken enough of what waited for it. */
  resumed(connection: Connection): void;
  counted(what: "framesIn" | "framesOut" | "bytesIn" | "bytesOut" | "badFrames", by: number): void;
}

/** Codes of RFC 6455. */
export const closeCodes: Record<Goodbye["reason"], number> = {
  draining: 1001,
  idle: 1000,
  protocol: 1002,
  slow: 1008,
  unauthorised: 1008,
};

export class Connection {
  readonly subprotocol: Subprotocol;
  readonly #codec: Codec;
  /** What is under way, by the client's own numbers. */
  readonly requests = new Map<RequestId, Asked>();
  /** Ids of requests that are answered without a thread, and not yet. */
  readonly pending = new Set<RequestId>();
  /** How some of those are ended. */
  readonly stoppable = new Map<RequestId, () => void>();
  /** Requests that wait for a thread, and streams that wait for credit. */
  waiting = 0;
  standing = 0;
  readonly openedAt = Date.now();
  heardAt = Date.now();
  /** Bytes on their way out, and when some last left. */
  unsent = 0;
  sentAt = Date.now();
  #paused = false;
  #badFrames = 0;
  isClosed = false;

  constructor(
    readonly number: number,
    readonly transport: Transport,
    readonly desk: Desk,
    /** Undefined until a token has come, where one is needed. */
    public user: User | undefined,
  ) {
    this.subprotocol = transport.subprotocol;
    this.#codec = codecOf(this.subprotocol);
  }

  /** Does so much wait for it that nothing more is read from it, nor begun for it? */
  get isFull(): boolean {
    return this.#paused;
  }

  get isIdle(): boolean {
    return this.requests.size === 0 && this.pending.size === 0;
  }

  // ---- in

  /** `own`: made by this very program. */
  receive(frame: Frame | ArrayBuffer, own = false): void {
    if (this.isClosed) return;
    this.heardAt = Date.now();
    this.desk.counted("framesIn", 1);
    this.desk.counted("bytesIn", typeof frame === "string" ? frame.length : frame.byteLength);
    const decoded = own ? { message: this.#codec.decodeOwn(frame as Frame) } : this.#codec.decode(frame);
    const read = "problem" in decoded ? decoded : readClientMessage(decoded.message);
    if ("problem" in read) {
      this.#bad(read.problem, "id" in read ? (read.id as RequestId) : undefined);
      return;
    }
    this.#badFrames = 0;
    this.#take(read.message);
  }

  #bad(error: ErrorBody, id: RequestId | undefined): void {
    this.desk.counted("badFrames", 1);
    // An id that is in use is somebody else's: an error with it would end that.
    this.error(id !== undefined && this.isInUse(id) ? undefined : id, error);
    if (++this.#badFrames >= limits.badFramesMax)
      this.goodbye("protocol", `${this.#badFrames} messages in a row made no sense`);
  }

  isInUse(id: RequestId): boolean {
    return this.requests.has(id) || this.pending.has(id);
  }

  #take(message: ClientMessage): void {
    const { id, verb } = message;
    switch (verb) {
      case "credit":
      case "seek":
      case "cancel":
      case "close": {
        // What has ended meanwhile needs nothing more: the message and its end have passed each other.
        const asked = this.requests.get(id);
        if (verb === "cancel" || verb === "close") this.stoppable.get(id)?.();
        if (!asked) return;
        if (verb === "credit") this.desk.credit(asked, (message as { rows: number }).rows);
        else if (verb === "seek") {
          const { row, credit } = message as { row: number; credit?: number | null };
          this.desk.seek(asked, row, credit ?? 0);
        } else this.desk.cancel(asked);
        return;
      }
    }
    if (this.isInUse(id)) {
      this.error(
        undefined,
        problem("id_in_use", `a request with the id ${id} is under way on this connection`),
      );
      return;
    }
    this.desk.take(this, message as Request);
  }

  // ---- out

  send(message: object): void {
    this.sendFrame(this.#codec.encode(message));
  }

  sendFrame(frame: Frame, taken?: () => void): void {
    if (this.isClosed) return;
    const bytes = frame.length;
    if (this.unsent === 0) this.sentAt = Date.now();
    this.unsent += bytes;
    this.desk.counted("framesOut", 1);
    this.desk.counted("bytesOut", bytes);
    this.transport.send(frame, () => {
      this.unsent -= bytes;
      this.sentAt = Date.now();
      taken?.();
      if (this.#paused && this.unsent < limits.unsentBytesPaused / 2) {
        this.#paused = false;
        this.transport.resume();
        if (!this.isClosed) this.desk.resumed(this);
      }
    });
    if (this.unsent > limits.unsentBytesMax) this.drop();
    else if (!this.#paused && this.unsent > limits.unsentBytesPaused) {
      this.#paused = true;
      this.transport.pause();
    }
  }

  error(id: RequestId | undefined, error: ErrorBody): void {
    this.send({ type: "error", ...(id !== undefined && { id }), error });
  }

  /** Says why, and ends the connection. */
  goodbye(reason: Goodbye["reason"], message: string): void {
    if (this.isClosed) return;
    this.send({ type: "goodbye", reason, message } satisfies Goodbye);
    this.transport.close(closeCodes[reason], message.slice(0, 100));
    this.closed();
  }

  drop(): void {
    if (this.isClosed) return;
    this.transport.drop();
    this.closed();
  }

  /** Called when the other end has gone. */
  closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.desk.gone(this);
  }
}
