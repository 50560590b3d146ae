/** A thread of the server: works on the jobs that it is told of, turn by turn, and says what comes out. */
import { parentPort, workerData } from "node:worker_threads";
import { parse } from "../../ql/index.js";
import { compilePattern } from "../../ql/regex/index.js";
import { Pool } from "../../storage/index.js";
import { useKernels } from "../../storage/kernels/index.js";
import { limits } from "../limits.js";
import type { Said, ThreadStart, Told } from "./messages.js";
import { Workplace } from "./workplace.js";

const port = parentPort!;
const start = workerData as ThreadStart;
useKernels(start.kernels);
// The grammar is made when the first query is read, which takes a while: not while somebody waits. So are the tables of
// letters' cases, which few need.
parse("[]");
setTimeout(() => {
  if (!turnstile.current) compilePattern("a", { ignoreCase: true });
}, limits.idleMs).unref();

/** What was said and not yet posted: small answers go together. */
let outbox: Said[] = [];
let outboxBytes = 0;
let outboxSince = 0;
const outboxMs = 1;
const outboxBytesMax = 64 * 1024;
/** Larger frames are moved, smaller ones copied. */
const movedBytes = 16 * 1024;

function say(said: Said): void {
  if (outbox.length === 0) outboxSince = performance.now();
  outbox.push(said);
  for (const { length } of said.frames ?? []) outboxBytes += length;
  const isFull = outboxBytes > outboxBytesMax || performance.now() - outboxSince > outboxMs;
  if (isFull || !turnstile.isCrowded) flush();
}

function flush(): void {
  if (outbox.length === 0) return;
  const moved: ArrayBuffer[] = [];
  for (const said of outbox) {
    said.frames = said.frames?.map((frame) => {
      // Encoders hand out parts of larger buffers: those must stay here.
      const own = new Uint8Array(frame);
      if (own.length >= movedBytes) moved.push(own.buffer as ArrayBuffer);
      return own;
    });
  }
  port.postMessage(outbox, moved);
  outbox = [];
  outboxBytes = 0;
}

/** While others compute, for longer than a small answer may wait for company. */
function flushLate(): void {
  if (outbox.length > 0 && performance.now() - outboxSince > outboxMs) flush();
}

const workplace = new Workplace(start, Pool.attach(start.pool), say, flush, flushLate);
const { turnstile } = workplace;

port.on("message", (told: Told) => workplace.receive(told));
