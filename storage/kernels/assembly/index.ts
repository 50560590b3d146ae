export { allocate, allocated, reset } from "./memory";
export { pack, unpack } from "./pack";
export {
  blocksPerExtent, columnSizes, decodeExtent, encodeExtent, narrow8, narrow16, sumShorts, widen8, widen16,
} from "./column";
export { packPositions, packTail, unpackChunk, unpackPositions, unpackTail } from "./postings";
export { placesOfWords, scanBytes } from "./scan";
export { glance, valueIn, valuesIn } from "./glance";
export { intern, internAll, newTable } from "./table";
export { addEvent, countNewlines, readLines, splitColumns } from "./lines";
export { sortTable } from "./sort";
export { gather, invert } from "./invert";
export {
  addToAll, classifyBytes, classifyIds, clear, fill, markEqual, runAutomaton, selectBits, selectIds, selectSets,
} from "./match";
export { findRuns, lengthsOf, sortKeys, sumBefore, turnRound } from "./order";
export { layLists } from "./lists";
export { frontCode, tableColumns } from "./strings";
export { codeEvents, nestEvents } from "./tags";
export { addCounts, joinHalves, splitHalves } from "./counts";
export { countBits, emitLengths, joinBits, meetBits, stepBits } from "./lengths";
export { unpackCodes, unpackGaps } from "./space";
