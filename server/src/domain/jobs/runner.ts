import type { Job } from "./job.ts";
import type { JobTables } from "./job-tables.ts";
import type { JobHand, JobKind, JobKinds, TaskContext } from "./kind.ts";
import { type ClaimKey, claimJob, finishJob, releaseJob, renewLease, writeStep } from "./store.ts";

export type JobRunner = {
  /** Begins what waits, as far as there is room. */
  readonly look: () => Promise<void>;
  /** Resolves when nothing is under way here. */
  readonly idle: () => Promise<void>;
  /** Gives back what is under way; another process, or the next one, goes on with it. */
  readonly close: () => Promise<void>;
};

export type RunnerOptions<Context> = {
  readonly tables: JobTables;
  readonly kinds: JobKinds<Context>;
  /** How many run at once here. */
  readonly most?: number;
};

const MOST_AT_ONCE = 3;
const LEASE_MILLISECONDS = 30_000;
const RENEW_MILLISECONDS = 10_000;
const PROGRESS_MILLISECONDS = 1_000;
// A job that ended so many processes would end the next one too.
const MOST_CLAIMS = 5;

/** Takes up the jobs of a tables, in any number of processes. */
export function createJobRunner<Context extends TaskContext>(ctx: Context, options: RunnerOptions<Context>): JobRunner {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const { tables, kinds } = options;
  const idle = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    look: async () => {
      while (running.size < (options.most ?? MOST_AT_ONCE) && !closing.signal.aborted) {
        const claimId = ctx.ids.request();
        const job = await claimJob(ctx.sql, tables, claimId, ctx.clock.now(), LEASE_MILLISECONDS);
        if (!job) return;
        const run: Promise<void> = runJob(
          ctx,
          kinds[job.kind],
          job,
          { tables, queue: job.queue, jobId: job.jobId, claimId },
          closing.signal,
        )
          .catch((error: unknown) => ctx.log.warn({ err: error, job: job.jobId }, "a job was broken off; it is taken up again"))
          .finally(() => running.delete(run));
        running.add(run);
      }
    },
    idle,
    close: async () => {
      closing.abort();
      await idle();
    },
  };
}

type Ending = "cancelled" | "lost" | "closing";

async function runJob<Context extends TaskContext>(
  ctx: Context,
  kind: JobKind<Context> | undefined,
  job: Job,
  key: ClaimKey,
  closing: AbortSignal,
): Promise<void> {
  if (!kind) return void (await end(ctx, key, "failed", "This kind of work is not known here."));
  if (job.claims > MOST_CLAIMS) return void (await end(ctx, key, "failed", "It was begun too often and never came to its end."));
  const { hand, ending, stop } = createJobHandle(ctx, job, key, closing);
  try {
    const result = ending() === null ? await kind(ctx, job, hand) : null;
    const why = ending();
    if (why === "lost") return;
    if (why === "closing") return await releaseJob(ctx.sql, key, new Date(ctx.clock.now()));
    if (why === "cancelled") return void (await finishJob(ctx.sql, key, { state: "cancelled", result: null }, new Date(ctx.clock.now())));
    await finishJob(ctx.sql, key, { state: "done", result }, new Date(ctx.clock.now()));
  } catch (error) {
    if (ending() === "lost") return;
    ctx.log.error({ err: error, job: job.jobId, kind: job.kind }, "a job failed");
    await end(ctx, key, "failed", "Something went wrong here. Try again.");
  } finally {
    stop();
  }
}

async function end(ctx: TaskContext, key: ClaimKey, state: "failed", message: string): Promise<void> {
  await finishJob(ctx.sql, key, { state, result: { message } }, new Date(ctx.clock.now()));
}

type JobHandle = { readonly hand: JobHand; readonly ending: () => Ending | null; readonly stop: () => void };

function createJobHandle(ctx: TaskContext, job: Job, key: ClaimKey, closing: AbortSignal): JobHandle {
  let told: Ending | null = job.cancelAsked ? "cancelled" : null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const leaseUntil = () => new Date(ctx.clock.now() + LEASE_MILLISECONDS);
  const heard = (answer: { readonly cancelAsked: boolean } | null) => {
    if (answer === null) told = "lost";
    else if (answer.cancelAsked) told ??= "cancelled";
  };
  const ending = () => told ?? (closing.aborted ? "closing" : null);
  const isDue = () => performance.now() - writtenAt >= PROGRESS_MILLISECONDS;
  const renew = () =>
    renewLease(ctx.sql, key, leaseUntil()).then(heard, (error: unknown) =>
      ctx.log.warn({ err: error, job: key.jobId }, "a job's lease could not be renewed; it is tried again"),
    );
  let isWriting = false;
  const save: JobHand["save"] = async (step) => {
    if (told === "lost") return;
    writtenAt = performance.now();
    isWriting = true;
    try {
      heard(await writeStep(ctx.sql, key, step, leaseUntil()));
    } finally {
      isWriting = false;
    }
    // A long step has used up the lease that it began with.
    if (performance.now() - writtenAt >= RENEW_MILLISECONDS) await renew();
  };
  // While a step is written nobody can take the job, and its lease could only wait for the step's end, on a connection of its own.
  const renewing = setInterval(() => {
    if (!isWriting) void renew();
  }, RENEW_MILLISECONDS);
  return {
    hand: {
      stopped: () => ending() !== null,
      progress: async (done, total) => {
        if (isDue()) await save({ done, total });
      },
      isDue,
      save,
    },
    ending,
    stop: () => clearInterval(renewing),
  };
}
