/** `npm run bench -- <name>`: what is measured, and how fast it is on this machine. */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  encode: () => import("./encode.js"),
  query: () => import("./query.js"),
};

const [name, ...args] = process.argv.slice(2);
if (!name || !benches[name]) {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join("|")}> [options]`);
  process.exitCode = 2;
} else await (await benches[name]()).run(args);

export {};
