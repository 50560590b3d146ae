/** Commands that say how things are shown and meant. */

import type { Line as FoundLine } from "../../ql/index.js";
import { planLines } from "../cli/explain.js";
import { grouped } from "../cli/format.js";
import { layOutWhole } from "../cli/kwic.js";
import { DugongClientError, problem } from "../errors.js";
import { plain } from "./colours.js";
import type { Call, Command } from "./commands.js";
import { limits } from "./limits.js";
import { chainOf, described, type Settings, type State, settable, strategies } from "./state.js";
import { text, type View } from "./views.js";

export const showingCommands: Record<string, Command> = {
  context: {
    usage: "10 | 40c | 1 s",
    about: "how much is shown on each side: tokens, characters, structures",
    argument: "text",
    run: (call) => set({ ...call, argument: `context ${call.argument || "default"}` }, true),
  },
  show: {
    usage: "[word,tag | doc.id,doc.year | tags s | default]",
    about: "what is shown: attributes of tokens, where matches are, tags of structures",
    argument: "names",
    run: show,
  },
  expand: {
    usage: "n [100 | 1 p]",
    about: "one match with much around it",
    argument: "text",
    run: expand,
  },
  explain: {
    usage: "[cql]",
    about: "how a query, or the last one, is run: what it means, its plan, what it will cost",
    argument: "cql",
    run: explain,
  },
  set: {
    usage: "[strategy longest | view sentence | page 30 …]",
    about: "settings: list them, or change one",
    argument: "settings",
    run: (call) => set(call),
  },
  timing: {
    usage: "[on | off]",
    about: "say how long answers took",
    argument: "switch",
    run: (call) => {
      const { settings } = call.shell.state;
      const argument = call.argument || (settings.timing ? "off" : "on");
      return set({ ...call, argument: `timing ${argument}` });
    },
  },
};

// ---- settings

const whole = (value: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw problem("bad_setting", `${value} is not a whole number above 0`);
  return Number(value);
};

const oneOf = <Word extends string>(value: string, words: readonly Word[]): Word => {
  if (words.includes(value as Word)) return value as Word;
  throw problem("bad_setting", `${JSON.stringify(value)} cannot be set`, `It is one of ${words.join(", ")}.`);
};

/** What a value means. */
const readers: Record<string, (value: string) => Partial<Settings>> = {
  strategy: (value) => ({ strategy: oneOf(value, strategies) }),
  view: (value) => ({ view: oneOf(value, ["kwic", "sentence"] as const) }),
  context: (value) => {
    if (!/^\d{1,9}\s*[\p{L}_][\p{L}\p{N}_.:-]*$|^\d{1,9}$/u.test(value))
      throw problem(
        "bad_context",
        `${JSON.stringify(value)} is not a context`,
        'Write tokens, "10", characters, "40c", or structures, "1 s".',
      );
    return { context: value };
  },
  page: (value) => ({ page: whole(value) }),
  limit: (value) => ({ limit: whole(value) }),
  timing: (value) => ({ timing: oneOf(value, ["on", "off"]) === "on" }),
};

const usual: Record<string, Partial<Settings>> = { view: { view: "kwic" }, timing: { timing: false } };

/** Changes a setting; shows the result anew where that makes a difference and was wanted. */
function set({ shell, argument, signal }: Call, again = false): View {
  const { settings } = shell.state;
  const [, name, value] = /^(\S+)\s*(.*)$/.exec(argument) ?? [];
  if (name === undefined) return listed(shell.state);
  if (!Object.hasOwn(readers, name))
    throw problem(
      "unknown_setting",
      `there is no setting ${JSON.stringify(name)}`,
      `There are ${Object.keys(settable).join(", ")}.`,
    );
  if (value === "")
    throw problem("bad_usage", `\\set ${name} needs a value`, `As ${settable[name].join(", ")}.`);
  Object.assign(
    settings,
    value === "default" ? (usual[name] ?? { [name]: undefined }) : readers[name](value),
  );
  if (again && shell.state.query !== undefined) return shell.lines(signal);
  return text(`${name}: ${settingText(settings, name as keyof Settings)}`);
}

