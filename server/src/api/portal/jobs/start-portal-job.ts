import { z } from "zod";
import { jobFields } from "../../../domain/jobs/job.ts";
import { MOST_OPEN, putJob, TooManyJobs } from "../../../domain/jobs/start-job.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import type { Transaction } from "../../../platform/db/connection.ts";
import { conflict, type Refusal } from "../../sites/actions/refusal.ts";
import { jobProgressOutput } from "../../sites/outputs/job-output.ts";
import { actorOf } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import type { Session } from "../session.ts";

/** A background job of the account. */
export const jobOutput = jobProgressOutput.meta({ id: "Job" });

/** The job that an action started. */
export const startedJobOutput = z.strictObject({ job: jobOutput }).meta({ id: "StartedJob" });

export type NewJob = {
  readonly kind: string;
  readonly input: JsonObject;
  readonly action: string;
  /** A change that is made together with the job, or why there is no job. */
  readonly first?: (tx: Transaction) => Promise<Refusal | null>;
};

/** Creates a job that a background runner picks up. It is audited like any other change. */
export async function startPortalJob(
  ctx: Pick<PortalContext, "sql" | "clock" | "ids">,
  session: Session,
  { kind, input, action, first }: NewJob,
): Promise<z.output<typeof startedJobOutput> | Refusal> {
  const { accountId, userId } = session;
  const audit = { actor: actorOf(session), action, subject: { kind: "account", id: accountId } } as const;
  try {
    return await ctx.sql.begin(async (tx) => {
      const refusal = (await first?.(tx)) ?? null;
      if (refusal !== null) return refusal;
      const job = await putJob(ctx, tx, { owner: "client", queue: accountId, askedBy: userId, kind, input, audit });
      return { job: jobFields(job, ctx.clock.now()) };
    });
  } catch (error) {
    if (!(error instanceof TooManyJobs)) throw error;
    return conflict(`The account has ${MOST_OPEN} jobs that are not finished. Wait for one of them, or cancel it.`);
  }
}
