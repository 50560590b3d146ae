/**
 * Sketch grammars: relations between words, each found by queries with labels, in the file syntax of the field.
 *
 *   file      = line*                                  (*.m4: after the macro pass, macros.ts)
 *   line      = "#" comment | "*" directive | "=" name | query | nothing        (white space before it counts for nothing)
 *
 *   of the whole grammar                               of one relation: before its heading, or right after it
 *   *STRUCTLIMIT s      no match crosses an s          *DUAL           =A/B: (1, A, 2) and (2, B, 1)
 *   *DEFAULTATTR tag    what "re" asks                  *SYMMETRIC      (1, A, 2) and (2, A, 1)
 *   *WSPOSLIST ",noun,-n,verb,-v"                      *UNARY          only 1; the relation counts
 *                       parts of speech: label, suffix  *TRINARY        1, 2, 3; =name %(3.lemma): a family of relations
 *                       (its first character separates) *UNIMAP x[/y]   a name that does not depend on the language
 *   *FIXORDER ;a;b      the order in which relations    *SEPARATEPAGE t a page of its own, with this title
 *                       are shown                       *COLLOC "%(2.word)_%(3.word)"   how the collocate is put together
 *                                                       *CONSTRUCTION   a relation of the head itself, shown apart
 *
 * Queries of headings that are the same are queries of one relation. A name is cut at "/" under *DUAL only; %w in a name is the
 * head, when it is shown.
 */
import type { Query } from "../cql/ast.js";
import { labelsOf } from "../cql/labels.js";
import { type Diagnostic, parse } from "../cql/parse.js";
import { QueryError } from "../plan/errors.js";
import { limits } from "./limits.js";
import { type Expanded, expandMacros, unexpanded } from "./macros.js";
import { parseTemplate, type Template } from "./template.js";

export interface SketchGrammar {
  /** No match crosses this structure. */
  structure?: string;
  /** The attribute of "re"; the corpus's own, if the grammar does not say. */
  defaultAttribute?: string;
  /** Parts of speech by which heads are told apart: "noun", and "-n" at the end of the head. */
  partsOfSpeech: { label: string; suffix: string }[];
  /** Names of relations in the order in which they are shown; those that are not named come behind. */
  order: string[];
  relations: Relation[];
  /** Where *STRUCTLIMIT and *DEFAULTATTR stand. */
  structurePlace?: Place;
  attributePlace?: Place;
}

export type RelationKind = "binary" | "unary" | "trinary";

export interface Relation {
  /** As the heading says; the first part of it under *DUAL. */
  name: string;
  /** The same with its attributes of label 3, where it is a family. */
  template: Template;
  kind: RelationKind;
  /** Of the same matches with 1 and 2 swapped: another name (*DUAL), or the same (*SYMMETRIC). */
  reverse?: { name: string; template: Template };
  unimap?: string;
  reverseUnimap?: string;
  page?: string;
  /** How the collocate is put together; the head's attribute of label 2, if nothing is said. */
  collocate?: Template;
  isConstruction: boolean;
  queries: RelationQuery[];
  /** Where its heading stands. */
  place: Place;
}

export interface RelationQuery {
  text: string;
  query: Query;
  /** Line of the file, from 1. */
  line: number;
  /** Where in the file something of the text stands: what a macro stood for, where the macro was called. */
  placeOf(offset: number): Place;
}

/** From 1. */
export interface Place {
  line: number;
  column: number;
}

/** Where something is wrong with a grammar. */
export interface GrammarDiagnostic extends Diagnostic, Place {}

/** Reads a grammar; throws bad_sketch_grammar with all that is wrong with it, by file, line and column. */
export function readSketchGrammar(
  file: string,
  { name = "grammar", macros = /\.m4$/.test(name) }: { name?: string; macros?: boolean } = {},
): SketchGrammar {
  const reader = new Reader(file.replace(/^\ufeff/, ""), macros);
  const grammar = reader.read();
  const { diagnostics } = reader;
  if (diagnostics.length === 0) return grammar;
  const lines = diagnostics.map(
    ({ line, column, message, hint }) => `${name}:${line}:${column}: ${message}${hint ? `. ${hint}` : ""}`,
  );
  throw new QueryError("bad_sketch_grammar", lines.join("\n"), undefined, diagnostics[0].span, diagnostics);
}

/** Directives that wait for their heading, or follow it. */
interface Pending {
  kind?: RelationKind;
  dual?: boolean;
  symmetric?: boolean;
  unimap?: string;
  page?: string;
  collocate?: Template;
  construction?: boolean;
}

interface Heading extends Pending {
  text: string;
  at: number;
  queries: { text: string; at: number }[];
}

