/**
 * Tags of structures inside a stretch of text, as lines show them: <doc id="a01">, </s>.
 *
 * Between two tokens stand the tags of what ends there, the innermost first; then those of what has no tokens, and of
 * what begins, the outermost first. At the beginning of a stretch only the latter are shown, at its end only the former.
 * Of structures with the same tokens, the kind that is rarer in the corpus is the outer one.
 */

import { gallop } from "../../storage/cursor.js";
import type { Snapshot, Structure } from "../../storage/index.js";
import { printTag } from "../../storage/input/tags.js";
import { firstWhere } from "../../storage/lexicon/lexicon.js";
import { type StructureIndex, structureIndex } from "../match/structures.js";
import { checkStructureAttribute } from "../plan/names.js";
import { limits } from "./limits.js";

/** What stands before each position, if anything does. */
export interface Tags {
  closing: Map<number, string>;
  opening: Map<number, string>;
}

interface Found {
  kind: Kind;
  number: number;
  begin: number;
  end: number;
}

/** One kind of structure, and which of its attributes are shown. */
interface Kind {
  structure: Structure;
  index: StructureIndex;
  attributes: string[];
  texts: Map<number, string>;
}

export class TagReader {
  /** The outermost first. */
  readonly #kinds: Kind[] = [];

  /** "doc": with all its attributes; "doc.id": with this one. */
  constructor(
    readonly snapshot: Snapshot,
    names: readonly string[],
  ) {
    for (const name of names) {
      const dot = name.indexOf(".");
      const structure = snapshot.structure(dot < 0 ? name : name.slice(0, dot));
      let kind = this.#kinds.find((one) => one.structure === structure);
      if (!kind) {
        kind = { structure, index: structureIndex(snapshot, structure), attributes: [], texts: new Map() };
        this.#kinds.push(kind);
      }
      const shown = dot < 0 ? structure.attributes.map((one) => one.name) : [name.slice(dot + 1)];
      for (const attribute of shown) {
        checkStructureAttribute(snapshot, structure, attribute);
        if (!kind.attributes.includes(attribute)) kind.attributes.push(attribute);
      }
    }
    this.#kinds.sort((a, b) => a.structure.count - b.structure.count);
  }

  /** The tags of [from, to), its end included. */
  tags(from: number, to: number): Tags {
    const found = this.#kinds.flatMap((kind) => this.#find(kind, from, to));
    const depth = (one: Found) => this.#kinds.indexOf(one.kind);
    found.sort((a, b) => a.begin - b.begin || b.end - a.end || depth(a) - depth(b) || a.number - b.number);
    const tags: Tags = { closing: new Map(), opening: new Map() };
    const add = (where: Map<number, string>, position: number, text: string) =>
      where.set(position, (where.get(position) ?? "") + text);
    for (const { kind, number, begin, end } of found)
      if (begin === end) add(tags.opening, begin, this.#text(kind, number, "empty"));
    for (const { kind, number, begin, end } of found)
      if (begin >= from && begin < end) add(tags.opening, begin, this.#text(kind, number, "open"));
    for (const { kind, begin, end } of found.reverse())
      if (end <= to && begin < end) add(tags.closing, end, `</${kind.structure.name}>`);
    return tags;
  }

  /** Structures that begin or end in the stretch. */
  #find(kind: Kind, from: number, to: number): Found[] {
    const { segments } = this.snapshot;
    const { structure, index } = kind;
    const found: Found[] = [];
    // One may begin behind the last token of a segment.
    const first = firstWhere(segments.length, (at) => segments[at].start + segments[at].tokens >= from);
    for (let at = first; at < segments.length && segments[at].start <= to; at++) {
      const { start, tokens } = segments[at];
      const { begins, count, carriedIn } = index.pieces(at);
      if (from >= start && from < start + tokens) {
        const around = segments[at].structures(structure.name)?.allContaining(from - start) ?? [];
        for (const i of around) {
          const number = index.numberOf(at, i);
          const [begin] = structure.range(number);
          if (begin < from) found.push({ kind, number, begin, end: index.endOf(at, i) });
        }
      }
      let i = Math.max(carriedIn, gallop(begins, Math.max(0, from - start), 0, count));
      for (; i < count && start + begins[i] < to; i++) {
        const number = index.numberOf(at, i);
        found.push({ kind, number, begin: start + begins[i], end: index.endOf(at, i) });
      }
    }
    return found;
  }

  #text({ structure, attributes, texts }: Kind, number: number, tag: "open" | "empty"): string {
    let text = texts.get(number);
    if (text !== undefined) return text;
    const values = attributes.flatMap((name): [string, string][] => {
      const value = structure.value(number, name);
      return value === undefined ? [] : [[name, value]];
    });
    text = printTag({ kind: tag, name: structure.name, attributes: values });
    if (texts.size >= limits.keptOthersMax) texts.clear();
    texts.set(number, text);
    return text;
  }
}
