/**
 * The reception: takes requests in, sees that they may be asked, and gives them to whoever answers them. It knows all
 * connections, and sees to those that are idle, slow or gone.
 */
import { limits as protocolLimits } from "../client/protocol/limits.js";
import {
  type End,
  type ErrorBody,
  protocolVersion,
  type Request,
  type Welcome,
} from "../client/protocol/messages.js";
import { nearestName } from "../storage/derive/nearest.js";
import { Catalog, Pool } from "../storage/index.js";
import type { Level } from "./access/levels.js";
import { Tokens } from "./access/tokens.js";
import { type User, Users } from "./access/users.js";
import { Appends } from "./appends.js";
import type { Config } from "./config.js";
import { Connection, type Desk, type Transport } from "./connection.js";
import { Corpora, type OpenCorpus, parseCitation } from "./corpora.js";
import type { Counting, Looked } from "./counting.js";
import { type Failed, type LaneEvents, Lanes, type Threading } from "./lanes.js";
import { limits } from "./limits.js";
import type { Log } from "./log.js";
import { budgetSpent, isTold, killed, problem, problemOf, refusal, tokenExpired } from "./problems.js";
import { type Asked, summaryOf } from "./requests.js";
import { type Done, flagOf, type Said } from "./threads/messages.js";
import { catalogueVerbs } from "./verbs/catalogue.js";
import { deskVerbs } from "./verbs/table.js";
import { checkParameters } from "./verbs/verb.js";

/** What belongs to the place where a server runs: behind a socket, or in another program. */
export interface Surroundings {
  log: Log;
  counting(looked: Looked): Counting;
  threading: Threading;
  /** Make the data directory if there is none? */
  create: boolean;
  /** What is told of the server. */
  version: string;
}

export class Reception implements Desk {
  readonly catalog: Catalog;
  readonly users: Users;
  readonly corpora: Corpora;
  readonly lanes: Lanes;
  readonly metrics: Counting;
  readonly log: Log;
  readonly version: string;
  readonly appends: Appends;
  readonly connections = new Set<Connection>();
  readonly startedAt = Date.now();
  #lastConnection = 0;
  #lastRequest = 0;
  #requests = 0;
  #draining: { graceMs: number } | undefined;
  #emptied: (() => void) | undefined;

