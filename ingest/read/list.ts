/** What an archive holds, record by record: for `dugong read --list`, and for whoever wants to look before cleaning. */
import { DugongError } from "../../storage/errors.js";
import { responseOf } from "../warc/http.js";
import { recordsOf } from "../warc/reader.js";
import { openInputs } from "./inputs.js";
import { type PageReading, typeOf } from "./pages.js";

export interface Entry {
  url: string;
  /** Of the record: response, resource, conversion. */
  record: string;
  /** Of HTTP. */
  status?: number;
  /** Of the page. */
  type: string;
  /** Of the body as it lies there, with its encodings. */
  bytes: number;
  fetched?: string;
  source: string;
  offset: number;
}

const listed = new Set(["response", "resource", "conversion", "revisit"]);

/** Every response, resource, conversion and revisit of all archives. */
export async function* entriesOf(inputs: readonly string[], reading: PageReading): AsyncGenerator<Entry> {
  for await (const { input, reading: own } of openInputs(inputs, reading, reading.format)) {
    const { format, source } = input;
    if (format !== "warc" && format !== "wet" && format !== "arc")
      throw new DugongError(
        "not_an_archive",
        `${source.name} is no archive`,
        "WARC and ARC files can be listed.",
      );
    for await (const record of recordsOf(input, format === "arc" ? "arc" : "warc", own)) {
      if (!listed.has(record.type)) continue;
      const response = record.type === "response" ? responseOf(record.block) : undefined;
      const body = response?.raw ?? record.block;
      const contentType = response?.headers["content-type"] ?? record.contentType;
      yield {
        url: record.url,
        record: record.type,
        ...(response && { status: response.status }),
        type: typeOf(contentType, body) || contentType,
        bytes: body.length,
        ...(record.date !== undefined && { fetched: record.date }),
        source: source.name,
        offset: record.offset,
      };
    }
  }
}
