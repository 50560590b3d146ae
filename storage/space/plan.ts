/**
 * What a space is to be: units and dimensions as somebody names them, found in a corpus, with a scale for each.
 *
 *   dimensions = dimension { "," dimension }
 *   dimension  = name [ ":" kind [ ":" cells ] ]
 *   kind       = linear | logarithmic | rank | date | category
 *   name       = word, lemma: a positional attribute, by its lexicon's ids, which rank words by frequency
 *              | word+tag: several together, the most frequent combination first
 *              | length: tokens of the unit
 *              | rank: PageRank of the document, by a link table
 *              | recency: days before the newest document
 *              | year, doc.year: an attribute of the unit, or of what it lies in
 *
 * Without a kind, values decide: dates with a hyphen are dates, numbers are linear, all else is a category. Scales come from the lexicons of the
 * attributes, so that no unit has to be read for them.
 */
import type { Snapshot } from "../corpus/snapshot.js";
import type { Structure } from "../corpus/structure.js";
import { nearestName } from "../derive/nearest.js";
import { DugongError } from "../errors.js";
import type { DimensionRecord, Source } from "./dimensions.js";
import { coordinateMax, dimensionsMax, dimensionsMin } from "./format.js";
import { cellsOf, checkCells, daysOf, linearScale, numberOf, rankScale, type Scale } from "./quantise.js";
import type { QuantiserKind } from "./types.js";

export interface DimensionSpec {
  name: string;
  kind?: QuantiserKind;
  cells?: number;
}

const kinds = ["linear", "logarithmic", "rank", "date", "category"];
/** Cells of a logarithmic scale for each doubling, unless it is told how many there are. */
const perOctaveDefault = 8;
const lengthBitsMax = 27;

export function parseDimensions(text: string): DimensionSpec[] {
  const specs = text.split(",").map((part) => parseDimension(part.trim()));
  if (specs.length < dimensionsMin || specs.length > dimensionsMax)
    throw bad(`a space has ${dimensionsMin} to ${dimensionsMax} dimensions, not ${specs.length}`);
  const names = specs.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw bad(`dimension ${twice} is named twice`);
  return specs;
}

function parseDimension(text: string): DimensionSpec {
  const [name, kind, cells, ...more] = text.split(":");
  if (name === "" || more.length > 0)
    throw bad(
      `cannot read the dimension ${JSON.stringify(text)}`,
      'Write "year", "year:linear" or "year:linear:100".',
    );
  if (kind !== undefined && !kinds.includes(kind)) {
    const near = nearestName(kind, kinds);
    throw bad(
      `no scale ${JSON.stringify(kind)} (there are ${kinds.join(", ")})`,
      near && `Did you mean ${near}?`,
    );
  }
  if (cells !== undefined) checkCells(/^\d+$/.test(cells) ? Number(cells) : Number.NaN, name);
  return {
    name,
    kind: kind as QuantiserKind | undefined,
    ...(cells !== undefined && { cells: Number(cells) }),
  };
}

function bad(message: string, hint?: string): DugongError {
  return new DugongError("bad_dimensions", message, hint);
}

/** The structure that units are, or undefined for tokens. */
export function unitStructure(snapshot: Snapshot, unit: string): Structure | undefined {
  return unit === "token" ? undefined : snapshot.structure(unit);
}

/** Where the values of a dimension come from. */
export function sourceOf(
  snapshot: Snapshot,
  unit: string,
  { name }: DimensionSpec,
  linkAttribute: string | undefined,
): Source {
  const own = unitStructure(snapshot, unit);
  if (name.includes("+")) return tokenSource(snapshot, name.split("+"));
  if (name.includes(".")) return structureSource(snapshot, name);
  if (snapshot.attributes.some((attribute) => attribute.name === name)) return tokenSource(snapshot, [name]);
  const around = own?.attributes.some((attribute) => attribute.name === name)
    ? own
    : documents(snapshot)?.attributes.some((attribute) => attribute.name === name)
      ? documents(snapshot)
      : undefined;
  if (around) return { from: "structure", structure: around.name, attribute: name };
  if (name === "length") {
    if (!own) throw bad("a token has no length", "Use --unit doc, or another structure.");
    return { from: "length" };
  }
  if (name === "rank") return linkSource(snapshot, linkAttribute);
  if (name === "recency") return recencySource(snapshot);
  throw unknown(snapshot, unit, name);
}

