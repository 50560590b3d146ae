/**
 * Paragraphs as lines of the vertical stream: pieces of text between spaces are cut into tokens, and what stands at the end of
 * one and at the beginning of the next says whether a sentence ends between them.
 *
 * Pieces that were met before are not cut again: half of all pieces of any text are a few hundred different ones.
 */
import { limits } from "../limits.js";
import { type Context, isSmallWord, noToken } from "./boundaries.js";
import { invisible, isSurrogate, unitKind, white } from "./characters.js";
import { type Cut, cutOf } from "./cut.js";
import { KnownCuts } from "./known.js";
import type { Rules } from "./rules.js";

export interface Sentences {
  /** <s>, tokens, <g/>, </s>: lines. */
  text: string;
  tokens: number;
  sentences: number;
}

const gap = white | invisible;

export class SentenceCutter {
  readonly #known = new KnownCuts();
  /** The code units of the text at hand: an array of numbers is read several times as fast as a string. */
  #units = new Uint16Array(0);
  #out = "";
  #tokens = 0;
  #sentences = 0;
  #isOpen = false;
  /** Tokens and straight double quotes of the sentence that is open. */
  #length = 0;
  #quotes = 0;
  /** The pieces of the text at hand, and whether each is glued to the one before. */
  readonly #pieces: Cut[] = [];
  readonly #glued: boolean[] = [];
  readonly #context: Context = { rule: false, length: 0, before2: 0, before: 0, next: 0, next2: 0 };
  constructor(
    readonly rules: Rules,
    /** Do lines end sentences? */
    readonly byLine = false,
  ) {}

  /** Of the paragraph at hand. */
  get tokensSoFar(): number {
    return this.#tokens;
  }

  /** A paragraph's sentences. */
  paragraph(text: string): Sentences {
    this.#out = "";
    this.#tokens = this.#sentences = 0;
    if (!this.byLine) this.#add(text);
    else for (const line of text.split("\n")) this.#add(line);
    return { text: this.#out, tokens: this.#tokens, sentences: this.#sentences };
  }

  #add(text: string): void {
    this.#read(text);
    const cuts = this.#pieces;
    let end: Cut | undefined;
    let before: Cut | undefined;
    for (let i = 0; i < cuts.length; i++) {
      const next = cuts[i + 1];
      const cut = next ? this.#inContext(cuts[i], next) : cuts[i];
      this.#emit(cut, this.#glued[i]);
      // « … . »: what closes the sentence stands apart.
      const closes = cut.isCloser && end !== undefined && end.end !== "none";
      if (!closes) end = cut;
      if (next && !(next.isCloser && end!.end !== "none" && !this.#opensQuote(next))) {
        if (this.#endsBetween(end!, cut, before, next, cuts[i + 2])) {
          this.#close();
          end = undefined;
        }
      }
      before = cut;
    }
    this.#close();
    cuts.length = 0;
    this.#glued.length = 0;
  }

  /** Finds the pieces of a text. */
  #read(text: string): void {
    const units = this.#unitsOf(text);
    const { length } = text;
    let isGlued = false;
    for (let at = 0; at < length; ) {
      const kind = unitKind(units[at]);
      if (kind & gap) {
        // A word that ends without being seen to ends without a space.
        isGlued = (kind & invisible) !== 0 && at > 0 && (isGlued || !isWhite(units[at - 1]));
        at++;
        continue;
      }
      const from = at;
      const last = Math.min(length, from + limits.pieceCharsMax);
      let hash = 0;
      do {
        hash = Math.imul(hash ^ units[at], 0x9e3779b1);
        hash ^= hash >>> 15;
        at++;
      } while (at < last && (unitKind(units[at]) & gap) === 0);
      const isCut = at === last && at < length && (unitKind(units[at]) & gap) === 0;
      if (isCut) at = endOfPiece(text, from, at);
      this.#pieces.push(this.#cutOf(text, from, at, hash));
      this.#glued.push(isGlued && this.#glued.length > 0);
      isGlued = isCut;
    }
  }

  /** Good until the next is asked for. */
  #unitsOf(text: string): Uint16Array {
    if (this.#units.length < text.length) this.#units = new Uint16Array(Math.max(4096, 2 * text.length));
    const units = this.#units;
    Buffer.from(units.buffer).write(text, "utf16le");
    return units;
  }

