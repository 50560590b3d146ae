/** A query made ready to run on a snapshot. */
import type { Snapshot } from "../../storage/index.js";
import type { Query, Strategy } from "../cql/ast.js";
import { type Diagnostic, parse } from "../cql/parse.js";
import { print } from "../cql/print.js";
import { Ground } from "../match/ground.js";
import type { QuerySource } from "../match/query.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import type { Regions } from "../parallel/within.js";
import { Compiler } from "../plan/compile.js";
import { type Notice, QueryError } from "../plan/errors.js";
import { findStructure } from "../plan/names.js";
import { withOthers } from "../plan/refused.js";

export interface QueryOptions {
  /** Unless the query names one itself. */
  strategy?: Strategy;
  /** Lists of words that the query refers to as $name. */
  lists?: Record<string, string[]>;
  /** Rounds of an unbounded repeat that no `within` bounds. */
  gapMax?: number;
  /** How long a pattern with backreferences may take. */
  backreferenceMs?: number;
  /** What was found in aligned corpora: threads are given what the one that was asked has found. */
  regions?: Regions;
  /** Called now and then while the query runs; what it throws ends it. */
  checkpoint?: () => void;
}

export interface Prepared {
  query: Query;
  text: string;
  strategy: Strategy;
  ground: Ground;
  source: QuerySource;
  expandIndex?: StructureIndex;
  notices: Notice[];
  /** As they were given, and with what was found on the way. */
  options: QueryOptions;
}

export function prepare(snapshot: Snapshot, query: string | Query, given: QueryOptions = {}): Prepared {
  const { query: tree, text, notices } = readQuery(query);
  const options = { ...given, regions: given.regions ?? new Map() };
  const strategy = tree.strategy ?? options.strategy ?? "all";
  const ground = new Ground(snapshot, options.checkpoint);
  const compiler = new Compiler(ground, { ...options, text }, [...notices]);
  const ready = () => {
    const source = compiler.query(tree, strategy);
    source.prepare();
    const { expand } = tree;
    const expandIndex =
      expand && structureIndex(snapshot, findStructure(snapshot, expand.structure, expand.nameSpan));
    return { source, expandIndex };
  };
  return {
    query: tree,
    text: text ?? print(tree),
    strategy,
    ground,
    ...refusingAll(ready, (error) => withOthers(error, tree, snapshot, { ...options, text })),
    notices: compiler.notices,
    options,
  };
}

function refusingAll<Result>(run: () => Result, withOthers: (error: QueryError) => QueryError): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof QueryError ? withOthers(error) : error;
  }
}

/** A query that was read, and what its text is warned of. */
interface Read {
  query: Query;
  text?: string;
  notices: readonly Notice[];
}

/** The tree of a query, or an error with all that is wrong with its text. */
export function readQuery(query: string | Query): Read {
  if (typeof query !== "string") return { query, notices: [] };
  const known = parsed.get(query);
  if (known) return known;
  const { query: tree, diagnostics } = parse(query);
  if (tree) {
    const read = { query: tree, text: query, notices: diagnostics.map(noticeOf) };
    if (parsed.size >= parsedMax) parsed.delete(parsed.keys().next().value as string);
    if (query.length <= parsedCharsMax) parsed.set(query, read);
    return read;
  }
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  throw new QueryError(first.code, first.message, first.hint, first.span, diagnostics);
}

function noticeOf({ code, message, hint, span }: Diagnostic): Notice {
  return { code, message: hint ? `${message}. ${hint}` : message, span };
}

/** Queries that were asked lately: people page through results, and programs repeat themselves. */
const parsed = new Map<string, Read>();
const parsedMax = 256;
const parsedCharsMax = 10_000;