function documents(snapshot: Snapshot): Structure | undefined {
  return snapshot.structures.find((structure) => structure.name === snapshot.config.document);
}

function unknown(snapshot: Snapshot, unit: string, name: string): DugongError {
  const names = [
    ...snapshot.attributes.map((attribute) => attribute.name),
    ...snapshot.structures
      .filter((structure) => structure.name === unit || structure.name === snapshot.config.document)
      .flatMap((structure) => structure.attributes.map((attribute) => `${structure.name}.${attribute.name}`)),
    ...["length", "rank", "recency"],
  ];
  const near = nearestName(name, names);
  return new DugongError(
    "unknown_dimension",
    `nothing in corpus ${snapshot.corpus} is called ${JSON.stringify(name)} (there are ${names.join(", ")})`,
    near && `Did you mean ${near}?`,
  );
}

function tokenSource(snapshot: Snapshot, attributes: string[]): Source {
  for (const name of attributes) {
    const attribute = snapshot.attribute(name);
    if (attribute.derived?.map.forward.starts)
      throw bad(`a token may have several values of ${name}: it cannot be a dimension`);
  }
  return { from: "token", attributes };
}

function structureSource(snapshot: Snapshot, name: string): Source {
  const dot = name.indexOf(".");
  const structure = snapshot.structure(name.slice(0, dot));
  const attribute = name.slice(dot + 1);
  checkAttribute(structure, attribute);
  return { from: "structure", structure: structure.name, attribute };
}

function checkAttribute(structure: Structure, name: string): void {
  const names = structure.attributes.map((attribute) => attribute.name);
  if (names.includes(name)) return;
  const near = nearestName(name, names);
  throw new DugongError(
    "unknown_attribute",
    `no attribute ${JSON.stringify(name)} of ${structure.name} (it has ${names.join(", ") || "none"})`,
    near && `Did you mean ${near}?`,
  );
}

function linkSource(snapshot: Snapshot, attribute: string | undefined): Source {
  const around = documents(snapshot);
  if (!around) throw bad("a corpus without documents has no pages that could be linked");
  if (attribute !== undefined) checkAttribute(around, attribute);
  const own = attribute ?? ["url", "id"].find((name) => around.attributes.some((one) => one.name === name));
  if (own === undefined)
    throw bad(`no attribute of ${around.name} is its address`, "Name it with --link-attribute.");
  return { from: "links", structure: around.name, attribute: own };
}

function recencySource(snapshot: Snapshot): Source {
  const around = documents(snapshot);
  const attribute = ["date", "year"].find((name) => around?.attributes.some((one) => one.name === name));
  if (!around || attribute === undefined)
    throw bad(
      "recency needs a date or a year of documents",
      "Name the attribute instead: doc.published:date, and order by it with a negative weight.",
    );
  let newest = Number.NEGATIVE_INFINITY;
  for (const { value } of valuesOf(around, attribute))
    newest = Math.max(newest, daysOf(value)?.[0] ?? newest);
  if (newest === Number.NEGATIVE_INFINITY) throw bad(`${around.name}.${attribute} has no dates`);
  return { from: "recency", structure: around.name, attribute, newest };
}

/** The different values of an attribute, and how many structures have each. */
function* valuesOf(structure: Structure, attribute: string): Generator<{ value: string; count: number }> {
  const lexicon = structure.lexicon(attribute);
  if (lexicon) {
    const { frequencies } = lexicon;
    for (const { id, bytes } of lexicon.inOrder())
      if (frequencies[id] > 0) yield { value: Buffer.from(bytes).toString(), count: frequencies[id] };
    return;
  }
  for (let number = 0; number < structure.count; number++) {
    const value = structure.value(number, attribute);
    if (value !== undefined) yield { value, count: 1 };
  }
}

/** A dimension with its scale. `ranks`: by number of the document, for PageRank. */
export function dimensionOf(
  snapshot: Snapshot,
  unit: string,
  spec: DimensionSpec,
  of: Source,
  ranks: Float64Array | undefined,
): DimensionRecord {
  const scale = scaleOf(snapshot, spec, of, ranks);
  const single = of.from !== "token" || unit === "token";
  const lexicon =
    of.from === "token" && of.attributes.length === 1 ? snapshot.attribute(of.attributes[0]).lexicon.size : 0;
  // Dictionaries grow: their dimensions get their max when all strings are known.
  const max = cellsOf(scale, lexicon);
  if (max > coordinateMax)
    throw bad(`${spec.name} has ${max} values; a dimension has at most ${coordinateMax}`);
  return { name: spec.name, kind: scale.kind, max, single, source: describe(of), scale, of };
}

