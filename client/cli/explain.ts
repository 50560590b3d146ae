/** `dugong explain`: how a query will be run, and with --analyze how it was. */
import type { Command } from "commander";
import { DugongClientError } from "../errors.js";
import type { Corpus, PlanStep, Prepared } from "../index.js";
import { type AskingOptions, addAskingOptions, meaningOf, sayNotices, withNotices } from "./asking.js";
import { grouped } from "./format.js";
import { examples } from "./options.js";
import { writeJson, writeLines } from "./output.js";
import { addPartOptions, type PartOptions, partOf } from "./part.js";
import { showDiagnostics, showingPlaces } from "./places.js";
import { withCorpus } from "./session.js";

interface Options extends AskingOptions, PartOptions {
  analyze?: boolean;
}

export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description("Show how a query is run: a tree of steps, with what each is likely to find and to take.")
    .argument("<corpus>", "its name")
    .argument("<cql>", "the query")
    .option("--analyze", "run it, and show what each step found and took");
  addPartOptions(addAskingOptions(command))
    .addHelpText(
      "after",
      examples(
        [`dugong explain demo '"in" "spite" "of"'`, "where it begins, and why"],
        [`dugong explain demo '[tag="ADJ"] [tag="NOUN"] within <s/>' --analyze`, "what it took"],
        [
          `dugong explain demo '[tag="ADJ"] [lemma="peace"]' --where 'year>=1990'`,
          "inside a part of the corpus",
        ],
        [`dugong explain demo '"war" containing "peace"' --json`, "the same for a program"],
      ),
    )
    .action(explain);
}

async function explain(corpus: string, cql: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  await withCorpus(command, corpus, options, async (asked) => {
    const { analyze } = options;
    const answer = await (analyze ? analyzed(asked, cql, options) : prepared(asked, cql, options));
    const { canonical: query = cql, strategy, planMs, runMs, plan, notices } = answer;
    const measured = analyze ? { hits: answer.hits?.value ?? 0, runMs } : {};
    if (options.json) {
      const document = { corpus: answer.corpus, query, strategy, planMs, ...measured, plan };
      return writeJson(withNotices(document, notices));
    }
    await writeLines([query, ...planLines(plan as PlanStep)]);
    if (measured.hits !== undefined) {
      const matches = measured.hits === 1 ? "match" : "matches";
      await writeLines([`${grouped(measured.hits)} ${matches} in ${runMs} ms, planned in ${planMs} ms`]);
    }
    sayNotices(notices);
  });
}

/** A query that cannot be asked is an answer to `prepare`, but not to whoever wants a plan. */
async function prepared(corpus: Corpus, cql: string, options: Options): Promise<Prepared> {
  const answer = await corpus.prepare(cql, { ...meaningOf(options), subcorpus: partOf(options) });
  const wrong = answer.diagnostics.find(({ severity }) => severity === "error");
  if (!wrong) return answer;
  const error = new DugongClientError({ ...wrong, retryable: false });
  if (!options.json) await showDiagnostics(cql, answer.diagnostics, error);
  throw error;
}

function analyzed(corpus: Corpus, cql: string, options: Options): ReturnType<Corpus["analyze"]> {
  const meaning = { ...meaningOf(options), subcorpus: partOf(options) };
  return showingPlaces(corpus, [{ query: cql, ...meaning }], options, () => corpus.analyze(cql, meaning));
}

/** A plan as a tree. */
export function planLines(plan: PlanStep): string[] {
  return drawn(plan, "", "");
}

/** A step, and its inputs below it. */
function drawn(step: PlanStep, lead: string, below: string): string[] {
  const { operator, detail, why, estimatedRows, estimatedMs, rows, ms, inputs = [] } = step;
  const measured = rows === undefined ? "" : `; found ${grouped(rows)}, took ${ms} ms`;
  const lines = [`${lead}${operator}${detail ? ` ${detail}` : ""}`];
  const inside = inputs.length > 0 ? "│ " : "  ";
  lines.push(
    `${below}${inside}about ${grouped(estimatedRows ?? Number.POSITIVE_INFINITY)} ranges, ${estimatedMs} ms${measured}`,
  );
  if (why) lines.push(`${below}${inside}${why}`);
  inputs.forEach((input, i) => {
    const last = i === inputs.length - 1;
    lines.push(...drawn(input, `${below}${last ? "└ " : "├ "}`, `${below}${last ? "  " : "│ "}`));
  });
  return lines;
}
