/** Commands about corpora and their parts. */
import { grouped, table } from "../cli/format.js";
import { infoLines } from "../cli/info.js";
import { problem } from "../errors.js";
import type { Call, Command } from "./commands.js";
import { text, type View } from "./views.js";

export const corpusCommands: Record<string, Command> = {
  use: {
    usage: "corpus[@snapshot]",
    about: "ask this corpus from now on",
    argument: "corpus",
    run: use,
  },
  corpora: { usage: "", about: "list the corpora there are", argument: "nothing", run: corpora },
  info: { usage: "[corpus]", about: "say what a corpus consists of", argument: "corpus", run: info },
  sub: {
    usage: "[name | off | name = cql | remove name]",
    about:
      "list parts of the corpus; ask only one, or all again; make one of what a query covers; forget one",
    argument: "subcorpus",
    run: sub,
  },
};

async function use({ shell, argument, signal }: Call): Promise<View> {
  if (argument === "") throw problem("bad_usage", "\\use needs a corpus", "\\corpora lists those there are.");
  const { name, tokens } = await shell.session.corpus(argument).describe({ signal });
  const { state } = shell;
  state.corpus = argument;
  state.query = undefined;
  state.steps = [];
  for (const setting of ["subcorpus", "attributes", "refs", "tags"] as const)
    state.settings[setting] = undefined;
  return text(`${name}: ${grouped(tokens)} tokens`);
}

async function corpora({ shell, signal }: Call): Promise<View> {
  const found = await shell.session.corpora({ signal });
  if (found.length === 0) return text("there are no corpora here");
  const rows = found.map(({ name, snapshot, tokens, documents, title }) => [
    name,
    grouped(tokens),
    documents === undefined ? "" : grouped(documents),
    String(snapshot),
    title ?? "",
  ]);
  return {
    ...text(...table(["corpus", ">tokens", ">documents", ">snapshot", ""], rows)),
    document: { corpora: found },
  };
}

async function info({ shell, argument, signal }: Call): Promise<View> {
  const corpus = argument === "" ? shell.corpus : shell.session.corpus(argument);
  const description = await corpus.describe({ signal });
  return { ...text(...infoLines(description)), document: description };
}

async function sub({ shell, argument, signal }: Call): Promise<View> {
  const { settings } = shell.state;
  const [, made, query] = /^([^\s=]+)\s*=\s*([\s\S]+)$/.exec(argument) ?? [];
  if (made !== undefined) {
    const { size } = await shell.corpus.createSubcorpus(made, { kind: "query", query }, { signal });
    settings.subcorpus = made;
    return text(`${made}: ${grouped(size?.tokens ?? 0)} tokens`);
  }
  const [, removed] = /^remove\s+(\S+)$/.exec(argument) ?? [];
  if (removed !== undefined) {
    await shell.corpus.removeSubcorpus(removed, { signal });
    if (settings.subcorpus === removed) settings.subcorpus = undefined;
    return text(`${removed} is forgotten`);
  }
  if (argument === "off") {
    settings.subcorpus = undefined;
    return text("the whole corpus is asked");
  }
  if (argument !== "") {
    const { name, size } = await shell.corpus.subcorpus(argument, { signal });
    settings.subcorpus = name;
    return text(`${name}: ${grouped(size?.tokens ?? 0)} tokens`);
  }
  const found = await shell.corpus.subcorpora({ signal });
  if (found.length === 0)
    return text(
      'there are no subcorpora: \\sub nineties = <doc year="199."/> makes one of what a query covers',
    );
  const rows = found.map(({ name, size, description }) => [
    name === settings.subcorpus ? `* ${name}` : `  ${name}`,
    size ? grouped(size.tokens) : "",
    description,
  ]);
  return { ...text(...table(["  subcorpus", ">tokens", ""], rows)), document: { subcorpora: found } };
}
