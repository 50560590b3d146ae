/** Every verb that is answered at a desk. Those about the catalogue and the server itself stand in catalogue.ts. */
import { concordanceVerbs } from "./concordance.js";
import { listVerbs } from "./lists.js";
import { queryVerbs } from "./query.js";
import { searchVerbs } from "./searching.js";
import { sketchVerbs } from "./sketches.js";
import { statisticsVerbs } from "./statistics.js";
import { subcorpusVerbs } from "./subcorpora.js";
import { valueVerbs } from "./values.js";
import type { DeskVerb } from "./verb.js";

export const deskVerbs: Record<string, DeskVerb> = {
  ...queryVerbs,
  ...concordanceVerbs,
  ...statisticsVerbs,
  ...listVerbs,
  ...searchVerbs,
  ...sketchVerbs,
  ...subcorpusVerbs,
  ...valueVerbs,
};
