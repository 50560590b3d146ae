/**
 * A shape as an automaton over bytes, not yet deterministic. Nodes are numbers; each has a kind and a run of edges:
 *
 *   BYTES      goes on along the one edge whose range [low, high] has the next byte, if there is one
 *   SPLIT      goes on along any edge, reading nothing
 *   LOOKAHEAD  goes on along its edge if what follows begins with a match of program `look[node]`
 *   NOT_AHEAD  … if it does not
 *   START      goes on along its edge at the beginning of the string
 *   END        … at its end
 *   ACCEPT     the end of a program
 *
 * Program 0 is the pattern; each lookahead is a program of its own, with a higher number than the one it stands in.
 * The pattern's program accepts at the end of the string, a lookahead's wherever its ACCEPT is reached.
 *
 * ".*" is a node that loops on any byte. It may stop in the middle of a character, but whatever reads on begins with a
 * first byte, so nothing comes of it. Only a lookahead could look from there: in patterns that have some, ".*" goes by
 * characters unless nothing follows it.
 */
import { isAny } from "./codes.js";
import { tooLarge } from "./errors.js";
import { regexLimits } from "./limits.js";
import type { Shape } from "./shape.js";
import { byteGraph } from "./utf8.js";

export const [BYTES, SPLIT, LOOKAHEAD, NOT_AHEAD, START, END, ACCEPT] = [0, 1, 2, 3, 4, 5, 6];

/** Stands behind each string where strings are read one after the other: UTF-8 does not have it. */
export const endByte = 0xff;

export interface Nfa {
  size: number;
  kinds: Uint8Array;
  /** Edges of a node: [firstEdge[node], firstEdge[node] + edgeCount[node]). */
  firstEdge: Int32Array;
  edgeCount: Int32Array;
  low: Uint8Array;
  high: Uint8Array;
  target: Int32Array;
  /** The program that a node belongs to. */
  programOf: Int32Array;
  /** The program of a lookahead. */
  look: Map<number, number>;
  programs: { start: number; accept: number }[];
  /** Bytes that no edge tells apart are of one class; 0xFF, which is in no string, is of class `classCount`. */
  classOf: Uint8Array;
  classCount: number;
  /** A byte of each class. */
  sample: Uint8Array;
  /** Nodes that loop on any byte and may accept at once: 1; from there, everything is accepted. */
  universal: Uint8Array;
  /** Splits that are reached from the pattern's start at once and go on to a node that loops on any byte. */
  loopHeads: number[];
  hasAnchors: { start: boolean; end: boolean };
}

/** How many nodes a shape takes, or more; Infinity is possible. */
export function sizeOf(shape: Shape): number {
  switch (shape.kind) {
    case "empty":
    case "nothing":
    case "start":
    case "end":
      return 1;
    case "text":
      return Buffer.byteLength(shape.text);
    case "set":
      return byteGraph(shape.codes).edges.length;
    case "sequence":
      return shape.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case "alternation":
      return shape.items.reduce(
        (sum, item) => sum + (item.kind === "text" ? 0 : sizeOf(item)),
        treeSize(shape),
      );
    case "lookahead":
      return sizeOf(shape.item) + 2;
    case "repeat": {
      const copies = shape.max === Number.POSITIVE_INFINITY ? shape.min + 1 : shape.max;
      return copies * (sizeOf(shape.item) + 1);
    }
  }
}

type Alternation = Extract<Shape, { kind: "alternation" }>;

const sortedTexts = new WeakMap<Alternation, Buffer[]>();

/** The strings among the alternatives, in byte order. */
function textsOf(shape: Alternation): Buffer[] {
  let texts = sortedTexts.get(shape);
  if (!texts) {
    texts = shape.items.flatMap((item) => (item.kind === "text" ? [Buffer.from(item.text)] : []));
    sortedTexts.set(shape, texts.sort(Buffer.compare));
  }
  return texts;
}

/** The nodes of the tree that these strings become, and of the splits in it. */
function treeSize(shape: Alternation): number {
  const texts = textsOf(shape);
  let size = 1;
  for (const [i, text] of texts.entries()) {
    const before = texts[i - 1] ?? "";
    let shared = 0;
    while (shared < text.length && shared < before.length && text[shared] === before[shared]) shared++;
    size += text.length - shared + (shared === before.length ? 1 : 0);
  }
  return size;
}

export function checkSize(shape: Shape): void {
  if (sizeOf(shape) > regexLimits.automatonNodesMax) {
    throw tooLarge("the pattern's automaton is too large, its repeats written out", "automatonNodesMax");
  }
}

export function buildNfa(shape: Shape): Nfa {
  checkSize(shape);
  return new Builder(hasLookahead(shape)).build(shape);
}

function hasLookahead(shape: Shape): boolean {
  if (shape.kind === "lookahead") return true;
  if ("items" in shape) return shape.items.some(hasLookahead);
  return "item" in shape && hasLookahead(shape.item);
}

