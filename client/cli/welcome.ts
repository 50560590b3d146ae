/**
 * `dugong welcome`, what `npm start` runs: makes a first corpus where there is none, serves what there is, and says what to
 * try.
 */
import { resolve } from "node:path";
import type { Command } from "commander";
import { corporaTable, listCorpora } from "./corpora.js";
import {
  addAddressesOption,
  corpusShare,
  type DemoOptions,
  demoCorpus,
  madeBefore,
  makeDemo,
} from "./demo.js";
import { isSketchable, sketchDemo } from "./demo-sketches.js";
import { dataFolder, examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { untilStopped } from "./serve.js";
import { version } from "./version.js";

interface Options extends DemoOptions {
  port?: number;
  serve: boolean;
}

export function addWelcome(program: Command): void {
  const command = program
    .command("welcome", { hidden: true })
    .description("Make a first corpus where there is none, serve what there is, and say what to try.");
  addAddressesOption(command)
    .option(
      "--port <n>",
      "where to serve; 0 takes one that is free (default: 7717, or a free one)",
      wholeNumber,
    )
    .option("--no-serve", "only make the corpus, and say what to try")
    .addHelpText(
      "after",
      examples(
        ["dugong welcome", "what `npm start` does"],
        ["dugong welcome --data /srv/corpora", "in another directory"],
        ["dugong welcome --addresses 20 --no-serve", "with a small first corpus, and no server"],
      ),
    )
    .action(welcome);
}

async function welcome(_: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const data = resolve(dataFolder(options));
  let corpora = await listCorpora(command, { data });
  if (corpora.length === 0) {
    process.stderr.write(`making the corpus ${demoCorpus}: the State of the Union addresses …\n`);
    await makeDemo(options);
    await sketchDemo(options, corpusShare);
    corpora = await listCorpora(command, { data });
  } else if (corpora.some(({ name }) => name === demoCorpus)) await sketchWhatIsThere(options);
  const server = options.serve ? await serve(data, options.port) : undefined;
  const address = server?.address;
  if (options.json) await writeJson({ version: version(), data, corpora, ...(address && { address }) });
  else {
    const elsewhere = options.data ? ` --data ${options.data}` : "";
    const names = corpora.map(({ name }) => name);
    await writeLines([
      `dugong ${version()}: a corpus database`,
      `data directory: ${data}`,
      "",
      ...corporaTable(corpora),
      "",
      "Try:",
      ...toTry(names).map((line) => `  npx dugong ${line}${elsewhere}`),
      ...(address && names.includes(demoCorpus) ? served(address) : []),
      ...(address ? ["", `serving at ${address} until Ctrl-C`] : []),
    ]);
  }
  if (!server) return;
  await untilStopped();
  await server.close();
}

/** A corpus of before may have no sketches, and its directory may be for reading alone: what is there is served all the same. */
async function sketchWhatIsThere(options: Options): Promise<void> {
  try {
    const before = await madeBefore(options);
    if (before && isSketchable(before.manifest)) await sketchDemo(options);
  } catch (error) {
    process.stderr.write(`note: no word sketches of ${demoCorpus}: ${(error as Error).message}\n`);
  }
}

/** At the usual port; where something else is, at one that is free, unless a port was asked for. */
async function serve(data: string, port?: number) {
  const { startServer } = await import("../../server/index.js");
  const start = (at?: number) =>
    startServer({
      data,
      config: { logLevel: "warn", ...(at !== undefined && { port: at }) },
      version: version(),
    });
  try {
    return await start(port);
  } catch (error) {
    if (port !== undefined || (error as { code?: string }).code !== "EADDRINUSE") throw error;
    return start(0);
  }
}

function toTry(names: string[]): string[] {
  if (!names.includes(demoCorpus)) return [`info ${names[0]}`, `dump ${names[0]} --to 20`, "demo"];
  return [
    `query ${demoCorpus} '[tag="ADJ"] [lemma="war" & tag="NOUN"] within <doc year="194."/>'`,
    `coll ${demoCorpus} '[lemma="peace"]' --attribute lemma`,
    `freq ${demoCorpus} '[lemma="freedom"]' --over doc.year --bin 20`,
    `sketch ${demoCorpus} war`,
  ];
}

/** What to type into a shell, and into a program. */
function served(address: string): string[] {
  return [
    "",
    `In a shell (npx dugong shell ${address} --corpus ${demoCorpus}):`,
    '  [lemma="freedom"] []{0,3} [lemma="peace"] within <s/>',
    "  \\freq lemma -1",
    "  \\coll lemma",
    "",
    'In a program (import { connect } from "dugong"):',
    `  const session = await connect("${address}"), ${demoCorpus} = session.corpus("${demoCorpus}");`,
    `  for await (const { left, match, right } of ${demoCorpus}.query('[lemma="freedom"]')) console.log(left, match, right);`,
    `  console.table((await ${demoCorpus}.coll('[lemma="peace"]', { attribute: "lemma" }).page(0, 10)).rows);`,
    `  console.table((await ${demoCorpus}.trend('[lemma="freedom"]', { over: "doc.year", bin: 20 }).page(0, 20)).rows);`,
    "  await session.close();",
  ];
}