  constructor(
    readonly data: string,
    readonly config: Config,
    { log, counting, threading, create, version }: Surroundings,
  ) {
    this.log = log;
    this.version = version;
    this.catalog = Catalog.open(data, { create });
    this.appends = new Appends(data, config);
    this.users = new Users(new Tokens(this.catalog), config);
    this.lanes = new Lanes(config, data, Pool.create(config.poolBytes), this.#laneEvents(), threading);
    this.corpora = new Corpora(this.catalog, (citation) => this.lanes.close(citation));
    this.metrics = counting({
      connections: () => this.connections.size,
      waiting: () => this.lanes.waiting,
      active: (lane) => this.lanes.active(lane),
      standing: () => [...this.lanes.asked].filter(({ state }) => state === "standing").length,
      helping: () => this.lanes.helping,
      corpora: () => this.corpora.size,
    });
  }

  // ---- connections

  refusal(): ErrorBody | undefined {
    if (this.#draining) return problem("draining", "the server is going down");
    if (this.connections.size >= this.config.connectionsMax)
      return problem("too_many_connections", "too many clients are connected (limit connectionsMax)");
    return undefined;
  }

  authenticate(token: string): User {
    return this.users.byToken(token);
  }

  open(transport: Transport, user: User | undefined): Connection {
    const known = user ?? (this.users.tokenNeeded ? undefined : this.users.anonymous());
    const connection = new Connection(++this.#lastConnection, transport, this, known);
    this.connections.add(connection);
    this.log.debug(
      { connection: connection.number, remote: transport.remote, user: known?.name },
      "connected",
    );
    connection.send(this.#welcome(known));
    return connection;
  }

  #welcome(user: User | undefined): Welcome {
    const verbs = ["hello", ...Object.keys(catalogueVerbs), ...Object.keys(deskVerbs)];
    const { config } = this;
    return {
      type: "welcome",
      protocol: protocolVersion,
      server: `dugong ${this.version}`,
      features: verbs.map((verb) => `verb:${verb}`),
      limits: {
        frameBytesMax: Math.min(config.frameBytesMax, protocolLimits.frameBytesMax),
        creditDefault: config.creditDefault,
        timeoutMs: config.timeoutMs,
        rowsMax: config.rowsMax,
        memoryBytesMax: config.memoryBytesMax,
        queuePerConnectionMax: config.queuePerConnectionMax,
        streamsPerConnectionMax: config.streamsPerConnectionMax,
        idleMs: config.idleMs,
        standingMs: config.standingMs,
        appendBytesMax: config.appendBytesMax,
      },
      ...(user && { user: user.name }),
    };
  }

  gone(connection: Connection): void {
    this.connections.delete(connection);
    for (const asked of [...connection.requests.values()]) this.lanes.stop(asked, flagOf.dropped);
    this.log.debug({ connection: connection.number }, "disconnected");
    this.#maybeEmpty();
  }

  resumed(): void {
    this.lanes.goOn();
  }

  counted(what: "framesIn" | "framesOut" | "bytesIn" | "bytesOut" | "badFrames", by: number): void {
    this.metrics.traffic.inc({ what }, by);
  }

  /** Looks after connections, queues and corpora. Called once a second or so. */
  sweep(): void {
    const now = Date.now();
    const { idleMs, slowMs, handshakeMs } = this.config;
    for (const connection of [...this.connections]) {
      if (connection.unsent > 0 && now - connection.sentAt > slowMs) this.#part(connection, "slow");
      else if (!connection.user && now - connection.openedAt > handshakeMs) {
        this.metrics.ended.inc({ reason: "unauthorised" });
        connection.goodbye("unauthorised", "no token was given in time");
      } else if (connection.isIdle && now - connection.heardAt > idleMs) {
        this.metrics.ended.inc({ reason: "idle" });
        connection.goodbye("idle", "nothing was asked for a long time");
      }
    }
    this.lanes.sweep();
    this.#endExpired();
    this.corpora.sweep(now);
  }

  /** What somebody asked whose token is not good any more. */
  #endExpired(): void {
    for (const asked of [...this.lanes.asked]) {
      try {
        this.users.check(asked.user);
      } catch {
        this.lanes.stop(asked, flagOf.expired);
      }
    }
  }

  /** Without a farewell: who takes nothing would not take that either. */
  #part(connection: Connection, reason: string): void {
    this.metrics.ended.inc({ reason });
    this.log.warn({ connection: connection.number, unsent: connection.unsent, reason }, "connection dropped");
    connection.drop();
  }

  // ---- requests

  take(connection: Connection, request: Request): void {
    this.#requests++;
    try {
      this.#ask(connection, request);
    } catch (error) {
      this.#refuse(connection, request, error);
    }
  }

  #refuse(connection: Connection, { id, verb }: Request, error: unknown): void {
    const body = problemOf(error);
    if (!isTold(error)) this.log.error({ verb, err: error }, "a request failed that should not");
    this.metrics.requests.inc({ verb: isVerb(verb) ? verb : "unknown", outcome: body.code });
    connection.error(id, body);
  }

