export { allocate, allocated, reset } from "./memory";
export { pack, unpack } from "./pack";
export { columnSizes, decodeExtent, encodeExtent, widen8, widen16 } from "./column";
export { packPositions, packTail, unpackChunk, unpackPositions, unpackTail } from "./postings";
export { scanBytes } from "./scan";
export { intern, internAll, newTable } from "./table";
export { addEvent, countNewlines, readLines, splitColumns } from "./lines";
export { sortTable } from "./sort";
export { gather, invert } from "./invert";
