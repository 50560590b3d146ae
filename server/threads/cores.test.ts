import { expect, it } from "vitest";
import { Cores } from "./cores.js";

it("gives back all that a thread had when it died, and nothing of the others", () => {
  const server = new Cores(5);
  const [first, second] = [0, 1].map((owner) => new Cores(5, server.shared, owner));
  server.busy = 3;
  expect(first.take()).toBe(2);
  first.give(1);
  expect(second.take()).toBe(1);
  expect(server.helping).toBe(2);
  server.giveAllOf(0);
  expect(server.helping).toBe(1);
  // Nothing is given twice.
  server.giveAllOf(0);
  expect(server.helping).toBe(1);
  second.give(1);
  expect(first.take()).toBe(2);
  server.giveAllOf(0);
  expect(server.helping).toBe(0);
});
