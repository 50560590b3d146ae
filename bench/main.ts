/** `npm run bench -- <name>`: what is measured, and how fast it is on this machine. */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  encode: () => import("./encode.js"),
  tokenise: () => import("./tokenise.js"),
  boundaries: () => import("./boundaries.js"),
  tag: () => import("./tag.js"),
  query: () => import("./query.js"),
  growth: () => import("./growth.js"),
  search: () => import("./search.js"),
  sketch: () => import("./sketch.js"),
  space: () => import("./space.js"),
  stats: () => import("./stats.js"),
  server: () => import("./server.js"),
  language: () => import("./language.js"),
  "ingest-read": () => import("./ingest-read.js"),
  crawl: () => import("./crawl.js"),
  clean: () => import("./clean.js"),
  "clean-train": () => import("./clean-train.js"),
  dedup: () => import("./dedup.js"),
};

const [name, ...args] = process.argv.slice(2);
if (!name || !benches[name]) {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join("|")}> [options]`);
  process.exitCode = 2;
} else await (await benches[name]()).run(args);

export {};
