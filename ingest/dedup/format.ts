/** Is a stream vertical, or text? Told by how it begins. */
import { tagOf } from "../stream/tags.js";

export type StreamFormat = "text" | "vertical";

/** Longer on average, and a line without spaces is no token: Chinese and Thai are written so. */
const tokenCharsMean = 12;

/**
 * Vertical if it has sentences or glue, columns in most lines, or nothing but short lines without a space. `beginning` may end
 * in the middle of a line.
 */
export function formatOf(beginning: string): StreamFormat {
  const lines = beginning.split("\n");
  if (lines.length > 1) lines.pop();
  let texts = 0;
  let chars = 0;
  let withTab = 0;
  let withSpace = 0;
  for (const raw of lines) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const tag = tagOf(line);
    if (tag?.name === "s" || tag?.name === "g") return "vertical";
    if (tag || line === "") continue;
    texts++;
    const tab = line.indexOf("\t");
    chars += tab < 0 ? line.length : tab;
    if (tab >= 0) withTab++;
    else if (line.includes(" ")) withSpace++;
  }
  if (texts === 0) return "text";
  if (withTab > texts / 2) return "vertical";
  return withSpace === 0 && chars / texts <= tokenCharsMean && texts > 1 ? "vertical" : "text";
}
