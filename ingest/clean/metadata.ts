/**
 * What a page says about itself: its title, date, language and licence. Of several ways to say it, the first in these lists that
 * the page uses counts.
 *
 *   title      <meta og:title>, <meta twitter:title>, <title>
 *   date       <meta article:published_time> and its like, JSON-LD datePublished, <time datetime> (ISO 8601)
 *   language   <html lang>, <html xml:lang>, <meta content-language>, <meta og:locale>
 *   licence    rel="license", a link to a licence of Creative Commons
 */
import { limits } from "../limits.js";
import { oneLine } from "./text.js";

const dateNames = [
  "article:published_time",
  "og:published_time",
  "datepublished",
  "date",
  "pubdate",
  "publishdate",
  "publish_date",
  "publication_date",
  "parsely-pub-date",
  "sailthru.date",
  "dc.date.issued",
  "dc.date",
  "dcterms.date",
  "dcterms.created",
  "dc.date.created",
  "citation_publication_date",
];

export class Metadata {
  #title: string | undefined;
  #time: string | undefined;
  #locale: string | undefined;
  #linkedLicence: string | undefined;
  #relLicence: string | undefined;
  readonly #meta = new Map<string, string>();
  readonly #data: string[] = [];

  /** The text of <title>. */
  titled(text: string): void {
    this.#title ??= oneLine(text).slice(0, limits.titleCharsMax) || undefined;
  }

  /** The text of a script of JSON-LD. */
  data(text: string): void {
    if (this.#data.length < limits.warningPlacesMax) this.#data.push(text);
  }

  element(name: string, told: Record<string, string>): void {
    if (name === "meta") {
      const key = (told.property ?? told.name ?? told.itemprop ?? told["http-equiv"])?.trim().toLowerCase();
      if (key && told.content !== undefined && this.#meta.size < 200 && !this.#meta.has(key))
        this.#meta.set(key, told.content);
    } else if (name === "html") {
      this.#locale ??= (told.lang || told["xml:lang"])?.trim() || undefined;
    } else if (name === "time") {
      this.#time ??= isoDate(told.datetime);
    } else if (told.href !== undefined) {
      if (told.rel !== undefined && /\blicen[sc]e\b/i.test(told.rel)) this.#relLicence ??= told.href.trim();
      else if (name === "a" && told.href.includes("creativecommons.org/")) {
        if (/creativecommons\.org\/(?:licenses|publicdomain)\/[\w-]/.test(told.href))
          this.#linkedLicence ??= told.href.trim();
      }
    }
  }

  get title(): string | undefined {
    const named = this.#meta.get("og:title") ?? this.#meta.get("twitter:title");
    return oneLine(named ?? "").slice(0, limits.titleCharsMax) || this.#title;
  }

  get date(): string | undefined {
    for (const name of dateNames) {
      const date = isoDate(this.#meta.get(name));
      if (date) return date;
    }
    for (const text of this.#data) {
      const date = isoDate(/"datePublished"\s*:\s*"([^"]+)"/.exec(text)?.[1]);
      if (date) return date;
    }
    return this.#time;
  }

  /** As a tag of BCP 47, as far as it looks like one. */
  get language(): string | undefined {
    const said = this.#locale ?? this.#meta.get("content-language") ?? this.#meta.get("og:locale");
    return /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*/i.exec(said?.trim() ?? "")?.[0].replaceAll("_", "-");
  }

  get licence(): string | undefined {
    return this.#relLicence ?? this.#linkedLicence;
  }

  /** The text of the article as JSON-LD has it, if it does. */
  get articleBody(): string | undefined {
    for (const text of this.#data) {
      if (!text.includes("articleBody")) continue;
      try {
        const body = findBody(JSON.parse(text), 0);
        if (body) return body;
      } catch {
        // Data that is not JSON is no data.
      }
    }
    return undefined;
  }
}

function findBody(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth > 4) return undefined;
  const { articleBody } = value as Record<string, unknown>;
  if (typeof articleBody === "string" && articleBody !== "") return articleBody;
  for (const inner of Object.values(value)) {
    const found = findBody(inner, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** A date as ISO 8601 has it: a day, or a moment if the page says one. */
export function isoDate(said: string | undefined): string | undefined {
  const text = said?.trim();
  if (!text || text.length > 60) return undefined;
  const iso =
    /^((?:1[5-9]|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?/.exec(
      text,
    );
  if (iso) {
    const [, year, month, day, time, zone = ""] = iso;
    const at = time === undefined ? "" : `T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`;
    return `${year}-${month}-${day}${at}`;
  }
  // "July 24, 2012", "Tue, 24 Jul 2012 10:00:00 GMT". Days by numbers alone mean different things in different countries.
  if (!/[a-z]{3}/i.test(text) || !/\b(?:1[5-9]|20)\d\d\b/.test(text)) return undefined;
  const parsed = new Date(text);
  if (Number.isNaN(parsed.getTime())) return undefined;
  if (/(?:GMT|UTC|Z|[+-]\d\d:?\d\d)\s*$/.test(text)) return parsed.toISOString().replace(".000", "");
  const two = (number: number) => String(number).padStart(2, "0");
  return `${parsed.getFullYear()}-${two(parsed.getMonth() + 1)}-${two(parsed.getDate())}`;
}
