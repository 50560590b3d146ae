/** The model that Dugong comes with, read once. The build puts it beside the built files. */
import { builtFile } from "../../storage/built.js";
import { LanguageModel } from "./model.js";

let model: LanguageModel | undefined;

/**
 * Of 131 languages one always looks likely: doubt costs more right answers than it saves wrong ones, so it is asked for less of it
 * than a model of a few languages (docs/INGEST.md has the figures).
 */
const threshold = 0.25;

export function defaultModel(): LanguageModel {
  if (!model) {
    model = LanguageModel.open(builtFile("ingest/language/model.bin"));
    model.threshold = threshold;
  }
  return model;
}
