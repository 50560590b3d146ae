/**
 * A set of code points as a small automaton over UTF-8 bytes. Equal tails are one node: "." is 8 nodes, \p{L} some
 * hundreds.
 *
 *   code point     first byte   each further byte holds 6 bits
 *   0 … 7F         0xxxxxxx
 *   80 … 7FF       110xxxxx     1
 *   800 … FFFF     1110xxxx     2
 *   10000 …        11110xxx     3
 */
import type { CodeSet } from "./codes.js";

/** Node i has edges[i]: [low byte, high byte, target] three by three, ascending; node 0 is first, target −1 the end. */
export interface ByteGraph {
  edges: number[][];
  edgeCount: number;
}

const kept = new WeakMap<CodeSet, ByteGraph>();

export function byteGraph(set: CodeSet): ByteGraph {
  let graph = kept.get(set);
  if (!graph) {
    graph = build(set);
    kept.set(set, graph);
  }
  return graph;
}

function build(set: CodeSet): ByteGraph {
  const edges: number[][] = [[]];
  const known = new Map<string, number>();

  /** The node for values in `ranges`, written in `tail` further bytes; −1 where there are none. */
  const nodeOf = (ranges: number[], tail: number): number => {
    if (tail === 0) return -1;
    const key = `${tail}:${ranges.join()}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const own = fanOut(ranges, tail, 0x80);
    const node = edges.push(own) - 1;
    known.set(key, node);
    return node;
  };

  /** Edges by the bits above the last `tail − 1` bytes; `mark` is added to them. */
  const fanOut = (ranges: number[], tail: number, mark: number): number[] => {
    const span = 64 ** (tail - 1);
    const children = new Map<number, number[]>();
    for (let i = 0; i < ranges.length; i += 2) {
      const [low, high] = [ranges[i], ranges[i + 1]];
      for (let top = Math.floor(low / span); top <= Math.floor(high / span); top++) {
        const inside = [Math.max(low - top * span, 0), Math.min(high - top * span, span - 1)];
        const others = children.get(top);
        if (others) others.push(...inside);
        else children.set(top, inside);
      }
    }
    const own: number[] = [];
    for (const [top, inside] of children) {
      const target = nodeOf(inside, tail - 1);
      const end = own.length - 3;
      if (end >= 0 && own[end + 1] === mark + top - 1 && own[end + 2] === target) own[end + 1]++;
      else own.push(mark + top, mark + top, target);
    }
    return own;
  };

  const lengths: [first: number, last: number, tail: number, mark: number][] = [
    [0, 0x7f, 1, 0],
    [0x80, 0x7ff, 2, 0xc0],
    [0x800, 0xffff, 3, 0xe0],
    [0x10000, 0x10ffff, 4, 0xf0],
  ];
  for (const [first, last, bytes, mark] of lengths) {
    const ranges: number[] = [];
    for (let i = 0; i < set.length; i += 2) {
      const low = Math.max(set[i], first);
      const high = Math.min(set[i + 1], last);
      if (low <= high) ranges.push(low, high);
    }
    edges[0].push(...fanOut(ranges, bytes, mark));
  }
  return { edges, edgeCount: edges.reduce((sum, own) => sum + own.length / 3, 0) };
}
