/** A server with a certificate, asked by the client library over wss://. */
import { spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../../server/index.js";
import { makeCertificate } from "./certificate.js";
import { makeSmall, temporaryFolder } from "./corpora.js";

const { folder, remove } = temporaryFolder();
const own = makeCertificate(folder, "own");
const other = makeCertificate(folder, "other");
const elsewhere = makeCertificate(folder, "elsewhere", { host: "elsewhere.example" });
const old = makeCertificate(folder, "old", { days: -0.5 });
const servers: RunningServer[] = [];
let server: RunningServer;

async function serve(tls: { certificate: string; key: string }): Promise<RunningServer> {
  const started = await startServer({
    data: folder,
    config: { port: 0, logLevel: "silent", threads: 1, tls },
  });
  servers.push(started);
  return started;
}

beforeAll(async () => {
  await makeSmall(folder, "small", 20);
  server = await serve(own);
});

afterAll(async () => {
  await Promise.all(servers.map((one) => one.close(0)));
  remove();
});

/** A program with the library, in a process that trusts a certificate besides the usual ones. */
function ask(address: string, trusted?: string): Promise<{ code: number | null; said: string }> {
  const library = join(import.meta.dirname, "../../dist/client/index.js");
  const script = `
    import { connect } from ${JSON.stringify(library)};
    const session = await connect(${JSON.stringify(address)}, { signal: AbortSignal.timeout(20_000) });
    const { hits } = await session.corpus("small").count('"rare"');
    const lines = await session.corpus("small").query('"rare"').all();
    console.log(hits.value, lines.length);
    await session.close();`;
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...env, ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (text) => {
      said += text;
    });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}

describe("a server with a certificate", () => {
  it("is asked over wss:// by those who trust it", async () => {
    expect(server.address).toMatch(/^wss:\/\/127\.0\.0\.1:\d+$/);
    expect(new X509Certificate(readFileSync(own.certificate)).checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(await ask(server.address, own.certificate)).toEqual({ code: 0, said: "2 2\n" });
  });

  it("is not believed by those who do not know the certificate, or know another one", async () => {
    for (const trusted of [undefined, other.certificate]) {
      const { code, said } = await ask(server.address, trusted);
      expect(code).toBe(1);
      expect(said).toContain(`cannot connect to ${server.address}`);
    }
  });

  it("is not believed if the certificate is for another host, or too old", async () => {
    for (const tls of [elsewhere, old]) {
      const wrong = await serve(tls);
      const { code, said } = await ask(wrong.address, tls.certificate);
      expect(code).toBe(1);
      expect(said).toContain(`cannot connect to ${wrong.address}`);
    }
  });

  it("does not answer who speaks without one", async () => {
    const plain = server.address.replace("wss:", "ws:");
    const { code, said } = await ask(plain, own.certificate);
    expect(code).toBe(1);
    expect(said).toContain(`cannot connect to ${plain}`);
  });

  it("says over HTTPS that it is well", async () => {
    const ca = readFileSync(own.certificate);
    const text = await new Promise<string>((resolve, reject) => {
      get(`${server.address.replace("wss:", "https:")}/healthz`, { ca }, (response) => {
        let body = "";
        response.on("data", (part) => {
          body += part;
        });
        response.on("end", () => resolve(body));
      }).on("error", reject);
    });
    expect(JSON.parse(text)).toMatchObject({ status: "ok" });
  });

  it("does not start with files that are not there, or are no certificate", async () => {
    const missing = { certificate: join(folder, "none.crt"), key: own.key };
    await expect(serve(missing)).rejects.toThrow(/cannot use the certificate .*none\.crt/);
    const broken = { certificate: join(folder, "broken.crt"), key: own.key };
    writeFileSync(broken.certificate, "not a certificate\n");
    await expect(serve(broken)).rejects.toMatchObject({ code: "bad_config" });
    const mixed = { certificate: own.certificate, key: other.key };
    await expect(serve(mixed)).rejects.toMatchObject({ code: "bad_config" });
  });
});
