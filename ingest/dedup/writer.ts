/** Writes what is kept of blocks, or all of it with marks; counts both. */

import { DugongError } from "../../storage/errors.js";
import { parseTag, printTag } from "../../storage/input/tags.js";
import { limits } from "../limits.js";
import { wordCount } from "../stream/documents.js";
import type { Output } from "../stream/output.js";
import type { Tally } from "../stream/report.js";
import type { Block } from "./blocks.js";
import type { ReadBlock } from "./performer.js";
import { pieceEnd, pieceFields, pieceHashes, pieceStart, pieceWords } from "./reader.js";
import { type Decider, type Decision, duplicate, kept, stub } from "./rule.js";

export class DedupWriter {
  readonly #counts = {
    copies: 0,
    duplicateDocuments: 0,
    duplicateParagraphs: 0,
    stubParagraphs: 0,
    duplicateLines: 0,
  };
  #line = 1;
  #documents = 0;

  constructor(
    readonly output: Output,
    readonly decider: Decider,
    readonly how: { mark: boolean; lines: boolean },
    readonly tally: Tally,
  ) {
    tally.wordsIn = 0;
  }

  /** Those that were counted. */
  get counts(): Record<string, number> {
    const { copies, duplicateLines, ...others } = this.#counts;
    return this.how.lines ? { copies, duplicateLines } : { copies, ...others };
  }

  async take({ source, isFirst, inserted }: Block, block: ReadBlock): Promise<void> {
    if (isFirst) this.#line = 1;
    this.#line -= inserted;
    for (const { kind, message, count, places } of block.warnings) {
      for (let i = 0; i < count; i++) {
        const line = places[i]?.line;
        this.tally.warnings.add(
          kind,
          message,
          line === undefined ? undefined : { source, line: line + this.#line - 1 },
        );
      }
    }
    this.#line += block.lines;
    this.decider.begin(block);
    const { pieces, documentEnds } = block;
    let from = 0;
    let first = 0;
    for (let document = 0; document < documentEnds.length; document++) {
      const to = documentEnds[document];
      if (block.loose[document]) await this.output.write(slice(block, from, to));
      else {
        if (++this.#documents > limits.documentsMax)
          throw new DugongError("too_many_documents", `more than ${limits.documentsMax} documents`);
        const decision = this.decider.decide(block, document, from, to, first);
        await this.output.write(this.#document(block, decision, from, to, first));
        for (let at = from; at < to; at += pieceFields) first += Math.max(0, pieces[at + pieceHashes]);
      }
      this.tally.tick();
      from = to;
    }
  }

  #document(block: ReadBlock, decision: Decision, from: number, to: number, first: number): string {
    const { tally } = this;
    const counts = this.#counts;
    const { pieces } = block;
    const { verdicts } = this.decider;
    let words = 0;
    let keptWords = 0;
    let paragraphs = 0;
    let stubs = 0;
    for (let at = from; at < to; at += pieceFields) {
      const verdict = verdicts[at / pieceFields];
      words += pieces[at + pieceWords];
      if (verdict === kept) keptWords += pieces[at + pieceWords];
      else if (pieces[at + pieceHashes] > 0) verdict === stub ? stubs++ : paragraphs++;
    }
    tally.documentsIn++;
    tally.wordsIn! += words;
    if (decision.copyOf > 0) counts.copies++;
    else {
      if (decision.isDropped && decision.words > 0) counts.duplicateDocuments++;
      counts.duplicateParagraphs += paragraphs;
      counts.stubParagraphs += stubs;
    }
    if (this.how.mark) {
      tally.documentsOut++;
      tally.wordsOut += words;
      return this.#marked(block, decision, from, to);
    }
    if (decision.isDropped) return "";
    tally.documentsOut++;
    if (this.how.lines) return this.#lines(block, from, to, first);
    tally.wordsOut += keptWords;
    let text = "";
    // Pieces that follow each other are written as one.
    let run = from;
    for (let at = from; at <= to; at += pieceFields) {
      if (at < to && verdicts[at / pieceFields] === kept) continue;
      if (at > run) text += slice(block, run, at);
      run = at + pieceFields;
    }
    return text;
  }

  /** Without the lines that were seen. */
  #lines(block: ReadBlock, from: number, to: number, first: number): string {
    const { pieces } = block;
    const { seenLines } = this.decider;
    let text = "";
    for (let at = from; at < to; at += pieceFields) {
      const count = pieces[at + pieceHashes];
      const whole = slice(block, at, at + pieceFields);
      if (count <= 0) {
        text += whole;
        continue;
      }
      const [open, ...lines] = whole.split("\n");
      const left = lines.slice(0, count).filter((_, i) => seenLines[first + i] === 0);
      first += count;
      this.#counts.duplicateLines += count - left.length;
      if (left.length === 0) continue;
      for (const line of left) this.tally.wordsOut += wordCount(line);
      text += `${open}\n${left.join("\n")}\n</p>\n`;
    }
    return text;
  }

  #marked(block: ReadBlock, decision: Decision, from: number, to: number): string {
    const { verdicts, shares, rule } = this.decider;
    const { pieces, text } = block;
    const share = decision.words === 0 ? 0 : decision.seen / decision.words;
    const isAbove = Math.fround(share) > Math.fround(rule.threshold);
    let marked = "";
    for (let at = from; at < to; at += pieceFields) {
      const start = pieces[at + pieceStart];
      const whole = text.slice(start, pieces[at + pieceEnd]);
      const verdict = verdicts[at / pieceFields];
      if (at === from && pieces[at + pieceHashes] < 0)
        marked += withAttributes(whole, {
          dup: twoDigits(share, isAbove),
          cluster: String(decision.cluster),
        });
      else if (rule.unit === "paragraph" && pieces[at + pieceHashes] >= 0 && verdict !== kept)
        marked += withAttributes(whole, { dup: twoDigits(shares[at / pieceFields], verdict === duplicate) });
      else marked += whole;
    }
    return marked;
  }
}

/** The text of pieces that follow each other. */
function slice({ text, pieces }: ReadBlock, from: number, to: number): string {
  return text.slice(pieces[from + pieceStart], pieces[to - pieceFields + pieceEnd]);
}

/** Rounded up if it is above the threshold, down if not: what is written is above exactly if the share is. */
function twoDigits(share: number, up: boolean): string {
  // Of 0.29 × 100 there remains 28.999999999999996: what is within a millionth of two digits has two digits.
  const hundredths = share * 100;
  const near = Math.round(hundredths);
  if (Math.abs(hundredths - near) < 1e-4) return (near / 100).toFixed(2);
  return ((up ? Math.ceil(hundredths) : Math.floor(hundredths)) / 100).toFixed(2);
}

/** Text that begins with a tag, with these attributes in it; other text as it is. */
function withAttributes(text: string, attributes: Record<string, string>): string {
  const end = text.indexOf("\n");
  const tag = parseTag(text.slice(0, end).replace(/\r$/, ""), false);
  if (tag?.kind !== "open") return text;
  const others = tag.attributes.filter(([name]) => attributes[name] === undefined);
  return printTag({ ...tag, attributes: [...others, ...Object.entries(attributes)] }) + text.slice(end);
}
