/**
 * What somebody typed, as the tokens of a corpus: the corpus's own lexicon says how it is cut.
 *
 *   query  = { word | '"' { word } '"' }         “ ” are quotes, too; control characters are blanks
 *
 * A word is what stands between blanks, in lower case. If the corpus has it, it is one term: U.S., state-of-the-art. If not, it
 * is cut into as few pieces as can be that the corpus has; of equally many, the longest come first. A cut may be made
 *   - between letters or digits and another sign, and between two signs        economy, → economy ,
 *   - one letter before an apostrophe                                         don't → do n't
 *   - between characters of scripts that put no blanks between words (Han, Kana, Thai, Lao, Khmer, Burmese)
 * and ’ is tried as ', too. A run of letters and digits that is in no such piece is a word that the corpus does not have.
 * Signs alone are no terms; inside quotes they are, where the corpus has them, since there what follows what matters.
 */
import type { Span } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";

export interface Piece {
  /** In lower case, as the corpus has it. */
  text: string;
  /** Letters or digits: a word, not signs alone. */
  isWord: boolean;
  known: boolean;
  span: Span;
}

export interface Clause {
  phrase: boolean;
  pieces: Piece[];
  span: Span;
}

/** Has the corpus this token, whatever its case? */
export type Has = (text: string) => boolean;

export function cutQuery(text: string, has: Has): Clause[] {
  if (text.length > limits.queryCharsMax)
    throw new QueryError(
      "query_too_long",
      `the query has ${text.length.toLocaleString("en")} characters, and may have ${limits.queryCharsMax.toLocaleString("en")} (limit queryCharsMax)`,
      "Ask for fewer words.",
    );
  const clauses: Clause[] = [];
  let open = -1;
  let phrase: Piece[] = [];
  // Blanks and control characters (NUL, too) end a word, and so does half a character, which is in no text.
  for (const found of text.matchAll(/["“”„]|[^\s\p{Cc}\p{Cs}"“”„]+/gu)) {
    const [own] = found;
    const from = found.index;
    if (/^["“”„]$/.test(own)) {
      if (open < 0) open = from;
      else {
        if (phrase.length > 0) clauses.push({ phrase: true, pieces: phrase, span: [open, from + 1] });
        phrase = [];
        open = -1;
      }
      continue;
    }
    const pieces = cutWord(own, from, has);
    if (open >= 0) phrase.push(...pieces);
    else clauses.push({ phrase: false, pieces, span: [from, from + own.length] });
  }
  if (open >= 0)
    throw new QueryError("unbalanced_quote", "this quote is never closed", 'Add a ".', [open, open + 1]);
  return clauses;
}

const inWord = /[\p{L}\p{M}\p{N}]/u;
const unspaced =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
const apostrophe = /['’]/;

/** One word in pieces. */
export function cutWord(word: string, offset: number, has: Has): Piece[] {
  const lower = word.toLowerCase();
  const whole = known(lower, has);
  const span: Span = [offset, offset + word.length];
  if (whole !== undefined) return [{ text: whole, isWord: inWord.test(whole), known: true, span }];
  const characters = [...word];
  const offsets = [offset];
  for (const character of characters) offsets.push(offsets[offsets.length - 1] + character.length);
  const cuts = cutsOf(characters, characters.length <= limits.chunkCharsMax);
  const best = fewest(characters, cuts, has);
  return best.map(({ from, to, text, known: isKnown }) => ({
    text,
    isWord: inWord.test(text),
    known: isKnown,
    span: [offsets[from], offsets[to]],
  }));
}

/** The form of a string that the corpus has. */
function known(text: string, has: Has): string | undefined {
  if (has(text)) return text;
  const plain = text.replaceAll("’", "'");
  return plain !== text && has(plain) ? plain : undefined;
}

interface Cuts {
  /** May a piece begin or end before this character? */
  allowed: boolean[];
  /** Is this the edge of a run of letters and digits, or of a sign? */
  edges: boolean[];
}

function cutsOf(characters: string[], fine: boolean): Cuts {
  const { length } = characters;
  const edges: boolean[] = [];
  const allowed: boolean[] = [];
  for (let i = 0; i <= length; i++) {
    const [before, behind] = [characters[i - 1] ?? "", characters[i] ?? ""];
    edges[i] = i === 0 || i === length || !inWord.test(before) || !inWord.test(behind);
    allowed[i] =
      edges[i] ||
      (fine && apostrophe.test(characters[i + 1] ?? "")) ||
      (fine && unspaced.test(before) && unspaced.test(behind));
  }
  return { allowed, edges };
}

interface Cut {
  from: number;
  to: number;
  text: string;
  known: boolean;
}

/** The way that leaves the fewest characters unknown, and of those the one with the fewest pieces. */
function fewest(characters: string[], { allowed, edges }: Cuts, has: Has): Cut[] {
  const { length } = characters;
  const unknown = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const pieces = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const first: (Cut | undefined)[] = [];
  unknown[length] = pieces[length] = 0;
  for (let from = length - 1; from >= 0; from--) {
    if (!allowed[from]) continue;
    const runEnd = edges.indexOf(true, from + 1);
    const most = Math.max(runEnd, Math.min(length, from + limits.pieceCharsMax));
    for (let to = most; to > from; to--) {
      if (!allowed[to]) continue;
      const lower = characters.slice(from, to).join("").toLowerCase();
      const found = to - from <= limits.pieceCharsMax ? known(lower, has) : undefined;
      // What the corpus does not have is a whole run, or a sign.
      if (found === undefined && !(edges[from] && to === runEnd)) continue;
      const strange = unknown[to] + (found === undefined && inWord.test(lower) ? to - from : 0);
      const count = pieces[to] + 1;
      if (strange > unknown[from] || (strange === unknown[from] && count >= pieces[from])) continue;
      unknown[from] = strange;
      pieces[from] = count;
      first[from] = { from, to, text: found ?? lower, known: found !== undefined };
    }
  }
  const way: Cut[] = [];
  for (let at = 0; at < length; at = way[way.length - 1].to) way.push(first[at] as Cut);
  return way;
}
