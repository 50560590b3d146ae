/** Which parts a pattern with jumps is made of, so that they can be found each by itself (match/join.ts). */
import type { Expression } from "../cql/ast.js";
import { print } from "../cql/print.js";
import type { Ground } from "../match/ground.js";
import {
  AlternativesPart,
  BoundaryPart,
  FoundPart,
  type Part,
  RoundsPart,
  SequencePart,
} from "../match/join.js";
import { PatternSource } from "../match/pattern.js";
import { hasJump, hasZero, lengthsOf, type Pattern } from "./pattern.js";
import { shown } from "./push.js";
import { oneRepeat, withOwnAtoms } from "./rewrite.js";
import { type Atom, always, negation, type Test } from "./tests.js";

export class PartWriter {
  constructor(
    readonly ground: Ground,
    readonly atoms: readonly Atom[],
    readonly bounded: boolean,
    readonly onCut: () => void,
  ) {}

  /** The parts of a pattern that was written of an expression; undefined: it has to be walked. */
  write(e: Expression, pattern: Pattern): Part | undefined {
    // That all of it may be left out does not matter: a match has tokens.
    if (!hasJump(pattern)) return new FoundPart(this.#source(e, pattern), false, true);
    const part = this.#part(e, pattern);
    return part instanceof BoundaryPart ? undefined : part;
  }

  /** A part of another that has tokens. */
  #inner(e: Expression, pattern: Pattern): Part | undefined {
    const part = canBeBoundaries(pattern) ? undefined : this.#part(e, pattern);
    return part instanceof BoundaryPart ? undefined : part;
  }

  #part(e: Expression, pattern: Pattern): Part | BoundaryPart | undefined {
    if (!hasJump(pattern)) return this.#tokens(e, pattern);
    switch (pattern.kind) {
      case "jump":
        // How a TAB is laid out depends on how far it may reach.
        return e.kind === "tab" ? undefined : new FoundPart(pattern.source, false, false);
      case "label":
        return e.kind === "labelled" ? this.#part(e.item, pattern.item) : undefined;
      case "sequence":
        return e.kind === "sequence" ? this.#sequence(e.items, pattern.items) : undefined;
      case "alternation": {
        if (e.kind !== "alternation") return undefined;
        const items = pattern.items.map((item, i) => this.#inner(e.items[i], item));
        return items.some((item) => !item) ? undefined : new AlternativesPart(items as Part[]);
      }
      case "repeat": {
        const item = e.kind === "repeat" ? this.#inner(oneRepeat(e).item, pattern.item) : undefined;
        return item && new RoundsPart(this.ground, item, pattern.min, pattern.max);
      }
      default:
        return undefined;
    }
  }

  #sequence(nestedExpressions: Expression[], nestedPatterns: Pattern[]): Part | undefined {
    const { expressions, patterns } = flat(nestedExpressions, nestedPatterns);
    const parts: (Part | BoundaryPart | undefined)[] = [];
    for (let from = 0; from < patterns.length; ) {
      let to = from + 1;
      if (!hasJump(patterns[from])) {
        while (to < patterns.length && !hasJump(patterns[to])) to++;
        const run: Pattern = { kind: "sequence", items: patterns.slice(from, to) };
        // What may be left out, but asks something of a boundary, is taken item by item.
        if (lengthsOf(run).max > 0 && lengthsOf(run).min === 0 && hasZero(run)) to = from + 1;
      }
      const [ownExpressions, ownPatterns] = [expressions.slice(from, to), patterns.slice(from, to)];
      parts.push(
        to === from + 1
          ? this.#item(ownExpressions[0], ownPatterns[0])
          : this.#tokens(
              { kind: "sequence", items: ownExpressions },
              { kind: "sequence", items: ownPatterns },
            ),
      );
      from = to;
    }
    if (parts.some((part) => !part)) return undefined;
    return new SequencePart(this.ground, parts as (Part | BoundaryPart)[]);
  }

  /** Of a sequence. */
  #item(e: Expression, pattern: Pattern): Part | BoundaryPart | undefined {
    return lengthsOf(pattern).max > 0 ? this.#inner(e, pattern) : this.#part(e, pattern);
  }

  /** What an automaton finds. */
  #tokens(e: Expression, pattern: Pattern): Part | BoundaryPart | undefined {
    const { min, max } = lengthsOf(pattern);
    if (max > 0) return new FoundPart(this.#source(e, pattern), min === 0, true);
    const end = this.atoms.findIndex(({ kind }) => kind === "end");
    const test: Test = end < 0 ? always : negation({ op: "atom", atom: end });
    const token: Pattern = { kind: "token", test };
    const any: Expression = { kind: "token" };
    return new BoundaryPart(
      this.#source({ kind: "sequence", items: [e, any] }, { kind: "sequence", items: [pattern, token] }),
      this.#source({ kind: "sequence", items: [any, e] }, { kind: "sequence", items: [token, pattern] }),
    );
  }

  #source(e: Expression, pattern: Pattern): PatternSource {
    const own = withOwnAtoms(pattern, this.atoms);
    const text = print({ kind: "query", expression: shown(e), filters: [] });
    return new PatternSource(this.ground, own.pattern, own.atoms, [], this.bounded, text, this.onCut);
  }
}

/**
 * Can it be boundaries and nothing else, and also tokens? Of a part of a pattern that counts: that it may be nothing where
 * those boundaries are is not said by a set of ranges.
 */
function isBoundaryOrTokens(pattern: Pattern): boolean {
  return lengthsOf(pattern).max > 0 && canBeBoundaries(pattern);
}

function canBeBoundaries(pattern: Pattern): boolean {
  return lengthsOf(pattern).min === 0 && hasZero(pattern);
}

/** A sequence with those in it, whose items come to the same, as items of its own: their boundaries are its boundaries. */
function flat(
  expressions: Expression[],
  patterns: Pattern[],
): { expressions: Expression[]; patterns: Pattern[] } {
  const all = { expressions: [] as Expression[], patterns: [] as Pattern[] };
  patterns.forEach((pattern, i) => {
    const e = expressions[i];
    if (!hasJump(pattern) && !isBoundaryOrTokens(pattern)) {
      all.expressions.push(e);
      all.patterns.push(pattern);
      return;
    }
    let inner: { expressions: Expression[]; patterns: Pattern[] } = { expressions: [e], patterns: [pattern] };
    if (e.kind === "labelled" && pattern.kind === "label") inner = flat([e.item], [pattern.item]);
    else if (e.kind === "sequence" && pattern.kind === "sequence") inner = flat(e.items, pattern.items);
    all.expressions.push(...inner.expressions);
    all.patterns.push(...inner.patterns);
  });
  return all;
}
