/**
 * The step `tag`: parts of speech, lemmas and what else a model has, for the words of a vertical stream. The word is the first
 * column; others that are there are replaced.
 */
import { availableParallelism } from "node:os";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import { bytesOf } from "../stream/lines.js";
import { inOrder, type Lane, ownLane, threadLane } from "../stream/ordered.js";
import { writing } from "../stream/output.js";
import { type Step, Tally } from "../stream/report.js";
import { CommandLane, neverTags } from "./command.js";
import { loadTagger, type TaggedLines, tagLines } from "./lines.js";
import type { OutputColumn } from "./tagger.js";
import { type Part, partsOf } from "./vertical.js";

export interface TagOptions {
  /** The path of a model, or "wink-english". */
  model?: string;
  /** Or a program that tags, for the shell. */
  command?: string;
  /** How many of them (default: 1). */
  processes?: number;
  /** Columns to write (default: word, lemma if the model has it, tag). Of a program, what it writes. */
  output?: readonly string[];
  /** Threads (default: one for each core; none for little text). */
  workers?: number;
}

export const tag: Step<TagOptions> = async ({ inputs, output }, options, context) => {
  if ((options.model === undefined) === (options.command === undefined))
    throw new DugongError(
      "bad_option",
      "a model or a command is needed, and not both",
      "`--model wink-english`",
    );
  const tally = new Tally("tag", bytesOf(inputs), context);
  tally.wordsIn = 0;
  const counts = { tagged: 0, failed: 0, said: "" };
  const lanes: Lane<Part, TaggedLines>[] = [];
  let columns: OutputColumn[] | undefined;
  if (options.command !== undefined) {
    if (options.output)
      throw new DugongError("bad_option", "a command writes the columns that it writes: leave --output out");
    for (let i = 0; i < (options.processes ?? 1); i++)
      lanes.push(new CommandLane(options.command, tally.warnings, counts));
  } else {
    const { model } = options;
    const { analyse, columns: known } = await loadTagger(model!);
    columns = columnsOf(options.output, known, model!);
    const isLittle = tally.bytesTotal > 0 && tally.bytesTotal < limits.threadedBytesMin;
    const workers = options.workers ?? (isLittle ? 1 : availableParallelism());
    for (let i = 0; i < workers; i++) {
      lanes.push(
        workers > 1
          ? textLane(threadLane("ingest/tag/worker.js", { model, columns }))
          : ownLane(({ lines, documents }) => ({ ...tagLines(lines, analyse, columns!), documents })),
      );
    }
  }
  const { warnings } = tally;
  const onRead = (bytes: number) => {
    tally.bytesRead = bytes;
  };
  const byDocument = options.command !== undefined;
  const chars = byDocument ? limits.commandChars : limits.batchChars;
  const parts = partsOf(inputs, { warnings, onRead, signal: context?.signal }, { chars, byDocument });
  const depth = byDocument ? limits.commandDocuments : 2;
  let replaced = 0;
  await writing(output, async (file) => {
    for await (const tagged of inOrder(parts, lanes, depth)) {
      tally.documentsIn += tagged.documents;
      tally.documentsOut += tagged.documents;
      tally.wordsIn! += tagged.tokens;
      tally.wordsOut += tagged.tokens;
      replaced += tagged.replaced;
      await file.write(tagged.text);
      tally.tick();
    }
    if (counts.failed > 0 && counts.tagged === 0) throw neverTags(options.command!, counts);
  });
  return tally.report({
    ...(columns && { columns: columns.join(",") }),
    ...(replaced > 0 && { replaced: `other columns than the word, of ${replaced} tokens` }),
  });
};

/** Text travels to threads faster than lists of lines. */
function textLane(lane: Lane<{ text: string; documents: number }, TaggedLines>): Lane<Part, TaggedLines> {
  return {
    run: ({ lines, documents }) => lane.run({ text: lines.join("\n"), documents }),
    close: () => lane.close(),
  };
}

function columnsOf(
  wanted: readonly string[] | undefined,
  known: readonly OutputColumn[],
  model: string,
): OutputColumn[] {
  if (!wanted) return known.filter((column) => ["word", "lemma", "tag"].includes(column));
  for (const column of wanted) {
    if (!known.includes(column as OutputColumn))
      throw new DugongError("bad_option", `the model ${model} has no ${column} (it has ${known.join(", ")})`);
  }
  if (wanted[0] !== "word") throw new DugongError("bad_option", "the first column is word");
  return [...wanted] as OutputColumn[];
}
