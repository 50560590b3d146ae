/**
 * Verbs about the catalogue and the server itself. They look things up and compute nothing, so the main thread answers
 * them; what takes long is done elsewhere and waited for.
 */
import type { Progress, Request } from "../../client/protocol/messages.js";
import { alignmentsOf, describeCorpus } from "../../storage/index.js";
import type { Level } from "../access/levels.js";
import type { User } from "../access/users.js";
import type { AppendAsked } from "../append-child.js";
import type { UnderWay } from "../appends.js";
import type { Connection } from "../connection.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";
import type { Reception } from "../reception.js";
import { summaryOf } from "../requests.js";
import { flagOf } from "../threads/messages.js";
import { flag, natural, oneOf, type Parameters, type Test, text, texts } from "./verb.js";

export interface CatalogueAsking {
  reception: Reception;
  connection: Connection;
  user: User;
  request: Request;
  parameters: Parameters;
  /** "brown", "brown@3": where the verb has a corpus, and after it was checked that it may be asked. */
  corpus: { name: string; snapshot?: number };
}

export interface CatalogueVerb {
  access: Level;
  corpus: "needed" | "optional" | "none";
  parameters: Record<string, Test>;
  answer(asking: CatalogueAsking): unknown;
}

export const catalogueVerbs: Record<string, CatalogueVerb> = {
  /** Nothing: says that somebody is there. Cost: O(1). */
  ping: { access: "none", corpus: "none", parameters: {}, answer: () => ({}) },
  /** The corpora that one may read. Cost: O(corpora). */
  corpora: { access: "none", corpus: "none", parameters: {}, answer: corpora },
  /** What a corpus consists of. Cost: O(segments). */
  describe: {
    access: "read",
    corpus: "needed",
    parameters: {},
    answer: ({ reception, corpus }) => reception.corpora.describe(corpus),
  },
  /** The attributes of tokens and of structures, by name. Cost: O(segments). */
  attributes: { access: "read", corpus: "needed", parameters: {}, answer: attributes },
  /** The snapshots that can be asked, the oldest first. Cost: O(snapshots). */
  snapshots: { access: "read", corpus: "needed", parameters: {}, answer: snapshots },
  /** Which corpora are aligned, with this one or at all, of those that one may read. Cost: O(alignments). */
  alignments: { access: "read", corpus: "optional", parameters: {}, answer: alignments },
  /** Adds text: a new snapshot. Cost: O(text), and now and then of joining small segments. */
  append: {
    access: "write",
    corpus: "needed",
    parameters: {
      text,
      file: text,
      attributes: texts,
      format: oneOf("vertical", "conllu"),
      entities: flag,
      strict: flag,
      encoding: text,
      skipComments: texts,
      again: flag,
    },
    answer: append,
  },
  /** What is running: one's own, or with `admin` on the server everybody's. Cost: O(requests). */
  running: { access: "none", corpus: "none", parameters: {}, answer: running },
  /** Ends a request by the number that `running` gives. Cost: O(requests). */
  kill: { access: "none", corpus: "none", parameters: { "request!": natural }, answer: kill },
  /** What the server has done since it was started. Cost: O(1). */
  statistics: {
    access: "admin",
    corpus: "none",
    parameters: {},
    answer: ({ reception }) => reception.statistics(),
  },
};

function corpora({ reception, user }: CatalogueAsking): object {
  const { catalog, users } = reception;
  const names = catalog.corpora().filter((name) => users.levelOf(user, name) !== "none");
  return {
    corpora: names.map((name) => {
      const info = describeCorpus(catalog.manifestOfAnyFormat(name));
      const { snapshot, tokens, documents, created, bytes, language, information } = info;
      const title = information.NAME ?? information.INFO;
      return {
        name,
        snapshot,
        tokens,
        ...(documents !== undefined && { documents }),
        created,
        bytes,
        ...(language !== undefined && { language }),
        ...(title !== undefined && { title }),
        access: users.levelOf(user, name),
      };
    }),
  };
}

function attributes({ reception, corpus }: CatalogueAsking): object {
  const info = reception.corpora.describe(corpus);
  const { defaultAttribute, document } = info;
  return { attributes: info.attributes, structures: info.structures, defaultAttribute, document };
}

