import { expect, it } from "vitest";
import { ByteFeed } from "./feed.js";

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++);
}

it("hands chunks on as they came", async () => {
  const feed = new ByteFeed(chunks(3, 0, 2));
  expect(await feed.take()).toEqual(Uint8Array.of(0, 1, 2));
  expect(await feed.take()).toEqual(Uint8Array.of(3, 4));
  expect(await feed.take()).toBeUndefined();
  expect(feed.ended).toBe(true);
});

it("waits for as many bytes as are asked for, across chunks", async () => {
  const feed = new ByteFeed(chunks(1, 1, 4));
  expect(await feed.has(3)).toBe(true);
  expect(feed.rest).toEqual(Buffer.from([0, 1, 2, 3, 4, 5]));
  feed.drop(5);
  expect(await feed.has(2)).toBe(false);
  expect(await feed.has(1)).toBe(true);
  expect([...(await feed.take())!]).toEqual([5]);
});

it("gives again what was put back", async () => {
  const feed = new ByteFeed(chunks(4));
  const taken = (await feed.take())!;
  feed.rest = taken.subarray(3);
  expect(await feed.take()).toEqual(Uint8Array.of(3));
});
