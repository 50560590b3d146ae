/**
 * A pattern read backwards, from the end of the string to its beginning.
 *
 * For each node of the NFA one bit says whether what was read so far, the rest of the string from some place on, is
 * accepted from that node. The bits at one place follow from those behind it and the byte between, lookaheads included:
 * a lookahead is true where its program's start is, and programs are settled from the innermost outwards. So there is
 * no choice to be made in this direction, and a state is simply the set of nodes that are true. Only nodes that an edge
 * for bytes leads to need be kept.
 *
 * States are kept in a table as in dfa.ts, with the same special ones. Once they have been forgotten too often, sets are
 * computed for each byte anew: that takes at most as many steps as the NFA has edges.
 */
import { ACCEPTED, DEAD, type Effort, FORGOTTEN, UNKNOWN } from "./dfa.js";
import { regexLimits } from "./limits.js";
import { BYTES, END, LOOKAHEAD, type Nfa, NOT_AHEAD, START } from "./nfa.js";

export class BackwardDfa {
  readonly stride: number;
  readonly classOf: Uint8Array;
  transitions: Int32Array;
  flushes = 0;
  gaveUp = false;
  #bytes = 0;
  #count = 2;
  #sets: Int32Array[] = [];
  #byHash = new Map<number, number[]>();
  #start: number | undefined;

  /** Edges by their target: from [firstInto[node], firstInto[node + 1]) of these. */
  readonly #firstInto: Int32Array;
  readonly #source: Int32Array;
  readonly #edge: Int32Array;
  /** 1 where an edge for bytes leads to the node. */
  readonly #afterByte: Uint8Array;

  /** The number of the closure in which a node was last found true. */
  readonly #marks: Int32Array;
  #closure = 0;
  /** Nodes found true by the byte that was read, program by program. */
  readonly #seeds: number[][];
  #kept: number[] = [];
  #accepts = false;
  #universal = false;
  #alive = false;

  constructor(
    readonly nfa: Nfa,
    readonly effort: Effort,
  ) {
    this.stride = nfa.classCount + 1;
    this.classOf = nfa.classOf;
    this.transitions = new Int32Array(this.stride * 4);
    this.#marks = new Int32Array(nfa.size);
    this.#seeds = nfa.programs.map(() => []);
    this.#afterByte = new Uint8Array(nfa.size);
    this.#firstInto = new Int32Array(nfa.size + 1);
    const edges = nfa.target.length;
    for (let edge = 0; edge < edges; edge++) this.#firstInto[nfa.target[edge] + 1]++;
    for (let node = 0; node < nfa.size; node++) this.#firstInto[node + 1] += this.#firstInto[node];
    const next = this.#firstInto.slice();
    this.#source = new Int32Array(edges);
    this.#edge = new Int32Array(edges);
    for (let node = 0; node < nfa.size; node++) {
      const first = nfa.firstEdge[node];
      for (let edge = first; edge < first + nfa.edgeCount[node]; edge++) {
        const target = nfa.target[edge];
        if (nfa.kinds[node] === BYTES) this.#afterByte[target] = 1;
        this.#source[next[target]] = node;
        this.#edge[next[target]++] = edge;
      }
    }
    this.#forget();
  }

  get states(): number {
    return this.#count;
  }

  /** The state at the end of strings. */
  get start(): number {
    this.#start ??= this.#startState();
    return this.#start;
  }

