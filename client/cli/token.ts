/** `dugong token`: who may do what with which corpora, when they ask a server. */
import { type Command, InvalidArgumentError } from "commander";
import type { Budget, Level, TokenInfo, Tokens } from "../../server/index.js";
import { table } from "./format.js";
import { dataFolder, examples, type GlobalOptions, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";

interface CreateOptions extends GlobalOptions {
  grant?: Record<string, Level>;
  expires?: number;
  streams?: number;
  rowsPerHour?: number;
  cpuPerHour?: number;
}

export function addToken(program: Command): void {
  const token = program
    .command("token")
    .description("Make, list and revoke the tokens by which servers know people and programs.")
    .addHelpText("after", tokenExamples);
  token
    .command("create")
    .description("Make a token. It is shown once: only its hash is kept.")
    .argument("<name>", "who gets it")
    .option(
      "--grant <corpus:level>",
      "none, read, write or admin, for a corpus or for all (*:read); repeatable (default: reading public corpora)",
      grant,
    )
    .option("--expires <time>", "30d, 12h, 90m from now (default: never)", duration)
    .option("--streams <n>", "requests at a time", wholeNumber)
    .option("--rows-per-hour <n>", "rows that may be read in an hour", wholeNumber)
    .option("--cpu-per-hour <time>", "computing time in an hour: 10m, 90s", duration)
    .addHelpText("after", tokenExamples)
    .action(create);
  token
    .command("list")
    .description("List the tokens: whose they are, and what they may.")
    .addHelpText("after", examples(["dugong token list", "all of the data directory"]))
    .action(list);
  token
    .command("revoke")
    .description("Take a token back, by its id, or all tokens of a name. Servers notice within a second.")
    .argument("<id or name>", "which")
    .addHelpText("after", examples(["dugong token revoke anna", "all of hers"]))
    .action(revoke);
  token
    .command("access")
    .description("Say whether those may read a corpus who have no grant for it, or change that.")
    .argument("<corpus>", "its name")
    .option("--public", "everybody whom the server lets in may read it")
    .option("--private", "only those with a grant may")
    .addHelpText(
      "after",
      examples(
        ["dugong token access brown", "public, or private"],
        ["dugong token access letters --private", "for those with a grant alone"],
      ),
    )
    .action(access);
}

const tokenExamples = examples(
  ["dugong token create anna --grant demo:read --expires 30d", "for somebody who reads, for a month"],
  ["dugong token create robot --grant demo:write --streams 4", "for a program that adds text"],
  ["dugong token create me --grant '*:admin'", "for everything, the server included"],
);

function grant(text: string, before: Record<string, Level> = {}): Record<string, Level> {
  const [, corpus, level] = /^(.+):(none|read|write|admin)$/.exec(text) ?? [];
  if (corpus === undefined)
    throw new InvalidArgumentError("Write a corpus, a colon and none, read, write or admin: brown:read.");
  if (corpus === "*" && level === "none")
    throw new InvalidArgumentError("A token that may nothing is not needed; name corpora one by one.");
  return { ...before, [corpus]: level as Level };
}

/** In milliseconds. */
function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})(s|m|h|d)$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError("Write a number and s, m, h or d: 30d.");
  return Number(digits) * { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as "s" | "m" | "h" | "d"];
}

async function withTokens<Result>(
  options: GlobalOptions,
  use: (tokens: Tokens) => Result,
  create = false,
): Promise<Result> {
  const { Catalog } = await import("../../storage/index.js");
  const { Tokens: Store } = await import("../../server/index.js");
  const catalog = Catalog.open(dataFolder(options), { create });
  try {
    return use(new Store(catalog));
  } finally {
    await catalog.close();
  }
}

async function create(name: string, _: CreateOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<CreateOptions>();
  const { grant: grants = {}, expires, streams, rowsPerHour, cpuPerHour } = options;
  const budget: Budget = {
    ...(streams !== undefined && { streams }),
    ...(rowsPerHour !== undefined && { rowsPerHour }),
    ...(cpuPerHour !== undefined && { cpuMsPerHour: cpuPerHour }),
  };
  const until = expires === undefined ? undefined : new Date(Date.now() + expires);
  const made = await withTokens(options, (tokens) => tokens.create(name, grants, until, budget), true);
  if (options.json) return writeJson(made);
  await writeLines([
    made.token,
    `for ${name}: ${grantText(made)}; ${expiryText(made)}. Keep it: it is not shown again.`,
  ]);
}

async function list(_: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const tokens = await withTokens(options, (store) => store.list());
  if (options.json) return writeJson({ tokens });
  if (tokens.length === 0) return writeLines(["there are no tokens"]);
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    grantText(token),
    budgetText(token),
    expiryText(token),
  ]);
  await writeLines(table(["id", "name", "grants", "budget", ""], rows));
}

async function revoke(which: string, _: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const revoked = await withTokens(options, (tokens) => tokens.revoke(which));
  if (options.json) return writeJson({ revoked });
  await writeLines([`${revoked} ${revoked === 1 ? "token was" : "tokens were"} revoked`]);
}

async function access(corpus: string, _: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & { public?: boolean; private?: boolean }>();
  if (options.public && options.private) command.error("give --public or --private, not both");
  const isPublic = await withTokens(options, (tokens) => {
    tokens.catalog.manifestOfAnyFormat(corpus);
    if (options.public || options.private) tokens.setPublic(corpus, options.public ?? false);
    return tokens.isPublic(corpus);
  });
  if (options.json) return writeJson({ corpus, public: isPublic });
  await writeLines([`${corpus} is ${isPublic ? "public" : "private"}`]);
}

function grantText({ grants }: TokenInfo): string {
  const list = Object.entries(grants).map(([corpus, level]) => `${corpus}:${level}`);
  return list.length > 0 ? list.join(", ") : "public corpora";
}

function budgetText({ budget }: TokenInfo): string {
  return Object.entries(budget)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function expiryText({ expires }: TokenInfo): string {
  if (expires === undefined) return "does not expire";
  const isOver = Date.parse(expires) <= Date.now();
  return `${isOver ? "expired" : "expires"} ${expires.slice(0, 16).replace("T", " ")}`;
}
