/** A query made ready to run on a snapshot. */
import type { Snapshot } from "../../storage/index.js";
import type { Query, Strategy } from "../cql/ast.js";
import { parse } from "../cql/parse.js";
import { print } from "../cql/print.js";
import { Ground } from "../match/ground.js";
import type { QuerySource } from "../match/query.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import type { Regions } from "../parallel/within.js";
import { Compiler } from "../plan/compile.js";
import { type Notice, QueryError } from "../plan/errors.js";
import { findStructure } from "../plan/names.js";

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
  const { query: tree, text } = readQuery(query);
  const options = { ...given, regions: given.regions ?? new Map() };
  const strategy = tree.strategy ?? options.strategy ?? "all";
  const ground = new Ground(snapshot, options.checkpoint);
  const compiler = new Compiler(ground, { ...options, text });
  const source = compiler.query(tree, strategy);
  source.prepare();
  const expandIndex =
    tree.expand && structureIndex(snapshot, findStructure(snapshot, tree.expand.structure, tree.expand.span));
  return {
    query: tree,
    text: text ?? print(tree),
    strategy,
    ground,
    source,
    expandIndex,
    notices: compiler.notices,
    options,
  };
}

/** The tree of a query, or an error with all that is wrong with its text. */
export function readQuery(query: string | Query): { query: Query; text?: string } {
  if (typeof query !== "string") return { query };
  const known = parsed.get(query);
  if (known) return { query: known, text: query };
  const { query: tree, diagnostics } = parse(query);
  if (tree) {
    if (parsed.size >= parsedMax) parsed.delete(parsed.keys().next().value as string);
    if (query.length <= parsedCharsMax) parsed.set(query, tree);
    return { query: tree, text: query };
  }
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  throw new QueryError(first.code, first.message, first.hint, first.span, diagnostics);
}

/** Trees of queries that were asked lately: people page through results, and programs repeat themselves. */
const parsed = new Map<string, Query>();
const parsedMax = 256;
const parsedCharsMax = 10_000;