  #startState(): number {
    this.#open();
    this.#settle(true);
    return this.#state();
  }

  /** A new run: what happened in earlier ones does not count. */
  begin(): void {
    this.flushes = 0;
    this.gaveUp = false;
  }

  /** The state before `state` for a class of bytes, where the table says UNKNOWN. */
  advance(state: number, byteClass: number): number {
    if (this.#bytes > regexLimits.stateBytesMax) {
      this.#forget();
      if (++this.flushes > regexLimits.flushesMax) this.gaveUp = true;
      return FORGOTTEN;
    }
    this.#read(this.#sets[state / this.stride], this.nfa.sample[byteClass]);
    const next = this.#state();
    this.transitions[state + byteClass] = next;
    return next;
  }

  #forget(): void {
    const { stride } = this;
    this.transitions = new Int32Array(stride * 4);
    this.transitions.fill(stride, stride, stride * 2);
    this.transitions[stride * 2 - 1] = ACCEPTED;
    this.#bytes = this.transitions.byteLength;
    this.#count = 2;
    this.#sets = [new Int32Array(0), new Int32Array(0)];
    this.#byHash = new Map();
    this.#start = undefined;
  }

  /** Does it accept the bytes [from, to)? */
  accepts(bytes: Uint8Array, from: number, to: number): boolean {
    const { classOf, stride } = this;
    for (;;) {
      if (this.gaveUp) return this.#simulate(bytes, from, to);
      let state = this.start;
      let at = to;
      while (at > from && state > stride) {
        const byteClass = classOf[bytes[--at]];
        let next = this.transitions[state + byteClass];
        if (next === UNKNOWN) next = this.advance(state, byteClass);
        state = next;
      }
      if (state === FORGOTTEN) continue;
      return this.transitions[state + stride - 1] === ACCEPTED;
    }
  }

  /** The same without states. */
  #simulate(bytes: Uint8Array, from: number, to: number): boolean {
    this.#open();
    this.#settle(true);
    for (let at = to; at > from; at--) {
      if (this.#universal) return true;
      if (!this.#alive) return false;
      this.#read(this.#kept, bytes[at - 1]);
    }
    return this.#universal || this.#accepts;
  }

  /** From the nodes that are true behind a byte to those before it. */
  #read(set: ArrayLike<number>, byte: number): void {
    const { nfa } = this;
    this.#open();
    let visits = 0;
    for (let i = 0; i < set.length; i++) {
      const node = set[i];
      const end = this.#firstInto[node + 1];
      for (let k = this.#firstInto[node]; k < end; k++) {
        visits++;
        const source = this.#source[k];
        const edge = this.#edge[k];
        if (nfa.kinds[source] !== BYTES || byte < nfa.low[edge] || byte > nfa.high[edge]) continue;
        if (this.#marks[source] === this.#closure) continue;
        this.#marks[source] = this.#closure;
        this.#seeds[nfa.programOf[source]].push(source);
      }
    }
    this.effort.spend(visits);
    this.#settle(false);
  }

  #open(): void {
    if (this.#closure >= 2 ** 31 - 4) {
      this.#marks.fill(0);
      this.#closure = 0;
    }
    this.#closure++;
    for (const seeds of this.#seeds) seeds.length = 0;
  }

  /** Finds all that is true here, from the seeds; `kept`, `accepts`, `alive` and `universal` say what comes of it. */
  #settle(atEnd: boolean): void {
    const { nfa } = this;
    const seeds = nfa.hasAnchors.start ? this.#seeds.map((nodes) => nodes.slice()) : undefined;
    this.#kept = [];
    this.#close(atEnd, false);
    this.#universal = nfa.loopHeads.some((head) => this.#marks[head] === this.#closure);
    for (const [program, nodes] of this.#seeds.entries()) {
      for (const node of nodes) if (this.#afterByte[node] === 1) this.#kept.push(node);
      if (program === 0) this.#alive = this.#kept.length > 0;
    }
    if (seeds) {
      // Once more, as if the string began here.
      this.#open();
      for (const [program, nodes] of seeds.entries()) {
        for (const node of nodes) {
          this.#marks[node] = this.#closure;
          this.#seeds[program].push(node);
        }
      }
      this.#close(atEnd, true);
    }
    this.#accepts = this.#marks[nfa.programs[0].start] === this.#closure;
    this.#alive ||= this.#accepts;
  }

  /** Adds to the seeds what is true because of them. */
  #close(atEnd: boolean, atStart: boolean): void {
    const { nfa } = this;
    const { kinds } = nfa;
    let visits = nfa.programs.length;
    for (let program = nfa.programs.length - 1; program >= 0; program--) {
      const found = this.#seeds[program];
      const { accept } = nfa.programs[program];
      // A lookahead does not mind what follows its match.
      if ((atEnd || program > 0) && this.#marks[accept] !== this.#closure) {
        this.#marks[accept] = this.#closure;
        found.push(accept);
      }
      for (let i = 0; i < found.length; i++) {
        const end = this.#firstInto[found[i] + 1];
        for (let k = this.#firstInto[found[i]]; k < end; k++) {
          visits++;
          const source = this.#source[k];
          const kind = kinds[source];
          if (kind === BYTES || this.#marks[source] === this.#closure) continue;
          if (kind === START && !atStart) continue;
          if (kind === END && !atEnd) continue;
          if (kind === LOOKAHEAD || kind === NOT_AHEAD) {
            const ahead = this.#marks[nfa.programs[nfa.look.get(source)!].start] === this.#closure;
            if (ahead !== (kind === LOOKAHEAD)) continue;
          }
          this.#marks[source] = this.#closure;
          found.push(source);
        }
      }
    }
    this.effort.spend(visits);
  }

  #state(): number {
    const { stride } = this;
    if (this.#universal) return stride;
    if (!this.#alive) return DEAD;
    const set = Int32Array.from(this.#kept).sort();
    let hash = this.#accepts ? 1 : 0;
    for (const node of set) hash = Math.imul(hash ^ node, 0x01000193);
    const same = this.#byHash.get(hash);
    for (const number of same ?? []) {
      if ((this.transitions[number * stride + stride - 1] === ACCEPTED) !== this.#accepts) continue;
      const other = this.#sets[number];
      if (other.length === set.length && other.every((node, i) => node === set[i])) return number * stride;
    }
    const number = this.#count++;
    if (same) same.push(number);
    else this.#byHash.set(hash, [number]);
    this.#sets.push(set);
    const row = number * stride;
    if (row + stride > this.transitions.length) {
      const larger = new Int32Array(this.transitions.length * 2);
      larger.set(this.transitions);
      this.transitions = larger;
    }
    this.transitions.fill(UNKNOWN, row, row + stride - 1);
    this.transitions[row + stride - 1] = this.#accepts ? ACCEPTED : DEAD;
    this.#bytes += stride * 4 + set.byteLength + 200;
    return row;
  }
}
