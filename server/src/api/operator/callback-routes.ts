import type { FastifyReply } from "fastify";
import { pauseCallbacks, resumeCallbacks } from "../../domain/accounts/pause-callbacks.ts";
import { readAccount } from "../../domain/accounts/read-account.ts";
import { recoverCallbacks } from "../../domain/callbacks/actions/recover-callbacks.ts";
import { resendCallback } from "../../domain/callbacks/actions/resend-callback.ts";
import { recordTest } from "../../domain/callbacks/actions/send-test.ts";
import { TOO_MANY_TESTS } from "../../domain/callbacks/actions/test-budget.ts";
import { createKeys } from "../../domain/callbacks/delivery/keys.ts";
import { attemptFields, callbackFields } from "../../domain/callbacks/queries/callback-fields.ts";
import { listCallbacks, readAttempts, readCallback } from "../../domain/callbacks/queries/read-callbacks.ts";
import { findByClientReference } from "../../domain/orders/queries/find-by-client-reference.ts";
import { isOutdated, OUTDATED, previewUnlessOutdated } from "../../domain/orders/queries/outdated-callback.ts";
import { timeListQuery, toPage, writeTimeCursor } from "../sites/lists.ts";
import { EVERYBODY, may, OPERATIONS, SUPPORT } from "./access.ts";
import { changedAccount } from "./accounts/views.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound, refuse } from "./errors.ts";
import { accountParams, callbackFilter, callbackParams, noBody, recoverBody } from "./fields.ts";
import { sendResult } from "./register-actions.ts";
import type { ZodApp } from "./zod-app.ts";

const callbacksQuery = timeListQuery.extend(callbackFilter);

export function callbackRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/callbacks", { config: may(EVERYBODY), schema: { querystring: callbacksQuery } }, async (request) => {
    const { limit, after, account_id: accountId = null, state = null, kind, search, since } = request.query;
    const named = search === undefined ? undefined : await namedBy(deps, search, accountId);
    const rows = await listCallbacks(deps.sql, { accountId, state, kind, named, since, before: after?.id ?? null, limit: limit + 1 });
    return toPage(rows, limit, callbackFields, (row) => writeTimeCursor({ at: row.created_at, id: row.callback_id }));
  });

  app.get("/callbacks/:callback_id", { config: may(EVERYBODY), schema: { params: callbackParams } }, async (request, reply) => {
    return await answerCallback(deps, reply, request.params.callback_id);
  });

  app.post(
    "/callbacks/:callback_id/resend",
    { config: may(SUPPORT), schema: { params: callbackParams, body: noBody } },
    async (request, reply) => {
      const callbackId = request.params.callback_id;
      const callback = await readCallback(deps.sql, callbackId);
      if (callback && (await isOutdated(deps.sql, callback))) return refuse(reply, "conflict", OUTDATED);
      const result = await resendCallback(deps, actor(request), { callbackId, reason: request.body.reason });
      if (result.kind === "not_found") return notFound(reply, "callback");
      if (result.kind === "conflict") return refuse(reply, "conflict", result.reason);
      await deps.callbacks?.makeDue([result.accountId]);
      return await answerCallback(deps, reply, callbackId);
    },
  );

  app.post("/callbacks/recover", { config: may(SUPPORT), schema: { body: recoverBody } }, async (request, reply) => {
    const { account_id: accountId, since, reason } = request.body;
    const recovered = await recoverCallbacks({ ...deps, log: deps.orders.log }, actor(request), { accountId, since, reason });
    if (recovered === null) return notFound(reply, "account");
    await deps.callbacks?.makeDue([accountId]);
    return reply.send({ recovered });
  });

  accountCallbackRoutes(app, deps);
}

function accountCallbackRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const schema = { params: accountParams, body: noBody };

  app.post("/accounts/:account_id/callbacks/pause", { config: may(OPERATIONS), schema }, async (request, reply) => {
    const accountId = request.params.account_id;
    const result = await pauseCallbacks(deps, actor(request), { accountId, reason: request.body.reason });
    return sendResult(reply, await changedAccount(deps, accountId, result));
  });

  app.post("/accounts/:account_id/callbacks/resume", { config: may(OPERATIONS), schema }, async (request, reply) => {
    const accountId = request.params.account_id;
    const result = await resumeCallbacks(deps, actor(request), { accountId, reason: request.body.reason });
    await deps.callbacks?.makeDue([accountId]);
    return sendResult(reply, await changedAccount(deps, accountId, result));
  });

  app.post("/accounts/:account_id/test-complaint", { config: may(SUPPORT), schema }, async (request, reply) => {
    const accountId = request.params.account_id;
    if (!(await readAccount(deps, accountId))) return notFound(reply, "account");
    if (!deps.callbacks)
      return refuse(reply, "conflict", "This process does not deliver callbacks. Send the request to a process that does.");
    const result = await deps.callbacks.sendTest(accountId);
    if (result === null) return refuse(reply, "conflict", "The account has no complaint callback URL.");
    if ("kind" in result) return refuse(reply.header("retry-after", String(result.retryAfterSeconds)), "too_many_requests", TOO_MANY_TESTS);
    await recordTest(deps, actor(request), accountId, result, { reason: request.body.reason });
    return reply.send({ delivered: result.delivered, http_status: result.httpStatus, error: result.error });
  });
}

async function namedBy(deps: OperatorApiDependencies, search: string, accountId: string | null) {
  return { callbackId: search, orderIds: [search, ...(await findByClientReference(deps.sql, search, accountId))] };
}

async function answerCallback(deps: OperatorApiDependencies, reply: FastifyReply, callbackId: string): Promise<FastifyReply> {
  const callback = await readCallback(deps.sql, callbackId);
  if (!callback) return notFound(reply, "callback");
  const preview = { sql: deps.sql, clock: deps.clock, ids: deps.ids, keys: createKeys(deps.vault) };
  const [attempts, { request, why }] = await Promise.all([readAttempts(deps.sql, callback), previewUnlessOutdated(preview, callback)]);
  return reply.send({ ...callbackFields(callback), attempt_log: attempts.map(attemptFields), request, request_missing: why });
}
