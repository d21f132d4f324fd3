import type { Job } from "../jobs/job.ts";
import { putJob, TooManyJobs } from "../jobs/start-job.ts";
import { checkMapping, type Faults, type Mapping } from "./file/mapping.ts";
import type { ReconciliationContext } from "./reconciliation.ts";
import { lockReconciliation, storeMapping } from "./store.ts";

export const RUN_KIND = "reconcile";

export type Started =
  | { readonly kind: "done"; readonly job: Job }
  | { readonly kind: "not_found" | "too_many" }
  | { readonly kind: "conflict"; readonly reason: string }
  | { readonly kind: "invalid"; readonly fields: Faults };

/** Starts a run with this mapping, or another one as long as no difference of the last run was resolved. */
export async function startRun(ctx: ReconciliationContext, actor: string, reconciliationId: string, mapping: Mapping): Promise<Started> {
  const start = ctx.sql.begin(async (tx): Promise<Started> => {
    const reconciliation = await lockReconciliation(tx, reconciliationId);
    if (!reconciliation) return { kind: "not_found" };
    if (reconciliation.state === "running") return { kind: "conflict", reason: "A run is already in progress." };
    const [touched] = await tx`
      select 1 from reconciliation_items where reconciliation_id = ${reconciliationId} and resolved_at is not null limit 1`;
    if (touched) return { kind: "conflict", reason: "Some of its differences are resolved. Upload the file again for a new run." };
    const fields = checkMapping(mapping, reconciliation.shape);
    if (fields) return { kind: "invalid", fields };
    await storeMapping(tx, reconciliation.provider, mapping, actor, new Date(ctx.clock.now()));
    const subject = { kind: "reconciliation", id: reconciliationId } as const;
    const job = await putJob(ctx, tx, {
      ...{ owner: "staff", queue: RUN_KIND, askedBy: actor, kind: RUN_KIND },
      input: { reconciliation_id: reconciliationId, provider: reconciliation.provider, day: reconciliation.day, file: reconciliation.name },
      audit: { actor, action: "reconciliation.started", subject },
    });
    await tx`
      update reconciliations set job_id = ${job.jobId}, mapping = ${JSON.stringify(mapping)}::text::jsonb, counts = null, finished_at = null,
        open = 0
      where reconciliation_id = ${reconciliationId}`;
    return { kind: "done", job };
  });
  return await start.catch((error: unknown): Started => {
    if (error instanceof TooManyJobs) return { kind: "too_many" };
    throw error;
  });
}
