/**
 * The deterministic automaton of a pattern, read forwards, made as far as strings need it.
 *
 * A state is a set of configurations. A configuration is a node of the NFA and the lookaheads it still depends on: for
 * each of them the state that the lookahead's own deterministic automaton is in by now. Both are fed the same bytes. A
 * lookahead that has matched, or never will, is settled: it goes from the configuration, or takes it along. `$` is a
 * condition of the same kind, which no further byte may follow. So (?=A)B is the product of two automata, wherever it
 * stands, and a string is read once.
 *
 *   transitions   state + class → state; a state is the index of its row in this table, the row's length being
 *                 classes + 1; the last column says whether the string may end here: ACCEPTED or not
 *   DEAD          nothing is accepted from here on: row 0
 *   universal     everything is: row 1, index `stride`
 *   UNKNOWN       not made yet: ask `advance`
 *
 * States are kept up to a limit of bytes. When it is reached all are forgotten, and `advance` says FORGOTTEN: the reader
 * begins its string anew at `start`. After some times of this, or when a state would have too many configurations,
 * `gaveUp` is set: the reader turns to reading backwards (backward.ts), where the number of steps per byte has a bound.
 */
import { regexLimits } from "./limits.js";
import { ACCEPT, BYTES, END, follow, LOOKAHEAD, type Nfa, NOT_AHEAD, SPLIT, START } from "./nfa.js";

export const [DEAD, UNKNOWN, FORGOTTEN, ACCEPTED] = [0, -1, -2, -3];

/** The steps towards states that were not there yet, and where it is enough. */
export class Effort {
  visits = 0;
  /** Called now and then; may throw. */
  checkpoint: (() => void) | undefined;
  exceeded: () => Error = () => new Error("too many steps");
  #next = 0;

  begin(checkpoint?: () => void): void {
    this.visits = 0;
    this.#next = 0;
    this.checkpoint = checkpoint;
  }

  /** To be called now and then by whoever reads strings. */
  tick(): void {
    this.checkpoint?.();
  }

  spend(visits: number): void {
    this.visits += visits;
    if (this.visits < this.#next) return;
    this.#next = this.visits + Math.min(1_000_000, regexLimits.visitsMax / 10);
    this.checkpoint?.();
    if (this.visits > regexLimits.visitsMax) throw this.exceeded();
  }
}

export class ForwardDfa {
  readonly stride: number;
  readonly classOf: Uint8Array;
  flushes = 0;
  gaveUp = false;
  bytes = 0;
  readonly pending: PendingSets;
  /** Of the nodes that a closure has met, with the number of the closure. Programs have no nodes in common. */
  readonly marks: Int32Array;
  #closures = 0;
  readonly #programs: ProgramDfa[];
  readonly #main: ProgramDfa;
  #start: number | undefined;

  constructor(
    readonly nfa: Nfa,
    readonly effort: Effort,
  ) {
    this.stride = nfa.classCount + 1;
    this.classOf = nfa.classOf;
    this.pending = new PendingSets(this);
    this.marks = new Int32Array(nfa.size);
    this.#programs = nfa.programs.map((_, number) => new ProgramDfa(this, number));
    this.#main = this.#programs[0];
  }

  get transitions(): Int32Array {
    return this.#main.transitions;
  }

  /** How many states there are by now. */
  get states(): number {
    return this.#programs.reduce((sum, program) => sum + program.count, 0);
  }

  program(number: number): ProgramDfa {
    return this.#programs[number];
  }

  /** The state that strings begin in; FORGOTTEN only with `gaveUp`. */
  get start(): number {
    this.#start ??= this.#guarded(() => this.#main.start(true));
    return this.#start;
  }

  nextClosure(): number {
    if (this.#closures === 2 ** 31 - 1) {
      this.marks.fill(0);
      this.#closures = 0;
    }
    return ++this.#closures;
  }

  /** A new run: what happened in earlier ones does not count. */
  begin(): void {
    this.flushes = 0;
    this.gaveUp = false;
    if (this.#start === FORGOTTEN) this.#start = undefined;
  }

  /** The state behind `state` for a class of bytes, where the table says UNKNOWN. */
  advance(state: number, byteClass: number): number {
    if (this.bytes > regexLimits.stateBytesMax) {
      this.forget();
      if (++this.flushes > regexLimits.flushesMax) this.gaveUp = true;
      return FORGOTTEN;
    }
    return this.#guarded(() => this.#main.step(state, byteClass));
  }

  forget(): void {
    this.bytes = 0;
    this.#start = undefined;
    this.pending.clear();
    for (const program of this.#programs) program.clear();
  }

  #guarded(act: () => number): number {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof TooManyConfigurations)) throw error;
      this.gaveUp = true;
      return FORGOTTEN;
    }
  }

