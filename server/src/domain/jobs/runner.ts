import { databaseTrouble } from "../../platform/db/database-errors.ts";
import type { Job, JobOwner } from "./job.ts";
import type { JobContext, JobControl, JobKind, JobKinds } from "./kind.ts";
import { type ClaimKey, claimJob, finishJob, releaseJob, renewLease, writeStep } from "./store.ts";

export type JobRunner = {
  /** Starts waiting jobs as far as there are free slots. */
  readonly look: () => Promise<void>;
  /** Resolves when no job is running in this process. */
  readonly idle: () => Promise<void>;
  /** Releases running jobs; another process, or the next one, continues them. */
  readonly close: () => Promise<void>;
};

export type RunnerOptions<Context> = {
  readonly owner: JobOwner;
  readonly kinds: JobKinds<Context>;
  /** The number of jobs that run at once in this process. */
  readonly most?: number;
};

const MAX_AT_ONCE = 3;
const LEASE_MILLISECONDS = 30_000;
const RENEW_MILLISECONDS = 10_000;
const PROGRESS_MILLISECONDS = 1_000;
// A job that has ended this many processes would end the next one too.
const MAX_CLAIMS = 5;
const INTERNAL = "An internal error occurred. Try again.";
// If it is the database that holds the jobs, this cannot be written either, and the job is continued later.
const NO_ANSWER = "A database did not answer, or an account was being moved to another cell. Start the job again later.";

/** Runs the jobs of an owner, in any number of processes. */
export function createJobRunner<Context extends JobContext>(ctx: Context, options: RunnerOptions<Context>): JobRunner {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const { owner, kinds } = options;
  const idle = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    look: async () => {
      while (running.size < (options.most ?? MAX_AT_ONCE) && !closing.signal.aborted) {
        const claimId = ctx.ids.request();
        const job = await claimJob(ctx.sql, owner, claimId, ctx.clock.now(), LEASE_MILLISECONDS);
        if (!job) return;
        const run: Promise<void> = runJob(ctx, kinds[job.kind], job, { owner, queue: job.queue, jobId: job.jobId, claimId }, closing.signal)
          .catch((error: unknown) => ctx.log.warn({ err: error, job: job.jobId }, "job interrupted; it will be resumed"))
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

type StopReason = "cancelled" | "lost" | "closing";

async function runJob<Context extends JobContext>(
  ctx: Context,
  kind: JobKind<Context> | undefined,
  job: Job,
  key: ClaimKey,
  closing: AbortSignal,
): Promise<void> {
  if (!kind) return void (await end(ctx, key, "failed", "This kind of job is not known in this version."));
  if (job.claims > MAX_CLAIMS) return void (await end(ctx, key, "failed", "The job was started too often without finishing."));
  const { control, stopReason, stop } = createJobHandle(ctx, job, key, closing);
  try {
    const result = stopReason() === null ? await kind(ctx, job, control) : null;
    const why = stopReason();
    if (why === "lost") return;
    if (why === "closing") return await releaseJob(ctx.sql, key, new Date(ctx.clock.now()));
    if (why === "cancelled") return void (await finishJob(ctx.sql, key, { state: "cancelled", result: null }, new Date(ctx.clock.now())));
    await finishJob(ctx.sql, key, { state: "done", result }, new Date(ctx.clock.now()));
  } catch (error) {
    if (stopReason() === "lost") return;
    ctx.log.error({ err: error, job: job.jobId, kind: job.kind }, "job failed");
    await end(ctx, key, "failed", databaseTrouble(error) === null ? INTERNAL : NO_ANSWER);
  } finally {
    stop();
  }
}

async function end(ctx: JobContext, key: ClaimKey, state: "failed", message: string): Promise<void> {
  await finishJob(ctx.sql, key, { state, result: { message } }, new Date(ctx.clock.now()));
}

type JobHandle = { readonly control: JobControl; readonly stopReason: () => StopReason | null; readonly stop: () => void };

function createJobHandle(ctx: JobContext, job: Job, key: ClaimKey, closing: AbortSignal): JobHandle {
  let reported: StopReason | null = job.cancelAsked ? "cancelled" : null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  const leaseUntil = () => new Date(ctx.clock.now() + LEASE_MILLISECONDS);
  const heard = (answer: { readonly cancelAsked: boolean } | null) => {
    if (answer === null) reported = "lost";
    else if (answer.cancelAsked) reported ??= "cancelled";
  };
  const stopReason = () => reported ?? (closing.aborted ? "closing" : null);
  const isDue = () => performance.now() - writtenAt >= PROGRESS_MILLISECONDS;
  const renew = () =>
    renewLease(ctx.sql, key, leaseUntil()).then(heard, (error: unknown) =>
      ctx.log.warn({ err: error, job: key.jobId }, "renewing a job's lease failed; will retry"),
    );
  let isWriting = false;
  const save: JobControl["save"] = async (step) => {
    if (reported === "lost") return;
    writtenAt = performance.now();
    isWriting = true;
    try {
      heard(await writeStep(ctx.sql, key, step, leaseUntil()));
    } finally {
      isWriting = false;
    }
    // A long step has used up the lease that it started with.
    if (performance.now() - writtenAt >= RENEW_MILLISECONDS) await renew();
  };
  // While a step is being written nobody can claim the job, and a renewal would only wait on another connection.
  const renewing = setInterval(() => {
    if (!isWriting) void renew();
  }, RENEW_MILLISECONDS);
  return {
    control: {
      stopped: () => stopReason() !== null,
      progress: async (done, total) => {
        if (isDue()) await save({ done, total });
      },
      isDue,
      save,
    },
    stopReason,
    stop: () => clearInterval(renewing),
  };
}
