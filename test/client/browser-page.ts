/**
 * What a page does with the client library, in a real browser (browser.test.ts bundles it). It tells the server that it
 * came from what came out.
 */
import { connect, type DugongClientError } from "dugong";

type Subprotocol = "dugong.v1.msgpack" | "dugong.v1.json";

export interface Told {
  pages: { from: number; texts: string[]; total?: number }[];
  aborted: string;
  /** Requests of this page that the server still had, when the abort had been heard. */
  left: number;
  error: { code?: string; span?: readonly number[]; hint?: string };
}

/** What is asked over each sub-protocol; or why there is no connection. */
export type Report = Record<Subprotocol, Told | { refused: string }>;

const address = new URL(location.href).searchParams.get("server")!;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(subprotocol: Subprotocol): Promise<Told> {
  const session = await connect(address, { subprotocol, signal: AbortSignal.timeout(10_000) });
  const tales = session.corpus("tales");
  const rows = tales.query('[lemma="go"]');
  const pages: Told["pages"] = [];
  for (const from of [0, 5, 2000]) {
    const page = await rows.page(from, 5);
    pages.push({ from, texts: page.rows.map(({ match }) => match), total: page.total?.value });
  }
  rows.close();
  const abort = new AbortController();
  let aborted = "nothing";
  try {
    for await (const _ of tales.query("[]", { signal: abort.signal, windowRows: 100 })) abort.abort();
  } catch (error) {
    aborted = (error as Error).name;
  }
  let left = 1;
  for (let i = 0; i < 100 && left > 0; i++) {
    left = (await session.running()).length;
    if (left > 0) await pause(10);
  }
  let error: Told["error"] = {};
  try {
    await tales.count('[lema="go"]');
  } catch (wrong) {
    const { code, span, hint } = wrong as DugongClientError;
    error = { code, span, hint };
  }
  await session.close();
  return { pages, aborted, left, error };
}

async function report(): Promise<void> {
  const told: Partial<Report> = {};
  for (const subprotocol of ["dugong.v1.msgpack", "dugong.v1.json"] as const) {
    try {
      told[subprotocol] = await ask(subprotocol);
    } catch (error) {
      told[subprotocol] = { refused: String(error) };
    }
  }
  await fetch("/report", { method: "POST", body: JSON.stringify(told) });
}

void report();
