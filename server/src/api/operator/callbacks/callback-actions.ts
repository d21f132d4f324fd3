import { z } from "zod";
import { pauseCallbacks, resumeCallbacks } from "../../../domain/accounts/pause-callbacks.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { recoverCallbacks } from "../../../domain/callbacks/actions/recover-callbacks.ts";
import { resendCallback } from "../../../domain/callbacks/actions/resend-callback.ts";
import { recordTest } from "../../../domain/callbacks/actions/send-test.ts";
import { TOO_MANY_TESTS } from "../../../domain/callbacks/actions/test-budget.ts";
import { createKeys } from "../../../domain/callbacks/delivery/keys.ts";
import { attemptFields, callbackFields } from "../../../domain/callbacks/queries/callback-fields.ts";
import { listCallbacks, readAttempts, readCallback } from "../../../domain/callbacks/queries/read-callbacks.ts";
import { findNamedCallbacks } from "../../../domain/orders/queries/find-named-callbacks.ts";
import { isOutdated, OUTDATED, previewUnlessOutdated } from "../../../domain/orders/queries/outdated-callback.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../../sites/lists.ts";
import { callbackDetailOutput, callbackOutput } from "../../sites/outputs/callback-outputs.ts";
import { pageOf } from "../../sites/outputs/output-fields.ts";
import { EVERYBODY, OPERATIONS, SUPPORT } from "../access.ts";
import { accountOutput } from "../accounts/outputs.ts";
import { changedAccount } from "../accounts/views.ts";
import { type Action, action } from "../action.ts";
import { MERGED_LIST } from "../cell-rules.ts";
import type { OperatorApiDependencies } from "../dependencies.ts";
import { accountParams, callbackFilter, callbackParams, noBody, recoverBody } from "../fields.ts";
import { conflict, noSuch, Refusal } from "../refusal.ts";

const browseCallbacks = action({
  path: "GET /callbacks",
  summary: "Lists the callbacks of all accounts, newest first.",
  roles: EVERYBODY,
  query: timeListQuery.extend(callbackFilter),
  output: pageOf(callbackOutput),
  cells: MERGED_LIST,
  handler: async ({ deps, caller: { mode }, query: { limit, after, account_id: accountId = null, state = null, kind, search, since } }) => {
    const named = search === undefined ? undefined : await findNamedCallbacks(deps.sql, search, accountId);
    const rows = await listCallbacks(deps.sql, { accountId, mode, state, kind, named, since, before: after?.id ?? null, limit: limit + 1 });
    return toPage(rows, limit, callbackFields, (row) => writeTimeCursor({ at: row.created_at, id: row.callback_id }));
  },
});

const showCallback = action({
  path: "GET /callbacks/:callback_id",
  summary: "Shows a callback with its attempts and its request.",
  roles: EVERYBODY,
  params: callbackParams,
  output: callbackDetailOutput,
  handler: async ({ deps, params }) => await callbackOrRefusal(deps, params.callback_id),
});

const resend = action({
  path: "POST /callbacks/:callback_id/resend",
  summary: "Sends a callback again, now.",
  roles: SUPPORT,
  params: callbackParams,
  body: noBody,
  output: callbackDetailOutput,
  handler: async ({ deps, actor, params: { callback_id: callbackId }, body: { reason } }) => {
    const callback = await readCallback(deps.sql, callbackId);
    if (callback && (await isOutdated(deps.sql, callback))) return conflict(OUTDATED);
    const result = await resendCallback(deps, actor, { callbackId, reason });
    if (result.kind === "not_found") return noSuch("callback");
    if (result.kind === "conflict") return conflict(result.reason);
    await deps.callbacks?.makeDue([result.accountId]);
    return await callbackOrRefusal(deps, callbackId);
  },
});

const recover = action({
  path: "POST /callbacks/recover",
  summary: "Sends an account's callbacks that were not delivered since a time again, now.",
  roles: SUPPORT,
  body: recoverBody,
  output: z.strictObject({ recovered: z.int() }).meta({ id: "RecoveredCallbacks" }),
  cells: "account of body",
  handler: async ({ deps, actor, body: { account_id: accountId, since, reason } }) => {
    const recovered = await recoverCallbacks({ ...deps, log: deps.orders.log }, actor, { accountId, since, reason });
    if (recovered === null) return noSuch("account");
    await deps.callbacks?.makeDue([accountId]);
    return { recovered };
  },
});

const ofAccount = { params: accountParams, body: noBody } as const;

const pause = action({
  ...ofAccount,
  path: "POST /accounts/:account_id/callbacks/pause",
  summary: "Stops sending an account's callbacks. They wait until they are resumed.",
  roles: OPERATIONS,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason } }) =>
    await changedAccount(deps, accountId, await pauseCallbacks(deps, actor, { accountId, reason })),
});

const resume = action({
  ...ofAccount,
  path: "POST /accounts/:account_id/callbacks/resume",
  summary: "Sends an account's callbacks again after a pause.",
  roles: OPERATIONS,
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason } }) => {
    const result = await resumeCallbacks(deps, actor, { accountId, reason });
    await deps.callbacks?.makeDue([accountId]);
    return await changedAccount(deps, accountId, result);
  },
});

const testComplaint = action({
  ...ofAccount,
  path: "POST /accounts/:account_id/test-complaint",
  summary: "Sends a test complaint to an account's complaint callback URL, once.",
  roles: SUPPORT,
  output: z
    .strictObject({ delivered: z.boolean(), http_status: z.int().nullable(), error: z.string().nullable() })
    .meta({ id: "TestDelivery" }),
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason } }) => {
    if (!(await readAccount(deps, accountId))) return noSuch("account");
    if (!deps.callbacks) return conflict("This process does not deliver callbacks. Send the request to a process that does.");
    const result = await deps.callbacks.sendTest(accountId);
    if (result === null) return conflict("The account has no complaint callback URL.");
    if ("kind" in result) return new Refusal("too_many_requests", TOO_MANY_TESTS, { retryAfterSeconds: result.retryAfterSeconds });
    await recordTest(deps, actor, accountId, result, { reason });
    return { delivered: result.delivered, http_status: result.httpStatus, error: result.error };
  },
});

async function callbackOrRefusal(
  deps: OperatorApiDependencies,
  callbackId: string,
): Promise<z.output<typeof callbackDetailOutput> | Refusal> {
  const callback = await readCallback(deps.sql, callbackId);
  if (!callback) return noSuch("callback");
  const preview = { sql: deps.sql, clock: deps.clock, ids: deps.ids, keys: createKeys(deps.vault) };
  const [attempts, { request, why }] = await Promise.all([readAttempts(deps.sql, callback), previewUnlessOutdated(preview, callback)]);
  return { ...callbackFields(callback), attempt_log: attempts.map(attemptFields), request, request_missing: why };
}

/** Callbacks and their delivery. */
export const callbackActions: readonly Action[] = [browseCallbacks, showCallback, resend, recover, pause, resume, testComplaint];
