/**
 * What is measured of a block: itself, the elements around it, its neighbours, its place, and the page. Numbers that trees
 * can cut in two; none of them knows a site or a language. A character of Chinese or Japanese counts as two, and as half a word:
 * about what it is worth in alphabets.
 */
import type { Layout } from "./blocks.js";
import { isHidden } from "./blocks.js";
import { markNames } from "./elements.js";

const near = [-2, -1, 1, 2];
const windows = [2, 6];
const levels = [0, 1, 2, 3];
const cores = [0.5, 0.75, 0.95];

export const featureNames: readonly string[] = [
  ...["chars", "words", "linkDensity", "links", "wordLength", "ends", "commas", "digits", "capitals"],
  ...[
    "endsSentence",
    "begins",
    "breaks",
    "images",
    "copyright",
    "bars",
    "trails",
    "repeats",
    "rank",
    "heading",
  ],
  ...["inTitle", "ofTitle", "depth", "hidden", "tables", "lists", "parentRank", "grandparentRank"],
  ...markNames.map((name) => `mark.${name}`),
  ...levels.flatMap((level) =>
    ["chars", "linkDensity", "share", "blocks", "words"].map((what) => `up${level}.${what}`),
  ),
  ...cores.map((core) => `core${core}`),
  ...["index", "before", "longBefore", "longAhead", "longBehind", "longGap", "afterTitle"],
  ...near.flatMap((at) =>
    ["words", "linkDensity", "ends", "rank", "together"].map((what) => `near${at}.${what}`),
  ),
  ...windows.flatMap((size) => ["words", "linkDensity", "ends"].map((what) => `window${size}.${what}`)),
  ...["alike", "alikeWords", "alikeLinkDensity"],
  ...["pageChars", "pageBlocks", "pageLinkDensity", "pageLong", "ofLongest"],
];
export const featureCount = featureNames.length;

export interface Measures {
  /** Features of the first block, then of the second, and so on. */
  features: Float32Array;
  /** Words of each block. */
  words: Float32Array;
  chars: Float32Array;
}

/** A block of at least so many words, with few links, is most likely text. */
const longWords = 15;
const longLinkDensity = 0.3;
/** "Infinitely far", for distances. */
const far = 30;

