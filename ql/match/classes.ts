/**
 * Classes: for each token of some islands one byte that says which atoms of a pattern hold. With up to eight atoms the
 * byte is a bit for each; with more, combinations are numbered as they turn up.
 */

import type { Attribute } from "../../storage/index.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "../plan/limits.js";
import { type Atom, holds, type Test } from "../plan/tests.js";
import type { ListReader } from "./anchors.js";
import type { Ground, Islands } from "./ground.js";
import { paint, paintList } from "./paint.js";

/** Kernels read whole vectors, and some bytes more. */
const padding = 32;

export class Classifier {
  readonly alphabet: number;
  readonly #planes: number;
  /** If all atoms ask one attribute of at most 256 types, its ids serve as classes. */
  readonly direct: Attribute | undefined;
  readonly #idTables: Uint8Array[] = [];
  /** Tables of ids to bits, by plane and attribute. */
  readonly #tables: {
    plane: number;
    attribute: Attribute;
    address: number;
  }[] = [];
  /** With more than eight atoms: the combination of each class, and the class of each combination. */
  readonly #combinations: Uint8Array[] = [];
  readonly #classOf = new Map<string, number>();
  #classOfPair: Int16Array | undefined;
  /** Tests as tables of classes. */
  readonly #asTables = new Map<Test, Uint8Array>();

  constructor(
    readonly ground: Ground,
    readonly atoms: readonly Atom[],
    /** Atoms whose places are listed: they are set where the lists say, and their tokens need not be fetched. */
    readonly listed: ReadonlyMap<number, ListReader> = new Map(),
  ) {
    this.direct = listed.size > 0 ? undefined : directAttribute(atoms);
    this.#planes = this.direct ? 1 : Math.max(1, Math.ceil(atoms.length / 8));
    if (this.direct) {
      this.alphabet = 256;
      this.#idTables = atoms.map((atom) => idTable(atom as IdsAtom));
    } else {
      this.alphabet = this.#planes === 1 ? 1 << atoms.length : limits.tokenClassesMax;
      this.#makeTables();
    }
  }

  #makeTables(): void {
    const { arena } = this.ground;
    for (let plane = 0; plane < this.#planes; plane++) {
      const ofAttribute = new Map<Attribute, number>();
      for (let bit = 0; bit < 8 && plane * 8 + bit < this.atoms.length; bit++) {
        const atom = this.atoms[plane * 8 + bit];
        if (atom.kind !== "ids" || this.listed.has(plane * 8 + bit)) continue;
        const { size } = atom.attribute.lexicon;
        let address = ofAttribute.get(atom.attribute);
        if (address === undefined) {
          // A stream of bytes is looked up by any byte.
          const bytes = Math.max(256, size);
          address = arena.allocate(bytes);
          arena.kernels.clear(address, bytes);
          ofAttribute.set(atom.attribute, address);
          this.#tables.push({ plane, attribute: atom.attribute, address });
        }
        const table = arena.bytes(address, size);
        const { ids, negated } = atom.ids;
        if (negated) for (let id = 0; id < size; id++) table[id] |= 1 << bit;
        if (negated) for (let i = 0; i < ids.length; i++) table[ids[i]] &= ~(1 << bit);
        else for (let i = 0; i < ids.length; i++) table[ids[i]] |= 1 << bit;
      }
    }
  }

  /** The classes of all places of the islands: an address in the arena. */
  classify(islands: Islands): number {
    const { arena } = this.ground;
    const address = arena.allocate(islands.size + padding);
    if (this.direct) {
      this.ground.readBytes(this.direct, islands, address);
      arena.kernels.clear(address + islands.size, padding);
      return address;
    }
    if (this.#planes === 1) {
      this.#fill(islands, 0, address);
      return address;
    }
    const planes: number[] = [];
    for (let plane = 0; plane < this.#planes; plane++) {
      planes.push(arena.allocate(islands.size + padding));
      this.#fill(islands, plane, planes[plane]);
    }
    this.#combine(planes, islands.size, address);
    return address;
  }

  #fill(islands: Islands, plane: number, address: number): void {
    const { ground } = this;
    ground.arena.kernels.clear(address, islands.size + padding);
    for (const { plane: own, attribute, address: table } of this.#tables) {
      if (own === plane) ground.classify(attribute, islands, table, address);
    }
    for (let bit = 0; bit < 8 && plane * 8 + bit < this.atoms.length; bit++) {
      const atom = this.atoms[plane * 8 + bit];
      const list = this.listed.get(plane * 8 + bit);
      if (list) paintList(ground, (at) => list.places(at), islands, address, 1 << bit);
      else if (atom.kind !== "ids") paint(ground, atom, islands, address, 1 << bit);
    }
  }

  #combine(planes: number[], count: number, address: number): void {
    const { u8 } = this.ground.arena;
    // With two planes, which is the most there ever are but for odd queries, a combination is an index.
    const known = planes.length === 2 ? (this.#classOfPair ??= new Int16Array(1 << 16).fill(-1)) : undefined;
    const [first, second] = planes;
    for (let i = 0; i < count; i++) {
      let own: number | undefined;
      if (known) {
        const pair = u8[first + i] | (u8[second + i] << 8);
        own = known[pair];
        if (own < 0) own = known[pair] = this.#newClass(planes, i);
      } else {
        let key = "";
        for (const plane of planes) key += String.fromCharCode(u8[plane + i]);
        own = this.#classOf.get(key);
        if (own === undefined) {
          own = this.#newClass(planes, i);
          this.#classOf.set(key, own);
        }
      }
      u8[address + i] = own;
    }
  }

  #newClass(planes: number[], place: number): number {
    const { u8 } = this.ground.arena;
    if (this.#combinations.length >= limits.tokenClassesMax) {
      throw new QueryError(
        "too_many_conditions",
        `the conditions of one pattern hold in more than ${limits.tokenClassesMax} combinations (limit tokenClassesMax)`,
        "Split the query.",
      );
    }
    return this.#combinations.push(Uint8Array.from(planes, (plane) => u8[plane + place])) - 1;
  }

  /** Does a test hold for tokens of a class? */
  holds(test: Test, own: number): boolean {
    if (this.direct) return holds(test, (atom) => this.#idTables[atom][own] === 1);
    if (this.#planes === 1) return holds(test, (atom) => (own & (1 << atom)) !== 0);
    const combination = this.#combinations[own];
    return holds(test, (atom) => (combination[atom >> 3] & (1 << (atom & 7))) !== 0);
  }

  /** 1 for each class that passes a test. Not for more than eight atoms: there classes turn up as they come. */
  table(test: Test): Uint8Array {
    let table = this.#asTables.get(test);
    if (!table) {
      table = new Uint8Array(this.alphabet);
      for (let own = 0; own < this.alphabet; own++) table[own] = this.holds(test, own) ? 1 : 0;
      this.#asTables.set(test, table);
    }
    return table;
  }

  get narrow(): boolean {
    return this.#planes === 1;
  }
}

type IdsAtom = Extract<Atom, { kind: "ids" }>;

/** The attribute whose ids can be classes. */
function directAttribute(atoms: readonly Atom[]): Attribute | undefined {
  const [first] = atoms;
  if (first?.kind !== "ids" || first.attribute.lexicon.size > 256) return undefined;
  const { attribute } = first;
  return atoms.every((atom) => atom.kind === "ids" && atom.attribute === attribute) ? attribute : undefined;
}

/** 1 for each id of an atom. */
export function idTable({ attribute, ids: { ids, negated } }: IdsAtom): Uint8Array {
  const table = new Uint8Array(Math.max(256, attribute.lexicon.size));
  if (negated) table.fill(1, 0, attribute.lexicon.size);
  for (let i = 0; i < ids.length; i++) table[ids[i]] = negated ? 0 : 1;
  return table;
}

/** Sets of classes (or of ids below 256) as the kernels look them up: 32 bytes each (assembly/match.ts). */
export function packedSets(sets: readonly Uint8Array[]): Uint8Array {
  const packed = new Uint8Array(sets.length * 32);
  sets.forEach((set, k) => {
    for (let own = 0; own < Math.min(256, set.length); own++) {
      if (set[own] === 1) packed[k * 32 + (own >= 128 ? 16 : 0) + (own & 15)] |= 1 << ((own >> 4) & 7);
    }
  });
  return packed;
}
