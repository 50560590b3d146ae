/** What sketches are, in the fewest lines: run every query by trying everything, count with maps. */
import { readSketchGrammar } from "../../ql/sketch/grammar.js";
import { filled, partsOf, type Template } from "../../ql/sketch/template.js";
import { bindNaively, type NaiveCorpus } from "../reference/matcher.js";

export interface NaiveTriple {
  head: string;
  relation: string;
  collocate: string;
  /** "head collocate label3" of each occurrence, in order. */
  places: [number, number][];
}

export function sketchNaively(
  corpus: NaiveCorpus,
  text: string,
  headOf: (at: number) => string,
): NaiveTriple[] {
  const grammar = readSketchGrammar(text);
  const { structure, defaultAttribute } = grammar;
  const own = { ...corpus, defaultAttribute: defaultAttribute ?? corpus.defaultAttribute };
  const size = corpus.attributes.word.length;
  const triples = new Map<string, NaiveTriple & { seen: Set<string> }>();
  const add = (head: string, relation: string, collocate: string, place: [number, number], third: number) => {
    const key = JSON.stringify([head, relation, collocate]);
    let triple = triples.get(key);
    if (!triple) {
      triple = { head, relation, collocate, places: [], seen: new Set() };
      triples.set(key, triple);
    }
    const occurrence = `${place} ${third}`;
    if (triple.seen.has(occurrence)) return;
    triple.seen.add(occurrence);
    triple.places.push(place);
  };
  for (const { kind, template, reverse, collocate, queries } of grammar.relations) {
    const templates = [template, reverse?.template ?? [], collocate ?? []];
    const counts3 = kind === "trinary" || templates.flatMap(partsOf).some(({ label }) => label === "3");
    for (const { query } of queries) {
      const within = {
        kind: "within" as const,
        negated: false,
        scope: { kind: "structures" as const, structure: structure ?? "", count: 1 },
      };
      const filters = structure === undefined ? query.filters : [...query.filters, within];
      for (const { labels } of bindNaively(own, { ...query, filters })) {
        const [one, two, three] = ["1", "2", "3"].map((label) => labels[label]?.[0] ?? -1);
        const isBound = (at: number) => at >= 0 && at < size;
        if (!isBound(one) || (kind !== "unary" && !isBound(two)) || (kind === "trinary" && !isBound(three)))
          continue;
        const fill = (own: Template) =>
          filled(own, ({ label, attribute }) => {
            const at = [one, two, three][Number(label) - 1];
            return isBound(at) ? corpus.attributes[attribute][at] : "";
          });
        const third = counts3 ? three : -1;
        const other = kind === "unary" ? "" : collocate ? fill(collocate) : headOf(two);
        add(headOf(one), fill(template), other, [one, kind === "unary" ? one : two], third);
        if (reverse) add(headOf(two), fill(reverse.template), headOf(one), [two, one], third);
      }
    }
  }
  for (const { places } of triples.values()) places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...triples.values()];
}