export function measure(layout: Layout, title: string | undefined): Measures {
  const { blocks, elements } = layout;
  const count = blocks.length;
  const sums = new Sums(elements.length);
  const scan = new Scan(count);
  const long = new Uint8Array(count);
  const titleWords = new Set(wordsIn(title ?? ""));
  const inTitle = new Float32Array(count);
  const ofTitle = new Float32Array(count);
  const repeats = new Map<string, number>();
  const alike = new Map<number, { blocks: number; words: number; chars: number; linkChars: number }>();
  let pageChars = 0;
  let pageLinkChars = 0;
  let longChars = 0;
  let longest = 1;
  let firstHeading = -1;

  for (let i = 0; i < count; i++) {
    const { text, element, linkChars } = blocks[i];
    scan.read(i, text, linkChars);
    const chars = scan.chars[i];
    const words = scan.words[i];
    const links = scan.linkDensity[i] * chars;
    pageChars += chars;
    pageLinkChars += links;
    if (words > longest) longest = words;
    if (words >= longWords && scan.linkDensity[i] <= longLinkDensity) {
      long[i] = 1;
      longChars += chars;
      sums.long[element] += chars;
    }
    sums.chars[element] += chars;
    sums.linkChars[element] += links;
    sums.words[element] += words;
    sums.blocks[element]++;
    repeats.set(text, (repeats.get(text) ?? 0) + 1);
    const { signature } = elements[element];
    const same = alike.get(signature);
    if (same) {
      same.blocks++;
      same.words += words;
      same.chars += chars;
      same.linkChars += links;
    } else alike.set(signature, { blocks: 1, words, chars, linkChars: links });
    if (titleWords.size > 0 && words <= 60) {
      const own = wordsIn(text);
      let found = 0;
      for (const word of own) if (titleWords.has(word)) found++;
      inTitle[i] = own.length > 0 ? found / own.length : 0;
      ofTitle[i] = Math.min(1, found / titleWords.size);
      if (firstHeading < 0 && ofTitle[i] >= 0.6 && elements[element].heading > 0) firstHeading = i;
    }
  }
  sums.gather(layout);
  if (firstHeading < 0) firstHeading = blocks.findIndex(({ element }) => elements[element].heading === 1);

  const distances = new Distances(long);
  const toCore = cores.map((share) => stepsToCore(layout, sums, share * longChars));
  const marks = markDistances(layout);
  const totals = new Running(scan);
  const features = new Float32Array(count * featureCount);
  let charsBefore = 0;
  let longBefore = 0;
  let at = 0;
  for (let i = 0; i < count; i++) {
    const block = blocks[i];
    const element = elements[block.element];
    const chars = scan.chars[i];
    const words = scan.words[i];
    features[at++] = Math.log1p(chars);
    features[at++] = Math.log1p(words);
    features[at++] = scan.linkDensity[i];
    features[at++] = block.links;
    features[at++] = words > 0 ? chars / words : 0;
    features[at++] = words > 0 ? scan.ends[i] / words : 0;
    features[at++] = words > 0 ? scan.commas[i] / words : 0;
    features[at++] = chars > 0 ? scan.digits[i] / chars : 0;
    features[at++] = chars > 0 ? scan.capitals[i] / chars : 0;
    features[at++] = scan.endsSentence[i];
    features[at++] = scan.begins[i];
    features[at++] = block.breaks;
    features[at++] = block.images;
    features[at++] = block.text.includes("©") ? 1 : 0;
    features[at++] = scan.bars[i];
    features[at++] = /(?:…|\.\.\.|»|>|›)\]?$/.test(block.text) ? 1 : 0;
    features[at++] = repeats.get(block.text)!;
    features[at++] = element.name.rank;
    features[at++] = element.heading;
    features[at++] = inTitle[i];
    features[at++] = ofTitle[i];
    features[at++] = element.depth;
    features[at++] = isHidden(layout, block) ? 1 : 0;
    features[at++] = sums.tables[block.element];
    features[at++] = sums.lists[block.element];
    const parent = elements[element.parent];
    features[at++] = parent.name.rank;
    features[at++] = elements[parent.parent].name.rank;

    const markRow = block.element * markNames.length;
    for (let m = 0; m < markNames.length; m++) features[at++] = marks[markRow + m];

    let up = block.element;
    for (let level = 0; level < levels.length; level++) {
      features[at++] = Math.log1p(sums.chars[up]);
      features[at++] = sums.chars[up] > 0 ? sums.linkChars[up] / sums.chars[up] : 0;
      features[at++] = longChars > 0 ? sums.long[up] / longChars : 0;
      features[at++] = sums.blocks[up];
      features[at++] = sums.blocks[up] > 0 ? sums.words[up] / sums.blocks[up] : 0;
      up = elements[up].parent;
    }
    for (let c = 0; c < cores.length; c++) features[at++] = toCore[c][block.element];

    features[at++] = i / count;
    features[at++] = charsBefore / pageChars;
    features[at++] = longChars > 0 ? longBefore / longChars : 0;
    features[at++] = distances.ahead[i];
    features[at++] = distances.behind[i];
    features[at++] = Math.min(distances.ahead[i] + distances.behind[i], 2 * far);
    features[at++] = firstHeading < 0 ? far + 1 : Math.max(-far, Math.min(far, i - firstHeading));
    charsBefore += chars;
    if (long[i]) longBefore += chars;

    for (let n = 0; n < near.length; n++) {
      const j = i + near[n];
      if (j < 0 || j >= count) {
        for (let k = 0; k < 5; k++) features[at++] = -1;
        continue;
      }
      const other = elements[blocks[j].element];
      features[at++] = Math.log1p(scan.words[j]);
      features[at++] = scan.linkDensity[j];
      features[at++] = scan.ends[j] > 0 ? scan.ends[j] / scan.words[j] : 0;
      features[at++] = other.heading > 0 ? -other.heading : other.name.rank;
      features[at++] =
        blocks[j].element === block.element
          ? 3
          : other.parent === element.parent
            ? other.signature === element.signature
              ? 2
              : 1
            : 0;
    }
    for (let w = 0; w < windows.length; w++) {
      const from = Math.max(0, i - windows[w]);
      const to = Math.min(count, i + windows[w] + 1);
      const own = totals.words[to] - totals.words[from];
      const ownChars = totals.chars[to] - totals.chars[from];
      features[at++] = Math.log1p(own / (to - from));
      features[at++] = ownChars > 0 ? (totals.linkChars[to] - totals.linkChars[from]) / ownChars : 0;
      features[at++] = own > 0 ? (totals.ends[to] - totals.ends[from]) / own : 0;
    }
    const same = alike.get(element.signature)!;
    features[at++] = same.blocks;
    features[at++] = Math.log1p(same.words / same.blocks);
    features[at++] = same.chars > 0 ? same.linkChars / same.chars : 0;

    features[at++] = Math.log1p(pageChars);
    features[at++] = Math.log1p(count);
    features[at++] = pageChars > 0 ? pageLinkChars / pageChars : 0;
    features[at++] = pageChars > 0 ? longChars / pageChars : 0;
    features[at++] = words / longest;
  }
  return { features, words: scan.words, chars: scan.chars };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Counts of characters, block by block. */
