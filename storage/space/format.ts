/**
 * A segment of a space: points in kd-order, in leaves of a few hundred, leaves in pages.
 *
 *   file    = kind "space", sections:
 *     pages        page*, each at an offset divisible by 4, at most 65,536 bytes
 *     directory    for each page: u32 offset in `pages` / 4, u32 bytes / 4, u32 leaves, u32 points,
 *                  (k + 1) × u32 low, (k + 1) × u32 high: the tight box of its points
 *     dictionary:d   strings of dimension d that this segment adds (below); only of dimensions with a dictionary of their own
 *
 * A point has k coordinates, and its unit's number as one more, number k: relative to `meta.unitBase`.
 *
 *   page    = shape, entries, leaves; all of it little-endian u32 words, bits lowest first
 *   shape   = (k + 1) × (u8 bits of a low, u8 bits of an extent), zeros to a whole word
 *   entries = for each leaf, bits one behind the other, zeros to a whole word:
 *               14 bits  where the leaf begins in the page, in words
 *               10 bits  its points less 1
 *                5 bits  Rice parameter b
 *               for each of the k + 1: low less the page's low; extent, which is high less low
 *   leaf    = tails, units; zeros to a whole word
 *   tails   = for each group of dimensions: for each point a code of fixed width
 *   units   = the gaps between units, from the second point to the last but one
 *   gap     = gap >> b ones and a zero, then the lowest b bits of the gap; or, if there would be 24 ones or more, 24 ones and 32 bits
 *
 * The points of a leaf are sorted by unit: its first unit is the box's low, its last the high. A dimension with extent 0 has nothing
 * in the leaf. The others, in their order, are put together in groups as long as the product of (extent + 1) is at most 2^32; a
 * group's code is the number with these digits, each less its low, the first dimension's the highest; its width the bits of the
 * product less 1. So a box's bits are paid by the fraction, once for a group.
 *
 * Inner nodes are not stored: the boxes of pages, joined two by two, are the tree above them.
 *
 *   dictionary = strings one behind the other, each: varint bytes, bytes. They have the coordinates behind those of the segments
 *                before: `meta.dictionaries[d]` is [first coordinate, how many].
 */
import { limits } from "../limits.js";

export const spaceKind = "space";
export const spaceVersion = 1;

/** Points of a leaf: 10 bits say how many. */
export const leafPointsMax = limits.spaceLeafPointsMax;
export const leafPointsDefault = 256;
/** Where a leaf begins takes 14 bits. */
export const pageBytesMax = limits.extentBytes;
export const offsetBits = 14;
export const countBits = 10;
export const riceBits = 5;
export const onesMax = 24;
export const dimensionsMin = limits.spaceDimensionsMin;
export const dimensionsMax = limits.spaceDimensionsMax;
export const coordinateMax = limits.spaceCoordinateMax;
/** Words of a page's row in the directory before its box. */
export const rowHeadWords = 4;

export interface SegmentMeta {
  /** k. */
  dimensions: number;
  points: number;
  /** Added to the numbers of units here. */
  unitBase: number;
  leaves: number;
  leafPoints: number;
  /** By dimension: first coordinate, and how many strings. */
  dictionaries: Record<string, [first: number, count: number]>;
}

/** How many bits numbers up to `most` take. */
export function bitsOf(most: number): number {
  return most === 0 ? 0 : 32 - Math.clz32(most);
}

/** Dimensions that share a code. */
export interface Group {
  first: number;
  /** One behind the last. */
  end: number;
  width: number;
}

/**
 * The groups of a leaf's dimensions by their extents, written to `groups`; returns how many. What is there is used again: no leaf makes
 * objects of its own.
 */
export function groupsOf(extents: ArrayLike<number>, k: number, groups: Group[]): number {
  let count = 0;
  let product = 1;
  let first = 0;
  for (let d = 0; d < k; d++) {
    const size = extents[d] + 1;
    if (product * size > 2 ** 32) {
      put(groups, count++, first, d, product);
      first = d;
      product = 1;
    }
    product *= size;
  }
  if (product > 1) put(groups, count++, first, k, product);
  return count;
}

function put(groups: Group[], at: number, first: number, end: number, product: number): void {
  groups[at] ??= { first: 0, end: 0, width: 0 };
  const group = groups[at];
  group.first = first;
  group.end = end;
  group.width = bitsOf(product - 1);
}
