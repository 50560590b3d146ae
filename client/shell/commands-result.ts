/** Commands that do something with the result: each adds a step, and shows what comes out. */
import { filterOf, firstOf, sampleOf } from "../cli/steps.js";
import { problem } from "../errors.js";
import type { Step } from "../index.js";
import type { Call, Command } from "./commands.js";
import { save } from "./save.js";
import { text, type View } from "./views.js";

/** A command whose argument is a step. */
function adding(
  usage: string,
  about: string,
  argument: Command["argument"],
  read: (text: string) => Step,
): Command {
  return {
    usage,
    about,
    argument,
    run: ({ shell, argument: given, signal }) => {
      shell.chain();
      const step = readStep(read, given, usage);
      shell.state.steps = [...shell.state.steps, step];
      return shell.lines(signal);
    },
  };
}

function readStep(read: (text: string) => Step, given: string, usage: string): Step {
  try {
    return read(given);
  } catch (error) {
    throw problem("bad_usage", (error as Error).message, `It is used so: ${usage}`);
  }
}

function keys(given: string): string[] {
  const list = given.split(",").map((key) => key.trim());
  if (list.includes("")) throw new Error("There is no key to sort by, or nothing between two commas.");
  return list;
}

function needed(given: string): string {
  if (given === "") throw new Error("A query is missing.");
  return given;
}

export const resultCommands: Record<string, Command> = {
  sort: adding("word 1R[, lemma/i -1, doc.year]", "order the matches by keys", "keys", (given) => ({
    step: "sort",
    keys: keys(given),
  })),
  filter: adding("[-5..5 | s] cql", "keep matches with another query near them", "cql", filterOf(false)),
  drop: adding("[-5..5 | s] cql", "drop such matches instead", "cql", filterOf(true)),
  inside: adding("cql", "keep matches that lie inside a match of another query", "cql", (given) => ({
    step: "within",
    query: needed(given),
  })),
  outside: adding("cql", "drop such matches instead", "cql", (given) => ({
    step: "within",
    query: needed(given),
    drop: true,
  })),
  sample: adding("100 | 5%", "a random choice of so many matches", "text", sampleOf),
  shuffle: adding("", "a random order", "nothing", () => ({ step: "shuffle" })),
  first: adding("doc[:3]", "only the first matches in each structure", "names", firstOf),
  outermost: adding("", "drop matches that lie inside others", "nothing", () => ({ step: "outermost" })),
  examples: adding("[10]", "the best examples first", "text", (given) => {
    if (!/^\d*$/.test(given)) throw new Error("It is not a whole number.");
    return { step: "examples", ...(given !== "" && { count: Number(given) }) };
  }),
  undo: {
    usage: "",
    about: "take the last of these steps back",
    argument: "nothing",
    run: undo,
  },
  save: {
    usage: "file.csv | .tsv | .jsonl | .xlsx | .txt",
    about: "write all of what was shown last to a file",
    argument: "text",
    run: async ({ shell, argument, signal }) => {
      if (!shell.last) throw problem("no_result", "there is nothing to save yet", "Ask something first.");
      if (argument === "")
        throw problem("bad_usage", "\\save needs the name of a file", "As in \\save lines.csv");
      return text(await save(shell.last, argument, signal));
    },
  },
};

function undo({ shell, signal }: Call): View {
  const { state } = shell;
  if (state.steps.length === 0)
    throw problem("nothing_to_undo", "nothing was done with the matches of the query yet");
  state.steps = state.steps.slice(0, -1);
  return shell.lines(signal);
}
