/** Responses: what servers send, what archives make of it, and what is only said to be so. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../limits.js";
import { bodyOf, responseOf } from "./http.js";

function body(headers: string, content: Uint8Array | string) {
  const response = responseOf(
    Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n`), Buffer.from(content as string)]),
  );
  const found = bodyOf(response!);
  return found instanceof Uint8Array ? Buffer.from(found).toString("latin1") : found.problem;
}

const chunked = (content: Uint8Array, sizes: number[]) => {
  const parts: Uint8Array[] = [];
  for (let at = 0, i = 0; at < content.length; i++) {
    const part = content.subarray(at, at + sizes[i % sizes.length]);
    parts.push(
      Buffer.from(`${part.length.toString(16)}${i % 2 === 0 ? "" : ";x=y"}\r\n`),
      part,
      Buffer.from("\r\n"),
    );
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from("0\r\nTrailer: x\r\n\r\n")]);
};

describe("a response", () => {
  it("is read with any line ends, folded lines, and lines that are no field", () => {
    const text = "HTTP/1.0 404 Not Found\nA: 1\nb:2\n  3\nnonsense\n: x\nA: 4\n\nbody";
    expect(responseOf(Buffer.from(text))).toMatchObject({ status: 404, headers: { a: "1, 4", b: "2 3" } });
    expect(Buffer.from(responseOf(Buffer.from(text))!.raw).toString()).toBe("body");
    expect(responseOf(Buffer.from("HTTP/1.1 200"))).toMatchObject({ status: 200, headers: {} });
    expect(responseOf(Buffer.from("20080430204825\nwww.archive.org.\t589"))).toBeUndefined();
    expect(responseOf(Buffer.from("HTTP/1.1 OK\r\n\r\n"))).toBeUndefined();
  });

  it("never fails, whatever bytes it has", () => {
    const said = fc.constantFrom("gzip", "deflate", "br", "zstd", "x", "gzip, br", "");
    fc.assert(
      fc.property(said, fc.boolean(), fc.uint8Array({ maxLength: 200 }), (encoding, isChunked, bytes) => {
        body(`Content-Encoding: ${encoding}\r\n${isChunked ? "Transfer-Encoding: chunked\r\n" : ""}`, bytes);
      }),
      { numRuns: 500 },
    );
  });
});

describe("chunks", () => {
  it("are taken off", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (content, lengths) => {
        const found = body("Transfer-Encoding: chunked\r\n", chunked(content, lengths));
        expect(found).toBe(Buffer.from(content).toString("latin1"));
      }),
    );
  });

  it("that are not there are not missed, and what follows a wrong one is kept", () => {
    const header = "Transfer-Encoding: chunked\r\n";
    expect(body(header, "<html>plain</html>")).toBe("<html>plain</html>");
    expect(body(header, "3\r\nabc\r\nno chunk at all")).toBe("abcno chunk at all");
    expect(body(header, "3\r\nabc\r\nff\r\ncut")).toBe("abccut");
    expect(body(header, "3\r\nabc4\r\ndefg\r\n")).toBe("abcdefg");
  });
});

describe("content encodings", () => {
  const text = "some text that is long enough to be worth it ".repeat(20);
  const encoded: [string, Uint8Array][] = [
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
    ["zstd", zstdOf(text)],
    ["identity", Buffer.from(text)],
  ];

  it("are taken off, also below chunks", () => {
    for (const [name, bytes] of encoded) {
      expect(body(`Content-Encoding: ${name}\r\n`, bytes), name).toBe(text);
      expect(body(`Content-Encoding: ${name}\r\nTransfer-Encoding: chunked\r\n`, chunked(bytes, [50]))).toBe(
        text,
      );
    }
  });

  it("that are only said to be there are not taken off", () => {
    for (const name of ["gzip", "deflate", "br", "zstd", "sdch"])
      expect(body(`Content-Encoding: ${name}\r\n`, "<html>plain</html>"), name).toBe("<html>plain</html>");
  });

  it("of data that end too soon give what there is", () => {
    for (const [name, bytes] of encoded.slice(0, 4)) {
      const found = body(`Content-Encoding: ${name}\r\n`, bytes.subarray(0, bytes.length - 6));
      expect(text.startsWith(found), name).toBe(true);
      expect(found.length, name).toBeGreaterThan(10);
    }
  });

  it("that are cut or wrong are told of, once each", () => {
    const problems = (name: string, content: Uint8Array | string) => {
      const response = responseOf(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${name}\r\n\r\n`),
          Buffer.from(content as string),
        ]),
      );
      const found: string[] = [];
      bodyOf(response!, ({ problem }) => found.push(problem));
      return found;
    };
    for (const [name, bytes] of encoded) expect(problems(name, bytes), name).toEqual([]);
    for (const [name, bytes] of encoded.slice(0, 5))
      expect(problems(name, bytes.subarray(0, bytes.length - 6)), name).toEqual(["cut_encoding"]);
    expect(problems("foo", "<html>plain</html>")).toEqual(["wrong_encoding"]);
    // Crawlers leave the header of an encoding that they took off.
    for (const name of ["gzip", "deflate", "br", "zstd"])
      expect(problems(name, "<html>plain</html>"), name).toEqual([]);
    expect(problems("compress", new Uint8Array([0x1f, 0x9d, 0, 1, 2]))).toEqual([]);
  });

  it("of data that are corrupt, unknown or grow too large give no page", () => {
    const corrupt = Buffer.concat([gzipSync(text).subarray(0, 10), Buffer.alloc(50, 0xff)]);
    expect(body("Content-Encoding: gzip\r\n", corrupt)).toBe("broken_encoding");
    expect(body("Content-Encoding: compress\r\n", new Uint8Array([0x1f, 0x9d, 0, 1, 2]))).toBe(
      "unknown_encoding",
    );
    const bomb = Buffer.alloc(limits.pageBytesMax + 1);
    expect(body("Content-Encoding: gzip\r\n", gzipSync(bomb))).toBe("large_page");
    expect(body("Content-Encoding: br\r\n", brotliCompressSync(bomb, { params: { 1: 1 } }))).toBe(
      "large_page",
    );
    const many = Array.from({ length: 9 }, () => "gzip").join(", ");
    expect(body(`Content-Encoding: ${many}\r\n`, "x")).toBe("broken_encoding");
  });
});

/** A frame of Zstandard whose one block is as it is. */
function zstdOf(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const header = (bytes.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]),
    Buffer.from([header & 0xff, (header >> 8) & 0xff, header >> 16]),
    bytes,
  ]);
}
