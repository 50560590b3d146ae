/** Colours and weights of text on a terminal; nothing where there is none, or none are wanted. */
import type { Paint } from "../cli/kwic.js";

export interface Style extends Paint {
  prompt(text: string): string;
  status(text: string): string;
  error(text: string): string;
  heading(text: string): string;
}

const escaped = (on: string, off: string) => (text: string) =>
  text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;
const same = (text: string) => text;

export const coloured: Style = {
  match: escaped("1;31", "22;39"),
  reference: escaped("36", "39"),
  brackets: false,
  prompt: escaped("1", "22"),
  status: escaped("7", "27"),
  error: escaped("31", "39"),
  heading: escaped("1", "22"),
};

export const plain: Style = {
  match: same,
  reference: same,
  brackets: true,
  prompt: same,
  status: same,
  error: same,
  heading: same,
};

/** The variable NO_COLOR, set and not empty, means no. */
export function styleFor(stream: { isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): Style {
  if (!stream.isTTY || environment.NO_COLOR || environment.TERM === "dumb") return plain;
  return coloured;
}
