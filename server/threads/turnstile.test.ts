/** Turns in a thread: one at a time, connections in turn, and nobody is left standing in the way. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Passer, Turnstile } from "./turnstile.js";

function passerOf(connection: number): Passer {
  return { connection, began() {}, paused() {} };
}

describe("a turnstile", () => {
  it("lets one pass at a time, those of other connections first", async () => {
    const turnstile = new Turnstile(0);
    const order: string[] = [];
    const work = async (name: string, connection: number) => {
      const passer = passerOf(connection);
      await turnstile.enter(passer);
      for (let i = 0; i < 2; i++) {
        expect(turnstile.current).toBe(passer);
        order.push(name);
        await turnstile.turn(passer);
      }
      turnstile.end(passer);
    };
    await Promise.all([work("a", 1), work("b", 1), work("c", 2)]);
    expect(order).toHaveLength(6);
    expect(order.indexOf("c")).toBeLessThan(order.lastIndexOf("b"));
    expect(turnstile.current).toBeUndefined();
    expect(turnstile.isCrowded).toBe(false);
  });

  it("is free when one has ended of whom something still waits", async () => {
    let idle = 0;
    const turnstile = new Turnstile(0, () => idle++);
    const first = passerOf(1);
    const second = passerOf(1);
    await turnstile.enter(first);
    // Two things that it does at once: one waits for its turn, the other fails meanwhile, and the passer is done.
    const waiting = turnstile.turn(first);
    turnstile.end(first);
    await waiting;
    await setImmediate();
    expect(turnstile.current).toBeUndefined();
    expect(turnstile.isCrowded).toBe(false);
    expect(idle).toBe(1);
    await turnstile.enter(second);
    expect(turnstile.current).toBe(second);
    turnstile.end(second);
  });
});
