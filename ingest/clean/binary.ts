/**
 * What is no text, whatever its server says: pictures, archives, documents of office programs, noise. Told by how the bytes begin,
 * else by control characters: text in any charset has next to none, and of all other bytes that are not UTF-16 some 4 to 10 % look
 * like them. Several places are looked at, because some formats begin with text, and some pages have a few bytes of rubbish.
 */
import { isUtf16, utf16Of } from "./guess.js";

/** How files begin that are sent as pages, in latin1. */
const beginnings = [
  ...[
    "\xff\xd8\xff",
    "\x89PNG\r\n",
    "GIF87a",
    "GIF89a",
    "II*\0",
    "MM\0*",
    "8BPS\0",
    "\0\0\x01\0",
    "wOFF",
    "wOF2",
  ],
  ...[
    "PK\x03\x04",
    "PK\x05\x06",
    "\x1f\x8b\x08",
    "\x1f\x9d",
    "BZh91AY&SY",
    "7z\xbc\xaf\x27\x1c",
    "Rar!\x1a\x07",
  ],
  ...["\xfd7zXZ\0", "\x28\xb5\x2f\xfd", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "SQLite format 3\0"],
  ...[
    "ID3\x02",
    "ID3\x03",
    "ID3\x04",
    "OggS\0",
    "fLaC\0",
    "FLV\x01",
    "\x1a\x45\xdf\xa3",
    "\0\0\x01\xba",
    "\0\0\x01\xb3",
  ],
  ...["\x7fELF", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\0asm", "MZ\x90\0"],
];
/** Made of letters, but of a program's; some servers send empty lines before them. */
const programs = /^\s*(?:%PDF|%!PS|\{\\rtf)/;
/** With a length before what tells them. */
const containers = /^(?:RIFF.{4}(?:WAVE|WEBP|AVI )|.{4}ftyp[a-z0-9]{3})/s;

const placeBytes = 1024;
const placesMax = 16;
/** Of a place; but a few characters are no evidence. */
const controlsMax = 0.02;
const controlsMin = 3;

/** White space is none, nor are backspace (manuals strike letters twice) and escape (ISO-2022-JP). */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b ? 1 : 0,
);

export function isOtherThanText(body: Uint8Array, contentType = ""): boolean {
  const type = contentType.split(";")[0].trim().toLowerCase();
  if (type !== "" && !/^(?:text\/|application\/(?:xhtml\+xml|xml|octet-stream)$|unknown)/.test(type))
    return true;
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff)) return false;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 64)).toString("latin1");
  if (beginnings.some((one) => start.startsWith(one)) || programs.test(start) || containers.test(start))
    return true;
  const said = /utf-16(?:le|be)?/i.exec(contentType)?.[0].toLowerCase();
  if (utf16Of(body) !== undefined || (said && isUtf16(said, body))) return false;
  return isMostlyControls(body);
}

/** In at least half of its places. Zeros behind the end are those of a disk, not of the page. */
function isMostlyControls(body: Uint8Array): boolean {
  let end = body.length;
  while (end > 0 && body[end - 1] === 0) end--;
  if (end === 0) return body.length > 0;
  const places = Math.min(placesMax, Math.ceil(end / placeBytes));
  const apart = places > 1 ? (end - placeBytes) / (places - 1) : 0;
  let odd = 0;
  for (let i = 0; i < places; i++) {
    const from = Math.floor(i * apart);
    const place = body.subarray(from, Math.min(end, from + placeBytes));
    let controls = 0;
    for (let at = 0; at < place.length; at++) controls += isControl[place[at]];
    if (controls >= controlsMin && controls > place.length * controlsMax) odd++;
  }
  return odd * 2 >= places;
}
