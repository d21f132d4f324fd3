import { z } from "zod";
import { resendCallback } from "../../../domain/callbacks/actions/resend-callback.ts";
import { createKeys } from "../../../domain/callbacks/delivery/keys.ts";
import { attemptFields, callbackFields } from "../../../domain/callbacks/queries/callback-fields.ts";
import type { PreviewContext } from "../../../domain/callbacks/queries/preview-callback.ts";
import {
  type CallbackRow,
  listCallbacks,
  readAttempts,
  readCallback,
  SHOWN_STATES,
} from "../../../domain/callbacks/queries/read-callbacks.ts";
import { jobFields } from "../../../domain/jobs/job.ts";
import { isOutdated, OUTDATED, previewUnlessOutdated } from "../../../domain/orders/queries/outdated-callback.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { actorOf, filter, id, moment, notFound, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { startPortalJob } from "../jobs/job-routes.ts";
import type { RecoverInput } from "../jobs/recover-failed.ts";
import { EVERYBODY, fault, json, memberRoute, type PortalAnswer, type PortalRoute, WORKERS } from "../route.ts";

const listQuery = timeListQuery.extend({
  state: filter(z.enum(SHOWN_STATES)),
  kind: filter(z.enum(["status", "complaint"])),
  order_id: filter(id),
});

export function callbackRoutes(ctx: PortalContext): readonly PortalRoute[] {
  const preview: PreviewContext = { sql: ctx.sql, clock: ctx.clock, ids: ctx.ids, keys: createKeys(ctx.vault) };
  return [
    memberRoute({
      method: "GET",
      path: "/callbacks",
      does: "Every delivery, newest first.",
      who: EVERYBODY,
      input: listQuery,
      handle: async ({ session: { accountId }, input: { limit, after, state, kind, order_id: orderId } }) => {
        const query = { accountId, state: state ?? null, kind, orderId, before: after?.id ?? null, limit: limit + 1 };
        const rows = await listCallbacks(ctx.sql, query);
        return json(toPage(rows, limit, callbackFields, (row) => writeTimeCursor({ at: row.created_at, id: row.callback_id })));
      },
    }),
    memberRoute({
      method: "GET",
      path: "/callbacks/{callback_id}",
      does: "Shows a delivery with its attempts and the request as it would be sent now.",
      who: EVERYBODY,
      input: z.strictObject({ callback_id: id }),
      handle: async ({ session: { accountId }, input }) => {
        const callback = await readCallback(ctx.sql, input.callback_id, accountId);
        return callback ? await showCallback(preview, callback) : notFound("callback");
      },
    }),
    memberRoute({
      method: "POST",
      path: "/callbacks/{callback_id}/resend",
      does: "Sends the callback now, again if it was delivered.",
      who: WORKERS,
      input: z.strictObject({ callback_id: id }),
      handle: async ({ session, input: { callback_id: callbackId } }) => {
        const { accountId } = session;
        const callback = await readCallback(ctx.sql, callbackId, accountId);
        if (callback && (await isOutdated(ctx.sql, callback))) return fault("conflict", OUTDATED);
        const result = await resendCallback(ctx, actorOf(session), { callbackId, accountId });
        if (result.kind === "conflict") return fault("conflict", result.reason);
        if (result.kind === "not_found") return notFound("callback");
        await ctx.callbacks.makeDue([accountId]);
        const now = await readCallback(ctx.sql, callbackId, accountId);
        return now ? await showCallback(preview, now) : notFound("callback");
      },
    }),
    recoverRoute(ctx),
  ];
}

function recoverRoute(ctx: PortalContext): PortalRoute {
  return memberRoute({
    method: "POST",
    path: "/callbacks/recover",
    does: "Starts a job that makes all callbacks undelivered since a time due at once.",
    who: WORKERS,
    input: z.strictObject({ since: moment }),
    handle: async ({ session, input: { since } }) => {
      const input: RecoverInput = { since: time(new Date(since)), since_milliseconds: since };
      const started = await startPortalJob(ctx, session, { kind: "recover", input, action: "callbacks.recovery_started" });
      return started.kind === "fault" ? started : json({ job: jobFields(started.job, ctx.clock.now()) });
    },
  });
}

async function showCallback(ctx: PreviewContext, callback: CallbackRow): Promise<PortalAnswer> {
  const [attempts, { request, why }] = await Promise.all([readAttempts(ctx.sql, callback), previewUnlessOutdated(ctx, callback)]);
  return json({ ...callbackFields(callback), attempt_log: attempts.map(attemptFields), request, request_missing: why });
}
