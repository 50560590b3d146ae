/**
 * From a subcorpus's name or description to its ranges in a snapshot.
 *
 * What has a name is stored for the snapshot it was made on. On another one, the definition is replayed when it is first
 * asked for, and stored for that too.
 */
import type { SubcorpusRecord, SubcorpusSizes } from "../../storage/index.js";
import { stream } from "../chain/run.js";
import type { Chain } from "../chain/steps.js";
import type { Desk } from "../desk.js";
import { findStructure } from "../plan/names.js";
import { planWhere } from "../where/where.js";
import { checkDefinition, type SubcorpusDefinition } from "./definition.js";
import { differenceOf, intersectionOf, unionOf } from "./sets.js";
import { keyOf } from "./store.js";
import { StructureMarks, structuresTouched, structuresWithValues } from "./structures.js";
import { Subcorpus } from "./subcorpus.js";

/** The ranges of a subcorpus. Computed once for a desk, as long as there is room. */
export function resolveSubcorpus(desk: Desk, subcorpus: string | SubcorpusDefinition): Promise<Subcorpus> {
  if (typeof subcorpus === "string") return resolveNamed(desk, subcorpus);
  return desk.subcorpora.once(keyOf(subcorpus), async () => compute(desk, checkDefinition(subcorpus)));
}

async function resolveNamed(desk: Desk, name: string): Promise<Subcorpus> {
  const record = desk.subcorpora.find(name);
  return desk.subcorpora.once(
    `#${record.id}`,
    async () => desk.subcorpora.load(record) ?? replay(desk, record),
  );
}

async function replay(desk: Desk, record: SubcorpusRecord): Promise<Subcorpus> {
  const part = await compute(desk, desk.subcorpora.definition(record));
  await desk.subcorpora.keep(record, part, sizesOf(desk, part));
  return part;
}

export function sizesOf({ snapshot }: Desk, part: Subcorpus): SubcorpusSizes {
  const { document } = snapshot.config;
  const structure = snapshot.structures.find(({ name }) => name === document);
  return {
    tokens: part.tokens,
    ranges: part.begins.length,
    documents: structure ? structuresTouched(snapshot, structure, part) : -1,
  };
}

async function compute(desk: Desk, definition: SubcorpusDefinition): Promise<Subcorpus> {
  const { snapshot } = desk;
  switch (definition.kind) {
    case "query": {
      const { kind: _, name: __, ...asked } = definition;
      return covered(desk, [{ step: "query", ...asked }]);
    }
    case "hits":
      return definition.structure === undefined
        ? covered(desk, definition.chain)
        : around(desk, definition.chain, definition.structure);
    case "values": {
      const { structure, attribute, values } = definition;
      return structuresWithValues(snapshot, findStructure(snapshot, structure), attribute, values).part;
    }
    case "where":
      return planWhere(snapshot, definition.where).part();
    default: {
      const parts: Subcorpus[] = [];
      for (const part of definition.of) parts.push(await resolveSubcorpus(desk, part));
      if (definition.kind === "union") return unionOf(snapshot, parts);
      const combine = definition.kind === "intersection" ? intersectionOf : differenceOf;
      return parts.reduce((a, b) => combine(snapshot, a, b));
    }
  }
}

/** What the hits of a chain cover: each block is merged as it comes, so that memory grows with ranges, not with hits. */
async function covered(desk: Desk, chain: Chain): Promise<Subcorpus> {
  const { snapshot } = desk;
  let parts: Subcorpus[] = [];
  let waiting = 0;
  for await (const hits of stream(desk, chain)) {
    const make = hits.ascending ? Subcorpus.of : Subcorpus.ofAny;
    parts.push(make(snapshot, hits, hits.count));
    waiting += parts[parts.length - 1].begins.length;
    if (parts.length < 64 || waiting < parts[0].begins.length) continue;
    parts = [Subcorpus.ofParts(snapshot, parts)];
    waiting = 0;
  }
  return parts.length === 0 ? nothing(desk) : Subcorpus.ofParts(snapshot, parts);
}

function nothing({ snapshot }: Desk): Subcorpus {
  return Subcorpus.of(snapshot, { begins: new Uint32Array(0), ends: new Uint32Array(0) });
}

async function around(desk: Desk, chain: Chain, structure: string): Promise<Subcorpus> {
  const { snapshot } = desk;
  const marks = new StructureMarks(snapshot, findStructure(snapshot, structure));
  for await (const hits of stream(desk, chain)) marks.markAround(hits);
  return marks.toSubcorpus();
}
