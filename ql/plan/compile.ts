/** From a syntax tree to something that runs on a snapshot: names are resolved, conditions become tests, ways are chosen. */

import type { Snapshot } from "../../storage/index.js";
import type {
  Boundary,
  Edge,
  Expression,
  Filter,
  Query,
  Scope,
  Strategy,
  StructureRange,
  Where,
} from "../cql/ast.js";
import { labelsOf } from "../cql/labels.js";
import { print } from "../cql/print.js";
import { RangeCeiling, StructureCeiling } from "../match/ceilings.js";
import { ChosenSource } from "../match/chosen.js";
import { type EdgeSide, EdgeSource } from "../match/edges.js";
import type { Ground } from "../match/ground.js";
import { JumpSource, type Shortcut } from "../match/jumps.js";
import { MeetSource } from "../match/meet.js";
import { PatternSource } from "../match/pattern.js";
import { QuerySource, type RunFilter } from "../match/query.js";
import {
  ComplementSource,
  KnownSource,
  runsOfStructures,
  StructureSource,
  UnionSource,
} from "../match/ranges.js";
import type { Source } from "../match/source.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import { TabSource } from "../match/tab.js";
import { alignedSource, type Regions } from "../parallel/within.js";
import { nearestCondition } from "../sketch/nearest.js";
import { ConditionCompiler } from "./conditions.js";
import type { Notice } from "./errors.js";
import { PartWriter } from "./join.js";
import { type Keep, keepAll, keepOf } from "./keep.js";
import { limits } from "./limits.js";
import { findAttribute, findStructure, splitName } from "./names.js";
import { hasCut, hasJump, hasTag, hasZero, type Pattern } from "./pattern.js";
import { pushConditions, shown } from "./push.js";
import {
  isZeroWidth,
  oneRepeat,
  onlyTokens,
  outerPair,
  pairedTags,
  withoutPairs,
  withRelation,
} from "./rewrite.js";
import { Atoms, conjunction, negation } from "./tests.js";
import { testOfValue, type ValueOptions } from "./values.js";
import { WhereCompiler } from "./where.js";

export interface CompileOptions extends ValueOptions {
  /** Rounds of an unbounded repeat that no `within` bounds. */
  gapMax?: number;
  /** What was found in aligned corpora. */
  regions?: Regions;
}

/** What is the same for all expressions of one query. */
interface Manner {
  /** A `within` says how far matches reach: in structures, or in tokens (`tokensMax`). */
  bounded: boolean;
  tokensMax: number;
  /** An end tag ends the structure that a start tag began. */
  paired: boolean;
  gapMax: number;
}

export class Compiler {
  constructor(
    readonly ground: Ground,
    readonly options: CompileOptions,
    readonly notices: Notice[] = [],
  ) {}

  get snapshot(): Snapshot {
    return this.ground.snapshot;
  }

  query(asked: Query, strategy: Strategy): QuerySource {
    const query = this.#pushed(asked);
    const within = query.filters.filter((filter) => filter.kind === "within" && !filter.negated);
    const bounded = within.some(({ scope }) => scope.kind !== "tokens");
    const tokensMax = Math.min(
      ...within.map(({ scope }) => (scope.kind === "tokens" ? scope.count : Number.POSITIVE_INFINITY)),
    );
    // What CQP's limit of 501 tokens to a match leaves between two tokens; else Manatee's limit.
    const gapMax = this.options.gapMax ?? (strategy === "all" ? limits.gapMax : limits.gapMaxOfStrategies);
    const manner: Manner = { bounded, tokensMax, paired: strategy !== "all", gapMax };
    const expression = this.#ranges(query.expression, manner);
    const filters = query.filters.map((filter) => this.#filter(filter, gapMax));
    const where = query.where && new WhereCompiler(this.ground, this.options).compile(query.where);
    return new QuerySource(this.ground, expression, filters, where);
  }

  /** With conditions across labels where they are cheapest. What compares attributes of structures stays as it is. */
  #pushed(query: Query): Query {
    const pushed = pushConditions(query);
    return pushed === query || this.#isOfTokens(query.where!) ? pushed : query;
  }

  #isOfTokens(where: Where): boolean {
    switch (where.kind) {
      case "and":
      case "or":
        return where.items.every((item) => this.#isOfTokens(item));
      case "compare":
        return [where.left, where.right].every(
          (operand) =>
            !("attribute" in operand) ||
            operand.attribute === "" ||
            this.snapshot.attributes.some(({ name }) => name === operand.attribute),
        );
      default:
        return true;
    }
  }

