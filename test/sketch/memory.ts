/** Sketches in maps, of plain occurrences: what a reader means, in the fewest lines. Slow, and meant to be. */
import type { Occurrences, SketchReader, Slice, WordCounts } from "../../ql/sketch/reader.js";

/** [head, relation, collocate, position of the head, position of the collocate]; a unary one has "" as collocate. */
export type Occurrence = [string, string, string, number, number];

export function memoryReader(list: readonly Occurrence[], tokens = 1000): SketchReader {
  const names = [...new Set(list.map(([, name]) => name))].sort();
  const strings = [...new Set(list.flatMap(([head, , collocate]) => [head, collocate]))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const ids = new Map(strings.map((text, id) => [text, id]));
  const all = list
    .map(([h, r, c, p1, p2]) => ({ h: ids.get(h)!, r: names.indexOf(r), c: ids.get(c)!, p1, p2 }))
    .sort((a, b) => a.p1 - b.p1 || a.p2 - b.p2);
  type One = (typeof all)[0];
  const where = (test: (one: One) => boolean) => all.filter(test);
  const counted = (found: One[], key: "h" | "c" | "r"): WordCounts => {
    const words = Uint32Array.from(new Set(found.map((one) => one[key]))).sort();
    return { words, counts: words.map((word) => found.filter((one) => one[key] === word).length) };
  };
  const relationsIn = (found: One[]) => {
    const { words, counts } = counted(found, "r");
    return { relations: words, counts };
  };
  const places = (found: One[]): Occurrences => ({
    positions: Uint32Array.from(found, ({ p1 }) => p1),
    collocates: Uint32Array.from(found, ({ p2 }) => p2),
  });
  const reader: SketchReader = {
    info: {
      ...{ corpus: "small", snapshot: 1, name: "default", grammar: "small.wsdef", heads: "lemma+tag" },
      ...{ partsOfSpeech: [{ label: "noun", suffix: "-n" }], order: [], tokens, frequentCount: 1 },
      ...{ triples: new Set(all.map(({ h, r, c }) => `${h} ${r} ${c}`)).size, occurrences: all.length },
      relations: names.map((name, number) => ({
        ...{ number, name, base: name, isReverse: false, isConstruction: false },
        kind: list.some(([, r, c]) => r === name && c === "") ? "unary" : "binary",
        count: where(({ r }) => r === number).length,
      })),
    },
    words: {
      count: strings.length,
      id: (text) => ids.get(text),
      text: (id) => strings[id],
      withPrefix: (text) => {
        const from = strings.findIndex((one) => one.startsWith(text));
        return from < 0 ? [0, 0] : [from, strings.findLastIndex((one) => one.startsWith(text)) + 1];
      },
    },
    headCount: (word) => where(({ h }) => h === word).length,
    headCounts: () => Uint32Array.from(strings, (_, word) => reader.headCount(word)),
    weight: (word) =>
      [...new Set(where(({ h }) => h === word).map(({ r, c }) => `${r} ${c}`))].reduce((sum, context) => {
        const [r, c] = context.split(" ").map(Number);
        const f12 = reader.count(word, r, c);
        const isUnary = reader.info.relations[r].kind === "unary";
        const dice =
          14 + Math.log2((2 * f12) / (reader.countOfHead(word, r) + reader.countOfCollocate(r, c)));
        return sum + (isUnary ? 0 : Math.max(0, Math.round(256 * dice)));
      }, 0),
    corpusCount: (word) => new Set(where(({ h }) => h === word).map(({ p1 }) => p1)).size,
    relationsOf: (head) => relationsIn(where(({ h }) => h === head)),
    relationsOfCollocate: (collocate) => relationsIn(where(({ c }) => c === collocate)),
    collocatesOf: (head, relation) =>
      counted(
        where(({ h, r }) => h === head && r === relation),
        "c",
      ),
    headsOf: (collocate, relation) =>
      counted(
        where(({ c, r }) => c === collocate && r === relation),
        "h",
      ),
    countOfHead: (head, relation) => where(({ h, r }) => h === head && r === relation).length,
    countOfCollocate: (relation, collocate) => where(({ c, r }) => c === collocate && r === relation).length,
    countsOfCollocates: (relation, collocates) =>
      Uint32Array.from(collocates, (collocate) => reader.countOfCollocate(relation, collocate)),
    contextsOf: (relation, collocates) => ({
      counts: reader.countsOfCollocates(relation, collocates),
      heads: Uint32Array.from(collocates, (collocate) => reader.headsOf(collocate, relation).words.length),
    }),
    count: (head, relation, collocate) => reader.positionsOf(head, relation, collocate).positions.length,
    positionsOf: (head, relation, collocate) =>
      places(where(({ h, r, c }) => h === head && r === relation && c === collocate)),
    positionsOfEach: (head, relation, collocates) =>
      Array.from(collocates, (collocate) => reader.positionsOf(head, relation, collocate)),
    occurrencesOf: (head, relation) => {
      const found = where(({ h, r }) => h === head && r === relation);
      // Sorting is stable: positions of one collocate stay in their order.
      return { ...counted(found, "c"), ...places([...found].sort((a, b) => a.c - b.c)) };
    },
    positionsOfHeads: (collocate, relation) =>
      places(where(({ c, r }) => c === collocate && r === relation)).positions,
    *slices(from = 0, to = strings.length): Generator<Slice> {
      for (let head = from; head < to; head++)
        for (const relation of reader.relationsOf(head).relations)
          yield { head, relation, ...reader.collocatesOf(head, relation) };
    },
    *contexts(from = 0, to = strings.length): Generator<Slice> {
      for (let head = from; head < to; head++)
        for (const relation of reader.relationsOfCollocate(head).relations)
          yield { head, relation, ...reader.headsOf(head, relation) };
    },
    close: () => {},
  };
  return reader;
}
