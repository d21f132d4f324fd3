import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readCallbackSecretTime, signingRequiredBy } from "../../../domain/accounts/credentials/read-secrets.ts";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { revokeOldSigningSecrets } from "../../../domain/accounts/credentials/revoke-old-signing-secrets.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { countSigned, readUsage } from "../../../domain/api-log/read-usage.ts";
import { conflict, noSuch, type Refusal } from "../../sites/actions/refusal.ts";
import { tokenViews } from "../../sites/outputs/token-view.ts";
import { BUILDERS, EVERYBODY } from "../access.ts";
import { action, type PortalAction } from "../action.ts";
import { actorOf, changeRefusal, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import type { Session } from "../session.ts";
import { credentialsOutput, newSigningSecretOutput, newTokenOutput } from "./outputs.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

const showCredentials = action({
  path: "GET /credentials",
  summary: "Lists token and secrets with their last use.",
  roles: EVERYBODY,
  input: nothing,
  output: credentialsOutput,
  handler: async ({ deps, session }) => await readCredentials(deps, session.accountId),
});

const secretChange = { roles: BUILDERS, proof: "recent", input: nothing } as const;

const newToken = action({
  ...secretChange,
  path: "POST /credentials/token",
  summary: "Replaces the primary API token. The old one stops working at once.",
  output: newTokenOutput,
  handler: async ({ deps, session }) => {
    const result = await replaceToken(deps, actorOf(session), { accountId: session.accountId });
    return result.kind === "done" ? { api_token: result.apiToken } : noSuch("account");
  },
});

const newSigningSecret = action({
  ...secretChange,
  path: "POST /credentials/signing-secret",
  summary: "Creates or replaces the signing secret; the old one works for 24 hours.",
  output: newSigningSecretOutput,
  handler: async ({ deps, session }) => {
    const result = await replaceSigningSecret(deps, actorOf(session), { accountId: session.accountId });
    return result.kind === "done" ? { signing_secret: result.signingSecret } : noSuch("account");
  },
});

const revokeOld = action({
  ...secretChange,
  path: "POST /credentials/signing-secret/revoke-old",
  summary: "Revokes replaced signing secrets that still work.",
  output: credentialsOutput,
  handler: async ({ deps, session }) => {
    const result = await revokeOldSigningSecrets(deps, actorOf(session), { accountId: session.accountId });
    return changeRefusal(result) ?? (await readCredentials(deps, session.accountId));
  },
});

const requireSigning = action({
  ...secretChange,
  path: "POST /credentials/signing-required",
  summary: "Sets whether every request must be signed, recharge included.",
  input: z.strictObject({ required: z.boolean() }),
  output: credentialsOutput,
  handler: async ({ deps, session, input }) => {
    const refusal = await signingRefusal(deps, session, input.required);
    if (refusal) return refusal;
    const result = await changeAccount(deps, actorOf(session), { accountId: session.accountId, signingRequired: input.required });
    return changeRefusal(result) ?? (await readCredentials(deps, session.accountId));
  },
});

/** Signing can be required only with a secret. If the platform has required it, only the platform can undo it. */
async function signingRefusal(ctx: PortalContext, { accountId }: Session, required: boolean): Promise<Refusal | null> {
  const detail = await readAccount(ctx, accountId);
  if (!detail || detail.account.signing_required === required) return null;
  if (required) return detail.signingSecrets.length > 0 ? null : conflict("Create a signing secret first.");
  const by = await signingRequiredBy(ctx.sql, accountId);
  return by?.startsWith("user:")
    ? null
    : conflict("The platform requires signing for this account. Ask your account manager to change it.");
}

async function readCredentials(ctx: PortalContext, accountId: string): Promise<z.output<typeof credentialsOutput> | Refusal> {
  const [detail, tokens, secretAt, usages, counts] = await Promise.all([
    readAccount(ctx, accountId),
    tokenViews(ctx, accountId),
    readCallbackSecretTime(ctx.sql, accountId),
    readUsage(ctx.sql, accountId, ["secret"]),
    countSigned(ctx.sql, accountId, new Date(ctx.clock.now() - DAY_MILLISECONDS)),
  ]);
  if (!detail) return noSuch("account");
  const token = tokens.find(({ primary }) => primary);
  return {
    token: token
      ? { masked: token.masked, created_at: token.created_at, last_used_at: token.last_used_at, last_address: token.last_address }
      : null,
    tokens,
    signing_secrets: detail.signingSecrets.map((secret) => {
      const usage = usages.find(({ subject }) => subject === secret.credentialId);
      return {
        credential_id: secret.credentialId,
        created_at: time(secret.createdAt),
        expires_at: secret.expiresAt && time(secret.expiresAt),
        calls_24h: counts.get(secret.credentialId) ?? 0,
        last_used_at: usage ? time(usage.last_at) : null,
      };
    }),
    signing_required: detail.account.signing_required,
    callback_secret: { set: secretAt !== null, created_at: secretAt && time(secretAt) },
  };
}

/** Each secret is shown once, in the reply that creates it. */
export const credentialActions: readonly PortalAction[] = [showCredentials, newToken, newSigningSecret, revokeOld, requireSigning];