  /** Does it accept the bytes [from, to)? Undefined if it gave up. */
  accepts(bytes: Uint8Array, from: number, to: number): boolean | undefined {
    const { classOf, stride } = this;
    let state = this.start;
    for (let at = from; at < to; ) {
      if (state <= stride) break;
      const byteClass = classOf[bytes[at]];
      let next = this.transitions[state + byteClass];
      if (next === UNKNOWN) next = this.advance(state, byteClass);
      if (next === FORGOTTEN) {
        if (this.gaveUp) return undefined;
        state = this.start;
        at = from;
        continue;
      }
      state = next;
      at++;
    }
    return state === FORGOTTEN ? undefined : this.transitions[state + stride - 1] === ACCEPTED;
  }
}

class TooManyConfigurations extends Error {}

/**
 * Sets of lookaheads that are still to be settled, each set known by a number; 0 is the empty one. A member says which
 * program, in which state, and whether it must match or must not. The member −1 is `$`.
 */
class PendingSets {
  #sets: number[][] = [[]];
  #numbers = new Map<string, number>([["", 0]]);
  #steps = new Map<number, number>();

  constructor(readonly dfa: ForwardDfa) {}

  clear(): void {
    this.#sets = [[]];
    this.#numbers = new Map([["", 0]]);
    this.#steps.clear();
  }

  members(set: number): number[] {
    return this.#sets[set];
  }

  #numberOf(members: number[]): number {
    const sorted = [...new Set(members)].sort((a, b) => a - b);
    const key = sorted.join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#sets.push(sorted) - 1;
      this.#numbers.set(key, number);
      this.dfa.bytes += 100 + key.length * 2 + sorted.length * 8;
    }
    return number;
  }

  /** With a lookahead that begins here; −1 if it is settled against us. */
  withLookahead(set: number, program: number, negated: boolean, atStart: boolean): number {
    const state = this.dfa.program(program).start(atStart);
    if (state === DEAD) return negated ? set : -1;
    if (state === this.dfa.stride) return negated ? -1 : set;
    const members = this.#sets[set];
    const added = this.#encode(program, state, negated);
    return members.includes(added) ? set : this.#numberOf([...members, added]);
  }

  withEnd(set: number): number {
    return this.#sets[set].includes(-1) ? set : this.#numberOf([...this.#sets[set], -1]);
  }

  needsEnd(set: number): boolean {
    return this.#sets[set][0] === -1;
  }

  #encode(program: number, state: number, negated: boolean): number {
    return (state * this.dfa.nfa.programs.length + program) * 2 + (negated ? 1 : 0);
  }

  #decode(member: number): { program: number; state: number; negated: boolean } {
    const rest = Math.floor(member / 2);
    const programs = this.dfa.nfa.programs.length;
    return { program: rest % programs, state: Math.floor(rest / programs), negated: member % 2 === 1 };
  }

  /** The set behind a class of bytes; −1 if one of it is settled against us. */
  step(set: number, byteClass: number): number {
    if (set === 0) return 0;
    const key = set * 256 + byteClass;
    let next = this.#steps.get(key);
    if (next === undefined) {
      next = this.#stepped(set, byteClass);
      this.#steps.set(key, next);
      this.dfa.bytes += 40;
    }
    return next;
  }

  #stepped(set: number, byteClass: number): number {
    const members: number[] = [];
    for (const member of this.#sets[set]) {
      if (member === -1) return -1;
      const { program, state, negated } = this.#decode(member);
      const next = this.dfa.program(program).next(state, byteClass);
      const { stride } = this.dfa;
      if (next === (negated ? stride : DEAD)) return -1;
      if (next > stride) members.push(this.#encode(program, next, negated));
    }
    return this.#numberOf(members);
  }

  /** Are all of them content if the string ends here? */
  endsWell(set: number): boolean {
    return this.#sets[set].every((member) => {
      if (member === -1) return true;
      const { program, state, negated } = this.#decode(member);
      return this.dfa.program(program).mayEnd(state) !== negated;
    });
  }

  /** Is everything that `a` waits for something that `b` waits for too? */
  isSubset(a: number, b: number): boolean {
    return a === 0 || a === b || this.#sets[a].every((member) => this.#sets[b].includes(member));
  }
}

