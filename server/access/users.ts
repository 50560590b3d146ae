/**
 * Who is at the other end, and what they may do.
 *
 *   local       runs the server itself (in-process): everything
 *   anonymous   brings no token: reads public corpora, if the server lets them
 *   a token     what its grants say; public corpora it may read in any case
 */
import type { Config } from "../config.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";
import { Spent } from "./budget.js";
import { type Level, reaches } from "./levels.js";
import type { TokenInfo, Tokens } from "./tokens.js";

export interface User {
  kind: "local" | "anonymous" | "token";
  name: string;
  /** By which budgets and queues are counted. */
  key: string;
  token?: TokenInfo;
  spent: Spent;
}

export class Users {
  readonly #spent = new Map<string, Spent>();
  readonly #looked = new Map<string, { at: number; token: TokenInfo | undefined }>();
  readonly #anonymousMayRead: boolean;

  constructor(
    readonly tokens: Tokens,
    readonly config: Config,
  ) {
    const { anonymous, host } = config;
    this.#anonymousMayRead = anonymous === "read" || (anonymous === "auto" && isLoopback(host));
  }

  /** Must everybody bring a token? */
  get tokenNeeded(): boolean {
    return !this.#anonymousMayRead;
  }

  local(): User {
    return { kind: "local", name: "local", key: "local", spent: this.#spentOf("local", {}) };
  }

  anonymous(): User {
    const spent = this.#spentOf("anonymous", this.config.anonymousBudget);
    return { kind: "anonymous", name: "anonymous", key: "anonymous", spent };
  }

  /** Throws if the token is not good. */
  byToken(text: string): User {
    const token = this.tokens.find(text);
    if (!token)
      throw refusal("unauthorised", "the token is not known here", "Ask whoever runs the server for one.");
    checkExpiry(token);
    const key = `token ${token.id}`;
    return { kind: "token", name: token.name, key, token, spent: this.#spentOf(key, token.budget) };
  }

  /** Throws if the user's token was revoked or has expired since. */
  check(user: User): void {
    if (user.kind !== "token") return;
    const { id } = user.token!;
    const now = Date.now();
    let looked = this.#looked.get(id);
    if (!looked || now - looked.at > limits.tokenCacheMs) {
      looked = { at: now, token: this.tokens.byId(id) };
      this.#looked.set(id, looked);
    }
    if (!looked.token) throw refusal("unauthorised", "the token was revoked");
    user.token = looked.token;
    user.spent.budget = looked.token.budget;
    checkExpiry(looked.token);
  }

  #spentOf(key: string, budget: Spent["budget"]): Spent {
    let spent = this.#spent.get(key);
    if (!spent) this.#spent.set(key, (spent = new Spent(budget)));
    return spent;
  }

  levelOf(user: User, corpus: string): Level {
    if (user.kind === "local") return "admin";
    const readable = this.tokens.isPublic(corpus) && (user.kind === "token" || this.#anonymousMayRead);
    const granted = Object.hasOwn(user.token?.grants ?? {}, corpus)
      ? user.token!.grants[corpus]
      : (user.token?.grants["*"] ?? (readable ? "read" : "none"));
    return granted;
  }

  /** The corpora that a user may not read: few, or the catalogue would say which they may. */
  deniedTo(user: User): string[] {
    if (user.kind === "local") return [];
    const named = Object.entries(user.token?.grants ?? {}).flatMap(([corpus, level]) =>
      level === "none" && corpus !== "*" ? [corpus] : [],
    );
    return [...new Set([...this.#private(), ...named])].filter(
      (corpus) => this.levelOf(user, corpus) === "none",
    );
  }

  #privateAt = 0;
  #privateNames: string[] = [];

  #private(): string[] {
    const now = Date.now();
    if (now - this.#privateAt > limits.tokenCacheMs) {
      this.#privateAt = now;
      this.#privateNames = this.tokens.privateCorpora();
    }
    return this.#privateNames;
  }

  /** Of the server as a whole. */
  isAdministrator(user: User): boolean {
    return user.kind === "local" || user.token?.grants["*"] === "admin";
  }

  /** Throws if the user may not do with the corpus what needs this level. */
  mustReach(user: User, corpus: string, needed: Level): void {
    const level = this.levelOf(user, corpus);
    if (reaches(level, needed)) return;
    // Whether there is such a corpus is nobody's business who may not read it.
    if (level === "none")
      throw refusal(
        "no_corpus",
        `there is no corpus ${corpus} that you may read`,
        user.kind === "anonymous" ? "Perhaps with a token." : "`corpora` lists those that you may.",
      );
    throw refusal("forbidden", `you may ${level} corpus ${corpus}; this needs ${needed}`);
  }
}

function checkExpiry({ expires }: TokenInfo): void {
  if (expires !== undefined && Date.parse(expires) <= Date.now())
    throw refusal(
      "token_expired",
      `the token has expired (${expires})`,
      "Ask whoever runs the server for a new one.",
    );
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
