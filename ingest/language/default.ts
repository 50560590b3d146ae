/** The model that Dugong comes with, read once. The build puts it beside the built files. */
import { builtFile } from "../../storage/built.js";
import { LanguageModel } from "./model.js";

let model: LanguageModel | undefined;

export function defaultModel(): LanguageModel {
  model ??= LanguageModel.open(builtFile("ingest/language/model.bin"));
  return model;
}
