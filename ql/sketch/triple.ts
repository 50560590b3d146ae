/** Where a triple stands in the corpus: ws("king-n", "modifier", "great") in CQL, and the lines of a sketch. */
import { headsNamed } from "./head.js";
import type { RelationInfo, SketchReader } from "./reader.js";
import { shownName } from "./sketch.js";

/**
 * Positions of the head, ascending, each once. Words without the suffix that heads have stand for those with any; a
 * relation is named as it is shown or stored, or by the heading of its family; an empty collocate is that of a unary relation.
 */
export function positionsOfTriple(
  reader: SketchReader,
  { head, relation, collocate }: { head: string; relation: string; collocate: string },
): Uint32Array {
  const collocates = headsNamed(reader, collocate);
  const positions = new Set<number>();
  for (const word of headsNamed(reader, head))
    for (const { number } of relationsNamed(reader, word, relation))
      for (const other of collocates)
        for (const position of reader.positionsOf(word, number, other).positions) positions.add(position);
  return Uint32Array.from(positions).sort();
}

function relationsNamed({ info, words }: SketchReader, head: number, asked: string): RelationInfo[] {
  const text = words.text(head);
  return info.relations.filter(({ name, base }) => [name, base, shownName(name, text)].includes(asked));
}
