/**
 * Grammars that come along, by their short names:
 *
 *   english             patterns over Penn-style tags
 *   english-universal   the same over the tags of Universal Dependencies
 *   ud                  edges of Universal Dependencies, of any language
 *
 * "english:xpos" takes the tags from another attribute than "tag". The two English ones are the same relations behind different
 * definitions of what a noun, a verb and so on is.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { builtFile } from "../../storage/built.js";
import { QueryError } from "../plan/errors.js";

const parts: Record<string, string[]> = {
  english: ["penn.m4", "english.wsdef.m4"],
  "english-universal": ["universal.m4", "english.wsdef.m4"],
  ud: ["ud.wsdef"],
};

export const grammarNames = Object.keys(parts);

export interface GrammarText {
  /** For messages: by its end one sees whether macros are expanded. */
  name: string;
  text: string;
}

/** The text of a grammar that comes along, or undefined if none has the name. */
export function shippedGrammar(asked: string): GrammarText | undefined {
  const [, name, attribute = "tag"] = /^([\w-]+)(?::(\w+))?$/.exec(asked) ?? [];
  if (name === undefined || !Object.hasOwn(parts, name)) return undefined;
  const text = parts[name]
    .map((file) => readFileSync(builtFile(`ql/sketch/grammars/${file}`), "utf8"))
    .join("");
  if (name === "ud")
    return { name: "ud.wsdef", text: text.replaceAll("*DEFAULTATTR tag", `*DEFAULTATTR ${attribute}`) };
  // No line more than the files have.
  return { name: `${name}.wsdef.m4`, text: `define(\`Tag', \`${attribute}')${text}` };
}

/** A grammar by its short name, or from a file. */
export function grammarText(asked: string): GrammarText {
  const shipped = shippedGrammar(asked);
  if (shipped) return shipped;
  try {
    return { name: basename(asked), text: readFileSync(asked, "utf8") };
  } catch (error) {
    throw new QueryError(
      "no_grammar",
      `the grammar ${JSON.stringify(asked)} cannot be read: ${(error as Error).message}`,
      `Give a file, or one of ${grammarNames.join(", ")}.`,
    );
  }
}
