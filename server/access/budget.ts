/** What somebody has used of their budget: requests that are open now, rows and computing time of the current hour. */
import type { Budget } from "../config.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";

export class Spent {
  #window = 0;
  #rows = 0;
  #cpuMs = 0;
  streams = 0;

  constructor(public budget: Budget) {}

  #turn(): void {
    const window = Math.floor(Date.now() / limits.budgetWindowMs);
    if (window === this.#window) return;
    this.#window = window;
    this.#rows = 0;
    this.#cpuMs = 0;
  }

  add(rows: number, cpuMs: number): void {
    this.#turn();
    this.#rows += rows;
    this.#cpuMs += cpuMs;
  }

  /** What is left of the hour's rows. */
  get rowsLeft(): number {
    this.#turn();
    return Math.max(0, (this.budget.rowsPerHour ?? Number.POSITIVE_INFINITY) - this.#rows);
  }

  get cpuMsLeft(): number {
    this.#turn();
    return Math.max(0, (this.budget.cpuMsPerHour ?? Number.POSITIVE_INFINITY) - this.#cpuMs);
  }

  /** What is used up, with what there was. */
  get hit(): Record<string, number> {
    const { rowsPerHour = 0, cpuMsPerHour = 0 } = this.budget;
    return {
      ...(this.rowsLeft <= 0 && { rowsPerHour }),
      ...(this.cpuMsLeft <= 0 && { cpuMsPerHour }),
    };
  }

  /** Throws if one more request is too many. */
  check(): void {
    const { streams = Number.POSITIVE_INFINITY } = this.budget;
    if (this.streams >= streams)
      throw refusal(
        "budget_spent",
        `you have ${this.streams} requests open, as many as you may (budget streams)`,
        "Wait until one has ended.",
      );
    const spent = this.rowsLeft <= 0 ? "rowsPerHour" : this.cpuMsLeft <= 0 ? "cpuMsPerHour" : undefined;
    if (spent === undefined) return;
    const ms = limits.budgetWindowMs - (Date.now() % limits.budgetWindowMs);
    throw refusal(
      "budget_spent",
      `what you may use in an hour is used up (budget ${spent})`,
      `It begins anew in ${Math.ceil(ms / 60_000)} minutes.`,
    );
  }
}