class Builder {
  #kinds = new Uint8Array(64);
  #firstEdge = new Int32Array(64);
  #edgeCount = new Int32Array(64);
  #programOf = new Int32Array(64);
  #size = 0;
  #low = new Uint8Array(64);
  #high = new Uint8Array(64);
  #target = new Int32Array(64);
  #edges = 0;
  readonly #look = new Map<number, number>();
  readonly #programs: Nfa["programs"] = [];
  readonly #programOfShape = new Map<Shape, number>();
  #program = 0;
  readonly #loops: number[] = [];
  readonly #hasAnchors = { start: false, end: false };

  constructor(readonly looksAhead: boolean) {}

  build(shape: Shape): Nfa {
    this.#addProgram(shape);
    const size = this.#size;
    const nfa: Nfa = {
      size,
      kinds: this.#kinds.slice(0, size),
      firstEdge: this.#firstEdge.slice(0, size),
      edgeCount: this.#edgeCount.slice(0, size),
      low: this.#low.slice(0, this.#edges),
      high: this.#high.slice(0, this.#edges),
      target: this.#target.slice(0, this.#edges),
      programOf: this.#programOf.slice(0, size),
      look: this.#look,
      programs: this.#programs,
      ...this.#classes(),
      universal: new Uint8Array(size),
      loopHeads: [],
      hasAnchors: this.#hasAnchors,
    };
    const fromStart = splitsFrom(nfa, nfa.programs[0].start);
    for (const loop of this.#loops) {
      const head = nfa.target[nfa.firstEdge[loop]];
      const { accept } = nfa.programs[nfa.programOf[loop]];
      if (splitsFrom(nfa, head).has(accept)) nfa.universal[loop] = 1;
      if (fromStart.has(head)) nfa.loopHeads.push(head);
    }
    return nfa;
  }

