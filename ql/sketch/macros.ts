/**
 * The macro pass of sketch grammars (files named *.m4): as much of m4 as they use.
 *
 *   define(`NAME',`text')   from here on NAME stands for the text; NAME(a, b) puts a for $1, b for $2 (up to $9)
 *   undefine(`NAME')        NAME stands for itself again
 *   divert(-1) … divert     what is written between them is left out; definitions hold all the same
 *   dnl …                   left out, to the end of the line and with it
 *   `text'                  text as it is, without its quotes; quotes nest
 *   # …                     a comment, kept as it is
 *
 * What a macro stands for is read again, so macros may use macros. Arguments are expanded when they are read, white space
 * before them is left out. Every character of the result knows where in the file it comes from: what a macro stood for
 * comes from where the macro was called, which is where somebody looks who is told of an error.
 */
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";

export interface Expanded {
  text: string;
  /** For each UTF-16 unit of the text, the offset in the file. */
  origins: Uint32Array;
}

/** The text as it is, for files without macros. */
export function unexpanded(text: string): Expanded {
  return { text, origins: Uint32Array.from({ length: text.length + 1 }, (_, i) => i) };
}

export function expandMacros(text: string): Expanded {
  return new Expander(text).run();
}

/** Text that is still to be read; of a macro's, all comes from where it was called. */
interface Frame {
  text: string;
  at: number;
  /** The call's place; absent for the file itself. */
  origin?: number;
}

type Builtin = (args: string[], place: number) => void;

class Expander {
  readonly #frames: Frame[];
  readonly #macros = new Map<string, string>();
  readonly #builtins: Map<string, Builtin>;
  #isDiverted = false;
  #expansions = 0;
  #pieces: string[] = [];
  #origins: number[] = [];

  constructor(readonly file: string) {
    this.#frames = [{ text: file, at: 0 }];
    this.#builtins = new Map<string, Builtin>([
      ["define", (args, place) => this.#define(args, place)],
      ["undefine", ([name = ""]) => void this.#macros.delete(name.trim())],
      ["divert", ([number = "0"]) => this.#divert(number)],
      ["dnl", () => this.#skipLine()],
    ]);
  }

  run(): Expanded {
    for (;;) {
      const place = this.#place;
      const token = this.#next();
      if (token === undefined) break;
      if (isName(token) && this.#call(token, place)) continue;
      this.#write(unquoted(token), place, token);
    }
    this.#origins.push(this.file.length);
    return { text: this.#pieces.join(""), origins: Uint32Array.from(this.#origins) };
  }

  /** Where in the file the next character comes from. */
  get #place(): number {
    const frame = this.#top;
    return frame ? (frame.origin ?? frame.at) : this.file.length;
  }

  /** The frame that is read; those that are read to their end are gone. */
  get #top(): Frame | undefined {
    while (this.#frames.length > 0) {
      const frame = this.#frames[this.#frames.length - 1];
      if (frame.at < frame.text.length) return frame;
      this.#frames.pop();
    }
    return undefined;
  }

  /** A name, something in quotes (with them), a comment, or one character. */
  #next(): string | undefined {
    const frame = this.#top;
    if (!frame) return undefined;
    const { text, at } = frame;
    name.lastIndex = at;
    const found = name.exec(text)?.[0];
    if (found !== undefined) {
      frame.at += found.length;
      return found;
    }
    if (text[at] === "`") return this.#quoted(frame);
    if (text[at] === "#") {
      const end = text.indexOf("\n", at);
      frame.at = end < 0 ? text.length : end;
      return text.slice(at, frame.at);
    }
    frame.at++;
    return text[at];
  }

  #quoted(frame: Frame): string {
    const place = this.#place;
    const begin = frame.at;
    let depth = 0;
    for (let i = begin; i < frame.text.length; i++) {
      if (frame.text[i] === "`") depth++;
      else if (frame.text[i] === "'" && --depth === 0) {
        frame.at = i + 1;
        return frame.text.slice(begin, i + 1);
      }
    }
    throw trouble("unbalanced", "a quote that opens here (`) is not closed by an apostrophe", place);
  }

