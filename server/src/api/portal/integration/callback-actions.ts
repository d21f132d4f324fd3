import { z } from "zod";
import { resendCallback } from "../../../domain/callbacks/actions/resend-callback.ts";
import { attemptFields, callbackFields } from "../../../domain/callbacks/queries/callback-fields.ts";
import type { PreviewContext } from "../../../domain/callbacks/queries/preview-callback.ts";
import {
  type CallbackRow,
  listCallbacks,
  readAttempts,
  readCallback,
  SHOWN_STATES,
} from "../../../domain/callbacks/queries/read-callbacks.ts";
import { findNamedCallbacks } from "../../../domain/orders/queries/find-named-callbacks.ts";
import { isOutdated, OUTDATED, previewUnlessOutdated } from "../../../domain/orders/queries/outdated-callback.ts";
import { conflict, noSuch, Refusal } from "../../sites/actions/refusal.ts";
import { dayField } from "../../sites/days.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { callbackDetailOutput, callbackOutput } from "../../sites/outputs/callback-outputs.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, WORKERS } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, filter, id, moment, time } from "../answers.ts";
import type { RecoverInput } from "../jobs/recover-failed.ts";
import { startedJobOutput, startPortalJob } from "../jobs/start-portal-job.ts";
import { readDayRange } from "../transactions/day-range.ts";

const listQuery = timeListQuery.extend({
  state: filter(z.enum(SHOWN_STATES)),
  kind: filter(z.enum(["status", "complaint"])),
  order_id: filter(id),
  from: filter(dayField),
  to: filter(dayField),
  search: filter(z.string().trim().max(64)).describe("An id of a callback or an order, or the client's reference."),
});

const browseCallbacks = action({
  path: "GET /callbacks",
  summary: "Lists every delivery, newest first.",
  roles: EVERYBODY,
  input: listQuery,
  output: pageOf(callbackOutput),
  handler: async ({ deps, session: { accountId }, input }) => {
    const { limit, after, state = null, kind, order_id: orderId, search = "" } = input;
    const days = readDayRange(input, deps.clock.now());
    if (days instanceof Refusal) return days;
    // Without days there is no bound: after the clock was set back, the newest callbacks may have a time in the future.
    const since = input.from === undefined ? undefined : days.fromMilliseconds;
    const until = input.to === undefined ? undefined : days.toMilliseconds;
    const named = search === "" ? undefined : await findNamedCallbacks(deps.sql, search, accountId);
    const query = { accountId, state, kind, orderId, named, since, until, before: after?.id ?? null, limit: limit + 1 };
    const rows = await listCallbacks(deps.sql, query);
    return toPage(rows, limit, callbackFields, (row) => writeTimeCursor({ at: row.created_at, id: row.callback_id }));
  },
});

const showCallback = action({
  path: "GET /callbacks/:callback_id",
  summary: "Shows a delivery with its attempts and the request as it would be sent now.",
  roles: EVERYBODY,
  input: z.strictObject({ callback_id: id }),
  output: callbackDetailOutput,
  handler: async ({ deps, session: { accountId }, input }) => {
    const callback = await readCallback(deps.sql, input.callback_id, accountId);
    return callback ? await callbackDetail(deps.preview, callback) : noSuch("callback");
  },
});

const resend = action({
  path: "POST /callbacks/:callback_id/resend",
  summary: "Sends the callback now, again if it was delivered.",
  roles: WORKERS,
  input: z.strictObject({ callback_id: id }),
  output: callbackDetailOutput,
  handler: async ({ deps, session, input: { callback_id: callbackId } }) => {
    const { accountId } = session;
    const callback = await readCallback(deps.sql, callbackId, accountId);
    if (callback && (await isOutdated(deps.sql, callback))) return conflict(OUTDATED);
    const result = await resendCallback(deps, actorOf(session), { callbackId, accountId });
    if (result.kind === "conflict") return conflict(result.reason);
    if (result.kind === "not_found") return noSuch("callback");
    await deps.callbacks.makeDue([accountId]);
    const now = await readCallback(deps.sql, callbackId, accountId);
    return now ? await callbackDetail(deps.preview, now) : noSuch("callback");
  },
});

const recover = action({
  path: "POST /callbacks/recover",
  summary: "Starts a job that makes all callbacks undelivered since a time due at once.",
  roles: WORKERS,
  input: z.strictObject({ since: moment }),
  output: startedJobOutput,
  handler: async ({ deps, session, input: { since } }) => {
    const input: RecoverInput = { since: time(new Date(since)), since_milliseconds: since };
    return await startPortalJob(deps, session, { kind: "recover", input, action: "callbacks.recovery_started" });
  },
});

async function callbackDetail(ctx: PreviewContext, callback: CallbackRow): Promise<z.output<typeof callbackDetailOutput>> {
  const [attempts, { request, why }] = await Promise.all([readAttempts(ctx.sql, callback), previewUnlessOutdated(ctx, callback)]);
  return { ...callbackFields(callback), attempt_log: attempts.map(attemptFields), request, request_missing: why };
}

export const callbackActions: readonly PortalAction[] = [browseCallbacks, showCallback, resend, recover];
