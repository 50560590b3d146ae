/** Which attribute of which structure a name in a condition means. */
import { nearestName } from "../../storage/derive/nearest.js";
import type { Snapshot, Structure } from "../../storage/index.js";
import { splitName } from "../plan/names.js";
import { limits } from "./limits.js";
import { type Test, whereError } from "./parse.js";

export interface Named {
  structure: Structure;
  attribute: string;
}

/** "doc.year", "doc_year" or "year": of the documents if they have it, else of the only structure that has. */
export function resolveName(snapshot: Snapshot, { name, nameSpan }: Test): Named {
  const found = lookUp(snapshot, name);
  if (found.length === 1) return found[0];
  if (found.length > 1) {
    const all = found.map(({ structure }) => `${structure.name}.${name}`);
    throw whereError(`${name} may be ${all.join(" or ")}`, "Write the structure before it.", nameSpan);
  }
  const paths = snapshot.structures.flatMap((one) => one.attributes.map((own) => `${one.name}.${own.name}`));
  const bare = snapshot.structures.flatMap((one) => one.attributes.map((own) => own.name));
  const near = nearestName(name, name.includes(".") ? paths : bare) ?? nearestName(name, paths);
  if (snapshot.attributes.some((one) => one.name === name)) {
    throw whereError(
      `${name} is an attribute of tokens: a condition is about those of structures (${shown(paths)})`,
      `Ask for tokens in the query: [${name}="…"].`,
      nameSpan,
    );
  }
  throw whereError(
    `no attribute ${JSON.stringify(name)} in the structures of corpus ${snapshot.corpus} (they have ${shown(paths)})`,
    near && `Did you mean ${near}?`,
    nameSpan,
  );
}

function shown(names: string[]): string {
  if (names.length === 0) return "none";
  const more = names.length - limits.namesShownMax;
  return names.slice(0, limits.namesShownMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function lookUp(snapshot: Snapshot, name: string): Named[] {
  const having = (structure: Structure, attribute: string) =>
    structure.attributes.some((own) => own.name === attribute) ? [{ structure, attribute }] : [];
  const bare = snapshot.structures.flatMap((structure) => having(structure, name));
  if (bare.length > 0) {
    const ofDocuments = bare.filter(({ structure }) => structure.name === snapshot.config.document);
    return ofDocuments.length > 0 ? ofDocuments : bare;
  }
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const structure = snapshot.structures.find((one) => one.name === name.slice(0, dot));
    const found = structure ? having(structure, name.slice(dot + 1)) : [];
    if (found.length > 0) return found;
  }
  const split = splitName(snapshot, name);
  return split ? [split] : [];
}
