/** `dugong explain`: how a query will be run, and with --analyze how it was. */
import type { Command } from "commander";
import type { PlanStep } from "../../ql/index.js";
import type { Snapshot } from "../../storage/index.js";
import {
  type AskingOptions,
  addAskingOptions,
  queryOptions,
  sayNotices,
  showingPlaces,
  withCorpus,
} from "./asking.js";
import { grouped } from "./format.js";
import { examples } from "./options.js";
import { writeJson, writeLines } from "./output.js";

interface Options extends AskingOptions {
  analyze?: boolean;
}

export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description("Show how a query is run: a tree of steps, with what each is likely to find and to take.")
    .argument("<corpus>", "its name")
    .argument("<cql>", "the query")
    .option("--analyze", "run it, and show what each step found and took");
  addAskingOptions(command)
    .addHelpText(
      "after",
      examples(
        [`dugong explain brown '"in" "spite" "of"'`, "where it begins, and why"],
        [`dugong explain brown '[tag="JJ"] [tag="NN"] within <s/>' --analyze`, "what it took"],
      ),
    )
    .action(explain);
}

async function explain(corpus: string, cql: string, _: Options, command: Command): Promise<void> {
  const options = command.optsWithGlobals<Options>();
  await withCorpus(corpus, options, (snapshot) =>
    showingPlaces(cql, options, () => explainOn(snapshot, cql, options)),
  );
}

async function explainOn(snapshot: Snapshot, cql: string, options: Options): Promise<void> {
  const { Engine, measure, planOf, print } = await import("../../ql/index.js");
  const engine = new Engine(snapshot);
  const before = performance.now();
  const prepared = engine.prepare(cql, queryOptions(options));
  const planMs = Number((performance.now() - before).toFixed(3));
  const query = print(prepared.query);
  const answer = { corpus: snapshot.citation, query, strategy: prepared.strategy, planMs };
  let measured: { hits: number; runMs: number } | undefined;
  if (options.analyze) {
    measure(prepared.source);
    const start = performance.now();
    let hits = 0;
    for await (const { count } of engine.run(prepared)) hits += count;
    measured = { hits, runMs: Number((performance.now() - start).toFixed(3)) };
  }
  const plan = planOf(prepared.source);
  if (options.json) {
    const { notices } = prepared;
    await writeJson({ ...answer, ...measured, plan, ...(notices.length > 0 && { notices }) });
    return;
  }
  await writeLines([query, ...drawn(plan, "", "")]);
  if (measured) {
    const { hits, runMs } = measured;
    const matches = hits === 1 ? "match" : "matches";
    await writeLines([`${grouped(hits)} ${matches} in ${runMs} ms, planned in ${planMs} ms`]);
  }
  sayNotices(prepared);
}

/** A step, and its inputs below it. */
function drawn(step: PlanStep, lead: string, below: string): string[] {
  const { operator, detail, why, estimatedRows, estimatedMs, rows, ms, inputs = [] } = step;
  const measured = rows === undefined ? "" : `; found ${grouped(rows)}, took ${ms} ms`;
  const lines = [`${lead}${operator}${detail ? ` ${detail}` : ""}`];
  const inside = inputs.length > 0 ? "│ " : "  ";
  lines.push(`${below}${inside}about ${grouped(estimatedRows)} ranges, ${estimatedMs} ms${measured}`);
  if (why) lines.push(`${below}${inside}${why}`);
  inputs.forEach((input, i) => {
    const last = i === inputs.length - 1;
    lines.push(...drawn(input, `${below}${last ? "└ " : "├ "}`, `${below}${last ? "  " : "│ "}`));
  });
  return lines;
}
