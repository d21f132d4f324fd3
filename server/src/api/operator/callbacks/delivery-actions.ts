import { z } from "zod";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { listTargets, MAX_WAITING, TARGET_STATES, type TargetRow } from "../../../domain/callbacks/queries/read-targets.ts";
import { indiaDateTime } from "../../../platform/core/india-time.ts";
import { NO_CURSOR, shortListQuery, toPage } from "../../sites/lists.ts";
import { callbackKind, callbackVersion } from "../../sites/outputs/callback-outputs.ts";
import { pageOf, timeText } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, SUPPORT } from "../access.ts";
import { type Action, action } from "../action.ts";
import { MERGED_ASCENDING } from "../cell-rules.ts";
import { recoveryBody } from "../fields.ts";
import { jobOutput } from "../jobs/outputs.ts";
import { startStaffJob } from "../jobs/start-staff-job.ts";
import { noSuch, wrongFields } from "../refusal.ts";
import { RECOVER } from "./recover-job.ts";

/** One of an account's two callback URLs, for which callbacks are waiting. */
const callbackTargetOutput = z
  .strictObject({
    account_id: z.string(),
    account_name: z.string(),
    kind: callbackKind,
    url: z.string().nullable(),
    version: callbackVersion,
    state: z.enum(TARGET_STATES),
    paused: z.boolean(),
    failures: z.int().describe("Consecutive failures."),
    breaker: z.enum(["closed", "open"]),
    probe_at: timeText.nullable().describe("When an open breaker allows the next attempt."),
    next_at: timeText,
    waiting: z.int(),
    waiting_more: z.boolean().describe("Whether more callbacks are waiting than were counted."),
    oldest_at: timeText,
    last_http_status: z.int().nullable(),
    last_error: z.string().nullable(),
  })
  .meta({ id: "CallbackTarget" });

const targetsQuery = shortListQuery.extend({
  account_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Must be an account's id.")
    .optional(),
  state: z.enum(TARGET_STATES).optional(),
});
const CURSOR = /^([A-Za-z0-9_-]{1,64}) (status|complaint)$/;

const browseTargets = action({
  path: "GET /callbacks/targets",
  summary: "Lists the callback URLs with undelivered callbacks and a problem, by account.",
  roles: EVERYBODY,
  query: targetsQuery,
  output: pageOf(callbackTargetOutput),
  cells: MERGED_ASCENDING,
  handler: async ({ deps, caller: { mode }, query: { limit, after, account_id: accountId = null, state = null } }) => {
    const [, lastId = "", kind = ""] = CURSOR.exec(after ?? "") ?? [];
    if (after !== undefined && kind === "") return wrongFields({ after: NO_CURSOR });
    const last = kind === "" ? null : { accountId: lastId, kind };
    const rows = await listTargets(deps.sql, { accountId, mode, state, after: last, limit: limit + 1 });
    return toPage(rows, limit, targetView, (row) => Buffer.from(`${row.account_id} ${row.kind}`).toString("base64url"));
  },
});

const startRecovery = action({
  path: "POST /callbacks/recovery",
  summary: "Starts a job that sends undelivered callbacks of one or all accounts since a time again.",
  roles: SUPPORT,
  inTestMode: true,
  body: recoveryBody,
  output: jobOutput,
  handler: async ({ deps, caller: { mode }, actor, body: { account_id: accountId = null, since, reason } }) => {
    if (accountId !== null && !(await readAccount(deps.cells?.ofAccount(accountId) ?? deps, accountId))) return noSuch("account");
    const input = {
      account_id: accountId,
      since: indiaDateTime(since),
      since_milliseconds: since,
      ...(mode === null ? {} : { mode }),
      ...(reason === undefined ? {} : { reason }),
    };
    const subject =
      accountId === null ? ({ kind: "installation", id: "callbacks" } as const) : ({ kind: "account", id: accountId } as const);
    return await startStaffJob(deps, actor, { kind: RECOVER, input, action: "callbacks.recovery_started", subject });
  },
});

function targetView(row: TargetRow): z.output<typeof callbackTargetOutput> {
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

/** Callback URLs with undelivered callbacks, and their recovery as a job with progress. */
export const deliveryActions: readonly Action[] = [browseTargets, startRecovery];