  #cutOf(text: string, from: number, to: number, hash: number): Cut {
    if (to - from > limits.pieceCharsKept) return cutOf(text.slice(from, to), this.rules);
    const known = this.#known.find(this.#units, from, to, hash);
    if (known) return known;
    // A copy: a slice would keep the whole paragraph in memory.
    const cut = cutOf(copyOf(text, from, to), this.rules);
    this.#known.keep(cut, this.#units, from, to, hash);
    return cut;
  }

  #opensQuote(cut: Cut): boolean {
    return cut.quotes > 0 && this.#quotes % 2 === 0;
  }

  #emit(cut: Cut, isGlued: boolean): void {
    if (!this.#isOpen) {
      this.#out += "<s>\n";
      this.#isOpen = true;
      this.#sentences++;
    }
    if (isGlued) this.#out += "<g/>\n";
    this.#tokens += cut.tokens;
    this.#length += cut.tokens;
    this.#quotes += cut.quotes;
    if (cut.pieces) {
      this.#out += cut.pieces.join("</s>\n<s>\n");
      this.#sentences += cut.pieces.length - 1;
      this.#quotes = 0;
    } else this.#out += cut.text;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#out += "</s>\n";
    this.#isOpen = false;
    this.#length = this.#quotes = 0;
  }

  /** What a piece is, now that it is known what follows. */
  #inContext(cut: Cut, next: Cut): Cut {
    if (cut.beforeNumber && next.start === "digit") return cut.beforeNumber;
    if (cut.ordinal) {
      if (next.start === "lower" || this.rules.afterOrdinals.has(next.first)) return cut.ordinal;
    }
    return cut;
  }

  /**
   * `end` is what the sentence ends with, if it does: the piece before the space, or, if that only closes something, the one
   * before it.
   */
  #endsBetween(end: Cut, cut: Cut, before: Cut | undefined, next: Cut, after: Cut | undefined): boolean {
    const rule = this.#ruleEnds(end, next, after);
    const { boundaries } = this.rules;
    // Between two small words nothing ends: most spaces are such.
    if (!boundaries || (!rule && isSmallWord(cut.classes[3]) && isSmallWord(next.classes[0]))) return rule;
    const [, , before2, last] = cut.classes;
    const context = this.#context;
    context.rule = rule;
    context.length = this.#length;
    context.before2 = cut.tokens > 1 ? before2 : this.#length > 1 && before ? before.classes[3] : noToken;
    context.before = last;
    context.next = next.classes[0];
    context.next2 = next.tokens > 1 ? next.classes[1] : after ? after.classes[0] : noToken;
    return boundaries.ends(context);
  }

  #ruleEnds({ end, first, tokens }: Cut, next: Cut, after: Cut | undefined): boolean {
    switch (end) {
      case "strong":
        return !goesOn(next, after);
      case "period":
        // "1. First of all": the number of an item of a list.
        if (this.#length === tokens && tokens === 2 && /^\p{Nd}+$/u.test(first)) return false;
        return !goesOn(next, after);
      case "ellipsis":
        return next.start === "upper";
      case "abbreviation":
      case "initial":
        return this.rules.starters.has(next.first);
      default:
        return false;
    }
  }
}

/** With a small letter, also behind a dash: — Hi! — said he. */
function goesOn({ start, behindDash }: Cut, after: Cut | undefined): boolean {
  return start === "lower" || (behindDash === "nothing" ? after?.start : behindDash) === "lower";
}

function copyOf(text: string, from: number, to: number): string {
  let copy = "";
  for (let at = from; at < to; at++) copy += text[at];
  return copy;
}

function isWhite(unit: number): boolean {
  return (unitKind(unit) & white) !== 0;
}

/** Text without spaces is cut where it is too long: behind a mark if there is one, and never inside a character. */
function endOfPiece(text: string, from: number, to: number): number {
  for (let at = to; at > from + limits.pieceCharsMax / 2; at--) {
    if (/[。！？，、；,;:)»”\]]/.test(text[at - 1])) return at;
  }
  return isSurrogate(text.charCodeAt(to)) && isSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}
