/**
 * Text of our own: what packages do not carry, the language of newspapers and encyclopaedias, for languages that need it. Where
 * languages are close, they say the same things, sentence by sentence.
 */
import { bos, hrv, srp } from "./bos-hrv-srp.js";
import { cat } from "./cat.js";
import { ind, msa } from "./ind-msa.js";
import { lat } from "./lat.js";
import { dan, nno, nob } from "./nob-nno-dan.js";
import { xho, zul } from "./xho-zul.js";
import { yor } from "./yor.js";

/** Lines by language. */
export const ownTexts: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ bos, cat, dan, hrv, ind, lat, msa, nno, nob, srp, xho, yor, zul }).map(
    ([language, text]) => [language, text.trim().split("\n")],
  ),
);
