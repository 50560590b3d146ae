/** `dugong subcorpus`: parts of a corpus under names, which queries and tables can be restricted to. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { SubcorpusInfo } from "../../ql/index.js";
import type { SubcorpusDefinition } from "../index.js";
import { meaningOf, sayNotices, withNotices } from "./asking.js";
import { counted, grouped, table } from "./format.js";
import { examples, nameList, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { partOf } from "./part.js";
import { queriesOf, type Suspect, showingPlaces } from "./places.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";
import { addChainOptions, type ChainOptions, chainOf } from "./steps.js";

interface CreateOptions extends ChainOptions {
  query?: string;
  within?: string;
  fromQuery?: string;
  structure?: string;
  values?: string;
  file?: string;
  union?: string[];
  intersection?: string[];
  difference?: string[];
  definition?: string;
  replace?: boolean;
}

/** What a subcorpus can be made of: exactly one is given. */
const ways = [
  "query",
  "within",
  "fromQuery",
  "chain",
  "values",
  "union",
  "intersection",
  "difference",
  "definition",
] as const;

export function addSubcorpus(program: Command): void {
  const subcorpus = program
    .command("subcorpus")
    .description(
      "Name parts of a corpus: create, list, info, remove. Other commands take them as --subcorpus.",
    )
    .addHelpText("after", demoExamples);
  addCreate(subcorpus);
  const at = (command: Command) =>
    addServerOptions(
      command.option("--snapshot <n>", "in an earlier snapshot (default: the current one)", wholeNumber),
    );
  at(subcorpus.command("list"))
    .description("List the subcorpora of a corpus with their sizes.")
    .argument("<corpus>", "its name")
    .addHelpText("after", examples(["dugong subcorpus list demo", "those of the demo corpus"]))
    .action(list);
  at(subcorpus.command("info"))
    .description("Say what a subcorpus consists of, and how it is defined.")
    .argument("<corpus>", "its name")
    .argument("<name>", "the subcorpus")
    .addHelpText("after", examples(["dugong subcorpus info demo early", "its sizes and its definition"]))
    .action(info);
  addServerOptions(subcorpus.command("remove"))
    .description("Forget a subcorpus. The corpus stays as it is.")
    .argument("<corpus>", "its name")
    .argument("<name>", "the subcorpus")
    .addHelpText("after", examples(["dugong subcorpus remove demo early", "the name is free again"]))
    .action(remove);
}

const demoExamples = examples(
  [`dugong subcorpus create demo early --within '<doc year="18.*"/>'`, "documents of the 19th century"],
  ["dugong subcorpus create demo modern --where 'year>=1950'", "the same by a condition on metadata"],
  [
    `dugong subcorpus create demo war --from-query '[lemma="war"]' --structure doc`,
    "documents that have the word",
  ],
  ["dugong subcorpus create demo peace --difference early,war", "the first without the second"],
  [`dugong query demo '[lemma="people"]' --subcorpus early --count`, "a query inside one of them"],
);

function addCreate(subcorpus: Command): void {
  const command = subcorpus
    .command("create")
    .description(
      "Name a part of a corpus. Its definition is kept, and is made again when the corpus has grown.",
    )
    .argument("<corpus>", "the corpus")
    .argument("<name>", "a name for it")
    .option("--query <cql>", "all tokens that some match of a query covers")
    .option("--within <cql>", "the same, for structures: '<doc year=\"19.*\"/>'")
    .option("--from-query <cql>", "the matches of a query, after the options below, or with --structure …")
    .option("--structure <name>", "… the structures of this kind that they begin in")
    .option("--values <structure.attribute>", "structures whose attribute has a value of the list in --file")
    .option("--file <file>", "values, one a line; - for standard input")
    .option("--union <names>", "all of several subcorpora: a,b", nameList)
    .option("--intersection <names>", "what several subcorpora have in common", nameList)
    .option("--difference <names>", "the first without the others", nameList)
    .option("--definition <file>", "a definition as JSON, as `info --json` gives it; - for standard input")
    .option("--replace", "take the name from the subcorpus that has it (default: refuse)");
  addChainOptions(command).addHelpText("after", demoExamples).action(create);
}

async function create(corpus: string, name: string, _: CreateOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<CreateOptions>();
  const definition = definitionOf(command, options);
  await withCorpus(command, corpus, options, (asked) =>
    showingPlaces(asked, suspectsOf(definition, options), options, async () => {
      const made = await asked.createSubcorpus(name, definition, { replace: options.replace });
      const { notices, corpus: citation, ...own } = made;
      if (options.json) return writeJson(withNotices({ corpus: citation, ...flat(own) }, notices));
      sayNotices(notices);
      await writeLines([`${name}: ${sizeText(own)}`]);
    }),
  );
}

/** The queries that were typed. */
function suspectsOf(definition: SubcorpusDefinition, options: CreateOptions): Suspect[] {
  const query = options.query ?? options.within;
  if (query !== undefined) return [{ query, ...meaningOf(options) }];
  return options.fromQuery !== undefined && definition.kind === "hits" ? queriesOf(definition.chain) : [];
}