  #ask(connection: Connection, request: Request): void {
    const { id, verb } = request;
    if (this.#draining) throw refusal("draining", "the server is going down", "Ask again in a minute.");
    if (verb === "hello") {
      this.#hello(connection, request);
      return;
    }
    if (!isVerb(verb)) {
      const near = nearestName(verb, ["hello", ...Object.keys(catalogueVerbs), ...Object.keys(deskVerbs)]);
      throw refusal(
        "unknown_verb",
        `there is no verb ${JSON.stringify(verb.slice(0, 100))}`,
        near ? `Did you mean ${near}?` : "The welcome names all there are.",
      );
    }
    const { user } = connection;
    if (!user) {
      if (verb !== "ping")
        throw refusal(
          "unauthorised",
          "this server needs a token",
          "Give it with the verb hello, or as a header.",
        );
      connection.send({ type: "result", id, value: {} });
      return;
    }
    this.users.check(user);
    if (Object.hasOwn(catalogueVerbs, verb)) this.#askCatalogue(connection, user, request);
    else this.#askDesk(connection, user, request);
  }

  #hello(connection: Connection, { id, token }: Request): void {
    if (token !== undefined && token !== null) {
      if (typeof token !== "string") throw refusal("bad_parameter", "a token is a string");
      connection.user = this.users.byToken(token);
    }
    const { user } = connection;
    if (!user) throw refusal("unauthorised", "this server needs a token");
    connection.send({
      type: "result",
      id,
      value: {
        user: user.name,
        kind: user.kind,
        ...(user.token && {
          grants: user.token.grants,
          budget: user.token.budget,
          expires: user.token.expires,
        }),
      },
    });
  }

  #askCatalogue(connection: Connection, user: User, request: Request): void {
    const { id, verb } = request;
    const definition = catalogueVerbs[verb];
    const parameters = checkParameters(verb, definition, request);
    const corpus = this.#corpusOf(user, request, definition);
    const began = performance.now();
    const ended = (outcome: string) => {
      this.metrics.requests.inc({ verb, outcome });
      this.metrics.seconds.observe({ verb }, (performance.now() - began) / 1000);
    };
    const answered = (value: unknown) => {
      ended("result");
      connection.send({ type: "result", id, value });
    };
    const answer = definition.answer({ reception: this, connection, user, request, parameters, corpus });
    if (!(answer instanceof Promise)) {
      answered(answer);
      return;
    }
    connection.pending.add(id);
    void answer
      .finally(() => connection.pending.delete(id))
      .then(answered, (error) => this.#refuse(connection, request, error))
      .finally(() => this.#maybeEmpty());
  }

  /** The corpus that is asked, if the user may. */
  #corpusOf(
    user: User,
    { corpus }: Request,
    { corpus: needed, access }: { corpus: "needed" | "optional" | "none"; access: Level },
  ): { name: string; snapshot?: number } {
    if (needed === "optional" && !corpus) return { name: "" };
    if (needed === "none") {
      if (access !== "none" && !this.users.isAdministrator(user))
        throw refusal("forbidden", "only an administrator of the server may do that");
      return { name: "" };
    }
    if (!corpus)
      throw refusal("bad_parameter", "the request needs a corpus", "`corpora` lists those there are.");
    const named = parseCitation(corpus);
    // What is no name at all is refused before it is looked up anywhere.
    this.catalog.corpusFolder(named.name);
    this.users.mustReach(user, named.name, access);
    return named;
  }

  #askDesk(connection: Connection, user: User, request: Request): void {
    const { id, verb: name, credit, hold, counting, timeoutMs } = request;
    const verb = deskVerbs[name];
    const parameters = checkParameters(name, verb, request);
    const named = this.#corpusOf(user, request, verb);
    user.spent.check();
    const entered: OpenCorpus[] = [];
    try {
      const corpus = this.corpora.enter(named);
      entered.push(corpus);
      const others = new Map<string, OpenCorpus>();
      for (const other of verb.others?.(parameters) ?? []) {
        const also = parseCitation(other);
        this.users.mustReach(user, also.name, "read");
        const opened = this.corpora.enter(also);
        entered.push(opened);
        others.set(other, opened);
      }
      const asked: Asked = {
        number: this.nextNumber(),
        connection,
        user,
        id,
        name,
        verb,
        parameters,
        corpus,
        others,
        denied: this.users.deniedTo(user),
        hold: hold === true,
        counting: counting === true,
        timeoutMs: Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, this.config.timeoutMs),
        began: performance.now(),
        state: "waiting",
        lane: "quick",
        slot: -1,
        stoodAt: 0,
        credit: verb.kind === "stream" ? (credit ?? this.config.creditDefault) : 0,
        seeks: 0,
        seekRow: 0,
        rows: 0,
        cpuMs: 0,
      };
      connection.requests.set(id, asked);
      user.spent.streams++;
      try {
        this.lanes.submit(asked);
      } catch (error) {
        connection.requests.delete(id);
        user.spent.streams--;
        throw error;
      }
    } catch (error) {
      for (const corpus of entered) this.corpora.leave(corpus);
      throw error;
    }
  }

  /** By which a request is known in the whole server. */
  nextNumber(): number {
    return ++this.#lastRequest;
  }

  credit(asked: Asked, rows: number): void {
    this.lanes.credit(asked, rows);
  }

  seek(asked: Asked, row: number, credit: number): void {
    this.lanes.seek(asked, row, credit);
  }

  cancel(asked: Asked): void {
    this.lanes.stop(asked, flagOf.cancelled);
  }

  // ---- answers

  #laneEvents(): LaneEvents {
    return {
      said: (asked, { frames = [] }: Said, taken) => {
        const last = frames.length - 1;
        frames.forEach((frame, i) => {
          asked.connection.sendFrame(frame, i === last ? taken : undefined);
        });
      },
      ended: (asked, done) => this.#ended(asked, done),
      failed: (asked, why) => this.#failed(asked, why),
      threadFailed: (lane, error) => {
        this.metrics.threadsFailed.inc();
        this.log.error({ lane, err: error }, "a thread has ended on its own");
      },
    };
  }

  #ended(asked: Asked, { reason, rows, cpuMs, error, stack, plan }: Done): void {
    const { name } = asked;
    this.#leave(asked);
    const elapsedMs = Math.round(performance.now() - asked.began);
    this.metrics.requests.inc({ verb: name, outcome: error?.code ?? reason });
    this.metrics.seconds.observe({ verb: name }, elapsedMs / 1000);
    this.metrics.cpuSeconds.inc({ verb: name }, cpuMs / 1000);
    this.metrics.rows.inc(rows);
    const isSlow = cpuMs >= this.config.slowQueryMs;
    if (!isSlow && !stack && !this.log.isLevelEnabled("debug")) return;
    const entry = {
      connection: asked.connection.number,
      user: asked.user.name,
      verb: name,
      corpus: asked.corpus.citation,
      asked: summaryOf(asked),
      reason,
      rows,
      cpuMs,
      elapsedMs,
      ...(error && { code: error.code }),
      ...(stack && { stack }),
      ...(plan && { plan }),
    };
    if (stack) this.log.error(entry, "a request failed that should not");
    else if (isSlow) this.log.warn(entry, "slow query");
    else this.log.debug(entry, "answered");
  }

  /** Ends in the main thread's own words. */
  #failed(asked: Asked, why: Failed): void {
    const { connection, id, verb, corpus } = asked;
    this.#leave(asked);
    this.metrics.requests.inc({ verb: asked.name, outcome: why });
    const elapsedMs = Math.round(performance.now() - asked.began);
    const end = {
      type: "end",
      id,
      corpus: corpus.citation,
      statistics: { rows: asked.rows, elapsedMs, cpuMs: asked.before?.cpuMs ?? 0 },
    };
    const error: ErrorBody =
      why === "too_many_streams"
        ? problem(
            why,
            "too many streams of this connection wait for credit (limit streamsPerConnectionMax)",
            "Close some, or give them credit.",
          )
        : why === "thread_ended"
          ? problem(why, "the thread that answered this has ended", "Ask again.")
          : why === "timeout"
            ? problem(why, "the request waited too long (limit timeoutMs)")
            : why === "token_expired"
              ? tokenExpired
              : why === "budget_spent"
                ? budgetSpent
                : problem("cancelled", why === "killed" ? killed.message : "the request was cancelled");
    const isStream = verb.kind === "stream";
    if (isStream && (why === "cancelled" || why === "killed" || why === "timeout" || why === "budget_spent"))
      connection.send({
        ...end,
        reason: why === "timeout" ? why : why === "budget_spent" ? "limit" : "cancelled",
        ...(why === "killed" && { notices: [killed] }),
        ...(why === "timeout" && { limits: { timeoutMs: asked.timeoutMs } }),
        ...(why === "budget_spent" && { limits: asked.user.spent.hit }),
      } as End);
    else if (isStream && asked.rows > 0) connection.send({ ...end, reason: "error", error } as End);
    else connection.error(id, error);
  }

  #leave(asked: Asked): void {
    const { connection, corpus, others, user } = asked;
    if (connection.requests.get(asked.id) === asked) connection.requests.delete(asked.id);
    user.spent.streams--;
    connection.heardAt = Date.now();
    this.corpora.leave(corpus);
    for (const other of others.values()) this.corpora.leave(other);
    this.#maybeEmpty();
  }

  // ---- the end

  health(): { status: "ok" | "draining"; [detail: string]: unknown } {
    return {
      status: this.#draining ? "draining" : "ok",
      version: this.version,
      connections: this.connections.size,
      requests: this.lanes.asked.size,
    };
  }

  statistics(): object {
    const { rss, heapUsed } = process.memoryUsage();
    return {
      version: this.version,
      startedAt: new Date(this.startedAt).toISOString(),
      connections: this.connections.size,
      requests: {
        total: this.#requests,
        waiting: this.lanes.waiting,
        quick: this.lanes.active("quick"),
        heavy: this.lanes.active("heavy"),
        helping: this.lanes.helping,
      },
      corporaOpen: this.corpora.size,
      memory: { rssBytes: rss, heapBytes: heapUsed, poolBytes: this.config.poolBytes },
    };
  }

  #maybeEmpty(): void {
    if (this.#emptied && this.isEmpty) this.#emptied();
  }

  get isEmpty(): boolean {
    const { lanes, appends, connections } = this;
    return lanes.asked.size === 0 && appends.size === 0 && [...connections].every(({ isIdle }) => isIdle);
  }

  /** Takes no more requests, tells everybody, and waits for what runs; what is not done in time is cancelled. */
  async drain(graceMs: number): Promise<void> {
    this.#draining ??= { graceMs };
    for (const connection of this.connections)
      connection.send({ type: "goodbye", reason: "draining", message: "the server is going down", graceMs });
    if (!this.isEmpty) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        this.#emptied = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (!this.isEmpty) {
      await new Promise<void>((resolve) => {
        // Nobody computes for longer than this without looking at its flag.
        const timer = setTimeout(resolve, limits.stoppingMs);
        this.#emptied = () => {
          clearTimeout(timer);
          resolve();
        };
        for (const asked of [...this.lanes.asked]) this.lanes.stop(asked, flagOf.cancelled);
        this.appends.stopAll();
        this.#maybeEmpty();
      });
    }
    this.#emptied = undefined;
  }

  /** Sends what waits, and ends all connections. */
  farewell(): void {
    for (const { transport } of this.connections) transport.close(1001, "the server is going down");
  }

  async close(): Promise<void> {
    this.appends.stopAll();
    for (const connection of [...this.connections]) connection.drop();
    await this.lanes.end();
    this.corpora.closeAll();
    await this.catalog.close();
  }
}

function isVerb(verb: string): boolean {
  return Object.hasOwn(catalogueVerbs, verb) || Object.hasOwn(deskVerbs, verb);
}
