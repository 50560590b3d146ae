/** All that can be said with a backslash. Adding a command is adding an entry to one of the tables. */

import { wrap } from "../cli/width.js";
import { corpusCommands } from "./commands-corpus.js";
import { resultCommands } from "./commands-result.js";
import { searchCommands } from "./commands-search.js";
import { showingCommands } from "./commands-showing.js";
import { statisticsCommands } from "./commands-statistics.js";
import type { Argument } from "./completion.js";
import { limits } from "./limits.js";
import type { Shell } from "./shell.js";
import { text, type View } from "./views.js";

export interface Call {
  shell: Shell;
  argument: string;
  signal?: AbortSignal;
}

export interface Command {
  /** What stands behind its name. */
  usage: string;
  about: string;
  argument: Argument;
  run(call: Call): Promise<View | undefined> | View | undefined;
}

export const commands: Record<string, Command> = {
  ...corpusCommands,
  ...resultCommands,
  ...statisticsCommands,
  ...searchCommands,
  ...showingCommands,
  help: {
    usage: "[command]",
    about: "say what can be said here",
    argument: "commands",
    run: ({ argument }) => help(argument.replace(/^\\/, "")),
  },
  quit: {
    usage: "",
    about: "leave (so does Ctrl-D)",
    argument: "nothing",
    run: ({ shell }) => {
      shell.isOver = true;
      return undefined;
    },
  },
};

function help(name: string): View {
  const one = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (one) return text(`\\${name} ${one.usage}`.trim(), `  ${one.about}`);
  const rows = Object.entries(commands).map(([own, { usage, about }]) => [`\\${own} ${usage}`.trim(), about]);
  const width = rows.reduce((most, [usage]) => Math.max(most, usage.length), 0);
  const room = Math.max(limits.helpCharsMin, (process.stdout.columns ?? limits.widthDefault) - width - 2);
  return text(
    'A query in CQL shows its matches: [lemma="go"] [tag="ADV"] within <s/>',
    "It may go on over several lines while a bracket or quote is open; an empty line ends it.",
    "",
    ...rows.flatMap(([usage, about]) =>
      wrap(about, room).map((line, at) => `${(at === 0 ? usage : "").padEnd(width)}  ${line}`),
    ),
    "",
    "In a page: space n next, b p back, g first, G last, q done. Tab completes. Ctrl-C stops what runs.",
  );
}
