/**
 * Spaces: units of a corpus as points in a few dimensions, in kd-order, compressed (format.ts has the bytes).
 *
 *   openSpace(snapshot, name?)            a space that was built of a snapshot (`dugong space-build`)
 *   findSpace(snapshot, name?)            the same, or undefined where there is none
 *   parseConditions("year>=1990 and word=economy")   what `space.box` takes
 */

export {
  buildSpace,
  type SpaceBuildOptions,
  type SpaceBuildResult,
  type SpaceProgress,
} from "./build.js";
export { parseConditions } from "./conditions.js";
export { type DumpedPoint, dumpSpace } from "./dump.js";
export { parseDimensions } from "./plan.js";
export { findSpace, openSpace } from "./space.js";
export type {
  Asking,
  BestFirst,
  Box,
  Condition,
  DimensionInfo,
  Points,
  QuantiserKind,
  Space,
  SpaceInfo,
} from "./types.js";
export { type SpaceVerifyReport, verifySpace } from "./verify.js";