function describe(of: Source): string {
  switch (of.from) {
    case "token":
      return `attribute ${of.attributes.join(" + ")}`;
    case "structure":
      return `${of.structure}.${of.attribute}`;
    case "length":
      return "computed: tokens";
    case "links":
      return `computed: PageRank of ${of.structure}.${of.attribute}, 1 is the average`;
    case "recency":
      return `computed: days before the newest ${of.structure}.${of.attribute}`;
  }
}

function scaleOf(
  snapshot: Snapshot,
  spec: DimensionSpec,
  of: Source,
  ranks: Float64Array | undefined,
): Scale {
  switch (of.from) {
    case "token":
      if (spec.kind !== undefined) throw bad(`words have no scale: write ${spec.name} alone`);
      return { kind: "word" };
    case "length":
      return computedScale(spec, "logarithmic", 1, 2 ** lengthBitsMax);
    case "links": {
      const values = [...(ranks ?? [])]
        .filter((rank) => !Number.isNaN(rank))
        .map((value) => ({ value, count: 1 }));
      if (spec.kind === undefined || spec.kind === "rank") return rankScale(values, spec.cells);
      return numberScale(spec.kind, values, spec);
    }
    case "recency": {
      const structure = snapshot.structure(of.structure);
      const values = [...valuesOf(structure, of.attribute)].flatMap(({ value, count }) => {
        const days = daysOf(value);
        return days ? [{ value: of.newest - days[0], count }] : [];
      });
      return numberScale(spec.kind ?? "logarithmic", values, spec);
    }
    case "structure":
      return attributeScale(snapshot, spec, of);
  }
}

function computedScale(spec: DimensionSpec, usual: QuantiserKind, low: number, high: number): Scale {
  return numberScale(
    spec.kind ?? usual,
    [low, high].map((value) => ({ value, count: 1 })),
    spec,
  );
}

function attributeScale(
  snapshot: Snapshot,
  spec: DimensionSpec,
  of: { structure: string; attribute: string },
): Scale {
  const structure = snapshot.structure(of.structure);
  const values = [...valuesOf(structure, of.attribute)];
  const kind = spec.kind ?? kindOf(values);
  if (kind === "category") {
    if (!structure.lexicon(of.attribute))
      throw bad(`each ${of.structure} has a ${of.attribute} of its own: it cannot be a category`);
    return { kind };
  }
  const read = kind === "date" ? (text: string) => daysOf(text)?.[0] ?? Number.NaN : numberOf;
  const numbers = values
    .map(({ value, count }) => ({ value: read(value), count }))
    .filter(({ value }) => !Number.isNaN(value));
  if (numbers.length === 0 && values.length > 0)
    throw bad(
      `no value of ${of.structure}.${of.attribute} is a ${kind === "date" ? "date" : "number"}`,
      `Use ${spec.name}:category.`,
    );
  return numberScale(kind, numbers, spec);
}

function kindOf(values: { value: string }[]): QuantiserKind {
  if (values.length > 0 && values.every(({ value }) => !Number.isNaN(numberOf(value)))) return "linear";
  if (values.length > 0 && values.every(({ value }) => daysOf(value) !== undefined)) return "date";
  return "category";
}

function numberScale(
  kind: QuantiserKind,
  values: { value: number; count: number }[],
  spec: DimensionSpec,
): Scale {
  let [low, high, whole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true];
  for (const { value } of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    whole &&= Number.isInteger(value);
  }
  if (low > high) [low, high] = [0, 0];
  switch (kind) {
    case "rank":
      return rankScale(values, spec.cells);
    case "linear":
      return linearScale(low, high, whole, spec.cells);
    case "date": {
      const most = spec.cells ?? coordinateMax;
      const step = Math.max(1, Math.ceil((high - low + 1) / most));
      return { kind, low, step, cells: Math.floor((high - low) / step) + 1, whole: true };
    }
    case "logarithmic": {
      const octaves = Math.log2(high - low + 1);
      const perOctave =
        spec.cells === undefined ? perOctaveDefault : Math.max(1, spec.cells - 1) / Math.max(1, octaves);
      return { kind, low, perOctave, cells: Math.floor(perOctave * octaves) + 1, whole };
    }
    default:
      throw bad(`${spec.name} cannot be measured as ${kind}`);
  }
}
