/** `dugong thesaurus`: words that are used like a word. */
import type { Command } from "commander";
import { counted, grouped, table } from "./format.js";
import { examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";
import { atLeastOne } from "./sketch.js";

interface Options extends SessionOptions {
  pos?: string;
  limit?: number;
  minCount?: number;
}

export function addThesaurus(program: Command): void {
  addServerOptions(program.command("thesaurus"))
    .summary("List the words that are used like a word.")
    .description(
      "List words that are similar to a lemma: those that share its contexts, which are the relations and collocates of its sketch.",
    )
    .argument("<corpus>", "its name")
    .argument("<lemma>", 'the word, with or without its suffix: "war", "war-n"')
    .option("--pos <name>", "the part of speech, as noun or n (default: the most frequent one)")
    .option("--limit <n>", "at most so many words", atLeastOne, 20)
    .option("--min-count <n>", "leave out words that are in fewer relations", wholeNumber, 5)
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong thesaurus demo war", "words that are used like war"],
        ["dugong thesaurus demo great --pos adjective --limit 50", "more of them, of an adjective"],
        ["dugong thesaurus demo peace --json", "for programs"],
      ),
    )
    .action(thesaurus);
}

async function thesaurus(corpus: string, lemma: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { pos, limit, minCount } = options;
  await withCorpus(command, corpus, options, async (asked) => {
    const found = await asked.thesaurus(lemma, { pos, limit, minCount });
    if (options.json) return writeJson(found);
    const rows = found.items.map(({ word, similarity, shared, count }) => [
      word,
      similarity.toFixed(3),
      grouped(shared),
      grouped(count),
    ]);
    const also = found.others.map(({ head }) => head).join(", ");
    await writeLines([
      ...(rows.length > 0 ? table(["word", ">similarity", ">shared", ">count"], rows) : []),
      `${counted(rows.length, "word")} like ${found.head} in ${found.corpus ?? corpus}${also && `; also ${also}: see --pos`}`,
    ]);
  });
}
