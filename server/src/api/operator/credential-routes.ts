import { replaceCallbackSecret } from "../../domain/accounts/credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../../domain/accounts/credentials/replace-token.ts";
import { revokeOldSigningSecrets } from "../../domain/accounts/credentials/revoke-old-signing-secrets.ts";
import { ADMINS, may } from "./access.ts";
import { answerChange } from "./account-routes.ts";
import { actor } from "./caller.ts";
import type { OperatorApiDependencies } from "./dependencies.ts";
import { notFound } from "./errors.ts";
import { accountParams, noBody } from "./fields.ts";
import type { ZodApp } from "./zod-app.ts";

// Only these replies contain a secret. Each shows a new one once.
export function credentialRoutes(app: ZodApp, deps: OperatorApiDependencies): void {
  const schema = { params: accountParams, body: noBody };

  app.post("/accounts/:account_id/token", { config: may(ADMINS, "fresh"), schema }, async (request, reply) => {
    const result = await replaceToken(deps, actor(request), { accountId: request.params.account_id, reason: request.body.reason });
    return result.kind === "done" ? reply.send({ api_token: result.apiToken }) : notFound(reply, "account");
  });

  app.post("/accounts/:account_id/signing-secret", { config: may(ADMINS, "fresh"), schema }, async (request, reply) => {
    const result = await replaceSigningSecret(deps, actor(request), { accountId: request.params.account_id, reason: request.body.reason });
    return result.kind === "done" ? reply.send({ signing_secret: result.signingSecret }) : notFound(reply, "account");
  });

  app.post("/accounts/:account_id/signing-secret/revoke-old", { config: may(ADMINS, "fresh"), schema }, async (request, reply) => {
    const accountId = request.params.account_id;
    const result = await revokeOldSigningSecrets(deps, actor(request), { accountId, reason: request.body.reason });
    return await answerChange(deps, reply, accountId, result);
  });

  app.post("/accounts/:account_id/callback-secret", { config: may(ADMINS, "fresh"), schema }, async (request, reply) => {
    const result = await replaceCallbackSecret(deps, actor(request), { accountId: request.params.account_id, reason: request.body.reason });
    return result.kind === "done" ? reply.send({ callback_secret: result.callbackSecret }) : notFound(reply, "account");
  });
}
