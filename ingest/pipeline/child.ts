/** A process that does tasks for a pipeline, one after the other, and ends when its parent does. */
import { statSync } from "node:fs";
import type { Step, StepProgress } from "../stream/report.js";
import type { Answer, Task } from "./executor.js";
import { contentHash } from "./inputs.js";
import { loadSteps } from "./steps.js";

const say = (answer: Answer) => process.send?.(answer);
const loaded = new Map<string, Step<never>>();

process.on("disconnect", () => process.exit());
// The parent decides: it is told of Ctrl-C too.
process.on("SIGINT", () => {});
process.on("message", async ({ step: name, modules, parameters, inputs, output }: Task) => {
  try {
    let step = loaded.get(name);
    if (!step) {
      const entry = (await loadSteps(modules)).get(name);
      if (!entry) throw new Error(`no step "${name}"`);
      loaded.set(name, (step = await entry.load()));
    }
    const onProgress = (progress: StepProgress) => say({ progress });
    const report = await step({ inputs, output }, parameters as never, { onProgress });
    const { size: bytes } = statSync(output);
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    say({ result: { report, output: { bytes, hash: await contentHash(output) }, peakBytes } });
  } catch (error) {
    const { name, code, message, hint, stack } = error as Error & { code?: string; hint?: string };
    if (name === "DugongError") say({ error: { code, message, hint } });
    else say({ error: { message: process.env.DUGONG_DEBUG ? (stack ?? message) : message } });
  }
});
