/**
 * What went wrong, in two voices: `dugong: message` and a hint on stderr for people; with --json also
 * {"error":{"code","message","hint"}} on stdout for programs.
 */
import { type Command, CommanderError } from "commander";
import { isClosedOutput, writeJson } from "./output.js";

export interface Failure {
  code: string;
  message: string;
  hint?: string;
  /** Where in a query. */
  span?: [number, number];
  exitCode: number;
}

/** Errors that people have been told about already, better than it could be done here. */
const told = new WeakSet<object>();

/** Tells people about an error, instead of what would be said at the end. */
export function tell(error: object, text: string): void {
  process.stderr.write(`dugong: ${text}\n`);
  told.add(error);
}

/** Says what went wrong; resolves to the code to exit with. */
export async function reportFailure(program: Command, error: unknown): Promise<number> {
  const failure = error instanceof CommanderError ? wrongUsage(program, error) : failureOf(error);
  if (!failure) return 0;
  const { exitCode, ...document } = failure;
  if (!told.has(error as object)) {
    if (failure.message) process.stderr.write(`dugong: ${failure.message}\n`);
    if (failure.hint) process.stderr.write(`${failure.hint}\n`);
  }
  if (process.env.DUGONG_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  if (process.argv.includes("--json")) {
    await writeJson({ error: document }).catch((closed) => {
      if (!isClosedOutput(closed)) throw closed;
    });
  }
  return exitCode;
}

/** Undefined where nothing is wrong: --help and --version end in the same way. */
function wrongUsage(program: Command, error: CommanderError): Failure | undefined {
  if (error.exitCode === 0) return undefined;
  const named = program.commands.find((command) => process.argv.slice(2).includes(command.name()));
  const help = ["dugong", ...(named ? [named.name()] : []), "--help"].join(" ");
  if (error.code === "commander.help") {
    return { code: "bad_usage", message: "no command given", hint: `\`${help}\` lists them.`, exitCode: 2 };
  }
  const [message, ...more] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = more.join(" ").replace(/^\((.*)\)$/, "$1");
  const hint = suggestion || `\`${help}\` shows how it is used.`;
  return { code: "bad_usage", message, hint, exitCode: 2 };
}

/** Of what is wrong with the command as it was given, whatever the corpora and the input. */
const usageCodes = new Set([
  "bad_option",
  "bad_name",
  "no_attributes",
  "unknown_encoding",
  "unknown_derivation",
]);

/** What to do where the system refuses. */
const systemHints: Record<string, string> = {
  ENOSPC: "The disk is full: make room, and give the same command again.",
  EDQUOT: "There is no more room for this user: make some, and give the same command again.",
  EACCES: "Ask whoever owns it, or name another place.",
  EPERM: "Ask whoever owns it, or name another place.",
  EROFS: "Nothing can be written there: name another place.",
  EMFILE: "Raise the limit of open files (`ulimit -n`), or join small segments with `dugong compact`.",
};

/** An error as programs are told it, and how the program ends. */
export function failureOf(error: unknown): Failure {
  const { name, code, message, hint, span, syscall } = error as Error & {
    code?: string;
    hint?: string;
    span?: [number, number];
    syscall?: string;
  };
  if ((name === "DugongError" || name === "DugongClientError") && code)
    return { code, message, hint, span, exitCode: usageCodes.has(code) ? 2 : 1 };
  if (syscall) return { code: "system_error", message, hint: systemHints[code ?? ""], exitCode: 1 };
  return {
    code: "unexpected",
    message: message || String(error),
    hint: process.env.DUGONG_DEBUG ? undefined : "This should not happen. DUGONG_DEBUG=1 shows where it did.",
    exitCode: 1,
  };
}
