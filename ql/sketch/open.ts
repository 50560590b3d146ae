/** Which sketches a snapshot has. They belong to it alone: another snapshot has others, or none. */
import { DugongError, type Snapshot } from "../../storage/index.js";
import type { Span } from "../cql/ast.js";
import { QueryError } from "../plan/errors.js";
import type { SketchReader } from "./reader.js";
import { openSketches } from "./stored.js";

const readers = new WeakMap<Snapshot, SketchReader>();

/** What is asked about sketches of this snapshot from now on is asked of this reader. */
export function giveSketches(snapshot: Snapshot, reader: SketchReader): void {
  readers.set(snapshot, reader);
}

/** Opened once for a snapshot; the files belong to its pool, and end with it. */
export function sketchesOf(snapshot: Snapshot, span?: Span): SketchReader {
  let reader = readers.get(snapshot);
  if (reader) return reader;
  try {
    reader = openSketches(snapshot);
  } catch (error) {
    if (!(error instanceof DugongError) || error.code !== "no_sketches") throw error;
    throw new QueryError("no_sketches", "no sketches computed for this corpus", error.hint, span);
  }
  readers.set(snapshot, reader);
  return reader;
}
