/** How a thread is given orders, one at a time, and answers each. */
import { parentPort } from "node:worker_threads";
import { DugongError } from "../../storage/index.js";

export type Answer<Result> =
  | { result: Result }
  | { error: { code?: string; message: string; hint?: string } };

/** Whoever does what an order says. */
export interface Place<Order, Result> {
  work(order: Order): Result;
}

export function answerOrders<Order, Result>(place: Place<Order, Result>): void {
  parentPort?.on("message", (order: Order) => {
    const post = (answer: Answer<Result>) => parentPort?.postMessage(answer);
    try {
      post({ result: place.work(order) });
    } catch (error) {
      const { message } = error as Error;
      const { code, hint } = error instanceof DugongError ? error : { code: undefined, hint: undefined };
      post({ error: { code, message, hint } });
    }
  });
}
