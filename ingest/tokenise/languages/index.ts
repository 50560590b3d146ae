/** The tables that are built in. A language that has none gets what holds for all. */
import type { LanguageTable } from "../table.js";
import { english } from "./english.js";
import { germanic } from "./germanic.js";
import { others } from "./others.js";
import { romance } from "./romance.js";
import { slavic } from "./slavic.js";

export const tables: Record<string, LanguageTable> = {
  ...others,
  ...english,
  ...germanic,
  ...romance,
  ...slavic,
};
