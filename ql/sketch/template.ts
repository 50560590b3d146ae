/**
 * Names that depend on a match: `prep %(3.lemma)` is a name for each lemma of label 3; `%(2.word)_%(3.word)` puts a collocate
 * together.
 *
 *   template = ( text | "%(" label "." attribute ")" )*        (%w stays: it is the head, when the name is shown)
 */
import { QueryError } from "../plan/errors.js";

export type Template = (string | TemplatePart)[];

export interface TemplatePart {
  label: string;
  attribute: string;
}

export function parseTemplate(text: string): Template {
  const template: Template = [];
  let from = 0;
  for (let at = text.indexOf("%("); at >= 0; at = text.indexOf("%(", from)) {
    const end = text.indexOf(")", at);
    const [, label, attribute] = /^\s*(\w+)\.(\w+)\s*$/.exec(end < 0 ? "" : text.slice(at + 2, end)) ?? [];
    if (label === undefined)
      throw new QueryError(
        "bad_template",
        `"${text.slice(at)}" does not begin with a label and an attribute`,
        "Write %(3.lemma).",
      );
    if (at > from) template.push(text.slice(from, at));
    template.push({ label, attribute });
    from = end + 1;
  }
  if (from < text.length) template.push(text.slice(from));
  return template;
}

/** What a template asks of a match. */
export function partsOf(template: Template): TemplatePart[] {
  return template.filter((part) => typeof part !== "string");
}

export function filled(template: Template, value: (part: TemplatePart) => string): string {
  return template.map((part) => (typeof part === "string" ? part : value(part))).join("");
}
