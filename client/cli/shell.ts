/** `dugong shell`: type queries, see lines. At a terminal with pages, completion and history; in a pipe for programs. */
import { createInterface } from "node:readline";
import { type Command, Option } from "commander";
import type { Session } from "../index.js";
import { dataFolder, examples, type GlobalOptions, repeated, wholeNumber } from "./options.js";
import { version } from "./version.js";

interface Options extends GlobalOptions {
  corpus?: string;
  token?: string;
  format?: "text" | "tsv" | "csv" | "jsonl";
  command?: string[];
  limit?: number;
  history?: string;
}

export function addShell(program: Command): void {
  program
    .command("shell")
    .description(
      "Ask corpora interactively, here or on a server: type CQL, see lines. \\help there lists all commands. In a pipe, each line of the input is answered.",
    )
    .argument("[address]", "a server, as ws://localhost:7717 (default: the corpora of the data directory)")
    .option("--corpus <name>", "the corpus to begin with (default: the only one, if there is one)")
    .option("--token <token>", "for servers that need one (default: $DUGONG_TOKEN)")
    .addOption(
      new Option("--format <format>", "how answers are written in a pipe").choices([
        "text",
        "tsv",
        "csv",
        "jsonl",
      ]),
    )
    .option("--limit <n>", "in a pipe: at most so many rows of each answer", wholeNumber)
    .option("--command <line>", "answer this line instead of the input (repeatable)", repeated)
    .option(
      "--history <file>",
      "where what was typed is kept (default: $DUGONG_HISTORY, else below $XDG_STATE_HOME)",
    )
    .addHelpText(
      "after",
      examples(
        ["dugong shell", "the corpora of the data directory"],
        ["dugong shell ws://localhost:7717 --corpus demo", "those of a server"],
        [`echo '[lemma="go"]' | dugong shell --corpus demo --format tsv`, "for a program"],
        [
          `dugong shell --corpus demo --command '[lemma="war"]' --command '\\coll lemma' --limit 10`,
          "two answers",
        ],
      ),
    )
    .action(shell);
}

async function shell(address: string | undefined, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const token = options.token ?? process.env.DUGONG_TOKEN;
  const { connect } = await import("../index.js");
  const session = await connect(address ?? { data: dataFolder(options), version: version() }, {
    ...(token && { token }),
  });
  try {
    const { stdin, stdout } = process;
    const isPipe = options.command || options.format || options.json || !stdin.isTTY || !stdout.isTTY;
    await (isPipe ? inPipe(session, options) : atTerminal(session, options));
  } finally {
    await session.close();
  }
}

async function inPipe(session: Session, options: Options): Promise<void> {
  const { Shell } = await import("../shell/shell.js");
  const { runPipe } = await import("../shell/pipe.js");
  const own = new Shell(session, options.corpus);
  await own.begin();
  own.state.settings.limit = options.limit;
  const format = options.format ?? (options.json ? "jsonl" : "text");
  const lines =
    options.command ?? createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  try {
    if ((await runPipe(own, lines, format, stop.signal)) > 0) process.exitCode = 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = 130;
  }
}

async function atTerminal(session: Session, options: Options): Promise<void> {
  const { Shell } = await import("../shell/shell.js");
  const { Terminal } = await import("../shell/terminal.js");
  const { Keyboard } = await import("../shell/keyboard.js");
  const { History, historyFile } = await import("../shell/history.js");
  const { styleFor } = await import("../shell/colours.js");
  const own = new Shell(session, options.corpus);
  await own.begin();
  const { stdin, stdout } = process;
  stdout.write(`${session.welcome.server} · \\help says what can be said here\n`);
  if (own.state.corpus === undefined) stdout.write("\\corpora lists the corpora, \\use NAME takes one\n");
  const history = new History(options.history ?? historyFile());
  await new Terminal(own, new Keyboard(stdin), stdout, styleFor(stdout), history).run();
}
