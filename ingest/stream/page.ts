/** A page as it was fetched, before anything is decided about it: what archives hold and `clean` reads. */
export interface Page {
  url: string;
  /** When it was fetched, ISO 8601; absent where nobody knows. */
  fetched?: string;
  /** Of the response: "text/html; charset=iso-8859-1". */
  contentType?: string;
  /** Of the response, names in lower case; of a name given twice, values with ", " between them. */
  headers?: Record<string, string>;
  /** As received, less the transfer and content encodings. */
  body: Uint8Array;
  /** The file it came from, and where in it, for warnings. */
  source: string;
  offset?: number;
}
