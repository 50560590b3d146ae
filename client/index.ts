/** The client library: `import { connect } from "dugong"`, in Node and in browsers. */
export type * from "./asking.js";
export { Corpus } from "./corpus.js";
export { DugongClientError } from "./errors.js";
export type { Amount, ErrorBody, Notice, Span, Welcome } from "./protocol/messages.js";
export { type Page, Rows, type StreamOptions } from "./rows.js";
export type { Block, Known } from "./run.js";
export { type ConnectOptions, connect, type LocalAddress, Session } from "./session.js";
export type { Channel, Receiver, Transport } from "./transport.js";
