/** `dugong info`: what a corpus consists of. */
import type { Command } from "commander";
import type { CorpusDescription as CorpusInfo, SnapshotEntry } from "../index.js";
import { counted, grouped, size, table } from "./format.js";
import { examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";

export function addInfo(program: Command): void {
  addServerOptions(program.command("info"))
    .description("Say what a corpus consists of: attributes, structures, and the bytes they take.")
    .argument("<corpus>", "its name")
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong info brown", "for people"],
        ["dugong info brown --json", "for programs: tokens, types, counts"],
        ["dugong info brown --snapshot 1", "as it was"],
      ),
    )
    .action(info);
}

async function info(corpus: string, _: SessionOptions, command: Command): Promise<void> {
  const options = command.optsWithGlobals<SessionOptions>();
  await withCorpus(command, corpus, options, async (asked) => {
    const description = await asked.describe();
    if (options.json) return writeJson(description);
    const { snapshots } = await asked.snapshots();
    await writeLines([
      ...infoLines(description),
      ...paragraphs([[], bytes(description), snapshotList(snapshots)]),
    ]);
  });
}

/** What a corpus consists of, for people. */
export function infoLines(description: CorpusInfo): string[] {
  return paragraphs([summary(description), attributes(description), structures(description)]);
}

/** Blocks of lines, with an empty line before each but the first. */
function paragraphs(blocks: string[][]): string[] {
  return blocks.flatMap((lines, i) => (i > 0 && lines.length > 0 ? ["", ...lines] : lines));
}

function summary(info: CorpusInfo): string[] {
  const counts = [counted(info.tokens, "token"), counted(info.segments, "segment"), size(info.bytes)];
  if (info.documents !== undefined) counts.splice(1, 0, counted(info.documents, "document"));
  const lines = [`${info.name}@${info.snapshot}: ${counts.join(", ")}`];
  const { NAME, INFO } = info.information;
  for (const text of [NAME, INFO]) if (text) lines.push(text);
  if (info.language) lines.push(`language ${info.language}`);
  lines.push(`default attribute ${info.defaultAttribute}, document structure ${info.document ?? "none"}`);
  return lines;
}

function attributes(info: CorpusInfo): string[] {
  const rows = Object.entries(info.attributes).map(([name, { types, ...rest }]) => [
    name,
    grouped(types),
    [rest.derived && `= ${rest.derived}`, severalValues(rest), rest.label].filter(Boolean).join("; "),
  ]);
  return table(["attribute", ">types", ""], rows);
}

function structures(info: CorpusInfo): string[] {
  const rows: string[][] = [];
  for (const [name, structure] of Object.entries(info.structures)) {
    rows.push([name, grouped(structure.count), "", structure.label ?? ""]);
    for (const [attribute, { types, unique, label, ...rest }] of Object.entries(structure.attributes)) {
      const notes = [unique && "unique", severalValues(rest), label];
      rows.push([
        `  .${attribute}`,
        "",
        types === undefined ? "" : grouped(types),
        notes.filter(Boolean).join("; "),
      ]);
    }
  }
  return rows.length === 0 ? [] : table(["structure", ">count", ">types", ""], rows);
}

function severalValues({ separator, values }: { separator?: string; values?: number }): string | undefined {
  if (separator === undefined) return undefined;
  return `several values between ${JSON.stringify(separator)}: ${counted(values ?? 0, "value")}`;
}

/** Kinds of files, in the order of their columns. Maps and statistics belong to lexicons. */
const kinds = ["stream", "postings", "structure", "lexicon"];

/** Bytes by attribute and structure; what belongs to a structure's attributes counts as the structure's. */
function bytes(info: CorpusInfo): string[] {
  const rows = new Map<string, number[]>();
  for (const [file, count] of Object.entries(info.parts)) {
    const dot = file.lastIndexOf(".");
    const [key, suffix] = [file.slice(0, dot), file.slice(dot + 1)];
    const structural = suffix === "structure" || key.includes("@");
    const name = structural ? `<${key.split("@")[0]}>` : key.split("#")[0];
    const kind = suffix === "bits" ? "stream" : kinds.includes(suffix) ? suffix : "lexicon";
    const row = rows.get(name) ?? kinds.map(() => 0);
    row[kinds.indexOf(kind)] += count;
    rows.set(name, row);
  }
  const line = (name: string, row: number[]) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    const perToken = info.tokens > 0 ? (total / info.tokens).toFixed(3) : "-";
    return [name, ...[...row, total].map((count) => (count > 0 ? grouped(count) : "")), perToken];
  };
  const all = kinds.map((_, kind) => [...rows.values()].reduce((sum, row) => sum + row[kind], 0));
  const lines = [...rows].map(([name, row]) => line(name, row));
  return table(
    ["bytes", ...kinds.map((kind) => `>${kind}`), ">total", ">per token"],
    [...lines, line("all", all)],
  );
}

function snapshotList(snapshots: SnapshotEntry[]): string[] {
  const rows = snapshots.map(({ snapshot, tokens, segments, created }) => [
    String(snapshot),
    grouped(tokens),
    String(segments),
    created.slice(0, 19).replace("T", " "),
  ]);
  return table(["snapshot", ">tokens", ">segments", "created"], rows);
}