class Scan {
  readonly chars: Float32Array;
  readonly words: Float32Array;
  readonly linkDensity: Float32Array;
  readonly ends: Float32Array;
  readonly commas: Float32Array;
  readonly digits: Float32Array;
  readonly capitals: Float32Array;
  readonly endsSentence: Float32Array;
  readonly begins: Float32Array;
  readonly bars: Float32Array;

  constructor(count: number) {
    const made = () => new Float32Array(count);
    this.chars = made();
    this.words = made();
    this.linkDensity = made();
    this.ends = made();
    this.commas = made();
    this.digits = made();
    this.capitals = made();
    this.endsSentence = made();
    this.begins = made();
    this.bars = made();
  }

  read(i: number, text: string, linkChars: number): void {
    let words = 0;
    let wide = 0;
    let ends = 0;
    let commas = 0;
    let digits = 0;
    let capitals = 0;
    let bars = 0;
    let inside = false;
    const { length } = text;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code <= 0x20) {
        inside = false;
        continue;
      }
      if (!inside) {
        words++;
        inside = true;
      }
      if (code < 0x80) {
        if (code >= 0x61) {
          if (code === 0x7c) bars++;
        } else if (code >= 0x41) {
          if (code <= 0x5a) capitals++;
        } else if (code >= 0x30 && code <= 0x39) digits++;
        else if (code === 0x2c || code === 0x3b) commas++;
        else if (code === 0x2e || code === 0x21 || code === 0x3f) {
          // Not in the middle of a word or number.
          const next = at + 1 < length ? text.charCodeAt(at + 1) : 0x20;
          if (next <= 0x2f || next === 0x201d || next === 0x2019 || next === 0x5d) ends++;
        }
      } else if (isWide(code)) {
        wide++;
        if (code === 0x3002 || code === 0xff01 || code === 0xff1f) ends++;
        else if (code === 0x3001 || code === 0xff0c) commas++;
      } else if (code === 0x0964 || code === 0x06d4 || code === 0x061f || code === 0x1362 || code === 0x0589)
        ends++;
      else if (code === 0x060c) commas++;
      else if (code === 0xbb || code === 0xb7 || code === 0x2022 || code === 0x203a || code === 0x25ba)
        bars++;
    }
    this.chars[i] = length + wide;
    this.words[i] = wide > 0 ? words + wide / 2 : words;
    this.linkDensity[i] = length > 0 ? linkChars / length : 0;
    this.ends[i] = ends;
    this.commas[i] = commas;
    this.digits[i] = digits;
    this.capitals[i] = capitals;
    this.bars[i] = bars;
    const last = text.charCodeAt(length - 1);
    const beforeLast = length > 1 ? text.charCodeAt(length - 2) : 0;
    this.endsSentence[i] = isEnd(last) || (isQuote(last) && isEnd(beforeLast)) ? 1 : last === 0x3a ? 0.5 : 0;
    const first = text.charCodeAt(0);
    this.begins[i] =
      first >= 0x41 && first <= 0x5a
        ? 2
        : first >= 0x30 && first <= 0x39
          ? 0
          : first >= 0x61 && first <= 0x7a
            ? 1
            : 3;
  }
}

/** Chinese, Japanese, Korean: letters, and their punctuation. */
function isWide(code: number): boolean {
  return (
    (code >= 0x3000 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xff60)
  );
}

function isEnd(code: number): boolean {
  return (
    code === 0x2e ||
    code === 0x21 ||
    code === 0x3f ||
    code === 0x3002 ||
    code === 0xff01 ||
    code === 0xff1f ||
    code === 0x0964 ||
    code === 0x06d4 ||
    code === 0x061f ||
    code === 0x1362 ||
    code === 0x0589
  );
}

function isQuote(code: number): boolean {
  return (
    code === 0x22 ||
    code === 0x27 ||
    code === 0x29 ||
    code === 0x201d ||
    code === 0x2019 ||
    code === 0xbb ||
    code === 0x300d
  );
}

