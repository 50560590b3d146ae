/**
 * A language model: for each run of characters (grams.ts), how much it speaks for each language that has it.
 *
 *   score(language) = sum over the runs of the text of  log( share of the run in the language / floor )
 *
 * Runs that a language does not have, or that are rarer in it than the floor, add nothing. A language that is written in
 * several scripts has a profile for each; the best one counts.
 *
 * The confidence is the probability that the best language has among all, times how much of the text it knows at all:
 *
 *   confidence = e^(best / t) / sum e^(score / t)   ×   familiarity (the share of its runs of three that the best knows: 0 at 0.25, 1 from 0.6)
 *
 * Names (words with a capital inside of a sentence) are left out if enough else is there. If the best is one of a group of close
 * languages, what the group has is shared out again by what tells them apart (close.ts), and the best of them is the answer:
 *
 *   P(language) ~ P(language, if it is one of the group) × P(language, by counting)^0.25, and 0 if it is not near (in another script)
 *
 * (In scripts with many signs or without spaces, runs of two, or single characters, take the place of runs of three.) Runs overlap and say the same thing several times, so scores are divided by t, a number found by comparing confidences with how often
 * they were right. Below a threshold (0.5 if nothing is said; the model that Dugong comes with has its own) the language is "und": undetermined.
 *
 * As a file, compressed with brotli (numbers little-endian; a varint has 7 bits a byte, lowest first):
 *
 *   "DugongLanguages2" headerBytes:4 header (JSON)  runs:4  gaps: varint per run  counts: byte per run  profiles: byte per entry  scores: byte per entry
 *   group*   a group of the header: runs:4  gaps: varint per run  weights: signed byte per run and language
 *
 * The hashes of runs are cut to 26 bits and rise; a gap is what one is more than the one before.
 */
import { readFileSync } from "node:fs";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { DugongError } from "../../storage/errors.js";
import { limits } from "../limits.js";
import { type CloseGroup, CloseJudge, keyBits } from "./close.js";
import { Grams } from "./grams.js";

export interface Classified {
  /** ISO 639-3, as the model was trained; "und" if it is not sure. */
  language: string;
  /** 0 to 1. Meant as how often an answer like this is right; between close languages it is too sure. */
  confidence: number;
}

export interface ClassifyOptions {
  /** Only these are possible. */
  languages?: readonly string[];
  /** Below this it is "und" (default: the model's; 0 always answers). */
  threshold?: number;
}

/** What is written at the start of the file. */
export interface ModelHeader {
  /** The language of each profile. */
  profiles: string[];
  /** Close languages, what their weights are to be multiplied with, and what is added. */
  groups: { languages: readonly string[]; scale: number; bias?: readonly number[] }[];
  /** What the model was made of, for people. */
  about?: string;
}

/** The runs of a model, with rising keys; the entries of run i are from starts[i] to starts[i + 1]. */
export interface ModelRuns {
  keys: Uint32Array;
  starts: Uint32Array;
  profiles: Uint8Array;
  /** 16 steps are a factor of e. */
  scores: Uint8Array;
}

export const undetermined = "und";
export const scoreSteps = 16;
const keyMask = 2 ** keyBits - 1;
/** No profile has the number 255. */
const entriesEnd = 0xffff;
const magic = "DugongLanguages2";
const temperature = 8;
/** Of the runs of three of a text, its own language knows the second share at least, as a rule; any other, the first by chance. */
const knownByChance = 0.25;
const knownShare = 0.6;
/** What counting says of close languages counts so much beside what tells them apart. */
const countedPower = 0.25;
/** Close languages have so much of the best one's score, at least; what is in another script has next to none. */
const nearShare = 0.5;

export class LanguageModel {
  /** All languages that it can tell, sorted. */
  readonly languages: readonly string[];
  /** Below this confidence it is "und", if nothing else is said. */
  threshold = 0.5;
  readonly #grams = new Grams(limits.classifyChars);
  /** The label of each profile. */
  readonly #labels: Uint16Array;
  readonly #scores: Int32Array;
  readonly #best: Float64Array;
  /** Open addressing: key + 1, and where its entries begin. Side by side, so that a run costs one look at far memory, and its entries another. */
  readonly #slots: Uint32Array;
  readonly #mask: number;
  /** The profile in the high byte, the score in the low one; the entries of a run end with `entriesEnd`. */
  readonly #entries: Uint16Array;
  /** Where the entries of each run of the text begin; -1 if the model does not have it. */
  readonly #found: Int32Array;
  /** For each language the group that it is in, if any. */
  readonly #judges: (CloseJudge | undefined)[];

