/** How a subcorpus is described: plain JSON, so that it can be made again on another snapshot. */
import { DugongError } from "../../storage/index.js";
import type { Asked, Chain } from "../chain/steps.js";
import { print } from "../cql/print.js";
import { limits } from "./limits.js";

export type SubcorpusDefinition = {
  /** What it was called where a saved definition was made of it: for people. */
  name?: string;
} & (
  | /** Everything that some match of a query covers: <doc year="19.*"/>, or any other. */ ({
      kind: "query";
    } & Asked)
  /** The structures that the hits of a chain begin in; without a structure, the hits themselves. */
  | { kind: "hits"; chain: Chain; structure?: string }
  /** The structures whose attribute has one of these values. */
  | { kind: "values"; structure: string; attribute: string; values: string[] }
  /** The tokens for which a condition on structures holds: year>=1990 and party="Democratic" (where/parse.ts). */
  | { kind: "where"; where: string }
  /** Of others, by name or as they are. A difference is the first without the others. */
  | { kind: "union" | "intersection" | "difference"; of: (string | SubcorpusDefinition)[] }
);

function badDefinition(message: string): DugongError {
  return new DugongError(
    "bad_subcorpus",
    `this does not describe a subcorpus: ${message}`,
    'Its kind is "query", "hits", "values", "where", "union", "intersection" or "difference".',
  );
}

/** What came from a file or over a wire, if it is a definition. Queries in it are read when they are run. */
export function checkDefinition(value: unknown, depth = 0): SubcorpusDefinition {
  if (depth > limits.depthMax) throw badDefinition(`it goes deeper than ${limits.depthMax} (limit depthMax)`);
  if (typeof value !== "object" || value === null) throw badDefinition("it is not an object");
  const definition = value as Partial<Record<string, unknown>>;
  const isText = (property: string) => typeof definition[property] === "string";
  switch (definition.kind) {
    case "query":
      if (!isText("query") && typeof definition.query !== "object") throw badDefinition("it has no query");
      break;
    case "hits": {
      const { chain, structure } = definition;
      if (!Array.isArray(chain) || chain[0]?.step !== "query")
        throw badDefinition("its chain does not begin with a query");
      if (structure !== undefined && !isText("structure")) throw badDefinition("its structure is not a name");
      if (typeof chain[0].subcorpus === "object") checkDefinition(chain[0].subcorpus, depth + 1);
      break;
    }
    case "values": {
      const { values } = definition;
      if (!isText("structure") || !isText("attribute"))
        throw badDefinition("it names no structure and attribute");
      if (!Array.isArray(values) || values.some((one) => typeof one !== "string"))
        throw badDefinition("its values are not a list of strings");
      break;
    }
    case "where":
      if (!isText("where")) throw badDefinition("it has no condition");
      break;
    case "union":
    case "intersection":
    case "difference": {
      const { of } = definition;
      if (!Array.isArray(of) || of.length === 0) throw badDefinition(`its ${definition.kind} is of nothing`);
      if (of.length > limits.partsMax)
        throw badDefinition(`it is made of more than ${limits.partsMax} (limit partsMax)`);
      for (const part of of) if (typeof part !== "string") checkDefinition(part, depth + 1);
      break;
    }
    default:
      throw badDefinition(`its kind is ${JSON.stringify(definition.kind)}`);
  }
  return value as SubcorpusDefinition;
}

/** The same with definitions in the place of names: what it means does not change when those names do. */
export function withoutNames(
  definition: SubcorpusDefinition,
  named: (name: string) => SubcorpusDefinition,
): SubcorpusDefinition {
  const inside = (part: string | SubcorpusDefinition): SubcorpusDefinition =>
    typeof part === "string" ? { ...named(part), name: part } : withoutNames(part, named);
  switch (definition.kind) {
    case "union":
    case "intersection":
    case "difference":
      return { ...definition, of: definition.of.map(inside) };
    case "hits": {
      const [{ subcorpus, ...first }, ...later] = definition.chain;
      if (subcorpus === undefined) return definition;
      return { ...definition, chain: [{ ...first, subcorpus: inside(subcorpus) }, ...later] };
    }
    default:
      return definition;
  }
}

/** A definition in a few words. */
export function describeDefinition(definition: SubcorpusDefinition): string {
  const asked = ({ query }: Asked) => (typeof query === "string" ? query : print(query));
  switch (definition.kind) {
    case "query":
      return asked(definition);
    case "hits": {
      const { chain, structure } = definition;
      const steps = chain.slice(1).map(({ step }) => step);
      const hits = [asked(chain[0]), ...steps].join(", then ");
      return structure === undefined ? `hits of ${hits}` : `${structure} with ${hits}`;
    }
    case "values": {
      const { structure, attribute, values } = definition;
      return `${structure}.${attribute} in a list of ${values.length}`;
    }
    case "where":
      return `where ${definition.where}`;
    default: {
      const parts = definition.of.map((part) =>
        typeof part === "string" ? part : (part.name ?? `(${describeDefinition(part)})`),
      );
      return `${definition.kind} of ${parts.join(", ")}`;
    }
  }
}
