/**
 * The shell without a terminal: a line of input leads to a view. Lines that begin with a backslash are commands
 * (commands.ts), all others queries.
 */
import type { Line as FoundLine } from "../../ql/index.js";
import { harmless } from "../cli/width.js";
import { problem } from "../errors.js";
import type { Corpus, CorpusDescription, Known, Rows, Session } from "../index.js";
import { commands } from "./commands.js";
import type { Names } from "./completion.js";
import { limits } from "./limits.js";
import { chainOf, initialState, type State } from "./state.js";
import { linesView, type RowsView, type View } from "./views.js";

export class Shell implements Names {
  readonly state: State;
  /** What was shown last, for \save. */
  last: RowsView | undefined;
  /** Called when more is known of what is being shown. */
  watch: (known: Known) => void = () => {};
  isOver = false;
  /** As it was before the last line. */
  #before: State;
  readonly #described = new Map<string, Promise<CorpusDescription>>();

  constructor(
    readonly session: Session,
    corpus?: string,
  ) {
    this.state = initialState(corpus);
    this.#before = structuredClone(this.state);
  }

  /** Uses the only corpus there is, if nobody has said which. */
  async begin(): Promise<void> {
    if (this.state.corpus !== undefined) return;
    const [only, ...others] = await this.session.corpora();
    if (only && others.length === 0) this.state.corpus = only.name;
  }

  /** What a whole line of input leads to; undefined where there is nothing to show. */
  async execute(input: string, signal?: AbortSignal): Promise<View | undefined> {
    const line = input.trim();
    if (line === "") return undefined;
    this.#before = structuredClone(this.state);
    if (!line.startsWith("\\")) {
      this.state.query = line;
      this.state.steps = [];
      return this.lines(signal);
    }
    const [, name, argument] = /^\\(\S*)\s*([\s\S]*)$/.exec(line)!;
    const command = Object.hasOwn(commands, name) ? commands[name] : abbreviated(name);
    return command.run({ shell: this, argument: argument.trim(), signal });
  }

  /** The last line came to nothing: what it changed is changed back. */
  revert(): void {
    // Every key is there, if only as undefined: what was not yet said before is unsaid again.
    Object.assign(this.state, this.#before);
  }

  /** The text that the place of an error is about: that of the last query somebody wrote. */
  get text(): string {
    const texts = (chainOf(this.state) ?? []).flatMap((step) =>
      "query" in step && typeof step.query === "string" ? [step.query] : [],
    );
    return texts.at(-1) ?? "";
  }

  get corpus(): Corpus {
    const { corpus } = this.state;
    if (corpus === undefined)
      throw problem(
        "no_corpus",
        "no corpus is chosen",
        "\\corpora lists those there are, \\use NAME takes one.",
      );
    return this.session.corpus(corpus);
  }

  /** The query as it stands, as lines. */
  lines(signal?: AbortSignal): View {
    const { settings } = this.state;
    const { context, attributes, refs, tags, view } = settings;
    const rows = this.corpus.query(this.chain(), {
      ...(view === "sentence" && { context: "1 s" }),
      ...(context !== undefined && { context }),
      ...(attributes && { attributes }),
      ...(refs && { refs }),
      ...(tags && { tags }),
      counting: true,
      signal,
      onProgress: (known) => this.watch(known),
    });
    return this.shown(linesView(rows as unknown as Rows<FoundLine>, { view, refs }));
  }

  /** Throws if there is no query yet. */
  chain(): NonNullable<ReturnType<typeof chainOf>> {
    const chain = chainOf(this.state);
    if (!chain) throw problem("no_query", "there is no query yet", 'Type one, for instance [lemma="go"].');
    return chain;
  }

  shown<Row>(view: RowsView<Row>): RowsView {
    this.last?.rows.close();
    this.last = view as RowsView;
    return this.last;
  }

  describe(corpus = this.state.corpus): Promise<CorpusDescription> {
    if (corpus === undefined) return this.corpus.describe();
    let described = this.#described.get(corpus);
    if (!described) {
      described = this.session.corpus(corpus).describe();
      this.#described.set(corpus, described);
      described.catch(() => this.#described.delete(corpus));
    }
    return described;
  }

  // ---- names, for completion: none where they cannot be found out

  async corpora(): Promise<string[]> {
    const corpora = await this.session.corpora().catch(() => []);
    return corpora.map(({ name }) => name);
  }

  async attributes(): Promise<string[]> {
    if (this.state.corpus === undefined) return [];
    return Object.keys((await this.describe().catch(() => undefined))?.attributes ?? {});
  }

  async structures(): Promise<Record<string, string[]>> {
    if (this.state.corpus === undefined) return {};
    const structures = (await this.describe().catch(() => undefined))?.structures ?? {};
    return Object.fromEntries(
      Object.entries(structures).map(([name, { attributes }]) => [name, Object.keys(attributes)]),
    );
  }

  async subcorpora(): Promise<string[]> {
    if (this.state.corpus === undefined) return [];
    const subcorpora = await this.corpus.subcorpora().catch(() => []);
    return subcorpora.map(({ name }) => name);
  }

  async values(attribute: string | undefined, prefix: string): Promise<string[]> {
    if (this.state.corpus === undefined) return [];
    const named = attribute ?? (await this.describe()).defaultAttribute;
    const rows = await this.corpus.values(named, { prefix, limit: limits.completionsMax }).all();
    // What a terminal would take for a command is not offered.
    return rows.map(({ value }) => value).filter((value) => harmless(value) === value);
  }
}

/** The one command that begins so. */
function abbreviated(name: string): (typeof commands)[string] {
  const found = name === "" ? [] : Object.keys(commands).filter((one) => one.startsWith(name));
  if (found.length === 1) return commands[found[0]];
  throw problem(
    "unknown_command",
    found.length === 0 ? `there is no command \\${name}` : `\\${name} may be \\${found.join(" or \\")}`,
    "\\help lists them all.",
  );
}
