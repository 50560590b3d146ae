/** A positional attribute of a snapshot: its lexicon, and what it is derived from. */
import type { AttributeConfig } from "../encode/config.js";
import type { DerivedMap } from "../lexicon/derived.js";
import type { Lexicon } from "../lexicon/lexicon.js";

export class Attribute {
  constructor(
    readonly name: string,
    readonly lexicon: Lexicon,
    readonly config: AttributeConfig,
    /** For a derived attribute (and the single values of a multi-value one): where its ids come from. */
    readonly derived?: { base: Attribute; map: DerivedMap },
  ) {}

  /** The single values of a multi-value attribute: an attribute like any other, but without a stream. */
  values?: Attribute;

  get label(): string {
    return this.config.label ?? this.name;
  }
}
