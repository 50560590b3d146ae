/**
 * What statistics remember at a desk, so that the next question need not count again: columns of numbers by name. The
 * least lately used are forgotten when there are more bytes than allowed.
 */
import type { Desk } from "../desk.js";
import { limits } from "./limits.js";

interface Remembered {
  value: unknown;
  bytes: number;
}

class Memory {
  readonly #entries = new Map<string, Remembered>();
  #bytes = 0;

  get(name: string): Remembered | undefined {
    const entry = this.#entries.get(name);
    if (entry) {
      this.#entries.delete(name);
      this.#entries.set(name, entry);
    }
    return entry;
  }

  keep(name: string, entry: Remembered): void {
    // Somebody else may have made it meanwhile.
    if (entry.bytes > limits.rememberedBytesMax || this.#entries.has(name)) return;
    this.#entries.set(name, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= limits.rememberedBytesMax) break;
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

const memories = new WeakMap<Desk, Memory>();

/** What was made under that name before, or is made now. The name says all that the value depends on. */
export async function remembered<Value>(
  desk: Desk,
  name: string,
  make: () => Value | Promise<Value>,
  bytesOf: (value: Value) => number,
): Promise<Value> {
  let memory = memories.get(desk);
  if (!memory) {
    memory = new Memory();
    memories.set(desk, memory);
  }
  const known = memory.get(name);
  if (known) return known.value as Value;
  const value = await make();
  memory.keep(name, { value, bytes: bytesOf(value) });
  return value;
}

/** Forgets everything: for those who want to know what counting takes. */
export function forgetCounts(desk: Desk): void {
  memories.delete(desk);
}
