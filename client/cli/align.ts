/** `dugong align`: which structures of one corpus belong to which of another, so that both can be asked together. */
import type { Command } from "commander";
import type { AlignResult, AlignWarning } from "../../ql/index.js";
import type { Alignment } from "../index.js";
import { counted, grouped, table } from "./format.js";
import { dataFolder, examples, type GlobalOptions } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addServerOptions, type SessionOptions, withSession } from "./session.js";

interface Options extends GlobalOptions {
  structure?: string;
  otherStructure?: string;
  file?: string;
  attribute?: string;
  otherAttribute?: string;
  match?: string;
  replace?: boolean;
}

const mappingHelp = `
A mapping (--file) has a row for each group of structures that belong together, two
columns with a tab between: structures of the first corpus, structures of the other.
  0       0       number 0 there belongs to number 0 here; numbers are in order, from 0
  1,2     1       1 and 2 (1,4: from 1 to 4; so do 1-4 and 1..4; 1,3,4: just these three)
  -1      3       3 has no counterpart
  6:8     5:7     6 with 5, 7 with 6, 8 with 7
Manatee's alignment files are such mappings. With --attribute, values of that attribute
stand in the place of numbers: s12 · s12,s13 · s12..s15. A file may be gzipped (.gz).

After an append, a mapping holds for the structures it was made of; what is new is not
aligned until it is given again (--replace). With --match, new structures are aligned when
they are first asked for. A corpus that is encoded anew has to be mapped again.`;

const alignExamples = examples(
  [
    "dugong dump demo --attributes lemma | dugong encode lemmas - --attributes word",
    "something to align with: the demo corpus once more, in its lemmas",
  ],
  ["dugong align demo lemmas --match doc.id", "documents with the same id"],
  [
    "printf '0:63139\\t0:63139\\n' | dugong align demo lemmas --structure s --file - --replace",
    "instead of that: each sentence with the one of the same number",
  ],
  [
    `dugong query demo '[lemma="war"] within lemmas: "peace"' --aligned lemmas`,
    "matches whose counterpart has a match of the other query, with the counterpart",
  ],
);

export function addAlign(program: Command): void {
  const align = program
    .command("align")
    .description("Align two corpora: say which structures belong together. It serves both directions.")
    .addHelpText("after", `${mappingHelp}\n${alignExamples}`);
  align
    .command("create", { isDefault: true })
    .description("Align two corpora (what `dugong align` does unless it is told otherwise).")
    .argument("<corpus>", "one corpus")
    .argument("<other>", "the other, in the same data directory")
    .option("--structure <name>", "what is aligned: sentences, paragraphs (default: that of --match, else s)")
    .option("--other-structure <name>", "what it is called in the other corpus (default: the same)")
    .option("--match <structure.attribute>", "align structures with the same value of this attribute")
    .option("--file <file>", "a mapping: rows of two columns (below); - for standard input")
    .option("--attribute <name>", "the mapping has values of this attribute (default: numbers)")
    .option("--other-attribute <name>", "what it is called in the other corpus (default: the same)")
    .option("--replace", "take the place of the alignment that they have (default: refuse)")
    .addHelpText("after", `${mappingHelp}\n${alignExamples}`)
    .action(create);
  addServerOptions(align.command("list"))
    .description("List which corpora are aligned.")
    .argument("[corpus]", "only those with this corpus")
    .addHelpText("after", examples(["dugong align list demo", "what the demo corpus is aligned with"]))
    .action(list);
  align
    .command("remove")
    .description("Forget an alignment. The corpora stay as they are.")
    .argument("<corpus>", "one corpus")
    .argument("<other>", "the other")
    .addHelpText("after", examples(["dugong align remove demo lemmas", "in both directions"]))
    .action(remove);
}

async function create(corpus: string, other: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { alignCorpora } = await import("../../ql/index.js");
  const what = whatIsAligned(command, options);
  const { file, otherStructure, otherAttribute, replace } = options;
  const result = await alignCorpora({
    data: dataFolder(options),
    corpus,
    other,
    ...what,
    otherStructure,
    otherAttribute,
    file,
    replace,
  });
  if (options.json) return writeJson(result);
  await writeLines(resultLines(result));
}

function whatIsAligned(command: Command, options: Options): { structure: string; attribute?: string } {
  const { match, file, attribute, structure } = options;
  if ((match === undefined) === (file === undefined))
    command.error("say how they are aligned: with --match or with --file");
  if (match === undefined) {
    if (attribute === undefined && options.otherAttribute !== undefined)
      command.error("--other-attribute belongs to --attribute");
    return { structure: structure ?? "s", ...(attribute !== undefined && { attribute }) };
  }
  if (attribute !== undefined) command.error("--match names the attribute already");
  const dot = match.indexOf(".");
  const [named, own] = dot < 0 ? [structure ?? "s", match] : [match.slice(0, dot), match.slice(dot + 1)];
  if (!named || !own) command.error('write a structure and its attribute behind --match, as in "s.id"');
  if (structure !== undefined && structure !== named)
    command.error(`--match is about ${named}, --structure about ${structure}`);
  return { structure: named as string, attribute: own };
}

function resultLines({ corpora, structures, beads, pairs, aligned, total, warnings }: AlignResult): string[] {
  const share = (i: 0 | 1) =>
    `${grouped(aligned[i])} of ${grouped(total[i])} ${structures[i]} of ${corpora[i]}`;
  const both = pairs === beads ? "" : ` (${grouped(pairs)} with both sides)`;
  return [
    `${corpora.join(" and ")} are aligned: ${counted(beads, "row")}${both}`,
    `${share(0)}, ${share(1)}`,
    ...warnings.map(warningLine),
  ];
}

function warningLine({ message, count, places }: AlignWarning): string {
  const where = places.map(({ line, what }) => (line === undefined ? what : `line ${line}: ${what}`));
  if (count > places.length) where.push("…");
  return `  ${message} (${grouped(count)}×): ${where.join(", ")}`;
}

async function list(corpus: string | undefined, _: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  const all = await withSession(command, options, (session) =>
    corpus === undefined ? session.alignments() : session.corpus(corpus).alignments(),
  );
  if (options.json) return writeJson({ alignments: all.map(documentOf) });
  if (all.length === 0) return writeLines(["no corpora are aligned"]);
  await writeLines(
    table(
      ["corpora", "structures", ">rows", "by", "created"],
      all.map(({ corpora, structures, attributes, kind, beads, created }) => [
        corpora.join(", "),
        structures.map((name, i) => `${name}${attributes[i] ? `.${attributes[i]}` : ""}`).join(", "),
        grouped(beads),
        kind === "match" ? "matching values" : "a file",
        created.slice(0, 16).replace("T", " "),
      ]),
    ),
  );
}

function documentOf({ corpora, snapshots, structures, attributes, kind, beads, created, bytes }: Alignment) {
  const sides = corpora.map((corpus, i) => ({
    corpus,
    snapshot: snapshots[i],
    structure: structures[i],
    attribute: attributes[i],
  }));
  return { sides, kind, beads, created, bytes };
}

async function remove(corpus: string, other: string, _: GlobalOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { Catalog, removeAlignment } = await import("../../storage/index.js");
  const catalog = Catalog.open(dataFolder(options));
  try {
    removeAlignment(catalog, corpus, other);
  } finally {
    await catalog.close();
  }
  if (options.json) return writeJson({ removed: [corpus, other] });
  await writeLines([`${corpus} and ${other} are no longer aligned`]);
}