  constructor(
    readonly header: ModelHeader,
    readonly runs: ModelRuns,
    readonly groups: readonly CloseGroup[] = [],
  ) {
    this.languages = [...new Set(header.profiles)].sort();
    this.#labels = Uint16Array.from(header.profiles, (language) => this.languages.indexOf(language));
    const judges = groups.map((group) => new CloseJudge(group));
    this.#judges = this.languages.map((language) =>
      judges.find(({ group }) => group.languages.includes(language)),
    );
    this.#scores = new Int32Array(header.profiles.length);
    this.#best = new Float64Array(this.languages.length);
    this.#found = new Int32Array(this.#grams.hashes.length);
    const { keys, starts, profiles, scores } = runs;
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, keys.length * 2)));
    this.#mask = size - 1;
    this.#slots = new Uint32Array(2 * size);
    this.#entries = new Uint16Array(profiles.length + keys.length);
    let next = 0;
    for (let run = 0; run < keys.length; run++) {
      let at = slotOf(keys[run], this.#mask);
      while (this.#slots[2 * at] !== 0) at = (at + 1) & this.#mask;
      this.#slots[2 * at] = keys[run] + 1;
      this.#slots[2 * at + 1] = next;
      for (let entry = starts[run]; entry < starts[run + 1]; entry++)
        this.#entries[next++] = (profiles[entry] << 8) | scores[entry];
      this.#entries[next++] = entriesEnd;
    }
  }

  /** The language of a text. Long texts are judged by their beginning. */
  classify(text: string, options: ClassifyOptions = {}): Classified {
    const { threshold = this.threshold, languages } = options;
    const grams = this.#grams;
    grams.fill(text, true);
    const scores = this.#scores.fill(0);
    this.#add(scores);
    const best = this.#best.fill(Number.NEGATIVE_INFINITY);
    const labels = this.#labels;
    let first = -1;
    for (let profile = 0; profile < scores.length; profile++) {
      const label = labels[profile];
      if (languages && !languages.includes(this.languages[label])) continue;
      if (scores[profile] > best[label]) best[label] = scores[profile];
      if (first < 0 || scores[profile] > scores[first]) first = profile;
    }
    if (first < 0 || scores[first] === 0) return { language: undetermined, confidence: 0 };
    const isNear = this.#near(labels[first], best, scores[first]);
    let sum = 0;
    for (let label = 0; label < best.length; label++)
      sum += best[label] = Math.exp((best[label] - scores[first]) / (temperature * scoreSteps));
    const label = this.#amongClose(labels[first], isNear, best);
    const confidence = Math.round((1000 * this.#familiarity(first) * best[label]) / sum) / 1000;
    const language = confidence < threshold ? undetermined : this.languages[label];
    return { language, confidence };
  }

  /** Of the languages of the group that one is in: can the text be in them? In those of another script it is not. */
  #near(label: number, best: Float64Array, score: number): boolean[] {
    const group = this.#judges[label]?.group.languages ?? [];
    return group.map((language) => best[this.languages.indexOf(language)] > score * nearShare);
  }

  /** The best label of the group that one is in, with what the group has of `shares` shared out among its languages. */
  #amongClose(label: number, isNear: readonly boolean[], shares: Float64Array): number {
    const judge = this.#judges[label];
    if (!judge) return label;
    const labels = judge.group.languages.map((language) => this.languages.indexOf(language));
    const told = judge.probabilities(this.#grams, isNear);
    const all = labels.reduce((sum, one) => sum + shares[one], 0);
    labels.forEach((one, i) => {
      told[i] *= shares[one] ** countedPower;
    });
    const sum = told.reduce((sum, one) => sum + one, 0);
    labels.forEach((one, i) => {
      shares[one] = (all * told[i]) / sum;
    });
    return labels.reduce((best, one) => (shares[one] > shares[best] ? one : best));
  }

  #add(scores: Int32Array): void {
    const { hashes, count } = this.#grams;
    const found = this.#found;
    const entries = this.#entries;
    // All are looked up before anything is added: looks at memory that do not wait for each other overlap.
    for (let i = 0; i < count; i++) found[i] = this.#find(hashes[i]);
    for (let i = 0; i < count; i++) {
      let entry = found[i];
      if (entry < 0) continue;
      for (let value = entries[entry]; value !== entriesEnd; value = entries[++entry])
        scores[value >> 8] += value & 0xff;
    }
  }

  #find(hash: number): number {
    const key = hash & keyMask;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let at = slotOf(key, mask); ; at = (at + 1) & mask) {
      const known = slots[2 * at];
      if (known === key + 1) return slots[2 * at + 1];
      if (known === 0) return -1;
    }
  }

  /** 0 if the text is in no language that looks like this one, 1 if it may well be in it. */
  #familiarity(profile: number): number {
    const above = (this.#known(profile) - knownByChance) / (knownShare - knownByChance);
    return Math.max(0, Math.min(1, above));
  }

  /** The share of the text's runs of three (fewer, in scripts with many signs or without spaces) that a profile has. */
  #known(profile: number): number {
    const { orderOf, count, letters, han, thai } = this.#grams;
    const entries = this.#entries;
    // Where signs are many, or words have no borders, runs of three are too many to be known.
    const order = 2 * han > letters ? 0 : 2 * thai > letters ? 1 : 2;
    let all = 0;
    let known = 0;
    for (let i = 0; i < count; i++) {
      if (orderOf[i] !== order) continue;
      all++;
      let entry = this.#found[i];
      if (entry < 0) continue;
      while (entries[entry] !== entriesEnd && entries[entry] >> 8 !== profile) entry++;
      if (entries[entry] !== entriesEnd) known++;
    }
    return all === 0 ? 0 : known / all;
  }

  // ---- as a file

  toBytes(): Buffer {
    const { keys, starts, profiles, scores } = this.runs;
    const header = Buffer.from(JSON.stringify(this.header));
    const numbers = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
    const counts = Uint8Array.from(keys, (_, run) => starts[run + 1] - starts[run]);
    const bytes = Buffer.concat([
      Buffer.from(magic),
      numbers(header.length),
      header,
      numbers(keys.length),
      gapsOf(keys),
      counts,
      profiles,
      scores,
      ...this.groups.flatMap((group) => [
        numbers(group.keys.length),
        gapsOf(group.keys),
        Buffer.from(group.weights.buffer, group.weights.byteOffset, group.weights.length),
      ]),
    ]);
    return brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 },
    });
  }

  static fromBytes(packed: Uint8Array, name = "the model"): LanguageModel {
    let bytes: Buffer;
    try {
      bytes = brotliDecompressSync(packed, { maxOutputLength: limits.languageModelBytesMax });
    } catch {
      throw notAModel(name);
    }
    if (bytes.length < magic.length + 8 || bytes.toString("latin1", 0, magic.length) !== magic)
      throw notAModel(name);
    let at = magic.length;
    const number = () => {
      at += 4;
      return bytes.readUInt32LE(at - 4);
    };
    const headerBytes = number();
    const header = JSON.parse(bytes.toString("utf8", at, (at += headerBytes))) as ModelHeader;
    const readKeys = () => {
      const keys = new Uint32Array(number());
      let key = 0;
      for (let run = 0; run < keys.length; run++) {
        let shift = 0;
        let byte: number;
        do {
          byte = bytes[at++];
          key += (byte & 0x7f) << shift;
          shift += 7;
        } while (byte > 0x7f);
        keys[run] = key;
      }
      return keys;
    };
    const keys = readKeys();
    const count = keys.length;
    const starts = new Uint32Array(count + 1);
    for (let run = 0; run < count; run++) starts[run + 1] = starts[run] + bytes[at + run];
    at += count;
    const entries = starts[count];
    const profiles = new Uint8Array(bytes.subarray(at, (at += entries)));
    const scores = new Uint8Array(bytes.subarray(at, (at += entries)));
    if (at > bytes.length) throw notAModel(name);
    const groups = header.groups.map(({ languages, scale, bias }): CloseGroup => {
      if (at + 4 > bytes.length) throw notAModel(name);
      const own = readKeys();
      const weights = Int8Array.from(bytes.subarray(at, (at += own.length * languages.length)));
      return { languages, scale, ...(bias && { bias }), keys: own, weights };
    });
    if (at !== bytes.length) throw notAModel(name);
    return new LanguageModel(header, { keys, starts, profiles, scores }, groups);
  }

  static open(path: string): LanguageModel {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      throw new DugongError(
        "model_not_found",
        `cannot read ${path}: ${(error as Error).message}`,
        "Check the path.",
      );
    }
    return LanguageModel.fromBytes(bytes, path);
  }
}

/** Rising keys as what each is more than the one before. */
function gapsOf(keys: Uint32Array): Uint8Array {
  const gaps: number[] = [];
  for (let run = 0; run < keys.length; run++) {
    let gap = keys[run] - (run === 0 ? 0 : keys[run - 1]);
    for (; gap > 0x7f; gap >>>= 7) gaps.push((gap & 0x7f) | 0x80);
    gaps.push(gap);
  }
  return Uint8Array.from(gaps);
}

function slotOf(key: number, mask: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 6) & mask;
}

function notAModel(name: string): DugongError {
  return new DugongError(
    "not_a_model",
    `${name} is no language model`,
    "`dugong language-train` makes one of sample text.",
  );
}
