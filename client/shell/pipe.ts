/** The shell in a pipe: lines come from a file or a program, and whole answers go out in a format for programs. */
import { sayNotices } from "../cli/asking.js";
import { write } from "../cli/output.js";
import { limits } from "./limits.js";
import { isUnfinished } from "./place.js";
import { writeRows } from "./save.js";
import type { Shell } from "./shell.js";
import { troubleLines } from "./trouble.js";
import type { Format, View } from "./views.js";

/** Answers every line; resolves to how many could not be answered. */
export async function runPipe(
  shell: Shell,
  lines: AsyncIterable<string> | Iterable<string>,
  format: Format,
  signal: AbortSignal,
): Promise<number> {
  let failed = 0;
  for await (const input of inputsOf(lines)) {
    try {
      const view = await shell.execute(input, signal);
      if (view) await show(shell, view, format, signal);
    } catch (error) {
      if (signal.aborted || !isAnswer(error)) throw error;
      failed++;
      const said = await troubleLines(error, shell.text, Number.POSITIVE_INFINITY);
      process.stderr.write(`dugong: ${said.join("\n")}\n`);
      shell.revert();
    }
    if (shell.isOver) break;
  }
  return failed;
}

/** Something that was asked could not be answered; the next may be. */
function isAnswer(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === "DugongClientError" && code !== "disconnected" && code !== "closed";
}

/** Lines put together where brackets are open; an empty line ends an input. */
async function* inputsOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const line of lines) {
    if (line.trim() !== "") begun.push(line);
    if (line.trim() !== "" && isUnfinished(begun.join("\n"))) continue;
    if (begun.length > 0) yield begun.join("\n");
    begun = [];
  }
  if (begun.length > 0) yield begun.join("\n");
}

async function show(shell: Shell, view: View, format: Format, signal: AbortSignal): Promise<void> {
  if (view.kind === "text") {
    await write(
      format === "jsonl"
        ? `${JSON.stringify(view.document ?? { text: view.lines })}\n`
        : view.lines.map((line) => `${line}\n`).join(""),
    );
    return;
  }
  const { limit } = shell.state.settings;
  const width = process.stdout.columns ?? limits.widthDefault;
  await writeRows(view, { write: (data) => write(String(data)) }, format, { limit, width }, signal);
  sayNotices(view.rows.known.end?.notices);
}
