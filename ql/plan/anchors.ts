/**
 * Anchors: tokens or boundaries such that every match has one of them, at a known distance from its start. The rarest
 * ones are where looking for matches begins.
 */
import type { Attribute } from "../../storage/index.js";
import type { Ground } from "../match/ground.js";
import type { StructureIndex } from "../match/structures.js";
import { listed } from "./ids.js";
import type { Keep } from "./keep.js";
import { beyondCuts, lengthsOf, type Pattern } from "./pattern.js";
import type { Atom, Test } from "./tests.js";

/** Where the positions of an anchor come from. */
export type Places =
  | { kind: "ids"; attribute: Attribute; ids: Uint32Array }
  | { kind: "positions"; from: number; to: number }
  | { kind: "listed"; positions: Uint32Array }
  | { kind: "edge"; edge: "start" | "end" | "last"; index: StructureIndex; keep: Keep; filled: boolean };

export interface AnchorPart {
  places: Places;
  text: string;
  rows: number;
  /** Lists that have to be opened, in all segments. */
  lists: number;
  /** Distance from the start of a match: at least, at most. */
  from: number;
  to: number;
}

export interface Anchors {
  parts: AnchorPart[];
  rows: number;
  /**
   * Starts further before an anchor are not looked at because of the limit on gaps. There is something that it cuts off
   * only where one of these matches: a round more than the limit, up to the anchor.
   */
  beyond?: Pattern[];
}

/** Starts further before an anchor than this are not worth looking at. */
const distanceMax = 1_000;

export function anchorsOf(pattern: Pattern, atoms: readonly Atom[], ground: Ground): Anchors | undefined {
  switch (pattern.kind) {
    case "token":
    case "zero":
      return anchorsOfTest(pattern.test, atoms, ground);
    case "label":
      return anchorsOf(pattern.item, atoms, ground);
    case "repeat":
      return pattern.min > 0 ? anchorsOf(pattern.item, atoms, ground) : undefined;
    case "sequence": {
      let best: Anchors | undefined;
      let [from, to] = [0, 0];
      for (const [i, item] of pattern.items.entries()) {
        const own = anchorsOf(item, atoms, ground);
        if (own && to <= distanceMax && (!best || weight(own, to - from) < weight(best, 0))) {
          const before = pattern.items.slice(0, i);
          const beyond = beyondCuts({ kind: "sequence", items: before }).map(
            (tail): Pattern => ({ kind: "sequence", items: [tail, item] }),
          );
          beyond.push(...(own.beyond ?? []));
          best = {
            rows: own.rows,
            ...(beyond.length > 0 && { beyond }),
            parts: own.parts.map((part) => ({ ...part, from: part.from + from, to: part.to + to })),
          };
        }
        const { min, max } = lengthsOf(item);
        from += min;
        to += max;
      }
      return best;
    }
    case "alternation": {
      const parts: AnchorPart[] = [];
      const beyond: Pattern[] = [];
      for (const item of pattern.items) {
        const own = anchorsOf(item, atoms, ground);
        if (!own) return undefined;
        parts.push(...own.parts);
        beyond.push(...(own.beyond ?? []));
      }
      const rows = parts.reduce((sum, { rows }) => sum + rows, 0);
      return { parts, rows, ...(beyond.length > 0 && { beyond }) };
    }
    case "jump":
    case "tag":
      return undefined;
  }
}

/** What looking around them takes, for comparing: wide distances mean many starts. Boundaries are at hand. */
function weight({ parts }: Anchors, more: number): number {
  return parts.reduce((sum, { rows, lists, from, to, places }) => {
    const each = places.kind === "edge" ? 0.3 : 1;
    return sum + lists * (places.kind === "edge" ? 1 : 8) + rows * each * (1 + (to - from + more) / 4);
  }, 0);
}

function anchorsOfTest(test: Test, atoms: readonly Atom[], ground: Ground): Anchors | undefined {
  switch (test.op) {
    case "atom":
      return anchorsOfAtom(atoms[test.atom], ground);
    case "and": {
      let best: Anchors | undefined;
      for (const item of test.items) {
        const own = anchorsOfTest(item, atoms, ground);
        if (own && (!best || weight(own, 0) < weight(best, 0))) best = own;
      }
      return best;
    }
    case "or": {
      const parts: AnchorPart[] = [];
      for (const item of test.items) {
        const own = anchorsOfTest(item, atoms, ground);
        if (!own) return undefined;
        parts.push(...own.parts);
      }
      return { parts, rows: parts.reduce((sum, { rows }) => sum + rows, 0) };
    }
    case "not":
      // What never holds is nowhere.
      return test.item.op === "true" ? { parts: [], rows: 0 } : undefined;
    case "true":
      return undefined;
  }
}

function anchorsOfAtom(atom: Atom, ground: Ground): Anchors | undefined {
  const one = (places: Places, rows: number, lists: number): Anchors => ({
    rows,
    parts: [{ places, text: atom.text, rows, lists, from: 0, to: 0 }],
  });
  const segments = ground.snapshot.segments.length;
  switch (atom.kind) {
    case "ids": {
      const ids = listed(atom.ids, atom.attribute.lexicon.size);
      // A rare value is in few segments.
      let lists = 0;
      const { frequencies } = atom.attribute.lexicon;
      for (let i = 0; i < ids.length; i++) lists += Math.min(segments, frequencies[ids[i]]);
      return one({ kind: "ids", attribute: atom.attribute, ids }, atom.tokens, lists);
    }
    case "listed":
      return one({ kind: "listed", positions: atom.positions }, atom.positions.length, segments);
    case "positions":
      return one(
        { kind: "positions", from: atom.from, to: Math.min(atom.to, ground.tokens) },
        Math.max(0, Math.min(atom.to, ground.tokens) - atom.from),
        0,
      );
    case "edge": {
      const { index, keep, edge, filled } = atom;
      return one(
        { kind: "edge", edge, index, keep, filled },
        Math.ceil(index.structure.count * keep.share),
        segments,
      );
    }
    default:
      return undefined;
  }
}

export function describeAnchors({ parts }: Anchors): string {
  if (parts.length === 0) return "nothing can match";
  const named = parts.slice(0, 3).map(({ text, rows, from, to }) => {
    const where =
      from === to
        ? from === 0
          ? "at the start"
          : `${from} behind the start`
        : `${from} to ${to} behind the start`;
    return `${text} (${rows.toLocaleString("en")} places, ${where})`;
  });
  return `every match has ${named.join(" or ")}${parts.length > 3 ? ` or one of ${parts.length - 3} more` : ""}`;
}