class Reader {
  readonly diagnostics: GrammarDiagnostic[] = [];
  readonly #grammar: SketchGrammar = { partsOfSpeech: [], order: [], relations: [] };
  readonly #headings: Heading[] = [];
  #pending: Pending = {};
  readonly #lineStarts: number[] = [0];

  constructor(
    readonly file: string,
    readonly macros: boolean,
  ) {
    for (let at = file.indexOf("\n"); at >= 0; at = file.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
  }

  read(): SketchGrammar {
    const expanded = this.#expand();
    if (!expanded) return this.#grammar;
    const { text, origins } = expanded;
    for (let from = 0; from <= text.length; ) {
      const newline = text.indexOf("\n", from);
      const end = newline < 0 ? text.length : newline;
      this.#line(text.slice(from, end), from, origins);
      from = end + 1;
    }
    if (Object.keys(this.#pending).length > 0)
      this.#report("stray_directive", "directives at the end belong to no heading", this.file.length);
    for (const heading of this.#headings) this.#relation(heading, origins);
    if (this.#headings.length === 0 && this.diagnostics.length === 0)
      this.#report(
        "no_relation",
        "there is no relation in the grammar",
        0,
        'A relation begins with "=name".',
      );
    return this.#grammar;
  }

  #expand(): Expanded | undefined {
    const { file } = this;
    if (file.length > limits.grammarCharsMax) {
      this.#report("grammar_too_long", `the grammar has more than ${limits.grammarCharsMax} characters`, 0);
      return undefined;
    }
    try {
      return this.macros ? expandMacros(file) : unexpanded(file);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      this.#report(error.code, error.message, error.span?.[0] ?? 0, error.hint);
      return undefined;
    }
  }

  #line(line: string, from: number, origins: Uint32Array): void {
    const text = line.trim();
    const at = from + line.length - line.trimStart().length;
    if (text === "" || text.startsWith("#")) return;
    if (text.startsWith("*")) this.#directive(text, origins[at]);
    else if (text.startsWith("=")) this.#heading(text.slice(1).trim(), origins[at]);
    else {
      const heading = this.#headings.at(-1);
      if (!heading || Object.keys(this.#pending).length > 0)
        this.#report("no_heading", "a query stands under no heading", origins[at], 'Begin with "=name".');
      else heading.queries.push({ text, at });
    }
  }

  #heading(text: string, at: number): undefined {
    if (text === "") return this.#report("no_name", "a heading has no name", at, 'Write "=name".');
    if (this.#headings.length === limits.relationsMax)
      return this.#report("too_many_relations", `there are more than ${limits.relationsMax} headings`, at);
    this.#headings.push({ ...this.#pending, text, at, queries: [] });
    this.#pending = {};
  }

  #directive(text: string, at: number): undefined {
    const [, word, argument] = /^\*\s*(\S*)\s*(.*)$/.exec(text)!;
    const name = word.toUpperCase();
    const grammar = this.#grammar;
    // Right after a heading they are the heading's.
    const last = this.#headings.at(-1);
    const relation: Pending = last && last.queries.length === 0 ? last : this.#pending;
    const whole = (): boolean => {
      if (argument !== "") return true;
      this.#report("bad_directive", `*${name} says nothing`, at);
      return false;
    };
    switch (name) {
      case "STRUCTLIMIT":
        if (!whole()) return;
        grammar.structure = argument;
        grammar.structurePlace = this.#placeOf(at);
        return;
      case "DEFAULTATTR":
        if (!whole()) return;
        grammar.defaultAttribute = argument;
        grammar.attributePlace = this.#placeOf(at);
        return;
      case "WSPOSLIST":
        return this.#partsOfSpeech(argument, at);
      case "FIXORDER":
        grammar.order = listOf(argument);
        return;
      case "DUAL":
        relation.dual = true;
        return;
      case "SYMMETRIC":
        relation.symmetric = true;
        return;
      case "UNARY":
      case "TRINARY":
        relation.kind = name === "UNARY" ? "unary" : "trinary";
        return;
      case "UNIMAP":
        if (whole()) relation.unimap = argument;
        return;
      case "SEPARATEPAGE":
        if (whole()) relation.page = unquoted(argument);
        return;
      case "COLLOC":
        if (whole()) relation.collocate = this.#template(unquoted(argument), at);
        return;
      case "CONSTRUCTION":
        relation.construction = true;
        return;
      default:
        this.#report("unknown_directive", `there is no directive *${word}`, at, `Known are ${known}.`);
    }
  }

  /** ",noun,-n,verb,-v" */
  #partsOfSpeech(argument: string, at: number): undefined {
    const list = listOf(unquoted(argument));
    if (list.length === 0 || list.length % 2 === 1)
      return this.#report(
        "bad_directive",
        "*WSPOSLIST is not a list of labels and suffixes",
        at,
        'Write, for instance, *WSPOSLIST ",noun,-n,verb,-v".',
      );
    for (let i = 0; i < list.length; i += 2)
      this.#grammar.partsOfSpeech.push({ label: list[i], suffix: list[i + 1] });
  }

  #template(text: string, at: number): Template | undefined {
    try {
      return parseTemplate(text);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      this.#report(error.code, error.message, at, error.hint);
      return undefined;
    }
  }

