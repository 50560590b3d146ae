/**
 * Pages: what `dugong clean` reads. From archives (WARC, ARC), from HTML files, and from directories of either.
 *
 * Of an archive, a page is
 *
 *   response      whose block is a response of HTTP, with status 200 and a type that is wanted
 *   resource      (or a response that is not HTTP, as of FTP) of http:, https:, ftp: or file:, with a type that is wanted
 *
 * and no page is request, metadata, warcinfo, revisit (it has no body: the page was the same as one before), dns: and other
 * schemes, continuation (of a record in several parts: the first is taken as it is), conversion (text already: `dugong read`
 * takes it), and what is cut off, unless the response inside is as long as it says itself. What is no page is counted by its reason in `passed`; what is broken is a warning.
 */

import { limits } from "../limits.js";
import type { Reading } from "../stream/lines.js";
import type { Page } from "../stream/page.js";
import { bodyOf, type Response, responseOf } from "../warc/http.js";
import { piecesOf } from "../warc/members.js";
import { type ArchiveRecord, recordsOf } from "../warc/reader.js";
import type { Format } from "./formats.js";
import { type Input, openInputs } from "./inputs.js";

export interface PageReading extends Reading {
  /** What all inputs are (default: told from their content). */
  format?: Format;
  /** Types that are wanted (default: HTML, XHTML and plain text). */
  types?: readonly string[];
  /** Records that are no page, by reason: "status 404", "type image/png", "request". Counted here. */
  passed?: Map<string, number>;
}

export const pageTypes = ["text/html", "application/xhtml+xml", "text/plain"] as const;

/** All pages of all inputs. */
export async function* pagesOf(inputs: readonly string[], reading: PageReading): AsyncGenerator<Page> {
  for await (const { input, reading: own } of openInputs(inputs, reading, reading.format)) {
    const { format, source } = input;
    if (format === "warc" || format === "wet" || format === "arc") {
      const archive = format === "arc" ? "arc" : "warc";
      for await (const record of recordsOf(input, archive, own)) {
        const page = pageOf(record, source.name, reading);
        if (page) yield page;
      }
    } else if (format === "html") {
      const page = await pageOfFile(input, own);
      if (page) yield page;
    } else {
      reading.warnings.add("no_page", "a file that is neither an archive nor a page is left out", {
        source: source.name,
      });
    }
  }
}

/** The page that a record holds, if it holds one. */
export function pageOf(record: ArchiveRecord, source: string, reading: PageReading): Page | undefined {
  const { url, date: fetched, offset, block } = record;
  const pass = (reason: string) => {
    const { passed } = reading;
    passed?.set(reason, (passed.get(reason) ?? 0) + 1);
    return undefined;
  };
  if (record.type !== "response" && record.type !== "resource") return pass(record.type || "no type");
  const [scheme] = url.toLowerCase().split(":", 1);
  if (!["http", "https", "ftp", "file"].includes(scheme))
    return pass(scheme === "" ? "no address" : `${scheme}:`);
  const common = { url, ...(fetched !== undefined && { fetched }), source, offset };
  const wanted = reading.types ?? pageTypes;
  const response = record.type === "response" ? responseOf(block) : undefined;
  if (record.isCut && !(response && isComplete(response))) return pass("cut off");
  if (!response) {
    // A response of HTTP that cannot be read is no page of the type that its record has.
    const { contentType } = record;
    if (/^application\/http\b/i.test(contentType)) {
      reading.warnings.add("broken_response", "a response that is not HTTP is left out", { source, offset });
      return undefined;
    }
    const type = typeOf(contentType, block);
    if (!wanted.includes(type)) return pass(`type ${type || "unknown"}`);
    return { ...common, contentType, body: block };
  }
  const { status, headers } = response;
  if (status !== 200) return pass(`status ${status}`);
  const contentType = headers["content-type"] ?? (record.format === "arc" ? record.contentType : "");
  const type = typeOf(contentType, response.raw);
  if (!wanted.includes(type)) return pass(`type ${type || "unknown"}`);
  const body = bodyOf(response, ({ problem, message }) =>
    reading.warnings.add(problem, message, { source, offset }),
  );
  if (!(body instanceof Uint8Array)) {
    reading.warnings.add(body.problem, body.message, { source, offset });
    return undefined;
  }
  return { ...common, ...(contentType !== "" && { contentType }), headers, body };
}

/** As far as it says itself: the record around it may say something else. */
function isComplete({ headers, raw }: Response): boolean {
  return /^\d+$/.test(headers["content-length"] ?? "") && raw.length >= Number(headers["content-length"]);
}

/** "text/html"; where nothing is said, what the first bytes look like. */
export function typeOf(contentType: string, body: Uint8Array): string {
  const type = contentType.split(/[;,]/, 1)[0].trim().toLowerCase();
  if (type.includes("/") && type !== "unknown/unknown") return type;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512)).toString("latin1");
  return /^\s*(?:<!doctype html|<html|<head|<body|<\?xml[^>]*>\s*<(?:html|!doctype html))/i.test(start)
    ? "text/html"
    : "";
}

async function pageOfFile(input: Input, reading: Reading): Promise<Page | undefined> {
  const { name } = input.source;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const { bytes } of piecesOf(input, reading)) {
    parts.push(bytes);
    length += bytes.length;
    if (length > limits.pageBytesMax) {
      reading.warnings.add("large_page", `a page of over ${limits.pageBytesMax} bytes is passed over`, {
        source: name,
      });
      return undefined;
    }
  }
  return { url: name, contentType: "text/html", body: Buffer.concat(parts), source: name };
}
