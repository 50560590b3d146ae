/** What encode and append say when they are done. */
import type { CorpusInfo, EncodeResult } from "../../storage/index.js";
import { counted, duration, grouped, size } from "./format.js";
import { writeJson, writeLines } from "./output.js";

const structuresShown = 5;
const ignoredShown = 10;

/** For programs. */
export function encodedDocument(result: EncodeResult, info: CorpusInfo) {
  const { addedTokens, seconds, resumed, unchanged, warnings, ignored } = result;
  return {
    corpus: info.name,
    snapshot: info.snapshot,
    tokens: info.tokens,
    addedTokens,
    documents: info.documents ?? null,
    seconds,
    tokensPerSecond: rate(result),
    bytes: info.bytes,
    resumed,
    unchanged,
    warnings,
    ignored,
  };
}

/** `same`: what to say when there was nothing to do. */
export async function writeEncoded(
  result: EncodeResult,
  info: CorpusInfo,
  how: { json: boolean; command: "encode" | "append"; same: string },
): Promise<void> {
  if (how.json) return writeJson(encodedDocument(result, info));
  const state = `snapshot ${info.snapshot}, ${size(info.bytes)}`;
  const lines: string[] = [];
  if (result.unchanged) lines.push(`${info.name}: ${how.same} (${counted(info.tokens, "token")}, ${state})`);
  else {
    const added = how.command === "append" ? `${counted(result.addedTokens, "token")} added, now ` : "";
    const pace = `in ${duration(result.seconds)} (${grouped(rate(result))} tokens/s)`;
    lines.push(`${info.name}: ${added}${contents(info)} ${pace}, ${state}`);
    if (result.resumed) lines.push("what an earlier run had done was taken over");
  }
  await writeLines([...lines, ...ignoredLines(result.ignored), ...warningLines(result.warnings)]);
}

function rate({ addedTokens, seconds }: EncodeResult): number {
  return seconds > 0 ? Math.round(addedTokens / seconds) : 0;
}

/** "1,161,192 tokens, 500 documents, 57,340 s, 15,667 p" */
function contents(info: CorpusInfo): string {
  const parts = [counted(info.tokens, "token")];
  if (info.documents !== undefined) parts.push(counted(info.documents, "document"));
  const others = Object.entries(info.structures).filter(([name]) => name !== info.document);
  for (const [name, { count }] of others.slice(0, structuresShown)) parts.push(`${grouped(count)} ${name}`);
  if (others.length > structuresShown) parts.push("…");
  return parts.join(", ");
}

function ignoredLines(ignored: EncodeResult["ignored"]): string[] {
  if (ignored.length === 0) return [];
  const lines = ["of the registry file these have no effect:"];
  for (const { option, line, why } of ignored.slice(0, ignoredShown)) {
    lines.push(`  line ${line}: ${option}: ${why}`);
  }
  const more = ignored.length - ignoredShown;
  if (more > 0) lines.push(`  and ${grouped(more)} more (all of them with --json)`);
  return lines;
}

function warningLines(warnings: EncodeResult["warnings"]): string[] {
  if (warnings.length === 0) return [];
  const lines = ["the input was odd in places:"];
  for (const { kind, message, count, places } of warnings) {
    // A file is named once for all its places that follow each other.
    const where = places.map(({ file, line }, i) => `${places[i - 1]?.file === file ? "" : file}:${line}`);
    if (where.length > 0 && count > where.length) where.push("…");
    lines.push(
      `  ${kind}: ${message} (${grouped(count)}×)${where.length > 0 ? `: ${where.join(", ")}` : ""}`,
    );
  }
  return lines;
}