  /** An expression as a set of ranges: one of boundaries alone stands for the token that follows. */
  #ranges(expression: Expression, manner: Manner): Source {
    const whole: Expression = isZeroWidth(expression)
      ? { kind: "sequence", items: [expression, { kind: "token" }] }
      : expression;
    return this.#source(whole, manner);
  }

  /** The same where it stands for itself, inside another: filters of the query around it do not bound it. */
  #part(expression: Expression, gapMax: number): Source {
    return this.#ranges(expression, {
      bounded: false,
      tokensMax: Number.POSITIVE_INFINITY,
      paired: false,
      gapMax,
    });
  }

  #source(e: Expression, manner: Manner): Source {
    switch (e.kind) {
      case "structure": {
        const { index, keep } = this.#tag(e);
        return new StructureSource(this.ground, index, keep);
      }
      case "filtered":
        return this.#filtered(e.query, manner.gapMax);
      case "union":
        return new UnionSource(
          this.ground,
          e.items.map((item) => this.#part(item, manner.gapMax)),
        );
      case "complement":
        return new ComplementSource(this.ground, this.#part(e.item, manner.gapMax));
      case "meet": {
        const near =
          "structure" in e.window
            ? {
                index: structureIndex(
                  this.snapshot,
                  findStructure(this.snapshot, e.window.structure, e.span),
                ),
              }
            : e.window;
        return new MeetSource(
          this.ground,
          this.#part(e.item, manner.gapMax),
          this.#part(e.other, manner.gapMax),
          near,
          e.negated,
        );
      }
      case "tab": {
        const gaps = e.gaps.map(({ min, max }) => ({
          min,
          max: max ?? roundsMax(min, manner),
        }));
        if (e.gaps.some(({ max }) => max === null) && isCut(manner)) this.#noteCut(manner.gapMax);
        return new TabSource(
          this.ground,
          e.items.map((item) => this.#source(item, manner)),
          gaps,
        );
      }
      case "edge":
        return this.#edge(e, manner.gapMax);
      case "similar":
        return this.#pattern(e, manner);
      default:
        return this.#pattern(e, manner);
    }
  }

  #filtered(query: Query, gapMax: number): Source {
    const strategy = query.strategy ?? "all";
    const options = { ...this.options, gapMax: this.options.gapMax ?? gapMax };
    const source = new Compiler(this.ground, options, this.notices).query(query, strategy);
    if (strategy === "all" && !query.expand && query.cut === undefined) return source;
    return new ChosenSource(
      this.ground,
      source,
      query,
      strategy,
      query.expand && this.#expandIndex(query.expand),
    );
  }

  #expandIndex(expand: NonNullable<Query["expand"]>): StructureIndex {
    return structureIndex(this.snapshot, findStructure(this.snapshot, expand.structure, expand.span));
  }

  // ---- patterns

  #pattern(expression: Expression, manner: Manner): Source {
    const atoms = new Atoms();
    const conditions = new ConditionCompiler(this.snapshot, atoms, this.options, this.notices);
    const paired = manner.paired ? pairedTags(expression) : new Set<string>();
    let pattern = this.#write(expression, manner, conditions, paired);
    if (hasZero(pattern))
      pattern = onlyTokens(pattern, negation(atoms.add({ kind: "end", text: "behind the last token" })));
    const labels = [...labelsOf(expression)];
    const text = print({ kind: "query", expression: shown(expression), filters: [] });
    if (hasJump(pattern)) {
      const cut = () => (hasCut(pattern) ? this.#noteCut(manner.gapMax) : undefined);
      const shortcut = { ...this.#shortcut(expression, pattern, atoms, manner), onWalk: cut };
      // Who follows jumps, or joins rounds, does not see what a limit leaves out.
      if (!shortcut.part || hasJump(withoutPairs(pattern))) cut();
      return new JumpSource(this.ground, pattern, atoms.list, labels, text, shortcut);
    }
    return new PatternSource(this.ground, pattern, atoms.list, labels, manner.bounded, text, () =>
      this.#noteCut(manner.gapMax),
    );
  }

  /** How the matches of a pattern with jumps are found without walking. */
  #shortcut(expression: Expression, pattern: Pattern, atoms: Atoms, manner: Manner): Shortcut {
    let relaxed = withoutPairs(pattern);
    const tagged = hasTag(pattern);
    if (tagged && !hasZero(pattern))
      relaxed = onlyTokens(relaxed, negation(atoms.add({ kind: "end", text: "behind the last token" })));
    const pair = outerPair(pattern);
    const writer = new PartWriter(this.ground, atoms.list, manner.bounded || pair !== undefined, () =>
      this.#noteCut(manner.gapMax),
    );
    const part = writer.write(expression, relaxed);
    if (!part || !tagged) return { part };
    if (!pair) return { part, startsOnly: true };
    return { part, pair: { index: pair.start.index, keeps: [pair.start.keep, pair.end.keep] } };
  }

  #noteCut(gapMax: number): void {
    if (this.notices.some(({ code }) => code === "gap_limit")) return;
    this.notices.push({
      code: "gap_limit",
      message: `a repeat without a maximum ends after ${gapMax} rounds (limit gapMax): add a within to let it reach further`,
    });
  }

  #write(e: Expression, manner: Manner, conditions: ConditionCompiler, paired: Set<string>): Pattern {
    const write = (item: Expression) => this.#write(item, manner, conditions, paired);
    switch (e.kind) {
      case "token":
        return { kind: "token", test: conditions.test(e.condition) };
      case "similar":
        return { kind: "token", test: conditions.test(nearestCondition(this.snapshot, e)) };
      case "lookahead":
        return {
          kind: "zero",
          test: conjunction([
            conditions.test(e.condition),
            negation(conditions.atoms.add({ kind: "end", text: "behind the last token" })),
          ]),
        };
      case "sequence":
      case "alternation":
        return { kind: e.kind, items: e.items.map(write) };
      case "repeat": {
        const { item, min, max } = oneRepeat(e);
        const cut = max === null && isCut(manner);
        const most = max ?? roundsMax(min, manner, labelsOf(item).size);
        return { kind: "repeat", item: write(item), min, max: most, cut };
      }
      case "labelled":
        return { kind: "label", label: e.label, item: write(e.item) };
      case "boundary": {
        const { index, keep } = this.#tag(e);
        const { edge } = e;
        const { name } = index.structure;
        const text = `${edge === "start" ? "<" : "</"}${name}${keep.text && ` ${keep.text}`}>`;
        const test = conditions.atoms.add({ kind: "edge", edge, index, keep, filled: false, text });
        return paired.has(name) ? { kind: "tag", edge, index, keep, test } : { kind: "zero", test };
      }
      default:
        return { kind: "jump", source: this.#source(e, manner) };
    }
  }

  /** Whose tag it is, and which of them it means. CQP writes <doc_year>, and names of structures may have a "_". */
  #tag({ structure: name, condition, span }: Boundary | StructureRange): {
    index: StructureIndex;
    keep: Keep;
  } {
    const { snapshot, options } = this;
    const known = snapshot.structures.find((one) => one.name === name);
    if (known) {
      const index = structureIndex(snapshot, known);
      return { index, keep: keepOf(index, condition, options, this.notices) };
    }
    if (condition?.kind === "structureAttribute") {
      const split = splitName(snapshot, `${name}_${condition.attribute}`);
      if (split) {
        const index = structureIndex(snapshot, split.structure);
        const own = { ...condition, attribute: split.attribute };
        return { index, keep: keepOf(index, own, options, this.notices) };
      }
    }
    const split = condition ? undefined : splitName(snapshot, name);
    const structure = split?.structure ?? findStructure(snapshot, name, span);
    return { index: structureIndex(snapshot, structure), keep: keepAll };
  }

  // ---- edges

  #edge(e: Edge, gapMax: number): EdgeSource {
    const head = findAttribute(this.snapshot, "head", e.arrowSpan ?? e.span);
    if (e.relation !== undefined) findAttribute(this.snapshot, "deprel", e.relationSpan ?? e.span);
    const joined = withRelation(e);
    return new EdgeSource(
      this.ground,
      this.#side(e.head, gapMax),
      this.#side(joined.dependant, gapMax),
      [...labelsOf(e)],
      e.depth === "any",
      e.negated,
      head,
      joined.relation === undefined ? undefined : this.#relation(joined.relation, e.relationSpan),
      print({ kind: "query", expression: e, filters: [] }),
    );
  }

  /** Has the token at a position a relation that matches? */
  #relation(pattern: string, span: Edge["span"]): (position: number) => boolean {
    const deprel = findAttribute(this.snapshot, "deprel", span);
    const test = testOfValue({ kind: "pattern", pattern, span }, undefined, this.options);
    const passes = new Map<number, boolean>();
    return (position) => {
      const segment = this.snapshot.segments[this.ground.segmentAt(position)];
      const id = segment.stream(deprel).at(position - segment.start);
      let passed = passes.get(id);
      if (passed === undefined) {
        passed = test(deprel.lexicon.string(id));
        passes.set(id, passed);
      }
      return passed;
    };
  }

  #side(e: Expression, gapMax: number): EdgeSide {
    if (e.kind === "edge") return { kind: "edge", edge: this.#edge(e, gapMax) };
    if (e.kind === "labelled") return { kind: "label", label: e.label, item: this.#side(e.item, gapMax) };
    return { kind: "ranges", source: this.#part(e, gapMax) };
  }

  // ---- filters

  #filter(filter: Filter, gapMax: number): RunFilter {
    const { scope, negated } = filter;
    const text = filterText(filter);
    if (scope.kind === "tokens") {
      const { count } = scope;
      const atMost = (filter.kind === "within") !== negated;
      const most = filter.kind === "within" ? count : count - 1;
      return atMost
        ? { kind: "length", min: 0, max: most, text }
        : {
            kind: "length",
            min: filter.kind === "within" ? count + 1 : count,
            max: Number.POSITIVE_INFINITY,
            text,
          };
    }
    if (filter.kind === "containing") {
      return {
        kind: "containing",
        negated,
        source: this.#part((scope as { expression: Expression }).expression, gapMax),
        text,
      };
    }
    return { kind: "within", negated, text, ...this.#scope(scope, gapMax) };
  }

  #scope(scope: Scope, gapMax: number): Pick<Extract<RunFilter, { kind: "within" }>, "ceiling" | "source"> {
    if (scope.kind === "corpus") {
      const source = alignedSource(this.ground, scope, this.options.regions, gapMax, (there) =>
        new Compiler(there, this.options, this.notices).#part(scope.expression, gapMax),
      );
      return { ceiling: new RangeCeiling(source), source };
    }
    if (scope.kind === "structures") {
      const index = structureIndex(this.snapshot, findStructure(this.snapshot, scope.structure, scope.span));
      if (scope.count === 1) return { ceiling: new StructureCeiling(this.ground, index, keepAll) };
      const runs = runsOfStructures(this.ground, index, scope.count);
      const step = {
        operator: "structures in a row",
        detail: `${scope.count} ${scope.structure}`,
      };
      const known = new KnownSource(
        this.ground,
        Float64Array.from(runs.begins.subarray(0, runs.count)),
        Float64Array.from(runs.ends.subarray(0, runs.count)),
        step,
      );
      return { ceiling: new RangeCeiling(known), source: known };
    }
    if (scope.kind === "tokens") throw new Error("tokens are a length");
    const { expression } = scope;
    if (expression.kind === "structure") {
      const { index, keep } = this.#tag(expression);
      return { ceiling: new StructureCeiling(this.ground, index, keep) };
    }
    const source = this.#part(expression, gapMax);
    return { ceiling: new RangeCeiling(known(this.ground, source)), source };
  }
}