/** What lies in each element, its inner elements included. */
class Sums {
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly words: Float64Array;
  readonly long: Float64Array;
  readonly blocks: Float64Array;
  /** Tables, and lists, that it lies in. */
  readonly tables: Uint8Array;
  readonly lists: Uint8Array;

  constructor(count: number) {
    this.chars = new Float64Array(count);
    this.linkChars = new Float64Array(count);
    this.words = new Float64Array(count);
    this.long = new Float64Array(count);
    this.blocks = new Float64Array(count);
    this.tables = new Uint8Array(count);
    this.lists = new Uint8Array(count);
  }

  gather({ elements }: Layout): void {
    for (let i = elements.length - 1; i > 0; i--) {
      const { parent } = elements[i];
      this.chars[parent] += this.chars[i];
      this.linkChars[parent] += this.linkChars[i];
      this.words[parent] += this.words[i];
      this.long[parent] += this.long[i];
      this.blocks[parent] += this.blocks[i];
    }
    for (let i = 1; i < elements.length; i++) {
      const { parent, name } = elements[i];
      this.tables[i] = this.tables[parent] + (name.name === "table" ? 1 : 0);
      this.lists[i] = this.lists[parent] + (name.name === "ul" || name.name === "ol" ? 1 : 0);
    }
  }
}

/** For each element, how many steps outwards it is to one that holds the smallest element with so much long text; 0 inside it. */
function stepsToCore({ elements }: Layout, sums: Sums, enough: number): Uint8Array {
  const steps = new Uint8Array(elements.length);
  let core = 0;
  if (enough > 0) {
    // Of two that could be it neither lies in the other only if both have half; then the later is taken.
    for (let i = 0; i < elements.length; i++)
      if (sums.long[i] >= enough && elements[i].depth >= elements[core].depth) core = i;
  }
  const isAround = new Set<number>([0]);
  for (let at = core; at > 0; at = elements[at].parent) isAround.add(at);
  steps[0] = Math.min(far, elements[core].depth);
  for (let i = 1; i < elements.length; i++) {
    const { parent } = elements[i];
    if (i === core) steps[i] = 0;
    else if (isAround.has(i)) steps[i] = Math.min(far, elements[core].depth - elements[i].depth);
    // Inside the core all is at 0; beside it, it takes a step out for each element, and one for each that the core is deeper.
    else if (parent === core || (steps[parent] === 0 && !isAround.has(parent))) steps[i] = 0;
    else steps[i] = isAround.has(parent) ? Math.min(far, steps[parent] + 1) : steps[parent];
  }
  return steps;
}

/** How many long blocks' distance ahead and behind. */
class Distances {
  readonly ahead: Uint8Array;
  readonly behind: Uint8Array;

  constructor(long: Uint8Array) {
    const count = long.length;
    this.ahead = new Uint8Array(count);
    this.behind = new Uint8Array(count);
    let distance = far;
    for (let i = 0; i < count; i++) {
      this.behind[i] = distance;
      distance = long[i] ? 0 : Math.min(far, distance + 1);
    }
    distance = far;
    for (let i = count - 1; i >= 0; i--) {
      this.ahead[i] = distance;
      distance = long[i] ? 0 : Math.min(far, distance + 1);
    }
  }
}

/** How many elements outwards the nearest one with a mark is, for each element and mark. */
function markDistances({ elements }: Layout): Uint8Array {
  const count = markNames.length;
  const distances = new Uint8Array(elements.length * count).fill(far);
  for (let i = 1; i < elements.length; i++) {
    const { parent, marks } = elements[i];
    for (let m = 0; m < count; m++) {
      const outer = distances[parent * count + m];
      distances[i * count + m] = marks & (1 << m) ? 0 : outer < far ? outer + 1 : far;
    }
  }
  return distances;
}

/** Sums from the start of the page, for windows. */
class Running {
  readonly words: Float64Array;
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly ends: Float64Array;

  constructor(scan: Scan) {
    const count = scan.chars.length;
    this.words = new Float64Array(count + 1);
    this.chars = new Float64Array(count + 1);
    this.linkChars = new Float64Array(count + 1);
    this.ends = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) {
      this.words[i + 1] = this.words[i] + scan.words[i];
      this.chars[i + 1] = this.chars[i] + scan.chars[i];
      this.linkChars[i + 1] = this.linkChars[i] + scan.linkDensity[i] * scan.chars[i];
      this.ends[i + 1] = this.ends[i] + scan.ends[i];
    }
  }
}
