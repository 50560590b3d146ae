/**
 * A certificate that signs itself, for tests: X.509 written byte by byte, so that no other program is needed.
 *
 *   certificate = SEQUENCE { what is certified, algorithm, signature }
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** One value of ASN.1: tag, length, contents. */
function value(tag: number, ...contents: Uint8Array[]): Buffer {
  const all = Buffer.concat(contents);
  const { length } = all;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), all]);
}

const sequence = (...contents: Uint8Array[]) => value(0x30, ...contents);
const identifier = (hex: string) => value(0x06, Buffer.from(hex, "hex"));
const time = (date: Date) =>
  value(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));

const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
const commonName = identifier("550403");
const subjectAltName = identifier("551d11");
const basicConstraints = identifier("551d13");

/** Writes NAME.crt and NAME.key into a folder: for 127.0.0.1, or for another host. Returns where they are. */
export function makeCertificate(
  folder: string,
  name: string,
  { host, days = 1 }: { host?: string; days?: number } = {},
): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(
    value(0x31, sequence(commonName, value(0x0c, Buffer.from(`Dugong test ${name}`)))),
  );
  const now = Date.now();
  const whose =
    host === undefined ? value(0x87, Buffer.from([127, 0, 0, 1])) : value(0x82, Buffer.from(host));
  const isTrue = value(0x01, Buffer.from([255]));
  const extensions = sequence(
    sequence(basicConstraints, isTrue, value(0x04, sequence(isTrue))),
    sequence(subjectAltName, value(0x04, sequence(whose))),
  );
  const certified = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(time(new Date(now - 86_400_000)), time(new Date(now + days * 86_400_000))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, extensions),
  );
  const signature = sign("sha256", certified, privateKey);
  const whole = sequence(certified, ecdsaWithSha256, value(0x03, Buffer.from([0]), signature));
  const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const lines = whole.toString("base64").match(/.{1,64}/g)!;
  writeFileSync(
    files.certificate,
    `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
  );
  writeFileSync(files.key, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return files;
}
