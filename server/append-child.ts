/** A process of its own that appends to a corpus: what it needs of memory and cores is not the server's. */
import { type AppendOptions, appendToCorpus, DugongError, describeCorpus } from "../storage/index.js";

export type AppendAsked = Omit<AppendOptions, "onProgress">;

export type AppendSaid =
  /** In thousandths. */
  | { kind: "progress"; done: number; of: 1000 }
  | { kind: "done"; value: object }
  | { kind: "failed"; code?: string; message: string; hint?: string; stack?: string };

function say(said: AppendSaid): Promise<void> {
  return new Promise((resolve) => process.send?.(said, () => resolve()));
}

process.once("message", async (asked: AppendAsked) => {
  let told = 0;
  try {
    const { manifest, addedTokens, seconds, unchanged, resumed, warnings } = await appendToCorpus({
      ...asked,
      onProgress: ({ fraction = 0 }) => {
        const done = Math.round(fraction * 1000);
        if (done === told) return;
        told = done;
        void say({ kind: "progress", done, of: 1000 });
      },
    });
    const { name, snapshot, tokens, documents } = describeCorpus(manifest);
    const value = {
      corpus: name,
      snapshot,
      tokens,
      documents,
      addedTokens,
      seconds,
      unchanged,
      resumed,
      warnings,
    };
    await say({ kind: "done", value });
  } catch (error) {
    const { message, stack } = error as Error;
    const own = error instanceof DugongError ? { code: error.code, hint: error.hint } : { stack };
    await say({ kind: "failed", message, ...own });
  }
  process.disconnect();
});
// Whoever asked is gone: what was published stays, what was not is taken up the next time.
process.once("disconnect", () => process.exit());