/**
 * Rounds of a repeat without a maximum: as many as a match within the bounds can have, or as the limit allows. A round may
 * consume nothing if it binds a label, and each label is bound once.
 */
function roundsMax(min: number, { bounded, tokensMax, gapMax }: Manner, labels = 0): number {
  if (tokensMax < Number.POSITIVE_INFINITY) return Math.max(min, tokensMax + labels);
  return bounded ? Number.POSITIVE_INFINITY : Math.max(min, gapMax);
}

/** Does the gap limit hold for repeats without a maximum? */
function isCut({ bounded, tokensMax }: Manner): boolean {
  return !bounded && tokensMax === Number.POSITIVE_INFINITY;
}

/** Ranges of unknown length have to be known as a whole: any of them may reach to where it is asked for. */
function known(ground: Ground, source: Source): Source {
  return source.lengthMax <= 10_000 ? source : new ChosenSource(ground, source);
}

function filterText(filter: Filter): string {
  const { scope } = filter;
  switch (scope.kind) {
    case "tokens":
      return String(scope.count);
    case "structures":
      return `${scope.count === 1 ? "" : `${scope.count} `}${scope.structure}`;
    case "corpus":
      return `${scope.corpus}: ${print({ kind: "query", expression: scope.expression, filters: [] })}`;
    default:
      return print({ kind: "query", expression: scope.expression, filters: [] });
  }
}