/** The deterministic automaton of one program: the pattern, or a lookahead. */
class ProgramDfa {
  transitions = new Int32Array(0);
  count = 0;
  /** By number of state (index of row / stride): nodes, and the pending set of each where some are not empty. */
  #nodes: Int32Array[] = [];
  #pendings: (Int32Array | undefined)[] = [];
  #byHash = new Map<number, number[]>();
  #starts: (number | undefined)[] = [];

  /** The configurations of the state in the making. */
  #foundNodes: number[] = [];
  #foundPendings: number[] = [];
  #accepts = false;
  #universal = false;
  #closure = 0;
  readonly #marks: Int32Array;
  /** Pending sets, other than the empty one, under which a node was met. */
  readonly #met = new Map<number, number[]>();
  readonly #stack: number[] = [];

  constructor(
    readonly dfa: ForwardDfa,
    readonly number: number,
  ) {
    this.#marks = dfa.marks;
    this.clear();
  }

  clear(): void {
    const { stride } = this.dfa;
    this.transitions = new Int32Array(stride * 4);
    this.transitions.fill(stride, stride, stride * 2);
    this.transitions[stride * 2 - 1] = ACCEPTED;
    this.count = 2;
    this.#nodes = [new Int32Array(0), new Int32Array(0)];
    this.#pendings = [undefined, undefined];
    this.#byHash = new Map();
    this.#starts = [];
    this.dfa.bytes += this.transitions.byteLength;
  }

  start(atStart: boolean): number {
    const which = atStart && this.dfa.nfa.hasAnchors.start ? 1 : 0;
    this.#starts[which] ??= this.#startState(atStart);
    return this.#starts[which];
  }

