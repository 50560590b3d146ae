/**
 * Messages as frames of a WebSocket, and back.
 *
 *   dugong.v1.json      a text frame: one JSON object
 *   dugong.v1.msgpack   a binary frame: one MessagePack map
 *
 * Of MessagePack only what JSON has is used: nil, booleans, numbers, strings, arrays, and maps whose keys are strings;
 * no extensions, no binary. Whole numbers are exact up to 2^53, however they are written. A frame of the other side is
 * looked at before anything is made of it (`checkMsgpack`): it may have been written by anybody.
 *
 * Decoding never throws: it gives a message, or says what is wrong.
 */
import { Packr } from "msgpackr";
import { limits } from "./limits.js";
import type { ErrorBody, Subprotocol } from "./messages.js";

export type Frame = string | Uint8Array;

/** A message, or why there is none. */
export type Decoded = { message: Record<string, unknown> } | { problem: ErrorBody };

export interface Codec {
  readonly subprotocol: Subprotocol;
  encode(message: object): Frame;
  decode(frame: Frame | ArrayBuffer): Decoded;
  /** The same of a frame that this program has encoded itself: it is not looked at before, and may be of any size. */
  decodeOwn(frame: Frame): Record<string, unknown>;
}

const packr = new Packr({
  useRecords: false,
  mapsAsObjects: true,
  int64AsType: "number",
  encodeUndefinedAsNil: true,
  // A map is as long as it has to be: the same bytes for the same message.
  variableMapSize: true,
});

const codecs: Record<Subprotocol, Codec> = {
  "dugong.v1.json": {
    subprotocol: "dugong.v1.json",
    encode: (message) => JSON.stringify(plain(message)),
    decode: (frame) => decodeJson(frame),
    decodeOwn: (frame) => JSON.parse(frame as string),
  },
  "dugong.v1.msgpack": {
    subprotocol: "dugong.v1.msgpack",
    encode: (message) => packr.pack(plain(message)),
    decode: (frame) => decodeMsgpack(frame),
    decodeOwn: (frame) => packr.unpack(frame as Uint8Array),
  },
};

export function codecOf(subprotocol: Subprotocol): Codec {
  return codecs[subprotocol];
}

/**
 * The same in both: what is undefined is left out (null in lists), numbers that are none are null, typed arrays are lists.
 * Copies only what has to change.
 */
function plain(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  if (ArrayBuffer.isView(value)) return plainList(Array.from(value as unknown as ArrayLike<number>));
  if (Array.isArray(value)) return plainList(value);
  let copy: Record<string, unknown> | undefined;
  for (const [key, own] of Object.entries(value)) {
    const kept = plain(own);
    if (kept === own && own !== undefined) continue;
    copy ??= { ...value };
    if (kept === undefined) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}

function plainList(list: unknown[]): unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const kept = plain(list[i]) ?? null;
    if (kept === list[i]) continue;
    copy ??= [...list];
    copy[i] = kept;
  }
  return copy ?? list;
}

function decodeJson(frame: Frame | ArrayBuffer): Decoded {
  if (typeof frame !== "string")
    return bad("this connection speaks JSON: frames are text, this one was binary");
  if (frame.length > limits.frameBytesMax) return tooLarge(frame.length);
  try {
    return messageOf(JSON.parse(frame));
  } catch (error) {
    return bad(`the frame is not JSON: ${(error as Error).message.slice(0, limits.quotedCharsMax)}`);
  }
}

function decodeMsgpack(frame: Frame | ArrayBuffer): Decoded {
  if (typeof frame === "string")
    return bad("this connection speaks MessagePack: frames are binary, this one was text");
  const bytes = frame instanceof Uint8Array ? frame : new Uint8Array(frame);
  if (bytes.length > limits.frameBytesMax) return tooLarge(bytes.length);
  const problem = checkMsgpack(bytes);
  if (problem) return bad(`the frame is not plain MessagePack: ${problem}`);
  try {
    return messageOf(packr.unpack(bytes));
  } catch (error) {
    return bad(`the frame is not MessagePack: ${(error as Error).message.slice(0, limits.quotedCharsMax)}`);
  }
}

