/**
 * Where the first lines stand that the line kernel counted as odd. It knows how many there are: a slice of the text is
 * looked at again only where it has some, and only until enough places are known.
 */
import { isComment } from "../input/tags.js";
import { limits } from "../limits.js";

const newline = 10;
const carriageReturn = 13;
const less = 60;

/** Lines of the text of a segment, from 0, by kind. */
interface LinesByKind<Value> {
  returns: Value;
  emptyLines: Value;
  comments: Value;
}

export class OddLines {
  readonly places: LinesByKind<number[]> = { returns: [], emptyLines: [], comments: [] };
  #counted: LinesByKind<number> = { returns: 0, emptyLines: 0, comments: 0 };

  /** `counted`: how many there are up to the end of the slice, which begins with line `first`. */
  look(slice: () => Uint8Array, first: number, counted: LinesByKind<number>): void {
    const wanted = {
      returns: this.#isWanted("returns", counted),
      emptyLines: this.#isWanted("emptyLines", counted),
      comments: this.#isWanted("comments", counted),
    };
    this.#counted = counted;
    if (wanted.returns || wanted.emptyLines || wanted.comments) this.#find(slice(), first, wanted);
  }

  #isWanted(kind: keyof LinesByKind<number>, counted: LinesByKind<number>): boolean {
    return counted[kind] > this.#counted[kind] && this.places[kind].length < limits.warningPlacesMax;
  }

  #find(slice: Uint8Array, first: number, wanted: LinesByKind<boolean>): void {
    const add = (kind: keyof LinesByKind<number>, line: number) => {
      this.places[kind].push(line);
      if (this.places[kind].length === limits.warningPlacesMax) wanted[kind] = false;
    };
    let line = first;
    for (let start = 0; start < slice.length; line++) {
      let end = slice.indexOf(newline, start);
      if (end < 0) end = slice.length;
      const next = end + 1;
      if (end > start && slice[end - 1] === carriageReturn) {
        end--;
        if (wanted.returns) add("returns", line);
      }
      if (end === start && wanted.emptyLines) add("emptyLines", line);
      if (wanted.comments && slice[start] === less && isComment(textOf(slice, start, end)))
        add("comments", line);
      if (!wanted.returns && !wanted.emptyLines && !wanted.comments) return;
      start = next;
    }
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString();
}
