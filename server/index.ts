/** The server, as other rooms see it. */
export { isLevel, type Level, levels } from "./access/levels.js";
export { type TokenInfo, Tokens } from "./access/tokens.js";
export { type Budget, type Config, defaults, readConfig, type StartOptions } from "./config.js";
export { type LocalOptions, type LocalServer, startLocally } from "./local.js";
export { type RunningServer, startServer } from "./server.js";