function snapshots({ reception, corpus }: CatalogueAsking): object {
  const current = reception.catalog.current(corpus.name);
  return {
    current,
    snapshots: reception.catalog.snapshots(corpus.name).map(({ snapshot, tokens, segments, created }) => ({
      snapshot,
      tokens,
      segments: segments.length,
      created,
    })),
  };
}

function alignments({ reception, user, corpus }: CatalogueAsking): object {
  if (corpus.name) reception.catalog.manifestOfAnyFormat(corpus.name);
  const records = alignmentsOf(reception.catalog, corpus.name || undefined);
  const readable = records.filter(({ first, second }) =>
    [first, second].every((name) => reception.users.levelOf(user, name) !== "none"),
  );
  return {
    alignments: readable.map(({ first, second, kind, beads, created, bytes, sides }) => ({
      corpora: [first, second],
      structures: sides.map(({ structure }) => structure),
      attributes: sides.map(({ attribute = null }) => attribute),
      snapshots: sides.map(({ snapshot }) => snapshot),
      kind,
      beads,
      created,
      bytes,
    })),
  };
}

async function append({
  reception,
  connection,
  user,
  request,
  parameters,
  corpus,
}: CatalogueAsking): Promise<object> {
  const { text: given, file, ...options } = parameters as AppendAsked & { text?: string; file?: string };
  if ((given === undefined) === (file === undefined))
    throw refusal("bad_parameter", "append needs a text, or a file in the server's inbox", "One of them.");
  if (corpus.snapshot !== undefined)
    throw refusal("bad_parameter", "text is appended to a corpus, not to one of its snapshots");
  const { appends, data, config } = reception;
  appends.checkRoom();
  const path = given !== undefined ? appends.keepText(given) : appends.inboxFile(file!);
  const asked = { ...options, data, corpus: corpus.name, inputs: [path], workers: config.threads };
  const number = reception.nextNumber();
  const began = performance.now();
  let told = 0;
  const { done, stop } = appends.start(asked, (thousandths, of) => {
    own.progress = { done: thousandths, of };
    const now = performance.now();
    if (now - told < limits.progressMs) return;
    connection.send({
      type: "progress",
      id: request.id,
      done: thousandths,
      ...(told === 0 && { of }),
    } satisfies Progress);
    told = now;
  });
  const own: UnderWay = { user, connection: connection.number, corpus: corpus.name, began, stop };
  appends.underWay.set(number, own);
  connection.stoppable.set(request.id, () => stop("cancelled"));
  try {
    return await done;
  } finally {
    appends.underWay.delete(number);
    connection.stoppable.delete(request.id);
    if (given !== undefined) appends.forgetText(path);
  }
}

function running({ reception, user }: CatalogueAsking): object {
  const all = reception.users.isAdministrator(user);
  const now = performance.now();
  const requests = [...reception.lanes.asked]
    .filter((asked) => all || asked.user.key === user.key)
    .map((asked) => ({
      request: asked.number,
      verb: asked.name,
      corpus: asked.corpus.citation,
      asked: summaryOf(asked),
      user: asked.user.name,
      connection: asked.connection.number,
      state: asked.state,
      lane: asked.lane,
      elapsedMs: Math.round(now - asked.began),
      rows: asked.rows,
      ...asked.progress,
    }));
  const appends = [...reception.appends.underWay]
    .filter(([, own]) => all || own.user.key === user.key)
    .map(([number, own]) => ({
      request: number,
      verb: "append",
      corpus: own.corpus,
      asked: "",
      user: own.user.name,
      connection: own.connection,
      state: "going",
      lane: "append",
      elapsedMs: Math.round(now - own.began),
      rows: 0,
      ...own.progress,
    }));
  return { requests: [...requests, ...appends] };
}

function kill({ reception, user, parameters }: CatalogueAsking): object {
  const number = parameters.request as number;
  const asked = [...reception.lanes.asked].find((one) => one.number === number);
  const append = reception.appends.underWay.get(number);
  const owner = (asked ?? append)?.user;
  const may = owner && (reception.users.isAdministrator(user) || owner.key === user.key);
  if (!may) throw refusal("no_request", `no request ${number} is running`, "`running` lists those that are.");
  if (asked) reception.lanes.stop(asked, flagOf.killed);
  append?.stop("killed");
  return { request: number };
}
