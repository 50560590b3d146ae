/** Values of an attribute, of tokens or of structures: to choose from, or to complete what somebody has typed. */
import { column, mapped } from "../../ql/pace.js";
import { pageOf } from "../../ql/stats/ranking.js";
import type { Lexicon } from "../../storage/index.js";
import { limits } from "../limits.js";
import { refusal } from "../problems.js";
import { TableRows } from "./rows.js";
import { type Asking, type DeskVerb, flag, oneOf, positive, text } from "./verb.js";

export const valueVerbs: Record<string, DeskVerb> = {
  /**
   * The values that begin with a prefix, the most frequent first. Cost: O(values with the prefix); of all values where no
   * prefix is given, or where case does not matter.
   */
  values: {
    kind: "stream",
    access: "read",
    corpus: "needed",
    parameters: {
      "attribute!": text,
      prefix: text,
      limit: positive,
      order: oneOf("frequency", "value"),
      ignoreCase: flag,
    },
    open: values,
  },
};

function values({ desk, parameters, limits: hit }: Asking): TableRows {
  const {
    attribute,
    prefix = "",
    limit = 100,
    order = "frequency",
    ignoreCase = false,
  } = parameters as {
    attribute: string;
    prefix?: string;
    limit?: number;
    order?: "frequency" | "value";
    ignoreCase?: boolean;
  };
  const lexicon = lexiconOf(desk, attribute);
  const ids = ignoreCase ? idsIgnoringCase(lexicon, prefix, desk.checkpoint) : lexicon.idsWithPrefix(prefix);
  const { checkpoint } = desk;
  const { frequencies } = lexicon;
  const ranks = order === "value" ? lexicon.order.rankOfId : undefined;
  // The highest score first, and those that are equal by their ids.
  const score = column(ids, (id) => (ranks ? -ranks[id] : frequencies[id]), checkpoint);
  const page = { limit: Math.min(limit, limits.valuesMax) };
  const { rows: shown } = pageOf(ids, score, (a, b) => a - b, page, checkpoint);
  const rows = mapped(shown, (id) => ({ value: lexicon.string(id), frequency: frequencies[id] }), checkpoint);
  if (rows.length < Math.min(limit, ids.length)) hit.valuesMax = limits.valuesMax;
  return new TableRows(rows, { values: ids.length }, checkpoint);
}

/** "word", or "doc.category". */
function lexiconOf({ snapshot }: Asking["desk"], attribute: string): Lexicon {
  const dot = attribute.indexOf(".");
  const isPositional = snapshot.attributes.some(({ name }) => name === attribute);
  if (dot < 0 || isPositional) {
    const found = snapshot.attribute(attribute);
    return found.values?.lexicon ?? found.lexicon;
  }
  const [name, own] = [attribute.slice(0, dot), attribute.slice(dot + 1)];
  const structure = snapshot.structure(name);
  if (!structure.attributes.some((one) => one.name === own)) {
    throw refusal(
      "unknown_attribute",
      `structure ${name} has no attribute ${JSON.stringify(own)} (it has ${structure.attributes.map((one) => one.name).join(", ") || "none"})`,
    );
  }
  const lexicon = structure.values(own)?.lexicon ?? structure.lexicon(own);
  if (lexicon) return lexicon;
  throw refusal(
    "unique_attribute",
    `${attribute} is unique: every ${name} has another value, and there is no list of them`,
  );
}

function idsIgnoringCase(lexicon: Lexicon, prefix: string, checkpoint: () => void): Uint32Array {
  const wanted = prefix.toLowerCase();
  const found: number[] = [];
  let seen = 0;
  for (const { id, bytes } of lexicon.inOrder()) {
    if ((++seen & 0xfff) === 0) checkpoint();
    if (Buffer.from(bytes).toString().toLowerCase().startsWith(wanted)) found.push(id);
  }
  return Uint32Array.from(found);
}