function settingText(settings: Settings, name: keyof Settings): string {
  const value = settings[name];
  if (value === undefined) return "default";
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") : String(value);
}

function listed(state: State): View {
  const names = [...Object.keys(settable), "subcorpus", "attributes", "refs", "tags"] as (keyof Settings)[];
  return text(...names.map((name) => `${name.padEnd(10)}  ${settingText(state.settings, name)}`));
}

// ---- what is shown

async function show({ shell, argument, signal }: Call): Promise<View> {
  const { state } = shell;
  const { settings } = state;
  if (argument === "") {
    const query = state.query === undefined ? [] : [`query       ${described(state)}`];
    const shown = (["attributes", "refs", "tags", "context", "view"] as const).map(
      (name) => `${name.padEnd(10)}  ${settingText(settings, name)}`,
    );
    return text(...query, ...shown);
  }
  if (argument === "default") {
    for (const name of ["attributes", "refs", "tags"] as const) settings[name] = undefined;
  } else {
    const [, kind, list] = /^(?:(attributes|refs|tags)\s+)?(.*)$/.exec(argument)!;
    const named = list.split(",").map((name) => name.trim());
    if (named.includes("")) throw problem("bad_usage", "there is nothing between two commas");
    if (kind === "tags" || kind === "refs" || kind === "attributes") settings[kind] = named;
    else {
      const attributes = await shell.attributes();
      const own = named.filter((name) => attributes.includes(name));
      const refs = named.filter((name) => !attributes.includes(name));
      if (own.length > 0) settings.attributes = own;
      if (refs.length > 0) settings.refs = refs;
    }
  }
  return state.query === undefined ? show({ shell, argument: "", signal }) : shell.lines(signal);
}

async function expand({ shell, argument, signal }: Call): Promise<View> {
  const [, digits, context] = /^(\d+)\s*(.*)$/.exec(argument) ?? [];
  if (!digits || digits === "0")
    throw problem("bad_usage", "\\expand needs the number of a match", "Matches are counted from 1.");
  const { refs } = shell.state.settings;
  const rows = shell.corpus.query(shell.chain(), {
    context: context || String(limits.expandTokens),
    ...(refs && { refs }),
    signal,
  });
  try {
    const { rows: found, total } = await rows.page(Number(digits) - 1, 1);
    if (found.length === 0)
      throw problem("no_match", `there is no match ${digits}`, total && `There are ${grouped(total.value)}.`);
    return text(...layOutWhole(found[0] as FoundLine, process.stdout.columns ?? limits.widthDefault, plain));
  } finally {
    rows.close();
  }
}

async function explain({ shell, argument, signal }: Call): Promise<View> {
  const state = argument === "" ? shell.state : { ...shell.state, query: argument, steps: [] };
  const chain = chainOf(state) ?? shell.chain();
  const prepared = await shell.corpus.prepare(chain, { signal });
  const wrong = prepared.diagnostics.find(({ severity }) => severity === "error");
  if (wrong) {
    if (argument !== "") shell.state.query = argument;
    throw new DugongClientError({ ...wrong, retryable: false });
  }
  const { canonical = "", plan, hits, estimatedMs, strategy, notices = [] } = prepared;
  const amount = hits && `${hits.certainty === "exact" ? "" : "about "}${grouped(hits.value)}`;
  return {
    ...text(
      `${canonical}${strategy ? `  (${strategy})` : ""}`,
      ...(plan ? planLines(plan) : []),
      ...(amount ? [`${amount} ${hits.value === 1 ? "match" : "matches"}, about ${estimatedMs} ms`] : []),
      ...notices.map(({ message }) => `note: ${message}`),
    ),
    document: prepared,
  };
}