function messageOf(value: unknown): Decoded {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return bad("a message is an object (a map), this is not");
  if (!isShallow(value))
    return bad(`the message has more than ${limits.nestingMax} things inside each other (limit nestingMax)`);
  return { message: value as Record<string, unknown> };
}

/** Are there no more than so many things inside each other? What is done with messages may use recursion. */
function isShallow(value: object): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.nestingMax) return false;
    const next: unknown[] = [];
    for (const outer of level) {
      for (const inner of Array.isArray(outer) ? outer : Object.values(outer as object))
        if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    level = next;
  }
  return true;
}

function bad(message: string): Decoded {
  return { problem: { code: "bad_frame", message, retryable: false } };
}

function tooLarge(size: number): Decoded {
  return {
    problem: {
      code: "frame_too_large",
      message: `the frame has ${size} bytes, more than ${limits.frameBytesMax} (limit frameBytesMax)`,
      retryable: false,
    },
  };
}

// ---- MessagePack, looked at

/**
 * What is wrong with these bytes, if anything: they have to be one value, whole, of the kinds that JSON has, no deeper
 * than allowed. Lengths are compared with what is there before anything is made that long.
 */
export function checkMsgpack(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Values still to come at each level; of a map, keys and values in turn. */
  const left: number[] = [1];
  const isMap: boolean[] = [false];
  let at = 0;
  while (left.length > 0) {
    const level = left.length - 1;
    if (left[level] === 0) {
      left.pop();
      isMap.pop();
      continue;
    }
    if (at >= bytes.length) return "it ends too soon";
    const first = bytes[at];
    if (isMap[level] && left[level] % 2 === 0 && !isString(first)) return "a key is not a string";
    left[level]--;
    const head = headOf(first, view, at);
    if (head === undefined) return `it has a value of another kind (byte 0x${first.toString(16)} at ${at})`;
    if (head === "short") return "it ends too soon";
    at += head.bytes;
    if (at > bytes.length) return "it ends too soon";
    if (head.items === 0) continue;
    if (head.items > bytes.length - at) return "it ends too soon";
    if (left.length > limits.nestingMax) return `it is nested too deeply (limit nestingMax)`;
    left.push(head.items);
    isMap.push(head.map);
  }
  return at === bytes.length ? undefined : "something follows behind the message";
}

function isString(first: number): boolean {
  return (first & 0xe0) === 0xa0 || (first >= 0xd9 && first <= 0xdb);
}

interface Head {
  /** Of the value itself, without those that it holds. */
  bytes: number;
  items: number;
  map: boolean;
}

const single = (bytes: number): Head => ({ bytes, items: 0, map: false });
const list = (bytes: number, items: number): Head => ({ bytes, items, map: false });
const map = (bytes: number, pairs: number): Head => ({ bytes, items: 2 * pairs, map: true });

function headOf(first: number, view: DataView, at: number): Head | "short" | undefined {
  if (first < 0x80 || first >= 0xe0) return single(1);
  if (first < 0x90) return map(1, first & 0x0f);
  if (first < 0xa0) return list(1, first & 0x0f);
  if (first < 0xc0) return single(1 + (first & 0x1f));
  const fixed = fixedBytes[first];
  if (fixed !== undefined) return single(fixed);
  const lengthBytes = lengthBytesOf[first];
  if (lengthBytes === undefined) return undefined;
  if (at + 1 + lengthBytes > view.byteLength) return "short";
  const length =
    lengthBytes === 1
      ? view.getUint8(at + 1)
      : lengthBytes === 2
        ? view.getUint16(at + 1)
        : view.getUint32(at + 1);
  if (first <= 0xdb) return single(1 + lengthBytes + length);
  return first <= 0xdd ? list(1 + lengthBytes, length) : map(1 + lengthBytes, length);
}

/** nil, false, true, floats, whole numbers: how many bytes they have. */
const fixedBytes: Record<number, number> = {
  192: 1,
  194: 1,
  195: 1,
  202: 5,
  203: 9,
  204: 2,
  205: 3,
  206: 5,
  207: 9,
  208: 2,
  209: 3,
  210: 5,
  211: 9,
};

/** Strings, arrays and maps with a length: how many bytes that has. */
const lengthBytesOf: Record<number, number> = {
  217: 1,
  218: 2,
  219: 4,
  220: 2,
  221: 4,
  222: 2,
  223: 4,
};
