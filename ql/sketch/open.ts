/** Which sketches a snapshot has. They belong to it alone: another snapshot has others, or none. */
import { basename } from "node:path";
import { DugongError, type Snapshot } from "../../storage/index.js";
import type { Span } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import type { SketchReader } from "./reader.js";
import { openSketches, recordOf, StoredSketches } from "./stored.js";
import { openThesaurus, type StoredThesaurus } from "./thesaurus/stored.js";

const readers = new WeakMap<Snapshot, Map<string, SketchReader>>();
const thesauri = new WeakMap<SketchReader, StoredThesaurus>();

/** Names of sketches, where nothing else is said. */
export const defaultSketches = "default";
/** What is asked without a name is remembered under this. */
const unnamed = "";

/** What is asked about sketches of this snapshot from now on is asked of this reader. */
export function giveSketches(snapshot: Snapshot, reader: SketchReader): void {
  readers.set(
    snapshot,
    new Map([
      [unnamed, reader],
      [defaultSketches, reader],
    ]),
  );
}

/** Without a name those called default, or else the only ones there are. Opened once for a snapshot; the files belong to its pool, and end with it. */
export function sketchesOf(
  snapshot: Snapshot,
  { name, span }: { name?: string; span?: Span } = {},
): SketchReader {
  const own = readers.get(snapshot) ?? new Map<string, SketchReader>();
  let reader = own.get(name ?? unnamed);
  if (reader) return reader;
  try {
    reader = openSketches(snapshot, name);
  } catch (error) {
    if (!(error instanceof DugongError) || error.code !== "no_sketches") throw error;
    const what =
      name === undefined || name === defaultSketches
        ? "no sketches computed"
        : `no sketches ${name} computed`;
    throw new QueryError("no_sketches", `${what} for this corpus`, error.hint, span);
  }
  readers.set(snapshot, own.set(name ?? unnamed, reader).set(reader.info.name, reader));
  return reader;
}

/** The thesaurus of sketches that are read, if one was computed: perhaps since they were opened. */
export function thesaurusOf(reader: SketchReader): StoredThesaurus | undefined {
  const known = thesauri.get(reader);
  if (known || !(reader instanceof StoredSketches)) return known;
  const { snapshot, path, info } = reader;
  try {
    const record = recordOf(snapshot, info.name);
    // Sketches that were computed anew have other numbers.
    const opened = record.file === basename(path) ? openThesaurus(snapshot, record) : undefined;
    if (opened) thesauri.set(reader, opened);
    return opened;
  } catch (error) {
    if (error instanceof DugongError) return undefined;
    throw error;
  }
}
