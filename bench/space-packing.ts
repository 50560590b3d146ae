/** What the leaves of a space would take if they were packed in other ways: counted, not written. */
import type { Segments } from "../storage/space/space.js";

const bits = (most: number) => Math.ceil(Math.log2(most + 1));

/** Bits of all leaves by way of packing. */
export function packings(space: Segments): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, own: number) => sums.set(name, (sums.get(name) ?? 0) + own);
  const [reader] = space.readers;
  const { segment } = reader;
  const { k } = segment;
  for (let page = 0; page < segment.pages; page++) {
    reader.open(page);
    for (let leaf = 0; leaf < reader.leaves; leaf++) {
      const { units, count, extents } = reader.units(leaf);
      let exact = 0;
      let rounded = 0;
      for (let d = 0; d < k; d++) {
        exact += Math.log2(extents[d] + 1);
        rounded += bits(extents[d]);
      }
      const together = Math.ceil(exact - 1e-9) * count;
      const apart = rounded * count;
      const gaps = Array.from({ length: Math.max(0, count - 2) }, (_, i) => units[i + 1] - units[i]);
      const rice = least(gaps);
      const widest = bits(gaps.reduce((most, gap) => Math.max(most, gap), 0)) * gaps.length;
      const plain = bits(extents[k]) * count;
      const low = Math.max(0, Math.floor(Math.log2((extents[k] + 1) / count)));
      const eliasFano = count * low + count + Math.floor(extents[k] / 2 ** low) + 1;
      add("coordinates of a point as one number, Rice-coded gaps of units (chosen)", together + rice);
      add("each coordinate in bits of its own, Rice-coded gaps", apart + rice);
      add("one number, Elias-Fano units", together + eliasFano);
      add("one number, gaps as wide as the widest", together + widest);
      add("one number, units as wide as their range", together + plain);
      add("each coordinate in bits of its own, units as wide as their range", apart + plain);
    }
  }
  return sums;
}

function least(gaps: number[]): number {
  let best = Number.POSITIVE_INFINITY;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
  const near = Math.max(0, Math.floor(Math.log2(Math.max(1, mean))));
  for (let b = Math.max(0, near - 1); b <= near + 1; b++)
    best = Math.min(
      best,
      gaps.reduce((sum, gap) => sum + Math.floor(gap / 2 ** b) + 1 + b, 0),
    );
  return gaps.length === 0 ? 0 : best;
}