  #relation(heading: Heading, origins: Uint32Array): undefined {
    const { text, at, dual = false, symmetric = false, kind = "binary", queries } = heading;
    const [name, other] = dual ? cutOnce(text) : [text, undefined];
    if (dual && other === undefined)
      return this.#report("bad_heading", `under *DUAL, "${text}" needs two names`, at, 'Write "=A/B".');
    if (dual && symmetric)
      return this.#report("bad_heading", `"${text}" is *DUAL and *SYMMETRIC`, at, "Leave one of them out.");
    if (kind === "unary" && (dual || symmetric))
      return this.#report("bad_heading", `"${text}" is *UNARY: there is nothing to swap`, at);
    const template = this.#template(name, at);
    const reverse = symmetric ? name : other;
    const reverseTemplate = reverse === undefined ? undefined : this.#template(reverse, at);
    if (!template || (reverse !== undefined && !reverseTemplate)) return;
    const labels = kind === "unary" ? ["1"] : kind === "trinary" ? ["1", "2", "3"] : ["1", "2"];
    const found = queries.flatMap((one) => this.#query(one, labels, origins) ?? []);
    const [unimap, reverseUnimap] = heading.unimap === undefined ? [] : cutOnce(heading.unimap);
    const before = this.#grammar.relations.find((one) => one.name === name && one.reverse?.name === reverse);
    if (before) {
      if (before.kind !== kind)
        return this.#report("bad_heading", `"${text}" is ${before.kind} above and ${kind} here`, at);
      before.queries.push(...found);
      before.unimap ??= unimap;
      before.reverseUnimap ??= reverseUnimap;
      before.page ??= heading.page;
      before.collocate ??= heading.collocate;
      before.isConstruction ||= heading.construction ?? false;
      return;
    }
    this.#grammar.relations.push({
      name,
      template,
      kind,
      ...(reverseTemplate && { reverse: { name: reverse!, template: reverseTemplate } }),
      ...(unimap !== undefined && { unimap }),
      ...(reverseUnimap !== undefined && { reverseUnimap }),
      ...(heading.page !== undefined && { page: heading.page }),
      ...(heading.collocate && { collocate: heading.collocate }),
      isConstruction: heading.construction ?? false,
      queries: found,
      place: this.#placeOf(at),
    });
  }

  #query(
    { text, at }: { text: string; at: number },
    labels: readonly string[],
    origins: Uint32Array,
  ): RelationQuery | undefined {
    const { query, diagnostics } = parse(text);
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity === "error") this.#add(diagnostic, origins[at + diagnostic.span[0]]);
    }
    if (!query) return undefined;
    const bound = labelsOf(query.expression);
    const missing = labels.filter((label) => !bound.has(label));
    if (missing.length > 0) {
      this.#report("missing_label", `no token has the label ${missing.join(", nor ")}`, origins[at]);
      return undefined;
    }
    const placeOf = (offset: number) => this.#placeOf(origins[at + Math.min(offset, text.length)]);
    return { text, query, line: placeOf(0).line, placeOf };
  }

  #report(code: string, message: string, at: number, hint?: string): undefined {
    this.#add({ code, severity: "error", message, span: [at, at + 1], ...(hint && { hint }) }, at);
  }

  #add(diagnostic: Diagnostic, at: number): void {
    if (this.diagnostics.length === limits.diagnosticsMax) return;
    this.diagnostics.push({ ...diagnostic, ...this.#placeOf(at) });
  }

  #placeOf(at: number): Place {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lineStarts[middle] <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - this.#lineStarts[low] + 1 };
  }
}

const known =
  "STRUCTLIMIT, DEFAULTATTR, WSPOSLIST, FIXORDER, DUAL, SYMMETRIC, UNARY, TRINARY, UNIMAP, SEPARATEPAGE, COLLOC, CONSTRUCTION";

/** ";a;b": the first character separates. */
function listOf(text: string): string[] {
  return text === ""
    ? []
    : text
        .slice(1)
        .split(text[0])
        .map((one) => one.trim());
}

function cutOnce(text: string): [string, string | undefined] {
  const slash = text.indexOf("/");
  return slash < 0 ? [text, undefined] : [text.slice(0, slash).trim(), text.slice(slash + 1).trim()];
}

function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
