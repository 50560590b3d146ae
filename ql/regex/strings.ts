/**
 * Sorted strings and their ids, as patterns read them: front-coded as a lexicon has them, or decoded.
 *
 * Reading forwards, front-coded strings are the better form: what a string shares with the one before need not be read
 * again. Reading backwards, or searching for bytes inside, needs them decoded; that is done once for a lexicon and kept,
 * unless it is very large: then piece by piece. Decoding takes as long as reading forwards three times, so it is put off
 * until the third pattern that could do with it.
 */
import { stringsPerBlock } from "../../storage/lexicon/format.js";
import type { FrontCoded } from "../../storage/lexicon/generation.js";
import { firstWhere } from "../../storage/lexicon/lexicon.js";
import { regexLimits } from "./limits.js";
import { endByte } from "./nfa.js";

/** Strings in byte order; the id of the string at `rank` is base + ids[rank]. */
export interface SortedStrings extends FrontCoded {
  readonly base: number;
  readonly ids: Uint32Array;
}

/**
 * Strings [firstRank, firstRank + starts.length − 1): string i is bytes [starts[i], starts[i + 1] − 1). An endByte stands
 * behind each, and before the first: what is searched for is in one string, and the last byte of a string is never far.
 */
export interface DecodedStrings {
  firstRank: number;
  bytes: Buffer;
  starts: Uint32Array;
}

/** By the front-coded bytes. */
const kept = new WeakMap<Uint8Array, DecodedStrings>();

/** How many patterns would have liked strings decoded that are not. */
const wanted = new WeakMap<Uint8Array, number>();

/** Is it better to have these strings decoded now than to read them forwards? */
export function worthDecoding({ strings, count }: FrontCoded): boolean {
  if (count < 4096 || kept.has(strings)) return true;
  const times = (wanted.get(strings) ?? 0) + 1;
  wanted.set(strings, times);
  return times > 2;
}

/** The strings from rank `from` (divisible by 16) up to `to`, decoded, in one piece or several. */
export function* decodedPieces(strings: FrontCoded, from: number, to: number): Generator<DecodedStrings> {
  const whole = kept.get(strings.strings);
  if (whole) {
    yield part(whole, from, to);
    return;
  }
  // Front coding about halves the bytes of sorted words.
  if (strings.strings.length * 2 <= regexLimits.decodedBytesMax) {
    const decoded = decode(strings, 0, strings.count);
    kept.set(strings.strings, decoded);
    yield part(decoded, from, to);
    return;
  }
  const most = regexLimits.decodedBlocksMax * stringsPerBlock;
  for (let rank = from; rank < to; rank += most) yield decode(strings, rank, Math.min(to, rank + most));
}

function part(whole: DecodedStrings, from: number, to: number): DecodedStrings {
  if (from === 0 && to === whole.starts.length - 1) return whole;
  return { firstRank: from, bytes: whole.bytes, starts: whole.starts.subarray(from, to + 1) };
}

function decode(coded: FrontCoded, from: number, to: number): DecodedStrings {
  const { strings, blocks } = coded;
  const starts = new Uint32Array(to - from + 1);
  const likely = Math.ceil((strings.length * (to - from)) / Math.max(1, coded.count)) * 2;
  let bytes = Buffer.allocUnsafeSlow(Math.max(1024, likely));
  let at = to > from ? blocks[from / stringsPerBlock] : 0;
  bytes[0] = endByte;
  let end = 1;
  let before = 1;
  for (let rank = from; rank < to; rank++) {
    let shared = 0;
    if (rank % stringsPerBlock > 0) {
      shared = strings[at++];
      if (shared > 127) {
        shared &= 127;
        for (let shift = 7; ; shift += 7) {
          const byte = strings[at++];
          shared |= (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
    }
    let rest = strings[at++];
    if (rest > 127) {
      rest &= 127;
      for (let shift = 7; ; shift += 7) {
        const byte = strings[at++];
        rest |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    if (end + shared + rest >= bytes.length) {
      const larger = Buffer.allocUnsafeSlow((end + shared + rest) * 2 + 1);
      larger.set(bytes.subarray(0, end));
      bytes = larger;
    }
    starts[rank - from] = end;
    for (let i = 0; i < shared; i++) bytes[end + i] = bytes[before + i];
    before = end;
    end += shared;
    for (let i = 0; i < rest; i++) bytes[end + i] = strings[at + i];
    end += rest;
    at += rest;
    bytes[end++] = endByte;
  }
  starts[to - from] = end;
  return { firstRank: from, bytes: bytes.subarray(0, end), starts };
}

/** The strings at some ranks, ascending, one after the other. */
export function stringsAt(
  sorted: FrontCoded,
  ranks: Uint32Array,
): { bytes: Uint8Array; starts: Uint32Array } {
  const starts = new Uint32Array(ranks.length + 1);
  const parts: Uint8Array[] = [];
  let i = 0;
  for (const piece of decodedPieces(sorted, 0, sorted.count)) {
    const { firstRank, bytes } = piece;
    const last = firstRank + piece.starts.length - 1;
    for (; i < ranks.length && ranks[i] < last; i++) {
      const at = ranks[i] - firstRank;
      parts.push(bytes.subarray(piece.starts[at], piece.starts[at + 1] - 1));
      starts[i + 1] = starts[i] + parts[i].length;
    }
  }
  return { bytes: Buffer.concat(parts), starts };
}

/** Ranks [from, to), at blocks' bounds, among which are all strings that begin with `prefix`. */
export function blocksWithPrefix(sorted: FrontCoded, prefix: Uint8Array): [from: number, to: number] {
  const { blocks, count } = sorted;
  const from = firstWhere(blocks.length, (block) => comparePrefix(sorted, block, prefix) >= 0);
  const to = firstWhere(blocks.length, (block) => comparePrefix(sorted, block, prefix) > 0);
  return [Math.max(0, from - 1) * stringsPerBlock, Math.min(count, to * stringsPerBlock)];
}

/** Is the first string of a block before those that begin with `prefix` (< 0), one of them (0), or behind them (> 0)? */
function comparePrefix({ strings, blocks }: FrontCoded, block: number, prefix: Uint8Array): number {
  const { at, length } = firstString(strings, blocks[block]);
  for (let i = 0; i < prefix.length; i++) {
    if (i === length) return -1;
    if (strings[at + i] !== prefix[i]) return strings[at + i] - prefix[i];
  }
  return 0;
}

/** Where the bytes of a block's first string are, the block being at `offset`. */
export function firstString(strings: Uint8Array, offset: number): { at: number; length: number } {
  let length = 0;
  let at = offset;
  for (let shift = 0; ; shift += 7) {
    const byte = strings[at++];
    length |= (byte & 127) << shift;
    if (byte < 128) return { at, length };
  }
}
