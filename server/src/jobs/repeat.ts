import type { Log } from "../observe/log.ts";

export type Repeated = { readonly name: string; readonly everyMilliseconds: number; readonly run: () => Promise<unknown> };

/** Runs a job again and again, never twice at once. Answers how to end it, which waits for a run under way. */
export function repeat(job: Repeated, log: Log): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= job
      .run()
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, "a job failed; it runs again"))
      .finally(() => {
        running = null;
      });
  }, job.everyMilliseconds);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