function definitionOf(command: Command, options: CreateOptions): SubcorpusDefinition {
  const given = ways.filter((way) => options[way] !== undefined);
  const { where } = options;
  if (given.length === 0 && where !== undefined && options.subcorpus === undefined)
    return { kind: "where", where };
  if (given.length !== 1) {
    const names = ways.map((way) => `--${way.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
    command.error(
      `say what it consists of with --where or one of ${names.join(", ")}${given.length > 1 ? ", not with several" : ""}`,
    );
  }
  const [way] = given;
  if (options.structure !== undefined && way !== "fromQuery" && way !== "chain")
    command.error("--structure belongs to --from-query or --chain");
  if ((options.file !== undefined) !== (way === "values"))
    command.error("--values and --file belong together");
  switch (way) {
    case "query":
    case "within":
      return { kind: "query", ...askedOf(command, options[way] as string, options) };
    case "fromQuery":
    case "chain": {
      const { structure } = options;
      const chain = chainOf(command, options.fromQuery, options);
      return { kind: "hits", chain, ...(structure !== undefined && { structure }) };
    }
    case "values":
      return valuesOf(command, options.values as string, options.file as string);
    case "definition":
      return jsonOf(command, options.definition as string);
    default:
      return { kind: way, of: options[way] as string[] };
  }
}

/** A query as it was asked, without steps: those belong to --from-query. */
function askedOf(command: Command, cql: string, options: CreateOptions) {
  const [asked, ...steps] = chainOf(command, cql, options);
  if (steps.length > 0 || partOf(options) !== undefined)
    command.error("steps such as --filter and --sample, --subcorpus and --where belong to --from-query");
  const { strategy, lists, gapMax } = asked;
  return {
    query: cql,
    ...(strategy && { strategy }),
    ...(lists && { lists }),
    ...(gapMax !== undefined && { gapMax }),
  };
}

function valuesOf(command: Command, path: string, file: string): SubcorpusDefinition {
  const dot = path.indexOf(".");
  if (dot < 1 || dot === path.length - 1)
    command.error('write a structure and its attribute behind --values, as in "doc.id"');
  const lines = textOf(file).split(/\r?\n/);
  return {
    kind: "values",
    structure: path.slice(0, dot),
    attribute: path.slice(dot + 1),
    values: lines.filter((line) => line !== ""),
  };
}

function textOf(file: string): string {
  return readFileSync(file === "-" ? 0 : file, "utf8").replace(/^\uFEFF/, "");
}

function jsonOf(command: Command, file: string): SubcorpusDefinition {
  try {
    return JSON.parse(textOf(file)) as SubcorpusDefinition;
  } catch (error) {
    if (error instanceof SyntaxError) command.error(`${file} is not JSON: ${error.message}`);
    throw error;
  }
}

async function list(corpus: string, _: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  await withCorpus(command, corpus, options, async (asked) => {
    const { subcorpora: all, corpus: citation } = await asked.listSubcorpora();
    if (options.json) return writeJson({ corpus: citation, subcorpora: all.map(flat) });
    if (all.length === 0) return writeLines([`${corpus} has no subcorpora`]);
    await writeLines(subcorpusTable(all, Number(citation.split("@")[1])));
  });
}

function subcorpusTable(all: SubcorpusInfo[], snapshot: number): string[] {
  const older = all.some(({ size }) => size && size.snapshot !== snapshot);
  const rows = all.map(({ name, description, size }) => [
    name,
    size ? grouped(size.tokens) : "-",
    size ? percent(size.share) : "-",
    size && size.documents !== null ? grouped(size.documents) : "-",
    ...(older ? [size ? String(size.snapshot) : "-"] : []),
    shortened(description, 60),
  ]);
  const lines = table(
    ["name", ">tokens", ">share", ">documents", ...(older ? [">snapshot"] : []), "definition"],
    rows,
  );
  if (older) lines.push(`sizes are made again for snapshot ${snapshot} when a subcorpus is next used`);
  return lines;
}

async function info(corpus: string, name: string, _: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  await withCorpus(command, corpus, options, async (asked) => {
    const { definition, corpus: citation, ...own } = await asked.subcorpus(name);
    if (options.json) return writeJson({ corpus: citation, ...flat(own), definition });
    await writeLines([
      `${name} of ${citation}: ${sizeText(own)}`,
      `defined ${own.created.slice(0, 16).replace("T", " ")} as ${own.description}`,
    ]);
  });
}

async function remove(corpus: string, name: string, _: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  await withCorpus(command, corpus, options, (asked) => asked.removeSubcorpus(name));
  if (options.json) return writeJson({ corpus, removed: name });
  await writeLines([`${name} was removed; ${corpus} is as it was`]);
}

/** For programs: sizes beside the rest, null where they are not known. */
function flat({ size, ...own }: SubcorpusInfo) {
  const { snapshot = null, tokens = null, share = null, documents = null, ranges = null } = size ?? {};
  return { ...own, snapshot, tokens, share, documents, ranges };
}

/** "123,456 tokens (12.3 %), 35 documents, 7 ranges" */
function sizeText({ size }: SubcorpusInfo): string {
  if (!size) return "not computed yet";
  const { tokens, share, documents, ranges } = size;
  const parts = [`${counted(tokens, "token")} (${percent(share)})`];
  if (documents !== null) parts.push(counted(documents, "document"));
  return [...parts, counted(ranges, "range")].join(", ");
}

function percent(share: number): string {
  const hundred = share * 100;
  return `${hundred > 0 && hundred < 0.1 ? hundred.toPrecision(1) : hundred.toFixed(1)} %`;
}

function shortened(text: string, charsMax: number): string {
  const characters = [...text.replace(/\s+/g, " ")];
  return characters.length <= charsMax
    ? characters.join("")
    : `${characters.slice(0, charsMax - 1).join("")}…`;
}
