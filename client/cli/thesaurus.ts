/** `dugong thesaurus`: words that are used like a word. */
import type { Command } from "commander";
import type { Thesaurus } from "../../ql/index.js";
import { counted, grouped, table } from "./format.js";
import { examples, wholeNumber } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addServerOptions, type SessionOptions, withCorpus } from "./session.js";
import { atLeastOne, similarity } from "./sketch.js";

interface Options extends SessionOptions {
  pos?: string;
  limit?: number;
  minCount?: number;
  cluster?: boolean | number;
  sketches?: string;
}

export function addThesaurus(program: Command): void {
  addServerOptions(program.command("thesaurus"))
    .summary("List the words that are used like a word.")
    .description(
      "List words that are similar to a lemma: those that share its contexts, which are the relations and collocates of its sketch. They are looked up in a thesaurus that was computed (dugong thesaurus-compute), or found on the spot.",
    )
    .argument("<corpus>", "its name")
    .argument("<lemma>", 'the word, with or without its suffix: "war", "war-n"')
    .option("--pos <name>", "the part of speech, as noun or n (default: the most frequent one)")
    .option("--limit <n>", "at most so many words", atLeastOne, 20)
    .option(
      "--min-count <n>",
      "leave out words that are less often in relations (default: all but the 20,000 most frequent ones)",
      wholeNumber,
    )
    .option(
      "--cluster [similarity]",
      "put words that are used alike together: on average so similar (default: as the first word is to the lemma)",
      similarity,
    )
    .option(
      "--sketches <name>",
      "by the sketches that were computed under this name (default: default, or the only ones)",
    )
    .option("--snapshot <n>", "an earlier snapshot (default: the current one)", wholeNumber)
    .addHelpText(
      "after",
      examples(
        ["dugong thesaurus demo war", "words that are used like war"],
        ["dugong thesaurus demo great --pos adjective --limit 50", "more of them, of an adjective"],
        ["dugong thesaurus demo war --cluster", "in clusters of words that are used alike"],
        ["dugong thesaurus demo peace --json", "for programs"],
      ),
    )
    .action(thesaurus);
}

async function thesaurus(corpus: string, lemma: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  const { pos, limit, minCount, cluster, sketches } = options;
  await withCorpus(command, corpus, options, async (asked) => {
    const found = await asked.thesaurus(lemma, { pos, limit, minCount, cluster, sketches });
    if (options.json) return writeJson(found);
    const rows = inClusters(found).map(({ word, similarity: near, shared, count, indent }) => [
      `${indent}${word}`,
      near.toFixed(3),
      grouped(shared),
      grouped(count),
    ]);
    const also = found.others.map(({ head }) => head).join(", ");
    await writeLines([
      ...(rows.length > 0 ? table(["word", ">similarity", ">shared", ">count"], rows) : []),
      `${counted(rows.length, "word")} like ${found.head} in ${found.corpus ?? corpus}, among those that are ${grouped(found.minCount)} times in relations${also && `; also ${also}: see --pos`}`,
    ]);
  });
}

/** Those of a cluster stand below its first, further in. */
function inClusters({ items, clusters }: Thesaurus): (Thesaurus["items"][0] & { indent: string })[] {
  const byName = new Map(items.map((item) => [item.word, item]));
  return (clusters ?? items.map(({ word }) => [word])).flatMap((words) =>
    words.map((word, i) => ({ ...byName.get(word)!, indent: i === 0 ? "" : "  " })),
  );
}
