/** Ctrl-C while a job runs that can go on later: says so, and ends with 130. What the job has done stays. */
import type { Progress } from "./progress.js";

export async function resumable<Result>(
  progress: Progress,
  json: boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const stop = () => {
    progress.done();
    process.stderr.write("stopped; run the same command again to resume\n");
    const error = { code: "stopped", message: "stopped", hint: "Run the same command again to resume." };
    if (json) process.stdout.write(`${JSON.stringify({ error })}\n`, () => process.exit(130));
    else process.exit(130);
  };
  process.once("SIGINT", stop);
  try {
    return await run();
  } finally {
    process.off("SIGINT", stop);
    progress.done();
  }
}
