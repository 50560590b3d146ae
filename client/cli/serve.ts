/** `dugong serve`: answers clients over WebSockets, until it is told to stop. */
import type { Command } from "commander";
import type { Config } from "../../server/index.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { version } from "./version.js";

interface Options extends GlobalOptions {
  port?: number;
  host?: string;
  config?: string;
  threads?: number;
}

export function addServe(program: Command): void {
  program
    .command("serve")
    .description(
      "Answer clients over WebSockets. SIGTERM or Ctrl-C lets what runs finish for a while, and ends.",
    )
    .option("--port <n>", "0 takes one that is free (default: 7717)", wholeNumber)
    .option("--host <address>", "where to listen (default: 127.0.0.1, which only this machine reaches)")
    .option("--config <file>", "settings, as JSON; docs/PROTOCOL.md lists them")
    .option("--threads <n>", "threads for what takes long (default: one for each core)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong serve", "the corpora of the data directory, for this machine"],
        ["dugong serve --port 0 --json", 'any free port: {"address":"ws://127.0.0.1:40123"}'],
        ["dugong serve --host 0.0.0.0 --config server.json", "for others, who need tokens (dugong token)"],
      ),
    )
    .action(serve);
}

async function serve(_: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { readConfig, startServer } = await import("../../server/index.js");
  const config: Partial<Config> = options.config === undefined ? {} : readConfig(options.config);
  for (const name of ["port", "host", "threads"] as const)
    if (options[name] !== undefined) (config as Record<string, unknown>)[name] = options[name];
  const server = await startServer({ data: dataFolder(options), config, version: version() });
  const { address } = server;
  if (options.json) await writeJson({ address });
  else await writeLines([`listening at ${address}`]);
  await untilStopped();
  await server.close();
}

/** Resolves when somebody wants the program to end: SIGTERM, or Ctrl-C. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      // A second time: at once.
      process.once("SIGINT", () => process.exit(130));
      process.once("SIGTERM", () => process.exit(143));
      resolve();
    };
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  });
}
