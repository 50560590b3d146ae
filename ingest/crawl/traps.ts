/**
 * URLs that are not worth a request: files that are no pages, addresses where things are downloaded, searched or passed on,
 * and traps, where a site without end makes ever new URLs of the same content. Each has a name, which the report counts.
 */
import { limits } from "./limits.js";
import { pathOf } from "./url.js";

export const excludedWords = ["download", "files", "image", "pics", "upload", "redir", "search"];

const extensions = new Set(
  (
    "7z aac aif aiff apk arj asc atom avi avif bin bmp bz2 cab cbr cbz class css csv cur dat deb dmg doc docm docx dot dotx dwg eot eps " +
    "epub exe flac flv gif gpx gz heic ico ics iso jar jpe jpeg jpg js json kml kmz latex m3u m3u8 m4a m4v map md5 mid midi mjs mkv mov mp2 mp3 " +
    "mp4 mpe mpeg mpg msi odg odp ods odt ogg ogv opus otf pdf pls png pot potx pps ppsx ppt pptx ps psd py qt ram rar rdf rm rpm rss rtf sea sh " +
    "sit swf svg svgz tar tex tgz tif tiff torrent ttf txt vcf vsd wav webm webmanifest webp wma wmv woff woff2 wsdl xls xlsm xlsx xml xpi xsd xsl xz z zip zst"
  ).split(" "),
);

const session =
  /(?:[?&;](?:(?:php|asp|j)?sess(?:ion)?_?(?:id)?|sid|s?zenid|oscsid|cfid|cftoken|jsessionid|aspsessionid\w*)=|\/\(s\([a-z0-9]+\)\)|[?&](?:s|session)=[0-9a-f]{16,})/i;

/** Dates: 2024/05, 2024-05-12, 20240512, year=2024, month=5. */
const dated =
  /(?:^|[^0-9])(?:1[5-9]|2[0-9])\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[^0-9]|[0-3]\d(?:[^0-9]|$)|$)|(?:year|month|week|day|date|cal|calendar|time|aar|mnd|dato)[^=&/]{0,12}[=/]\d/i;

export interface Exclusion {
  /** The first letters of words that a URL may not have behind its host. */
  words: readonly string[];
}

export type Trap = "long_url" | "file_type" | "url_word" | "repeated_path" | "session_id";

/** Decides about URLs by their text alone. */
export function makeExclusion({ words }: Exclusion): (url: string) => Trap | undefined {
  const escaped = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  const listed = escaped.filter((word) => word !== "");
  // At the beginning of a word: "/searching" is meant, "/research" is not.
  const word = listed.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${listed.join("|")})`, "iu") : undefined;
  return (url) => {
    if (url.length > limits.urlCharsMax) return "long_url";
    const tail = pathOf(url);
    const mark = tail.indexOf("?");
    const path = mark < 0 ? tail : tail.slice(0, mark);
    if (isFile(path)) return "file_type";
    if (word?.test(tail)) return "url_word";
    if (session.test(tail)) return "session_id";
    if (isRepeated(path)) return "repeated_path";
    if (mark >= 0 && tail.split("&", limits.queryPartsMax + 1).length > limits.queryPartsMax)
      return "long_url";
    return undefined;
  };
}

function isFile(path: string): boolean {
  const dot = path.lastIndexOf(".");
  if (dot < 0 || path.length - dot > 12) return false;
  const extension = path.slice(dot + 1);
  return extensions.has(extension.toLowerCase());
}

/** /a/b/a/b/a/b: links that are relative by mistake make such paths. */
function isRepeated(path: string): boolean {
  if (path.length < 4) return false;
  const parts = path.split("/");
  if (parts.length - 1 > limits.pathPartsMax) return true;
  if (parts.length < 4) return false;
  const counts = new Map<string, number>();
  for (const part of parts) {
    if (part === "") continue;
    const count = (counts.get(part) ?? 0) + 1;
    if (count > limits.pathRepeatsMax) return true;
    counts.set(part, count);
  }
  return false;
}

/**
 * What URLs of a calendar have in common: the URL without its digits. Undefined for URLs that have no date in them: an
 * archive of a hundred thousand numbered articles is no trap.
 */
export function calendarShape(url: string): string | undefined {
  return dated.test(pathOf(url)) ? url.replace(/\d+/g, "0") : undefined;
}
