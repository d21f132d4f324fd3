import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { listTargets, MAX_WAITING, TARGET_STATES, type TargetRow } from "../../../domain/callbacks/queries/read-targets.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { NO_CURSOR, shortListQuery, toPage } from "../../sites/lists.ts";
import { EVERYBODY, may, SUPPORT } from "../access.ts";
import { actor } from "../caller.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { notFound, refuseFields } from "../errors.ts";
import { recoveryBody } from "../fields.ts";
import { startStaffJob } from "../jobs/start-staff-job.ts";
import { sendResult } from "../register-actions.ts";
import type { ZodApp } from "../zod-app.ts";
import { RECOVER } from "./recover-job.ts";

const targetsQuery = shortListQuery.extend({
  account_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be an account's id.")
    .optional(),
  state: z.enum(TARGET_STATES).optional(),
});
const CURSOR = /^([A-Za-z0-9_-]{1,64}) (status|complaint)$/;

/** Callback receivers with undelivered callbacks. */
export function targetRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/callbacks/targets", { config: may(EVERYBODY), schema: { querystring: targetsQuery } }, async (request, reply) => {
    const { limit, after, account_id: accountId = null, state = null } = request.query;
    const [, lastId = "", kind = ""] = CURSOR.exec(after ?? "") ?? [];
    if (after !== undefined && kind === "") return refuseFields(reply, { after: NO_CURSOR });
    const rows = await listTargets(deps.sql, {
      accountId,
      state,
      after: kind === "" ? null : { accountId: lastId, kind },
      limit: limit + 1,
    });
    return reply.send(toPage(rows, limit, targetView, (row) => Buffer.from(`${row.account_id} ${row.kind}`).toString("base64url")));
  });
}

/** Like POST /callbacks/recover, but as a job with progress. */
export function recoveryRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.post("/callbacks/recovery", { config: may(SUPPORT), schema: { body: recoveryBody } }, async (request, reply) => {
    const { account_id: accountId = null, since, reason } = request.body;
    if (accountId !== null && !(await readAccount(deps, accountId))) return notFound(reply, "account");
    const input = {
      account_id: accountId,
      since: indiaDateTime(since),
      since_milliseconds: since,
      ...(reason === undefined ? {} : { reason }),
    };
    const subject =
      accountId === null ? ({ kind: "installation", id: "callbacks" } as const) : ({ kind: "account", id: accountId } as const);
    return sendResult(
      reply,
      await startStaffJob(deps, actor(request), { kind: RECOVER, input, action: "callbacks.recovery_started", subject }),
    );
  });
}

function targetView(row: TargetRow) {
  return {
    account_id: row.account_id,
    account_name: row.name,
    kind: row.kind,
    url: row.url,
    version: row.version,
    state: row.state,
    paused: row.paused,
    failures: row.failures,
    breaker: row.probe_at === null ? "closed" : "open",
    probe_at: row.probe_at && time(row.probe_at),
    next_at: time(row.next_at),
    waiting: row.waiting,
    waiting_more: row.waiting >= MAX_WAITING,
    oldest_at: time(row.oldest_at),
    last_http_status: row.last_http_status,
    last_error: row.last_error,
  };
}

function time(at: Date): string {
  return indiaDateTime(at.getTime());
}
