import { z } from "zod";
import { replaceCallbackSecret } from "../../../domain/accounts/credentials/replace-callback-secret.ts";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { revokeOldSigningSecrets } from "../../../domain/accounts/credentials/revoke-old-signing-secrets.ts";
import { isLeftToClient } from "../../../domain/onboarding/first-secret.ts";
import { ADMINS } from "../access.ts";
import { type Action, action } from "../action.ts";
import { accountParams, noBody } from "../fields.ts";
import { conflict, noSuch } from "../refusal.ts";
import { accountOutput } from "./outputs.ts";
import { changedAccount } from "./views.ts";

const LEFT_TO_CLIENT = conflict(
  "The client creates the first one in the portal, so that nobody else sees it. Invite an owner or a developer of the client.",
);

// Besides a new account's and a new key's, only these replies contain a secret. Each shows a new one once.
const change = { roles: ADMINS, proof: "recent", params: accountParams, body: noBody } as const;

const rotateToken = action({
  ...change,
  path: "POST /accounts/:account_id/token",
  summary: "Replaces an account's primary token. The reply shows the new one, once.",
  output: z.strictObject({ api_token: z.string() }).meta({ id: "NewToken" }),
  handler: async ({ deps, actor, params, body: { reason } }) => {
    if (await isLeftToClient(deps.sql, params.account_id, "api_token")) return LEFT_TO_CLIENT;
    const result = await replaceToken(deps, actor, { accountId: params.account_id, reason });
    return result.kind === "done" ? { api_token: result.apiToken } : noSuch("account");
  },
});

const rotateSigningSecret = action({
  ...change,
  path: "POST /accounts/:account_id/signing-secret",
  summary: "Replaces an account's signing secret. The reply shows the new one, once.",
  output: z.strictObject({ signing_secret: z.string() }).meta({ id: "NewSigningSecret" }),
  handler: async ({ deps, actor, params, body: { reason } }) => {
    if (await isLeftToClient(deps.sql, params.account_id, "signing_secret")) return LEFT_TO_CLIENT;
    const result = await replaceSigningSecret(deps, actor, { accountId: params.account_id, reason });
    return result.kind === "done" ? { signing_secret: result.signingSecret } : noSuch("account");
  },
});

const revokeOldSecrets = action({
  ...change,
  path: "POST /accounts/:account_id/signing-secret/revoke-old",
  summary: "Ends replaced signing secrets at once, before they expire.",
  output: accountOutput,
  handler: async ({ deps, actor, params: { account_id: accountId }, body: { reason } }) =>
    await changedAccount(deps, accountId, await revokeOldSigningSecrets(deps, actor, { accountId, reason })),
});

const rotateCallbackSecret = action({
  ...change,
  path: "POST /accounts/:account_id/callback-secret",
  summary: "Replaces the secret that signs an account's callbacks. The reply shows the new one, once.",
  output: z.strictObject({ callback_secret: z.string() }).meta({ id: "NewCallbackSecret" }),
  handler: async ({ deps, actor, params, body: { reason } }) => {
    if (await isLeftToClient(deps.sql, params.account_id, "callback_secret")) return LEFT_TO_CLIENT;
    const result = await replaceCallbackSecret(deps, actor, { accountId: params.account_id, reason });
    return result.kind === "done" ? { callback_secret: result.callbackSecret } : noSuch("account");
  },
});

/** An account's token and secrets. */
export const credentialActions: readonly Action[] = [rotateToken, rotateSigningSecret, revokeOldSecrets, rotateCallbackSecret];
