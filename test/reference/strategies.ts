/** Which of several matches a strategy keeps: from each start one end, then for each end one start. */
import type { Expression, Strategy } from "../../ql/cql/ast.js";
import type { Match } from "./conditions.js";

export function choose(matches: Match[], strategy: Strategy): Match[] {
  if (strategy === "all") return matches;
  const laterEnd = (a: Match, b: Match) => a.end > b.end;
  const laterBegin = (a: Match, b: Match) => a.begin > b.begin;
  const oneEnd = best(matches, "begin", strategy === "longest" ? laterEnd : not(laterEnd));
  if (strategy === "traditional") return oneEnd;
  return best(oneEnd, "end", strategy === "shortest" ? laterBegin : not(laterBegin));
}

/** Of the matches that agree in one of their ends, the best. */
function best(matches: Match[], same: "begin" | "end", better: Better): Match[] {
  const kept = new Map<number, Match>();
  for (const match of matches) {
    const other = kept.get(match[same]);
    if (!other || better(match, other)) kept.set(match[same], match);
  }
  return [...kept.values()];
}

type Better = (a: Match, b: Match) => boolean;

function not(better: Better): Better {
  return (a, b) => better(b, a);
}

/** What a strategy says nothing about. */
export function isSetOperation(e: Expression): boolean {
  if (e.kind === "labelled") return isSetOperation(e.item);
  return ["meet", "union", "tab", "complement", "edge"].includes(e.kind);
}
