/** How much of a text is in a language, by the model that Dugong comes with: all of it, or nothing. */
import { DugongError } from "../../storage/errors.js";
import { codeIn } from "../language/codes.js";
import { defaultModel } from "../language/default.js";

export function wantedIn(language: string): (text: string) => number {
  const model = defaultModel();
  const wanted = codeIn(model.languages, language);
  if (!model.languages.includes(wanted))
    throw new DugongError(
      "bad_option",
      `there is no language "${language}"`,
      `There are ${model.languages.join(", ")}.`,
    );
  return (text) => (model.classify(text).language === wanted ? 1 : 0);
}