  #startState(atStart: boolean): number {
    this.#open();
    this.#close(this.dfa.nfa.programs[this.number].start, 0, atStart);
    return this.#state();
  }

  mayEnd(state: number): boolean {
    return this.transitions[state + this.dfa.stride - 1] === ACCEPTED;
  }

  next(state: number, byteClass: number): number {
    const next = this.transitions[state + byteClass];
    return next === UNKNOWN ? this.step(state, byteClass) : next;
  }

  /** Makes the transition and keeps it. */
  step(state: number, byteClass: number): number {
    const { nfa, stride, pending } = this.dfa;
    const nodes = this.#nodes[state / stride];
    const pendings = this.#pendings[state / stride];
    const byte = nfa.sample[byteClass];
    this.dfa.effort.spend(nodes.length);
    // Lookaheads first: their own steps must not come between open and state.
    const stepped = pendings?.map((set) => pending.step(set, byteClass));
    this.#open();
    for (let i = 0; i < nodes.length; i++) {
      const set = stepped ? stepped[i] : 0;
      if (set < 0) continue;
      const node = nodes[i];
      const target = nfa.kinds[node] === ACCEPT ? node : follow(nfa, node, byte);
      if (target >= 0) this.#close(target, set, false);
      if (this.#universal) break;
    }
    const next = this.#state();
    this.transitions[state + byteClass] = next;
    return next;
  }

  #open(): void {
    this.#foundNodes = [];
    this.#foundPendings = [];
    this.#accepts = false;
    this.#universal = false;
    this.#closure = this.dfa.nextClosure();
    this.#met.clear();
    this.#stack.length = 0;
  }

  /** Adds the configurations that are reached from one without reading. */
  #close(from: number, fromSet: number, atStart: boolean): void {
    const { nfa, pending } = this.dfa;
    const { kinds, firstEdge, edgeCount, target } = nfa;
    const stack = this.#stack;
    const bottom = stack.length;
    stack.push(from, fromSet);
    while (stack.length > bottom) {
      const set = stack.pop()!;
      const node = stack.pop()!;
      if (!this.#isNew(node, set)) continue;
      const first = firstEdge[node];
      switch (kinds[node]) {
        case BYTES:
          if (set === 0) {
            if (nfa.universal[node] === 1) this.#universal = true;
          } else if (pending.needsEnd(set)) break;
          this.#foundNodes.push(node);
          this.#foundPendings.push(set);
          break;
        case SPLIT:
          for (let edge = first + edgeCount[node] - 1; edge >= first; edge--) stack.push(target[edge], set);
          this.dfa.effort.spend(edgeCount[node]);
          break;
        case LOOKAHEAD:
        case NOT_AHEAD: {
          const program = nfa.look.get(node)!;
          const more = pending.withLookahead(set, program, kinds[node] === NOT_AHEAD, atStart);
          if (more >= 0) stack.push(target[first], more);
          break;
        }
        case START:
          if (atStart) stack.push(target[first], set);
          break;
        case END:
          stack.push(target[first], pending.withEnd(set));
          break;
        case ACCEPT:
          this.#accept(node, set);
          break;
      }
      if (this.#universal) stack.length = bottom;
    }
  }

  #accept(node: number, set: number): void {
    const { pending } = this.dfa;
    this.#accepts ||= pending.endsWell(set);
    // A lookahead does not mind what follows its match.
    if (this.number === 0 || pending.needsEnd(set)) return;
    if (set === 0) this.#universal = true;
    this.#foundNodes.push(node);
    this.#foundPendings.push(set);
  }

  /** Was the node met under this set, or under less? */
  #isNew(node: number, set: number): boolean {
    if (this.#marks[node] === this.#closure) return false;
    if (set === 0) {
      this.#marks[node] = this.#closure;
      return true;
    }
    const before = this.#met.get(node);
    if (!before) {
      this.#met.set(node, [set]);
      return true;
    }
    this.dfa.effort.spend(before.length);
    if (before.some((other) => this.dfa.pending.isSubset(other, set))) return false;
    before.push(set);
    if (this.#foundNodes.length > regexLimits.pendingConfigurationsMax) throw new TooManyConfigurations();
    return true;
  }

  /** The state with what was found: one that is there already, or a new one. */
  #state(): number {
    const { stride } = this.dfa;
    if (this.#universal) return stride;
    const { nodes, pendings } = this.#sorted();
    if (nodes.length === 0 && !this.#accepts) return DEAD;
    let hash = this.#accepts ? 1 : 0;
    for (const node of nodes) hash = Math.imul(hash ^ node, 0x01000193);
    if (pendings) for (const set of pendings) hash = Math.imul(hash ^ set, 0x01000193);
    const same = this.#byHash.get(hash);
    for (const number of same ?? []) {
      if (
        this.mayEnd(number * stride) === this.#accepts &&
        equal(this.#nodes[number], nodes) &&
        equalPendings(this.#pendings[number], pendings)
      ) {
        return number * stride;
      }
    }
    const number = this.count++;
    if (same) same.push(number);
    else this.#byHash.set(hash, [number]);
    this.#nodes.push(nodes);
    this.#pendings.push(pendings);
    const row = number * stride;
    if (row + stride > this.transitions.length) {
      const larger = new Int32Array(this.transitions.length * 2);
      larger.set(this.transitions);
      this.transitions = larger;
    }
    this.transitions.fill(UNKNOWN, row, row + stride - 1);
    this.transitions[row + stride - 1] = this.#accepts ? ACCEPTED : DEAD;
    this.dfa.bytes += stride * 4 + nodes.byteLength + (pendings?.byteLength ?? 0) + 200;
    return row;
  }

  #sorted(): { nodes: Int32Array; pendings: Int32Array | undefined } {
    const found = this.#foundNodes;
    const sets = this.#foundPendings;
    if (this.#met.size === 0) return { nodes: Int32Array.from(found).sort(), pendings: undefined };
    // A node that is there under less makes the others superfluous.
    const { pending } = this.dfa;
    const order = [...found.keys()].filter((i) => {
      if (sets[i] === 0) return true;
      if (this.#marks[found[i]] === this.#closure) return false;
      const others = this.#met.get(found[i])!;
      return !others.some((other) => other !== sets[i] && pending.isSubset(other, sets[i]));
    });
    order.sort((a, b) => found[a] - found[b] || sets[a] - sets[b]);
    const nodes = Int32Array.from(order, (i) => found[i]);
    const pendings = Int32Array.from(order, (i) => sets[i]);
    return { nodes, pendings: pendings.some((set) => set !== 0) ? pendings : undefined };
  }
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function equalPendings(a: Int32Array | undefined, b: Int32Array | undefined): boolean {
  if (!a || !b) return a === b;
  return equal(a, b);
}
