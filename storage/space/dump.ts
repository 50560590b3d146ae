/** All points of a space in the order in which they lie, as values. */
import type { Asking, Space } from "./types.js";

export interface DumpedPoint {
  unit: number;
  values: Record<string, string>;
  coordinates: number[];
}

/** Some points after the other. Values of a coordinate are where its cell begins. */
export function* dumpSpace(space: Space, asking?: Asking): Generator<DumpedPoint[]> {
  const { dimensions } = space.info;
  for (const { count, units, coordinates } of space.blocks(space.everything(), asking)) {
    const points: DumpedPoint[] = [];
    for (let i = 0; i < count; i++) {
      const own = coordinates.map((column) => column[i]);
      const values = dimensions.map(({ name }, d) => [name, space.value(d, own[d])]);
      points.push({ unit: units[i], values: Object.fromEntries(values), coordinates: own });
    }
    yield points;
  }
}
