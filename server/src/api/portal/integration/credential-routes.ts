import { z } from "zod";
import { changeAccount } from "../../../domain/accounts/change-account.ts";
import { readCurrentSecrets, signingRequiredBy } from "../../../domain/accounts/credentials/read-secrets.ts";
import { replaceSigningSecret } from "../../../domain/accounts/credentials/replace-signing-secret.ts";
import { replaceToken } from "../../../domain/accounts/credentials/replace-token.ts";
import { revokeOldSigningSecrets } from "../../../domain/accounts/credentials/revoke-old-signing-secrets.ts";
import { readAccount } from "../../../domain/accounts/read-account.ts";
import { countSigned, readUsage } from "../../../domain/api-log/read-usage.ts";
import { actorOf, changeFault, notFound, nothing, time } from "../answers.ts";
import type { PortalContext } from "../context.ts";
import { BUILDERS, EVERYBODY, type Fault, fault, json, memberRoute, type PortalAnswer, type PortalRoute } from "../route.ts";
import type { Session } from "../session.ts";

const DAY_MILLISECONDS = 24 * 3_600_000;

// Each secret is shown once, in the reply that creates it.
export function credentialRoutes(ctx: PortalContext): readonly PortalRoute[] {
  const common = { who: BUILDERS, stepUp: true, input: nothing } as const;
  return [
    memberRoute({
      method: "GET",
      path: "/credentials",
      does: "Lists token and secrets with their last use.",
      who: EVERYBODY,
      input: nothing,
      handle: ({ session }) => showCredentials(ctx, session.accountId),
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/token",
      does: "Replaces the API token. The old one stops working at once.",
      handle: async ({ session }) => {
        const result = await replaceToken(ctx, actorOf(session), { accountId: session.accountId });
        return result.kind === "done" ? json({ api_token: result.apiToken }) : notFound("account");
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-secret",
      does: "Creates or replaces the signing secret; the old one works for 24 hours.",
      handle: async ({ session }) => {
        const result = await replaceSigningSecret(ctx, actorOf(session), { accountId: session.accountId });
        return result.kind === "done" ? json({ signing_secret: result.signingSecret }) : notFound("account");
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-secret/revoke-old",
      does: "Revokes replaced signing secrets that still work.",
      handle: async ({ session }) => {
        const result = await revokeOldSigningSecrets(ctx, actorOf(session), { accountId: session.accountId });
        return changeFault(result) ?? (await showCredentials(ctx, session.accountId));
      },
    }),
    memberRoute({
      ...common,
      method: "POST",
      path: "/credentials/signing-required",
      does: "Sets whether every request must be signed, recharge included.",
      input: z.strictObject({ required: z.boolean() }),
      handle: async ({ session, input }) => {
        const refusal = await signingFault(ctx, session, input.required);
        if (refusal) return refusal;
        const result = await changeAccount(ctx, actorOf(session), { accountId: session.accountId, signingRequired: input.required });
        return changeFault(result) ?? (await showCredentials(ctx, session.accountId));
      },
    }),
  ];
}

/** Signing can be required only with a secret. If the platform has required it, only the platform can undo it. */
async function signingFault(ctx: PortalContext, { accountId }: Session, required: boolean): Promise<Fault | null> {
  const detail = await readAccount(ctx, accountId);
  if (!detail || detail.account.signing_required === required) return null;
  if (required) return detail.signingSecrets.length > 0 ? null : fault("conflict", "Create a signing secret first.");
  const by = await signingRequiredBy(ctx.sql, accountId);
  return by?.startsWith("user:")
    ? null
    : fault("conflict", "The platform requires signing for this account. Ask your account manager to change it.");
}

async function showCredentials(ctx: PortalContext, accountId: string): Promise<PortalAnswer> {
  const [detail, secrets, usages, counts] = await Promise.all([
    readAccount(ctx, accountId),
    readCurrentSecrets(ctx, accountId),
    readUsage(ctx.sql, accountId, ["token", "secret"]),
    countSigned(ctx.sql, accountId, new Date(ctx.clock.now() - DAY_MILLISECONDS)),
  ]);
  if (!detail) return notFound("account");
  const { token, callbackSecret } = secrets;
  // A use before the token was created belongs to the previous token.
  const used = usages.find((usage) => usage.kind === "token" && token !== null && usage.last_at >= token.createdAt);
  return json({
    token: token && {
      masked: token.masked,
      created_at: time(token.createdAt),
      last_used_at: used ? time(used.last_at) : null,
      last_address: used?.last_address ?? null,
    },
    signing_secrets: detail.signingSecrets.map((secret) => {
      const usage = usages.find(({ kind, subject }) => kind === "secret" && subject === secret.credentialId);
      return {
        credential_id: secret.credentialId,
        created_at: time(secret.createdAt),
        expires_at: secret.expiresAt && time(secret.expiresAt),
        calls_24h: counts.get(secret.credentialId) ?? 0,
        last_used_at: usage ? time(usage.last_at) : null,
      };
    }),
    signing_required: detail.account.signing_required,
    callback_secret: { set: callbackSecret !== null, created_at: callbackSecret && time(callbackSecret.createdAt) },
  });
}