  /** Compiles a shape to a program of its own; returns its number. */
  #addProgram(shape: Shape): number {
    const number = this.#programs.length;
    const outer = this.#program;
    this.#program = number;
    const accept = this.#node(ACCEPT, 0);
    this.#programs.push({ start: accept, accept });
    this.#programs[number].start = this.#compile(shape, accept);
    this.#program = outer;
    return number;
  }

  /** A node with room for its edges, which are to be set. */
  #node(kind: number, edges: number): number {
    if (this.#size === this.#kinds.length) {
      this.#kinds = grown(this.#kinds);
      this.#firstEdge = grown(this.#firstEdge);
      this.#edgeCount = grown(this.#edgeCount);
      this.#programOf = grown(this.#programOf);
    }
    while (this.#edges + edges > this.#low.length) {
      this.#low = grown(this.#low);
      this.#high = grown(this.#high);
      this.#target = grown(this.#target);
    }
    const node = this.#size++;
    this.#kinds[node] = kind;
    this.#firstEdge[node] = this.#edges;
    this.#edgeCount[node] = edges;
    this.#programOf[node] = this.#program;
    this.#edges += edges;
    return node;
  }

  #setEdge(node: number, index: number, target: number, low = 0, high = 255): void {
    const edge = this.#firstEdge[node] + index;
    this.#low[edge] = low;
    this.#high[edge] = high;
    this.#target[edge] = target;
  }

  #split(targets: number[]): number {
    const node = this.#node(SPLIT, targets.length);
    for (const [index, target] of targets.entries()) this.#setEdge(node, index, target);
    return node;
  }

  /** Nodes that match the shape and then go on at `next`; returns the first. */
  #compile(shape: Shape, next: number): number {
    switch (shape.kind) {
      case "empty":
        return next;
      case "nothing":
        return this.#node(BYTES, 0);
      case "text":
        return this.#bytes(Buffer.from(shape.text), 0, next);
      case "set":
        return this.#set(shape.codes, next);
      case "sequence":
        return shape.items.reduceRight((after, item) => this.#compile(item, after), next);
      case "alternation":
        return this.#alternation(shape, next);
      case "repeat":
        return this.#repeat(shape, next);
      case "lookahead":
        return this.#lookahead(shape, next);
      case "start":
      case "end": {
        this.#hasAnchors[shape.kind] = true;
        const node = this.#node(shape.kind === "start" ? START : END, 1);
        this.#setEdge(node, 0, next);
        return node;
      }
    }
  }

  /** Bytes [from, …) of a string. */
  #bytes(bytes: Uint8Array, from: number, next: number, to = bytes.length): number {
    for (let i = to - 1; i >= from; i--) {
      const node = this.#node(BYTES, 1);
      this.#setEdge(node, 0, next, bytes[i], bytes[i]);
      next = node;
    }
    return next;
  }

  #set(codes: Uint32Array, next: number): number {
    const { edges } = byteGraph(codes);
    const base = this.#size;
    for (const own of edges) {
      const node = this.#node(BYTES, own.length / 3);
      for (let i = 0; i < own.length; i += 3) {
        this.#setEdge(node, i / 3, own[i + 2] < 0 ? next : base + own[i + 2], own[i], own[i + 1]);
      }
    }
    return base;
  }

  #alternation(shape: Alternation, next: number): number {
    const texts = textsOf(shape);
    const targets: number[] = [];
    for (const item of shape.items) if (item.kind !== "text") targets.push(this.#compile(item, next));
    if (texts.length > 0) targets.push(this.#tree(texts, 0, texts.length, 0, next));
    return targets.length === 1 ? targets[0] : this.#split(targets);
  }

  /** Sorted strings [from, to), equal in their first `depth` bytes, as a tree: what they share is there once. */
  #tree(texts: Buffer[], from: number, to: number, depth: number, next: number): number {
    const [first, last] = [texts[from], texts[to - 1]];
    let shared = depth;
    while (shared < first.length && first[shared] === last[shared]) shared++;
    // Equal to the end: they are all the same string.
    if (shared === first.length && shared === last.length) return this.#bytes(first, depth, next);
    const ends = first.length === shared;
    let start = from;
    while (texts[start].length === shared) start++;
    const branches: [byte: number, target: number][] = [];
    while (start < to) {
      const byte = texts[start][shared];
      let end = start + 1;
      while (end < to && texts[end][shared] === byte) end++;
      branches.push([byte, this.#tree(texts, start, end, shared + 1, next)]);
      start = end;
    }
    let node = this.#node(BYTES, branches.length);
    for (const [index, [byte, target]] of branches.entries()) this.#setEdge(node, index, target, byte, byte);
    if (ends) node = this.#split([node, next]);
    return this.#bytes(first, depth, node, shared);
  }

  #repeat({ item, min, max }: Extract<Shape, { kind: "repeat" }>, next: number): number {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) after = this.#loop(item, next);
    else {
      for (let i = min; i < max; i++) after = this.#split([this.#compile(item, after), next]);
    }
    for (let i = 0; i < min; i++) after = this.#compile(item, after);
    return after;
  }

  /** item*, then `next`. */
  #loop(item: Shape, next: number): number {
    const head = this.#split([next, next]);
    if (item.kind === "set" && isAny(item.codes) && (!this.looksAhead || this.#kinds[next] === ACCEPT)) {
      const loop = this.#node(BYTES, 1);
      this.#setEdge(loop, 0, head);
      this.#setEdge(head, 0, loop);
      this.#loops.push(loop);
    } else this.#setEdge(head, 0, this.#compile(item, head));
    return head;
  }

  /** Where a lookahead is repeated, its program is there once: it does not depend on what follows. */
  #lookahead(shape: Extract<Shape, { kind: "lookahead" }>, next: number): number {
    let program = this.#programOfShape.get(shape);
    if (program === undefined) {
      program = this.#addProgram(shape.item);
      this.#programOfShape.set(shape, program);
    }
    const node = this.#node(shape.negated ? NOT_AHEAD : LOOKAHEAD, 1);
    this.#setEdge(node, 0, next);
    this.#look.set(node, program);
    return node;
  }

  #classes(): Pick<Nfa, "classOf" | "classCount" | "sample"> {
    const begins = new Uint8Array(257);
    for (let node = 0; node < this.#size; node++) {
      if (this.#kinds[node] !== BYTES) continue;
      const first = this.#firstEdge[node];
      for (let edge = first; edge < first + this.#edgeCount[node]; edge++) {
        begins[this.#low[edge]] = 1;
        begins[this.#high[edge] + 1] = 1;
      }
    }
    const classOf = new Uint8Array(256);
    const sample = [0];
    for (let byte = 1; byte < endByte; byte++) {
      if (begins[byte] === 1) sample.push(byte);
      classOf[byte] = sample.length - 1;
    }
    classOf[endByte] = sample.length;
    return { classOf, classCount: sample.length, sample: Uint8Array.from(sample) };
  }
}

function grown<Values extends Uint8Array | Int32Array>(values: Values): Values {
  const larger = new (values.constructor as new (length: number) => Values)(values.length * 2);
  larger.set(values);
  return larger;
}

/** All nodes that are reached through splits alone, `from` included; a good part of them, where there are many. */
function splitsFrom(nfa: Nfa, from: number): Set<number> {
  const found = new Set([from]);
  for (const node of found) {
    if (nfa.kinds[node] !== SPLIT || found.size > 1000) continue;
    const first = nfa.firstEdge[node];
    for (let edge = first; edge < first + nfa.edgeCount[node]; edge++) found.add(nfa.target[edge]);
  }
  return found;
}

/** The node that a byte leads to from a BYTES node, or −1. */
export function follow(nfa: Nfa, node: number, byte: number): number {
  const { low, high, target } = nfa;
  let first = nfa.firstEdge[node];
  let end = first + nfa.edgeCount[node];
  while (end - first > 8) {
    const middle = (first + end) >> 1;
    if (high[middle] < byte) first = middle + 1;
    else end = middle + 1;
  }
  for (; first < end; first++) {
    if (byte <= high[first]) return byte >= low[first] ? target[first] : -1;
  }
  return -1;
}
