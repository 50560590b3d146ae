/** Terms of a query as a corpus has them: the ids that stand for each, whatever their case, or those of its lemma. */
import { nearestName } from "../../storage/derive/nearest.js";
import type { Attribute, Snapshot } from "../../storage/index.js";
import type { Span } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import { findAttribute } from "../plan/names.js";
import { escaped } from "../plan/values.js";
import { compilePattern, idsMatching } from "../regex/index.js";
import { limits } from "./limits.js";
import { type Clause, cutQuery, type Piece } from "./words.js";

export interface Term {
  /** In lower case; of a lemma, the lemma. */
  text: string;
  /** As it was typed, in lower case: what titles are looked through for. */
  typed: string;
  /** The attribute that has lists, and the ids there. */
  attribute: Attribute;
  ids: Uint32Array;
  /** Of all of them. */
  frequency: number;
  /** The one id of an attribute in lower case, where there is one: it knows in how many documents it is. */
  folded?: { attribute: Attribute; id: number };
}

export interface Unknown {
  term: string;
  span: Span;
  suggestion?: string;
}

export interface Terms {
  terms: Term[];
  /** Terms that follow each other in the query, each pair once: numbers of terms. */
  pairs: [number, number][];
  /** Phrases: numbers of terms, to stand one behind the other. One with −1 in it is nowhere. */
  phrases: number[][];
  unknown: Unknown[];
}

/** Where terms are looked for: an attribute, and how it is folded. */
export class TermFinder {
  readonly attribute: Attribute;
  readonly #words: Attribute;
  readonly #kept = new Map<string, Term | undefined>();

  constructor(
    readonly snapshot: Snapshot,
    attribute?: string,
  ) {
    this.#words = baseOf(snapshot.defaultAttribute);
    this.attribute = attribute === undefined ? this.#words : baseOf(findAttribute(snapshot, attribute));
  }

  /** Is the attribute something that words have, as their lemma? */
  get #isIndirect(): boolean {
    return this.attribute !== this.#words;
  }

  has(text: string): boolean {
    return this.find(text) !== undefined;
  }

  find(text: string): Term | undefined {
    if (!this.#kept.has(text)) this.#kept.set(text, this.#find(text));
    return this.#kept.get(text);
  }

  #find(text: string): Term | undefined {
    if (!this.#isIndirect) return termOf(this.snapshot, this.#words, text, text);
    const form = termOf(this.snapshot, this.#words, text, text);
    const value = form && this.#mostOften(form);
    return termOf(this.snapshot, this.attribute, value ?? text, text);
  }

  /** The value that most of the first places of a word have: its lemma. */
  #mostOften({ attribute, ids }: Term): string | undefined {
    const counts = new Map<number, number>();
    const block = new Uint32Array(limits.lemmaPlacesMax);
    let left: number = limits.lemmaPlacesMax;
    for (const segment of this.snapshot.segments) {
      for (const id of ids) {
        if (left === 0) break;
        const got = segment.positions(attribute, id).fill(block.subarray(0, left));
        const stream = segment.stream(this.attribute);
        for (let i = 0; i < got; i++) {
          const value = stream.at(block[i]);
          counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        left -= got;
      }
    }
    let best = -1;
    for (const [id, count] of counts) if (best < 0 || count > counts.get(best)!) best = id;
    return best < 0 ? undefined : this.attribute.lexicon.string(best).toLowerCase();
  }

  /** A frequent word that was perhaps meant. */
  suggestion(text: string): string | undefined {
    const { lexicon } = foldedOf(this.snapshot, this.#words) ?? this.#words;
    const { checkpoint } = this.snapshot.pool;
    function* frequent(): Generator<string> {
      const count = Math.min(lexicon.size, limits.suggestedFromWords);
      for (let id = 0; id < count; id++) {
        if ((id & 0x3ff) === 0) checkpoint();
        const string = lexicon.string(id);
        if (Math.abs(string.length - text.length) <= 2 && /[\p{L}\p{N}]/u.test(string))
          yield string.toLowerCase();
      }
    }
    return nearestName(text, frequent());
  }
}

function baseOf(attribute: Attribute): Attribute {
  return attribute.derived?.base ?? attribute;
}

/** The attribute that is another one in lower case. */
function foldedOf(snapshot: Snapshot, base: Attribute): Attribute | undefined {
  return snapshot.attributes.find(
    ({ derived, config }) =>
      derived?.base === base && /^(utf8)?lowercase$/.test(config.derived?.function ?? ""),
  );
}

function termOf(snapshot: Snapshot, attribute: Attribute, text: string, typed: string): Term | undefined {
  const lower = foldedOf(snapshot, attribute);
  const { frequencies } = attribute.lexicon;
  let ids: Uint32Array;
  let folded: Term["folded"];
  if (lower) {
    const id = lower.lexicon.find(text);
    if (id < 0) return undefined;
    ids = Uint32Array.from(lower.derived!.map.from(id));
    folded = { attribute: lower, id };
  } else {
    const pattern = compilePattern(escaped(text), { ignoreCase: true });
    const { checkpoint } = snapshot.pool;
    ids =
      attribute.lexicon.size === 0
        ? new Uint32Array(0)
        : Uint32Array.from(idsMatching(attribute.lexicon, pattern, { checkpoint }).ids);
  }
  let frequency = 0;
  for (const id of ids) frequency += frequencies[id];
  return frequency === 0 ? undefined : { text, typed, attribute, ids, frequency, ...(folded && { folded }) };
}

export function readTerms(finder: TermFinder, query: string): Terms {
  const clauses = cutQuery(query, (text) => finder.has(text));
  const found: Terms = { terms: [], pairs: [], phrases: [], unknown: [] };
  const numbers = new Map<string, number>();
  const pairs = new Set<string>();
  let before = -1;
  const numberOf = (piece: Piece): number => {
    if (!piece.known) {
      if (piece.isWord && !found.unknown.some(({ term }) => term === piece.text))
        found.unknown.push({ term: piece.text, span: piece.span });
      return -1;
    }
    const term = finder.find(piece.text) as Term;
    let number = numbers.get(term.text);
    if (number === undefined) {
      number = found.terms.length;
      if (number === limits.termsMax) throw tooMany(piece.span);
      numbers.set(term.text, number);
      found.terms.push(term);
    }
    return number;
  };
  for (const clause of clauses) {
    const own = termsOf(clause).map(numberOf);
    if (clause.phrase && own.length > 0) found.phrases.push(own);
    for (const number of own) {
      if (before >= 0 && number >= 0 && !pairs.has(`${before} ${number}`)) {
        pairs.add(`${before} ${number}`);
        found.pairs.push([before, number]);
      }
      before = number;
    }
  }
  if (found.terms.length === 0 && found.unknown.length === 0)
    throw new QueryError("empty_query", "there is no word to search for", "Write one, or several.", [
      0,
      query.length,
    ]);
  for (const unknown of found.unknown.slice(0, limits.suggestedTermsMax)) {
    const suggestion = finder.suggestion(unknown.term);
    if (suggestion !== undefined) unknown.suggestion = suggestion;
  }
  return found;
}

/** Signs are terms inside quotes only, where the corpus has them. */
function termsOf({ phrase, pieces }: Clause): Piece[] {
  return pieces.filter(({ isWord, known }) => isWord || (phrase && known));
}

function tooMany(span: Span): QueryError {
  return new QueryError(
    "too_many_terms",
    `the query has more than ${limits.termsMax} different terms (limit termsMax)`,
    "Ask for fewer words.",
    span,
  );
}
