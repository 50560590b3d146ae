/** What is no text, and what is, however odd its bytes. */
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isOtherThanText } from "./binary.js";

const latin = (text: string) => Buffer.from(text, "latin1");
/** The same noise at every run. */
function noise(length: number): Buffer {
  let state = 12345;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return state >>> 24;
    }),
  );
}
const markup = latin(`<!DOCTYPE html><html><body>${"<p>Some text of a page, and more.</p>\n".repeat(200)}`);

describe("a page that is no text", () => {
  it("is known by how its bytes begin, whatever its server says", () => {
    for (const start of [
      "\xff\xd8\xff\xe0\0\x10JFIF",
      "\x89PNG\r\n\x1a\n",
      "GIF89a",
      "PK\x03\x04",
      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
      "RIFF\x24\0\0\0WAVE",
      "\0\0\0\x18ftypmp42",
      "\x7fELF",
      "%PDF-1.4",
      "\r\n%PDF-1.4",
      "%!PS-Adobe-3.0",
      "{\\rtf1",
    ]) {
      // Bytes without any control behind it: it is the beginning that tells.
      const body = latin(start + "letters ".repeat(100));
      for (const type of ["text/html", "text/plain", "application/octet-stream", undefined])
        expect(isOtherThanText(body, type), start).toBe(true);
    }
    expect(isOtherThanText(gzipSync(markup), "text/html")).toBe(true);
  });

  it("is known by its control characters, wherever they are", () => {
    expect(isOtherThanText(noise(60_000), "text/html")).toBe(true);
    expect(isOtherThanText(noise(500), "text/plain")).toBe(true);
    expect(isOtherThanText(deflateRawSync(noise(3000)))).toBe(true);
    expect(isOtherThanText(Buffer.concat([markup.subarray(0, 1500), noise(20_000)]))).toBe(true);
    expect(isOtherThanText(Buffer.alloc(500))).toBe(true);
    // Sound has a zero in every other byte, as UTF-16 has.
    const sound = Buffer.from([...noise(4000)].flatMap((byte) => [byte, 0]));
    expect(isOtherThanText(sound)).toBe(true);
  });
});

describe("a page that is text", () => {
  it("may be in any charset", () => {
    const high = Buffer.from(Array.from({ length: 4000 }, (_, i) => 0x80 + (i % 128)));
    expect(isOtherThanText(high, "text/html")).toBe(false);
    for (const text of ["<p>naïve</p>", "日本語のテスト。<p>".repeat(50), "<html><p>Все люди"]) {
      const utf16 = Buffer.from(text, "utf16le");
      expect(isOtherThanText(utf16)).toBe(false);
      expect(isOtherThanText(Buffer.from(utf16).swap16(), "text/html; charset=utf-8")).toBe(false);
      expect(isOtherThanText(Buffer.from(`\ufeff${text}`, "utf16le"))).toBe(false);
    }
    expect(
      isOtherThanText(
        Buffer.from("人人生而自由在尊严和权利上一律平等".repeat(90), "utf16le"),
        "text/plain; charset=utf-16",
      ),
    ).toBe(false);
    expect(isOtherThanText(latin("\x1b$BF|K\\8l\x1b(B ".repeat(100)))).toBe(false);
  });

  it("may have rubbish in places, zeros behind it, and letters struck twice", () => {
    const stray = Buffer.from(markup);
    for (let i = 30; i < stray.length; i += 400) stray[i] = i % 8;
    expect(isOtherThanText(stray, "text/html")).toBe(false);
    const place = Buffer.from(markup);
    noise(500).copy(place, 100);
    expect(isOtherThanText(place)).toBe(false);
    expect(isOtherThanText(Buffer.concat([markup, Buffer.alloc(50_000)]))).toBe(false);
    expect(isOtherThanText(latin("N\bNA\bAM\bME\bE\n"), "text/plain")).toBe(false);
    expect(isOtherThanText(latin("a\x01b"))).toBe(false);
    expect(isOtherThanText(latin(""))).toBe(false);
  });
});
