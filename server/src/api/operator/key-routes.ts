import { timeListQuery, toPage, writeTimeCursor } from "../sites/lists.ts";
import { ADMINS, may } from "./access.ts";
import { answerWithApproval } from "./approvals/require-approval.ts";
import { actor, caller } from "./caller.ts";
import { requestKey } from "./create-key.ts";
import { deleteKey } from "./delete-key.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound } from "./errors.ts";
import { keyParams, newKeyBody, noBody } from "./fields.ts";
import { readOperatorKeys } from "./key-store.ts";
import { keyView } from "./views.ts";
import type { ZodApp } from "./zod-app.ts";

export function keyRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  app.get("/keys", { config: may(ADMINS), schema: { querystring: timeListQuery } }, async (request) => {
    const { limit, after } = request.query;
    const rows = await readOperatorKeys(deps.sql, after ? { createdAt: after.at, keyId: after.id } : null, limit + 1);
    return toPage(rows, limit, keyView, (key) => writeTimeCursor({ at: key.created_at, id: key.key_id }));
  });

  app.post("/keys", { config: may(ADMINS, "fresh"), schema: { body: newKeyBody } }, async (request, reply) => {
    const { keyId, apiKey, held } = await requestKey(deps, caller(request), request.body);
    const shown = { key_id: keyId, api_key: apiKey };
    return held === null ? reply.send(shown) : await answerWithApproval({ deps, request }, reply, held, shown);
  });

  app.post(
    "/keys/:key_id/delete",
    { config: may(ADMINS, "fresh"), schema: { params: keyParams, body: noBody } },
    async (request, reply) => {
      const removed = await deleteKey(deps, actor(request), { keyId: request.params.key_id, reason: request.body.reason });
      return removed ? reply.send(keyView(removed)) : notFound(reply, "key");
    },
  );
}
