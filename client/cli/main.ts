#!/usr/bin/env node
/**
 * The command line: `dugong <command>`. Each command has a file of its own and loads the rooms it needs when it
 * runs, so that --help answers at once.
 *
 *   stdout   the result: for people, or with --json one document (one per line for streams)
 *   stderr   progress and errors
 *   exit     0 done, 1 the request failed, 2 wrong usage, 130 stopped by Ctrl-C
 */
import { Command } from "commander";
import { addAlign } from "./align.js";
import { addAppend } from "./append.js";
import { addClean } from "./clean.js";
import { addColl } from "./coll.js";
import { addCompact } from "./compact.js";
import { addCorpora } from "./corpora.js";
import { addCrawl } from "./crawl.js";
import { addDedup } from "./dedup.js";
import { addDemo } from "./demo.js";
import { addDump } from "./dump.js";
import { addEncode } from "./encode.js";
import { addExplain } from "./explain.js";
import { reportFailure } from "./failure.js";
import { addFreq } from "./freq.js";
import { addInfo } from "./info.js";
import { addKeywords } from "./keywords.js";
import { addLanguage } from "./language.js";
import { addLanguageTrain } from "./language-train.js";
import { addNgrams } from "./ngrams.js";
import { dataFolderDefault, examples } from "./options.js";
import { isClosedOutput } from "./output.js";
import { addPageRank } from "./pagerank.js";
import { addPipeline } from "./pipeline.js";
import { addQuery } from "./query.js";
import { addRead } from "./read.js";
import { addRemove } from "./remove.js";
import { addSearch } from "./search.js";
import { addServe } from "./serve.js";
import { addShell } from "./shell.js";
import { addSketch } from "./sketch.js";
import { addSketchCompute } from "./sketch-compute.js";
import { addSketchDiff } from "./sketch-diff.js";
import { addSpace } from "./space.js";
import { addSpaceBuild } from "./space-build.js";
import { addSubcorpus } from "./subcorpus.js";
import { addTag } from "./tag.js";
import { addTagTrain } from "./tag-train.js";
import { addTerms } from "./terms.js";
import { addThesaurus } from "./thesaurus.js";
import { addThesaurusCompute } from "./thesaurus-compute.js";
import { addToken } from "./token.js";
import { addTokenise } from "./tokenise.js";
import { addVerify } from "./verify.js";
import { version } from "./version.js";
import { addWelcome } from "./welcome.js";
import { addWordlist } from "./wordlist.js";

function makeProgram(): Command {
  const program = new Command("dugong")
    .description("A corpus database: ask a large body of text a question.")
    .version(version(), "--version", "print the version and exit")
    .helpOption("-h, --help", "say what a command does, and exit")
    .option("--data <folder>", `where corpora are kept (default: $DUGONG_DATA, else ${dataFolderDefault})`)
    .option("--json", "answer programs: JSON on stdout")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  for (const add of [
    addEncode,
    addAppend,
    addCorpora,
    addInfo,
    addQuery,
    addSearch,
    addFreq,
    addExplain,
    addColl,
    addWordlist,
    addKeywords,
    addNgrams,
    addTerms,
    addSketch,
    addSketchDiff,
    addThesaurus,
    addSubcorpus,
    addAlign,
    addRead,
    addLanguage,
    addLanguageTrain,
    addDump,
    addSketchCompute,
    addThesaurusCompute,
    addSpaceBuild,
    addSpace,
    addPageRank,
    addVerify,
    addCompact,
    addRemove,
    addDedup,
    addPipeline,
    addShell,
    addServe,
    addToken,
    addCrawl,
    addClean,
    addTokenise,
    addTag,
    addTagTrain,
    addDemo,
    addWelcome,
  ]) {
    add(program);
  }
  return program.addHelpText(
    "after",
    examples(
      ["dugong encode brown brown.vert.gz --attributes word,tag,lemma", "make a corpus of vertical text"],
      ["dugong info brown", "say what it consists of"],
      [`dugong query brown '[lemma="make"] [tag="NN.*"]'`, "ask it a question"],
    ),
  );
}

async function run(program: Command): Promise<number> {
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Whoever read our output has had enough: `dugong dump brown | head`.
    if (isClosedOutput(error)) return Number(process.exitCode ?? 0);
    return reportFailure(program, error);
  }
}

const program = makeProgram();
process.on("uncaughtException", async (error) => process.exit(await reportFailure(program, error)));
process.exit(await run(program));