  /** Does what a macro's name says; false if it is the name of none. */
  #call(token: string, place: number): boolean {
    const builtin = this.#builtins.get(token);
    const body = this.#macros.get(token);
    if (!builtin && body === undefined) return false;
    if (++this.#expansions > limits.macroExpansionsMax)
      throw trouble(
        "macros_endless",
        `macros are expanded more than ${limits.macroExpansionsMax} times (macroExpansionsMax)`,
        place,
        `Does ${token} lead to itself?`,
      );
    const frame = this.#top;
    const isCalled = frame !== undefined && frame.text[frame.at] === "(";
    if (builtin) {
      // define without arguments is a word like others.
      if (!isCalled && (token === "define" || token === "undefine")) return false;
      builtin(isCalled ? this.#arguments(place) : [], place);
      return true;
    }
    const args = isCalled ? this.#arguments(place) : [];
    const text = body!.replace(/\$([0-9])/g, (_, digit: string) =>
      digit === "0" ? token : (args[Number(digit) - 1] ?? ""),
    );
    if (this.#frames.length > limits.macroDepthMax || text.length > limits.grammarCharsMax)
      throw trouble(
        "macros_endless",
        "macros inside macros are too deep or too long (macroDepthMax, grammarCharsMax)",
        place,
        `Does ${token} lead to itself?`,
      );
    this.#frames.push({ text, at: 0, origin: place });
    return true;
  }

  /** What stands in the brackets that come next, expanded, cut at the commas. */
  #arguments(place: number): string[] {
    this.#next();
    const args: string[] = [];
    let arg = "";
    let depth = 0;
    this.#skipWhite();
    for (;;) {
      const at = this.#place;
      const token = this.#next();
      if (token === undefined)
        throw trouble("unbalanced", "the brackets of a macro that is called here are not closed", place);
      if (isName(token) && this.#call(token, at)) continue;
      if (depth === 0 && (token === "," || token === ")")) {
        args.push(arg);
        if (token === ")") return args;
        arg = "";
        this.#skipWhite();
        continue;
      }
      if (token === "(") depth++;
      if (token === ")") depth--;
      arg += unquoted(token);
      if (arg.length > limits.grammarCharsMax)
        throw trouble("macros_endless", "an argument is too long (grammarCharsMax)", place);
    }
  }

  #skipWhite(): void {
    for (let frame = this.#top; frame && /\s/.test(frame.text[frame.at]); frame = this.#top) frame.at++;
  }

  #define([name, text = ""]: string[], place: number): void {
    if (!isName(name ?? ""))
      throw trouble(
        "bad_macro",
        `${JSON.stringify(name ?? "")} cannot be the name of a macro`,
        place,
        "Write define(`NAME',`text'): letters, digits and _, not beginning with a digit.",
      );
    this.#macros.set(name, text);
  }

  #divert(number: string): void {
    this.#isDiverted = number.trim() !== "" && number.trim() !== "0";
  }

  #skipLine(): void {
    const frame = this.#top;
    if (!frame) return;
    const end = frame.text.indexOf("\n", frame.at);
    frame.at = end < 0 ? frame.text.length : end + 1;
  }

  /** `place`: where the token comes from, quotes included. */
  #write(text: string, place: number, token: string): void {
    if (this.#isDiverted || text === "") return;
    if (this.#origins.length + text.length > limits.grammarCharsMax)
      throw trouble(
        "grammar_too_long",
        `the grammar has more than ${limits.grammarCharsMax} characters when its macros are expanded (grammarCharsMax)`,
        place,
      );
    this.#pieces.push(text);
    const frame = this.#frames[this.#frames.length - 1];
    const isOfFile = frame === undefined || frame.origin === undefined;
    const from = place + (text.length < token.length ? 1 : 0);
    for (let i = 0; i < text.length; i++) this.#origins.push(isOfFile ? from + i : place);
  }
}

const name = /[A-Za-z_][A-Za-z_0-9]*/y;

function isName(token: string): boolean {
  return /^[A-Za-z_][A-Za-z_0-9]*$/.test(token);
}

function unquoted(token: string): string {
  return token.length > 1 && token[0] === "`" ? token.slice(1, -1) : token;
}

function trouble(code: string, message: string, place: number, hint?: string): QueryError {
  return new QueryError(code, message, hint, [place, place + 1]);
}
