/**
 * What a token that training has not seen can be where its characters say it: marks, numbers, addresses. A perceptron goes by endings and
 * neighbours, and takes a quotation mark that it has never met for a verb.
 *
 *   „ “ – … (     PUNCT            brackets, dashes, quotation marks, and runs of one of . , ; : ! ?
 *   € + =         SYM              money and mathematics
 *   % :-) ♥       PUNCT, SYM       whatever else has neither letters nor digits
 *   3.5 12:30     NUM              if training has not seen such a shape either: some treebanks call years NOUN
 *   a@b.fo        X, SYM           addresses of the web and of mail, if training has seen none: some treebanks call them PROPN
 *
 * These are tags of Universal Dependencies: a model that has none of them chooses among all of its own.
 */

const marks = /^(?:[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]|\p{Pd}+|\.+|,+|;+|:+|!+|\?+|…+|'+|"+)$/u;
const symbols = /^[\p{Sc}\p{Sm}]$/u;
const address = /^(?:https?:\/\/\S|www\.\S+\.\S|[^\s@]+@[^\s@]+\.\p{L})/iu;
const usualAddresses = ["http://www.a.fo", "http://a.fo", "www.a.fo", "a@b.fo", "a.b@c.fo"];

/** Names of the tags that are possible. Undefined if all are. */
export function tagsBySigns(
  form: string,
  /** Has training seen words of the same shape? */
  isShapeKnown: (form: string) => boolean,
): readonly string[] | undefined {
  if (/\p{L}/u.test(form))
    return address.test(form) && !usualAddresses.some(isShapeKnown) ? ["X", "SYM"] : undefined;
  if (/\p{N}/u.test(form)) return isShapeKnown(form) ? undefined : ["NUM"];
  if (marks.test(form)) return ["PUNCT"];
  return symbols.test(form) ? ["SYM"] : ["PUNCT", "SYM"];
}
